// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters whose keys an enemy chooses: what he can do to a filter of byte strings
 * hashed with jhash, that it stays bounded and harms no other key, and that
 * siphash takes no notice. How the keys are made: ../../unit/core/collide.h. And to a filter
 * of addresses, whose answers stay what they are.
 */

#include "bytes.h"

#include "../../unit/core/collide.h"

/* Where a snapshot has the secret of jhash, and the buckets of the first table: see
 * kmod/filter/snapshot.h.
 */
#define IMAGE_SEED	64
#define IMAGE_BUCKETS	100
#define IMAGE_SIZE	104

#define FORGED		client_scale(100000)
#define OTHERS		client_scale(50000)
#define COPIES		8	/* 2b with four entries a bucket */
#define UNLUCKY		2	/* others of the buckets that are full of these, at most */
#define ADDRESSES	1000
#define PAIR		(4 * COPIES)	/* addresses for one pair of buckets */
#define ROUNDS		10

FIXTURE(hostile)
{
	struct client client;
	struct strings forged;
};

FIXTURE_SETUP(hostile)
{
	ASSERT_EQ(0, client_begin(&self->client));
	self->forged.bytes = malloc(FORGED * COLLIDE_SIZE);
	self->forged.lengths = malloc(FORGED * sizeof(__u16));
	self->forged.count = FORGED;
}

FIXTURE_TEARDOWN(hostile)
{
	strings_free(&self->forged);
	EXPECT_EQ(0, client_end(&self->client));
}

static int create(int fd, const char *name, int hash, __u64 capacity, int bits)
{
	struct kcuckoo_ioc_create create = bytes_form(name, capacity, bits);

	create.hash = hash;
	return call(fd, KCUCKOO_IOC_CREATE, &create);
}

/* The beginning of a snapshot, as root can read it. */
static int image_begin(int fd, const char *name, __u8 image[IMAGE_SIZE])
{
	struct kcuckoo_ioc_save save = {
		.size = sizeof(save),
		.buffer = (uintptr_t)image,
		.length = IMAGE_SIZE,
	};

	set_name(save.name, name);
	return call(fd, KCUCKOO_IOC_SAVE, &save);
}

static int secret_read(int fd, const char *name, uint32_t seed[3])
{
	__u8 image[IMAGE_SIZE];
	int error = image_begin(fd, name, image);

	memcpy(seed, image + IMAGE_SEED, 3 * sizeof(*seed));
	return error;
}

/* Different keys of one hash in a filter with that secret. */
static void forge(struct strings *strings, const uint32_t seed[3])
{
	size_t i;

	for (i = 0; i < strings->count; i++) {
		collide_key(seed, 0x0123456789abcdef, i, strings->bytes + COLLIDE_SIZE * i);
		strings->lengths[i] = COLLIDE_SIZE;
	}
}

/* Keys of different lengths, whose first words make up for that. */
static void twins(struct strings *strings, int set)
{
	size_t at = 0, i;

	for (i = 0; i < COLLIDE_TWINS; i++) {
		strings->lengths[i] = collide_twin(set, i, strings->bytes + at);
		at += strings->lengths[i];
	}
	strings->count = COLLIDE_TWINS;
}

/* Adds what there is room for. How many that were, or a negative errno. */
static long long strings_add_each(int fd, const char *name, const struct strings *strings)
{
	struct strings rest = *strings;
	struct kcuckoo_ioc_add add;
	long long added = 0;
	int error;

	while (rest.count) {
		add = strings_adding(name, &rest);
		error = call(fd, KCUCKOO_IOC_ADD, &add);
		if (error && error != -ENOSPC)
			return error;
		added += error ? 0 : add.added;
		rest = strings_from(&rest, error ? 1 : add.done);
	}
	return added;
}

/*
 * With the secret: two buckets are full, of the rest each is refused by itself
 * without a search, and nobody else notices but who has these two buckets by chance,
 * on a debug kernel in one of a hundred runs; or even their fingerprint. The price is
 * that all of them are found.
 */
TEST_F(hostile, jhash_with_its_secret)
{
	struct strings others = strings_make("other", 0, OTHERS - COPIES);
	struct kcuckoo_ioc_add add = strings_adding("a", &self->forged);
	struct kcuckoo_ioc_info before, after;
	double start, refusing, adding;
	int fd = self->client.fd;
	uint32_t seed[3];
	long long added;

	ASSERT_EQ(0, create(fd, "a", KCUCKOO_HASH_JHASH, OTHERS, 16));
	ASSERT_EQ(0, secret_read(fd, "a", seed));
	forge(&self->forged, seed);
	ASSERT_EQ(0, filter_info(fd, "a", &before));
	start = client_clock();
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &add));
	refusing = client_clock() - start;
	EXPECT_EQ(FORGED, add.done);
	EXPECT_EQ(COPIES, add.added);
	EXPECT_EQ(FORGED - COPIES, add.refused);
	ASSERT_EQ(0, filter_info(fd, "a", &after));
	EXPECT_EQ(COPIES, after.members);
	EXPECT_EQ(0, after.growths);
	EXPECT_EQ(before.searches, after.searches);
	EXPECT_EQ(before.memory_bytes, after.memory_bytes);
	EXPECT_EQ(FORGED, strings_test(fd, "a", &self->forged));

	start = client_clock();
	added = strings_add_each(fd, "a", &others);
	adding = client_clock() - start;
	EXPECT_LE((long long)others.count - UNLUCKY, added);
	EXPECT_LE(added, strings_test(fd, "a", &others));
	TH_LOG("a refusal takes %.0f ns, an add %.0f", refusing / FORGED * 1e9,
	       adding / OTHERS * 1e9);
	/* Deletes find the copies, whichever key they name, and no more. */
	EXPECT_EQ(COPIES, strings_del(fd, "a", &self->forged));
	EXPECT_LE(added, strings_test(fd, "a", &others));
	strings_free(&others);
}

/* The same keys are like any others to siphash, even to whoever made them. */
TEST_F(hostile, siphash)
{
	int fd = self->client.fd;
	struct kcuckoo_ioc_info info;
	uint32_t seed[3];
	struct strings half;
	long long met;

	ASSERT_EQ(0, create(fd, "a", KCUCKOO_HASH_SIPHASH, FORGED, 24));
	ASSERT_EQ(0, secret_read(fd, "a", seed));
	forge(&self->forged, seed);
	half = self->forged;
	half.count /= 2;
	EXPECT_EQ(half.count, strings_add(fd, "a", &half));
	ASSERT_EQ(0, filter_info(fd, "a", &info));
	EXPECT_EQ(0, info.refused);
	/* Of the other half as many are met as of any keys. */
	met = strings_test(fd, "a", &self->forged) - half.count;
	EXPECT_GE(5 + 5 * info_rate(&info, 0) * half.count, met);
	EXPECT_EQ(0, filter_destroy(fd, "a"));

	ASSERT_EQ(0, create(fd, "a", KCUCKOO_HASH_SIPHASH, 1000, 32));
	twins(&self->forged, 99);
	EXPECT_EQ(COLLIDE_TWINS, strings_add(fd, "a", &self->forged));
	EXPECT_EQ(COLLIDE_TWINS, strings_del(fd, "a", &self->forged));
	self->forged.count = 1;
	EXPECT_EQ(1, strings_add(fd, "a", &self->forged));
	twins(&self->forged, 99);
	EXPECT_EQ(1, strings_test(fd, "a", &self->forged));
}

/* Without the secret: what of a length can be made up for is of no use. */
TEST_F(hostile, jhash_without_its_secret)
{
	struct strings one = self->forged;
	int fd = self->client.fd, set;

	ASSERT_EQ(0, create(fd, "a", KCUCKOO_HASH_JHASH, 100000, 32));
	for (set = 12; set <= 256; set += 61) {
		twins(&self->forged, set);
		one.count = 1;
		ASSERT_EQ(1, strings_add(fd, "a", &one));
		EXPECT_EQ(1, strings_test(fd, "a", &self->forged));
		EXPECT_EQ(COLLIDE_TWINS, strings_add(fd, "a", &self->forged));
		EXPECT_EQ(COLLIDE_TWINS, strings_test(fd, "a", &self->forged));
	}
}

/* What is not there cannot be deleted, however often somebody asks. */
TEST_F(hostile, deletes_of_absent_keys)
{
	struct strings in = strings_make("in", 0, OTHERS);
	struct strings out = strings_make("out", 0, FORGED / 10);
	struct kcuckoo_prefix *keys = calloc(FORGED, sizeof(*keys));
	struct kcuckoo_ioc_info before, after;
	int fd = self->client.fd;
	long long met;
	size_t i;

	ASSERT_EQ(0, create(fd, "a", KCUCKOO_HASH_SIPHASH, OTHERS, 32));
	ASSERT_EQ(OTHERS, strings_add(fd, "a", &in));
	/* At this rate there is one chance in ten thousands that one is met. */
	met = strings_del(fd, "a", &out);
	EXPECT_LE(0, met);
	EXPECT_GE(1, met);
	EXPECT_EQ(OTHERS - met, strings_test(fd, "a", &in));
	EXPECT_EQ(OTHERS - met, filter_entries(fd, "a"));

	ASSERT_EQ(0, filter_create(fd, "b", KCUCKOO_CAPACITY_MAX));
	for (i = 0; i < FORGED; i++)
		keys[i] = ipv4(i << 8, i % 2 ? 32 : 24);
	ASSERT_EQ(OTHERS, keys_add(fd, "b", keys, OTHERS));
	ASSERT_EQ(0, filter_info(fd, "b", &before));
	EXPECT_EQ(0, keys_del(fd, "b", keys + OTHERS, FORGED - OTHERS));
	ASSERT_EQ(0, filter_info(fd, "b", &after));
	EXPECT_EQ(0, memcmp(&before, &after, sizeof(before)));
	EXPECT_EQ(OTHERS, keys_members(fd, "b", keys, FORGED));
	strings_free(&in);
	strings_free(&out);
	free(keys);
}

/**
 * struct table - what root can read of a table of addresses
 * @seed: the secret
 * @nbuckets: its buckets
 */
struct table {
	uint32_t seed[3];
	uint32_t nbuckets;
};

/* Of a filter that has members of one length. */
static int table_read(int fd, const char *name, struct table *table)
{
	__u8 image[IMAGE_SIZE];
	int error = image_begin(fd, name, image);

	memcpy(table->seed, image + IMAGE_SEED, sizeof(table->seed));
	memcpy(&table->nbuckets, image + IMAGE_BUCKETS, sizeof(table->nbuckets));
	return error;
}

/* The hashes of numbers: kcuckoo_mulhash() in kmod/core/hash.h. */
static __u64 quick(const struct table *table, int which, __u64 number)
{
	const uint32_t *seed = table->seed;
	__u64 low = seed[which], factor = (__u64)seed[(which + 1) % 3] << 32 | low | 1;
	__u64 hash = number * factor + seed[(which + 2) % 3] * factor + low;

	return (hash ^ hash >> 32) * 0x9e3779b97f4a7c15ULL;
}

/* The address that is kept as a number: kcuckoo_unpermute() in kmod/core/permutation.c. */
static struct kcuckoo_prefix ipv4_kept_as(const struct table *table, __u32 number)
{
	__u32 upper = number >> 16, lower = number & 0xffff;

	upper ^= quick(table, 2, lower) >> 48;
	lower ^= quick(table, 1, upper) >> 48;
	upper ^= quick(table, 0, lower) >> 48;
	return ipv4(upper << 16 | lower, 32);
}

static struct kcuckoo_prefix ipv6_kept_as(const struct table *table, __u64 upper,
					  __u64 lower)
{
	upper ^= quick(table, 2, lower);
	lower ^= quick(table, 1, upper);
	upper ^= quick(table, 0, lower);
	return ipv6(upper, lower, 128);
}

static bool is_among(const struct kcuckoo_prefix *keys, size_t count,
		     struct kcuckoo_prefix key)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (!memcmp(&keys[i], &key, sizeof(key)))
			return true;
	}
	return false;
}

/*
 * Behind the first @known of @keys, @count others of which each belongs into the two
 * buckets @bucket and @bucket + 1, from the quotient @first on:
 * kcuckoo_bucket_pair_of_ipv4() in kmod/core/bucket_pair.h. Returns how many there are.
 */
static size_t forge_ipv4(const struct table *table, __u32 bucket, __u64 first,
			 struct kcuckoo_prefix *keys, size_t known, size_t count)
{
	__u32 m = table->nbuckets, odd = !(m % 2);
	struct kcuckoo_prefix *pair = keys + known;
	__u64 q;

	for (q = first; (q + 1) * m < 1ULL << 32 && pair + 2 <= keys + known + count; q++) {
		__u32 sum = (__u32)((__uint128_t)quick(table, 0, q) * m >> 64) | odd;

		if (sum != 2 * bucket + 1)
			continue;
		pair[0] = ipv4_kept_as(table, q * m + bucket);
		pair[1] = ipv4_kept_as(table, q * m + bucket + 1);
		if (!is_among(keys, known, pair[0]) && !is_among(keys, known, pair[1]))
			pair += 2;
	}
	return pair - keys - known;
}

static void fill_random(struct kcuckoo_prefix *keys, size_t count, __u64 state, int family)
{
	__u64 high, low;
	size_t i;

	for (i = 0; i < count; i++) {
		high = random_next(&state);
		low = random_next(&state);
		keys[i] = family == KCUCKOO_FAMILY_IPV4 ? ipv4(high >> 32, 32) :
			  ipv6(high, low, 128);
	}
}

/*
 * With the secret: addresses for one pair of buckets have the table grow, but for one
 * step only, however many they are, since in the next table they are apart. Those who
 * are new make it grow again; what is in it and what is not is told as ever.
 */
TEST_F(hostile, addresses_of_one_pair_of_buckets)
{
	struct kcuckoo_prefix all[2 * ADDRESSES + ROUNDS * 2 * PAIR], *others = all;
	struct kcuckoo_prefix *strangers = all + ADDRESSES, *keys = all + 2 * ADDRESSES;
	struct kcuckoo_prefix in[ROUNDS * PAIR], out[ROUNDS * PAIR];
	struct kcuckoo_ioc_info before, after;
	int fd = self->client.fd, round, i;
	struct table table = {};

	fill_random(others, ADDRESSES, 1, KCUCKOO_FAMILY_IPV4);
	fill_random(strangers, ADDRESSES, 2, KCUCKOO_FAMILY_IPV4);
	ASSERT_EQ(0, filter_create(fd, "a", KCUCKOO_CAPACITY_MAX));
	ASSERT_EQ(0, filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV4, 32, 2 * ADDRESSES));
	ASSERT_EQ(ADDRESSES, keys_add(fd, "a", others, ADDRESSES));
	for (round = 0; round < ROUNDS; round++, keys += 2 * PAIR) {
		ASSERT_EQ(0, filter_info(fd, "a", &before));
		ASSERT_EQ(0, table_read(fd, "a", &table));
		EXPECT_EQ(before.table_entries, 4ULL * table.nbuckets);
		ASSERT_EQ(2 * PAIR, forge_ipv4(&table, 7, 1000, all, keys - all, 2 * PAIR));
		/* In turns: each stranger has the buckets of a member. */
		for (i = 0; i < PAIR; i++) {
			in[round * PAIR + i] = keys[2 * i + (i / 2) % 2];
			out[round * PAIR + i] = keys[2 * i + 1 - (i / 2) % 2];
		}
		EXPECT_EQ(COPIES / 2, keys_add(fd, "a", in + round * PAIR, COPIES / 2));
		EXPECT_EQ(COPIES / 2, keys_covered(fd, "a", in + round * PAIR, PAIR));
		EXPECT_EQ(0, keys_covered(fd, "a", out + round * PAIR, PAIR));
		ASSERT_EQ(0, filter_info(fd, "a", &after));
		EXPECT_EQ(before.growths, after.growths);

		/* Behind these they do not fit. */
		EXPECT_EQ(PAIR - COPIES / 2, keys_add(fd, "a", in + round * PAIR, PAIR));
		ASSERT_EQ(0, filter_info(fd, "a", &after));
		EXPECT_LE(before.growths + 1, after.growths);
		EXPECT_GE(before.growths + 2, after.growths);
		EXPECT_EQ(before.members + PAIR, after.members);
		EXPECT_EQ((round + 1) * PAIR, keys_covered(fd, "a", in, (round + 1) * PAIR));
		EXPECT_EQ(0, keys_covered(fd, "a", out, (round + 1) * PAIR));
		EXPECT_EQ(ADDRESSES, keys_covered(fd, "a", others, ADDRESSES));
		EXPECT_EQ(0, keys_covered(fd, "a", strangers, ADDRESSES));
	}
	TH_LOG("%llu growths, %llu of %llu entries in use", after.growths, after.members,
	       after.table_entries);
	EXPECT_EQ(0, keys_del(fd, "a", out, ROUNDS * PAIR));
	EXPECT_EQ(ROUNDS * PAIR, keys_del(fd, "a", in, ROUNDS * PAIR));
	EXPECT_EQ(ADDRESSES, keys_members(fd, "a", others, ADDRESSES));
}

/*
 * Of IPv6 there are any number that share their two buckets in a table of any size: one
 * more than these hold has the table grow as far as it may, and is refused then. All
 * others are told apart as ever, and compacting gives the memory back.
 */
TEST_F(hostile, addresses_of_one_pair_in_every_table)
{
	struct kcuckoo_prefix others[ADDRESSES], keys[2 * COPIES];
	struct kcuckoo_ioc_info before, after;
	struct kcuckoo_ioc_stats stats;
	int fd = self->client.fd, i;
	struct table table = {};

	fill_random(others, ADDRESSES, 1, KCUCKOO_FAMILY_IPV6);
	ASSERT_EQ(0, filter_create(fd, "a", KCUCKOO_CAPACITY_MAX));
	ASSERT_EQ(0, filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV6, 128, 2 * ADDRESSES));
	ASSERT_EQ(ADDRESSES / 2, keys_add(fd, "a", others, ADDRESSES / 2));
	ASSERT_EQ(0, table_read(fd, "a", &table));
	for (i = 0; i < 2 * COPIES; i++)
		keys[i] = ipv6_kept_as(&table, i, 0x123456789abcdef);
	EXPECT_EQ(COPIES, keys_add(fd, "a", keys, COPIES));
	ASSERT_EQ(0, filter_info(fd, "a", &before));

	ASSERT_EQ(0, client_stats(fd, &stats));
	ASSERT_EQ(0, parameter_set("max_bytes", 16777216));
	EXPECT_EQ(-EDQUOT, keys_add(fd, "a", keys + COPIES, COPIES));
	ASSERT_EQ(0, parameter_set("max_bytes", stats.max_bytes));

	ASSERT_EQ(0, filter_info(fd, "a", &after));
	EXPECT_EQ(before.members, after.members);
	EXPECT_GE(16777216, after.memory_bytes);
	TH_LOG("%llu growths", after.growths);
	EXPECT_EQ(COPIES, keys_covered(fd, "a", keys, COPIES));
	EXPECT_EQ(0, keys_covered(fd, "a", keys + COPIES, COPIES));
	EXPECT_EQ(ADDRESSES / 2, keys_covered(fd, "a", others, ADDRESSES));
	EXPECT_EQ(ADDRESSES / 2, keys_add(fd, "a", others + ADDRESSES / 2, ADDRESSES / 2));
	EXPECT_EQ(0, filter_compact(fd, "a"));
	ASSERT_EQ(0, filter_info(fd, "a", &after));
	EXPECT_GE(before.table_entries, after.table_entries);
	EXPECT_EQ(COPIES, keys_covered(fd, "a", keys, 2 * COPIES));
	EXPECT_EQ(ADDRESSES, keys_covered(fd, "a", others, ADDRESSES));
}

TEST_HARNESS_MAIN
