/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * config_check() reads a configuration and prints a summary of it, without the
 * module, for 'kcuckoo apply --check'.
 */
#ifndef KCUCKOO_CLI_CONF_CHECK_H
#define KCUCKOO_CLI_CONF_CHECK_H

#include "args.h"

/*
 * Check the configuration of --config, or of the namespace of -n, and print a
 * line for each filter and rule. Return: EXIT_YES, or -1 after error messages.
 */
int config_check(const struct cli *cli, const struct args *args);

#endif /* KCUCKOO_CLI_CONF_CHECK_H */
