/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the XDP program and the command that loads it agree upon.
 */
#ifndef KCUCKOO_BPF_XDP_H
#define KCUCKOO_BPF_XDP_H

#include <linux/types.h>

/* Name of the program, by which it is found again. */
#define XDP_PROGRAM	"kcuckoo_xdp"

/* It begins the rule; another structure gets another one. */
#define XDP_MAGIC	0x6b637801

/* Bits of xdp_rule.kept: of the filter's name, and of that of the spared. */
#define XDP_KEPT_NAME	1
#define XDP_KEPT_ALLOW	2

/**
 * struct xdp_rule - what the program does; constant once it is loaded
 * @magic: XDP_MAGIC
 * @slot: number of the filter's name
 * @allow: number of the name of the filter of what is spared, or 0
 * @family: KCUCKOO_FAMILY_*
 * @match: enum kcuckoo_match
 * @action: KCUCKOO_ACTION_DROP or KCUCKOO_ACTION_COUNT
 * @kept: XDP_KEPT_* of names that the device held before, for others
 * @name: the filter's name, for people
 * @allow_name: that of the other one
 */
struct xdp_rule {
	__u32 magic;
	__u32 slot;
	__u32 allow;
	__u8 family;
	__u8 match;
	__u8 action;
	__u8 kept;
	__u8 name[32];
	__u8 allow_name[32];
};

/**
 * struct xdp_count - what the program has matched, per CPU
 * @packets: packets
 * @bytes: their bytes, those of the IP packets
 */
struct xdp_count {
	__u64 packets;
	__u64 bytes;
};

#endif /* KCUCKOO_BPF_XDP_H */
