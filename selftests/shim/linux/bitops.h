/* SPDX-License-Identifier: GPL-2.0-only */
/* The one bit operation that <linux/jhash.h> takes from here. */
#ifndef _SHIM_LINUX_BITOPS_H
#define _SHIM_LINUX_BITOPS_H

#include <linux/types.h>

static inline u32 rol32(u32 word, unsigned int shift)
{
	return word << (shift & 31) | word >> (-shift & 31);
}

#endif /* _SHIM_LINUX_BITOPS_H */
