/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions find the XDP program of a device, and read its rule if it is a program
 * of kcuckoo.
 */
#ifndef KCUCKOO_CLI_XDP_PROGRAM_H
#define KCUCKOO_CLI_XDP_PROGRAM_H

#include "../../bpf/xdp.h"
#include "rules/links.h"

/**
 * struct program - the XDP program of a device
 * @fd: descriptor of the program if it is a program of kcuckoo, otherwise -1
 * @counters_fd: descriptor of the map with the counters of a program of kcuckoo, otherwise -1
 * @flags: XDP_FLAGS_* of the mode of the program
 * @id: id of the program, or 0 without a program
 * @rule: rule of the program, if it is a program of kcuckoo
 */
struct program {
	int fd;
	int counters_fd;
	__u32 flags;
	__u32 id;
	struct xdp_rule rule;
};

/*
 * Find the program of a device. If the device has an offloaded program in addition to a native or
 * generic program, ignore the offloaded program. Return: 1 for a program of kcuckoo; the caller
 * must then call program_close(); 0 for another program, with @flags and @id of @program set; 0
 * with @id 0 if the device has no program; or -errno.
 */
int program_find(const struct link *link, struct program *program);

/* Find the program of the device @ifindex. Return: the same as program_find(). */
int program_find_on(__u32 ifindex, struct program *program);

/*
 * Return: the keyword of ip-link(8) for the mode of a program. The keyword "xdp" is not
 * used, because it leaves the choice of the mode to the kernel.
 */
const char *program_mode_word(const struct program *program);

void program_close(struct program *program);

#endif /* KCUCKOO_CLI_XDP_PROGRAM_H */
