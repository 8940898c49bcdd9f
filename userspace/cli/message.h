/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: words for a person, on standard error
 */
#ifndef KCUCKOO_CLI_MESSAGE_H
#define KCUCKOO_CLI_MESSAGE_H

#include "cli.h"

/* What went wrong, and what to do next. Return: -1, for callers to hand on. */
int error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What may go wrong; told even with -q. */
void warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Summaries; not with -q. */
void say(const struct cli *cli, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* More than most want to know; only with -v. */
void detail(const struct cli *cli, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * An operation on the filter @name failed with the negative errno @ret: says
 * so with a next step. @what completes "cannot ...". Return: -1.
 */
int filter_error(struct cli *cli, int ret, const char *name, const char *what);

/* The same for an operation without a filter. */
int plain_error(int ret, const char *what);

/* The adds to @name stopped with @ret behind @added new ones of @count. */
int add_error(struct cli *cli, int ret, const char *name, uint64_t added,
	      uint64_t count);

/* Part of a line as text that no terminal obeys. */
const char *escape(const char *text, size_t length, char *room, size_t size);

/* Whether @word could be a misspelled @candidate. */
bool is_near(const char *word, const char *candidate);

/* Bytes in the unit that suits them. */
const char *human_bytes(uint64_t bytes, char *room, size_t size);

#endif /* KCUCKOO_CLI_MESSAGE_H */
