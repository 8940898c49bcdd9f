/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What has to hold when the core is compiled. The language wants a text with it before C23.
 */
#ifndef _SHIM_LINUX_BUILD_BUG_H
#define _SHIM_LINUX_BUILD_BUG_H

/* That of the C library wants a text, too. */
#undef static_assert
#define static_assert(expression)	_Static_assert(expression, #expression)

#endif /* _SHIM_LINUX_BUILD_BUG_H */
