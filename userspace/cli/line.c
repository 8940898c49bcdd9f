// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: one line of a list
 */
#include <string.h>

#include "line.h"

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
	return marks >= (ipv4 ? 3 : 2);
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
	else if (order < 0)
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

/* What follows the key? */
static void parse_rest(const char *at, const char *end, struct line *line)
{
	const char *next = skip_blanks(at, end);

	if (memchr(at, 0, end - at))
		bad(line, "the line contains a zero byte");
	else if (next < end && *next == '-')
		parse_minus(next, end, next > at, line);
	else if (!is_behind_key(at, end))
		bad(line, "there is more directly behind the address");
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
