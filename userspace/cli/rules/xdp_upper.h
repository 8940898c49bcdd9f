/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions detach the programs of kcuckoo from the devices above a device, such as
 * VLANs, and attach them again. The kernel returns EEXIST for each change of the XDP
 * program of a device while a device directly above it has an XDP program, also if that
 * device is in another network namespace.
 */
#ifndef KCUCKOO_CLI_XDP_UPPER_H
#define KCUCKOO_CLI_XDP_UPPER_H

#include <stdbool.h>

#include "rules/xdp_program.h"

/**
 * struct upper - a device above another device, with a rule of hook xdp
 * @link: the device
 * @program: the program of the rule
 * @detached: uppers_detach() detached the program, and uppers_attach() did not attach it
 */
struct upper {
	struct link link;
	struct program program;
	bool detached;
};

/**
 * struct uppers - the devices above a device whose programs prevent a change
 * @list: the devices with a rule of hook xdp, each before the devices below it
 * @count: number of these devices
 * @block: the kernel refused the change because of a device above
 * @refused: after the change, a device above did not take its program again: -errno; or 0
 * @foreign: name of a device above with the program of another tool, or empty
 * @foreign_mode: keyword of ip-link(8) for the mode of that program
 */
struct uppers {
	struct upper *list;
	int count;
	bool block;
	int refused;
	char foreign[IF_NAMESIZE];
	const char *foreign_mode;
};

/*
 * After the kernel refused with EEXIST to change the program of @lower, detach the
 * programs of kcuckoo from the devices above it, and set @uppers. Detach nothing if a
 * device above has the program of another tool, or if @lower no longer has the program
 * with the id @id, which is 0 for no program. The caller blocks signals until it has
 * called uppers_attach(), and calls uppers_free() even if this function returns false.
 * Return: true if all programs of kcuckoo were detached, and there was at least one.
 */
bool uppers_detach(const struct link *lower, __u32 id, struct uppers *uppers);

/* Attach the detached programs again. Return: 0, or the first error as a negative errno. */
int uppers_attach(struct uppers *uppers);

/*
 * After uppers_attach() returned an error, detach the programs that it attached, so that
 * the caller can undo its change. The caller then calls uppers_attach() again.
 */
void uppers_detach_again(struct uppers *uppers);

/*
 * After an error message, print a hint about the device above that prevents the change.
 * Return: -1.
 */
int uppers_hint(const struct uppers *uppers);

/*
 * Close the programs and free the list. Return: 0, or -1 after an error message for each
 * program that is still detached.
 */
int uppers_free(struct uppers *uppers);

#endif /* KCUCKOO_CLI_XDP_UPPER_H */
