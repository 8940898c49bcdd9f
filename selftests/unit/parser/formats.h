/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tests of formats have in common: a list, the keys that it has, and what is
 * left out.
 */
#ifndef KCUCKOO_TEST_FORMATS_H
#define KCUCKOO_TEST_FORMATS_H

#include "lists.h"

/* The counts of the last list that was read. */
static struct input got;

/* Read a list as @layout, or recognize it if @layout is -1. */
static inline void read_as(int layout, const char *text)
{
	int ret;

	syntax.recognize = layout < 0;
	syntax.layout = layout < 0 ? LAYOUT_LIST : layout;
	ret = run_text(text, &got);
	tap_require(!ret, "'%s': %d, %s", text, ret, words);
}

/* The list has these keys, one on a line, and so many bad lines. */
static inline void has_keys(int layout, const char *text, const char *keys, u64 bad)
{
	read_as(layout, text);
	tap_require(!strcmp(seen.text, keys), "'%s' as %d: '%s'", text, layout,
		    seen.text);
	tap_require(got.bad == bad, "'%s' as %d: %llu bad: %s", text, layout, got.bad,
		    words);
}

/* The list is an error that says @why. */
static inline void is_error(int layout, const char *text, const char *why)
{
	struct input input;
	int ret;

	syntax.recognize = layout < 0;
	syntax.layout = layout < 0 ? LAYOUT_LIST : layout;
	ret = run_text(text, &input);
	tap_require(ret == -1, "'%s' is no error", text);
	tap_require(strstr(words, why), "'%s', not '%s'", words, why);
}

/* Which layout is recognized? */
static inline enum layout recognized(const char *text)
{
	return layout_recognize(text, strlen(text), syntax.kind == SYNTAX_BYTES);
}

#endif /* KCUCKOO_TEST_FORMATS_H */
