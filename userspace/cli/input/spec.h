/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions parse the name of a list, which may have a format and options:
 * FORMAT:FILE?OPTION=VALUE&OPTION=VALUE. input.c calls them before it opens the
 * list.
 */
#ifndef KCUCKOO_CLI_SPEC_H
#define KCUCKOO_CLI_SPEC_H

#include "input/layout.h"

/* Maximum number of options of a list. */
#define SPEC_OPTIONS	8

/**
 * struct spec - the parsed name of a list
 * @path: path of the file, or "-" for standard input
 * @layout: enum layout of the format in the name, or -1
 * @names: names of the options
 * @values: values of the options
 * @count: number of options
 * @text: memory of the strings above
 */
struct spec {
	const char *path;
	int layout;
	const char *names[SPEC_OPTIONS];
	const char *values[SPEC_OPTIONS];
	int count;
	char *text;
};

/*
 * Parse the name of a list. If a file has exactly this name, the whole name is
 * its path. Return: 0, or -1 after an error message. Call spec_free() in any
 * case.
 */
int spec_parse(struct spec *spec, const char *name);
/* Free the memory of a parsed name. */
void spec_free(struct spec *spec);

/* Return: the value of the option @name of the list, or NULL. */
const char *spec_option(const struct spec *spec, const char *name);

/*
 * Check that @layout supports each option in the name of the list. Return: 0, or
 * -1 after an error message.
 */
int spec_check(const struct spec *spec, enum layout layout);

#endif /* KCUCKOO_CLI_SPEC_H */
