// SPDX-License-Identifier: GPL-2.0-only
/*
 * In the place of libbpf's: no device lets go of its program.
 */
#include <bpf/libbpf.h>
#include <errno.h>

int bpf_xdp_detach(int ifindex, __u32 flags, const struct bpf_xdp_attach_opts *opts)
{
	(void)ifindex;
	(void)flags;
	(void)opts;
	return -EBUSY;
}
