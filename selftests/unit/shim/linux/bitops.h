/* SPDX-License-Identifier: GPL-2.0-only */
/* The bit operations that the core and <linux/jhash.h> take from here. */
#ifndef _SHIM_LINUX_BITOPS_H
#define _SHIM_LINUX_BITOPS_H

#include <linux/types.h>

static inline u32 rol32(u32 word, unsigned int shift)
{
	return word << (shift & 31) | word >> (-shift & 31);
}

static inline unsigned int hweight64(u64 word)
{
	return __builtin_popcountll(word);
}

#endif /* _SHIM_LINUX_BITOPS_H */
