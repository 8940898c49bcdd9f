/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * config_check() reads a configuration and prints a summary, for 'kcuckoo apply --check'.
 * The kernel module need not be loaded.
 */
#ifndef KCUCKOO_CLI_CONF_CHECK_H
#define KCUCKOO_CLI_CONF_CHECK_H

#include "args.h"

/*
 * Check the configuration in the folder that config_folder() chooses. Print a line for each
 * filter and rule, or JSON with the option -j. Warn about files that the systemd units of
 * kcuckoo cannot read. Return: EXIT_YES, or -1 after error messages.
 */
int config_check(const struct cli *cli, const struct args *args);

#endif /* KCUCKOO_CLI_CONF_CHECK_H */
