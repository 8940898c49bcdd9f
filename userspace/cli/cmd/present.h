/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions read the filters and rules of a network namespace, for
 * plan_make(). They also keep a file of the rules of hook xdp that a configuration
 * made.
 *
 * The label of a rule shows that a configuration made the rule, but the kernel
 * keeps no labels of rules of hook xdp. Therefore the file xdp, see
 * cmd/folders.h, has a line "LABEL FILTER DEVICE INDEX" for each rule of hook xdp
 * that a configuration made. The file exists while the configuration that is or was
 * applied has rules of hook xdp, even if none of them is attached, and while a rule that
 * could not be detached is left. A process that writes the file holds the lock of
 * changes_lock().
 *
 * A rule stays when its device gets another name, and INDEX, the number of the
 * device, shows which device has the name now. While no device has this number, the
 * name in the line counts: the device may come back from another namespace.
 */
#ifndef KCUCKOO_CLI_PRESENT_H
#define KCUCKOO_CLI_PRESENT_H

#include "conf/plan.h"

/**
 * struct own_xdp - a rule of hook xdp that a configuration made
 * @label: name of the rule of the configuration
 * @filter: name of the filter
 * @dev: name of the device
 * @index: number of the device
 */
struct own_xdp {
	char label[KCUCKOO_NAME_SIZE];
	char filter[KCUCKOO_NAME_SIZE];
	char dev[KCUCKOO_DEV_SIZE];
	unsigned int index;
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
 * caller calls present_free() in any case.
 */
int present_read(struct cli *cli, struct present *present);
void present_free(struct present *present);

/*
 * Write the file xdp with the rules @own. If @exists is false, remove the rules that do
 * not exist from @own, and remove the file if no other is left. If the process is killed,
 * the file is the old or the new one. Return: 0, or -1 after an error message, also if
 * this process may not find out whether a rule exists.
 */
int own_xdps_write(const struct cli *cli, struct own_xdps *own, bool exists);

/*
 * Read the file xdp to @own, which is empty if the file does not exist, with the present
 * names of the devices: this process is in the namespace of -n. The caller frees
 * @items. Return: 0, or -1 after an error message.
 */
int own_xdps_read(const struct cli *cli, struct own_xdps *own);

/*
 * Add a rule. If @own has a rule of the same filter and device, only set its
 * label. Return: 0, or -1 after an error message.
 */
int own_xdps_set(struct own_xdps *own, const struct present_rule *rule);

/* Return: the rule of @own on the device @dev, or NULL. */
const struct own_xdp *own_xdps_on(const struct own_xdps *own, const char *dev);

/* Remove the rule with the filter and device of @rule. */
void own_xdps_remove(struct own_xdps *own, const struct present_rule *rule);

#endif /* KCUCKOO_CLI_PRESENT_H */
