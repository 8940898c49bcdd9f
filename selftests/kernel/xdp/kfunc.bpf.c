// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs that ask for one key and keep the answer; kfunc.c says which, and whether
 * those are loaded that have it from a map and do not look whether it is there.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

/* Set before they are loaded, so that the verifier knows the size. */
const volatile __u32 slot;
const volatile __u32 size;

__u8 key[64];
int answer = 1000;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u8[16]);
} keys SEC(".maps");

extern int bpf_xdp_kcuckoo_contains(struct xdp_md *ctx, __u32 slot_id,
				    const void *key, __u32 key__sz) __ksym;
extern int bpf_skb_kcuckoo_contains(struct __sk_buff *ctx, __u32 slot_id,
				    const void *key, __u32 key__sz) __ksym;

extern int bpf_xdp_kcuckoo_ethernet(struct xdp_md *ctx) __ksym;

SEC("xdp")
int ask_xdp(struct xdp_md *ctx)
{
	answer = bpf_xdp_kcuckoo_contains(ctx, slot, key, size);
	return XDP_PASS;
}

SEC("tc")
int ask_tc(struct __sk_buff *ctx)
{
	answer = bpf_skb_kcuckoo_contains(ctx, slot, key, size);
	return 0;
}

SEC("?xdp")
int ask_ethernet(struct xdp_md *ctx)
{
	answer = bpf_xdp_kcuckoo_ethernet(ctx);
	return XDP_PASS;
}

SEC("?xdp")
int ask_map_xdp(struct xdp_md *ctx)
{
	__u32 zero = 0;

	answer = bpf_xdp_kcuckoo_contains(ctx, slot, bpf_map_lookup_elem(&keys, &zero),
					  size);
	return XDP_PASS;
}

SEC("?tc")
int ask_map_tc(struct __sk_buff *ctx)
{
	__u32 zero = 0;

	answer = bpf_skb_kcuckoo_contains(ctx, slot, bpf_map_lookup_elem(&keys, &zero),
					  size);
	return 0;
}

char program_license[] SEC("license") = "GPL";
