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
	LINE_ALLOWED,	/* a range that its list allows: not a key */
	LINE_BAD,
};

/* What a key is written as. */
enum syntax_kind {
	SYNTAX_INET,	/* an address, prefix or range; other words may follow */
	SYNTAX_BYTES,	/* a line is a key, with all that is on it */
	SYNTAX_HEX,	/* the same in hexadecimal */
	SYNTAX_BINARY,	/* as SYNTAX_BYTES, but nothing is unpacked, converted or left out */
};

/* How the addresses of a line are laid out. */
enum layout {
	LAYOUT_LIST,		/* a key or range, then other columns */
	LAYOUT_HOSTPORT,	/* the same, with a port after an address */
	LAYOUT_ROW,		/* any number of keys and ranges between other columns */
};

/**
 * struct syntax - how lines are to be read
 * @kind: enum syntax_kind
 * @max_value: behind an address may stand "value" and a number up to this; 0
 *	where that has no meaning
 * @timeouts: behind an address may stand "timeout" and a time
 * @needs_value: every line must tell a value
 * @no_ranges: a range is a bad line
 * @member: of archives, read only the files whose path fits this pattern; or NULL
 * @layout: enum layout, of lines of lists
 * @ranges: two addresses in columns are the ends of a range
 * @exact: IPv4-mapped IPv6 addresses are not translated
 */
struct syntax {
	enum syntax_kind kind;
	__u32 max_value;
	bool timeouts;
	bool needs_value;
	bool no_ranges;
	const char *member;
	enum layout layout;
	bool ranges;
	bool exact;
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
 * @text: the key or range as it was written, within the line; a key that was written
 *	in several fields in canonical form
 * @length: of @text
 * @rest: where in the line that follows which is not part of the key
 * @mapped: the key is IPv4 and was written as an IPv4-mapped IPv6 address
 * @bare: the key is an address that was written without a prefix length
 * @has_number: a number follows the key directly, and was ignored
 * @has_second: a second address was taken as a mask or as the end of a range
 * @bytes: a byte string
 * @size: its length
 * @has: what stands behind the key: LINE_VALUE, LINE_TIMEOUT
 * @value: the number behind "value"
 * @timeout: the seconds behind "timeout"
 * @why: what is wrong with a bad line
 * @decoded: where a byte string is that was written in hexadecimal
 * @canonical: where a key is that was written in several fields
 */
struct line {
	enum line_kind kind;
	int host_bits;
	struct kcuckoo_prefix key;
	struct kcuckoo_prefix last;
	const char *text;
	size_t length;
	const char *rest;
	bool mapped;
	bool bare;
	bool has_number;
	bool has_second;
	const void *bytes;
	size_t size;
	int has;
	__u32 value;
	__u32 timeout;
	const char *why;
	uint8_t decoded[KCUCKOO_BYTES_MAX];
	char canonical[128];
};

/*
 * Read the @length bytes at @text, a line of a list of addresses without its newline.
 * A line is understood whole or is bad. Of LAYOUT_ROW it is the first key or range.
 */
void line_parse(const char *text, size_t length, const struct syntax *syntax,
		struct line *line);

/*
 * Of LAYOUT_ROW, read the key or range that follows in the line that ends at @end.
 * Return: false where none follows.
 */
bool line_parse_next(const char *end, const struct syntax *syntax,
		     struct line *line);

/* The same for a key on the command line: nothing may follow it. */
void line_parse_key(const char *text, const struct syntax *syntax,
		    struct line *line);

/* Mark a line as bad, with a constant text that says why. */
static inline void line_bad(struct line *line, const char *why)
{
	line->kind = LINE_BAD;
	line->why = why;
}

/* Room for any line that line_format() writes. */
#define LINE_TEXT	96

/*
 * Write a line with the key and what @line->has says, without a newline: one
 * that line_parse() reads back, where the key is not an IPv4-mapped one. Return: its length, or
 * -EINVAL for a key that is none.
 */
int line_format(const struct line *line, char *text);

/* Take all of a line as a byte string. */
void line_take_bytes(const char *text, size_t length, struct line *line);

/* The same for one in hexadecimal, two digits a byte. */
void line_take_hex(const char *text, size_t length, struct line *line);

#endif /* KCUCKOO_CLI_LINE_H */
