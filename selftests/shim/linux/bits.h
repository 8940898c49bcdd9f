/* SPDX-License-Identifier: GPL-2.0-only */
/* One bit, for the core in userspace. */
#ifndef _SHIM_LINUX_BITS_H
#define _SHIM_LINUX_BITS_H

#define BIT(n)			(1UL << (n))

#endif /* _SHIM_LINUX_BITS_H */
