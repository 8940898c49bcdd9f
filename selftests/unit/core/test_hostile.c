// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keys that an enemy chooses: what he can make of jhash, with the secret and
 * without it, and what gives it away; that siphash takes no notice, and that neither
 * other keys nor the answers of exact tables suffer.
 */
#include <time.h>

#include "collide.h"
#include "fixture.h"
#include "core/bucket_pair.h"

#define FORGED		10000
#define BUCKETS		1024
#define SET_FIRST	12
#define SET_LAST	256

/* Of the word that no hash tells so many bits are searched for. */
#define UNKNOWN_BITS	16

static void require_hash(const struct kcuckoo_hash_key *secret, const u8 *key,
			 u32 length, u64 expected)
{
	u64 hash = kcuckoo_hash_bytes(secret, key, length);

	tap_require(hash == expected, "%u bytes: %016llx, %016llx", length,
		    hash, expected);
}

/* With the secret: any hash, for as many keys as one likes. */
static void test_forged(void)
{
	int i;

	for (i = 0; i < FORGED; i++) {
		struct kcuckoo_hash_key secret = fixture_key();
		u64 hash = random_word();
		u8 key[COLLIDE_SIZE];
		u8 other[COLLIDE_SIZE];

		collide_key(secret.seed, hash, i, key);
		collide_key(secret.seed, hash, i + 1, other);
		tap_require(memcmp(key, other, sizeof(key)), "the same key");
		require_hash(&secret, key, sizeof(key), hash);
		require_hash(&secret, other, sizeof(other), hash);
	}
}

/* The word of the mix of a key that its hash does not tell. */
static u32 untold(const struct kcuckoo_hash_key *secret, const u8 *key)
{
	u32 words[3];
	u32 a, b, c;

	memcpy(words, key, sizeof(words));
	a = words[0] + secret->seed[0] + COLLIDE_INITVAL + COLLIDE_SIZE;
	b = words[1] + secret->seed[1];
	c = words[2] + secret->seed[2] + COLLIDE_SIZE * secret->seed[1];
	__jhash_final(a, b, c);
	return a;
}

/*
 * Searches for a secret under which two keys have the hashes that they have, in all
 * words that differ from @word in no more than their last bits. Returns how many
 * there are; @found is the last one.
 */
static unsigned int recover(const u8 keys[2][COLLIDE_SIZE], const u64 hashes[2],
			    u32 word, struct kcuckoo_hash_key *found)
{
	unsigned int count = 0;
	u32 i;

	for (i = 0; i < 1U << UNKNOWN_BITS; i++) {
		struct kcuckoo_hash_key guess = {};

		collide_seed(keys[0], hashes[0],
			     (word & ~0U << UNKNOWN_BITS) | i, guess.seed);
		if (kcuckoo_hash_bytes(&guess, keys[1], COLLIDE_SIZE) !=
		    hashes[1])
			continue;
		*found = guess;
		count++;
	}
	return count;
}

/*
 * Whole hashes of two keys give the secret away, for a search of 2^32 words. No call
 * tells hashes, and snapshots tell the secret itself; so this is what keeping them
 * apart is worth, not more. Of siphash they give nothing.
 */
static void test_recovered(void)
{
	struct kcuckoo_hash_key secret = fixture_key();
	struct kcuckoo_hash_key strong = fixture_strong_key();
	struct kcuckoo_hash_key found = {};
	u64 hashes[2], hash = random_word();
	clock_t start = clock();
	u8 keys[2][COLLIDE_SIZE];
	u8 key[COLLIDE_SIZE];
	unsigned int i;

	for (i = 0; i < 2 * COLLIDE_SIZE; i++)
		keys[i / COLLIDE_SIZE][i % COLLIDE_SIZE] = random_word();
	for (i = 0; i < 2; i++)
		hashes[i] = kcuckoo_hash_bytes(&secret, keys[i], COLLIDE_SIZE);
	tap_require(recover(keys, hashes, untold(&secret, keys[0]), &found) == 1,
		    "not one secret");
	printf("# all words take %.0f s of a processor\n",
	       (double)(clock() - start) / CLOCKS_PER_SEC *
	       (1U << (32 - UNKNOWN_BITS)));
	tap_require(!memcmp(found.seed, secret.seed, sizeof(found.seed)),
		    "another secret");
	collide_key(found.seed, hash, 1, key);
	require_hash(&secret, key, sizeof(key), hash);

	for (i = 0; i < 2; i++)
		hashes[i] = kcuckoo_hash_bytes(&strong, keys[i], COLLIDE_SIZE);
	tap_require(!recover(keys, hashes, untold(&strong, keys[0]), &found),
		    "a secret of siphash");
}

static void require_new(struct number_set *hashes, u64 hash)
{
	struct kcuckoo_number number = { .lo = hash };

	tap_require(number_set_add(hashes, number), "%016llx, again", hash);
}

/* Without it: lengths that make up for first words are of no use. */
static void test_twins(void)
{
	struct number_set hashes;
	unsigned int i;
	u32 set;

	number_set_init(&hashes, SET_LAST * COLLIDE_TWINS);
	for (set = SET_FIRST; set <= SET_LAST; set++) {
		struct kcuckoo_hash_key secret = fixture_key();
		u8 key[COLLIDE_SIZE];

		for (i = 0; i < COLLIDE_TWINS; i++) {
			u32 length = collide_twin(set, i, key);

			require_new(&hashes, kcuckoo_hash_bytes(&secret, key,
								length));
		}
	}
	number_set_free(&hashes);
}

/* Siphash sees no more in any of these than in other keys. */
static void test_siphash(void)
{
	struct kcuckoo_hash_key secret = fixture_strong_key();
	struct number_set hashes;
	u8 key[COLLIDE_SIZE];
	unsigned int i;
	u32 set;

	number_set_init(&hashes, FORGED + SET_LAST * COLLIDE_TWINS);
	for (i = 0; i < FORGED; i++) {
		collide_key(secret.seed, 0x123456789abcdef, i, key);
		require_new(&hashes, kcuckoo_hash_bytes(&secret, key,
							sizeof(key)));
	}
	for (set = SET_FIRST; set <= SET_LAST; set++) {
		for (i = 0; i < COLLIDE_TWINS; i++) {
			u32 length = collide_twin(set, i, key);

			require_new(&hashes, kcuckoo_hash_bytes(&secret, key,
								length));
		}
	}
	number_set_free(&hashes);
}

static struct kcuckoo_probe probe_of(const struct kcuckoo_table *table,
				     u64 hash)
{
	struct kcuckoo_probe probe = {};

	kcuckoo_table_probe_hash(table, hash, &probe);
	return probe;
}

static bool same_buckets(const struct kcuckoo_probe *one,
			 const struct kcuckoo_probe *other)
{
	return (one->bucket[0] == other->bucket[0] &&
		one->bucket[1] == other->bucket[1]) ||
	       (one->bucket[0] == other->bucket[1] &&
		one->bucket[1] == other->bucket[0]);
}

/*
 * Keys of one hash take the entries of two buckets and no more, and what is
 * refused is known without a search; others fill the table as ever.
 */
static void check_filled(unsigned int shift)
{
	const struct kcuckoo_table_params params = {
		.bucket_shift = shift,
		.tag_bits = 14,
		.nbuckets = BUCKETS,
	};
	struct kcuckoo_search *search = fixture_search();
	struct kcuckoo_probe forged, probe;
	struct kcuckoo_table table;
	u64 others = 0, most, *hashes;
	unsigned int copies = 0;

	fixture_table(&table, &params);
	most = kcuckoo_table_places(&table) * (shift ? 80 : 40) / 100;
	hashes = tap_zalloc(most * sizeof(*hashes));
	forged = probe_of(&table, random_word());
	while (!kcuckoo_table_saturated(&table, &forged)) {
		tap_require(fixture_add(&table, &forged, search) !=
			    KCUCKOO_NO_PLACE, "copy %u", copies);
		copies++;
	}
	tap_require(copies == 2U << shift, "%u copies", copies);
	for (; others < most; others++) {
		/* For another key of these buckets there is no room. */
		do {
			hashes[others] = random_word();
			probe = probe_of(&table, hashes[others]);
		} while (same_buckets(&probe, &forged));
		tap_require(fixture_add(&table, &probe, search) !=
			    KCUCKOO_NO_PLACE, "key %llu of %llu", others, most);
		tap_require(kcuckoo_table_saturated(&table, &forged),
			    "a copy was moved");
	}
	while (others--) {
		probe = probe_of(&table, hashes[others]);
		tap_require(kcuckoo_table_find(&table, &probe) !=
			    KCUCKOO_NO_PLACE, "key %llu", others);
	}
	fixture_table_free(&table);
	tap_free(hashes);
	tap_free(search);
}

static void test_filled(void)
{
	unsigned int shift;

	for (shift = 0; shift <= KCUCKOO_BUCKET_SHIFT_MAX; shift++)
		check_filled(shift);
}

/*
 * The next address, from permuted number *@at on, whose two buckets are those of
 * permuted number 0. Returns false behind the last one.
 */
static bool next_address(const struct kcuckoo_store *store,
			 const struct kcuckoo_hash_key *secret, u64 *at,
			 struct kcuckoo_key *key)
{
	struct kcuckoo_bucket_pair first = kcuckoo_bucket_pair_of_number(&store->table,
									 0);
	u32 m = store->layout.params.nbuckets;
	struct kcuckoo_bucket_pair pair;

	for (*at += m; *at <= (u32)~0U; *at += m) {
		pair = kcuckoo_bucket_pair_of_number(&store->table, *at);
		if (pair.bucket[1] != first.bucket[1])
			continue;
		key->number = kcuckoo_unpermute(secret,
						(struct kcuckoo_number){
							.lo = *at }, 32);
		kcuckoo_key_permute(key, secret, 32);
		return true;
	}
	return false;
}

/*
 * Addresses that all want the same two buckets of an exact table: they fill these,
 * and no answer is wrong, neither about them nor about those without room. In a
 * larger table they have nothing in common.
 */
static void check_addresses(const struct kcuckoo_hash_key *secret,
			    unsigned int shift)
{
	struct kcuckoo_layout layout = fixture_layout(32, shift, BUCKETS);
	struct kcuckoo_layout larger = fixture_layout(32, shift, BUCKETS * 5 / 4);
	struct kcuckoo_search *search = fixture_search();
	struct kcuckoo_store store, next;
	struct kcuckoo_key key = {};
	u64 added = 0, met = 0, at = 0;

	fixture_inet(&store, &layout, secret);
	fixture_inet(&next, &larger, secret);
	while (met < 4U << shift && next_address(&store, secret, &at, &key)) {
		met++;
		if (fixture_inet_add(&store, &key, search) == KCUCKOO_NO_PLACE)
			continue;
		added++;
	}
	tap_require(met == 4U << shift && added == 2U << shift,
		    "%llu met, %llu added", met, added);
	for (at = 0; met--;) {
		bool member;

		next_address(&store, secret, &at, &key);
		member = added && added--;
		tap_require(fixture_inet_contains(&store, &key) == member,
			    "%llx is %sa member", key.number.lo,
			    member ? "" : "not ");
		tap_require(fixture_inet_add(&next, &key, search) !=
			    KCUCKOO_NO_PLACE, "%llx", key.number.lo);
	}
	fixture_inet_free(&store);
	fixture_inet_free(&next);
	tap_free(search);
}

static void test_addresses(void)
{
	struct kcuckoo_hash_key secret = fixture_key();
	struct kcuckoo_hash_key strong = fixture_strong_key();
	unsigned int shift;

	for (shift = 0; shift <= KCUCKOO_BUCKET_SHIFT_MAX; shift++) {
		check_addresses(&secret, shift);
		check_addresses(&strong, shift);
	}
}

static const struct tap_test tests[] = {
	{ "hostile.forged: whoever knows the secret of jhash makes any hash",
	  test_forged },
	{ "hostile.recovered: hashes of two keys give the secret of jhash away",
	  test_recovered },
	{ "hostile.twins: jhash tells keys by their lengths without the secret",
	  test_twins },
	{ "hostile.siphash: none of these have one under siphash",
	  test_siphash },
	{ "hostile.filled: keys of one hash fill two buckets, others the rest",
	  test_filled },
	{ "hostile.addresses: an exact table stays exact, whoever chose its members",
	  test_addresses },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
