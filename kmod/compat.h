/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hides the differences between the kernel versions that the module builds for.
 *
 * Each definition names the version with which the kernel changed. No file outside this
 * header checks the kernel's version.
 */
#ifndef _KCUCKOO_COMPAT_H
#define _KCUCKOO_COMPAT_H

#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/version.h>

/* Linux 6.9 added these macros, which mark a set of BTF ids as kfuncs. */
#ifndef BTF_KFUNCS_START
#define BTF_KFUNCS_START(name)	BTF_SET8_START(name)
#define BTF_KFUNCS_END(name)	BTF_SET8_END(name)
#endif

/* Linux 6.3 added this attribute, which keeps the compiler from removing a kfunc. */
#ifndef __bpf_kfunc
#define __bpf_kfunc	__used noinline
#endif

/*
 * Checks whether a kernel version gives every XDP program a valid receive queue.
 *
 * A program in a map of devices (devmap) gets none before the commit "bpf: devmap: provide
 * rxq after redirect": rxq->dev of its context is an invalid pointer. The commit is in 6.12
 * and in the stable versions 6.11.6, 6.6.59 and 6.1.115.
 */
static inline bool kcuckoo_version_has_rxq(unsigned int version)
{
	return version >= KERNEL_VERSION(6, 11, 6) ||
	       (version >= KERNEL_VERSION(6, 6, 59) &&
		version < KERNEL_VERSION(6, 7, 0)) ||
	       (version >= KERNEL_VERSION(6, 1, 115) &&
		version < KERNEL_VERSION(6, 2, 0));
}

/* Checks kcuckoo_version_has_rxq() for the kernel that the module is built for. */
static inline bool kcuckoo_xdp_has_rxq(void)
{
	return kcuckoo_version_has_rxq(LINUX_VERSION_CODE);
}

/* Linux 6.6 moved struct netdev_rx_queue to a header of its own. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)
#include <net/netdev_rx_queue.h>
#endif

#endif /* _KCUCKOO_COMPAT_H */
