/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: one line of a list
 */
#ifndef KCUCKOO_CLI_LINE_H
#define KCUCKOO_CLI_LINE_H

#include "cli.h"

enum line_kind {
	LINE_BLANK,	/* nothing, or a comment */
	LINE_KEY,	/* an address or prefix */
	LINE_RANGE,	/* two addresses */
	LINE_BAD,
};

/**
 * struct line - what a line says
 * @kind: enum line_kind
 * @host_bits: host bits of @key were set, and are cleared
 * @key: the key, or the first address of a range
 * @last: the last address of a range
 * @text: the key or range as it was written, within the line
 * @length: of @text
 * @why: what is wrong with a bad line
 */
struct line {
	enum line_kind kind;
	int host_bits;
	struct kcuckoo_prefix key;
	struct kcuckoo_prefix last;
	const char *text;
	size_t length;
	const char *why;
};

/*
 * Read the @length bytes at @text, a line of a list without its newline. The
 * first thing on it is the key; what follows a blank, comma, semicolon or
 * comment sign is other people's columns.
 */
void line_parse(const char *text, size_t length, struct line *line);

/* The same for a key on the command line: nothing may follow it. */
void line_parse_key(const char *text, struct line *line);

#endif /* KCUCKOO_CLI_LINE_H */
