// SPDX-License-Identifier: GPL-2.0-only
/*
 * Applies rules to packets that a device receives, in the netfilter hook function of
 * device ingress.
 *
 * The hook function runs before the kernel's IPv4 or IPv6 code has checked the packet,
 * so no field of a header can be trusted.
 */
#include <linux/if_vlan.h>
#include <linux/netdevice.h>
#include <linux/netfilter_ipv4.h>
#include <linux/ppp_defs.h>
#include <net/ipv6.h>

#include "net/nf_hook.h"

/*
 * Maximum number of VLAN tags of a packet, including tags of VLAN 0. A packet with more
 * tags passes. The number equals VLAN_MAX_DEPTH of the kernel, which parses no more tags
 * either. userspace/bpf/xdp.c has the same limit.
 */
#define KCUCKOO_INGRESS_TAGS	8

/*
 * The PPPoE header (RFC 2516) of a session packet, and the protocol field of the PPP
 * header after it. userspace/bpf/xdp.c has the same structure.
 */
struct kcuckoo_pppoe {
	u8 version_type;
	u8 code;
	__be16 session;
	__be16 length;
	__be16 protocol;
};

/*
 * The field version_type for version 1 and type 1. RFC 2516 defines no other version or
 * type. In a session packet the field code is 0.
 */
#define KCUCKOO_PPPOE_VERSION_TYPE	0x11

/*
 * A tag that the device or the kernel has moved from the packet to the fields of @skb
 * counts as well.
 */
static bool kcuckoo_ingress_tags(const struct sk_buff *skb, __be16 *type,
				 int *offset)
{
	unsigned int tags = !!skb_vlan_tag_present(skb);
	const struct vlan_hdr *tag;
	struct vlan_hdr buf;

	*type = skb->protocol;
	*offset = skb_network_offset(skb);
	for (; eth_type_vlan(*type); tags++) {
		if (tags == KCUCKOO_INGRESS_TAGS)
			return false;
		tag = skb_header_pointer(skb, *offset, sizeof(buf), &buf);
		if (!tag)
			return false;
		*type = tag->h_vlan_encapsulated_proto;
		*offset += VLAN_HLEN;
	}
	return true;
}

static bool kcuckoo_ingress_pppoe(const struct sk_buff *skb, __be16 *type,
				  int *offset)
{
	const struct kcuckoo_pppoe *header;
	struct kcuckoo_pppoe buf;

	header = skb_header_pointer(skb, *offset, sizeof(buf), &buf);
	if (!header || header->version_type != KCUCKOO_PPPOE_VERSION_TYPE ||
	    header->code)
		return false;
	if (header->protocol == htons(PPP_IP))
		*type = htons(ETH_P_IP);
	else if (header->protocol == htons(PPP_IPV6))
		*type = htons(ETH_P_IPV6);
	else
		return false;
	*offset += sizeof(*header);
	return true;
}

static bool kcuckoo_ingress_type(const struct sk_buff *skb, __be16 *type,
				 int *offset)
{
	return kcuckoo_ingress_tags(skb, type, offset) &&
	       (*type != htons(ETH_P_PPP_SES) ||
		kcuckoo_ingress_pppoe(skb, type, offset));
}

/*
 * Returns the length of an IPv4 packet in bytes, or 0 if its header is not valid. @rest
 * is the number of bytes from the header to the end of @skb.
 */
static u32 kcuckoo_ingress_ipv4(const struct sk_buff *skb,
				const struct iphdr *header, u32 rest)
{
	u32 length;

	if (header->version != 4 || header->ihl < 5)
		return 0;
	length = ntohs(header->tot_len);
	/*
	 * A packet of merged segments (GSO) can be too long for the 16 bits of tot_len;
	 * tot_len is then 0.
	 */
	if (!length && skb_is_gso(skb))
		length = rest;
	return length >= header->ihl * 4 && length <= rest ? length : 0;
}

static u32 kcuckoo_ingress_ipv6(const struct sk_buff *skb,
				const struct ipv6hdr *header, u32 rest)
{
	u32 length = ntohs(header->payload_len);

	if (header->version != 6)
		return 0;
	/* payload_len is 0 for jumbo payloads, and can be 0 for merged segments. */
	if (!length && (header->nexthdr == NEXTHDR_HOP || skb_is_gso(skb)))
		return rest;
	length += sizeof(*header);
	return length <= rest ? length : 0;
}

/*
 * Sets the family, the header and the length of @packet, which the caller has zeroed.
 * Returns false if there is no valid IP header.
 */
static bool kcuckoo_ingress_packet(const struct sk_buff *skb,
				   union kcuckoo_header *buf,
				   struct kcuckoo_packet *packet)
{
	__be16 type;
	int offset;

	if (!kcuckoo_ingress_type(skb, &type, &offset))
		return false;
	if (type == htons(ETH_P_IP)) {
		packet->family = KCUCKOO_FAMILY_IPV4;
		packet->header = skb_header_pointer(skb, offset,
						    sizeof(buf->ipv4), buf);
		if (packet->header)
			packet->length = kcuckoo_ingress_ipv4(skb, packet->header,
							      skb->len - offset);
	} else if (type == htons(ETH_P_IPV6)) {
		packet->family = KCUCKOO_FAMILY_IPV6;
		packet->header = skb_header_pointer(skb, offset,
						    sizeof(buf->ipv6), buf);
		if (packet->header)
			packet->length = kcuckoo_ingress_ipv6(skb, packet->header,
							      skb->len - offset);
	}
	return packet->length;
}

static enum kcuckoo_verdict
kcuckoo_ingress_verdict_fast(const struct kcuckoo_rule_set *set,
			     const struct kcuckoo_packet *packet,
			     const struct kcuckoo_rule_entry **drop)
{
	return packet->family == KCUCKOO_FAMILY_IPV4 ?
	       kcuckoo_verdict_ipv4(set, packet->header, drop) :
	       kcuckoo_verdict_ipv6(set);
}

static unsigned int kcuckoo_ingress(void *priv, struct sk_buff *skb,
				    const struct nf_hook_state *state)
{
	const struct kcuckoo_hook_point *point = priv;
	const struct kcuckoo_rule_entry *drop;
	const struct kcuckoo_rule_set *set;
	struct kcuckoo_packet packet = {};
	enum kcuckoo_verdict verdict;
	union kcuckoo_header buf;

	set = rcu_dereference(point->rules);
	if (!set || !kcuckoo_ingress_packet(skb, &buf, &packet))
		return NF_ACCEPT;
	verdict = kcuckoo_ingress_verdict_fast(set, &packet, &drop);
	/*
	 * A packet of type PACKET_LOOPBACK is a copy of a multicast or broadcast packet
	 * that the host sent, so rules do not apply to this packet.
	 */
	if (verdict == KCUCKOO_VERDICT_PASS ||
	    skb->pkt_type == PACKET_LOOPBACK)
		return NF_ACCEPT;
	if (verdict == KCUCKOO_VERDICT_SLOW)
		return kcuckoo_hook_verdict(set, skb, state, &packet);
	kcuckoo_rule_count(drop, packet.length);
	return NF_DROP;
}

/*
 * kcuckoo_hook_ops has the same priority at prerouting. Flowtables with a larger
 * priority, for instance 0, run later.
 */
const struct nf_hook_ops kcuckoo_ingress_ops = {
	.hook = kcuckoo_ingress,
	.pf = NFPROTO_NETDEV,
	.hooknum = NF_NETDEV_INGRESS,
	.priority = NF_IP_PRI_RAW_BEFORE_DEFRAG - 1,
};
