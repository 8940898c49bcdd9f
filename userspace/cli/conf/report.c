// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions print errors in files of the configuration, each with its
 * file and line. They print at most CONFIG_ERRORS_MAX errors.
 */
#include <stdarg.h>
#include <stdio.h>

#include "conf/report.h"

const char *place_text(const struct config_place *place, char *buf)
{
	snprintf(buf, PLACE_TEXT, "%s:%u", place->file, place->line);
	return buf;
}

bool config_is_full(const struct config *config)
{
	return config->errors >= CONFIG_ERRORS_MAX;
}

int config_failed(struct config *config)
{
	config->errors++;
	if (config->errors == CONFIG_ERRORS_MAX)
		hint(-1, "the rest is not checked after %d errors",
		     CONFIG_ERRORS_MAX);
	return -1;
}

int config_no_memory(struct config *config)
{
	if (!config_is_full(config))
		error("not enough memory");
	return config_failed(config);
}

int config_error(struct config *config, const struct config_place *place,
		 const char *format, ...)
{
	char where[PLACE_TEXT], text[1024];
	va_list args;

	if (config_is_full(config))
		return -1;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	error("%s: %s", place_text(place, where), text);
	return config_failed(config);
}
