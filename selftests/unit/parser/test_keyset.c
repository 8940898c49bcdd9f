// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets of keys: kept, sorted and searched for repeats as an array would be.
 */
#include "keys/keyset.h"
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
		    13 * set.families[0].count + 25 * set.families[1].count,
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

#define UNIVERSE	200

/* Which keys of a small universe are in a set, and with which value. */
struct subset {
	struct keyset set;
	int value[2][UNIVERSE];		/* -1: is not in it */
};

static void random_subset(struct subset *subset, bool notes)
{
	struct kcuckoo_prefix key;
	struct note note;
	int family, i, share = random_below(4);

	keyset_init(&subset->set);
	if (notes)
		keyset_keep_notes(&subset->set);
	memset(&key, 0, sizeof(key));
	for (family = 0; family < 2; family++) {
		for (i = 0; i < UNIVERSE; i++) {
			subset->value[family][i] = -1;
			if ((int)random_below(3) >= share)
				continue;
			key.family = family + 1;
			key.addr[0] = i;
			key.plen = family ? 128 : 32;
			note.value = random_below(3);
			note.timeout = i;
			subset->value[family][i] = notes ? (int)note.value : 0;
			keyset_add_noted(&subset->set, &key, &note);
		}
	}
	keyset_sort(&subset->set);
}

static void check_compare(bool notes_a, bool notes_b)
{
	struct keyset_match match, expected = { .both = 0 };
	struct keyset common;
	struct subset a, b;
	size_t i;

	random_subset(&a, notes_a);
	random_subset(&b, notes_b);
	for (i = 0; i < 2 * UNIVERSE; i++) {
		int x = a.value[i / UNIVERSE][i % UNIVERSE];
		int y = b.value[i / UNIVERSE][i % UNIVERSE];

		expected.only_a += x >= 0 && y < 0;
		expected.only_b += x < 0 && y >= 0;
		expected.both += x >= 0 && y >= 0;
		expected.values += notes_a && notes_b && x >= 0 && y >= 0 &&
				   x != y;
	}
	keyset_init(&common);
	if (notes_a)
		keyset_keep_notes(&common);
	tap_require(!keyset_compare(&a.set, &b.set, &match, &common), "memory");
	tap_require(!memcmp(&match, &expected, sizeof(match)),
		    "%llu %llu %llu %llu", match.only_a, match.only_b,
		    match.both, match.values);
	tap_require(keyset_count(&common) == match.both, "%zu in common",
		    keyset_count(&common));
	for (i = 0; i < match.both; i++) {
		struct kcuckoo_prefix key;
		struct note note = { .value = 0 };

		keyset_read(&common, i, &key, 1);
		if (notes_a)
			keyset_read_notes(&common, i, &note, 1);
		tap_require(a.value[key.family - 1][key.addr[0]] ==
			    (int)note.value, "key %zu", i);
		tap_require(b.value[key.family - 1][key.addr[0]] >= 0,
			    "key %zu", i);
	}
	keyset_free(&common);
	keyset_free(&a.set);
	keyset_free(&b.set);
}

static void test_compare(void)
{
	int i;

	for (i = 0; i < 400; i++)
		check_compare(i & 1, i & 2);
}

static bool prefix_covers(const struct kcuckoo_prefix *outer,
			  const struct kcuckoo_prefix *inner)
{
	int bit;

	if (outer->family != inner->family || outer->plen > inner->plen)
		return false;
	for (bit = 0; bit < outer->plen; bit++)
		if ((outer->addr[bit / 8] ^ inner->addr[bit / 8]) &
		    0x80 >> bit % 8)
			return false;
	return true;
}

/* Prefixes of any length, many of them inside others. */
static void random_prefix(struct kcuckoo_prefix *key)
{
	int bit, bits;

	random_key(key, 2);
	bits = key->family == KCUCKOO_FAMILY_IPV4 ? 32 : 128;
	key->addr[0] = random_below(256) & random_below(256);
	key->plen = random_below(3) ? random_below(bits + 1) : random_below(12);
	for (bit = key->plen; bit < bits; bit++)
		key->addr[bit / 8] &= ~(0x80 >> bit % 8);
}

/* What any of the keys covers, the outermost cover, and the other way round. */
static void check_within(size_t count)
{
	struct kcuckoo_prefix keys[64], probe;
	struct keyset set, outermost;
	size_t i, probes;

	keyset_init(&set);
	keyset_init(&outermost);
	if (count % 2)
		keyset_keep_notes(&set);
	for (i = 0; i < count; i++) {
		struct note note = { .value = i };

		random_prefix(&keys[i]);
		tap_require(!keyset_add_noted(&set, &keys[i], &note), "no memory");
	}
	keyset_sort(&set);
	tap_require(!keyset_outermost(&set, &outermost), "no memory");
	tap_require(keyset_count(&outermost) <= count, "more than there were");
	for (probes = 0; probes < 200; probes++) {
		bool covered = false, within = false;

		random_prefix(&probe);
		if (count && probes % 4 == 0)
			probe = keys[random_below(count)];
		for (i = 0; i < count; i++) {
			covered |= prefix_covers(&keys[i], &probe);
			within |= prefix_covers(&probe, &keys[i]);
		}
		tap_require(keyset_covers(&outermost, &probe) == covered,
			    "a /%u of %zu keys: covered %d", probe.plen, count,
			    covered);
		tap_require(keyset_has_within(&set, &probe) == within,
			    "a /%u of %zu keys: within %d", probe.plen, count,
			    within);
	}
	keyset_free(&outermost);
	keyset_free(&set);
}

static void test_within(void)
{
	size_t i;

	for (i = 0; i < 2000; i++)
		check_within(i % 64);
}

static const struct tap_test tests[] = {
	{ "keyset.sort: as qsort does, repeats counted", test_sort },
	{ "keyset.bytes: 5 for IPv4, 17 for IPv6", test_bytes },
	{ "keyset.notes: stay with their keys", test_notes },
	{ "keyset.compare: counts and keys in common", test_compare },
	{ "keyset.within: which keys cover others", test_within },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
