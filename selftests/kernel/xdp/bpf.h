/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What programs of this folder share.
 */
#ifndef KCUCKOO_XDP_BPF_H
#define KCUCKOO_XDP_BPF_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Before anything else: a kernel that does not describe itself has no such calls. */
static void __attribute__((constructor(101))) bpf_needed(void)
{
	const char *reason = NULL;
	struct utsname kernel;

	if (access("/sys/kernel/btf/vmlinux", F_OK))
		reason = "this kernel has no BTF";
	else if (!uname(&kernel) && atoi(kernel.release) < 6)
		reason = "BPF programs cannot call a module of this kernel";
	if (!reason)
		return;
	printf("TAP version 13\n1..0 # SKIP %s\n", reason);
	fflush(stdout);
	_exit(4);
}

#endif /* KCUCKOO_XDP_BPF_H */
