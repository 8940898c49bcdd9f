// SPDX-License-Identifier: GPL-2.0-only
/*
 * Drops what comes from an address in a filter; tc.c has it on devices.
 */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/pkt_cls.h>
#include <stddef.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

/* Set before it is loaded. */
const volatile __u32 slot;

__u64 dropped;

extern int bpf_skb_kcuckoo_contains(struct __sk_buff *ctx, __u32 slot_id,
				    const void *key, __u32 key__sz) __ksym;

static __always_inline int listed(struct __sk_buff *ctx, __u32 offset, __u32 size)
{
	__u8 key[16];

	return !bpf_skb_load_bytes(ctx, ETH_HLEN + offset, key, size) &&
	       bpf_skb_kcuckoo_contains(ctx, slot, key, size) == 1;
}

SEC("tc")
int drop_listed(struct __sk_buff *ctx)
{
	int hit = 0;

	if (ctx->protocol == bpf_htons(ETH_P_IP))
		hit = listed(ctx, offsetof(struct iphdr, saddr), 4);
	else if (ctx->protocol == bpf_htons(ETH_P_IPV6))
		hit = listed(ctx, offsetof(struct ipv6hdr, saddr), 16);
	if (!hit)
		return TC_ACT_OK;
	__sync_fetch_and_add(&dropped, 1);
	return TC_ACT_SHOT;
}

char program_license[] SEC("license") = "GPL";
