// SPDX-License-Identifier: GPL-2.0-only
/*
 * Netfilter hooks: the packets of IPv4 and IPv6, and what happens to them.
 *
 * Source and destination stand in the fixed part of the IPv4 and IPv6 headers,
 * so extension headers and fragments make no difference.
 */
#include <linux/netdevice.h>
#include <linux/netfilter_ipv4.h>
#include <linux/netfilter_ipv6.h>

#include "hook.h"

static_assert((int)KCUCKOO_HOOK_PREROUTING == NF_INET_PRE_ROUTING);
static_assert((int)KCUCKOO_HOOK_INPUT == NF_INET_LOCAL_IN);
static_assert((int)KCUCKOO_HOOK_FORWARD == NF_INET_FORWARD);
static_assert((int)KCUCKOO_HOOK_OUTPUT == NF_INET_LOCAL_OUT);

static bool kcuckoo_hook_loopback(const struct nf_hook_state *state)
{
	return (state->in && state->in->flags & IFF_LOOPBACK) ||
	       (state->out && state->out->flags & IFF_LOOPBACK);
}

static const void *kcuckoo_hook_header(const struct sk_buff *skb, u8 pf,
				       union kcuckoo_header *room)
{
	return skb_header_pointer(skb, skb_network_offset(skb),
				  pf == NFPROTO_IPV4 ? sizeof(room->ipv4) :
						       sizeof(room->ipv6),
				  room);
}

/* Netfilter calls inside rcu_read_lock(). */
static unsigned int kcuckoo_hook(void *priv, struct sk_buff *skb,
				 const struct nf_hook_state *state)
{
	struct kcuckoo_packet packet = { .length = skb->len };
	const struct kcuckoo_rule_set *set;
	union kcuckoo_header room;

	set = rcu_dereference(kcuckoo_net_of(state->net)->hooks[state->hook].rules);
	if (!set || kcuckoo_hook_loopback(state))
		return NF_ACCEPT;
	packet.family = state->pf == NFPROTO_IPV4 ? KCUCKOO_FAMILY_IPV4 :
						    KCUCKOO_FAMILY_IPV6;
	packet.header = kcuckoo_hook_header(skb, state->pf, &room);
	if (!packet.header)
		return NF_ACCEPT;
	return kcuckoo_hook_verdict(set, skb, &packet);
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
