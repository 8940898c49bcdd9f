// SPDX-License-Identifier: GPL-2.0-only
/*
 * settings_read() reads, from a file of the configuration, the name of the filter that
 * a backend changes.
 *
 * The parser of the file is ini_read() of the command kcuckoo, from cli/conf/ini.h.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conf/ini.h"
#include "conf/report.h"
#include "daemons/report.h"
#include "daemons/settings.h"

/**
 * struct reader - state of settings_read()
 * @config: has the number of errors in the file; settings_read() uses no other field
 * @settings: the result
 */
struct reader {
	struct config config;
	struct settings *settings;
};

static void take_section(void *context, const char *kind, const char *name,
			 const struct config_place *place)
{
	struct reader *reader = context;
	char *filter = reader->settings->filter;

	if (strcmp(kind, "filter"))
		return;
	if (*filter)
		config_error(&reader->config, place,
			     "[filter %s]: this file has a [filter] already, and names one filter only",
			     name);
	else if (!is_valid_name(name))
		config_error(&reader->config, place,
			     "'%s' is not a valid filter name", name);
	else
		strcpy(filter, name);
}

/* Ignore the keys of a section: 'kcuckoo apply' checks them. */
static void take_key(void *context, const char *key, const char *value,
		     const struct config_place *place)
{
	(void)context;
	(void)key;
	(void)value;
	(void)place;
}

static const struct ini_handler handler = {
	.section = take_section,
	.key = take_key,
};

int settings_read(struct settings *settings, const char *path,
		  const char *name)
{
	struct reader reader = { .settings = settings };
	struct config_file file = { .path = (char *)path };
	char message[1024];

	memset(settings, 0, sizeof(*settings));
	if (access(path, F_OK)) {
		strcpy(settings->filter, name);
		return 0;
	}
	settings->configured = true;
	error_capture(message, sizeof(message));
	ini_read(&reader.config, &file, &handler, &reader);
	error_capture(NULL, 0);
	free(file.bytes);
	if (reader.config.errors)
		return report_error("%s", message);
	if (!*settings->filter)
		return report_error("%s: it has no section [filter NAME]",
				    path);
	return 0;
}
