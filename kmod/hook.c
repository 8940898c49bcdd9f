// SPDX-License-Identifier: GPL-2.0-only
/*
 * Netfilter hooks: what happens to a packet.
 *
 * Source and destination stand in the fixed part of the IPv4 and IPv6 headers,
 * so extension headers and fragments make no difference.
 */
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/netdevice.h>
#include <linux/netfilter_ipv4.h>
#include <linux/netfilter_ipv6.h>
#include <linux/skbuff.h>

#include "registry.h"

static_assert((int)KCUCKOO_HOOK_PREROUTING == NF_INET_PRE_ROUTING);
static_assert((int)KCUCKOO_HOOK_INPUT == NF_INET_LOCAL_IN);
static_assert((int)KCUCKOO_HOOK_FORWARD == NF_INET_FORWARD);
static_assert((int)KCUCKOO_HOOK_OUTPUT == NF_INET_LOCAL_OUT);

static bool kcuckoo_hook_loopback(const struct nf_hook_state *state)
{
	return (state->in && state->in->flags & IFF_LOOPBACK) ||
	       (state->out && state->out->flags & IFF_LOOPBACK);
}

static void kcuckoo_hook_count(const struct kcuckoo_rule_entry *rule,
			       const struct sk_buff *skb)
{
	struct kcuckoo_counter *counter;

	/* Locally sent packets come in process context. */
	local_bh_disable();
	counter = this_cpu_ptr(rule->counter);
	u64_stats_update_begin(&counter->sync);
	u64_stats_inc(&counter->packets);
	u64_stats_add(&counter->bytes, skb->len);
	u64_stats_update_end(&counter->sync);
	local_bh_enable();
}

static struct kcuckoo_number
kcuckoo_hook_ipv4(const struct kcuckoo_rule_entry *rule,
		  const struct iphdr *header)
{
	return kcuckoo_number_ipv4(rule->match == KCUCKOO_MATCH_SRC ?
				   header->saddr : header->daddr);
}

static struct kcuckoo_number
kcuckoo_hook_ipv6(const struct kcuckoo_rule_entry *rule,
		  const struct ipv6hdr *header)
{
	return kcuckoo_number_ipv6(rule->match == KCUCKOO_MATCH_SRC ?
				   &header->saddr : &header->daddr);
}

/* Is a packet's address in the rule's filter? @value only if it is wanted. */
static bool kcuckoo_hook_match(const struct kcuckoo_rule_entry *rule,
			       unsigned int family, const void *header,
			       u32 *value)
{
	struct kcuckoo_query query = { .family = family };

	if (family == KCUCKOO_FAMILY_IPV4)
		query.address = kcuckoo_hook_ipv4(rule, header);
	else
		query.address = kcuckoo_hook_ipv6(rule, header);
	if (rule->action == KCUCKOO_ACTION_VALUE)
		query.value = value;
	return kcuckoo_slot_contains(rule->slot, &query);
}

/* Does what a rule says; true if the packet is to be dropped. */
static bool kcuckoo_hook_act(const struct kcuckoo_rule_entry *rule,
			     struct sk_buff *skb, u32 value)
{
	kcuckoo_hook_count(rule, skb);
	if (rule->action == KCUCKOO_ACTION_MARK)
		skb->mark = rule->mark;
	else if (rule->action == KCUCKOO_ACTION_VALUE)
		skb->mark = value;
	return rule->action == KCUCKOO_ACTION_DROP;
}

/* Room for either header, should it have to be gathered from fragments. */
union kcuckoo_header {
	struct iphdr ipv4;
	struct ipv6hdr ipv6;
};

static const void *kcuckoo_hook_header(const struct sk_buff *skb, u8 pf,
				       union kcuckoo_header *room)
{
	return skb_header_pointer(skb, skb_network_offset(skb),
				  pf == NFPROTO_IPV4 ? sizeof(room->ipv4) :
						       sizeof(room->ipv6),
				  room);
}

/*
 * The rules of the hook, in order: the first one that drops ends it. Netfilter
 * calls inside rcu_read_lock().
 */
static unsigned int kcuckoo_hook(void *priv, struct sk_buff *skb,
				 const struct nf_hook_state *state)
{
	unsigned int family = state->pf == NFPROTO_IPV4 ? KCUCKOO_FAMILY_IPV4 :
							  KCUCKOO_FAMILY_IPV6;
	const struct kcuckoo_rule_set *set;
	union kcuckoo_header room;
	const void *header;
	unsigned int i;
	u32 value = 0;

	set = rcu_dereference(kcuckoo_net_of(state->net)->rules[state->hook]);
	if (!set || kcuckoo_hook_loopback(state))
		return NF_ACCEPT;
	header = kcuckoo_hook_header(skb, state->pf, &room);
	if (!header)
		return NF_ACCEPT;
	for (i = 0; i < set->count; i++) {
		const struct kcuckoo_rule_entry *rule = set->rule[i];

		if (rule->family & family &&
		    kcuckoo_hook_match(rule, family, header, &value) &&
		    kcuckoo_hook_act(rule, skb, value))
			return NF_DROP;
	}
	return NF_ACCEPT;
}

#define KCUCKOO_HOOK_OPS(hooknum_, ipv4_priority, ipv6_priority) {	\
	{								\
		.hook = kcuckoo_hook,					\
		.pf = NFPROTO_IPV4,					\
		.hooknum = hooknum_,					\
		.priority = ipv4_priority,				\
	}, {								\
		.hook = kcuckoo_hook,					\
		.pf = NFPROTO_IPV6,					\
		.hooknum = hooknum_,					\
		.priority = ipv6_priority,				\
	},								\
}

/* Before connection tracking where that follows, else before the filters. */
const struct nf_hook_ops kcuckoo_hook_ops[KCUCKOO_HOOKS][KCUCKOO_FAMILIES] = {
	[KCUCKOO_HOOK_PREROUTING] = KCUCKOO_HOOK_OPS(NF_INET_PRE_ROUTING,
						     NF_IP_PRI_RAW,
						     NF_IP6_PRI_RAW),
	[KCUCKOO_HOOK_INPUT] = KCUCKOO_HOOK_OPS(NF_INET_LOCAL_IN,
						NF_IP_PRI_FILTER - 1,
						NF_IP6_PRI_FILTER - 1),
	[KCUCKOO_HOOK_FORWARD] = KCUCKOO_HOOK_OPS(NF_INET_FORWARD,
						  NF_IP_PRI_FILTER - 1,
						  NF_IP6_PRI_FILTER - 1),
	[KCUCKOO_HOOK_OUTPUT] = KCUCKOO_HOOK_OPS(NF_INET_LOCAL_OUT,
						 NF_IP_PRI_RAW,
						 NF_IP6_PRI_RAW),
};
