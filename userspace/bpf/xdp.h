/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header has the types that the XDP program (xdp.c) and the command
 * (../cli/rules/xdp.c) share.
 */
#ifndef KCUCKOO_BPF_XDP_H
#define KCUCKOO_BPF_XDP_H

#include <linux/types.h>

/* Name of the program, by which the command recognizes it. */
#define XDP_PROGRAM	"kcuckoo_xdp"

/*
 * Value of @magic of a rule. The value changes with each change of struct xdp_rule. For
 * the command, a program with another value is a program of another tool.
 */
#define XDP_MAGIC	0x6b637801

/*
 * Bits of @kept of a rule: for the slot of the filter, and for the slot of the allow
 * filter.
 */
#define XDP_KEPT_NAME	1
#define XDP_KEPT_ALLOW	2

/**
 * struct xdp_rule - the rule of an XDP program, constant after the program is loaded
 * @magic: XDP_MAGIC
 * @slot: id of the slot of the filter
 * @allow: id of the slot of the allow filter, or 0 if the rule has no allow filter
 * @family: KCUCKOO_FAMILY_*
 * @match: enum kcuckoo_match
 * @action: KCUCKOO_ACTION_DROP or KCUCKOO_ACTION_COUNT
 * @kept: XDP_KEPT_* of the slots that the device already had when the rule was attached,
 *	for example for another program. The device keeps these slots when the rule is
 *	detached
 * @name: name of the filter, for lists of rules
 * @allow_name: name of the allow filter, or empty, for lists of rules
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
 * struct xdp_count - counters of the packets that match the rule, one structure per CPU
 * @packets: number of packets
 * @bytes: number of bytes of these packets, from the IP header on
 */
struct xdp_count {
	__u64 packets;
	__u64 bytes;
};

#endif /* KCUCKOO_BPF_XDP_H */
