// SPDX-License-Identifier: GPL-2.0-only
/*
 * Applies rules to packets, in the netfilter hook functions of IPv4 and IPv6.
 *
 * Rules do not apply to packets that the host sends to itself; a large part of this file
 * detects these packets. README.md describes how packets pass the hooks of a VRF. For
 * most packets that a member of a VRF receives, the VRF is the input device at input and
 * forward.
 *
 * The source and destination addresses are in the fixed part of the IPv4 and IPv6
 * headers, so extension headers and fragments make no difference.
 */
#include <linux/etherdevice.h>
#include <linux/if_arp.h>
#include <linux/netdevice.h>
#include <linux/netfilter_ipv4.h>
#include <linux/netfilter_ipv6.h>
#include <net/ip.h>
#include <net/ip6_fib.h>
#include <net/xfrm.h>

#include "net/nf_hook.h"

static_assert((int)KCUCKOO_HOOK_PREROUTING == NF_INET_PRE_ROUTING);
static_assert((int)KCUCKOO_HOOK_INPUT == NF_INET_LOCAL_IN);
static_assert((int)KCUCKOO_HOOK_FORWARD == NF_INET_FORWARD);
static_assert((int)KCUCKOO_HOOK_OUTPUT == NF_INET_LOCAL_OUT);

/*
 * Returns true if IPsec decapsulated this packet from an outer packet. Transport mode
 * does not do this. The kernel then handles the inner packet as if a device had received
 * this packet: the IPsec interface if one exists, else the device that received the
 * outer packet. If that device is a member of a VRF, the kernel uses the VRF instead of
 * the device. So the iif of the inner packet (IPCB(skb)->iif or IP6CB(skb)->iif, the
 * index of the input device) is the VRF. A packet that the host sent to itself also has
 * the VRF as iif, so the iif does not show which host sent the inner packet.
 */
static bool kcuckoo_hook_decapsulated(const struct sk_buff *skb)
{
	const struct sec_path *path = skb_sec_path(skb);

	return path && path->len &&
	       path->xvec[path->len - 1]->props.mode != XFRM_MODE_TRANSPORT;
}

/*
 * Returns true if a packet at the input hook, with a VRF as input device, is the
 * kernel's copy of a multicast or broadcast packet that the host sent itself. @iif is
 * IPCB(skb)->iif or IP6CB(skb)->iif. For such a copy, @iif is the member of the VRF
 * through which the host sent the packet. The packet type does not identify a copy,
 * because a VRF replaces PACKET_LOOPBACK by PACKET_HOST before input. A copy has no
 * link header, but each packet that an Ethernet device received has a link header.
 * Devices of other types can receive packets without a link header. So a copy can be
 * detected only if the host sent the packet through an Ethernet device. dev->type alone
 * does not identify an Ethernet device: a process can set the type of a tun device to
 * Ethernet (TUNSETLINK). A process cannot set hard_header_len.
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
 * Returns true if the host sent an IPv6 packet to itself. The caller has checked that
 * the packet is at the input hook and that the input device is a VRF. For a packet of the
 * host, the kernel sets IP6CB(skb)->iif to the device that has the destination address, as
 * if that device had received the packet. So the iif alone does not identify a packet of
 * the host. A packet of the host also has the link address of the VRF as source and as
 * destination, and holds a reference to its route (!skb_dst_is_noref()). Of the packets that
 * a device received, only three kinds hold such a reference. The function checks the iif and
 * the link header because of these kinds:
 * - Packets that SRv6 passes to the VRF (End.DT6). These packets have no link header,
 *   unless a process captures packets on the VRF: then the VRF adds a link header with its
 *   own address as source and destination. The iif of such a packet is the device that
 *   received the outer packet.
 * - Packets for link-local or multicast addresses, whose route the VRF looks up. Their
 *   destination link address is that of the member or of a group, not that of the VRF.
 * - Packets that IPsec decrypted in transport mode. An attacker can forge their link
 *   addresses. If such a packet is for an address of the VRF, its iif is the member, which
 *   is not the device that has the address.
 */
static bool kcuckoo_hook_vrf_ipv6(const struct sk_buff *skb,
				  const struct net_device *vrf)
{
	const struct inet6_dev *idev;

	if (!skb_mac_header_was_set(skb) || skb->mac_len != ETH_HLEN ||
	    skb_dst_is_noref(skb))
		return false;
	idev = ip6_dst_idev(skb_dst(skb));
	if (!idev || IP6CB(skb)->iif != idev->dev->ifindex)
		return false;
	return ether_addr_equal(eth_hdr(skb)->h_dest, vrf->dev_addr) &&
	       ether_addr_equal(eth_hdr(skb)->h_source, vrf->dev_addr);
}

/*
 * Returns true if the host sent this packet to itself. The caller has checked that the
 * input device is a VRF. For packets that a member of the VRF received, iif is the
 * member. The VRF is the iif only of packets that the host sent, of packets of other hosts
 * that the kernel sends through the VRF (kcuckoo_hook_loopback()), and of packets that
 * IPsec decapsulated. At the input hook, some packets that the host sent have another
 * iif; kcuckoo_hook_vrf_copy() and kcuckoo_hook_vrf_ipv6() detect these packets.
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
 * Returns true if rules do not apply to this packet, because the host sent it to itself.
 *
 * At prerouting and input the result is true if the input device is a loopback device,
 * if the type of the packet is PACKET_LOOPBACK, which only the kernel sets, or if the
 * input device is a VRF and kcuckoo_hook_vrf_loopback() returns true. Three kinds of
 * packets that another host can have sent cannot be distinguished from packets that the
 * host sent to itself. The result is true for these kinds, so rules do not apply to
 * these packets:
 * - A packet that an MPLS label, or a route of another routing table, passes to a VRF,
 *   if the packet is for an address of the VRF. The kernel sends such a packet through
 *   the VRF like a packet of the host.
 * - The copy of a packet that multicast routing forwards to a device, if the host
 *   receives the group on that device.
 * - At input: an IPv6 packet that SRv6 passes to a VRF while a process captures packets on
 *   the VRF, if the packet is for an address of the device that received the outer packet.
 *
 * Before Linux 6.10, SRv6 (End.DX4 and End.DX6) calls prerouting without an input device,
 * and passes the device of the inner packet as output device instead. Another host has
 * sent such a packet, so the result is false.
 *
 * At forward: the packet leaves the host, so the result is false.
 *
 * At output the result is true if the output device is a loopback device or a VRF. A
 * packet that is sent through a VRF either comes back to the VRF, or passes output a
 * second time, with the device by which the packet leaves. Rules apply only the second
 * time, so rules count the packet at most once.
 */
static noinline bool kcuckoo_hook_loopback(const struct sk_buff *skb,
					   const struct nf_hook_state *state)
{
	switch (state->hook) {
	case NF_INET_PRE_ROUTING:
	case NF_INET_LOCAL_IN:
		if (skb->pkt_type == PACKET_LOOPBACK)
			return true;
		return state->in &&
		       (state->in->flags & IFF_LOOPBACK ||
			(netif_is_l3_master(state->in) &&
			 kcuckoo_hook_vrf_loopback(skb, state)));
	case NF_INET_LOCAL_OUT:
		return state->out->flags & IFF_LOOPBACK ||
		       netif_is_l3_master(state->out);
	default:
		return false;
	}
}

/*
 * A packet that is too short for the fixed part of the header has no addresses that a
 * rule could match.
 */
static noinline unsigned int
kcuckoo_hook_slow(const struct kcuckoo_rule_set *set, struct sk_buff *skb,
		  const struct nf_hook_state *state, unsigned int family)
{
	struct kcuckoo_packet packet = { .family = family };
	unsigned int size = family == KCUCKOO_FAMILY_IPV4 ?
			    sizeof(struct iphdr) : sizeof(struct ipv6hdr);
	union kcuckoo_header buf;

	packet.length = skb->len;
	packet.header = skb_header_pointer(skb, skb_network_offset(skb), size,
					   &buf);
	return packet.header ? kcuckoo_hook_verdict(set, skb, state, &packet) :
			       NF_ACCEPT;
}

/*
 * At these hooks the fixed part of the IPv4 header is in the linear part of the packet;
 * all of the kernel's IPv4 code relies on this.
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
		return kcuckoo_hook_slow(set, skb, state, KCUCKOO_FAMILY_IPV4);
	kcuckoo_rule_count(drop, skb->len);
	return NF_DROP;
}

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
	return kcuckoo_hook_slow(set, skb, state, KCUCKOO_FAMILY_IPV6);
}

/*
 * The operations of one hook by family: element 0 is IPv4 and element 1 is IPv6, in the
 * order of the bits of KCUCKOO_FAMILY_*.
 */
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
 * The priorities at which the hook functions run. At prerouting and output the hook
 * functions run before IP defragmentation, so that fragments that a rule drops take no
 * memory. At these two hooks they also run before connection tracking and before the raw
 * tables of iptables and nftables. At input and forward they run before the filter
 * tables. The rules of all these tables must see the marks that these hook functions
 * set.
 *
 * With equal priorities, the hook function that was registered last would run first. So
 * these priorities are one less than the priority of the filter tables, or of the
 * earliest raw table: NF_IP_PRI_RAW_BEFORE_DEFRAG is -450, and defragmentation has -400.
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
