/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: parse the key or range at the start of a line
 */
#ifndef KCUCKOO_CLI_KEY_H
#define KCUCKOO_CLI_KEY_H

#include <string.h>

#include "input/line.h"

/*
 * Parse the key or range that begins at @at and ends at @end at the latest,
 * into @line. @line->rest is set to its end. What follows is not checked.
 */
void key_parse(const char *at, const char *end, const struct syntax *syntax,
	       struct line *line);

/*
 * Parse a prefix length or mask from @at to @end for the address of @line. If
 * it is invalid, the line is bad.
 */
void key_set_length(struct line *line, const char *at, const char *end,
		    const struct syntax *syntax);

/*
 * Make a range of @line->key and @line->last, which were written at @first,
 * with the length of the line, and at @second, with @length bytes. If it is
 * invalid, the line is bad.
 */
void key_set_range(struct line *line, const char *first, const char *second,
		   size_t length);

/* Set the text of @line to its key in canonical form. */
void key_rewrite(struct line *line);

/* Undo the library's translation of an IPv4-mapped address. */
void key_map(struct kcuckoo_prefix *key);

/* Return: the bytes of an address of the family of @key. */
int key_bytes(const struct kcuckoo_prefix *key);

/* Set @bare of a line whose key was parsed up to the end. */
void key_check_bare(struct line *line);

/*
 * Parse an address or prefix as kcuckoo_prefix_scan() does, but do not
 * translate IPv4-mapped ones if @syntax is exact.
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
