/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _SHIM_LINUX_PREFETCH_H
#define _SHIM_LINUX_PREFETCH_H

#include <linux/compiler.h>

static __always_inline void prefetch(const void *address)
{
	__builtin_prefetch(address);
}

#endif /* _SHIM_LINUX_PREFETCH_H */
