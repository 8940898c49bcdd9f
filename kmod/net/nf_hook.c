// SPDX-License-Identifier: GPL-2.0-only
/*
 * Netfilter hooks of IPv4 and IPv6.
 *
 * Source and destination are in the fixed part of the IPv4 and IPv6 headers,
 * so extension headers and fragments make no difference. All fragments of a packet have
 * the same two addresses, and reassembly keeps the mark of the first.
 */
#include <linux/etherdevice.h>
#include <linux/if_arp.h>
#include <linux/netdevice.h>
#include <linux/netfilter_ipv4.h>
#include <linux/netfilter_ipv6.h>
#include <net/ip.h>
#include <net/xfrm.h>

#include "net/nf_hook.h"

static_assert((int)KCUCKOO_HOOK_PREROUTING == NF_INET_PRE_ROUTING);
static_assert((int)KCUCKOO_HOOK_INPUT == NF_INET_LOCAL_IN);
static_assert((int)KCUCKOO_HOOK_FORWARD == NF_INET_FORWARD);
static_assert((int)KCUCKOO_HOOK_OUTPUT == NF_INET_LOCAL_OUT);

/*
 * Returns true if IPsec decapsulated this packet. Such a packet is received once more, by
 * the device of the outer packet unless IPsec has a device of its own. In a VRF that
 * device is the VRF itself, also if the outer packet came from outside.
 */
static bool kcuckoo_hook_decapsulated(const struct sk_buff *skb)
{
	const struct sec_path *path = skb_sec_path(skb);

	return path && path->len &&
	       path->xvec[path->len - 1]->props.mode != XFRM_MODE_TRANSPORT;
}

/*
 * A VRF replaces PACKET_LOOPBACK by PACKET_HOST before input. The kernel's copy of an
 * own multicast or broadcast packet still has no link header, but each packet that an
 * Ethernet device received has one. Other devices may receive packets without a link
 * header, and a tun device can set its type to Ethernet (TUNSETLINK).
 */
static bool kcuckoo_hook_vrf_copy(const struct sk_buff *skb,
				  const struct nf_hook_state *state, int iif)
{
	const struct net_device *dev;

	if (skb->mac_len)
		return false;
	dev = dev_get_by_index_rcu(state->net, iif);
	return dev && dev->type == ARPHRD_ETHER &&
	       dev->hard_header_len >= ETH_HLEN;
}

/*
 * IP6CB()->iif of a packet that the host sent to itself is the device that has the
 * destination address, as if that device had received the packet. But both link
 * addresses are the VRF's, and the packet has a reference to its route. A received
 * packet rarely has one. A packet that SRv6 passes to the VRF (End.DT6) has one, but no
 * link header.
 */
static bool kcuckoo_hook_vrf_ipv6(const struct sk_buff *skb,
				  const struct net_device *vrf)
{
	if (!skb_mac_header_was_set(skb) || skb->mac_len != ETH_HLEN ||
	    skb_dst_is_noref(skb))
		return false;
	return ether_addr_equal(eth_hdr(skb)->h_dest, vrf->dev_addr) &&
	       ether_addr_equal(eth_hdr(skb)->h_source, vrf->dev_addr);
}

/*
 * Packets from the devices of a VRF have the VRF as input device, too. The VRF itself
 * receives only packets that the host sent, and packets that IPsec decapsulated.
 */
static bool kcuckoo_hook_vrf_loopback(const struct sk_buff *skb,
				      const struct nf_hook_state *state)
{
	bool ipv4 = state->pf == NFPROTO_IPV4;
	int iif = ipv4 ? IPCB(skb)->iif : IP6CB(skb)->iif;

	if (kcuckoo_hook_decapsulated(skb))
		return false;
	if (iif == state->in->ifindex)
		return true;
	if (state->hook != NF_INET_LOCAL_IN)
		return false;
	return kcuckoo_hook_vrf_copy(skb, state, iif) ||
	       (!ipv4 && kcuckoo_hook_vrf_ipv6(skb, state->in));
}

/*
 * Returns true if the host sent this packet to itself. Only the kernel sets
 * PACKET_LOOPBACK, but in a VRF also for packets that an MPLS label delivers; no field
 * identifies those.
 * A forwarded packet leaves the host. A packet that a VRF sends either comes back to the
 * VRF, or passes output a second time with the device by which it leaves: rules apply
 * there, and count it once.
 */
static noinline bool kcuckoo_hook_loopback(const struct sk_buff *skb,
					   const struct nf_hook_state *state)
{
	switch (state->hook) {
	case NF_INET_PRE_ROUTING:
	case NF_INET_LOCAL_IN:
		return state->in->flags & IFF_LOOPBACK ||
		       skb->pkt_type == PACKET_LOOPBACK ||
		       (netif_is_l3_master(state->in) &&
			kcuckoo_hook_vrf_loopback(skb, state));
	case NF_INET_LOCAL_OUT:
		return state->out->flags & IFF_LOOPBACK ||
		       netif_is_l3_master(state->out);
	default:
		return false;
	}
}

/* Evaluates the rules in full. */
static noinline unsigned int
kcuckoo_hook_slow(const struct kcuckoo_rule_set *set, struct sk_buff *skb,
		  unsigned int family)
{
	struct kcuckoo_packet packet = { .family = family };
	unsigned int size = family == KCUCKOO_FAMILY_IPV4 ?
			    sizeof(struct iphdr) : sizeof(struct ipv6hdr);
	union kcuckoo_header buf;

	packet.length = skb->len;
	packet.header = skb_header_pointer(skb, skb_network_offset(skb), size,
					   &buf);
	return packet.header ? kcuckoo_hook_verdict(set, skb, &packet) :
			       NF_ACCEPT;
}

/*
 * Netfilter calls this inside rcu_read_lock(). All of IPv4 relies on the fixed part of
 * the header being in one piece here. Few packets match, so the check for loopback comes
 * after the match.
 */
static unsigned int kcuckoo_hook_ipv4(void *priv, struct sk_buff *skb,
				      const struct nf_hook_state *state)
{
	const struct kcuckoo_hook_point *point = priv;
	const struct kcuckoo_rule_entry *drop;
	const struct kcuckoo_rule_set *set;
	enum kcuckoo_verdict verdict;

	set = rcu_dereference(point->rules);
	if (!set)
		return NF_ACCEPT;
	verdict = kcuckoo_verdict_ipv4(set, ip_hdr(skb), &drop);
	if (likely(verdict == KCUCKOO_VERDICT_PASS) ||
	    kcuckoo_hook_loopback(skb, state))
		return NF_ACCEPT;
	if (verdict == KCUCKOO_VERDICT_SLOW)
		return kcuckoo_hook_slow(set, skb, KCUCKOO_FAMILY_IPV4);
	kcuckoo_rule_count(drop, skb->len);
	return NF_DROP;
}

/* The same for IPv6. */
static unsigned int kcuckoo_hook_ipv6(void *priv, struct sk_buff *skb,
				      const struct nf_hook_state *state)
{
	const struct kcuckoo_hook_point *point = priv;
	const struct kcuckoo_rule_set *set;

	set = rcu_dereference(point->rules);
	if (!set)
		return NF_ACCEPT;
	if (kcuckoo_verdict_ipv6(set) == KCUCKOO_VERDICT_PASS ||
	    kcuckoo_hook_loopback(skb, state))
		return NF_ACCEPT;
	return kcuckoo_hook_slow(set, skb, KCUCKOO_FAMILY_IPV6);
}

#define KCUCKOO_HOOK_OPS(hooknum_, ipv4_priority, ipv6_priority) {	\
	{								\
		.hook = kcuckoo_hook_ipv4,				\
		.pf = NFPROTO_IPV4,					\
		.hooknum = hooknum_,					\
		.priority = ipv4_priority,				\
	}, {								\
		.hook = kcuckoo_hook_ipv6,				\
		.pf = NFPROTO_IPV6,					\
		.hooknum = hooknum_,					\
		.priority = ipv6_priority,				\
	},								\
}

/*
 * Prerouting and output: before IP defragmentation, so that fragments of listed sources
 * take no memory, and with that before connection tracking and all tables called raw.
 * Input and forward: before the tables called filter. The priority is lower by one:
 * of hooks with the same priority the last one registered runs first, and rules must see
 * our marks whenever they were loaded.
 */
const struct nf_hook_ops kcuckoo_hook_ops[KCUCKOO_HOOKS][KCUCKOO_FAMILIES] = {
	[KCUCKOO_HOOK_PREROUTING] = KCUCKOO_HOOK_OPS(NF_INET_PRE_ROUTING,
						     NF_IP_PRI_RAW_BEFORE_DEFRAG - 1,
						     NF_IP6_PRI_RAW_BEFORE_DEFRAG - 1),
	[KCUCKOO_HOOK_INPUT] = KCUCKOO_HOOK_OPS(NF_INET_LOCAL_IN,
						NF_IP_PRI_FILTER - 1,
						NF_IP6_PRI_FILTER - 1),
	[KCUCKOO_HOOK_FORWARD] = KCUCKOO_HOOK_OPS(NF_INET_FORWARD,
						  NF_IP_PRI_FILTER - 1,
						  NF_IP6_PRI_FILTER - 1),
	[KCUCKOO_HOOK_OUTPUT] = KCUCKOO_HOOK_OPS(NF_INET_LOCAL_OUT,
						 NF_IP_PRI_RAW_BEFORE_DEFRAG - 1,
						 NF_IP6_PRI_RAW_BEFORE_DEFRAG - 1),
};
