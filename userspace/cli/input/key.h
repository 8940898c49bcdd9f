/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: the key or range that a line begins with
 */
#ifndef KCUCKOO_CLI_KEY_H
#define KCUCKOO_CLI_KEY_H

#include <string.h>

#include "input/line.h"

/*
 * Read the key or range that begins at @at, up to @end at most, into @line. What may
 * follow it is not checked: @line->rest is where it ends.
 */
void key_parse(const char *at, const char *end, const struct syntax *syntax,
	       struct line *line);

/*
 * Give the address of @line the prefix length or mask that stands at @at, up to @end.
 * Where that cannot be, the line is bad.
 */
void key_set_length(struct line *line, const char *at, const char *end,
		    const struct syntax *syntax);

/*
 * Make a range of @line->key and @line->last, which were written at @first, where the
 * length is that of the line, and at @second, where it is @length.
 * Where that cannot be, the line is bad.
 */
void key_set_range(struct line *line, const char *first, const char *second,
		   size_t length);

/* The text of @line is its key in canonical form from now on. */
void key_rewrite(struct line *line);

/* Undo the library's translation of an IPv4-mapped address. */
void key_map(struct kcuckoo_prefix *key);

/* Bytes of an address of this family. */
int key_bytes(const struct kcuckoo_prefix *key);

/* Set @bare of a line whose key ends where key_parse() had to. */
void key_check_bare(struct line *line);

/*
 * Read an address or prefix as kcuckoo_prefix_scan() does, but translate none that is
 * IPv4-mapped where @syntax is exact.
 */
static inline long key_scan(const char *at, const char *end,
			    const struct syntax *syntax,
			    struct kcuckoo_prefix *key,
			    int *host_bits, const char **why)
{
	long length = kcuckoo_prefix_scan(at, end - at, key, host_bits, why);

	if (syntax->exact && length > 0 && memchr(at, ':', length))
		key_map(key);
	return length;
}

#endif /* KCUCKOO_CLI_KEY_H */
