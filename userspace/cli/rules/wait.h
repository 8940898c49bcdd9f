/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions are for rules that wait for a device by its name, or by a
 * pattern of names.
 */
#ifndef KCUCKOO_CLI_WAIT_H
#define KCUCKOO_CLI_WAIT_H

#include "cli.h"

/*
 * Return: true if @dev is a pattern: it contains a '*', and no device has it as
 * its name.
 */
bool wait_is_pattern(const char *dev);

/*
 * Check that a rule can wait for @dev, a name or a pattern. Return: 0, or -1
 * after an error message.
 */
int wait_check_dev(const char *dev);

/*
 * Check that the module knows waiting for devices, and labels. @what: subject of
 * the error message. An old module does not report its features (version 0) and
 * does not know them. Return: 0, or -1 after an error message.
 */
int wait_check_module(struct cli *cli, const char *what);

/*
 * Find out whether the attached @rule waits for its device, and warn if it does.
 * Set its flags and its device, which is the first one of a pattern.
 */
void wait_report(struct cli *cli, struct kcuckoo_rule *rule);

/*
 * Print an error if a rule of the filter @name, or of any filter if it is NULL,
 * applies to the device @dev by a pattern, so that its device does not select
 * it. Return: -1, or 0 without a message.
 */
int wait_pattern_error(struct cli *cli, const char *name, const char *dev);

#endif /* KCUCKOO_CLI_WAIT_H */
