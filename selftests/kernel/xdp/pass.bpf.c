// SPDX-License-Identifier: GPL-2.0-only
/*
 * Somebody else's XDP program.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

SEC("xdp")
int pass(struct xdp_md *ctx)
{
	(void)ctx;
	return XDP_PASS;
}

char program_license[] SEC("license") = "GPL";
