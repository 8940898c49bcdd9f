// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets of keys: kept, sorted and searched for repeats as an array would be.
 */
#include "keyset.h"
#include "tap.h"

static void random_key(struct kcuckoo_prefix *key, unsigned int variety)
{
	int bits, bytes, i;

	memset(key, 0, sizeof(*key));
	key->family = 1 + random_below(2);
	bytes = key->family == KCUCKOO_FAMILY_IPV4 ? 4 : 16;
	bits = 8 * bytes;
	for (i = 0; i < bytes; i++)
		key->addr[i] = random_below(variety);
	key->plen = bits - random_below(3);
}

static int compare(const void *a, const void *b)
{
	const struct kcuckoo_prefix *x = a, *y = b;
	int order;

	if (x->family != y->family)
		return x->family - y->family;
	order = memcmp(x->addr, y->addr, 16);
	return order ? order : x->plen - y->plen;
}

static void check(size_t count, unsigned int variety)
{
	struct kcuckoo_prefix *keys = tap_zalloc(count * sizeof(*keys));
	struct kcuckoo_prefix *back = tap_zalloc(count * sizeof(*keys));
	struct kcuckoo_prefix first;
	size_t i, at, repeats = 0;
	struct keyset set;

	keyset_init(&set);
	for (i = 0; i < count; i++) {
		random_key(&keys[i], variety);
		tap_require(!keyset_add(&set, &keys[i]), "no memory");
	}
	tap_require(keyset_count(&set) == count, "%zu keys",
		    keyset_count(&set));
	keyset_sort(&set);
	if (count)
		qsort(keys, count, sizeof(*keys), compare);
	for (at = 0; at < count;)
		at += keyset_read(&set, at, back + at, 1 + random_below(300));
	tap_require(at >= count, "%zu of %zu read", at, count);
	tap_require(!keyset_read(&set, count, &first, 1), "one too many");
	for (i = 0; i < count; i++) {
		tap_require(!compare(&keys[i], &back[i]), "key %zu of %zu", i,
			    count);
		repeats += i && !compare(&keys[i - 1], &keys[i]);
	}
	tap_require(keyset_repeats(&set, &first) == repeats, "not %zu repeats",
		    repeats);
	keyset_free(&set);
}

static void test_sort(void)
{
	int i;

	check(0, 2);
	check(1, 2);
	for (i = 0; i < 300; i++)
		check(random_below(3000), 2 + random_edge(7));
	check(200000, 256);
	check(200000, 2);
}

/* The first reading cannot go beyond the arrays: they are exact. */
static void test_bytes(void)
{
	struct kcuckoo_prefix key;
	struct keyset set;
	int i;

	keyset_init(&set);
	tap_require(!keyset_bytes(&set), "not empty");
	for (i = 0; i < 1000; i++) {
		random_key(&key, 256);
		key.family = 1 + i % 2;
		keyset_add(&set, &key);
	}
	tap_require(keyset_bytes(&set) == 500 * 5 + 500 * 17, "%zu bytes",
		    keyset_bytes(&set));
	keyset_free(&set);
	tap_require(!keyset_count(&set), "not empty again");
}

/* A note goes where its key goes. */
static void test_notes(void)
{
	struct kcuckoo_prefix key;
	struct keyset set;
	struct note note;
	size_t i;

	keyset_init(&set);
	tap_require(!keyset_has_notes(&set), "notes");
	keyset_keep_notes(&set);
	tap_require(keyset_has_notes(&set), "no notes");
	for (i = 0; i < 5000; i++) {
		random_key(&key, 256);
		memcpy(&note.value, key.addr, 4);
		note.timeout = key.plen;
		tap_require(!keyset_add_noted(&set, &key, &note), "memory");
	}
	tap_require(keyset_bytes(&set) ==
		    13 * set.parts[0].count + 25 * set.parts[1].count,
		    "%zu bytes", keyset_bytes(&set));
	keyset_sort(&set);
	for (i = 0; i < 5000; i++) {
		tap_require(keyset_read(&set, i, &key, 1) == 1, "key %zu", i);
		tap_require(keyset_read_notes(&set, i, &note, 1) == 1,
			    "note %zu", i);
		tap_require(!memcmp(&note.value, key.addr, 4) &&
			    note.timeout == key.plen, "note %zu", i);
	}
	tap_require(!keyset_read_notes(&set, i, &note, 1), "one too many");
	keyset_clear(&set);
	tap_require(!keyset_count(&set) && keyset_has_notes(&set), "cleared");
	keyset_free(&set);
}

static const struct tap_test tests[] = {
	{ "keyset.sort: as qsort does, repeats counted", test_sort },
	{ "keyset.bytes: 5 for IPv4, 17 for IPv6", test_bytes },
	{ "keyset.notes: stay with their keys", test_notes },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
