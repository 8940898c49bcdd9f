/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions print errors, warnings, hints and summaries on standard error, and
 * prepare text for messages.
 */
#ifndef KCUCKOO_CLI_MESSAGE_H
#define KCUCKOO_CLI_MESSAGE_H

#include <time.h>

#include "cli.h"

#define LOCAL_TIME_TEXT	32	/* size of the buffer of local_time_text(), in bytes */

/*
 * Let the compiler check the arguments of a function like printf(). @text: number of the
 * parameter that is the format. @first: number of the first argument of the format.
 */
#define PRINTF(text, first)	__attribute__((format(printf, text, first)))

/* Print an error. Return: -1, for callers to return. */
int error(const char *format, ...) PRINTF(1, 2);

/*
 * Write the next error to @buf, a buffer of @size bytes, instead of printing it, and
 * discard later errors. Until error_capture(NULL, 0) is called, error() and hint() print
 * nothing.
 */
void error_capture(char *buf, size_t size);

/* Print advice after error() or warn(). Return: @ret, for callers to return. */
int hint(int ret, const char *format, ...) PRINTF(2, 3);

/* Print a warning, even with -q. Return: 0. */
int warn(const char *format, ...) PRINTF(1, 2);

/* While @muted is true, let warn() print nothing. */
void warn_mute(bool muted);

/* Print a summary, unless the option -q is given. */
void say(const struct cli *cli, const char *format, ...) PRINTF(2, 3);

/*
 * If a configuration manages the filter @name, print that the next apply can undo a change
 * of its members, unless the option -q is given. @info: state of the filter.
 */
void say_managed(const struct cli *cli, const char *name,
		 const struct kcuckoo_ioc_info *info);

/* Return: @one if @count is 1, otherwise @many. */
const char *plural(__u64 count, const char *one, const char *many);

/*
 * Write @when as date and time of the local time zone to @buf, to the second. A time that
 * has no date becomes "an unknown time". Return: @buf.
 */
const char *local_time_text(time_t when, char *buf);

/*
 * Print the number of keys whose host bits were cleared, unless the number is 0. The host
 * bits are the bits after the prefix length.
 */
void say_host_bits(const struct cli *cli, const char *name, __u64 count);

/* Print a message only if the option -v is given. */
void detail(const struct cli *cli, const char *format, ...) PRINTF(2, 3);

bool is_valid_name(const char *name);

/* Check that @name is valid for a filter. Return: 0, or -1 after an error message. */
int check_name(const char *name);

/*
 * Print the error "cannot @what '@name': REASON" for the negative errno @ret, and advice
 * for some values of @ret. For -ENOENT, print instead that the filter does not exist. For
 * -EINVAL with an invalid name, print instead that the name is invalid. Return: -1.
 */
int filter_error(struct cli *cli, int ret, const char *name, const char *what);

/*
 * Print an error as filter_error() does, for an operation of several changes that stopped
 * after @done changes. The text of filter_error() for ENOMEM says that no member was
 * changed; if @done is positive, another text replaces it. For ESTALE, print that the name has
 * another filter or none, see key_op_recheck(). Return: -1.
 */
int stop_error(struct cli *cli, int ret, const char *name, const char *what,
	       __u64 done);

/* Print an error as filter_error() does, for an operation without a filter. Return: -1. */
int plain_error(int ret, const char *what);

/*
 * Print an error for an add that stopped early: @added of @count keys became members, and
 * at most @maybe_changed members got a new value or timeout. The kernel does not report
 * whether an add changed a member. Return: -1.
 */
int added_error(__u64 added, __u64 maybe_changed, __u64 count);

/*
 * Print why an add to the filter @name failed with the negative errno @ret. Then
 * call added_error() with the other arguments. Return: -1.
 */
int add_error(struct cli *cli, int ret, const char *name, __u64 added,
	      __u64 maybe_changed, __u64 count);

/* Print an error for lists without any key. @bytes: the keys are byte strings. Return: -1. */
int empty_error(bool bytes);

/*
 * Write a text of @length bytes to @buf. Escape backslashes, and all bytes that are not
 * printable ASCII characters. @size: size of @buf in bytes, at least 8. An escaped text of
 * at most @size - 8 bytes always fits; "..." can replace the end of a longer text. Return:
 * @buf.
 */
const char *escape(const char *text, size_t length, char *buf, size_t size);

/*
 * Return: true if @word is possibly a misspelled @candidate: at most one edit makes the two
 * words equal, or two edits if both words are longer than four letters. An edit inserts,
 * deletes or replaces a letter, or swaps two neighbours.
 */
bool is_near(const char *word, const char *candidate);

/*
 * Return: the name of an existing filter that is similar to @name, see is_near(); or NULL.
 * The caller frees the name.
 */
char *near_filter(struct cli *cli, const char *name);

/* Write a number of bytes with a unit to @buf, a buffer of @size bytes. Return: @buf. */
const char *human_bytes(__u64 bytes, char *buf, size_t size);

#endif /* KCUCKOO_CLI_MESSAGE_H */
