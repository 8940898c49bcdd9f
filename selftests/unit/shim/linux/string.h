/* SPDX-License-Identifier: GPL-2.0-only */
/* memcpy() and memset(), for the core in userspace. */
#ifndef _SHIM_LINUX_STRING_H
#define _SHIM_LINUX_STRING_H

#include <string.h>

#endif /* _SHIM_LINUX_STRING_H */
