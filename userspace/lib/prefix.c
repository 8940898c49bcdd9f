// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * These functions of libkcuckoo parse and format addresses and prefixes.
 *
 * The parser is written by hand for speed, because lists have hundreds of
 * millions of lines: it needs one pass, no copy and no locale. The parser is
 * stricter than inet_aton(). It rejects octal, hexadecimal and short forms of
 * IPv4, because their meaning differs between programs.
 */
#include <errno.h>
#include <string.h>

#include "handle.h"

#define GROUPS	8

/* State of the parser: the text that is not parsed yet, and the text of an error. */
struct text {
	const char *at;
	const char *end;
	const char *why;
};

static int is_digit(const struct text *t)
{
	return t->at < t->end && *t->at >= '0' && *t->at <= '9';
}

static int is_char(const struct text *t, char c)
{
	return t->at < t->end && *t->at == c;
}

static int hex_digit(const struct text *t)
{
	int c = t->at < t->end ? *t->at : 0;

	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

static int fail(struct text *t, const char *why)
{
	t->why = why;
	return -EINVAL;
}

/* Return: the value of a decimal digit, or a number above 9 for other text. */
static inline unsigned int digit_at(const char *at, const char *end)
{
	return at < end ? (unsigned int)*at - '0' : 10;
}

/*
 * Parse one of the four numbers of an IPv4 address. @at is an argument and not a field of
 * @t, so that it stays in a register: "kcuckoo load" spends most of its time in this
 * function. Return: the end of the number, or NULL with @t->why set.
 */
static inline const char *read_octet(struct text *t, const char *at,
				     __u8 *octet)
{
	const char *end = t->end;
	unsigned int value, digit;

	value = digit_at(at++, end);
	if (value > 9) {
		t->why = "an IPv4 address is four numbers with dots between";
		return NULL;
	}
	*octet = value;
	digit = digit_at(at, end);
	if (digit > 9)
		return at;
	if (!value) {
		t->why = "a leading zero could mean octal: write the number without it";
		return NULL;
	}
	value = value * 10 + digit;
	at++;
	digit = digit_at(at, end);
	if (digit <= 9) {
		value = value * 10 + digit;
		at++;
		if (value > 255 || digit_at(at, end) <= 9) {
			t->why = "a number of an IPv4 address is at most 255";
			return NULL;
		}
	}
	*octet = value;
	return at;
}

static int read_ipv4(struct text *t, __u8 *addr)
{
	const char *at = t->at;
	int i;

	for (i = 0; i < 4; i++) {
		if (i) {
			if (at == t->end || *at != '.')
				return fail(t, "an IPv4 address is four numbers with dots between");
			at++;
		}
		at = read_octet(t, at, &addr[i]);
		if (!at)
			return -EINVAL;
	}
	t->at = at;
	return 0;
}

/* Length of an IPv4 address whose four numbers have three digits each. */
#define PADDED	15

/*
 * Parse an IPv4 address whose four numbers are padded with zeros to three digits, as in
 * some lists. The numbers are decimal: such lists also contain numbers such as 198, which
 * cannot be octal. Return: 0 if the text is not such an address, otherwise 1.
 */
static int read_padded(struct text *t, __u8 *addr)
{
	unsigned int value = 0, digit;
	int i;

	if (t->end - t->at < PADDED || digit_at(t->at + PADDED, t->end) <= 9)
		return 0;
	for (i = 0; i < PADDED; i++) {
		if (i % 4 == 3) {
			if (t->at[i] != '.')
				return 0;
			value = 0;
			continue;
		}
		digit = digit_at(t->at + i, t->end);
		value = value * 10 + digit;
		if (digit > 9 || value > 255)
			return 0;
		addr[i / 4] = value;
	}
	t->at += PADDED;
	return 1;
}

/**
 * struct groups - the groups of an IPv6 address that are parsed so far
 * @bytes: the groups, without the zero groups that "::" replaces
 * @count: number of groups in @bytes
 * @gap: number of groups before "::", or -1 without "::"
 */
struct groups {
	__u8 bytes[2 * GROUPS];
	int count;
	int gap;
};

/*
 * Parse a group of an IPv6 address, or an IPv4 address in place of the last two
 * groups. Return: 0 after a group; 1 after an IPv4 address, which ends the IPv6
 * address; or -EINVAL.
 */
static int read_group(struct text *t, struct groups *g)
{
	const char *start = t->at;
	unsigned int value = 0;
	int digit;

	while ((digit = hex_digit(t)) >= 0) {
		if (t->at - start == 4)
			return fail(t, "a group of an IPv6 address has at most four digits");
		value = value << 4 | digit;
		t->at++;
	}
	/*
	 * An IPv4 address has a digit after the dot. Two dots separate the
	 * addresses of a range, as in ::1..::9.
	 */
	if (is_char(t, '.') && digit_at(t->at + 1, t->end) <= 9 &&
	    g->count <= GROUPS - 2) {
		t->at = start;
		if (read_ipv4(t, g->bytes + 2 * g->count))
			return -EINVAL;
		g->count += 2;
		return 1;
	}
	g->bytes[2 * g->count] = value >> 8;
	g->bytes[2 * g->count + 1] = value;
	g->count++;
	return 0;
}

/* Return: 1 after "::", 0 before other text, or -EINVAL. */
static int read_gap(struct text *t, struct groups *g)
{
	if (t->end - t->at < 2 || t->at[0] != ':' || t->at[1] != ':')
		return 0;
	if (g->gap >= 0)
		return fail(t, "an IPv6 address has :: only once");
	g->gap = g->count;
	t->at += 2;
	return 1;
}

static int read_groups(struct text *t, struct groups *g)
{
	int ret = read_gap(t, g);

	if (ret < 0)
		return ret;
	if (!ret && hex_digit(t) < 0)
		return fail(t, "an IPv6 address does not begin with a single colon");
	while (g->count < GROUPS && hex_digit(t) >= 0) {
		ret = read_group(t, g);
		if (ret)
			return ret < 0 ? ret : 0;
		ret = read_gap(t, g);
		if (ret < 0)
			return ret;
		if (ret)
			continue;
		if (!is_char(t, ':'))
			break;
		if (g->count == GROUPS)
			return fail(t, "an IPv6 address has at most eight groups");
		t->at++;
		if (hex_digit(t) < 0)
			return fail(t, "an IPv6 address does not end in a single colon");
	}
	return 0;
}

static int read_ipv6(struct text *t, __u8 *addr)
{
	struct groups g = { .gap = -1 };
	int tail, ret;

	ret = read_groups(t, &g);
	if (ret)
		return ret;
	if (g.gap < 0 && g.count < GROUPS)
		return fail(t, "an IPv6 address has eight groups, or :: once");
	if (g.gap >= 0 && g.count == GROUPS)
		return fail(t, "an IPv6 address with :: has less than eight groups");

	memcpy(addr, g.bytes, sizeof(g.bytes));
	if (g.gap >= 0) {
		tail = 2 * (g.count - g.gap);
		memset(addr + 2 * g.gap, 0, 2 * GROUPS - 2 * g.gap);
		memcpy(addr + 2 * GROUPS - tail, g.bytes + 2 * g.gap, tail);
	}
	return 0;
}

/* Return: the prefix length of a mask such as 255.255.255.0, or -EINVAL. */
static int read_mask(struct text *t)
{
	unsigned int mask;
	__u8 bytes[4];

	if (read_ipv4(t, bytes))
		return -EINVAL;
	mask = (unsigned int)bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
	if (!mask)
		return fail(t, "a mask of 0.0.0.0 could mean one address or all: write /32 or /0");
	if (~mask & (~mask + 1))
		return fail(t, "a mask is ones and then zeros, such as 255.255.255.0");
	return __builtin_popcount(mask);
}

/* Return: the prefix length that follows a slash as a number or a mask, or -EINVAL. */
static int read_length(struct text *t, int max_plen)
{
	const char *why = max_plen == 32 ?
		"a prefix length of IPv4 is a number from 0 to 32" :
		"a prefix length of IPv6 is a number from 0 to 128";
	const char *start = t->at;
	int value = 0;

	if (!is_digit(t))
		return fail(t, why);
	while (is_digit(t) && t->at - start < 3)
		value = value * 10 + (*t->at++ - '0');
	if (max_plen == 32 && is_char(t, '.') &&
	    digit_at(t->at + 1, t->end) <= 9) {
		t->at = start;
		return read_mask(t);
	}
	if (value > max_plen || is_digit(t) ||
	    (*start == '0' && t->at - start > 1))
		return fail(t, why);
	return value;
}

/* Clear the bits after the prefix. Return: 1 if one of these bits was set, otherwise 0. */
static int clear_host_bits(struct kcuckoo_prefix *prefix, int max_plen)
{
	unsigned int at = prefix->plen / 8;
	unsigned int mask = 0xff >> prefix->plen % 8;
	int cleared = 0;

	for (; at < max_plen / 8U; at++, mask = 0xff) {
		cleared |= prefix->addr[at] & mask;
		prefix->addr[at] &= ~mask;
	}
	return cleared != 0;
}

/*
 * Find the family of an address by the character after the first number in the text.
 * Return: '.' for IPv4, ':' for IPv6, or 0 for any other character.
 */
static char family_mark(const struct text *t)
{
	struct text ahead = *t;

	/*
	 * Find IPv4 quickly, because most lines of most lists are IPv4. An IPv6
	 * address cannot begin with a digit and have a dot among its first four
	 * characters.
	 */
	if (t->end - t->at > 3 && is_digit(t) &&
	    (t->at[1] == '.' || t->at[2] == '.' || t->at[3] == '.'))
		return '.';
	while (hex_digit(&ahead) >= 0 && ahead.at - t->at <= 4)
		ahead.at++;
	if (is_char(&ahead, '.') || is_char(&ahead, ':'))
		return *ahead.at;
	return 0;
}

static int read_address(struct text *t, struct kcuckoo_prefix *prefix)
{
	switch (family_mark(t)) {
	case '.':
		prefix->family = KCUCKOO_FAMILY_IPV4;
		prefix->plen = 32;
		if (!read_ipv4(t, prefix->addr))
			return 0;
		return read_padded(t, prefix->addr) ? 0 : -EINVAL;
	case ':':
		prefix->family = KCUCKOO_FAMILY_IPV6;
		prefix->plen = 128;
		return read_ipv6(t, prefix->addr);
	default:
		return fail(t, "not an IPv4 or IPv6 address");
	}
}

/* Bits before the IPv4 address in an IPv4-mapped IPv6 address. */
#define MAPPED	96

static int is_mapped(const struct kcuckoo_prefix *prefix)
{
	static const __u8 mapped[MAPPED / 8] = { [10] = 0xff, [11] = 0xff };

	return prefix->family == KCUCKOO_FAMILY_IPV6 &&
	       !memcmp(prefix->addr, mapped, sizeof(mapped));
}

/*
 * Replace an IPv4-mapped prefix by its IPv4 prefix, because packets never have a mapped
 * address. Prefixes that would be shorter than /8 in IPv4 stay IPv6: ::ffff:0:0/96, which
 * is in lists of reserved networks, must not become all of IPv4.
 */
static void translate_mapped(struct kcuckoo_prefix *prefix)
{
	const int bytes = MAPPED / 8;

	if (prefix->plen < MAPPED + 8 || !is_mapped(prefix))
		return;
	prefix->family = KCUCKOO_FAMILY_IPV4;
	prefix->plen -= MAPPED;
	memcpy(prefix->addr, prefix->addr + bytes, 4);
	memset(prefix->addr + 4, 0, sizeof(prefix->addr) - 4);
}

KCUCKOO_PUBLIC long kcuckoo_prefix_scan(const char *text, size_t length,
					struct kcuckoo_prefix *prefix,
					int *host_bits, const char **why)
{
	struct text t = { .at = text, .end = text + length };
	int cleared = 0, plen, ret;

	memset(prefix, 0, sizeof(*prefix));
	ret = read_address(&t, prefix);
	/* Two slashes begin a comment in many lists. */
	if (!ret && is_char(&t, '/') && !(t.end - t.at > 1 && t.at[1] == '/')) {
		t.at++;
		plen = read_length(&t, prefix->plen);
		if (plen < 0) {
			ret = plen;
		} else if (plen <= 32 && is_mapped(prefix)) {
			ret = fail(&t, "the prefix length is of IPv4: write the address without ::ffff:");
		} else if (plen != prefix->plen) {
			int max_plen = prefix->plen;

			prefix->plen = plen;
			cleared = clear_host_bits(prefix, max_plen);
		}
	}
	if (!ret)
		translate_mapped(prefix);
	if (why)
		*why = ret ? t.why : NULL;
	if (host_bits)
		*host_bits = cleared;
	return ret ? ret : t.at - text;
}

KCUCKOO_PUBLIC int kcuckoo_prefix_parse(const char *text,
					struct kcuckoo_prefix *prefix,
					const char **why)
{
	size_t length = strlen(text);
	int host_bits;
	long ret;

	ret = kcuckoo_prefix_scan(text, length, prefix, &host_bits, why);
	if (ret < 0)
		return ret;
	if ((size_t)ret != length) {
		if (why)
			*why = "unexpected text after the address";
		return -EINVAL;
	}
	return host_bits;
}

static char *write_number(char *p, unsigned int value)
{
	if (value >= 100)
		*p++ = '0' + value / 100;
	if (value >= 10)
		*p++ = '0' + value / 10 % 10;
	*p++ = '0' + value % 10;
	return p;
}

static char *write_ipv4(char *p, const __u8 *addr)
{
	int i;

	for (i = 0; i < 4; i++) {
		if (i)
			*p++ = '.';
		p = write_number(p, addr[i]);
	}
	return p;
}

static char *write_group(char *p, unsigned int value)
{
	static const char digits[] = "0123456789abcdef";

	if (value > 0xfff)
		*p++ = digits[value >> 12];
	if (value > 0xff)
		*p++ = digits[value >> 8 & 15];
	if (value > 0xf)
		*p++ = digits[value >> 4 & 15];
	*p++ = digits[value & 15];
	return p;
}

/*
 * Find the longest run of at least two zero groups; of runs of equal length, the first (RFC
 * 5952, section 4.2). @start: out: its first group, or GROUPS if there is no such run.
 */
static void find_gap(const unsigned int *groups, int *start, int *length)
{
	int i, run = 0;

	*length = 1;
	*start = GROUPS;
	for (i = 0; i < GROUPS; i++) {
		run = groups[i] ? 0 : run + 1;
		if (run > *length) {
			*length = run;
			*start = i - run + 1;
		}
	}
}

static char *write_ipv6(char *p, const __u8 *addr)
{
	unsigned int groups[GROUPS];
	int i, start, length;

	for (i = 0; i < GROUPS; i++)
		groups[i] = addr[2 * i] << 8 | addr[2 * i + 1];
	find_gap(groups, &start, &length);

	for (i = 0; i < GROUPS; i++) {
		if (i == start) {
			*p++ = ':';
			*p++ = ':';
			i += length - 1;
			continue;
		}
		if (i && i != start + length)
			*p++ = ':';
		p = write_group(p, groups[i]);
	}
	return p;
}

KCUCKOO_PUBLIC int kcuckoo_prefix_format(const struct kcuckoo_prefix *prefix,
					 char *text)
{
	char *p = text;
	int max_plen;

	if (prefix->family == KCUCKOO_FAMILY_IPV4) {
		max_plen = 32;
		p = write_ipv4(p, prefix->addr);
	} else if (prefix->family == KCUCKOO_FAMILY_IPV6) {
		max_plen = 128;
		p = write_ipv6(p, prefix->addr);
	} else {
		return -EINVAL;
	}
	if (prefix->plen > max_plen)
		return -EINVAL;
	if (prefix->plen < max_plen) {
		*p++ = '/';
		p = write_number(p, prefix->plen);
	}
	*p = 0;
	return p - text;
}
