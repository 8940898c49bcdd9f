// SPDX-License-Identifier: GPL-2.0-only
/* These functions interpret the columns after the key of a line. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "input/columns.h"
#include "input/key.h"
#include "input/length.h"
#include "input/words.h"
#include "number.h"

/* Minimum level of the ranges in ipfilter.dat that must not be blocked. */
#define MIN_ALLOWED	127

/* Maximum number that can be a level in a list that is not known to be ipfilter.dat. */
#define MAX_LEVEL	255

/* Minimum number after '|' that counts as a possible port. */
#define MIN_PORT	20

const char line_unclear_count[] =
	"the line could have a number of addresses from its address on: write FIRST-LAST";

const char line_one_port[] =
	"the line is for one port; a filter matches all ports";

static const char second_address[] =
	"the second address is neither mask nor end of one network: use --ranges or --format row";
static const char mask_or_wildcard[] =
	"the second address could be a mask or a wildcard: write ADDRESS/LENGTH";
static const char mask_or_same[] =
	"the second address equals the first and could be a mask: write ADDRESS/LENGTH";
static const char mask_in_next[] =
	"the next address could be the mask of this one: write ADDRESS/LENGTH";
static const char further_address[] =
	"another column contains an address: --format row reads each of them";

/* Return: true if @field, whose address is @key, has no slash and is not IPv4-mapped. */
static bool is_plain_address(const struct field *field,
			     const struct kcuckoo_prefix *key)
{
	size_t length = field->end - field->at;

	return !memchr(field->at, '/', length) &&
	       (key->family == KCUCKOO_FAMILY_IPV6 ||
		!memchr(field->at, ':', length));
}

/*
 * Return: true if the field looks like an address, well-formed or malformed. Version numbers
 * have fewer dots; times and hardware addresses have fewer colons.
 */
static bool looks_like_address(const struct field *field)
{
	/* The last three bytes of @signs are an en dash. */
	static const char signs[] = "0123456789abcdefABCDEF.:/->\xe2\x80\x93";
	int dots = 0, colons = 0, letters = 0;
	bool gap = false;
	const char *at;

	for (at = field->at; at < field->end; at++) {
		if (!*at || !strchr(signs, *at))
			return false;
		dots += *at == '.';
		colons += *at == ':';
		letters += (*at | 0x20) >= 'a' && (*at | 0x20) <= 'f';
		gap |= *at == ':' && at > field->at && at[-1] == ':';
	}
	return colons > 1 ? gap || colons > 6 : dots > 2 && !letters;
}

static bool is_address(const struct field *field, const struct syntax *syntax)
{
	struct kcuckoo_prefix key;
	int host_bits;
	long length;

	if (field->at == field->end || !strchr("0123456789abcdefABCDEF:", *field->at))
		return false;
	length = key_scan(field->at, field->end, syntax, &key, &host_bits,
			  NULL);
	/*
	 * A host name, path or mail address can begin like an address, and then continues with a
	 * letter, a digit or one of ".-_/@:".
	 */
	return (length > 0 && (length == field->end - field->at ||
			       !(is_name_sign(field->at[length]) ||
				 strchr("/@:", field->at[length])))) || looks_like_address(field);
}

bool field_is_wrapped(const struct field *field, const struct syntax *syntax)
{
	struct field inner = *field;

	while (inner.at < inner.end && is_wrapping(*inner.at))
		inner.at++;
	while (inner.end > inner.at && is_wrapping(inner.end[-1]))
		inner.end--;
	return (inner.at > field->at || inner.end < field->end) &&
	       !is_address(field, syntax) && is_address(&inner, syntax);
}

bool field_is_address(const struct field *field, const struct syntax *syntax)
{
	return is_address(field, syntax) || field_is_wrapped(field, syntax);
}

static bool is_same(const struct kcuckoo_prefix *a, const struct kcuckoo_prefix *b)
{
	return !memcmp(a->addr, b->addr, sizeof(a->addr));
}

static void take_slash_length(struct line *line, const struct field *field,
			      const struct syntax *syntax)
{
	key_set_length(line, field->at + 1, field->end, syntax);
	if (line->kind != LINE_BAD && line->host_bits)
		line_bad(line, "the address has bits set after the prefix length in the column");
	line->rest = field->next;
}

/*
 * Check @column, the column after two addresses. If the two addresses are a network, skip its
 * prefix length or mask in @column. Another prefix length makes the line bad.
 */
static void check_third(struct line *line, const struct field *column,
			const struct syntax *syntax)
{
	struct kcuckoo_prefix mask, start = { .family = line->key.family };
	int host_bits, plen = line->key.plen;
	struct field field = *column;

	if (length_has_slash(&field))
		field.at++;
	if (line->kind == LINE_RANGE || !length_is_number(&field, &line->key))
		line->has_number = field_is_number(&field);
	if (line->kind == LINE_RANGE || line->has_number)
		return;
	if (length_is_number(&field, &line->key)) {
		if (length_number(&field) != plen)
			line_bad(line, "the third column is not the prefix length of the network");
		line->rest = field.next;
		line->has_third = true;
	} else if (key_scan(field.at, field.end, syntax, &mask, &host_bits,
			    NULL) == field.end - field.at &&
		   is_plain_address(&field, &mask) &&
		   mask.family == start.family && plen &&
		   key_mask_length(&start, &mask, false) == plen) {
		line->rest = field.next;
		line->has_third = true;
	}
}

/*
 * Combine @key and @last of @line: the ends of a range, or an address and a wildcard (an
 * inverted mask). A second address that could be a mask makes the line bad, unless the addresses
 * are the ends of a network.
 */
static void take_range(struct line *line, const struct field *field)
{
	int mask = key_mask_length(&line->key, &line->last, false);
	int wildcard = key_mask_length(&line->key, &line->last, true);
	int common = key_common_length(&line->key, &line->last);

	if (common >= 0)
		line->key.plen = common;
	else if (mask >= 0)
		line_bad(line, "the second address could be a mask or the end of a range");
	else if (wildcard >= 0)
		line->key.plen = wildcard;
	else
		key_set_range(line, line->text, field->at, field->end - field->at);
}

/*
 * Combine @key and @last of @line: a network and its mask or wildcard, or the ends of a network.
 * @plain: the second address is not written as an IPv4-mapped IPv6 address. Without @plain, the
 * second address is no mask or wildcard.
 */
static void take_network(struct line *line, bool plain)
{
	int mask = plain ? key_mask_length(&line->key, &line->last, false) : -1;
	int wildcard = plain ? key_mask_length(&line->key, &line->last, true) : -1;
	int common = key_common_length(&line->key, &line->last);

	if (key_is_ones(&line->last))
		line_bad(line, mask_or_wildcard);
	else if (mask >= 0 && is_same(&line->key, &line->last))
		line_bad(line, mask_or_same);
	else if (mask >= 0)
		line->key.plen = mask;
	else if (wildcard >= 0)
		line->key.plen = wildcard;
	else if (common >= 0)
		line->key.plen = common;
	else
		line_bad(line, second_address);
}

/*
 * Combine the key of @line and the address in @field, the next column. @ranges: the two
 * addresses are the ends of a range; otherwise they are a network.
 */
static void take_second(struct line *line, const struct field *field, bool ranges,
			const struct syntax *syntax)
{
	size_t length = field->end - field->at;
	bool plain, mapped;
	int host_bits;

	if (key_scan(field->at, field->end, syntax, &line->last, &host_bits,
		     &line->why) != field->end - field->at) {
		line_bad(line, line->why ? line->why :
			 "unexpected text directly after the second address");
		return;
	}
	mapped = memchr(line->text, ':', line->length) &&
		 memchr(field->at, ':', length);
	plain = is_plain_address(field, &line->last);
	if (!line->bare || line->key.family != line->last.family ||
	    memchr(field->at, '/', length) || !(plain || mapped)) {
		line_bad(line, second_address);
		return;
	}
	line->has_second = true;
	line->bare = false;
	line->rest = field->next;
	if (ranges)
		take_range(line, field);
	else
		take_network(line, plain);
}

void columns_check_mask(struct line *line, const char *end,
			const struct syntax *syntax)
{
	struct kcuckoo_prefix mask;
	struct field field;
	int host_bits, plen;

	if (!line->bare || line->key.family != KCUCKOO_FAMILY_IPV4 ||
	    !field_next(line->rest, end, &field) || field.empty ||
	    key_scan(field.at, field.end, syntax, &mask, &host_bits, NULL) !=
	    field.end - field.at || !is_plain_address(&field, &mask) ||
	    mask.family != KCUCKOO_FAMILY_IPV4)
		return;
	/*
	 * For prefixes from /8 on, masks begin with 255 and wildcards with 0. No host has such
	 * an address.
	 */
	if (mask.addr[0] && mask.addr[0] != 255)
		return;
	plen = key_mask_length(&line->key, &mask, !mask.addr[0]);
	if (plen >= 0)
		line_bad(line, mask_in_next);
}

/*
 * Parse a prefix length in @field, a column after the address of @line. @next: no empty column
 * is between the address and @field. Without @next, no number counts as a prefix length.
 */
static void take_length(struct line *line, const struct field *field, bool next,
			const struct syntax *syntax)
{
	struct kcuckoo_prefix key;

	if (line->bare && next && length_is_unclear(field))
		line_bad(line, "the number after the address has characters that are not ASCII");
	else if (line->bare && next && length_has_slash(field))
		take_slash_length(line, field, syntax);
	if (line->kind == LINE_BAD || !field_is_number(field))
		return;
	line->has_number = true;
	if (!line->bare || !next || syntax->layout == LAYOUT_HOSTPORT)
		return;
	key = key_as_written(line);
	if (!length_is_number(field, &key) || !key_has_tail(&key, length_number(field), false))
		return;
	key_set_length(line, field->at, field->end, syntax);
	line->has_number = false;
	line->rest = field->next;
}

/*
 * Return: true if the line is only "address|number", and the number can be a port. MISP, a
 * database of threats, exports addresses and ports in this form.
 */
static bool is_misp_port(const struct line *line, const struct field *field,
			 const char *end)
{
	struct field next;

	return line->rest < end && *line->rest == '|' && field->at == line->rest + 1 &&
	       field_is_number(field) && !field_next(field->next, end, &next) &&
	       (length_number(field) < 0 || length_number(field) >= MIN_PORT);
}

void columns_take_length(struct line *line, const char *end,
			 const struct syntax *syntax)
{
	struct field field;

	if (!field_next(line->rest, end, &field))
		return;
	if (line->kind == LINE_KEY && syntax->layout == LAYOUT_LIST &&
	    is_misp_port(line, &field, end))
		line_bad(line, "the number could be a port or a length: --format hostport reads ports, and ADDRESS/LENGTH is a network");
	else
		take_length(line, &field, !field.empty, syntax);
}

static struct field field_of(const char *at, const char *end)
{
	return (struct field){ .at = at, .end = end, .start = at, .next = end };
}

/* Return: true if the whole field is an address of the family of the key, without a slash. */
static bool scan_second(const struct line *line, const struct field *field,
			const struct syntax *syntax, struct kcuckoo_prefix *second)
{
	int host_bits;

	return key_scan(field->at, field->end, syntax, second, &host_bits, NULL) ==
	       field->end - field->at && second->family == line->key.family &&
	       !memchr(field->at, '/', field->end - field->at);
}

static void take_mask(struct line *line, const struct field *field,
		      const struct syntax *syntax)
{
	int plen = -1;

	if (line->bare && scan_second(line, field, syntax, &line->last)) {
		plen = key_mask_length(&line->key, &line->last, false);
		if (plen < 0)
			plen = key_mask_length(&line->key, &line->last, true);
	}
	if (plen < 0) {
		line_bad(line, "the second column is not a mask of the address");
		return;
	}
	line->key.plen = plen;
	line->has_second = true;
	line->bare = false;
	key_rewrite(line);
}

void columns_take_last(struct line *line, const char *at, const char *end, bool mask,
		       const struct syntax *syntax)
{
	struct field field = field_of(at, end);
	const char *text = line->text;
	size_t length = line->length;

	if (line->kind == LINE_RANGE)
		line_bad(line, second_address);
	if (line->kind != LINE_KEY)
		return;
	key_check_bare(line);
	if (field_is_number(&field) || length_has_slash(&field)) {
		take_length(line, &field, true, syntax);
		if (line->kind == LINE_KEY && line->has_number)
			line_bad(line, "the second column is not a prefix length of the address");
		return;
	}
	if (mask) {
		take_mask(line, &field, syntax);
		return;
	}
	take_second(line, &field, true, syntax);
	if (line->kind == LINE_KEY)
		key_rewrite(line);
	if (line->kind != LINE_RANGE)
		return;
	line->length = snprintf(line->canonical, sizeof(line->canonical), "%.*s-%.*s",
				(int)length, text, (int)(end - at), at);
	line->text = line->canonical;
}

void columns_take_cell(struct line *line, const char *at, const char *end, bool chosen,
		       const struct syntax *syntax)
{
	struct field field = field_of(at, end);
	struct kcuckoo_prefix second;

	if (!is_address(&field, syntax))
		take_length(line, &field, true, syntax);
	else if (!chosen || (scan_second(line, &field, syntax, &second) &&
			     key_mask_length(&line->key, &second, false) >= 0))
		take_second(line, &field, false, syntax);
	else
		columns_check_cell(line, at, end, true, syntax);
	if (line->kind == LINE_KEY && length_is_unread(line, &field, end, true))
		line_bad(line, line_unclear_length);
}

void columns_take_third(struct line *line, const char *at, const char *end,
			const struct syntax *syntax)
{
	struct field field = field_of(at, end);

	if (at < end)
		check_third(line, &field, syntax);
}

void columns_check_cell(struct line *line, const char *at, const char *end, bool next,
			const struct syntax *syntax)
{
	static const char mask[] =
		"another column has a mask: name both columns, as in --column 1,2";
	struct kcuckoo_prefix second, start = { .family = line->key.family };
	int bits = 8 * key_bytes(&line->key), plen;
	struct field field = field_of(at, end);

	if (length_is_unread(line, &field, end, false))
		line_bad(line, line_unclear_length);
	if (next)
		line->has_number |= field_is_number(&field);
	if (!scan_second(line, &field, syntax, &second))
		return;
	/* No host has an address that is a mask and begins with 255 (ff in IPv6). */
	plen = key_mask_length(&start, &second, false);
	if (second.addr[0] == 255 && plen > 0 && plen < bits)
		line_bad(line, mask);
	plen = key_mask_length(&line->key, &second, true);
	if (plen < 0 || plen == bits)
		plen = key_common_length(&line->key, &second);
	if (next && plen >= 0 && plen < bits)
		line_bad(line, "the next column could be the end of a network: name both columns, as in --column 1,2");
}

bool columns_is_size(const struct line *line, const char *at, const char *end,
		     bool loose)
{
	struct field field = field_of(at, end);
	int number;

	if (length_has_slash(&field))
		return true;
	number = field_is_number(&field) ? length_number(&field) : -1;
	if (loose)
		return length_is_number(&field, &line->key) &&
		       key_has_tail(&line->key, number, false);
	return number >= 0 && number <= 8 * key_bytes(&line->key);
}

bool columns_is_second(const struct line *line, const char *at, const char *end,
		       const struct syntax *syntax)
{
	struct field field = field_of(at, end);
	struct kcuckoo_prefix second;

	return scan_second(line, &field, syntax, &second);
}

/*
 * Return: true if the column is an address as a hexadecimal or decimal number. Other decimal
 * numbers are often times in seconds.
 */
static bool is_number_address(const struct line *line, const struct field *field, bool size)
{
	const __u8 *key = line->key.addr;
	__u64 number, start = (__u64)key[0] << 24 | key[1] << 16 | key[2] << 8 | key[3];
	size_t length = field->end - field->at;

	if (length > 2 && field->at[0] == '0' && (field->at[1] | 0x20) == 'x')
		return true;
	if (!field_is_number(field))
		return false;
	/* No time has as many digits as an IPv6 address. */
	if (line->key.family != KCUCKOO_FAMILY_IPV4)
		return length > 20;
	if (!number_scan(field->at, length, UINT32_MAX, &number))
		return false;
	if (size)
		return number >> 24 == 255;
	return number >= start && number >> 24 == key[0];
}

/* Return: true if the field is a prefix length as a floating-point number, such as 24.0. */
static bool is_decimal_length(const struct line *line, const struct field *field)
{
	const char *dot = memchr(field->at, '.', field->end - field->at), *at;
	struct field whole = *field;

	if (!dot)
		return false;
	for (at = dot + 1; at < field->end; at++)
		if (*at != '0')
			return false;
	whole.end = dot;
	return columns_is_size(line, whole.at, whole.end, true);
}

void columns_check_titled(struct line *line, const char *at, const char *end, bool size,
			  bool loose, const struct syntax *syntax)
{
	static const char unclear[] =
		"a column whose title is for a mask, length or last address is not understood: write ADDRESS/LENGTH or FIRST-LAST";
	struct field field = field_of(at, end);
	struct kcuckoo_prefix other;
	int host_bits;

	/*
	 * Columns with titles such as "cidr" can have a network that does not begin at the key.
	 * The line still means only the key.
	 */
	if (size && memchr(at, '/', end - at) &&
	    key_scan(at, end, syntax, &other, &host_bits, NULL) == end - at &&
	    !is_same(&line->key, &other))
		return;
	if (!loose || is_number_address(line, &field, size) ||
	    (size && is_decimal_length(line, &field)))
		line_bad(line, unclear);
	else
		line->has_number |= field_is_number(&field);
}

/*
 * Parse a number of addresses, such as 256, 1,024 or 256.0. Set @number to UINT64_MAX for a
 * larger number. Return: false for another text.
 */
static bool scan_count(const struct field *field, __u64 *number)
{
	char digits[32];
	size_t used = 0;
	const char *at;

	for (at = field->at; at < field->end && *at != '.'; at++) {
		if (*at == ',' && used)
			continue;
		if (*at < '0' || *at > '9')
			return false;
		if (used < sizeof(digits))
			digits[used++] = *at;
	}
	while (at < field->end)
		if (!strchr(".0", *at++))
			return false;
	if (used && !number_scan(digits, used, UINT64_MAX, number))
		*number = UINT64_MAX;
	return used;
}

void columns_check_count(struct line *line, const char *at, const char *end, bool loose)
{
	struct field field = field_of(at, end);
	bool digit = at < end && *at >= '0' && *at <= '9', known;
	__u64 number = 0;

	known = scan_count(&field, &number);
	if (known ? number > 1 && (!loose || key_is_block(&line->key, number)) : digit && !loose)
		line_bad(line, line_unclear_count);
	else
		line->has_number |= field_is_number(&field);
}

void columns_check_further(struct line *line, const char *at, const char *end,
			   const struct syntax *syntax)
{
	struct field field = field_of(at, end);
	struct kcuckoo_prefix other;

	if (!is_address(&field, syntax))
		return;
	/* The key itself, and the mask of a single address, add nothing. */
	if (scan_second(line, &field, syntax, &other) &&
	    (is_same(&line->key, &other) || key_is_ones(&other)))
		return;
	line_bad(line, "another column contains an address: --column names the column of the key, and both columns of a range");
}

static const char disagrees[] =
	"the key and a column with an end, mask or prefix length disagree";

void columns_compare_first(struct line *line, const char *at, const char *end,
			   const struct syntax *syntax)
{
	struct field field = field_of(at, end);
	struct kcuckoo_prefix first;

	if (scan_second(line, &field, syntax, &first) &&
	    !key_is_bound(&line->key, &line->key, &first))
		line_bad(line, disagrees);
}

void columns_compare_last(struct line *line, const char *at, const char *end,
			  const struct syntax *syntax)
{
	struct field field = field_of(at, end);
	struct kcuckoo_prefix last, other;

	last = line->last;
	if (line->kind == LINE_KEY)
		key_set_last(&line->key, &last);
	if (scan_second(line, &field, syntax, &other) &&
	    !key_is_bound(&line->key, &last, &other))
		line_bad(line, disagrees);
}

void columns_compare_size(struct line *line, const char *at, const char *end,
			  const struct syntax *syntax)
{
	struct kcuckoo_prefix mask, start = { .family = line->key.family };
	struct field field = field_of(at, end);
	int plen = line->key.plen, size = -1;

	if (line->kind == LINE_RANGE)
		plen = key_common_length(&line->key, &line->last);
	field.at += length_has_slash(&field);
	if (scan_second(line, &field, syntax, &mask)) {
		size = key_mask_length(&start, &mask, false);
		/* 255.255.255.255 is a mask, and 0.0.0.0 can be a wildcard. */
		if (size < 0 || key_mask_length(&start, &mask, true) == plen)
			size = key_mask_length(&start, &mask, true);
	} else if (field_is_number(&field)) {
		size = length_number(&field);
	}
	if (size >= 0 && size != plen)
		line_bad(line, disagrees);
}

/* Return: true for an address, such as 127.0.0.1, that hosts files have before names. */
static bool is_hosts_address(const struct kcuckoo_prefix *key)
{
	static const uint8_t zeros[15];
	const uint8_t *at = key->addr;

	if (key->family == KCUCKOO_FAMILY_IPV4)
		return key->plen == 32 && (at[0] == 127 || !memcmp(at, zeros, 4));
	return key->plen == 128 &&
	       ((!memcmp(at, zeros, 15) && at[15] <= 1) ||
		(at[0] == 0xfe && (at[1] & 0xc0) == 0x80) ||
		(at[0] == 0xff && !(at[1] & 0xf0)));
}

static bool is_host_name(const struct field *field)
{
	const char *at;
	int letters = 0;

	/* The words "value" and "timeout" can follow a key: 'kcuckoo list' prints them. */
	if (field_is(field, "value") || field_is(field, "timeout"))
		return false;

	for (at = field->at; at < field->end; at++) {
		char c = *at | 0x20;

		letters += c >= 'a' && c <= 'z';
		if (!(c >= 'a' && c <= 'z') && !(*at >= '0' && *at <= '9') &&
		    !strchr(".-_", *at))
			return false;
	}
	return letters;
}

void columns_check_alone(struct line *line)
{
	struct kcuckoo_prefix start = { .family = line->key.family };
	int plen = key_mask_length(&start, &line->key, false);

	if (line->bare && line->key.addr[0] == 255 && plen > 0 &&
	    plen < 8 * key_bytes(&line->key))
		line_bad(line, line_unclear_length);
}

/*
 * Return: true if the field is a protocol and a port, as in "tcp:80" of ipset, or the
 * dot that nft prints between an address and a port.
 */
static bool is_port(const struct field *field)
{
	static const char * const words[] = {
		"tcp:", "udp:", "sctp:", "dccp:", "udplite:", "icmp:", "icmpv6:",
		"ah:", "esp:", "gre:", "igmp:", "ospf:", "vrrp:",
	};
	size_t i, length;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		length = strlen(words[i]);
		if ((size_t)(field->end - field->at) > length &&
		    !strncasecmp(field->at, words[i], length))
			return true;
	}
	return field_is(field, ".");
}

/* Return: the level in @field, or INT_MAX if the level is above 999. */
static int level_of(const struct field *field)
{
	const char *at = field->at;
	int level = 0;

	while (at < field->end && *at == '0')
		at++;
	if (field->end - at > 3)
		return INT_MAX;
	for (; at < field->end; at++)
		level = 10 * level + *at - '0';
	return level;
}

void columns_check_level(struct line *line, const char *end,
			 const struct syntax *syntax)
{
	struct field field;
	bool alone;
	int level;

	if (line->kind != LINE_RANGE || line->has_second ||
	    line->key.family != KCUCKOO_FAMILY_IPV4 ||
	    !field_next(line->rest, end, &field) || !field_is_number(&field))
		return;
	level = level_of(&field);
	if (!syntax->levels &&
	    (field.end - field.at != 3 || level < MIN_ALLOWED || level > MAX_LEVEL))
		return;
	/* ipfilter.dat has a blank before the comma after the level. */
	field.next = skip_blanks(field.next, end);
	alone = field_is_column(&field, end) ||
		((field.columns || field.tab) && is_comment(field.next, end));
	if (!alone && field.columns == 1)
		line_bad(line, "the level is not alone in its column");
	else if (alone && !syntax->levels)
		line_bad(line, "the number could be a level of ipfilter.dat: --format ipfilter reads it, and --format csv ignores it");
	else if (alone && level >= MIN_ALLOWED)
		line->kind = LINE_ALLOWED;
}

/*
 * Return: true if @field, which follows the range of @line, is the level of the range in
 * ipfilter.dat. The text after the level is a name.
 */
static bool is_ipfilter_level(const struct line *line, const struct field *field,
			      const struct syntax *syntax)
{
	return syntax->levels && line->kind == LINE_RANGE && !line->has_second &&
	       line->key.family == KCUCKOO_FAMILY_IPV4 && field->columns == 1 &&
	       field_is_number(field);
}

static void check_number(struct line *line, const struct field *field,
			 const char *end, const struct syntax *syntax)
{
	columns_check_level(line, end, syntax);
	if (line->kind == LINE_RANGE && syntax->layout == LAYOUT_LIST &&
	    is_misp_port(line, field, end))
		line_bad(line, "the number could be a port: --format hostport reads it");
}

void columns_check_word(struct line *line, const struct field *field)
{
	if (is_port(field))
		line_bad(line, line_one_port);
	else if (!field->columns && is_hosts_address(&line->key) &&
		 is_host_name(field))
		line_bad(line, "this is a hosts file: load its names into a filter of type bytes");
}

void columns_check(struct line *line, const char *end,
		   const struct syntax *syntax)
{
	const char *at = line->rest;
	struct field field;
	bool first = true, direct = true, words = false, number;

	/*
	 * In the list of DShield, the columns after the third are names, which can have any
	 * text.
	 */
	if (syntax->lengths && line->has_third)
		return;
	for (; field_next(at, end, &field); first = false) {
		at = field.next;
		number = field_is_number(&field);
		if (length_is_unread(line, &field, end, first)) {
			line_bad(line, line_unclear_length);
			return;
		}
		if (first && number)
			check_number(line, &field, end, syntax);
		else if (first)
			columns_check_word(line, &field);
		if (line->kind == LINE_BAD || line->kind == LINE_ALLOWED ||
		    (first && is_ipfilter_level(line, &field, syntax)))
			return;
		if (number)
			continue;
		if (field_is_port_option(&field, end)) {
			line_bad(line, line_one_port);
			return;
		}
		if (field_is_partial(&field, end, direct)) {
			line_bad(line, line_partial);
			return;
		}
		if (field_is_negation(&field, end, direct)) {
			line_bad(line, line_negation);
			return;
		}
		if (field_is_exception(&field, end, direct) ||
		    (!words && field_is_only_ok(&field, end))) {
			line->exception = true;
			/* The word "not" in "do not block" negates nothing else. */
			direct = direct && !field_forbids(&field, end);
			if (syntax->exceptions)
				continue;
			line_bad(line, line_exception);
			return;
		}
		if (field_is_address(&field, syntax)) {
			line_bad(line, further_address);
			return;
		}
		/*
		 * A field without letters is not a word, so the next field counts as the first
		 * word.
		 */
		words |= field_has_letter(&field);
		direct = field_ends_with_sign(&field) || (direct && !field_has_letter(&field));
	}
}

void columns_parse(struct line *line, const char *end,
		   const struct syntax *syntax)
{
	struct field field;

	if (line->kind == LINE_KEY && field_next(line->rest, end, &field) &&
	    !field.empty && is_address(&field, syntax))
		take_second(line, &field, syntax->ranges, syntax);
	else
		columns_take_length(line, end, syntax);
	if (!line->has_second)
		return;
	if (line->kind != LINE_BAD && field_next(line->rest, end, &field) &&
	    !field.empty)
		check_third(line, &field, syntax);
	if (line->kind == LINE_KEY)
		key_rewrite(line);
}
