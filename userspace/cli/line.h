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
	LINE_BYTES,	/* a byte string */
	LINE_BAD,
};

/* What a key is written as. */
enum form_kind {
	FORM_INET,	/* an address, prefix or range; other words may follow */
	FORM_BYTES,	/* a line is a key, with all that is on it */
	FORM_HEX,	/* the same in hexadecimal */
	FORM_BINARY,	/* as FORM_BYTES, but nothing is unpacked, converted or left out */
};

/**
 * struct form - how lines are to be read
 * @kind: enum form_kind
 * @most_value: behind an address may stand "value" and a number up to this; 0
 *	where that has no meaning
 * @timeouts: behind an address may stand "timeout" and a time
 * @needs_value: every line must tell a value
 * @no_ranges: a range is a bad line
 * @member: of archives, read only the files whose path fits this pattern; or NULL
 */
struct form {
	enum form_kind kind;
	__u32 most_value;
	bool timeouts;
	bool needs_value;
	bool no_ranges;
	const char *member;
};

/* @has of a line. */
#define LINE_VALUE	1
#define LINE_TIMEOUT	2

/**
 * struct line - what a line says
 * @kind: enum line_kind
 * @host_bits: host bits of @key were set, and are cleared
 * @key: the key, or the first address of a range
 * @last: the last address of a range
 * @text: the key or range as it was written, within the line
 * @length: of @text
 * @bytes: a byte string
 * @size: its length
 * @has: what stands behind the key: LINE_VALUE, LINE_TIMEOUT
 * @value: the number behind "value"
 * @timeout: the seconds behind "timeout"
 * @why: what is wrong with a bad line
 * @room: where a byte string is that was written in hexadecimal
 */
struct line {
	enum line_kind kind;
	int host_bits;
	struct kcuckoo_prefix key;
	struct kcuckoo_prefix last;
	const char *text;
	size_t length;
	const void *bytes;
	size_t size;
	int has;
	__u32 value;
	__u32 timeout;
	const char *why;
	uint8_t room[KCUCKOO_BYTES_MAX];
};

/*
 * Read the @length bytes at @text, a line of a list without its newline. The
 * first thing on it is the key; what follows a blank, comma, semicolon or
 * comment sign is other people's columns.
 */
void line_parse(const char *text, size_t length, struct line *line);

/* The same for a key on the command line: nothing may follow it. */
void line_parse_key(const char *text, struct line *line);

/* Where @form has no ranges, a range is bad. */
void line_check_range(struct line *line, const struct form *form);

/*
 * Behind the key or range of a line that line_parse() has read, read what @form
 * gives a meaning: "value N" and "timeout T", in any order. Where it gives one to
 * either, the other is read over. The first other word begins other people's columns.
 * @end: where the line ends.
 */
void line_parse_note(struct line *line, const char *end,
		     const struct form *form);

/* Room for any line that line_format() writes. */
#define LINE_TEXT	96

/*
 * Write a line with the key and what @line->has says, without a newline: one
 * that line_parse() and line_parse_note() read back. Return: its length, or
 * -EINVAL for a key that is none.
 */
int line_format(const struct line *line, char *text);

/* Take all of a line as a byte string. */
void line_take_bytes(const char *text, size_t length, struct line *line);

/* The same for one in hexadecimal, two digits a byte. */
void line_take_hex(const char *text, size_t length, struct line *line);

#endif /* KCUCKOO_CLI_LINE_H */
