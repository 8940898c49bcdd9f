// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters of byte strings: what there can be, adding, looking up, deleting,
 * copies, rates, doubling and halving.
 */

#include "bytes.h"

FIXTURE(bytes)
{
	struct client client;
};

FIXTURE_SETUP(bytes)
{
	ASSERT_EQ(0, client_begin(&self->client));
}

FIXTURE_TEARDOWN(bytes)
{
	EXPECT_EQ(0, client_end(&self->client));
}

/* What each field may be, and what goes together. */
TEST_F(bytes, forms)
{
	static const struct {
		int error;
		__u32 flags;
		__u8 bucket, bits, values;
		__u32 fpr, steps, timeout;
	} forms[] = {
		{ 0, 0, 0, 1 }, { 0, 0, 0, 32 }, { -EINVAL, 0, 0, 33 }, { -EINVAL },
		{ 0, 0, 1, 12 }, { 0, 0, 2, 12 }, { 0, 0, 8, 12 }, { -EINVAL, 0, 3, 12 },
		{ -EINVAL, 0, 16, 12 }, { -EINVAL, 0, 128, 12 },
		{ 0, 0, 0, 12, 32 }, { -EINVAL, 0, 0, 12, 33 },
		{ 0, 0, 0, 0, 0, 1 << 20 }, { -EINVAL, 0, 0, 12, 0, 1 << 20 },
		{ 0, 0, 0, 0, 0, ~0U }, { -EINVAL, 0, 8, 0, 0, 1 },
		{ 0, 0, 0, 12, 0, 0, 2 }, { 0, 0, 0, 12, 0, 0, 1024 },
		{ -EINVAL, 0, 0, 12, 0, 0, 1 }, { -EINVAL, 0, 0, 12, 0, 0, 1025 },
		{ -EINVAL, 0, 0, 12, 0, 0, 0, 1 },
		{ 0, KCUCKOO_CREATE_SORTED, 0, 5 }, { -EINVAL, KCUCKOO_CREATE_SORTED, 0, 4 },
		{ 0, KCUCKOO_CREATE_SORTED, 4, 32 },
		{ 0, KCUCKOO_CREATE_SORTED, 0, 0, 0, 1 << 20 },
		{ -EOPNOTSUPP, KCUCKOO_CREATE_SORTED, 8, 12 },
		{ -EOPNOTSUPP, KCUCKOO_CREATE_SORTED, 4, 12, 1 },
		{ -EOPNOTSUPP, KCUCKOO_CREATE_SORTED | KCUCKOO_CREATE_TIMEOUT |
		  KCUCKOO_CREATE_INSERT_ONLY, 4, 12 },
		{ -EOPNOTSUPP, KCUCKOO_CREATE_TIMEOUT, 4, 12 },
		{ 0, KCUCKOO_CREATE_TIMEOUT | KCUCKOO_CREATE_INSERT_ONLY, 4, 12, 0, 0, 0,
		  KCUCKOO_TIMEOUT_MAX },
		{ -EINVAL, KCUCKOO_CREATE_TIMEOUT | KCUCKOO_CREATE_INSERT_ONLY, 4, 12, 0, 0, 0,
		  KCUCKOO_TIMEOUT_MAX + 1 },
		{ 0, KCUCKOO_CREATE_FIXED, 4, 12 }, { -EINVAL, 1U << 5, 4, 12 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		struct kcuckoo_ioc_create create = bytes_form("a", 100, forms[i].bits);

		create.flags = forms[i].flags;
		create.bucket_size = forms[i].bucket;
		create.value_bits = forms[i].values;
		create.fpr = forms[i].fpr;
		create.search_limit = forms[i].steps;
		create.timeout = forms[i].timeout;
		EXPECT_EQ(forms[i].error, call(self->client.fd, KCUCKOO_IOC_CREATE, &create))
			TH_LOG("form %zu", i);
		if (!forms[i].error)
			EXPECT_EQ(0, filter_destroy(self->client.fd, "a"));
	}
	EXPECT_EQ(0, filter_list(self->client.fd, NULL, 0));
}

/*
 * Where no table has room for as many keys there is none, before any memory is asked
 * for. Addresses come as they like, so their tables are made when they do.
 */
TEST_F(bytes, capacity_beyond_all_tables)
{
	static const struct {
		__u64 capacity;
		__u8 bucket, bits;
		__u32 fpr, flags;
	} forms[] = {
		{ 1000000000, 1, 1, 0, KCUCKOO_CREATE_FIXED },
		{ KCUCKOO_CAPACITY_MAX, 8, 32 }, { KCUCKOO_CAPACITY_MAX, 0, 0, 1 << 20 },
		{ 1ULL << 33, 4, 16, 0, KCUCKOO_CREATE_INSERT_ONLY },
		{ 1ULL << 33, 0, 5, 0, KCUCKOO_CREATE_SORTED },
	};
	int fd = self->client.fd;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		struct kcuckoo_ioc_create create = bytes_form("a", forms[i].capacity,
							      forms[i].bits);

		create.bucket_size = forms[i].bucket;
		create.fpr = forms[i].fpr;
		create.flags = forms[i].flags;
		EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_CREATE, &create)) TH_LOG("form %zu", i);
		filter_destroy(fd, "a");
		create.type = KCUCKOO_TYPE_INET;
		EXPECT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create)) TH_LOG("form %zu", i);
		EXPECT_EQ(0, filter_destroy(fd, "a"));
	}
}

/* A rate chooses the bits: log2(1 / rate) + log2(2b), rounded up. */
TEST_F(bytes, rate_chooses_bits)
{
	static const int buckets[] = { 1, 2, 4, 8 };
	struct kcuckoo_ioc_info info;
	size_t i, power;

	for (i = 0; i < ARRAY_SIZE(buckets); i++) {
		for (power = 2; power < 24; power += 3) {
			struct kcuckoo_ioc_create create = bytes_form("a", 1000, 0);

			create.bucket_size = buckets[i];
			create.fpr = 1U << (32 - power);
			ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_CREATE, &create));
			ASSERT_EQ(0, filter_info(self->client.fd, "a", &info));
			/* One more than the sum, as no fingerprint is 0. */
			EXPECT_EQ(power + 1 + i + 1, info.tag_bits);
			EXPECT_EQ(buckets[i], info.bucket_size);
			EXPECT_EQ(create.fpr, info.fpr);
			EXPECT_EQ(0, filter_destroy(self->client.fd, "a"));
		}
	}
}

/* Whatever the form, members are found, counted and deleted, to the last bit. */
TEST_F(bytes, members)
{
	static const __u32 flags[] = { 0, KCUCKOO_CREATE_SORTED, KCUCKOO_CREATE_INSERT_ONLY };
	struct strings strings = strings_make("key", 0, 5000);
	struct kcuckoo_ioc_info info;
	size_t i, bits, hash;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		for (bits = 8; bits <= 32; bits += 8) {
			for (hash = KCUCKOO_HASH_JHASH; hash <= KCUCKOO_HASH_SIPHASH; hash++) {
				struct kcuckoo_ioc_create create = bytes_form("a", 5000, bits);

				create.flags = flags[i];
				create.hash = hash;
				ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_CREATE, &create));
				EXPECT_LT(bits == 8 ? 4700 : 4990,
					  strings_add(self->client.fd, "a", &strings));
				EXPECT_EQ(5000, strings_test(self->client.fd, "a", &strings));
				ASSERT_EQ(0, filter_info(self->client.fd, "a", &info));
				EXPECT_EQ(0, info.growths);
				EXPECT_EQ(hash, info.hash);
				EXPECT_EQ(flags[i], info.create_flags);
				if (flags[i] & KCUCKOO_CREATE_INSERT_ONLY) {
					EXPECT_EQ(-EOPNOTSUPP,
						  strings_del(self->client.fd, "a", &strings));
				} else {
					EXPECT_EQ(5000, info.members);
					EXPECT_EQ(5000,
						  strings_del(self->client.fd, "a", &strings));
					EXPECT_EQ(0,
						  strings_test(self->client.fd, "a", &strings));
					EXPECT_EQ(0, filter_entries(self->client.fd, "a"));
				}
				EXPECT_EQ(0, filter_destroy(self->client.fd, "a"));
			}
		}
	}
	strings_free(&strings);
}

/* The rate is what info predicts, under either hash. */
TEST_F(bytes, rate)
{
	size_t count = client_scale(20000), probes = client_scale(400000), hash;
	struct strings in = strings_make("in", 0, count);
	struct strings out = strings_make("out", 0, probes);

	for (hash = KCUCKOO_HASH_JHASH; hash <= KCUCKOO_HASH_SIPHASH; hash++) {
		struct kcuckoo_ioc_create create = bytes_form("a", count, 10);
		struct kcuckoo_ioc_info info;
		double expected, noise;
		long long hits;

		create.hash = hash;
		ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_CREATE, &create));
		ASSERT_EQ(count, strings_add(self->client.fd, "a", &in));
		ASSERT_EQ(0, filter_info(self->client.fd, "a", &info));
		expected = info_rate(&info, 0) * probes;
		noise = 5 * sqrt(expected);
		hits = strings_test(self->client.fd, "a", &out);
		EXPECT_LT(hits, 1.05 * expected + noise);
		EXPECT_GT(hits, 0.95 * expected - noise);
		TH_LOG("%lld of %zu, %.0f expected", hits, probes, expected);
		EXPECT_EQ(0, filter_destroy(self->client.fd, "a"));
	}
	strings_free(&in);
	strings_free(&out);
}

/* Keys of every length, the empty one and the longest included; no others. */
TEST_F(bytes, lengths)
{
	static __u8 bytes[KCUCKOO_BYTES_MAX + 1];
	__u16 lengths[] = { 0, 1, 11, 12, 13, 255, 4000, KCUCKOO_BYTES_MAX };
	struct strings one = { bytes, lengths, 1 };
	struct kcuckoo_ioc_add add;
	__u16 longer = KCUCKOO_BYTES_MAX + 1;
	size_t i;

	ASSERT_EQ(0, bytes_create(self->client.fd, "a", 100, 32, 0));
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		one.lengths = &lengths[i];
		EXPECT_EQ(0, strings_test(self->client.fd, "a", &one));
		EXPECT_EQ(1, strings_add(self->client.fd, "a", &one));
		EXPECT_EQ(1, strings_test(self->client.fd, "a", &one));
	}
	one.lengths = &longer;
	EXPECT_EQ(-EINVAL, strings_add(self->client.fd, "a", &one));
	EXPECT_EQ(-EINVAL, strings_test(self->client.fd, "a", &one));
	one.bytes = NULL;
	EXPECT_EQ(-EFAULT, strings_add(self->client.fd, "a",
				       &(struct strings){ NULL, &lengths[1], 1 }));
	EXPECT_EQ(-EFAULT, strings_add(self->client.fd, "a",
				       &(struct strings){ bytes, NULL, 1 }));
	/* The good ones before a bad one are done. */
	lengths[3] = longer;
	one = (struct strings){ bytes, lengths, 8 };
	add = strings_adding("a", &one);
	EXPECT_EQ(0, call(self->client.fd, KCUCKOO_IOC_ADD, &add));
	EXPECT_EQ(3, add.done);
	EXPECT_EQ(ARRAY_SIZE(lengths) + 3, filter_entries(self->client.fd, "a"));
}

/* 2b copies; one more is refused by itself, and is in nobody's way. */
TEST_F(bytes, copies)
{
	struct strings fresh = strings_make("fresh", 0, 1000);
	size_t size, i, refusals = client_scale(100000);

	for (size = 1; size <= 8; size *= 2) {
		struct kcuckoo_ioc_create create = bytes_form("a", 1000000, 16);
		__u8 *results = calloc(refusals, 1);
		__u16 *lengths = calloc(refusals, sizeof(*lengths));
		struct strings same = { (__u8 *)"", lengths, refusals };
		struct kcuckoo_ioc_add add = strings_adding("a", &same);
		struct kcuckoo_ioc_info info;

		create.bucket_size = size;
		ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_CREATE, &create));
		add.results = (uintptr_t)results;
		ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_ADD, &add));
		EXPECT_EQ(refusals, add.done);
		EXPECT_EQ(2 * size, add.added);
		EXPECT_EQ(refusals - 2 * size, add.refused);
		for (i = 0; i < refusals; i++)
			ASSERT_EQ(i < 2 * size ? KCUCKOO_RESULT_ADDED :
				  KCUCKOO_RESULT_REFUSED, results[i]);
		EXPECT_EQ(2 * size, filter_entries(self->client.fd, "a"));
		EXPECT_EQ(1000, strings_add(self->client.fd, "a", &fresh));
		EXPECT_EQ(1000, strings_test(self->client.fd, "a", &fresh));
		EXPECT_EQ(0, filter_info(self->client.fd, "a", &info));
		EXPECT_EQ(0, info.growths);
		EXPECT_EQ(refusals - 2 * size, info.refused);
		same.count = 20;
		EXPECT_EQ(2 * size, strings_del(self->client.fd, "a", &same));
		EXPECT_EQ(0, filter_destroy(self->client.fd, "a"));
		free(results);
		free(lengths);
	}
	strings_free(&fresh);
}

/* Every key has two buckets, in the smallest filters, too. */
TEST_F(bytes, copies_of_each)
{
	__u16 lengths[9] = { 4, 4, 4, 4, 4, 4, 4, 4, 4 };
	__u8 keys[9 * 4 + 1];
	struct strings same = { keys, lengths, 9 };
	unsigned int capacity, i, copy;

	for (capacity = 1; capacity < 300; capacity += 7) {
		ASSERT_EQ(0, bytes_create(self->client.fd, "a", capacity, 32, 0));
		for (i = 0; i < 50; i++) {
			for (copy = 0; copy < 9; copy++)
				sprintf((char *)keys + 4 * copy, "%04u", i);
			ASSERT_EQ(8, strings_add(self->client.fd, "a", &same));
			ASSERT_EQ(8, strings_del(self->client.fd, "a", &same));
		}
		EXPECT_EQ(0, filter_destroy(self->client.fd, "a"));
	}
}

/* Insert-only: a key takes one entry, however often it is added. */
TEST_F(bytes, insert_only)
{
	struct strings strings = strings_make("key", 0, 1000);
	struct kcuckoo_ioc_add add = strings_adding("a", &strings);
	long long added;

	ASSERT_EQ(0, bytes_create(self->client.fd, "a", 1000, 24,
				  KCUCKOO_CREATE_INSERT_ONLY));
	added = strings_add(self->client.fd, "a", &strings);
	EXPECT_LT(990, added);
	EXPECT_EQ(0, strings_add(self->client.fd, "a", &strings));
	EXPECT_EQ(added, filter_entries(self->client.fd, "a"));
	add.flags = KCUCKOO_ADD_ABSENT;
	EXPECT_EQ(0, call(self->client.fd, KCUCKOO_IOC_ADD, &add));
	EXPECT_EQ(1000, add.existed);
	ASSERT_EQ(0, bytes_create(self->client.fd, "b", 1000, 24, 0));
	set_name(add.name, "b");
	EXPECT_EQ(-EOPNOTSUPP, call(self->client.fd, KCUCKOO_IOC_ADD, &add));
	strings_free(&strings);
}

/*
 * A full table doubles without its keys, again and again, and halves again. Parts
 * that are smaller may load so unevenly that one is full before it may double.
 */
TEST_F(bytes, doubling)
{
	static const __u32 flags[] = { 0, KCUCKOO_CREATE_SORTED, KCUCKOO_CREATE_INSERT_ONLY };
	struct strings strings = strings_make("key", 0, 10000);
	struct kcuckoo_ioc_info info, small;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		struct strings some = strings;

		ASSERT_EQ(0, bytes_create(self->client.fd, "a", 1000, 16, flags[i]));
		ASSERT_EQ(0, filter_info(self->client.fd, "a", &small));
		EXPECT_LT(9900, strings_add(self->client.fd, "a", &strings));
		EXPECT_EQ(10000, strings_test(self->client.fd, "a", &strings));
		ASSERT_EQ(0, filter_info(self->client.fd, "a", &info));
		EXPECT_EQ(info.growths, info.doublings);
		EXPECT_LE(4, info.doublings);
		EXPECT_EQ(small.table_entries << info.doublings, info.table_entries);
		if (!(flags[i] & KCUCKOO_CREATE_INSERT_ONLY)) {
			some.count = 9700;
			EXPECT_EQ(9700, strings_del(self->client.fd, "a", &some));
			EXPECT_EQ(0, filter_compact(self->client.fd, "a"));
			ASSERT_EQ(0, filter_info(self->client.fd, "a", &info));
			EXPECT_EQ(0, info.doublings);
			EXPECT_EQ(small.memory_bytes, info.memory_bytes);
			EXPECT_LE(300, strings_test(self->client.fd, "a", &strings));
		}
		EXPECT_EQ(0, filter_destroy(self->client.fd, "a"));
	}
	strings_free(&strings);
}

/* No growth of a fixed filter, of one with a rate, or of bits too few. */
TEST_F(bytes, full)
{
	struct strings strings = strings_make("key", 0, 20000);
	struct kcuckoo_ioc_create create = bytes_form("a", 1000, 0);
	struct kcuckoo_ioc_info info;
	struct strings rest;
	long long done;
	int turn;

	for (turn = 0; turn < 3; turn++) {
		create.tag_bits = turn == 0 ? 12 : turn == 2 ? 6 : 0;
		create.flags = turn == 0 ? KCUCKOO_CREATE_FIXED : 0;
		create.fpr = turn == 1 ? 1 << 22 : 0;
		/* So short, fingerprints may agree more often than smaller ones bear. */
		create.bucket_size = turn == 2 ? 8 : 0;
		ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_CREATE, &create));
		done = strings_fill(self->client.fd, "a", &strings);
		EXPECT_LE(1000, done);
		EXPECT_GT(turn == 2 ? 5000 : 1400, done);
		rest = strings_from(&strings, done);
		EXPECT_EQ(-ENOSPC, strings_add(self->client.fd, "a", &rest));
		strings.count = done;
		EXPECT_EQ(done, strings_test(self->client.fd, "a", &strings));
		strings.count = 20000;
		ASSERT_EQ(0, filter_info(self->client.fd, "a", &info));
		EXPECT_EQ(done, info.members);
		EXPECT_EQ(turn == 2 ? 2 : 0, info.doublings);
		EXPECT_EQ(0, filter_flush(self->client.fd, "a"));
		EXPECT_EQ(0, strings_test(self->client.fd, "a", &strings));
		strings.count = 1000;
		EXPECT_EQ(1000, strings_add(self->client.fd, "a", &strings));
		strings.count = 20000;
		EXPECT_EQ(0, filter_destroy(self->client.fd, "a"));
	}
	strings_free(&strings);
}

/*
 * So many distinct keys as the capacity says always fit, all but always without growth:
 * that was needed for one table of a million.
 */
TEST_F(bytes, capacity)
{
	static const int sizes[] = { 1, 57, 231, 1000, 4097, 20000 };
	struct strings strings = strings_make("key", 0, 20000);
	struct kcuckoo_ioc_info info;
	unsigned long long growths;
	size_t i, round;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		growths = 0;
		for (round = 0; round < 5; round++) {
			strings.count = sizes[i];
			ASSERT_EQ(0, bytes_create(self->client.fd, "a", sizes[i], 14, 0));
			EXPECT_EQ(sizes[i], strings_add(self->client.fd, "a", &strings));
			ASSERT_EQ(0, filter_info(self->client.fd, "a", &info));
			growths += info.growths;
			EXPECT_EQ(0, filter_destroy(self->client.fd, "a"));
		}
		EXPECT_GE(1, growths);
	}
	strings_free(&strings);
}

/* What a filter without a list of its members cannot do. */
TEST_F(bytes, no_list_and_no_rules)
{
	struct kcuckoo_prefix *members;

	ASSERT_EQ(0, bytes_create(self->client.fd, "a", 100, 12, 0));
	ASSERT_EQ(0, filter_create(self->client.fd, "b", 100));
	EXPECT_EQ(-EOPNOTSUPP, keys_walk(self->client.fd, "a", 100, &members, NULL));
	EXPECT_EQ(-EOPNOTSUPP, rule_attach(self->client.fd, "a", KCUCKOO_HOOK_INPUT,
					   KCUCKOO_FAMILY_BOTH, KCUCKOO_MATCH_SRC,
					   KCUCKOO_ACTION_DROP));
	EXPECT_EQ(-EOPNOTSUPP, filter_reserve(self->client.fd, "a", KCUCKOO_FAMILY_IPV4, 32,
					      10));
	EXPECT_EQ(-EINVAL, filter_swap(self->client.fd, "a", "b"));
}

TEST_HARNESS_MAIN
