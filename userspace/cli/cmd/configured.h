/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions apply the configuration, and compare it with the filters and rules
 * that exist.
 */
#ifndef KCUCKOO_CLI_CONFIGURED_H
#define KCUCKOO_CLI_CONFIGURED_H

#include "args.h"
#include "conf/config.h"

/*
 * Read the configuration of --config to @config; without --config, read the configuration
 * of the host, or with -n that of the network namespace. If the configuration has errors
 * and @fallback is true, read the copy of the configuration that was applied last. Return:
 * 0; 1 after error messages, if @config was read from this copy; or -1 after error
 * messages. The caller calls config_free() in any case.
 */
int configured_read(const struct cli *cli, const struct args *args,
		    bool fallback, struct config *config);

struct present;

/*
 * Compare the present filters and rules with a configuration, but do not compare members
 * with lists. Before this call, the caller calls configured_devices() for @config. Return:
 * 1 if filters or rules differ from the configuration or conflict with it; 0 if apply would
 * only compare members with lists; or -1 after an error message.
 */
int configured_differs(const struct config *config, const struct present *present);

/*
 * Print an error for each conflict of the configuration with the present filters and rules.
 * apply changes nothing if it finds a conflict. Return: 0, or -1 after error messages.
 */
int configured_conflicts(const struct config *config, const struct present *present);

/* Apply the configuration. Return: an exit code, or -1 after an error message. */
int configured_apply(struct cli *cli, const struct args *args);

/*
 * In each rule of hook xdp of a configuration, replace the names and patterns of devices
 * by the names of the existing devices that match. @only: name of the only device that is
 * used, or NULL for all devices. @missing: function that is called for each name or pattern
 * that matches no such device, or NULL. Return: 0, or -1 after an error message.
 */
int configured_devices(struct config *config, const char *only,
		       void (*missing)(const struct config_rule *rule,
				       const char *dev));

/*
 * Print a line for each rule of the module, made by a configuration, that waits for its
 * device or a filter. Return: the number of printed rules, or -1 after an error message.
 */
int configured_waiting(struct cli *cli);

/*
 * Print that @rule waits for the device @dev, or for a device that matches the pattern
 * @dev.
 */
void say_unprotected(const struct config_rule *rule, const char *dev);

/* Print that the rule of hook xdp of the section @rule is not attached to @dev. */
void say_unattached(const char *rule, const char *dev);

#endif /* KCUCKOO_CLI_CONFIGURED_H */
