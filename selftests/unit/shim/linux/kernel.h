/* SPDX-License-Identifier: GPL-2.0-only */
/* Rounding, for the core in userspace. */
#ifndef _SHIM_LINUX_KERNEL_H
#define _SHIM_LINUX_KERNEL_H

/* @y is a power of two. */
#define round_up(x, y)		((((x) - 1) | ((y) - 1)) + 1)

#endif /* _SHIM_LINUX_KERNEL_H */
