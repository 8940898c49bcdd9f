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
 * @column: memory for the column of @syntax
 * @bogons: the list is allowed to have private and reserved networks
 * @guards: checks that a new copy must pass
 * @refresh: seconds between two downloads
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
	LIST_UPDATED,	/* the new copy is now the last good copy */
	LIST_UNCHANGED,	/* the last good copy is up to date */
	LIST_REFUSED,	/* a check refused the new copy */
	LIST_FAILED,	/* no new copy was read; @why of the report has the reason */
};

/**
 * struct list_notes - which parts of a list were left out or ignored
 * @bad: number of bad lines
 * @host_bits: number of keys whose host bits were cleared
 * @noted: number of keys that have a value or a timeout in the list
 * @input: changes to the files before lines were parsed
 * @columns: counts of lines by the meaning of their columns
 * @left_out: keys that were removed or cut because of exceptions and bogons
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
 * @good: description of the last good copy before the fetch; without a name if
 *	there was no such copy
 * @confirmed: last time at which @good was known to be up to date
 * @next: description of the new copy; without a name if there is no new copy
 * @why: reason why the new copy was refused, or why there is no new copy
 * @notes: which parts of the new copy were left out or ignored
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
 * @report has the reason. Prints messages only about the files of the state, such as a
 * damaged last good copy.
 *
 * Context: curl_load() has returned 0.
 *
 * Return: 0; or -1 after an error message if the state cannot be written.
 */
int list_fetch(const struct state *state, const struct list *list,
	       struct list_report *report);

/**
 * list_refused_word() - shorten the reason why a check refused a copy to a word
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
 * @good: out: description of the earlier last good copy; without a name if there was no
 *	such copy
 *
 * Return: 0, or -1 after an error message.
 */
int list_accept(const struct state *state, const char *name,
		struct canonical *refused, struct canonical *good);

#endif /* KCUCKOO_CLI_LIST_H */
