/* SPDX-License-Identifier: GPL-2.0-only */
/* These functions parse a line of a list, or an operand of the command line, as a key. */
#ifndef KCUCKOO_CLI_LINE_H
#define KCUCKOO_CLI_LINE_H

#include "cli.h"
#include "input/layout.h"

/* Kinds of lines. */
enum line_kind {
	LINE_BLANK,	/* nothing, or a comment */
	LINE_KEY,	/* an address or prefix */
	LINE_RANGE,	/* two addresses, the ends of a range */
	LINE_BYTES,	/* a byte string */
	LINE_ALLOWED,	/* a range that ipfilter.dat allows: not a key */
	LINE_BAD,	/* a line with an error, which @why of struct line describes */
};

/* Syntaxes of keys. */
enum syntax_kind {
	SYNTAX_INET,	/* an address, prefix or range; other words can follow */
	SYNTAX_BYTES,	/* the whole line is a key */
	SYNTAX_HEX,	/* the whole line is a key in hexadecimal */
	SYNTAX_BINARY,	/* like SYNTAX_BYTES, but nothing is unpacked, converted or removed */
};

/**
 * struct syntax - how lines are parsed
 * @kind: enum syntax_kind
 * @max_value: maximum number after the word "value", which can follow an address; 0 if
 *	the filter has no values
 * @timeouts: the filter has timeouts: "timeout" and a duration can follow an address
 * @needs_value: each line must have a value, unless @max_value is 0
 * @no_ranges: error text for a line with a range, for commands that do not accept
 *	ranges. NULL if a range is valid
 * @member: argument of --member: in an archive, only files whose path matches this
 *	pattern are read. NULL for all files
 * @layout: layout of lists whose name has no format, if @recognize is false
 * @column: argument of --column: names or numbers of the columns of a CSV table that
 *	have the keys; or NULL
 * @recognize: find the layout of lists whose name has no format. Ignored with SYNTAX_HEX and
 *	SYNTAX_BINARY
 * @ranges: two addresses in adjacent columns are the ends of a range
 * @levels: the list is ipfilter.dat: a number in the column after a range is the
 *	level of the range, see columns_check_level()
 * @lengths: the list has the layout of DShield: the third column has a prefix length,
 *	and later columns have names
 * @exact: do not translate IPv4-mapped IPv6 addresses to IPv4
 * @any_kind: if the layout of a text is for byte strings only, read the text as byte
 *	strings, even if @kind is SYNTAX_INET
 * @exceptions: the caller collects exceptions, such as "192.0.2.1 nomatch".
 *	Otherwise a line with an exception is bad
 * @json_keys: JSON keys that have addresses, with commas between them; NULL for the
 *	default keys (known_keys in selection.c)
 * @json_where: condition KEY:VALUE that objects in JSON must meet, or NULL
 * @configured: the list is from a configuration. Messages name keys of the configuration instead
 *	of options. Only a regular file or /dev/null is read, because a pipe could block 'kcuckoo
 *	apply' at boot
 */
struct syntax {
	enum syntax_kind kind;
	__u32 max_value;
	bool timeouts;
	bool needs_value;
	const char *no_ranges;
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
	bool configured;
};

/* Bits of @has of struct line. */
#define LINE_VALUE	1
#define LINE_TIMEOUT	2

/**
 * struct line - the content of a line
 * @kind: enum line_kind
 * @host_bits: 1 if host bits of the key were set in the text, otherwise 0. All host
 *	bits are clear in @key
 * @key: the key, or the first address of a range
 * @last: the last address of a range
 * @text: the key or range as it is written in the line. If the key is written in
 *	several fields, @text points to @canonical
 * @length: length of @text
 * @rest: start of the rest of the line, after the key and the columns that were used
 * @mapped: the key is written as an IPv4-mapped IPv6 address, and was translated to
 *	IPv4
 * @bare: the key is an address without a prefix length. key_parse() does not set @bare if the
 *	key ends the line, see key_check_bare()
 * @has_number: the column after the key has a number that is not a part of the key
 * @has_second: a second address was used as a mask, a wildcard (an inverted mask), or
 *	the last address of a range or network
 * @has_third: the first two columns are a network, and the third column repeats the
 *	prefix length or the mask of this network
 * @exception: the key or range must not be blocked. No meaning if @kind is LINE_BAD
 * @bytes: the byte string of LINE_BYTES, in the line or in @decoded
 * @size: length of the byte string in bytes
 * @has: LINE_VALUE if @value is valid, and LINE_TIMEOUT if @timeout is valid
 * @lost: LINE_VALUE if the line has a value other than 0, but the filter has no values;
 *	LINE_TIMEOUT if the line has a timeout other than never, but the filter has no
 *	timeouts. No meaning if @kind is LINE_BYTES
 * @value: the value of the key
 * @timeout: the timeout of the key in seconds, or 0 for never
 * @why: text of the error of a bad line
 * @decoded: buffer for a byte string that must be decoded, such as one in hexadecimal
 * @canonical: buffer for the text of a key or range that is written in several fields
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
	int lost;
	__u32 value;
	__u32 timeout;
	const char *why;
	uint8_t decoded[KCUCKOO_BYTES_MAX];
	char canonical[128];
};

/*
 * Parse a line of a list of addresses: the @length bytes at @text, without the newline.
 * The line is bad if a part of the line cannot be parsed and could change the meaning
 * of the key. With LAYOUT_ROW, parse the first key or range of the line.
 */
void line_parse(const char *text, size_t length, const struct syntax *syntax,
		struct line *line);

/*
 * Return: the text of an error if the line has a zero byte, or a carriage return before its last
 * byte; otherwise NULL.
 */
const char *line_broken(const char *text, size_t length);

/*
 * With LAYOUT_ROW, parse the next key or range after @line->rest. @end: end of the line. Return:
 * false if the line has no further key, or was already bad before this call.
 */
bool line_parse_next(const char *end, const struct syntax *syntax,
		     struct line *line);

/* Parse the operand @text like line_parse_alone(). */
void line_parse_key(const char *text, const struct syntax *syntax,
		    struct line *line);

/* Parse the key or range at the start of the @length bytes at @text. */
void line_parse_start(const char *text, size_t length,
		      const struct syntax *syntax, struct line *line);

/*
 * Return: true if line_parse() reads the line as NAME:FIRST-LAST, with an IPv4 range. Lists for
 * peer-to-peer programs have such lines.
 */
bool line_is_p2p(const char *text, size_t length);

/*
 * Check NAME, the text from @text to @colon, of a line NAME:FIRST-LAST. If NAME begins with '!',
 * '+' or "@@", or is a word such as "allow", the range is an exception. For an exception, set
 * @exception of @line; or mark @line as bad if @exceptions of @syntax is not set.
 */
void line_check_name(struct line *line, const char *text, const char *colon,
		     const struct syntax *syntax);

/* Parse the @length bytes at @text, which must be a key or range and nothing else. */
void line_parse_alone(const char *text, size_t length,
		      const struct syntax *syntax, struct line *line);

/*
 * Return: true if the @length bytes at @text are a range that begins at the key of @line, or a
 * larger network with the same first address.
 */
bool line_is_within(const struct line *line, const char *text, size_t length,
		    const struct syntax *syntax);

/*
 * Mark the line as bad if the line has no value, but the filter has values and
 * @needs_value of the syntax is set.
 */
void line_check_needed(struct line *line, const struct syntax *syntax);

/* Mark a line as bad. @why: constant text of the error. */
static inline void line_bad(struct line *line, const char *why)
{
	line->kind = LINE_BAD;
	line->why = why;
}

/* Size in bytes of the buffer of line_format(). */
#define LINE_TEXT	96

/*
 * Write the key of @line to @text, with the value and timeout that @has of @line names. The text
 * has no newline. Return: the length of the text, or -EINVAL for an invalid key.
 */
int line_format(const struct line *line, char *text);

/*
 * Use a whole line as a byte string. @line->bytes points to @text, which must outlive
 * @line. The line is bad if it is longer than KCUCKOO_BYTES_MAX.
 */
void line_take_bytes(const char *text, size_t length, struct line *line);

/*
 * Parse a whole line as a byte string in hexadecimal, with two digits per byte. Ignore a
 * carriage return at the end of the line.
 */
void line_take_hex(const char *text, size_t length, struct line *line);

#endif /* KCUCKOO_CLI_LINE_H */
