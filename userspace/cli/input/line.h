/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions parse a line of a list, or an operand, as a key.
 */
#ifndef KCUCKOO_CLI_LINE_H
#define KCUCKOO_CLI_LINE_H

#include "cli.h"
#include "input/layout.h"

enum line_kind {
	LINE_BLANK,	/* nothing, or a comment */
	LINE_KEY,	/* an address or prefix */
	LINE_RANGE,	/* two addresses */
	LINE_BYTES,	/* a byte string */
	LINE_ALLOWED,	/* a range that its list allows: not a key */
	LINE_BAD,
};

/* Syntaxes of keys. */
enum syntax_kind {
	SYNTAX_INET,	/* an address, prefix or range; other words may follow */
	SYNTAX_BYTES,	/* the whole line is a key */
	SYNTAX_HEX,	/* the whole line is a key in hexadecimal */
	SYNTAX_BINARY,	/* as SYNTAX_BYTES, but nothing is unpacked, converted or left out */
};

/**
 * struct syntax - how lines are parsed
 * @kind: enum syntax_kind
 * @max_value: "value" and a number up to this may follow an address; 0 if the
 *	filter has no values
 * @timeouts: "timeout" and a duration may follow an address
 * @needs_value: each line must have a value
 * @no_ranges: a line with a range is bad
 * @member: pattern for paths in archives: only files that match it are read.
 *	NULL for all files
 * @layout: enum layout of lines with addresses
 * @column: argument of --column: the columns of a CSV with the keys; or NULL
 * @recognize: the layout of each text is recognized, and @layout does not apply
 * @ranges: two addresses in columns are the ends of a range
 * @levels: the list is ipfilter.dat, in which a number in the column after a range is
 *	its level
 * @lengths: the list is the one of DShield, in which the third column has a prefix
 *	length and other columns have names
 * @exact: IPv4-mapped IPv6 addresses are not translated to IPv4
 * @any_kind: texts of layouts for byte strings are read as byte strings, also if
 *	@kind is SYNTAX_INET
 * @exceptions: the caller collects exceptions, such as "192.0.2.1 nomatch".
 *	Otherwise a line with an exception is bad
 * @json_keys: keys that have addresses in JSON, with commas between; NULL for
 *	the known ones
 * @json_where: condition KEY:VALUE that objects in JSON must meet, or NULL
 */
struct syntax {
	enum syntax_kind kind;
	__u32 max_value;
	bool timeouts;
	bool needs_value;
	bool no_ranges;
	const char *member;
	enum layout layout;
	const char *column;
	bool recognize;
	bool ranges;
	bool levels;
	bool lengths;
	bool exact;
	bool any_kind;
	bool exceptions;
	const char *json_keys;
	const char *json_where;
};

/* Bits of @has of struct line. */
#define LINE_VALUE	1
#define LINE_TIMEOUT	2

/**
 * struct line - the content of a line
 * @kind: enum line_kind
 * @host_bits: host bits of @key were set in the text; they are cleared in @key
 * @key: the key, or the first address of a range
 * @last: the last address of a range
 * @text: the key or range as it was written, a part of the line; or, for a key
 *	that was written in several fields, its canonical form
 * @length: length of @text
 * @rest: the rest of the line after the key and the columns that were used
 * @mapped: the key is IPv4 and was written as an IPv4-mapped IPv6 address
 * @bare: the key is an address that was written without a prefix length
 * @has_number: a number follows the key directly, and was ignored
 * @has_second: a second address was taken as a mask or as the end of a range
 * @has_third: the third column has the length of the network, which was checked
 * @exception: the key or range must not be blocked. @kind is LINE_KEY or
 *	LINE_RANGE
 * @bytes: a byte string, in the line or in @decoded
 * @size: length of the byte string
 * @has: LINE_VALUE if the line has a value, and LINE_TIMEOUT if it has a
 *	timeout
 * @value: the number after "value"
 * @timeout: the seconds after "timeout"
 * @why: text of the error of a bad line
 * @decoded: buffer for a byte string that was written in hexadecimal
 * @canonical: buffer for the text of a key that was written in several fields
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
	bool has_third;
	bool exception;
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
 * Parse a line of a list of addresses, the @length bytes at @text without the
 * newline. A line is bad if a part of it is not understood. With LAYOUT_ROW,
 * parse the first key or range of the line.
 */
void line_parse(const char *text, size_t length, const struct syntax *syntax,
		struct line *line);

/*
 * Return: why a line of text is bad that has a zero byte, or a carriage return before
 * its last byte; or NULL for another line.
 */
const char *line_broken(const char *text, size_t length);

/*
 * With LAYOUT_ROW, parse the next key or range of the line that ends at @end.
 * Return: false if the line has no further key.
 */
bool line_parse_next(const char *end, const struct syntax *syntax,
		     struct line *line);

/* Parse the operand @text as a key. The line is bad if text follows the key. */
void line_parse_key(const char *text, const struct syntax *syntax,
		    struct line *line);

/*
 * Parse the key or range at the start of the @length bytes at @text. The text
 * after it is not checked.
 */
void line_parse_start(const char *text, size_t length,
		      const struct syntax *syntax, struct line *line);

/*
 * Is the line a name, a colon and an IPv4 range, as line_parse() reads it? The lines
 * of lists for peer-to-peer programs are.
 */
bool line_is_p2p(const char *text, size_t length);

/*
 * Check the name of such a line, from @text to @colon. If it begins with '!', '+' or
 * "@@" or is a word such as "allow", the range is an exception; mark the line as bad
 * if the caller does not collect exceptions.
 */
void line_check_name(struct line *line, const char *text, const char *colon,
		     const struct syntax *syntax);

/* Error text for a range where only single keys may be given. */
extern const char line_no_range[];

/* As line_parse_key(), for the @length bytes at @text. */
void line_parse_alone(const char *text, size_t length,
		      const struct syntax *syntax, struct line *line);

/*
 * Mark the line as bad if it has no value, and each line must have one.
 */
void line_check_needed(struct line *line, const struct syntax *syntax);

/* Mark a line as bad. @why: constant text of the error. */
static inline void line_bad(struct line *line, const char *why)
{
	line->kind = LINE_BAD;
	line->why = why;
}

/* Size of a buffer for a line that line_format() writes. */
#define LINE_TEXT	96

/*
 * Write the key to @text, with the value and the timeout that @line->has names,
 * and without a newline. line_parse() reads the text back, unless the key is
 * IPv4-mapped. Return: the length of the text, or -EINVAL for an invalid key.
 */
int line_format(const struct line *line, char *text);

/* Parse a whole line as a byte string. The bytes stay at @text. */
void line_take_bytes(const char *text, size_t length, struct line *line);

/*
 * Parse a whole line as a byte string in hexadecimal, with two digits per byte.
 */
void line_take_hex(const char *text, size_t length, struct line *line);

#endif /* KCUCKOO_CLI_LINE_H */
