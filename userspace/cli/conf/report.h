/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions print errors in files of the configuration, each with its
 * file and line. They print at most CONFIG_ERRORS_MAX errors.
 */
#ifndef KCUCKOO_CLI_CONF_REPORT_H
#define KCUCKOO_CLI_CONF_REPORT_H

#include "conf/config.h"
#include "message.h"

/* Size of a buffer for a place as text, in bytes. */
#define PLACE_TEXT	4200

/* Write a place as FILE:LINE to @buf. Return: @buf. */
const char *place_text(const struct config_place *place, char *buf);

/*
 * Print an error that begins with FILE:LINE, and count the error in @config. Do nothing
 * if CONFIG_ERRORS_MAX errors were counted before. Return: -1.
 */
int config_error(struct config *config, const struct config_place *place,
		 const char *format, ...) PRINTF(3, 4);

/*
 * Count an error that another function has printed. If this is error number
 * CONFIG_ERRORS_MAX, print that the rest is not checked. Return: -1.
 */
int config_failed(struct config *config);

/*
 * Print that memory is short, unless CONFIG_ERRORS_MAX errors were counted before. Count
 * the error in @config. Return: -1.
 */
int config_no_memory(struct config *config);

/* Return: true if CONFIG_ERRORS_MAX errors were counted: further errors are not printed. */
bool config_is_full(const struct config *config);

#endif /* KCUCKOO_CLI_CONF_REPORT_H */
