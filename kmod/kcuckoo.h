/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interface for other kernel modules: looks up addresses or byte strings in a named
 * filter, and adds and deletes the addresses of packets.
 *
 * A caller gets the slot of a name once, looks up any number of keys, and releases the
 * slot. Look-ups, adds and deletes need rcu_read_lock(), which netfilter holds when it calls
 * a hook. net/api.c documents the functions.
 *
 *	slot = kcuckoo_get(net, "bad");
 *	if (IS_ERR(slot))
 *		return PTR_ERR(slot);
 *	...
 *	hit = kcuckoo_contains_ipv4(slot, ip_hdr(skb)->saddr);
 *	...
 *	kcuckoo_put(slot);
 *
 * A slot is a name in a network namespace, with a filter or without. kcuckoo_get() also
 * succeeds if no filter has the name. Look-ups then find nothing until a filter gets
 * the name.
 *
 * From kcuckoo_get() to kcuckoo_put() programs can neither destroy nor rename the filter
 * of the slot (EBUSY). Programs can swap or replace the filter at any time; the slot
 * then has another filter of the same type. A slot without a filter can get a filter of
 * addresses or of byte strings: a look-up of an address in a filter of byte strings
 * finds nothing, and vice versa. If the network namespace ends before kcuckoo_put(), the
 * slot stays valid, and look-ups find nothing.
 */
#ifndef _KCUCKOO_H
#define _KCUCKOO_H

#include <linux/ratelimit_types.h>
#include <linux/types.h>

struct in6_addr;
struct kcuckoo_slot;
struct net;

/* A timeout argument with this value stands for the default timeout of the filter. */
#define KCUCKOO_TIMEOUT_OF_FILTER	(~0U)

/**
 * struct kcuckoo_limit - limits how often packets add or renew addresses in a filter
 * @rate: the permitted number of changes per second
 * @refused: value of jiffies when the limit last refused a change; written under the
 *	lock of the filter, read without a lock
 *
 * The caller owns the limit, and initializes it by kcuckoo_limit_init(). The limit applies
 * to adds that would change the filter, not to deletes. After a refusal, all these adds are
 * refused until the next jiffy, without the lock of the filter: they only compare @refused
 * with jiffies. So in a flood of packets the CPUs do not contend for the lock.
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

int kcuckoo_lookup_ipv4(const struct kcuckoo_slot *slot, __be32 address);
int kcuckoo_lookup_ipv6(const struct kcuckoo_slot *slot,
			const struct in6_addr *address);

void kcuckoo_writer_begin(struct kcuckoo_slot *slot);
void kcuckoo_writer_end(struct kcuckoo_slot *slot);
int kcuckoo_check_add(const struct kcuckoo_slot *slot, u32 timeout);
void kcuckoo_limit_init(struct kcuckoo_limit *limit, unsigned int changes);
int kcuckoo_add_ipv4(struct kcuckoo_slot *slot, __be32 address, u32 timeout,
		     struct kcuckoo_limit *limit);
int kcuckoo_add_ipv6(struct kcuckoo_slot *slot, const struct in6_addr *address,
		     u32 timeout, struct kcuckoo_limit *limit);
int kcuckoo_del_ipv4(struct kcuckoo_slot *slot, __be32 address);
int kcuckoo_del_ipv6(struct kcuckoo_slot *slot, const struct in6_addr *address);

#endif /* _KCUCKOO_H */
