// SPDX-License-Identifier: GPL-2.0-only
/*
 * This XDP program drops or counts packets whose address is in a filter. The command
 * (../cli/rules/xdp.c) loads the program for each rule of hook xdp.
 *
 * Each device with such a rule has its own copy of the program, with the rule as a
 * constant. The program looks up addresses by the id of a slot, the module's object for
 * a name. So the program uses the filter that has the name at present, even after two
 * filters were swapped.
 */
#include <linux/bpf.h>
#include <linux/errno.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/kcuckoo.h>
#include <linux/ppp_defs.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "xdp.h"

/*
 * Maximum number of VLAN tags of a frame, including tags of VLAN 0. The module
 * has the same limit in kmod/net/nf_ingress.c.
 */
#define TAGS_MAX	8

/*
 * Maximum value of the length field in an IP header, in bytes. A packet that the
 * kernel has merged from several segments can have more bytes.
 */
#define LENGTH_MAX	65535

/*
 * The bytes of a frame after the type of a VLAN tag: the control information of the tag,
 * and the protocol that follows the tag. The headers of the kernel for userspace lack
 * this structure.
 */
struct vlan_tag {
	__be16 control;
	__be16 protocol;
};

/*
 * The headers of a packet in a PPPoE session: PPPoE (RFC 2516), and the
 * protocol of PPP.
 */
struct pppoe {
	__u8 version_type;
	__u8 code;
	__be16 session;
	__be16 length;
	__be16 protocol;
};

/* Value of @version_type: version 1 and type 1. In packets of a session, @code is 0. */
#define PPPOE_VERSION_TYPE	0x11

/* The rule, which the command sets before it loads the program. */
const volatile struct xdp_rule rule;

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct xdp_count);
} kcuckoo_count SEC(".maps");

extern int bpf_xdp_kcuckoo_contains(struct xdp_md *ctx, __u32 slot_id,
				    const void *key, __u32 key__sz) __ksym;
extern int bpf_xdp_kcuckoo_ethernet(struct xdp_md *ctx) __ksym;

/*
 * Return: 1 if the slot has a filter of addresses, otherwise 0. A name without a filter
 * can later get a filter of byte strings, in which a look-up of an address looks up the
 * bytes of the address as a byte string. To detect such a filter, look up a key of one
 * byte: only a filter of addresses rejects it with EINVAL. The caller has already looked up
 * the address in a filter of this slot. Both look-ups use filters of the same type,
 * because the filter of a slot in use can only be replaced by a filter of the same type.
 */
static __always_inline int of_addresses(struct xdp_md *ctx, __u32 slot,
					const void *key)
{
	return bpf_xdp_kcuckoo_contains(ctx, slot, key, 1) == -EINVAL;
}

/*
 * Return: 1 if the address that the rule compares, of @size bytes, is in the filter and
 * not in the allow filter; otherwise 0, also if a filter is missing or a look-up fails.
 * The last look-up repeats the first: the comment of kcuckoo_verdict_not_allowed() in
 * kmod/net/verdict.c gives the reason.
 */
static __always_inline int listed(struct xdp_md *ctx, const void *source,
				  const void *destination, __u32 size)
{
	__u8 key[16];

	__builtin_memcpy(key, rule.match == KCUCKOO_MATCH_SRC ? source :
			 destination, size);
	return bpf_xdp_kcuckoo_contains(ctx, rule.slot, key, size) == 1 &&
	       of_addresses(ctx, rule.slot, key) &&
	       (!rule.allow ||
		(!bpf_xdp_kcuckoo_contains(ctx, rule.allow, key, size) &&
		 of_addresses(ctx, rule.allow, key) &&
		 bpf_xdp_kcuckoo_contains(ctx, rule.slot, key, size) == 1));
}

static __always_inline __u32 offset_of(struct xdp_md *ctx, const void *start)
{
	long offset = start - (const void *)(long)ctx->data;

	/*
	 * The verifier supports the difference of two pointers, but not an
	 * expression with several differences. barrier_var() keeps the compiler
	 * from combining this difference with others.
	 */
	barrier_var(offset);
	return offset;
}

static __always_inline __u32 bytes_from(struct xdp_md *ctx, const void *start)
{
	return bpf_xdp_get_buff_len(ctx) - offset_of(ctx, start);
}

/*
 * A program can access directly only the first part of a frame, which ends at @end. With
 * some drivers this part is empty, or ends within the headers. If the @size bytes at
 * @start are not in this part, copy them to @buf. Return: the address of the bytes, or
 * NULL if the frame is too short.
 */
static __always_inline const void *header_at(struct xdp_md *ctx,
					     const void *start, const void *end,
					     void *buf, __u32 size)
{
	if (start + size <= end)
		return start;
	return bpf_xdp_load_bytes(ctx, offset_of(ctx, start), buf, size) ?
	       NULL : buf;
}

/*
 * Return: the number of bytes of the packet if its address is listed, otherwise 0.
 * Packets with an invalid version or length count as not listed, as in
 * kcuckoo_ingress_ipv4() of the module, because the IPv4 layer of the kernel rejects
 * them.
 */
static __always_inline __u32 ipv4_listed(struct xdp_md *ctx, const void *start,
					 const void *end)
{
	const struct iphdr *header;
	__u32 length, rest;
	struct iphdr buf;

	if (!(rule.family & KCUCKOO_FAMILY_IPV4))
		return 0;
	header = header_at(ctx, start, end, &buf, sizeof(buf));
	if (!header || header->version != 4 || header->ihl < 5 ||
	    !listed(ctx, &header->saddr, &header->daddr, 4))
		return 0;
	rest = bytes_from(ctx, start);
	length = bpf_ntohs(header->tot_len);
	if (!length && rest > LENGTH_MAX)
		length = rest;
	return length >= header->ihl * 4 && length <= rest ? length : 0;
}

static __always_inline __u32 ipv6_listed(struct xdp_md *ctx, const void *start,
					 const void *end)
{
	const struct ipv6hdr *header;
	__u32 length, rest;
	struct ipv6hdr buf;

	if (!(rule.family & KCUCKOO_FAMILY_IPV6))
		return 0;
	header = header_at(ctx, start, end, &buf, sizeof(buf));
	if (!header || header->version != 6 ||
	    !listed(ctx, &header->saddr, &header->daddr, 16))
		return 0;
	rest = bytes_from(ctx, start);
	length = bpf_ntohs(header->payload_len);
	/*
	 * The payload length is 0 if the packet is longer than LENGTH_MAX: a jumbo
	 * payload (RFC 2675), or a packet that the kernel has merged from several
	 * segments. Use the length of the frame instead.
	 */
	if (!length && (header->nexthdr == IPPROTO_HOPOPTS ||
			rest > sizeof(*header) + LENGTH_MAX))
		return rest;
	length += sizeof(*header);
	return length <= rest ? length : 0;
}

static __always_inline int is_tag(__be16 protocol)
{
	return protocol == bpf_htons(ETH_P_8021Q) ||
	       protocol == bpf_htons(ETH_P_8021AD);
}

/*
 * Set @start to the end of the VLAN tags. @protocol: the protocol in the Ethernet
 * header. Return: the protocol after the tags; the protocol of a VLAN tag if the frame
 * has more than TAGS_MAX tags; or 0 if a tag is truncated.
 */
static __always_inline __be16 skip_tags(struct xdp_md *ctx, __be16 protocol,
					const void **start, const void *end)
{
	const struct vlan_tag *tag;
	struct vlan_tag buf;
	int i;

	for (i = 0; i < TAGS_MAX && is_tag(protocol); i++) {
		tag = header_at(ctx, *start, end, &buf, sizeof(buf));
		if (!tag)
			return 0;
		protocol = tag->protocol;
		*start += sizeof(buf);
	}
	return protocol;
}

/*
 * Set @start to the end of the PPPoE header. Return: ETH_P_IP or ETH_P_IPV6 in network
 * byte order, or 0 if the frame is not an IP packet of a session.
 */
static __always_inline __be16 skip_pppoe(struct xdp_md *ctx, const void **start,
					 const void *end)
{
	const struct pppoe *header;
	struct pppoe buf;

	header = header_at(ctx, *start, end, &buf, sizeof(buf));
	if (!header || header->version_type != PPPOE_VERSION_TYPE ||
	    header->code)
		return 0;
	*start += sizeof(buf);
	if (header->protocol == bpf_htons(PPP_IP))
		return bpf_htons(ETH_P_IP);
	return header->protocol == bpf_htons(PPP_IPV6) ?
	       bpf_htons(ETH_P_IPV6) : 0;
}

static __always_inline void count(__u32 bytes)
{
	struct xdp_count *mine;
	__u32 zero = 0;

	mine = bpf_map_lookup_elem(&kcuckoo_count, &zero);
	if (!mine)
		return;
	mine->packets++;
	mine->bytes += bytes;
}

SEC("xdp.frags")
int kcuckoo_xdp(struct xdp_md *ctx)
{
	const void *end = (const void *)(long)ctx->data_end;
	const void *start = (const void *)(long)ctx->data;
	const struct ethhdr *ethernet;
	struct ethhdr buf;
	__be16 protocol;
	__u32 bytes = 0;

	ethernet = header_at(ctx, start, end, &buf, sizeof(buf));
	if (!ethernet)
		return XDP_PASS;
	start += sizeof(buf);
	protocol = skip_tags(ctx, ethernet->h_proto, &start, end);
	if (protocol == bpf_htons(ETH_P_PPP_SES))
		protocol = skip_pppoe(ctx, &start, end);
	if (protocol == bpf_htons(ETH_P_IP))
		bytes = ipv4_listed(ctx, start, end);
	else if (protocol == bpf_htons(ETH_P_IPV6))
		bytes = ipv6_listed(ctx, start, end);
	/*
	 * Check last that the frame has an Ethernet header, because only packets with a
	 * listed address need this check.
	 */
	if (!bytes || !bpf_xdp_kcuckoo_ethernet(ctx))
		return XDP_PASS;
	count(bytes);
	return rule.action == KCUCKOO_ACTION_DROP ? XDP_DROP : XDP_PASS;
}

/* The verifier allows only programs under the GPL to call functions of a module. */
char program_license[] SEC("license") = "GPL";
