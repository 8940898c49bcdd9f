/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between the kernels that the module builds for.
 */
#ifndef _KCUCKOO_COMPAT_H
#define _KCUCKOO_COMPAT_H

#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/version.h>

/* Since Linux 6.9 sets of functions for BPF programs say that they are such. */
#ifndef BTF_KFUNCS_START
#define BTF_KFUNCS_START(name)	BTF_SET8_START(name)
#define BTF_KFUNCS_END(name)	BTF_SET8_END(name)
#endif

/* Since Linux 6.3 functions for BPF programs are marked, so that none is optimized away. */
#ifndef __bpf_kfunc
#define __bpf_kfunc	__used noinline
#endif

/*
 * Has every XDP program of a kernel of this version a receive queue? Those in a map of
 * devices have none before "bpf: devmap: provide rxq after redirect", in 6.12 and these
 * stable kernels: what they call their device is no pointer.
 */
static inline bool kcuckoo_version_has_rxq(unsigned int version)
{
	return version >= KERNEL_VERSION(6, 11, 6) ||
	       (version >= KERNEL_VERSION(6, 6, 59) &&
		version < KERNEL_VERSION(6, 7, 0)) ||
	       (version >= KERNEL_VERSION(6, 1, 115) &&
		version < KERNEL_VERSION(6, 2, 0));
}

/* The same of the kernel that the module is built for. */
static inline bool kcuckoo_xdp_has_rxq(void)
{
	return kcuckoo_version_has_rxq(LINUX_VERSION_CODE);
}

/* Since Linux 6.6 receive queues have a header of their own. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)
#include <net/netdev_rx_queue.h>
#endif

#endif /* _KCUCKOO_COMPAT_H */
