/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * settings_read() reads, from a file of the configuration, the name of the filter
 * that a backend changes.
 */
#ifndef KCUCKOO_DAEMONS_SETTINGS_H
#define KCUCKOO_DAEMONS_SETTINGS_H

#include <stdbool.h>

#include "kcuckoo.h"

/**
 * struct settings - the filter that a backend changes
 * @filter: name of the filter
 * @configured: a file of the configuration names the filter, so 'kcuckoo apply' creates
 *	the filter and its rules
 */
struct settings {
	char filter[KCUCKOO_NAME_SIZE];
	bool configured;
};

/*
 * Read @path, a file of the configuration (kcuckoo.conf(5)). The file must have
 * exactly one section [filter NAME]. settings_read() ignores other sections, which
 * 'kcuckoo apply' checks. If the file does not exist, the filter is @name. Return: 0,
 * or -1 after a report.
 */
int settings_read(struct settings *settings, const char *path,
		  const char *name);

#endif /* KCUCKOO_DAEMONS_SETTINGS_H */
