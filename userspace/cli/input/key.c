// SPDX-License-Identifier: GPL-2.0-only
/* These functions parse the key or range at the start of a line. */
#include <stdio.h>
#include <string.h>

#include "input/field.h"
#include "input/key.h"
#include "number.h"

/* Number of bits before the IPv4 address in an IPv4-mapped IPv6 address. */
#define MAPPED	96

int key_bytes(const struct kcuckoo_prefix *key)
{
	return key->family == KCUCKOO_FAMILY_IPV4 ? 4 : 16;
}

void key_set_last(const struct kcuckoo_prefix *key, struct kcuckoo_prefix *last)
{
	int bit;

	*last = *key;
	for (bit = key->plen; bit < 8 * key_bytes(key); bit++)
		last->addr[bit / 8] |= 0x80 >> bit % 8;
}

bool key_is_bound(const struct kcuckoo_prefix *key, const struct kcuckoo_prefix *bound,
		  const struct kcuckoo_prefix *address)
{
	int last = key_bytes(bound) - 1;

	if (bound->family != address->family || memcmp(bound->addr, address->addr, last))
		return false;
	return bound->addr[last] == address->addr[last] ||
	       (key->plen < 8 * last + 7 && (bound->addr[last] ^ address->addr[last]) == 1);
}

void key_map(struct kcuckoo_prefix *key)
{
	static const uint8_t mapped[MAPPED / 8] = { [10] = 0xff, [11] = 0xff };

	if (key->family != KCUCKOO_FAMILY_IPV4)
		return;
	memmove(key->addr + sizeof(mapped), key->addr, 4);
	memcpy(key->addr, mapped, sizeof(mapped));
	key->family = KCUCKOO_FAMILY_IPV6;
	key->plen += MAPPED;
}

struct kcuckoo_prefix key_as_written(const struct line *line)
{
	struct kcuckoo_prefix key = line->key;

	if (memchr(line->text, ':', line->length))
		key_map(&key);
	return key;
}

static bool is_address(const struct kcuckoo_prefix *key)
{
	return key->plen == 8 * key_bytes(key);
}

/* Return: the number of leading bits of @addr that equal @ones. */
static int leading_bits(const uint8_t *addr, int bytes, bool ones)
{
	int bit;

	for (bit = 0; bit < 8 * bytes; bit++)
		if ((addr[bit / 8] >> (7 - bit % 8) & 1) != ones)
			break;
	return bit;
}

bool key_is_ones(const struct kcuckoo_prefix *key)
{
	int bytes = key_bytes(key);

	return leading_bits(key->addr, bytes, true) == 8 * bytes;
}

bool key_has_tail(const struct kcuckoo_prefix *key, int plen, bool ones)
{
	int bit;

	for (bit = plen; bit < 8 * key_bytes(key); bit++)
		if ((key->addr[bit / 8] >> (7 - bit % 8) & 1) != ones)
			return false;
	return true;
}

bool key_is_block(const struct kcuckoo_prefix *key, __u64 number)
{
	int total = 8 * key_bytes(key), bits = 0;

	if (number < 8)
		return false;
	if (number & (number - 1))
		return !(number % 256) && key_has_tail(key, total - 8, false);
	while (number >> bits > 1)
		bits++;
	return bits <= total && key_has_tail(key, total - bits, false);
}

int key_mask_length(const struct kcuckoo_prefix *first,
		    const struct kcuckoo_prefix *second, bool wildcard)
{
	int plen = leading_bits(second->addr, key_bytes(first), !wildcard);

	return key_has_tail(second, plen, wildcard) &&
	       key_has_tail(first, plen, false) ? plen : -1;
}

int key_common_length(const struct kcuckoo_prefix *first,
		      const struct kcuckoo_prefix *last)
{
	int bits = 8 * key_bytes(first), plen = 0;

	while (plen < bits &&
	       !((first->addr[plen / 8] ^ last->addr[plen / 8]) & 0x80 >> plen % 8))
		plen++;
	return key_has_tail(first, plen, false) &&
	       key_has_tail(last, plen, true) ? plen : -1;
}

static uint64_t number_of(const struct kcuckoo_prefix *key)
{
	return (uint64_t)key->addr[0] << 24 | key->addr[1] << 16 |
	       key->addr[2] << 8 | key->addr[3];
}

/* Return: true if an IPv4 range covers at least one whole prefix of length 7. */
static bool covers_short_prefix(const struct kcuckoo_prefix *first,
				const struct kcuckoo_prefix *last)
{
	const uint64_t size = 1 << (32 - 7);
	uint64_t start = (number_of(first) + size - 1) / size * size;

	return start + size - 1 <= number_of(last);
}

/*
 * Choose the family of a range whose two addresses are both written as IPv6. The library has
 * translated each IPv4-mapped address to IPv4. Keep the range as IPv4 only if both addresses
 * were translated and the range covers no whole IPv4 prefix shorter than /8. The library does
 * not translate such prefixes either.
 */
static void set_range_family(struct line *line, const char *first,
			     const char *second, size_t length)
{
	if (!memchr(first, ':', line->length) || !memchr(second, ':', length))
		return;
	if (line->key.family == KCUCKOO_FAMILY_IPV4 &&
	    line->last.family == KCUCKOO_FAMILY_IPV4 &&
	    !covers_short_prefix(&line->key, &line->last))
		return;
	key_map(&line->key);
	key_map(&line->last);
	line->mapped = false;
}

void key_set_range(struct line *line, const char *first, const char *second,
		   size_t length)
{
	int order;

	if (memchr(first, '/', line->length) || memchr(second, '/', length)) {
		line_bad(line, "a range goes from address to address, without prefix lengths");
		return;
	}
	set_range_family(line, first, second, length);
	if (line->key.family != line->last.family) {
		line_bad(line, "the ends of a range are of different families");
		return;
	}
	order = memcmp(line->key.addr, line->last.addr, 16);
	line->bare = false;
	if (order > 0)
		line_bad(line, "the range ends before it begins");
	else
		line->kind = LINE_RANGE;
}

/*
 * Return: true if the word at @at looks like an address of the family of @key, and not like a
 * remark after the key.
 */
static bool looks_like_address(const char *at, const char *end,
			       const struct kcuckoo_prefix *key)
{
	bool ipv4 = key->family == KCUCKOO_FAMILY_IPV4;
	const char *allowed = ipv4 ? "0123456789." : "0123456789abcdefABCDEF:.";
	int marks = 0;

	for (; !is_key_end(at, end) && *at != '/'; at++) {
		if (!*at || !strchr(allowed, *at))
			return false;
		marks += *at == (ipv4 ? '.' : ':');
	}
	return marks >= 2;
}

/*
 * Return: true if the text at @at can be the short form of the last address of a range, as in
 * "192.0.2.0 - 255". After a dash, a number can also begin a remark, such as "5 attacks", so the
 * number must be alone in its column. @dash: the range separator is a dash.
 */
static bool is_short_end(const char *at, const char *end, bool dash,
			 const struct kcuckoo_prefix *key)
{
	bool ipv4 = key->family == KCUCKOO_FAMILY_IPV4, figure = false;
	const char *start = at;

	for (; !is_key_end(at, end); at++) {
		bool digit = ipv4 ? *at >= '0' && *at <= '9' : hex_digit(*at) < 16;

		figure |= digit;
		if (!digit && *at != '.' && (ipv4 || *at != ':'))
			return false;
	}
	/* The longest group of an IPv6 address has four digits. */
	if (!figure || (!ipv4 && at - start > 4 && !memchr(start, ':', at - start)))
		return false;
	at = skip_blanks(at, end);
	return !dash || *start == '.' || *start == ':' || at == end ||
	       is_column_sign(*at) || is_comment(at, end);
}

/*
 * Skip the range separator at @next, such as "-" or "to". The key ends at @at, and only blanks
 * are between @at and @next. Return: the end of the separator, or NULL.
 */
static const char *skip_range_sign(const char *at, const char *next,
				   const char *end)
{
	ptrdiff_t left = end - next;

	switch (*next) {
	case '-':
		return next + (left > 1 && next[1] == '>' ? 2 : 1);
	case '.':
		return left > 1 && next[1] == '.' ? next + 2 : NULL;
	case '\xe2':	/* an en dash */
		return left > 2 && !memcmp(next, "\xe2\x80\x93", 3) ? next + 3 : NULL;
	case 't':
		return next > at && left > 2 && next[1] == 'o' &&
		       is_blank(next[2]) ? next + 2 : NULL;
	default:
		return NULL;
	}
}

/*
 * Return: true if the last address of a range could be a mask of the first address. The last of
 * all addresses, and the last address of a network that begins at the first address, do not
 * count as masks.
 */
static bool ends_with_mask(const struct line *line)
{
	int mask = key_mask_length(&line->key, &line->last, false);

	return mask >= 0 && mask < 8 * key_bytes(&line->key) &&
	       key_common_length(&line->key, &line->last) < 0;
}

/*
 * Parse the second address of a range. @at: end of the range separator. @blanks: blanks precede
 * the separator. After blanks, a separator without an address can begin a remark.
 */
static void parse_range(const char *at, const char *end, bool blanks,
			const struct syntax *syntax, struct line *line)
{
	/* The last byte of an en dash is \x93. */
	bool dash = at[-1] == '-' || at[-1] == '\x93';
	const char *why;
	int host_bits;
	long length;

	at = skip_blanks(at, end);
	length = key_scan(at, end, syntax, &line->last, &host_bits, &why);
	if (length > 0 && is_key_end(at + length, end)) {
		key_set_range(line, line->text, at, length);
		if (line->kind == LINE_RANGE && ends_with_mask(line))
			line_bad(line, "the end of the range could be a mask: write ADDRESS/LENGTH");
		line->rest = at + length;
		line->length = line->rest - line->text;
	} else if (length > 0 && (looks_like_address(at, end, &line->key) ||
				  !is_name_sign(at[length]))) {
		line_bad(line, "unexpected text directly after the range");
	} else if (looks_like_address(at, end, &line->key)) {
		line_bad(line, why);
	} else if (!blanks || is_short_end(at, end, dash, &line->key)) {
		line_bad(line, "no address follows the range separator");
	}
}

void key_rewrite(struct line *line)
{
	line->length = kcuckoo_prefix_format(&line->key, line->canonical);
	line->text = line->canonical;
}

void key_set_length(struct line *line, const char *at, const char *end,
		    const struct syntax *syntax)
{
	int size = sizeof(line->canonical), length;
	const char *why = NULL, *text = line->canonical;

	length = snprintf(line->canonical, size, "%.*s/%.*s", (int)line->length,
			  line->text, (int)(end - at), at);
	if (length < size &&
	    key_scan(text, text + length, syntax, &line->key, &line->host_bits,
		     &why) == length)
		key_rewrite(line);
	else
		line_bad(line, why ? why : "unexpected text directly after the prefix length");
	line->bare = false;
}

/*
 * Parse the prefix length or mask after a slash that blanks separate from the address.
 * If neither a prefix length nor a mask follows, ignore the slash.
 */
static void parse_slash(const char *slash, const char *end,
			const struct syntax *syntax, struct line *line)
{
	const char *at = skip_blanks(slash + 1, end), *after = at;

	while (after < end && ((*after >= '0' && *after <= '9') || *after == '.'))
		after++;
	if (after == at || !is_key_end(after, end))
		return;
	key_set_length(line, at, after, syntax);
	line->rest = after;
}

/*
 * Mark the line as bad if the comment at @at could be a prefix length after two slashes, as in
 * "192.0.2.0//24", or a port directly after '#', as in "192.0.2.7#53".
 */
static void check_comment(struct line *line, const char *at, const char *end)
{
	bool direct = at == line->rest, slash = *at == '/', mask = false;
	struct field number = { .at = at, .end = at };

	while (number.at < end && *number.at == *at)
		number.at++;
	for (number.end = number.at; number.end < end; number.end++) {
		if (!(*number.end >= '0' && *number.end <= '9') && *number.end != '.')
			break;
		mask |= *number.end == '.';
	}
	at = skip_blanks(number.end, end);
	if (number.end == number.at || (at < end && (!direct || !slash || at == number.end)))
		return;
	if (slash && line->bare && (mask || number.end - number.at < 4))
		line_bad(line, "a number after two slashes could be a prefix length: write ADDRESS/LENGTH");
	else if (!slash && direct && !mask && number.end - number.at < 6)
		line_bad(line, "a number directly after '#' could be a port: write a blank before a comment");
}

void key_check_bare(struct line *line)
{
	line->bare = is_address(&line->key) &&
		     !memchr(line->text, '/', line->length);
}

void key_parse(const char *at, const char *end, const struct syntax *syntax,
	       struct line *line)
{
	const char *next, *after;
	long length;

	length = key_scan(at, end, syntax, &line->key, &line->host_bits,
			  &line->why);
	if (length < 0) {
		line->kind = LINE_BAD;
		line->rest = at;
		return;
	}
	line->kind = LINE_KEY;
	line->text = at;
	line->length = length;
	line->rest = at + length;
	/*
	 * An IPv4 key was written as an IPv4-mapped IPv6 address if the text has no dot among
	 * its first four bytes.
	 */
	line->mapped = line->key.family == KCUCKOO_FAMILY_IPV4 && at[1] != '.' &&
		       at[2] != '.' && at[3] != '.';
	if (line->rest == end)
		return;
	key_check_bare(line);
	next = skip_blanks(line->rest, end);
	if (next < end && is_comment(next, end))
		check_comment(line, next, end);
	if (next == end || is_comment(next, end))
		return;
	after = skip_range_sign(line->rest, next, end);
	if (*next == '/' && line->bare)
		parse_slash(next, end, syntax, line);
	else if (after)
		parse_range(after, end, next > line->rest, syntax, line);
}
