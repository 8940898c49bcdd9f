/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list_fetch() fetches a list, checks it, and makes it the last good copy, for the verb
 * fetch. list_accept() replaces the last good copy by a copy that a check has refused,
 * for the verb accept.
 */
#ifndef KCUCKOO_CLI_LIST_H
#define KCUCKOO_CLI_LIST_H

#include <time.h>

#include "fetch/age.h"
#include "fetch/canonical.h"
#include "fetch/state.h"
#include "input/input.h"
#include "keys/exclude.h"
#include "keys/guard.h"

/* Size of a buffer for a credential, in bytes. */
#define LIST_CREDENTIAL		512

/**
 * struct list - a list of the configuration that is fetched
 * @name: name of the list
 * @urls: URLs of the parts of the list
 * @url_count: number of URLs
 * @syntax: how the lines of the list are parsed
 * @column: buffer to which @column of @syntax points, if the configuration has a column
 * @bogons: the list is allowed to have private and reserved networks
 * @guards: checks that a new copy must pass
 * @refresh: minimum number of seconds from a successful download to the next one
 * @limits: limits for the age of the last good copy
 * @credential: credential that is sent to the server, or empty
 */
struct list {
	const char *name;
	char *const *urls;
	int url_count;
	struct syntax syntax;
	char column[12];
	bool bogons;
	struct guards guards;
	__u32 refresh;
	struct list_limits limits;
	char credential[LIST_CREDENTIAL];
};

/* Result of list_fetch(). */
enum list_outcome {
	LIST_UPDATED,	/* the new copy has replaced the last good copy */
	LIST_UNCHANGED,	/* the new copy has the members of the last good copy */
	LIST_REFUSED,	/* a check refused the new copy */
	LIST_FAILED,	/* no new copy was read; @why of the report has the reason */
};

/**
 * struct list_notes - counts of lines and keys that were left out, changed or ignored
 * @bad: number of bad lines
 * @host_bits: number of keys whose host bits were cleared
 * @noted: number of keys with a value or a timeout, which is ignored
 * @input: conversions of files and omissions from files, see struct input_notes
 * @columns: counts of lines and keys for messages, see struct input_columns
 * @left_out: numbers of keys that were removed or cut because of exceptions and bogons
 */
struct list_notes {
	__u64 bad;
	__u64 host_bits;
	__u64 noted;
	struct input_notes input;
	struct input_columns columns;
	struct exclusion left_out;
};

/**
 * struct list_report - result of fetching a list
 * @outcome: enum list_outcome
 * @good: description of the last good copy before the fetch; without a name if the
 *	list had no such copy, or the copy was damaged
 * @confirmed: last time at which @good was known to be up to date
 * @next: description of the new copy; without a name if no new copy was read
 * @why: reason why the new copy was refused, or why no new copy was read; or empty
 * @notes: counts of lines and keys of the new copy that were left out, changed or
 *	ignored
 */
struct list_report {
	enum list_outcome outcome;
	struct canonical good;
	time_t confirmed;
	struct canonical next;
	char why[CANONICAL_REASON];
	struct list_notes notes;
};

/**
 * list_fetch() - fetch a list, check it, and make it the last good copy
 * @state: the folders, from state_open()
 * @list: the list
 * @report: out: the result
 *
 * If a server fails or a check refuses the new copy, the last good copy stays, and
 * @report has the reason. Prints messages only about memory and about files in the
 * folders of @state, such as a damaged last good copy.
 *
 * Context: curl_load() has returned 0.
 *
 * Return: 0; or -1 after an error message if a copy of the list cannot be written, or
 * if memory is short.
 */
int list_fetch(const struct state *state, const struct list *list,
	       struct list_report *report);

/**
 * list_refused_word() - find the word for the reason why a check refused a copy
 * @reason: the reason, as in the first line of the refused copy
 *
 * Return: "min", "shrink", "grow", "database", "damaged", "wide" or "other", for
 * metrics.
 */
const char *list_refused_word(const char *reason);

/**
 * list_accept() - replace the last good copy by the copy that was refused
 * @state: the folders, from state_open()
 * @name: name of the list
 * @refused: out: description of the copy that was refused
 * @good: out: description of the earlier last good copy; without a name if the list had
 *	no such copy, or the copy was damaged
 *
 * Return: 0, or -1 after an error message.
 */
int list_accept(const struct state *state, const char *name,
		struct canonical *refused, struct canonical *good);

#endif /* KCUCKOO_CLI_LIST_H */
