/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's integer types, for the core in userspace. The uapi header of
 * the same name comes first: <linux/kcuckoo.h> wants it.
 */
#ifndef _SHIM_LINUX_TYPES_H
#define _SHIM_LINUX_TYPES_H

#include_next <linux/types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef unsigned long long u64;
typedef int32_t s32;
typedef long long s64;

/* The kernel has this everywhere; <linux/jhash.h> needs it. */
#define fallthrough		__attribute__((__fallthrough__))

#endif /* _SHIM_LINUX_TYPES_H */
