/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions save the state of filters and of their rules before a change,
 * and restore the state if the change is undone, for confirm.c.
 */
#ifndef KCUCKOO_CLI_BEFORE_H
#define KCUCKOO_CLI_BEFORE_H

#include "cli.h"

/*
 * Write the filters @names and all of their rules to @folder, which is empty.
 * A filter that does not exist is written as missing. Return: 0, or -1 after an
 * error message.
 */
int before_save(struct cli *cli, const char *folder, char *const names[],
		int count);

/*
 * Restore the state that before_save() wrote to @folder: replace the filters,
 * detach rules that they did not have, attach rules that they had, and destroy
 * filters that did not exist. If one step fails, the other steps are still
 * done. If the state in @folder cannot be read completely, change nothing.
 * Return: 0, or -1 after error messages.
 */
int before_restore(struct cli *cli, const char *folder);

#endif /* KCUCKOO_CLI_BEFORE_H */
