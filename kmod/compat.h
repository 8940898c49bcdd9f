/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hides the differences between kernel versions. The module builds for 5.10 and later.
 *
 * The comments name the kernel versions that introduced the differences. Distributions
 * backport changes to older kernels, so the conditions do not test the version, but a macro
 * of the kernel or a KCUCKOO_HAS_ macro of Kbuild. The only exception is
 * kcuckoo_xdp_has_rxq(). selftests/harness/branches.sh lists which kernels compile which
 * branch.
 */
#ifndef _KCUCKOO_COMPAT_H
#define _KCUCKOO_COMPAT_H

#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/version.h>
#include <linux/vmalloc.h>

/*
 * Linux 6.0 added the present interface by which a module registers functions for BPF
 * programs (kfuncs). For older kernels Kbuild leaves bpf.c out.
 */
#ifdef KCUCKOO_HAS_KFUNCS
#include <linux/btf.h>
#include <linux/btf_ids.h>

#define KCUCKOO_KFUNCS		true

/* Linux 6.9 added these macros, which mark a set of BTF ids as kfuncs. */
#ifndef BTF_KFUNCS_START
#define BTF_KFUNCS_START(name)	BTF_SET8_START(name)
#define BTF_KFUNCS_END(name)	BTF_SET8_END(name)
#endif

/* Linux 6.3 added this attribute, which keeps the compiler from removing a kfunc. */
#ifndef __bpf_kfunc
#define __bpf_kfunc	__used noinline
#endif
#else
#define KCUCKOO_KFUNCS		false
#endif /* KCUCKOO_HAS_KFUNCS */

/*
 * Checks whether a kernel version sets xdp_buff.rxq (the receive queue) for every XDP
 * program.
 *
 * Before the commit "bpf: devmap: provide rxq after redirect", the kernel does not
 * initialize xdp_buff.rxq for a program in a map of devices (devmap). The commit is in
 * 6.12 and in the stable versions 6.11.6, 6.6.59 and 6.1.115.
 */
static inline bool kcuckoo_version_has_rxq(unsigned int version)
{
	return version >= KERNEL_VERSION(6, 11, 6) ||
	       (version >= KERNEL_VERSION(6, 6, 59) &&
		version < KERNEL_VERSION(6, 7, 0)) ||
	       (version >= KERNEL_VERSION(6, 1, 115) &&
		version < KERNEL_VERSION(6, 2, 0));
}

static inline bool kcuckoo_xdp_has_rxq(void)
{
	return kcuckoo_version_has_rxq(LINUX_VERSION_CODE);
}

/* Linux 6.6 moved struct netdev_rx_queue to a header of its own. */
#ifdef KCUCKOO_HAS_NETDEV_RX_QUEUE_H
#include <net/netdev_rx_queue.h>
#endif

/*
 * Linux 6.1 added kmalloc_size_roundup(). This version is only for sizes of at most a page;
 * the module passes no others.
 */
#ifndef KCUCKOO_HAS_KMALLOC_SIZE_ROUNDUP
static inline size_t kmalloc_size_roundup(size_t size)
{
	if (size <= KMALLOC_MIN_SIZE)
		return size ? KMALLOC_MIN_SIZE : 0;
	if (KMALLOC_MIN_SIZE <= 32 && size > 64 && size <= 96)
		return 96;
	if (KMALLOC_MIN_SIZE <= 64 && size > 128 && size <= 192)
		return 192;
	return roundup_pow_of_two(size);
}
#endif

/* Linux 5.18 added vmalloc_huge(). On older kernels filters use no huge pages. */
#ifdef KCUCKOO_HAS_VMALLOC_HUGE
#define KCUCKOO_HUGE_PAGES	IS_ENABLED(CONFIG_HAVE_ARCH_HUGE_VMALLOC)
#else
#define KCUCKOO_HUGE_PAGES	false
static inline void *vmalloc_huge(unsigned long size, gfp_t gfp)
{
	return __vmalloc(size, gfp);
}
#endif

/* Linux 5.16 added this macro. */
#ifndef memset_after
#define memset_after(object, value, member) ({				\
	typeof(object) __object = (object);				\
	const size_t __end = offsetofend(typeof(*__object), member);	\
									\
	memset((u8 *)__object + __end, value, sizeof(*__object) - __end); \
})
#endif

#endif /* _KCUCKOO_COMPAT_H */
