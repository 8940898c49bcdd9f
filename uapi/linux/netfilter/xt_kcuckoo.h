/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * kcuckoo: the iptables match "kcuckoo" and the target "KCUCKOO"
 *
 * The layout is the same for 32-bit and 64-bit programs. What stands behind the
 * last comment of a structure belongs to the kernel; programs leave it zero.
 */
#ifndef _UAPI_LINUX_NETFILTER_XT_KCUCKOO_H
#define _UAPI_LINUX_NETFILTER_XT_KCUCKOO_H

#include <linux/kcuckoo.h>
#include <linux/types.h>

struct kcuckoo_slot;

/* @flags of both. */
/* The destination address, not the source. */
#define XT_KCUCKOO_DST		(1U << 0)

/* @flags of the match. */
/* Match addresses that are not in the filter. */
#define XT_KCUCKOO_INVERT	(1U << 1)

/**
 * struct xt_kcuckoo_mtinfo - is an address of the packet in a filter?
 * @name: name of the filter, as in <linux/kcuckoo.h>. As long as no filter of
 *	addresses has it, nothing matches, inverted or not
 * @flags: XT_KCUCKOO_DST, XT_KCUCKOO_INVERT
 * @reserved: zero
 * @slot: the kernel's
 */
struct xt_kcuckoo_mtinfo {
	__u8 name[KCUCKOO_NAME_SIZE];
	__u32 flags;
	__u32 reserved;
	/* The kernel's. */
	struct kcuckoo_slot *slot __attribute__((aligned(8)));
};

/* @flags of the target; one of the first two. */
#define XT_KCUCKOO_ADD		(1U << 1)
#define XT_KCUCKOO_DEL		(1U << 2)
/* @timeout is given; without, that of the filter counts. */
#define XT_KCUCKOO_TIMEOUT	(1U << 3)

/* Members that a rule may add or renew per second unless it says otherwise. */
#define XT_KCUCKOO_LIMIT_DEFAULT	1000
#define XT_KCUCKOO_LIMIT_MAX		1000000

struct xt_kcuckoo_adder;

/**
 * struct xt_kcuckoo_tginfo - add or delete an address of the packet
 * @name: name of the filter; nothing happens as long as none has it, or one that
 *	packets cannot add to
 * @flags: XT_KCUCKOO_ADD or XT_KCUCKOO_DEL, XT_KCUCKOO_DST, XT_KCUCKOO_TIMEOUT
 * @timeout: seconds until the address expires, up to KCUCKOO_TIMEOUT_MAX; 0 for
 *	never. Zero without XT_KCUCKOO_TIMEOUT
 * @limit: members that may be added or renewed per second, up to
 *	XT_KCUCKOO_LIMIT_MAX; with XT_KCUCKOO_DEL zero
 * @reserved: zero
 * @adder: the kernel's
 */
struct xt_kcuckoo_tginfo {
	__u8 name[KCUCKOO_NAME_SIZE];
	__u32 flags;
	__u32 timeout;
	__u32 limit;
	__u32 reserved;
	/* The kernel's. */
	struct xt_kcuckoo_adder *adder __attribute__((aligned(8)));
};

#endif /* _UAPI_LINUX_NETFILTER_XT_KCUCKOO_H */
