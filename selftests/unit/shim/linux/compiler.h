/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Marked accesses, attributes and foreseen branches, for the core in userspace. Relaxed atomics
 * are what the accesses mean, and ThreadSanitizer understands them.
 */
#ifndef _SHIM_LINUX_COMPILER_H
#define _SHIM_LINUX_COMPILER_H

/* __always_inline */
#include <sys/cdefs.h>

/* KCSAN is the kernel's. */
#define data_race(expr)		(expr)

#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, val)	__atomic_store_n(&(x), (val), __ATOMIC_RELAXED)

#define __packed		__attribute__((packed))
#define __aligned(x)		__attribute__((aligned(x)))

#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)

#endif /* _SHIM_LINUX_COMPILER_H */
