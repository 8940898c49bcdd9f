/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Verdicts: what rules decide about a packet.
 *
 * The hook functions find the headers in their packets, and carry the verdict out. With
 * the fast path (lookup_fast.h) they have the verdict of most packets without a call.
 */
#ifndef _KCUCKOO_VERDICT_H
#define _KCUCKOO_VERDICT_H

#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/percpu.h>

#include "net/rule.h"
#include "net/slot.h"

/**
 * struct kcuckoo_packet - the fields of a packet that rules read and write
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 * @header: its header, at least the fixed part
 * @length: bytes to count
 * @mark: out: its new mark, if @marked
 * @marked: out: whether it gets a mark
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
 * @KCUCKOO_VERDICT_PASS: it passes
 * @KCUCKOO_VERDICT_DROP: it is dropped
 * @KCUCKOO_VERDICT_SLOW: the fast path cannot decide; kcuckoo_rules_drop() can
 */
enum kcuckoo_verdict {
	KCUCKOO_VERDICT_PASS,
	KCUCKOO_VERDICT_DROP,
	KCUCKOO_VERDICT_SLOW,
};

bool kcuckoo_rules_drop(const struct kcuckoo_rule_set *set,
			struct kcuckoo_packet *packet);

/**
 * kcuckoo_rule_count() - count a packet that a rule matched
 * @rule: the rule
 * @length: its bytes
 *
 * On 64-bit kernels u64_stats_t is a local64_t: one instruction changes it, or the
 * substitute of an architecture. So a packet that interrupts another one does no harm.
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
 * kcuckoo_verdict_ipv4() - decide about an IPv4 packet, fast path
 * @set: the rules
 * @header: IPv4 header of the packet, at least its fixed part
 * @drop: out: the rule that drops the packet; the caller counts the packet
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
 * kcuckoo_verdict_ipv6() - decide about an IPv6 packet, fast path
 * @set: the rules
 *
 * Context: as kcuckoo_verdict_ipv4().
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
