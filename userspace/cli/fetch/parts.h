/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parts_read() reads the parts of a list from the cache, and computes the members
 * of the list.
 */
#ifndef KCUCKOO_CLI_PARTS_H
#define KCUCKOO_CLI_PARTS_H

#include "fetch/list.h"

/*
 * Maximum number of keys of a list, and maximum number of its exceptions. Keys that
 * occur several times count each time. This limits the memory of this process.
 */
#define PARTS_KEYS_MAX	(20u << 20)

/**
 * struct parts - the members of a new copy of a list
 * @list: the list
 * @notes: counts of lines and keys that were left out, changed or ignored
 * @set: the members; sorted and without repeats after parts_read()
 * @why: reason why parts_read() failed, or empty
 * @refused: reason why a check refuses the list, or empty
 */
struct parts {
	const struct list *list;
	struct list_notes *notes;
	struct keyset set;
	char why[CANONICAL_REASON];
	char refused[CANONICAL_REASON];
};

/**
 * parts_init() - initialize the state for parts_read()
 * @parts: the state; the caller calls parts_free() even after an error
 * @list: the list
 * @notes: parts_read() writes its counts to this structure
 */
void parts_init(struct parts *parts, const struct list *list,
		struct list_notes *notes);
/**
 * parts_free() - free the members
 * @parts: the state
 */
void parts_free(struct parts *parts);

/**
 * parts_read() - read all parts of a list from the cache
 * @parts: the state, from parts_init(); @set of @parts gets the members
 * @state: the folders of lists, from state_open()
 *
 * The members do not include the exceptions of the list. They include bogons only if
 * @bogons of the list is true.
 *
 * Return: 0; or -1 with the reason in @why of @parts, for example if a part is not a list
 * or memory is short. If a check refuses the list, this function sets @refused of @parts,
 * which is not a failure.
 */
int parts_read(struct parts *parts, const struct state *state);

/**
 * parts_refuse() - set the reason why a check refuses the list
 * @parts: the state
 * @format: the reason, in the format of printf()
 * @...: arguments of @format
 *
 * Does nothing if an earlier check has set a reason.
 */
void parts_refuse(struct parts *parts, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* KCUCKOO_CLI_PARTS_H */
