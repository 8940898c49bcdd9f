/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: words for a person, on standard error
 */
#ifndef KCUCKOO_CLI_MESSAGE_H
#define KCUCKOO_CLI_MESSAGE_H

#include "cli.h"

#define PRINTF(text, first)	__attribute__((format(printf, text, first)))

/* What went wrong. Return: -1, for callers to hand on. */
int error(const char *format, ...) PRINTF(1, 2);

/* What to do next, behind error() or warn(). Return: @ret. */
int hint(int ret, const char *format, ...) PRINTF(2, 3);

/* What may go wrong; told even with -q. Return: 0. */
int warn(const char *format, ...) PRINTF(1, 2);

/* Summaries; not with -q. */
void say(const struct cli *cli, const char *format, ...) PRINTF(2, 3);

/* Return: the word that goes with @count. */
const char *plural(__u64 count, const char *one, const char *many);

/* Note that keys were not taken as they were written, where some were not. */
void say_host_bits(const struct cli *cli, const char *name, __u64 count);

/* More than most want to know; only with -v. */
void detail(const struct cli *cli, const char *format, ...) PRINTF(2, 3);

/* Return: 0 for a name that a filter may have, or -1 after an error message. */
int check_name(const char *name);

/*
 * An operation on the filter @name failed with the negative errno @ret: says
 * so with a next step. @what completes "cannot ...". Return: -1.
 */
int filter_error(struct cli *cli, int ret, const char *name, const char *what);

/* The same behind @done steps that went well, which stay. */
int stop_error(struct cli *cli, int ret, const char *name, const char *what,
	       __u64 done);

/* The same for an operation without a filter. */
int plain_error(int ret, const char *what);

/*
 * Adds stopped behind @added new ones of @count, and @renewed members that were given
 * a value or a time. Return: -1.
 */
int added_error(__u64 added, __u64 renewed, __u64 count);

/* The same, and that the kernel took no more in @name because of @ret. */
int add_error(struct cli *cli, int ret, const char *name, __u64 added,
	      __u64 renewed, __u64 count);

/* Lists without any key were given where some are needed. Return: -1. */
int empty_error(bool bytes);

/* Part of a line as text that no terminal obeys. */
const char *escape(const char *text, size_t length, char *buf, size_t size);

/* Whether @word could be a misspelled @candidate. */
bool is_near(const char *word, const char *candidate);

/* Return: the name of a filter that @name could mean, to be freed, or NULL. */
char *near_filter(struct cli *cli, const char *name);

/* Bytes in the unit that suits them. */
const char *human_bytes(__u64 bytes, char *buf, size_t size);

#endif /* KCUCKOO_CLI_MESSAGE_H */
