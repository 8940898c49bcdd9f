/* SPDX-License-Identifier: GPL-2.0-only */
/* Logarithms, for the core in userspace. */
#ifndef _SHIM_LINUX_LOG2_H
#define _SHIM_LINUX_LOG2_H

#define ilog2(n)		(63 - __builtin_clzll(n))
#define roundup_pow_of_two(n)	(2ULL << ilog2((n) - 1))

#endif /* _SHIM_LINUX_LOG2_H */
