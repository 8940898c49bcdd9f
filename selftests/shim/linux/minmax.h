/* SPDX-License-Identifier: GPL-2.0-only */
/* Minimum of two values of one type, for the core in userspace. */
#ifndef _SHIM_LINUX_MINMAX_H
#define _SHIM_LINUX_MINMAX_H

#define min_t(type, x, y) __extension__({	\
	type min_x = (x);			\
	type min_y = (y);			\
	min_x < min_y ? min_x : min_y;		\
})

#endif /* _SHIM_LINUX_MINMAX_H */
