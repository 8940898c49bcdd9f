/* SPDX-License-Identifier: GPL-2.0-only */
/* Where data lies makes no difference to the core in userspace. */
#ifndef _SHIM_LINUX_CACHE_H
#define _SHIM_LINUX_CACHE_H

#define __ro_after_init

#endif /* _SHIM_LINUX_CACHE_H */
