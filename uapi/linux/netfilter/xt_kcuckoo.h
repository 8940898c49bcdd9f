/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * kcuckoo: defines the arguments of the iptables match "kcuckoo" and of the
 * iptables target "KCUCKOO"
 *
 * The iptables plugins pass these structures to the kernel. The layout is the
 * same for 32-bit and 64-bit programs. The last field of each structure belongs
 * to the kernel; programs leave it zero.
 */
#ifndef _UAPI_LINUX_NETFILTER_XT_KCUCKOO_H
#define _UAPI_LINUX_NETFILTER_XT_KCUCKOO_H

#include <linux/kcuckoo.h>
#include <linux/types.h>

struct kcuckoo_slot;

/* @flags of the match and of the target. */
/* Use the destination address instead of the source address. */
#define XT_KCUCKOO_DST		(1U << 0)

/* @flags of the match. */
/* Match addresses that are not in the filter. */
#define XT_KCUCKOO_INVERT	(1U << 1)

/**
 * struct xt_kcuckoo_mtinfo - match packets whose address is in a filter
 * @name: name of the filter, as in <linux/kcuckoo.h>. While no filter of
 *	addresses has the name, the rule matches no packet, with or without
 *	XT_KCUCKOO_INVERT
 * @flags: XT_KCUCKOO_DST, XT_KCUCKOO_INVERT
 * @reserved: zero
 * @slot: used by the kernel
 */
struct xt_kcuckoo_mtinfo {
	__u8 name[KCUCKOO_NAME_SIZE];
	__u32 flags;
	__u32 reserved;
	struct kcuckoo_slot *slot __attribute__((aligned(8)));
};

/* @flags of the target: exactly one of XT_KCUCKOO_ADD and XT_KCUCKOO_DEL. */
#define XT_KCUCKOO_ADD		(1U << 1)
#define XT_KCUCKOO_DEL		(1U << 2)
/* Use @timeout. Otherwise addresses get the default timeout of the filter. */
#define XT_KCUCKOO_TIMEOUT	(1U << 3)

/* Default and maximum of @limit, in adds and renewals per second. */
#define XT_KCUCKOO_LIMIT_DEFAULT	1000
#define XT_KCUCKOO_LIMIT_MAX		1000000

struct xt_kcuckoo_adder;

/**
 * struct xt_kcuckoo_tginfo - add or delete an address of the packet
 * @name: name of the filter. While no filter has the name, or its filter
 *	does not accept this change by packets, the target does nothing
 * @flags: XT_KCUCKOO_ADD or XT_KCUCKOO_DEL, XT_KCUCKOO_DST, XT_KCUCKOO_TIMEOUT
 * @timeout: seconds until the address expires, up to KCUCKOO_TIMEOUT_MAX; 0 for
 *	never. Zero without XT_KCUCKOO_TIMEOUT
 * @limit: maximum number of times per second that the rule adds an address or
 *	renews a timeout, 1..XT_KCUCKOO_LIMIT_MAX; zero with XT_KCUCKOO_DEL
 * @reserved: zero
 * @adder: used by the kernel
 */
struct xt_kcuckoo_tginfo {
	__u8 name[KCUCKOO_NAME_SIZE];
	__u32 flags;
	__u32 timeout;
	__u32 limit;
	__u32 reserved;
	struct xt_kcuckoo_adder *adder __attribute__((aligned(8)));
};

#endif /* _UAPI_LINUX_NETFILTER_XT_KCUCKOO_H */
