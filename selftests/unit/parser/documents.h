/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tests of lists in JSON have in common: the keys of a list, and its error.
 */
#ifndef KCUCKOO_TEST_DOCUMENTS_H
#define KCUCKOO_TEST_DOCUMENTS_H

#include "lists.h"

/* The list with a query, such as "?where=a:b". */
static inline int run_query(const char *text, const char *query, struct input *input)
{
	static char name[160], *files[1] = { name };

	file_with(text, strlen(text));
	snprintf(name, sizeof(name), "%s%s", path, query);
	input_init(input, files, 1);
	input->syntax = syntax;
	return run_input(input);
}

static inline void expect(const char *text, const char *query, const char *keys, u64 bad)
{
	struct input input;
	int ret = run_query(text, query, &input);

	tap_require(!ret, "'%s': %d, %s", text, ret, words);
	tap_require(!strcmp(seen.text, keys), "'%s': '%s'", text, seen.text);
	tap_require(input.bad == bad, "'%s': %llu bad: %s", text, input.bad, words);
}

/* The list is refused, with all of the words, and its name and line. */
static inline void refuse(const char *text, const char *query, int line, const char *first,
			  const char *second)
{
	char place[80];
	struct input input;

	snprintf(place, sizeof(place), "%s:%d: ", path, line);
	tap_require(run_query(text, query, &input) == -1, "'%s': taken", text);
	tap_require(strstr(words, place), "'%s': no %s in %s", text, place, words);
	tap_require(strstr(words, first) && (!second || strstr(words, second)),
		    "'%s': %s", text, words);
}

#endif /* KCUCKOO_TEST_DOCUMENTS_H */
