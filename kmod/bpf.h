/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declares the functions of bpf.c: kernel functions for BPF programs, and their
 * registration.
 */
#ifndef _KCUCKOO_BPF_H
#define _KCUCKOO_BPF_H

#include <linux/types.h>

struct __sk_buff;
struct xdp_md;

int bpf_xdp_kcuckoo_contains(struct xdp_md *ctx, u32 slot_id, const void *key,
			     u32 key__sz);
int bpf_xdp_kcuckoo_ethernet(struct xdp_md *ctx);
int bpf_skb_kcuckoo_contains(struct __sk_buff *ctx, u32 slot_id,
			     const void *key, u32 key__sz);

#ifdef KCUCKOO_HAS_KFUNCS
int kcuckoo_bpf_init(void);
#else
static inline int kcuckoo_bpf_init(void)
{
	return 0;
}
#endif

#endif /* _KCUCKOO_BPF_H */
