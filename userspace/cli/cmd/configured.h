/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions apply the configuration, and compare it with the filters and
 * rules that exist. The verbs apply, down, status, explain and doctor, and
 * metrics.c use them.
 */
#ifndef KCUCKOO_CLI_CONFIGURED_H
#define KCUCKOO_CLI_CONFIGURED_H

#include "args.h"
#include "conf/config.h"

/*
 * Read the configuration of --config, or of the namespace of -n. If it has
 * errors and @fallback is true, read the copy of the configuration that was
 * applied last. Return: 0; 1 after error messages, if @config is from this
 * copy; or -1 after error messages. The caller calls config_free() in any case.
 */
int configured_read(const struct cli *cli, const struct args *args,
		    bool fallback, struct config *config);

struct present;

/*
 * Return: 1 if the filters and rules differ from the configuration, or are in
 * conflict with it; 0 if apply would only compare members with lists; or -1
 * after an error message.
 */
int configured_differs(const struct config *config, const struct present *present);

/* Apply the configuration. Return: an exit code, or -1 after an error message. */
int configured_apply(struct cli *cli, const struct args *args);

/*
 * A rule of hook xdp of a configuration has names of devices, and patterns of
 * names. Replace them by the devices that exist. @only: use only the device
 * with this name; or NULL for all devices. @missing: call this function for
 * each name or pattern without a device; or NULL. Return: 0, or -1 after an
 * error message.
 */
int configured_devices(struct config *config, const char *only,
		       void (*missing)(const struct config_rule *rule,
				       const char *dev));

/*
 * Print a line for each rule of the kernel that a configuration made and that waits for
 * its device or a filter. Rules of hook xdp are not printed. Return: the number of
 * printed rules, or -1 after an error message.
 */
int configured_waiting(struct cli *cli);

/* Print that a rule waits for a device. */
void say_unprotected(const struct config_rule *rule, const char *dev);

#endif /* KCUCKOO_CLI_CONFIGURED_H */
