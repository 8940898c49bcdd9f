/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions check and report rules that wait for a device by its name, or by a
 * pattern of names.
 */
#ifndef KCUCKOO_CLI_WAIT_H
#define KCUCKOO_CLI_WAIT_H

#include "cli.h"

/*
 * Return: true if @dev is a pattern: it contains a '*', and is not the name of a
 * device.
 */
bool wait_is_pattern(const char *dev);

/*
 * Check that a rule can wait for @dev, a name or a pattern. Return: 0, or -1
 * after an error message.
 */
int wait_check_dev(const char *dev);

/*
 * Check that the module supports labels of rules, and rules that wait for devices. An
 * old module (version 0) does not report its features, and fails the check. @what:
 * subject of the error message: the option or parameter that needs the feature. Return:
 * 0, or -1 after an error message.
 */
int wait_check_module(struct cli *cli, const char *what);

/*
 * Warn if the attached rule @rule waits for a device, and set the flag
 * KCUCKOO_RULE_DEV_WAITING in @rule->flags. Otherwise set @rule->dev to the device of
 * the rule, or to the first device that matches the pattern of the rule.
 */
void wait_report(struct cli *cli, struct kcuckoo_rule *rule);

/*
 * Print an error if a rule with the properties in @detach applies to the device of
 * @detach by a pattern of names: the verb detach needs the pattern of such a rule, not the
 * name of a device. @name: filter of the rule, or NULL for any filter. Return: -1; or 0,
 * without a message, if there is no such rule.
 */
int wait_pattern_error(struct cli *cli, const char *name,
		       const struct kcuckoo_ioc_detach *detach);

#endif /* KCUCKOO_CLI_WAIT_H */
