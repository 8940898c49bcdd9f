/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions find the meaning of a column of a table by its title, for csv.c.
 * Titles are compared without regard to case, blanks, '-' and '_'.
 */
#ifndef KCUCKOO_CLI_TITLES_H
#define KCUCKOO_CLI_TITLES_H

#include <stdbool.h>
#include <stddef.h>

/* Meanings of titles, for title_kind(). */
#define TITLE_KEY	1	/* keys, such as "ip" */
#define TITLE_SIZE	2	/* masks or prefix lengths, such as "netmask" */
#define TITLE_END	4	/* last addresses of ranges, such as "last_ip" */
#define TITLE_LOOSE	8	/* TITLE_SIZE or TITLE_END, or another thing, such as "length" */
#define TITLE_START	16	/* first addresses of ranges, such as "start_ip" */
#define TITLE_ALLOW	32	/* whether the key is an exception, such as "whitelisted" */
#define TITLE_IDS	64	/* "to_ids" of MISP: whether the key can be blocked */

/* Return: the meanings of a title, the @length bytes at @at, as bits TITLE_*. */
unsigned int title_kind(const char *at, size_t length);

/*
 * Return: true if the title, the @length bytes at @at, equals the @size bytes at @name.
 */
bool title_is(const char *at, size_t length, const char *name, size_t size);

#endif /* KCUCKOO_CLI_TITLES_H */
