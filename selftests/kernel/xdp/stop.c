// SPDX-License-Identifier: GPL-2.0-only
/*
 * In the place of libbpf's: the process stops before a program comes onto a device
 * that holds the name, and after one is off a device that still does.
 */
#define _GNU_SOURCE
#include <bpf/libbpf.h>
#include <dlfcn.h>
#include <signal.h>

int bpf_xdp_attach(int ifindex, int prog_fd, __u32 flags,
		   const struct bpf_xdp_attach_opts *opts)
{
	typeof(bpf_xdp_attach) *next = dlsym(RTLD_NEXT, "bpf_xdp_attach");

	/* What takes one off may come by here, too. */
	if (prog_fd >= 0)
		raise(SIGSTOP);
	return next(ifindex, prog_fd, flags, opts);
}

int bpf_xdp_detach(int ifindex, __u32 flags, const struct bpf_xdp_attach_opts *opts)
{
	typeof(bpf_xdp_detach) *next = dlsym(RTLD_NEXT, "bpf_xdp_detach");
	int ret = next(ifindex, flags, opts);

	raise(SIGSTOP);
	return ret;
}
