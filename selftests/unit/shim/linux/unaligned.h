/* SPDX-License-Identifier: GPL-2.0-only */
/* What <linux/jhash.h> reads byte strings with. */
#ifndef _SHIM_LINUX_UNALIGNED_H
#define _SHIM_LINUX_UNALIGNED_H

#include <linux/types.h>
#include <string.h>

static inline u32 __get_unaligned_cpu32(const void *p)
{
	u32 word;

	memcpy(&word, p, sizeof(word));
	return word;
}

#endif /* _SHIM_LINUX_UNALIGNED_H */
