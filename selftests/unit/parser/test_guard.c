// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists that are too short, too long or too wide are found, and others are not.
 */
#include "kcuckoo.h"
#include "keys/guard.h"
#include "tap.h"

static const struct guards usual = {
	.max_shrink = GUARD_SHRINK,
	.max_grow = GUARD_GROW_DEFAULT,
};

static struct measure size(__u64 keys, __u64 ipv4, __u64 ipv6)
{
	return (struct measure){ .keys = keys, .covered = { ipv4, ipv6 } };
}

static void require_result(const struct guards *guards, struct measure now,
			   struct measure next, enum guard_result expected)
{
	enum guard_result result = guard_check(guards, &now, &next);

	tap_require(result == expected, "%llu keys, then %llu: %d, not %d",
		    now.keys, next.keys, result, expected);
}

static void test_min(void)
{
	struct guards guards = usual;

	guards.min = 500;
	require_result(&guards, size(0, 0, 0), size(499, 499, 0), GUARD_TOO_FEW);
	require_result(&guards, size(0, 0, 0), size(500, 500, 0), GUARD_PASSED);
	require_result(&usual, size(10, 10, 0), size(0, 0, 0), GUARD_PASSED);
}

static void test_shrink(void)
{
	struct guards guards = usual;

	require_result(&usual, size(100, 100, 0), size(1, 1, 0), GUARD_PASSED);
	require_result(&usual, size(102, 102, 0), size(51, 51, 0), GUARD_PASSED);
	require_result(&usual, size(102, 102, 0), size(50, 50, 0), GUARD_SHRUNK);
	require_result(&usual, size(101, 101, 0), size(0, 0, 0), GUARD_SHRUNK);
	/* Fewer keys that cover as much are no list that was cut off. */
	require_result(&usual, size(1000, 1000, 0), size(4, 1024, 0), GUARD_PASSED);
	require_result(&usual, size(1000, 1000, 9), size(4, 1024, 8), GUARD_SHRUNK);
	require_result(&usual, size(1000, 0, 1000), size(4, 0, 1024), GUARD_PASSED);
	guards.max_shrink = 0;
	require_result(&guards, size(1000, 1000, 0), size(999, 999, 0), GUARD_SHRUNK);
	require_result(&guards, size(1000, 1000, 0), size(1000, 1000, 0), GUARD_PASSED);
	guards.max_shrink = 100;
	require_result(&guards, size(1000, 1000, 0), size(0, 0, 0), GUARD_PASSED);
}

static void test_grow(void)
{
	struct guards guards = usual;
	__u64 million = 1 << 20;

	require_result(&usual, size(0, 0, 0), size(9, 300 * million, 0), GUARD_PASSED);
	require_result(&usual, size(1, 1, 0), size(9, 4 * million + 1, 0), GUARD_PASSED);
	require_result(&usual, size(1, 1, 0), size(9, 4 * million + 2, 0), GUARD_GROWN);
	require_result(&usual, size(1, 9 * million, 0), size(9, 18 * million, 0),
		       GUARD_PASSED);
	require_result(&usual, size(1, 9 * million, 0), size(9, 18 * million + 1, 0),
		       GUARD_GROWN);
	require_result(&usual, size(1, 0, 1), size(1, 0, 1 + ((__u64)1 << 38)),
		       GUARD_PASSED);
	require_result(&usual, size(1, 0, 1), size(1, 0, 2 + ((__u64)1 << 38)),
		       GUARD_GROWN);
	guards.wide = true;
	require_result(&guards, size(1, 1, 0), size(9, 4 * million + 2, 0),
		       GUARD_PASSED);
	guards.max_grow = 10;
	require_result(&guards, size(100, 100, 0), size(110, 110, 0), GUARD_PASSED);
	require_result(&guards, size(100, 100, 0), size(111, 100, 0), GUARD_GROWN);
	require_result(&guards, size(100, 100, 0), size(100, 111, 0), GUARD_GROWN);
	require_result(&guards, size(100, 100, 10), size(100, 100, 12), GUARD_GROWN);
}

static void test_part(void)
{
	struct guards guards = usual;

	require_result(&usual, size(0, 0, 0), size(1, 370239078, 0), GUARD_PASSED);
	require_result(&usual, size(0, 0, 0), size(1, 370239079, 0), GUARD_TOO_LARGE);
	guards.wide = true;
	require_result(&guards, size(0, 0, 0), size(1, 370239079, 0), GUARD_PASSED);
}

static void add(struct keyset *set, const char *text)
{
	struct kcuckoo_prefix key;

	tap_require(kcuckoo_prefix_parse(text, &key, NULL) == 0, "%s", text);
	tap_require(!keyset_add(set, &key), "no memory");
}

/* Which of these keys is too wide? */
static void require_wide(const char *one, const char *two, const char *wide)
{
	struct keyset set, excluded, outermost;
	char text[KCUCKOO_PREFIX_TEXT] = "";
	struct kcuckoo_prefix key;

	keyset_init(&set);
	keyset_init(&excluded);
	keyset_init(&outermost);
	add(&set, one);
	add(&set, two);
	keyset_sort(&set);
	tap_require(!guard_add_bogons(&excluded), "no memory");
	keyset_sort(&excluded);
	tap_require(!keyset_outermost(&excluded, &outermost), "no memory");
	tap_require(keyset_count(&outermost) == 13, "bogons overlap");
	if (guard_find_wide(&set, &outermost, &key))
		kcuckoo_prefix_format(&key, text);
	tap_require(!strcmp(text, wide), "%s and %s: '%s'", one, two, text);
	keyset_free(&outermost);
	keyset_free(&excluded);
	keyset_free(&set);
}

static void test_wide(void)
{
	require_wide("192.0.2.1", "64.0.0.0/6", "");
	require_wide("192.0.2.1", "64.0.0.0/5", "64.0.0.0/5");
	require_wide("192.0.2.1", "0.0.0.0/0", "0.0.0.0/0");
	require_wide("192.0.2.1", "8.0.0.0/5", "8.0.0.0/5");
	require_wide("2001:db8::", "2000::/12", "");
	require_wide("2001:db8::", "2000::/11", "2000::/11");
	/* These are left out as a whole. */
	require_wide("224.0.0.0/3", "240.0.0.0/4", "");
	require_wide("fc00::/7", "ff00::/8", "");
	require_wide("fc00::/6", "ff00::/8", "fc00::/6");
}

/* Several exceptions can cover a wide key together. */
static void test_together(void)
{
	static const char * const halves[] = {
		"64.0.0.0/6", "68.0.0.0/7", "70.0.0.0/8", "71.0.0.0/9", "71.128.0.0/9",
		"2000::/12", "2010::/12",
	};
	struct keyset set, excluded;
	struct kcuckoo_prefix key;
	size_t i;

	keyset_init(&set);
	add(&set, "64.0.0.0/5");
	add(&set, "2000::/11");
	keyset_sort(&set);
	for (i = 0; i < TAP_COUNT(halves); i++) {
		keyset_init(&excluded);
		for (size_t j = 0; j < TAP_COUNT(halves); j++)
			if (j != i)
				add(&excluded, halves[j]);
		keyset_sort(&excluded);
		tap_require(guard_find_wide(&set, &excluded, &key), "without %s", halves[i]);
		tap_require(key.plen == (i < 5 ? 5 : 11), "%d", key.plen);
		add(&excluded, halves[i]);
		keyset_sort(&excluded);
		tap_require(!guard_find_wide(&set, &excluded, &key), "with %s", halves[i]);
		keyset_free(&excluded);
	}
	keyset_free(&set);
}

static const struct tap_test tests[] = {
	{ "guard.min: fewer keys", test_min },
	{ "guard.shrink: a list that was cut off", test_shrink },
	{ "guard.grow: twice as many addresses", test_grow },
	{ "guard.part: a tenth of all IPv4 addresses", test_part },
	{ "guard.wide: keys that no list should have", test_wide },
	{ "guard.together: a key that several exceptions cover is not wide", test_together },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
