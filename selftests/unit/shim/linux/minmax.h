/* SPDX-License-Identifier: GPL-2.0-only */
/* Minimum, maximum and exchange of two values of one type, for the core in userspace. */
#ifndef _SHIM_LINUX_MINMAX_H
#define _SHIM_LINUX_MINMAX_H

#define min_t(type, x, y) __extension__({	\
	type min_x = (x);			\
	type min_y = (y);			\
	min_x < min_y ? min_x : min_y;		\
})

#define max_t(type, x, y) __extension__({	\
	type max_x = (x);			\
	type max_y = (y);			\
	max_x > max_y ? max_x : max_y;		\
})

#define swap(x, y) __extension__({		\
	__auto_type swap_x = &(x);		\
	__auto_type swap_y = &(y);		\
	__auto_type swap_value = *swap_x;	\
	*swap_x = *swap_y;			\
	*swap_y = swap_value;			\
})

#endif /* _SHIM_LINUX_MINMAX_H */
