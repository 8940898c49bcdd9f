/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions make filters and rules as the configuration says, for the
 * verbs apply, down and status.
 */
#ifndef KCUCKOO_CLI_CONFIGURED_H
#define KCUCKOO_CLI_CONFIGURED_H

#include "args.h"
#include "conf/config.h"

/*
 * Read the configuration of --config, or of the namespace of -n. If it has errors
 * and @fallback is true, read the one that was applied last instead. Return: 0; 1
 * for the one that was applied last, after error messages; or -1 after error
 * messages. The caller ends with config_free() in any case.
 */
int configured_read(const struct cli *cli, const struct args *args,
		    bool fallback, struct config *config);

struct present;

/*
 * Return: 1 if apply would do more than compare members with lists; 0 if not; or
 * -1 after an error message.
 */
int configured_differs(const struct config *config, const struct present *present);

/* Apply the configuration. Return: an exit code, or -1 after an error message. */
int configured_apply(struct cli *cli, const struct args *args);

/*
 * The rules of hook xdp of a configuration name patterns of devices, and devices
 * that need not exist. Replace them by the devices that exist. Unless it is NULL,
 * only @only of these. Call @missing, unless it is NULL, for each name or pattern
 * without a device. Return: 0, or -1 after an error message.
 */
int configured_devices(struct config *config, const char *only,
		       void (*missing)(const struct config_rule *rule,
				       const char *dev));

/*
 * Print a line for each rule of hook ingress with a label that waits for its
 * device. Return: the number of these rules, or -1 after an error message.
 */
int configured_waiting(struct cli *cli);

/* Print that a rule waits for a device. */
void say_unprotected(const struct config_rule *rule, const char *dev);

#endif /* KCUCKOO_CLI_CONFIGURED_H */
