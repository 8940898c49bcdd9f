// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ranges as prefixes: against the definition, by brute force. The fewest
 * prefixes of a range are those that lie in it while their parent does not.
 */
#include "keys/range.h"
#include "tap.h"

static void address(struct kcuckoo_prefix *key, int family, u64 high, u64 low)
{
	int bytes = family == KCUCKOO_FAMILY_IPV4 ? 4 : 16, i;

	memset(key, 0, sizeof(*key));
	key->family = family;
	key->plen = 8 * bytes;
	for (i = 0; i < bytes; i++) {
		int shift = 8 * (bytes - 1 - i);

		key->addr[i] = shift >= 64 ? high >> (shift - 64) :
			       low >> shift;
	}
}

/* The low 64 bits of an address. */
static u64 low_of(const struct kcuckoo_prefix *key)
{
	int bytes = key->family == KCUCKOO_FAMILY_IPV4 ? 4 : 16, i;
	u64 low = 0;

	for (i = bytes == 4 ? 0 : 8; i < bytes; i++)
		low = low << 8 | key->addr[i];
	return low;
}

/* Whether prefix [@start, @start + @size) lies in the range, by its numbers. */
static bool inside(u64 start, u64 size, u64 first, u64 last)
{
	return start >= first && start + (size - 1) <= last &&
	       start + (size - 1) >= start;
}

static void check(int family, u64 high, u64 first, u64 last)
{
	int bits = family == KCUCKOO_FAMILY_IPV4 ? 32 : 128, i, count;
	struct kcuckoo_prefix from, to, out[RANGE_PREFIXES_MAX];
	u64 next = first;

	address(&from, family, high, first);
	address(&to, family, high, last);
	count = range_split(&from, &to, out);
	tap_require(count > 0 && count <= RANGE_PREFIXES_MAX, "%d prefixes",
		    count);
	for (i = 0; i < count; i++) {
		u64 start = low_of(&out[i]), size;

		tap_require(out[i].family == family, "family %d",
			    out[i].family);
		tap_require(bits - out[i].plen < 64, "/%d", out[i].plen);
		size = 1ULL << (bits - out[i].plen);
		tap_require(start == next, "%llx-%llx: hole before %llx", first,
			    last, start);
		tap_require(!(start & (size - 1)), "%llx/%d has host bits",
			    start, out[i].plen);
		tap_require(inside(start, size, first, last),
			    "%llx/%d is outside of %llx-%llx", start,
			    out[i].plen, first, last);
		tap_require(!inside(start & ~size, 2 * size, first, last),
			    "%llx/%d: a wider one would do", start,
			    out[i].plen);
		next = start + size;
	}
	tap_require(next == last + 1, "%llx-%llx ends at %llx", first, last,
		    next);
}

static void test_small_ipv4(void)
{
	static const u64 bases[] = { 0, 0x7fffff80, 0xffffff00 };
	size_t base;
	u64 a, b;

	for (base = 0; base < TAP_COUNT(bases); base++)
		for (a = 0; a < 256; a++)
			for (b = a; b < 256; b++)
				check(KCUCKOO_FAMILY_IPV4, 0, bases[base] + a,
				      bases[base] + b);
}

static void test_small_ipv6(void)
{
	u64 a, b;

	for (a = 0; a < 128; a++)
		for (b = a; b < 128; b++) {
			check(KCUCKOO_FAMILY_IPV6, 0x20010db800000000, a, b);
			check(KCUCKOO_FAMILY_IPV6, ~0ULL, a + (1ULL << 62) - 64,
			      b + (1ULL << 62) - 64);
		}
}

static void test_random(void)
{
	int i;

	for (i = 0; i < 100000; i++) {
		u64 a = random_edge(32), b = random_edge(32);

		check(KCUCKOO_FAMILY_IPV4, 0, a < b ? a : b, a < b ? b : a);
		a = random_edge(62);
		b = random_edge(62);
		check(KCUCKOO_FAMILY_IPV6, random_word(), a < b ? a : b,
		      a < b ? b : a);
	}
}

static int split(const char *a, const char *b, struct kcuckoo_prefix *out)
{
	struct kcuckoo_prefix from, to;

	tap_require(!kcuckoo_prefix_parse(a, &from, NULL), "%s", a);
	tap_require(!kcuckoo_prefix_parse(b, &to, NULL), "%s", b);
	return range_split(&from, &to, out);
}

static void test_huge(void)
{
	static const struct {
		const char *first;
		const char *last;
		int count;
		const char *begin;
		const char *end;
	} cases[] = {
		{ "0.0.0.0", "255.255.255.255", 1, "0.0.0.0/0", "0.0.0.0/0" },
		{ "0.0.0.1", "255.255.255.254", 62, "0.0.0.1",
		  "255.255.255.254" },
		{ "128.0.0.0", "255.255.255.255", 1, "128.0.0.0/1",
		  "128.0.0.0/1" },
		{ "255.255.255.255", "255.255.255.255", 1, "255.255.255.255",
		  "255.255.255.255" },
		{ "::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", 1, "::/0",
		  "::/0" },
		{ "::1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe", 254, "::1",
		  "ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe" },
		{ "::", "7fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", 1, "::/1",
		  "::/1" },
		{ "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", 1,
		  "2001:db8::/32", "2001:db8::/32" },
		{ "2001:db8::", "2001:db9::", 2, "2001:db8::/32",
		  "2001:db9::" },
	};
	size_t i;

	for (i = 0; i < TAP_COUNT(cases); i++) {
		struct kcuckoo_prefix out[RANGE_PREFIXES_MAX];
		char text[KCUCKOO_PREFIX_TEXT];
		int count = split(cases[i].first, cases[i].last, out);

		tap_require(count == cases[i].count, "%s-%s: %d prefixes",
			    cases[i].first, cases[i].last, count);
		kcuckoo_prefix_format(&out[0], text);
		tap_require(!strcmp(text, cases[i].begin), "%s", text);
		kcuckoo_prefix_format(&out[count - 1], text);
		tap_require(!strcmp(text, cases[i].end), "%s", text);
	}
}

static const struct tap_test tests[] = {
	{ "range.small_ipv4: all ranges in three blocks of 256", test_small_ipv4 },
	{ "range.small_ipv6: all ranges in two blocks of 128", test_small_ipv6 },
	{ "range.random: exact, and no wider prefix would do", test_random },
	{ "range.huge: the whole of a family, and almost", test_huge },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
