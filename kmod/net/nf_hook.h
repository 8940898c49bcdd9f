/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Netfilter: hooks, and the ingress of devices.
 *
 * Files: nf_hook.c (hooks of IPv4 and IPv6), nf_ingress.c (devices).
 */
#ifndef _KCUCKOO_NF_HOOK_H
#define _KCUCKOO_NF_HOOK_H

#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/netfilter.h>
#include <linux/skbuff.h>

#include "net/verdict.h"

/**
 * union kcuckoo_header - buffer for a header that is not in one piece
 * @ipv4: of IPv4, its fixed part
 * @ipv6: of IPv6, its fixed part
 */
union kcuckoo_header {
	struct iphdr ipv4;
	struct ipv6hdr ipv6;
};

/**
 * kcuckoo_hook_verdict() - apply rules to a packet
 * @set: the rules
 * @skb: the packet
 * @packet: its fields for the rules
 *
 * Context: inside rcu_read_lock().
 * Return: the verdict for netfilter.
 */
static inline unsigned int
kcuckoo_hook_verdict(const struct kcuckoo_rule_set *set, struct sk_buff *skb,
		     struct kcuckoo_packet *packet)
{
	if (kcuckoo_rules_drop(set, packet))
		return NF_DROP;
	if (packet->marked)
		skb->mark = packet->mark;
	return NF_ACCEPT;
}

/*
 * Hook operations by hook and family, without the hook point; see nf_hook.c.
 */
extern const struct nf_hook_ops
kcuckoo_hook_ops[KCUCKOO_HOOKS][KCUCKOO_FAMILIES];

/* Hook operations for device ingress; see nf_ingress.c. */
extern const struct nf_hook_ops kcuckoo_ingress_ops;

#endif /* _KCUCKOO_NF_HOOK_H */
