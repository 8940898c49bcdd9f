/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo for other kernel modules: look addresses or byte strings up in a named
 * filter, and have packets add and delete addresses.
 *
 * Get a name once, look up as often as you like, put it back:
 *
 *	slot = kcuckoo_get(net, "bad");
 *	if (IS_ERR(slot))
 *		return PTR_ERR(slot);
 *	...
 *	hit = kcuckoo_contains_ipv4(slot, ip_hdr(skb)->saddr);
 *	...
 *	kcuckoo_put(slot);
 *
 * The name needs no filter. A slot without a filter waits: it contains nothing until
 * a filter gets the name.
 *
 * While a slot has users, its filter cannot be destroyed or renamed. The name can get
 * another filter at any time (swap, replace), also one of the other type; a look-up of
 * the wrong kind finds nothing. When the network namespace ends, a slot that was not
 * put back stays valid and contains nothing.
 */
#ifndef _KCUCKOO_H
#define _KCUCKOO_H

#include <linux/ratelimit_types.h>
#include <linux/types.h>

struct in6_addr;
struct kcuckoo_slot;
struct net;

/* Instead of seconds: the timeout that the filter itself has. */
#define KCUCKOO_TIMEOUT_OF_FILTER	(~0U)

/**
 * struct kcuckoo_limit - limit on changes of members by packets
 * @rate: the rate of changes
 * @refused: time of the last refusal, in jiffies; written under the lock of the filter
 *	that the slot has, which a swap may change; read without
 *
 * After a refusal the limit refuses until the next jiffy. Checking @refused needs no
 * lock, so all CPUs do not contend for the lock of the filter in a flood of packets.
 */
struct kcuckoo_limit {
	struct ratelimit_state rate;
	unsigned long refused;
};

struct kcuckoo_slot *kcuckoo_get(struct net *net, const char *name);
void kcuckoo_put(struct kcuckoo_slot *slot);
bool kcuckoo_contains_ipv4(const struct kcuckoo_slot *slot, __be32 address);
bool kcuckoo_contains_ipv6(const struct kcuckoo_slot *slot,
			   const struct in6_addr *address);
bool kcuckoo_contains_bytes(const struct kcuckoo_slot *slot, const void *bytes,
			    u32 length);

int kcuckoo_look_ipv4(const struct kcuckoo_slot *slot, __be32 address);
int kcuckoo_look_ipv6(const struct kcuckoo_slot *slot,
		      const struct in6_addr *address);

int kcuckoo_check_add(const struct kcuckoo_slot *slot, u32 timeout);
void kcuckoo_limit_init(struct kcuckoo_limit *limit, unsigned int changes);
int kcuckoo_add_ipv4(struct kcuckoo_slot *slot, __be32 address, u32 timeout,
		     struct kcuckoo_limit *limit);
int kcuckoo_add_ipv6(struct kcuckoo_slot *slot, const struct in6_addr *address,
		     u32 timeout, struct kcuckoo_limit *limit);
int kcuckoo_del_ipv4(struct kcuckoo_slot *slot, __be32 address);
int kcuckoo_del_ipv6(struct kcuckoo_slot *slot, const struct in6_addr *address);

#endif /* _KCUCKOO_H */
