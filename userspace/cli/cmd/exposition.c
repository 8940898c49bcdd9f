// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions write metrics in the text format of Prometheus, for metrics.c and
 * list_metrics.c.
 */
#include <stdarg.h>

#include "cmd/exposition.h"

void exposition_metric(struct exposition *exposition, const char *name,
		       const char *type, const char *help)
{
	exposition->name = name;
	fprintf(exposition->out, "# HELP kcuckoo_%s %s\n# TYPE kcuckoo_%s %s\n",
		name, help, name, type);
}

/*
 * In the format of Prometheus, only newlines, backslashes and double quotes are escaped in
 * the value of a label.
 */
static void write_label(FILE *out, char before, const char *label, const char *text)
{
	fprintf(out, "%c%s=\"", before, label);
	for (; *text; text++) {
		if (*text == '\n')
			fputs("\\n", out);
		else if (*text == '\\' || *text == '"')
			fprintf(out, "\\%c", *text);
		else
			putc(*text, out);
	}
	putc('"', out);
}

void exposition_value(struct exposition *exposition, __u64 value, ...)
{
	FILE *out = exposition->out;
	const char *label;
	char before = '{';
	va_list args;

	fprintf(out, "kcuckoo_%s", exposition->name);
	if (exposition->netns) {
		write_label(out, before, "netns", exposition->netns);
		before = ',';
	}
	va_start(args, value);
	while ((label = va_arg(args, const char *))) {
		write_label(out, before, label, va_arg(args, const char *));
		before = ',';
	}
	va_end(args);
	fprintf(out, "%s %llu\n", before == ',' ? "}" : "", value);
}
