/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions parse the name of a list, which can have a format and options:
 * FORMAT:FILE?OPTION=VALUE&OPTION=VALUE. input.c parses the name of each list before it
 * opens the list.
 */
#ifndef KCUCKOO_CLI_SPEC_H
#define KCUCKOO_CLI_SPEC_H

#include <sys/stat.h>

#include "input/layout.h"

/* Maximum number of options of a list. */
#define SPEC_OPTIONS	8

/**
 * struct spec - the parsed name of a list
 * @path: path of the file, or "-" for standard input
 * @layout: enum layout of FORMAT in the name, or -1 if the name has no FORMAT
 * @names: names of the options
 * @values: values of the options
 * @count: number of options
 * @text: allocated copy of the name, into which @path, @names and @values point; or NULL
 *	if @path is the name itself
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
 * Parse the name of a list. If a file has exactly this name, the whole name is the path
 * of the file. Return: 0, or -1 after an error message. The caller must call
 * spec_free() even after -1.
 */
int spec_parse(struct spec *spec, const char *name);
/* Call stat() for the path in the name of a list. Return: false if stat() fails. */
bool spec_stat(const char *name, struct stat *st);
void spec_free(struct spec *spec);

/* Return: the value of the option @name of the list; or NULL. */
const char *spec_option(const struct spec *spec, const char *name);

/*
 * Check that @layout supports each option in the name of the list. Return: 0, or
 * -1 after an error message.
 */
int spec_check(const struct spec *spec, enum layout layout);

#endif /* KCUCKOO_CLI_SPEC_H */
