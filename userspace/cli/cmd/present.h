/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions read the filters and rules of a network namespace, for
 * plan_make(), and keep which rules of hook xdp a configuration made.
 *
 * The kernel keeps no label of a rule of hook xdp. So the file xdp in the folder
 * of the running system has a line "LABEL FILTER DEVICE" for each that a
 * configuration made. The file exists while the applied configuration has such
 * rules, even if it has no line.
 */
#ifndef KCUCKOO_CLI_PRESENT_H
#define KCUCKOO_CLI_PRESENT_H

#include "conf/plan.h"

/**
 * struct own_xdp - a rule of hook xdp that a configuration made
 * @label: name of the rule of the configuration
 * @filter: name of the filter
 * @dev: name of the device
 */
struct own_xdp {
	char label[KCUCKOO_NAME_SIZE];
	char filter[KCUCKOO_NAME_SIZE];
	char dev[KCUCKOO_DEV_SIZE];
};

/**
 * struct own_xdps - the rules of the file xdp
 * @items: the rules
 * @count: number of rules
 */
struct own_xdps {
	struct own_xdp *items;
	size_t count;
};

/*
 * Read the filters and rules. Return: 0, or -1 after an error message. The
 * caller ends with present_free() in any case.
 */
int present_read(struct cli *cli, struct present *present);
void present_free(struct present *present);

/*
 * Write the file xdp with the rules @own, or remove it if @exists is false. A
 * process that is killed leaves the old file or the new one. Return: 0, or -1
 * after an error message.
 */
int own_xdps_write(const struct cli *cli, const struct own_xdps *own, bool exists);

/* Read the file xdp. @own is empty if there is none. Return as present_read(). */
int own_xdps_read(const struct cli *cli, struct own_xdps *own);

/* Add a rule, or give the rule another label. Return as present_read(). */
int own_xdps_set(struct own_xdps *own, const struct present_rule *rule);

/* Return: the rule of a device, or NULL. */
const struct own_xdp *own_xdps_on(const struct own_xdps *own, const char *dev);

/* Remove the rule of a filter and a device. */
void own_xdps_remove(struct own_xdps *own, const struct present_rule *rule);

#endif /* KCUCKOO_CLI_PRESENT_H */
