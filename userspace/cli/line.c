// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: one line of a list
 */
#include <stdio.h>
#include <string.h>

#include "line.h"
#include "number.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && is_blank(*at))
		at++;
	return at;
}

static bool is_comment(const char *at, const char *end)
{
	return *at == '#' || *at == ';' ||
	       (*at == '/' && end - at > 1 && at[1] == '/');
}

/* Whether a key may end before @at. */
static bool is_behind_key(const char *at, const char *end)
{
	return at == end || is_blank(*at) || *at == ',' || is_comment(at, end);
}

static void bad(struct line *line, const char *why)
{
	line->kind = LINE_BAD;
	line->why = why;
}

/*
 * Whether the word at @at was meant as an address of the same family as @key,
 * so that a slip of the pen in it is an error and not a comment.
 */
static bool looks_like_address(const char *at, const char *end,
			       const struct kcuckoo_prefix *key)
{
	bool ipv4 = key->family == KCUCKOO_FAMILY_IPV4;
	const char *allowed = ipv4 ? "0123456789." : "0123456789abcdefABCDEF:.";
	int marks = 0;

	for (; !is_behind_key(at, end) && *at != '/'; at++) {
		if (!*at || !strchr(allowed, *at))
			return false;
		marks += *at == (ipv4 ? '.' : ':');
	}
	return marks >= 2;
}

static bool is_address(const struct kcuckoo_prefix *key)
{
	return key->plen == (key->family == KCUCKOO_FAMILY_IPV4 ? 32 : 128);
}

/* The two ends of a range are known. */
static void check_range(struct line *line, bool has_slash)
{
	int order;

	if (has_slash || !is_address(&line->key) || !is_address(&line->last)) {
		bad(line, "a range goes from an address to an address, without prefix lengths");
		return;
	}
	if (line->key.family != line->last.family) {
		bad(line, "the ends of a range are of different families");
		return;
	}
	order = memcmp(line->key.addr, line->last.addr, 16);
	if (order > 0)
		bad(line, "the range ends before it begins");
	else
		line->kind = LINE_RANGE;
}

/*
 * A minus stands behind the key, with @blanks before it or not. It makes a
 * range if an address follows; otherwise it begins other people's words.
 */
static void parse_minus(const char *minus, const char *end, bool blanks,
			struct line *line)
{
	const char *at = skip_blanks(minus + 1, end), *why;
	int host_bits;
	long length;

	length = kcuckoo_prefix_scan(at, end - at, &line->last, &host_bits,
				     &why);
	if (length > 0 && is_behind_key(at + length, end)) {
		line->length = at + length - line->text;
		check_range(line, memchr(line->text, '/', line->length));
	} else if (length > 0 && looks_like_address(at, end, &line->key)) {
		bad(line, "there is more behind the range");
	} else if (looks_like_address(at, end, &line->key)) {
		bad(line, why);
	} else if (!blanks) {
		bad(line, "behind the minus of a range stands no address");
	}
}

/* Whether the word at @at is a prefix length, which a blank has cut off its address. */
static bool is_length(const char *at, const char *end)
{
	const char *digits = at + 1;

	if (at == end || *at != '/')
		return false;
	for (at = digits; at < end && *at >= '0' && *at <= '9'; at++)
		;
	return at > digits && at - digits <= 3 && is_behind_key(at, end);
}

/* What follows the key? */
static void parse_rest(const char *at, const char *end, struct line *line)
{
	const char *next = skip_blanks(at, end);

	if (memchr(at, 0, end - at))
		bad(line, "the line contains a zero byte");
	else if (next < end && *next == '-')
		parse_minus(next, end, next > at, line);
	else if (is_address(&line->key) && is_length(next, end))
		bad(line, "the prefix length stands behind a blank");
	else if (!is_behind_key(at, end))
		bad(line, "there is more directly behind the address");
}

/* Old systems end lines so: then all but the first key would be lost. */
static bool has_return_within(const char *text, size_t length)
{
	const char *at = length ? memchr(text, '\r', length) : NULL;

	return at && at + 1 < text + length;
}

void line_parse(const char *text, size_t length, struct line *line)
{
	const char *end = text + length;
	const char *at = skip_blanks(text, end);
	long scanned;

	line->kind = LINE_BLANK;
	line->host_bits = 0;
	line->why = NULL;
	line->text = at;
	line->length = 0;
	line->has = 0;
	if (has_return_within(text, length)) {
		bad(line, "a carriage return stands within the line");
		return;
	}
	if (at == end)
		return;
	if (is_comment(at, end)) {
		if (memchr(at, 0, end - at))
			bad(line, "the line contains a zero byte");
		return;
	}

	scanned = kcuckoo_prefix_scan(at, end - at, &line->key,
				      &line->host_bits, &line->why);
	if (scanned < 0) {
		line->kind = LINE_BAD;
		return;
	}
	line->kind = LINE_KEY;
	line->length = scanned;
	at += scanned;
	if (at < end)
		parse_rest(at, end, line);
}

void line_parse_key(const char *text, struct line *line)
{
	size_t length = strlen(text);

	line_parse(text, length, line);
	if (line->kind == LINE_BLANK)
		bad(line, "not an IPv4 or IPv6 address");
	else if (line->kind != LINE_BAD &&
		 (line->text != text || line->length != length))
		bad(line, "there is more behind the address");
}

void line_check_range(struct line *line, const struct form *form)
{
	if (line->kind == LINE_RANGE && form->no_ranges)
		bad(line, "a range is not one key; 'test' takes addresses and prefixes");
}

/* Return: where the word at @at ends. */
static const char *word_end(const char *at, const char *end)
{
	while (!is_behind_key(at, end))
		at++;
	return at;
}

static bool is_word(const char *at, const char *end, const char *word)
{
	return (size_t)(end - at) == strlen(word) && !memcmp(at, word, end - at);
}

/* Read the number behind one of the words. Return: where it ends, or NULL. */
static const char *parse_word(struct line *line, const char *at,
			      const char *end, int which,
			      const struct form *form)
{
	const char *behind, *why;
	bool good = false;
	__u64 number;

	at = skip_blanks(at, end);
	behind = word_end(at, end);
	if (line->has & which) {
		bad(line, "a word stands twice behind the key");
	} else if (which == LINE_VALUE) {
		good = number_scan(at, behind - at, form->most_value, &number);
		line->value = good ? number : 0;
		if (!good)
			bad(line, "behind 'value' stands no number that fits the filter's values");
	} else {
		why = duration_scan(at, behind - at, &line->timeout);
		good = !why;
		if (!good)
			bad(line, why);
	}
	line->has |= which;
	return good ? behind : NULL;
}

/* Has the filter what a word gives its keys? */
static bool has_meaning(const struct form *form, int which)
{
	return which == LINE_VALUE ? form->most_value : form->timeouts;
}

/* Read over a word that has no meaning here. Return: where its number ends, or NULL. */
static const char *skip_word(const char *at, const char *end, int which)
{
	const char *behind;
	__u64 number;
	__u32 time;

	at = skip_blanks(at, end);
	behind = word_end(at, end);
	if (which == LINE_VALUE ?
	    number_scan(at, behind - at, UINT32_MAX, &number) :
	    !duration_scan(at, behind - at, &time))
		return behind;
	return NULL;
}

void line_parse_note(struct line *line, const char *end,
		     const struct form *form)
{
	const char *at = line->text + line->length, *behind;
	int which;

	if (!form->most_value && !form->timeouts)
		return;
	while (at) {
		at = skip_blanks(at, end);
		behind = word_end(at, end);
		if (is_word(at, behind, "value"))
			which = LINE_VALUE;
		else if (is_word(at, behind, "timeout"))
			which = LINE_TIMEOUT;
		else
			break;
		at = has_meaning(form, which) ?
		     parse_word(line, behind, end, which, form) :
		     skip_word(behind, end, which);
	}
	if (line->kind != LINE_BAD && form->needs_value &&
	    !(line->has & LINE_VALUE))
		bad(line, "no value stands behind the key, and the filter needs it");
}

int line_format(const struct line *line, char *text)
{
	int length = kcuckoo_prefix_format(&line->key, text);

	if (length < 0)
		return length;
	if (line->has & LINE_VALUE)
		length += sprintf(text + length, " value %u", line->value);
	if (line->has & LINE_TIMEOUT)
		length += sprintf(text + length, " timeout %u", line->timeout);
	return length;
}

static const char too_long[] = "a key has at most 4096 bytes";

void line_take_bytes(const char *text, size_t length, struct line *line)
{
	line->kind = LINE_BYTES;
	line->host_bits = 0;
	line->has = 0;
	line->text = text;
	line->length = length;
	line->bytes = text;
	line->size = length;
	if (length > KCUCKOO_BYTES_MAX)
		bad(line, too_long);
}

void line_take_hex(const char *text, size_t length, struct line *line)
{
	size_t i;

	if (length && text[length - 1] == '\r')
		length--;
	line_take_bytes(text, length / 2, line);
	line->length = length;
	line->bytes = line->room;
	if (line->kind == LINE_BAD)
		return;
	if (length % 2) {
		bad(line, "a byte has two hexadecimal digits");
		return;
	}
	for (i = 0; i < line->size; i++) {
		unsigned int high = hex_digit(text[2 * i]);
		unsigned int low = hex_digit(text[2 * i + 1]);

		if (high > 15 || low > 15) {
			bad(line, "it is not in hexadecimal");
			return;
		}
		line->room[i] = high << 4 | low;
	}
}
