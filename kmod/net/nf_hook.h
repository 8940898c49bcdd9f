/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declares the netfilter hook operations, whose hook functions apply rules to packets.
 */
#ifndef _KCUCKOO_NF_HOOK_H
#define _KCUCKOO_NF_HOOK_H

#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/netfilter.h>
#include <linux/skbuff.h>

#include "net/verdict.h"

/**
 * union kcuckoo_header - buffer for an IP header that is not in the linear part of its packet
 * @ipv4: fixed part of an IPv4 header
 * @ipv6: fixed part of an IPv6 header
 */
union kcuckoo_header {
	struct iphdr ipv4;
	struct ipv6hdr ipv6;
};

/**
 * kcuckoo_hook_verdict() - apply rules to a packet, without the fast path
 * @set: the rules
 * @skb: the packet
 * @state: state of the netfilter hook
 * @packet: the fields of the packet; the caller sets @packet->marked to false. out:
 *	@packet->marked, and @packet->mark if @packet->marked is true
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: NF_DROP or NF_ACCEPT.
 */
static inline unsigned int
kcuckoo_hook_verdict(const struct kcuckoo_rule_set *set, struct sk_buff *skb,
		     const struct nf_hook_state *state,
		     struct kcuckoo_packet *packet)
{
	if (kcuckoo_rules_drop(set, packet, skb, state))
		return NF_DROP;
	if (packet->marked)
		skb->mark = packet->mark;
	return NF_ACCEPT;
}

/*
 * Hook operations by hook and family; hook_point.c copies an element for each hook
 * point, and sets @priv of the copy to the hook point.
 */
extern const struct nf_hook_ops
kcuckoo_hook_ops[KCUCKOO_HOOKS][KCUCKOO_FAMILIES];

/*
 * Hook operations for device ingress; hook_point.c copies this structure for each device
 * that has rules, and sets @dev and @priv of the copy.
 */
extern const struct nf_hook_ops kcuckoo_ingress_ops;

#endif /* _KCUCKOO_NF_HOOK_H */
