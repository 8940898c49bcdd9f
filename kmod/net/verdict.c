// SPDX-License-Identifier: GPL-2.0-only
/*
 * Verdicts that the fast path cannot give.
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
 * Returns true if the allow filter exists and does not contain an address that the
 * rule's filter contains. The allow filter comes last, because few packets match the
 * rule. Afterwards the rule's filter is looked up once more. So an address is not dropped
 * while a program deletes it from both filters, from the rule's filter first, or adds
 * it to both, to the rule's filter last.
 */
static bool kcuckoo_verdict_not_allowed(const struct kcuckoo_rule_entry *rule,
					const struct kcuckoo_query *query)
{
	return kcuckoo_slot_lacks(rule->allow, query) &&
	       kcuckoo_slot_contains(rule->slot, query);
}

/* Returns true if a rule matches; writes @value only if its action needs the value. */
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
 * kcuckoo_rules_drop() - apply all rules to a packet
 * @set: the rules, applied in order until one drops the packet
 * @packet: the packet; out: its new mark, if it gets one
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: true if a rule drops the packet.
 */
bool kcuckoo_rules_drop(const struct kcuckoo_rule_set *set,
			struct kcuckoo_packet *packet)
{
	unsigned int i;
	u32 value = 0;

	for (i = 0; i < set->count; i++) {
		const struct kcuckoo_rule_entry *rule = set->rule[i];

		if (!kcuckoo_verdict_match(rule, packet, &value))
			continue;
		kcuckoo_rule_count(rule, packet->length);
		if (rule->action == KCUCKOO_ACTION_DROP)
			return true;
		if (rule->action == KCUCKOO_ACTION_MARK)
			kcuckoo_verdict_mark(packet, rule->mark);
		else if (rule->action == KCUCKOO_ACTION_VALUE)
			kcuckoo_verdict_mark(packet, value);
	}
	return false;
}
