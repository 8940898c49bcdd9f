/* SPDX-License-Identifier: GPL-2.0-only */
/* Byte order of 64-bit words, for the core in userspace. */
#ifndef _SHIM_ASM_BYTEORDER_H
#define _SHIM_ASM_BYTEORDER_H

#include <endian.h>

#define cpu_to_be64(x)		htobe64(x)
#define be64_to_cpu(x)		be64toh(x)

#endif /* _SHIM_ASM_BYTEORDER_H */
