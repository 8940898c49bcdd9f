/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parts_read() reads the parts of a list from the cache, and computes the members
 * of the list, for list.c.
 */
#ifndef KCUCKOO_CLI_PARTS_H
#define KCUCKOO_CLI_PARTS_H

#include "fetch/list.h"

/* Maximum number of keys of a list, which limits the memory of this process. */
#define PARTS_KEYS_MAX	(20u << 20)

/**
 * struct parts - the members of a new copy of a list
 * @list: the list
 * @notes: what was left out or ignored
 * @set: the members, sorted and without repeats
 * @why: reason why the parts are not a list, or empty
 * @refused: reason why a check refuses the list, or empty
 */
struct parts {
	const struct list *list;
	struct list_notes *notes;
	struct keyset set;
	char why[CANONICAL_REASON];
	char refused[CANONICAL_REASON];
};

/* Initialize @parts. The caller calls parts_free() even after an error. */
void parts_init(struct parts *parts, const struct list *list,
		struct list_notes *notes);
void parts_free(struct parts *parts);

/*
 * Read all parts from the cache. Leave out exceptions, and leave out bogons unless
 * the list may have them. Return: 0, even if @refused is set; or -1 with @why set.
 */
int parts_read(struct parts *parts, const struct state *state);

/* Set the reason why a check refuses the list, unless an earlier check set one. */
void parts_refuse(struct parts *parts, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* KCUCKOO_CLI_PARTS_H */
