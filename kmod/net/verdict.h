/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Applies a set of rules to a packet, and returns the verdict about the packet.
 *
 * The fast path is inline; only the look-up in a table needs a function call
 * (filter/lookup_fast.h).
 */
#ifndef _KCUCKOO_VERDICT_H
#define _KCUCKOO_VERDICT_H

#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/percpu.h>
#include <linux/skbuff.h>

#include "net/rule.h"
#include "net/slot.h"

/**
 * struct kcuckoo_packet - the fields of a packet that rules read and write
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 * @header: the IPv4 or IPv6 header, at least the fixed part
 * @length: length of the packet in bytes, which rules add to their counters
 * @mark: out: the new mark of the packet, if @marked
 * @marked: out: true if the packet gets a new mark
 */
struct kcuckoo_packet {
	unsigned int family;
	const void *header;
	u32 length;
	u32 mark;
	bool marked;
};

/**
 * enum kcuckoo_verdict - the decision about a packet
 * @KCUCKOO_VERDICT_PASS: the packet passes
 * @KCUCKOO_VERDICT_DROP: the packet is dropped
 * @KCUCKOO_VERDICT_SLOW: the fast path cannot decide; the caller must call
 *	kcuckoo_rules_drop()
 */
enum kcuckoo_verdict {
	KCUCKOO_VERDICT_PASS,
	KCUCKOO_VERDICT_DROP,
	KCUCKOO_VERDICT_SLOW,
};

bool kcuckoo_rules_drop(const struct kcuckoo_rule_set *set,
			struct kcuckoo_packet *packet,
			const struct sk_buff *skb,
			const struct nf_hook_state *state);

/**
 * kcuckoo_rule_count() - count a packet that a rule matched
 * @rule: the rule
 * @length: number of bytes of the packet
 *
 * The module builds only for 64-bit kernels. On these kernels u64_stats_t is a
 * local64_t, whose changes are atomic with respect to interrupts on the same CPU. So the
 * counters stay correct if a softirq interrupts this function and counts another packet.
 *
 * Context: any but hard interrupts.
 */
static inline void kcuckoo_rule_count(const struct kcuckoo_rule_entry *rule,
				      u32 length)
{
	struct kcuckoo_counter *counter = get_cpu_ptr(rule->counter);

	u64_stats_inc(&counter->packets);
	u64_stats_add(&counter->bytes, length);
	put_cpu_ptr(rule->counter);
}

/**
 * kcuckoo_verdict_ipv4() - decide about an IPv4 packet on the fast path
 * @set: the rules, at least one rule
 * @header: IPv4 header of the packet, at least its fixed part
 * @drop: out: for KCUCKOO_VERDICT_DROP the rule that drops the packet; the caller must
 *	count the packet for this rule
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: the verdict.
 */
static inline enum kcuckoo_verdict
kcuckoo_verdict_ipv4(const struct kcuckoo_rule_set *set,
		     const struct iphdr *header,
		     const struct kcuckoo_rule_entry **drop)
{
	struct kcuckoo_rule_entry *const *rule = set->rule;

	do {
		__be32 address;
		int ret;

		if (!((*rule)->family & KCUCKOO_FAMILY_IPV4))
			continue;
		address = (*rule)->match == KCUCKOO_MATCH_SRC ? header->saddr :
							       header->daddr;
		ret = kcuckoo_slot_lookup_fast_ipv4((*rule)->slot, address);
		if (ret < 0 || (ret && !(*rule)->simple))
			return KCUCKOO_VERDICT_SLOW;
		if (ret) {
			*drop = *rule;
			return KCUCKOO_VERDICT_DROP;
		}
	} while (++rule < set->rule + set->count);
	return KCUCKOO_VERDICT_PASS;
}

/**
 * kcuckoo_verdict_ipv6() - decide about an IPv6 packet on the fast path
 * @set: the rules
 *
 * The verdict does not depend on the packet: all IPv6 packets pass if no filter of the
 * rules has IPv6 members.
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: KCUCKOO_VERDICT_PASS or KCUCKOO_VERDICT_SLOW.
 */
static inline enum kcuckoo_verdict
kcuckoo_verdict_ipv6(const struct kcuckoo_rule_set *set)
{
	unsigned int i;

	for (i = 0; i < set->count; i++)
		if (set->rule[i]->family & KCUCKOO_FAMILY_IPV6 &&
		    kcuckoo_slot_lookup_fast_ipv6(set->rule[i]->slot))
			return KCUCKOO_VERDICT_SLOW;
	return KCUCKOO_VERDICT_PASS;
}

#endif /* _KCUCKOO_VERDICT_H */
