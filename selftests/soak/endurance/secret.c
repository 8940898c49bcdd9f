// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the secret of jhash is worth: whoever has the whole hashes of two keys finds it,
 * by a search of the one word of 32 bits that no hash tells, and makes keys that a
 * filter refuses although it is nearly empty. No call tells hashes, and snapshots tell
 * the secret itself. With siphash the same keys are like any others.
 *
 * WORDS= values of the word are tried, all unless it says so; where it is fewer, the right
 * one is among them. The filters are those of kmod/, in a process.
 */
#include "../../unit/core/collide.h"
#include "../../unit/core/tap.h"

#include "memory.h"
#include "filter/workqueue.h"

#define WORDS_ALL	0x100000000ULL
#define CAPACITY	100000
#define TAG_BITS	12
#define COPIES		8	/* 2b with four entries a bucket */
#define FORGED		51200	/* half of the capacity; whole chunks */

static struct kcuckoo_hash_key secret;
static struct kcuckoo_hash_key found;

/* Nobody reads beside the one thread. */
void kcuckoo_queue_rcu_free(struct rcu_work *work, work_func_t release)
{
	release(&work->work);
}

void kcuckoo_queue_delayed(struct delayed_work *work, u32 seconds)
{
	abort();
}

/* The word of the mix of a key that its hash does not tell. */
static u32 untold(const u8 *key)
{
	u32 words[3];
	u32 a, b, c;

	memcpy(words, key, sizeof(words));
	a = words[0] + secret.seed[0] + COLLIDE_INITVAL + COLLIDE_SIZE;
	b = words[1] + secret.seed[1];
	c = words[2] + secret.seed[2] + COLLIDE_SIZE * secret.seed[1];
	__jhash_final(a, b, c);
	return a;
}

/*
 * Tries so many words from @first on, and returns how many secrets there are under which
 * the two keys have the two hashes; @found is the last one.
 */
static u64 search(const u8 keys[2][COLLIDE_SIZE], const u64 hashes[2], u32 first,
		  u64 words)
{
	u64 count = 0, i;

	for (i = 0; i < words; i++) {
		struct kcuckoo_hash_key guess = {};

		collide_seed(keys[0], hashes[0], first + i, guess.seed);
		if (kcuckoo_hash_string(&guess, keys[1], COLLIDE_SIZE) != hashes[1])
			continue;
		found = guess;
		count++;
	}
	return count;
}

static void test_found(void)
{
	u64 words = tap_environment("WORDS", WORDS_ALL);
	u8 keys[2][COLLIDE_SIZE];
	u64 hashes[2], secrets;
	unsigned int i;
	u32 first = 0;

	for (i = 0; i < 3; i++)
		secret.seed[i] = random_word();
	for (i = 0; i < 2 * COLLIDE_SIZE; i++)
		keys[i / COLLIDE_SIZE][i % COLLIDE_SIZE] = random_word();
	for (i = 0; i < 2; i++)
		hashes[i] = kcuckoo_hash_bytes(&secret, keys[i], COLLIDE_SIZE);
	if (words < WORDS_ALL)
		first = untold(keys[0]) - random_below(words);
	secrets = search(keys, hashes, first, words);
	printf("# %llu words, %llu secrets\n", words, secrets);
	tap_require(secrets == 1, "%llu", secrets);
	tap_require(!memcmp(found.seed, secret.seed, sizeof(found.seed)),
		    "another secret");
}

static struct kcuckoo_filter *filter_begin(bool strong)
{
	struct kcuckoo_hash_key key = secret;
	struct kcuckoo_config config = {
		.type = KCUCKOO_TYPE_BYTES,
		.capacity = CAPACITY,
		.search_limit = KCUCKOO_SEARCH_VISITS,
		.params = { .bucket_shift = 2, .tag_bits = TAG_BITS },
	};
	struct kcuckoo_filter *filter;

	key.strong = strong;
	key.sip.key[0] = random_word();
	key.sip.key[1] = random_word();
	tap_require(!kcuckoo_config_check(&config), "no such filter");
	filter = kcuckoo_filter_create(&account, &config, &key, true);
	tap_require(!IS_ERR(filter), "no filter");
	return filter;
}

static void filter_end(struct kcuckoo_filter *filter)
{
	kcuckoo_filter_put(filter);
	tap_require(!account.bytes.count, "%lld bytes are left", account.bytes.count);
}

/* Keys of one hash under the secret that was found, from number @first on. */
static void chunk_forge(struct kcuckoo_batch *batch, const struct kcuckoo_filter *filter,
			u32 first)
{
	u8 key[COLLIDE_SIZE];
	u32 i;

	memset(batch, 0, sizeof(*batch));
	batch->count = KCUCKOO_CHUNK;
	for (i = 0; i < KCUCKOO_CHUNK; i++) {
		collide_key(found.seed, 0x0123456789abcdef, first + i, key);
		batch->member[i].index = KCUCKOO_BYTES_LAYER;
		batch->member[i].key.hash = kcuckoo_hash_bytes(&filter->secret, key,
							       sizeof(key));
	}
}

static u32 results(const struct kcuckoo_batch *batch, enum kcuckoo_result result)
{
	u32 count = 0, i;

	for (i = 0; i < batch->done; i++)
		count += batch->result[i] == result;
	return count;
}

/* Adds FORGED keys: how many became members; the others were refused. */
static u32 forged_add(struct kcuckoo_filter *filter)
{
	struct kcuckoo_batch *batch = tap_zalloc(sizeof(*batch));
	u32 added = 0, refused = 0, i;

	for (i = 0; i < FORGED; i += KCUCKOO_CHUNK) {
		chunk_forge(batch, filter, i);
		tap_require(!kcuckoo_filter_add(filter, batch), "an add failed");
		added += results(batch, KCUCKOO_RESULT_ADDED);
		refused += results(batch, KCUCKOO_RESULT_REFUSED);
	}
	tap_require(added + refused == FORGED, "%u added, %u refused", added, refused);
	return added;
}

/* How many of FORGED keys that were not added are met all the same. */
static u32 forged_met(struct kcuckoo_filter *filter)
{
	struct kcuckoo_batch *batch = tap_zalloc(sizeof(*batch));
	u32 met = 0, i;

	for (i = FORGED; i < 2 * FORGED; i += KCUCKOO_CHUNK) {
		chunk_forge(batch, filter, i);
		kcuckoo_filter_test(filter, batch, true);
		met += results(batch, KCUCKOO_RESULT_PRESENT);
	}
	return met;
}

static void test_used(void)
{
	struct kcuckoo_filter *filter = filter_begin(false);
	struct kcuckoo_ioc_info info = {};
	u32 added = forged_add(filter);
	u32 met = forged_met(filter);

	kcuckoo_filter_info(filter, &info);
	printf("# %u of %u keys fit, %u others are met; capacity %u, %llu searches\n",
	       added, FORGED, met, CAPACITY, info.searches);
	tap_require(added == COPIES, "%u", added);
	tap_require(info.members == COPIES && info.refused == FORGED - COPIES,
		    "%llu members, %llu refused", info.members, info.refused);
	tap_require(!info.searches && !info.growths, "%llu searches, %llu growths",
		    info.searches, info.growths);
	tap_require(met == FORGED, "%u", met);
	filter_end(filter);
}

/* All fit, and of others as many are met as of any keys, within five deviations. */
static void test_siphash(void)
{
	struct kcuckoo_filter *filter = filter_begin(true);
	u32 added = forged_add(filter);
	double expected = COPIES * (double)FORGED / CAPACITY * FORGED / (1 << TAG_BITS);
	u32 met = forged_met(filter);

	printf("# %u of %u keys fit, %u others are met, %.0f expected\n", added,
	       FORGED, met, expected);
	tap_require(added == FORGED, "%u", added);
	tap_require(fabs(met - expected) < 5 * sqrt(expected), "%u", met);
	filter_end(filter);
}

static const struct tap_test tests[] = {
	{ "secret.found: hashes of two keys give the secret of jhash away",
	  test_found },
	{ "secret.used: keys made with it are refused by a filter nearly empty",
	  test_used },
	{ "secret.siphash: the same keys are like any others under siphash",
	  test_siphash },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
