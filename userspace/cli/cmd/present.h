/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * present_read() reads the filters and rules of a network namespace. The functions
 * own_xdps_*() read and write a file of the rules of hook xdp that a configuration made.
 *
 * The label of a rule shows that a configuration made the rule, but the kernel keeps no
 * labels of rules of hook xdp. Therefore the file xdp, see cmd/folders.h, has a line
 * "LABEL FILTER DEVICE INDEX" for each rule of hook xdp that a configuration made. The
 * file exists while the configuration that is being applied, or was applied last since boot,
 * has rules of hook xdp, even if none of these rules is attached. The file also stays if a
 * rule in the file could not be detached. A process that writes the file holds the lock of
 * changes_lock().
 *
 * A rule stays attached when its device gets another name. Readers of the file then find
 * the present name by INDEX, the index of the device. If no device has this index,
 * readers use the name DEVICE: the device can come back from another namespace.
 */
#ifndef KCUCKOO_CLI_PRESENT_H
#define KCUCKOO_CLI_PRESENT_H

#include "conf/plan.h"

/**
 * struct own_xdp - a rule of hook xdp that a configuration made
 * @label: name of the section [rule] that made the rule
 * @filter: name of the filter
 * @dev: name of the device
 * @index: index of the device; 0 if it is unknown
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
 * Read the filters and rules of the namespace to @present, with the labels of rules of
 * hook xdp from the file xdp. Return: 0, or -1 after an error message. The caller
 * calls present_free() even after an error.
 */
int present_read(struct cli *cli, struct present *present);

/*
 * In @other_users of managed filters that @config does not have, do not count devices that are
 * users without a rule: the destruction of the filter releases these users. Return: 0, or -1
 * after an error message.
 */
int present_leave_out(struct cli *cli, struct present *present, const struct config *config);

/*
 * Return: the rule of hook xdp in @present with the device @dev and the filter @filter, or
 * with any filter if @filter is NULL; or NULL if there is none.
 */
const struct present_rule *present_xdp(const struct present *present,
				       const char *filter, const char *dev);

/* Free the arrays of @present. */
void present_free(struct present *present);

/*
 * Write the rules @own to the file xdp. @exists: the configuration has rules of hook xdp,
 * so the file must exist. If @exists is false, remove from @own the rules that are not
 * attached, and remove the file if @own is then empty. If a device cannot be inspected, its
 * rule stays in @own, the file is written, and the return value is -1. If the process is
 * killed, the file has either its old or its new content. Return: 0, or -1 after an error
 * message.
 */
int own_xdps_write(const struct cli *cli, struct own_xdps *own, bool exists);

/*
 * Read the file xdp to @own, with the present names of the devices. This process must be
 * in the network namespace of the option -n, to which the devices belong. If the file does
 * not exist, @own is empty. The caller frees @items of @own even after an error. Return: 0,
 * or -1 after an error message.
 */
int own_xdps_read(const struct cli *cli, struct own_xdps *own);

/*
 * Add @rule to @own. If @own already has a rule of this filter and device, set the label
 * and the index of that rule instead. Return: 0, or -1 after an error message.
 */
int own_xdps_set(struct own_xdps *own, const struct present_rule *rule);

/* Remove the rule with the filter and device of @rule from @own. */
void own_xdps_remove(struct own_xdps *own, const struct present_rule *rule);

/* Return: true if @own has a rule with the filter and device of @rule. */
bool own_xdps_has(const struct own_xdps *own, const struct present_rule *rule);

/* Return: a rule of @own with the device of @rule and another filter, or NULL. */
const struct own_xdp *own_xdps_other(const struct own_xdps *own,
				     const struct present_rule *rule);

#endif /* KCUCKOO_CLI_PRESENT_H */
