// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters whose keys an enemy chooses: what he can do to a filter of byte strings
 * hashed with jhash, that it stays bounded and harms no other key, and that
 * siphash takes no notice. How the keys are made: ../core/collide.h.
 */

#include "bytes.h"

#include "../core/collide.h"

/* Where a snapshot has the secret of jhash: see kmod/snapshot.h. */
#define IMAGE_SEED	64
#define IMAGE_SIZE	96

#define FORGED		client_scale(100000)
#define OTHERS		client_scale(50000)
#define COPIES		8	/* 2b with four entries a bucket */

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

/* The secret, as root can read it. */
static int secret_read(int fd, const char *name, uint32_t seed[3])
{
	__u8 image[IMAGE_SIZE];
	struct kcuckoo_ioc_save save = {
		.size = sizeof(save),
		.buffer = (uintptr_t)image,
		.length = sizeof(image),
	};
	int error;

	set_name(save.name, name);
	error = call(fd, KCUCKOO_IOC_SAVE, &save);
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

/*
 * With the secret: two buckets are full, of the rest each is refused by itself
 * without a search, and nobody else notices. The price is that all of them are found.
 */
TEST_F(hostile, jhash_with_its_secret)
{
	struct strings others = strings_make("other", 0, OTHERS);
	struct kcuckoo_ioc_add add = strings_adding("a", &self->forged);
	struct kcuckoo_ioc_info before, after;
	double start, refusing, adding;
	int fd = self->client.fd;
	uint32_t seed[3];

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
	EXPECT_EQ(COPIES, after.entries);
	EXPECT_EQ(0, after.growths);
	EXPECT_EQ(before.searches, after.searches);
	EXPECT_EQ(before.memory_bytes, after.memory_bytes);
	EXPECT_EQ(FORGED, strings_test(fd, "a", &self->forged));

	start = client_clock();
	EXPECT_EQ(OTHERS - COPIES, strings_fill(fd, "a", &(struct strings){
			others.bytes, others.lengths, OTHERS - COPIES }));
	adding = client_clock() - start;
	EXPECT_EQ(OTHERS - COPIES, strings_test(fd, "a", &(struct strings){
			others.bytes, others.lengths, OTHERS - COPIES }));
	TH_LOG("a refusal takes %.0f ns, an add %.0f", refusing / FORGED * 1e9,
	       adding / OTHERS * 1e9);
	/* Deletes find the copies, whichever key they name, and no more. */
	EXPECT_EQ(COPIES, strings_del(fd, "a", &self->forged));
	EXPECT_EQ(OTHERS - COPIES, strings_test(fd, "a", &(struct strings){
			others.bytes, others.lengths, OTHERS - COPIES }));
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
	struct strings out = strings_make("out", 0, FORGED);
	struct kcuckoo_prefix *keys = calloc(FORGED, sizeof(*keys));
	struct kcuckoo_ioc_info before, after;
	int fd = self->client.fd;
	size_t i;

	ASSERT_EQ(0, create(fd, "a", KCUCKOO_HASH_SIPHASH, OTHERS, 32));
	ASSERT_EQ(OTHERS, strings_add(fd, "a", &in));
	/* At this rate there is one chance in thousands that one is met. */
	EXPECT_EQ(0, strings_del(fd, "a", &out));
	EXPECT_EQ(OTHERS, strings_test(fd, "a", &in));
	EXPECT_EQ(OTHERS, filter_entries(fd, "a"));

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

TEST_HARNESS_MAIN
