/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: print messages on standard error
 */
#ifndef KCUCKOO_CLI_MESSAGE_H
#define KCUCKOO_CLI_MESSAGE_H

#include "cli.h"

#define PRINTF(text, first)	__attribute__((format(printf, text, first)))

/* Print an error. Return: -1, for callers to return. */
int error(const char *format, ...) PRINTF(1, 2);

/* Print what to do next, after error() or warn(). Return: @ret. */
int hint(int ret, const char *format, ...) PRINTF(2, 3);

/* Print a warning, even with -q. Return: 0. */
int warn(const char *format, ...) PRINTF(1, 2);

/* Print a summary, unless with -q. */
void say(const struct cli *cli, const char *format, ...) PRINTF(2, 3);

/* Return: @one if @count is 1, otherwise @many. */
const char *plural(__u64 count, const char *one, const char *many);

/* Report how many keys had host bits that were cleared, if any. */
void say_host_bits(const struct cli *cli, const char *name, __u64 count);

/* Print a detail, only with -v. */
void detail(const struct cli *cli, const char *format, ...) PRINTF(2, 3);

/* Return: 0 for a name that a filter may have, or -1 after an error message. */
int check_name(const char *name);

/*
 * Print an error for an operation on the filter @name that failed with the
 * negative errno @ret, and a hint. @what completes "cannot ...". Return: -1.
 */
int filter_error(struct cli *cli, int ret, const char *name, const char *what);

/* The same after @done successful steps, which are not undone. */
int stop_error(struct cli *cli, int ret, const char *name, const char *what,
	       __u64 done);

/* The same for an operation without a filter. */
int plain_error(int ret, const char *what);

/*
 * Report that adding stopped after @added new keys of @count, and @renewed
 * members that got a value or a timeout. Return: -1.
 */
int added_error(__u64 added, __u64 renewed, __u64 count);

/* The same, and that @name refused further keys with the error @ret. */
int add_error(struct cli *cli, int ret, const char *name, __u64 added,
	      __u64 renewed, __u64 count);

/* Report that lists have no key although one is needed. Return: -1. */
int empty_error(bool bytes);

/* Write part of a line with control characters escaped. Return: the text. */
const char *escape(const char *text, size_t length, char *buf, size_t size);

/* Could @word be a misspelled @candidate? */
bool is_near(const char *word, const char *candidate);

/*
 * Return: the name of an existing filter that is similar to @name, to be freed,
 * or NULL.
 */
char *near_filter(struct cli *cli, const char *name);

/* Write a number of bytes with a suitable unit. Return: the text. */
const char *human_bytes(__u64 bytes, char *buf, size_t size);

#endif /* KCUCKOO_CLI_MESSAGE_H */
