// SPDX-License-Identifier: GPL-2.0-only
/*
 * Applies rules to a packet about which the fast path in verdict.h cannot decide.
 */
#include "net/verdict.h"

static struct kcuckoo_number
kcuckoo_rule_address_ipv4(const struct kcuckoo_rule_entry *rule,
			  const struct iphdr *header)
{
	return kcuckoo_number_ipv4(rule->match == KCUCKOO_MATCH_SRC ?
				   header->saddr : header->daddr);
}

static struct kcuckoo_number
kcuckoo_rule_address_ipv6(const struct kcuckoo_rule_entry *rule,
			  const struct ipv6hdr *header)
{
	return kcuckoo_number_ipv6(rule->match == KCUCKOO_MATCH_SRC ?
				   &header->saddr : &header->daddr);
}

/*
 * Returns true if the allow filter of a rule exists and lacks the address, and the
 * filter of the rule still contains the address, which the caller has found there.
 *
 * The order of the look-ups is: filter of the rule, allow filter, filter of the rule. So
 * no packet with the address is dropped in either of these cases:
 * - A program deletes the address from the filter of the rule, and then from the allow
 *   filter, both after the first look-up. Then the last look-up misses the address.
 * - A program adds the address to the allow filter, and then to the filter of the rule.
 *   If the first look-up finds the address, the look-up in the allow filter finds it,
 *   too.
 */
static bool kcuckoo_verdict_not_allowed(const struct kcuckoo_rule_entry *rule,
					const struct kcuckoo_query *query)
{
	return kcuckoo_slot_lacks(rule->allow, query) &&
	       kcuckoo_slot_contains(rule->slot, query);
}

/*
 * For KCUCKOO_ACTION_VALUE, sets @value to the value of the longest member that covers
 * the address.
 */
static bool kcuckoo_verdict_match(const struct kcuckoo_rule_entry *rule,
				  const struct kcuckoo_packet *packet,
				  u32 *value)
{
	struct kcuckoo_query query = { .family = packet->family };

	if (!(rule->family & packet->family))
		return false;
	if (packet->family == KCUCKOO_FAMILY_IPV4)
		query.address = kcuckoo_rule_address_ipv4(rule, packet->header);
	else
		query.address = kcuckoo_rule_address_ipv6(rule, packet->header);
	if (rule->action == KCUCKOO_ACTION_VALUE)
		query.value = value;
	if (!kcuckoo_slot_contains(rule->slot, &query))
		return false;
	if (!rule->allow)
		return true;
	query.value = NULL;
	return kcuckoo_verdict_not_allowed(rule, &query);
}

static void kcuckoo_verdict_mark(struct kcuckoo_packet *packet, u32 mark)
{
	packet->mark = mark;
	packet->marked = true;
}

/**
 * kcuckoo_rules_drop() - apply rules to a packet, without the fast path
 * @set: the rules, applied in order until a rule drops the packet
 * @packet: the packet; the caller sets @packet->marked to false. out: @packet->marked,
 *	and @packet->mark if @packet->marked is true
 * @skb: the packet, for the log
 * @state: state of the netfilter hook, for the log
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: true if a rule drops the packet.
 */
bool kcuckoo_rules_drop(const struct kcuckoo_rule_set *set,
			struct kcuckoo_packet *packet,
			const struct sk_buff *skb,
			const struct nf_hook_state *state)
{
	unsigned int i;
	u32 value = 0;

	for (i = 0; i < set->count; i++) {
		struct kcuckoo_rule_entry *rule = set->rule[i];

		if (!kcuckoo_verdict_match(rule, packet, &value))
			continue;
		kcuckoo_rule_count(rule, packet->length);
		if (unlikely(rule->log))
			kcuckoo_log_packet(rule, skb, state);
		if (rule->action == KCUCKOO_ACTION_DROP)
			return true;
		if (rule->action == KCUCKOO_ACTION_MARK)
			kcuckoo_verdict_mark(packet, rule->mark);
		else if (rule->action == KCUCKOO_ACTION_VALUE)
			kcuckoo_verdict_mark(packet, value);
	}
	return false;
}
