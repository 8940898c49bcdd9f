/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list_fetch() fetches a list, checks the new copy, and makes it the last good copy, for
 * the verb fetch. list_accept() replaces the last good copy by a copy that a check has
 * refused, for the verb accept.
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
 * @column: number of the column with the addresses, as text; @syntax points to this buffer
 *	if the configuration names a column
 * @bogons: keep private and reserved networks; otherwise remove them from the members
 * @guards: limits for the members of a new copy
 * @refresh: seconds after which the list is due again, see status_is_due() in status.h
 * @limits: limits for the age of the last good copy
 * @credential: credential that is sent to the server, or empty
 */
struct list {
	const char *name;
	char *const *urls;
	int url_count;
	struct syntax syntax;
	char column[24];
	bool bogons;
	struct guards guards;
	__u32 refresh;
	struct list_limits limits;
	char credential[LIST_CREDENTIAL];
};

enum list_outcome {
	LIST_UPDATED,	/* the new copy has replaced the last good copy */
	LIST_UNCHANGED,	/* the new copy has the members of the last good copy */
	LIST_REFUSED,	/* a check refused the new copy */
	LIST_FAILED,	/* no new copy was read, for the reason in struct list_report */
};

/**
 * struct list_notes - counts of lines and keys that were left out, changed or ignored
 * @bad: number of bad lines
 * @host_bits: number of keys whose host bits were cleared
 * @noted: number of keys with a value or a timeout, which is ignored
 * @input: counts from the reader of files, see struct input_notes
 * @columns: counts from the reader of lines, see struct input_columns
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
 * @good: description of the last good copy before the fetch; its name is empty if the list
 *	had no such copy, or if the copy was damaged or could not be opened
 * @confirmed: last time at which the copy of @good was known to be up to date, or 0
 * @next: description of the new copy; its name is empty if no new copy was read
 * @why: reason why the new copy was refused, or why no new copy was read; or empty
 * @notes: counts of lines and keys of the new copy
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
 * If no new copy can be read, or a check refuses the new copy, the last good copy stays,
 * and @report has the reason. If the last good copy is damaged or cannot be opened, this
 * function prints a warning, and then does the same as for a list without this copy.
 *
 * Context: curl_load() has returned 0.
 *
 * Return: 0; or -1 after an error message if memory is too short to read the last good
 * copy, or if a file in the folder of lists cannot be written or removed. If the cache
 * cannot be written, or memory is too short to read the new copy, this function returns
 * 0, and @outcome of @report is LIST_FAILED.
 */
int list_fetch(const struct state *state, const struct list *list,
	       struct list_report *report);

/**
 * list_good_time() - find out how old the last good copy of a list is
 * @state: the folders, from state_open()
 * @name: name of the list
 *
 * This function reads the whole copy, because a damaged copy has to be fetched again.
 *
 * Return: the last time at which the copy was known to be up to date; 0 if the list has no
 * copy, or if canonical_open() rejects the copy.
 */
time_t list_good_time(const struct state *state, const char *name);

/**
 * list_refused_word() - shorten the reason why a check refused a copy to one word
 * @reason: @reason of struct canonical of the refused copy
 *
 * Return: "min", "shrink", "grow", "database", "damaged", "wide" or "other", which 'kcuckoo
 * stats --prometheus' prints as a label.
 */
const char *list_refused_word(const char *reason);

/**
 * list_accept() - replace the last good copy by the refused copy
 * @state: the folders, from state_open()
 * @list: the list
 * @refused: out: description of the refused copy
 * @good: out: description of the copy that is replaced; its name is empty if the list had
 *	no last good copy, or if this copy was damaged or could not be opened
 *
 * Fails if the list had other URLs or another syntax when it was fetched.
 *
 * Return: 0, or -1 after an error message.
 */
int list_accept(const struct state *state, const struct list *list,
		struct canonical *refused, struct canonical *good);

#endif /* KCUCKOO_CLI_LIST_H */
