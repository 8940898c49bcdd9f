/* SPDX-License-Identifier: GPL-2.0-only */
/* Wide multiplication, for the core in userspace. */
#ifndef _SHIM_LINUX_MATH64_H
#define _SHIM_LINUX_MATH64_H

#include <linux/types.h>

__extension__ typedef unsigned __int128 u128;

static inline u64 mul_u64_u64_shr(u64 a, u64 mul, unsigned int shift)
{
	return (u64)((u128)a * mul >> shift);
}

#endif /* _SHIM_LINUX_MATH64_H */
