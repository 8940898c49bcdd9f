/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between the kernels that the module builds for.
 */
#ifndef _KCUCKOO_COMPAT_H
#define _KCUCKOO_COMPAT_H

#include <linux/btf_ids.h>

/* Since Linux 6.9 sets of functions for BPF programs say that they are such. */
#ifndef BTF_KFUNCS_START
#define BTF_KFUNCS_START(name)	BTF_SET8_START(name)
#define BTF_KFUNCS_END(name)	BTF_SET8_END(name)
#endif

#endif /* _KCUCKOO_COMPAT_H */
