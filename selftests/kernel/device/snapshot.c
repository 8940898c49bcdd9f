// SPDX-License-Identifier: GPL-2.0-only
/*
 * Snapshots: a filter comes back as it was, and damaged bytes make none.
 */

#include "bytes.h"
#include "image.h"

FIXTURE(snapshot)
{
	struct client client;
	struct strings strings;
	struct kcuckoo_prefix keys[2000];
	__u8 *image;
	__u64 total;
};

FIXTURE_SETUP(snapshot)
{
	size_t i;

	ASSERT_EQ(0, client_begin(&self->client));
	self->strings = strings_make("key", 0, 2000);
	for (i = 0; i < ARRAY_SIZE(self->keys); i++)
		self->keys[i] = i % 2 ? ipv4(i * 2654435761U, 1 + i % 32) :
			ipv6(i * 0x9e3779b97f4a7c15ULL, i, 1 + i % 128);
}

FIXTURE_TEARDOWN(snapshot)
{
	strings_free(&self->strings);
	free(self->image);
	EXPECT_EQ(0, client_end(&self->client));
}

/* A filter of each kind comes back, under another name, in pieces of any size. */
TEST_F(snapshot, byte_strings)
{
	static const struct {
		__u32 flags;
		__u8 values;
	} kinds[] = {
		{}, { KCUCKOO_CREATE_SORTED }, { KCUCKOO_CREATE_INSERT_ONLY, 7 },
		{ KCUCKOO_CREATE_INSERT_ONLY | KCUCKOO_CREATE_TIMEOUT, 32 },
	};
	int fd = self->client.fd;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		/* It doubles, in parts that are large enough to load evenly. */
		struct kcuckoo_ioc_create create = bytes_form("a", 700, 24);
		struct kcuckoo_ioc_info before, after;

		create.flags = kinds[i].flags;
		create.value_bits = kinds[i].values;
		create.hash = 1 + i % 2;
		ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create));
		ASSERT_LT(1950, strings_add(fd, "a", &self->strings));
		ASSERT_EQ(0, image_save(fd, "a", 1000 + i, &self->image, &self->total));
		EXPECT_EQ(-EEXIST,
			  image_restore(fd, "a", self->image, self->total, self->total, 999));
		EXPECT_EQ(0, image_restore(fd, "b", self->image, self->total, self->total, 999));
		EXPECT_EQ(2000, strings_test(fd, "b", &self->strings));
		ASSERT_EQ(0, filter_info(fd, "a", &before));
		ASSERT_EQ(0, filter_info(fd, "b", &after));
		EXPECT_EQ(before.members, after.members);
		EXPECT_EQ(before.memory_bytes, after.memory_bytes);
		EXPECT_EQ(before.create_flags, after.create_flags);
		EXPECT_EQ(before.fingerprints_compared[0], after.fingerprints_compared[0]);
		/* It shares the secret, so they can be merged. */
		EXPECT_EQ(0, filter_pair(fd, KCUCKOO_IOC_MERGE, "b", "a"));
		EXPECT_EQ(0, filter_destroy(fd, "a"));
		EXPECT_EQ(0, filter_destroy(fd, "b"));
		free(self->image);
		self->image = NULL;
	}
}

TEST_F(snapshot, addresses)
{
	struct kcuckoo_prefix *before, *after;
	int fd = self->client.fd;
	long long count;

	ASSERT_EQ(0, filter_create(fd, "a", 2000));
	ASSERT_LT(1000, keys_add(fd, "a", self->keys, ARRAY_SIZE(self->keys)));
	ASSERT_EQ(0, image_save(fd, "a", 1 << 20, &self->image, &self->total));
	ASSERT_EQ(0, image_restore(fd, "b", self->image, self->total, self->total, 1 << 20));
	count = keys_walk(fd, "a", 4096, &before, NULL);
	ASSERT_EQ(count, keys_walk(fd, "b", 4096, &after, NULL));
	EXPECT_EQ(0, memcmp(before, after, count * sizeof(*before)));
	EXPECT_EQ(ARRAY_SIZE(self->keys),
		  keys_covered(fd, "b", self->keys, ARRAY_SIZE(self->keys)));
	free(before);
	free(after);
}

/*
 * All prefixes of a length, with a value and a timeout each: a bitmap with as much
 * beside it as there can be, which no step may copy too much of at once.
 */
TEST_F(snapshot, whole_length)
{
	enum { PLEN = 14, ALL = 1 << PLEN };
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_INET,
		.flags = KCUCKOO_CREATE_TIMEOUT,
		.value_bits = 32,
		.capacity = ALL,
		.timeout = 3600,
	};
	struct kcuckoo_prefix *keys = calloc(ALL, sizeof(*keys));
	int fd = self->client.fd;
	__u32 i;

	for (i = 0; i < ALL; i++)
		keys[i] = ipv4(i << (32 - PLEN), PLEN);
	set_name(create.name, "a");
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create));
	ASSERT_EQ(ALL, keys_add(fd, "a", keys, ALL));
	ASSERT_EQ(0, image_save(fd, "a", 1 << 20, &self->image, &self->total));
	ASSERT_EQ(0, image_restore(fd, "b", self->image, self->total, self->total, 1 << 20));
	EXPECT_EQ(ALL, keys_members(fd, "b", keys, ALL));
	EXPECT_EQ(0, filter_compact(fd, "b"));
	EXPECT_EQ(ALL, keys_members(fd, "b", keys, ALL));
	EXPECT_EQ(ALL, keys_del(fd, "b", keys, ALL));
	free(keys);
}

/* Timeouts go on from where they were; longer ones where time was too short. */
TEST_F(snapshot, timeouts)
{
	struct kcuckoo_ioc_create create = bytes_form("a", 2000, 24);
	int fd = self->client.fd;
	long long found;
	double start;

	create.flags = KCUCKOO_CREATE_INSERT_ONLY | KCUCKOO_CREATE_TIMEOUT;
	for (create.timeout = 4;; create.timeout *= 2) {
		ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create));
		start = client_clock();
		ASSERT_LT(1950, strings_add(fd, "a", &self->strings));
		ASSERT_EQ(0, image_save(fd, "a", 1 << 20, &self->image, &self->total));
		ASSERT_EQ(0, image_restore(fd, "b", self->image, self->total, self->total,
					   1 << 20));
		found = strings_test(fd, "b", &self->strings);
		if (client_clock() - start < create.timeout)
			break;
		ASSERT_GT(60, create.timeout);
		ASSERT_EQ(0, filter_destroy(fd, "a"));
		ASSERT_EQ(0, filter_destroy(fd, "b"));
		free(self->image);
		self->image = NULL;
	}
	EXPECT_EQ(2000, found);
	client_sleep(create.timeout + 1.1);
	EXPECT_EQ(0, strings_test(fd, "b", &self->strings));
}

/* Cut short at, or with one bit flipped in, each of some hundred places: no filter. */
TEST_F(snapshot, damaged)
{
	int fd = self->client.fd;
	size_t count = client_scale(client_soak(400, 1000)), i;

	ASSERT_EQ(0, filter_create(fd, "a", 2000));
	ASSERT_LT(1000, keys_add(fd, "a", self->keys, ARRAY_SIZE(self->keys)));
	ASSERT_EQ(0, image_save(fd, "a", 1 << 20, &self->image, &self->total));
	for (i = 0; i < count; i++) {
		/* The beginning byte by byte, then all over. */
		__u64 at = i < 300 ? i : self->total * i / count;
		int bit = 1 << i % 8;

		self->image[at] ^= bit;
		EXPECT_EQ(-EBADMSG,
			  image_restore(fd, "b", self->image, self->total, self->total, 1 << 20))
			TH_LOG("byte %llu, bit %d", at, bit);
		self->image[at] ^= bit;
		EXPECT_EQ(-EBADMSG, image_restore(fd, "b", self->image, at, at, 1 << 20))
			TH_LOG("cut at %llu", at);
		/* Less than was promised is not an end. */
		EXPECT_EQ(0, image_restore(fd, "b", self->image, at, self->total, 1 << 20));
	}
	EXPECT_EQ(1, filter_list(fd, NULL, 0));
	EXPECT_EQ(0, image_restore(fd, "b", self->image, self->total, self->total, 1 << 20));
}

/* Damage that knows the checksum: the words are checked themselves. */
TEST_F(snapshot, forged)
{
	int fd = self->client.fd;
	size_t i;

	ASSERT_EQ(0, bytes_create(fd, "a", 460, 16, KCUCKOO_CREATE_SORTED));
	ASSERT_LT(650, strings_add(fd, "a", &(struct strings){ self->strings.bytes,
				   self->strings.lengths, 700 }));
	ASSERT_EQ(0, image_save(fd, "a", 1 << 20, &self->image, &self->total));
	for (i = 0; i < self->total - 8; i++) {
		__u8 was = self->image[i];
		int error;

		self->image[i] = i % 3 ? 0xff : ~was;
		image_seal(self->image, self->total);
		error = image_restore(fd, "b", self->image, self->total, self->total, 1 << 20);
		self->image[i] = was;
		/* A filter that can be is one; it works, whatever it has. */
		if (error == 0) {
			EXPECT_LE(0, strings_test(fd, "b", &self->strings));
			EXPECT_LE(0, strings_fill(fd, "b", &self->strings));
			EXPECT_LE(0, strings_del(fd, "b", &self->strings));
			EXPECT_EQ(0, filter_destroy(fd, "b"));
		} else if (error != -EBADMSG && error != -EDQUOT && error != -ENOMEM) {
			EXPECT_EQ(0, error);
		}
		if (client_slow())
			i += 20;
		else if (i > 300)
			i += client_soak(4, 0);
	}
	EXPECT_EQ(1, filter_list(fd, NULL, 0));
}

/*
 * Prefixes in 2000::/3 are in layers of their own; what is in others would not be
 * found, nor can a filter of fingerprints have such a layer.
 */
TEST_F(snapshot, misplaced)
{
	enum { HEAD = 96, LAYER = 24, GLOBAL = 162 };
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_INET,
		.tag_bits = 16,
		.capacity = 100,
	};
	struct kcuckoo_prefix key = key_of("fd00::/8");
	int fd = self->client.fd;
	int index = GLOBAL;
	int first;

	ASSERT_EQ(0, filter_create(fd, "a", 100));
	ASSERT_EQ(1, keys_add(fd, "a", &key, 1));
	ASSERT_EQ(0, image_save(fd, "a", 1 << 20, &self->image, &self->total));
	ASSERT_EQ(1 << (0xfd % 8), self->image[HEAD + LAYER + 0xfd / 8]);
	self->image[HEAD + LAYER + 0xfd / 8] = 0;
	for (first = 0; first < 0x100; first++) {
		self->image[HEAD + LAYER + first / 8] = 1 << first % 8;
		image_seal(self->image, self->total);
		EXPECT_EQ(first >> 5 == 1 ? -EBADMSG : 0,
			  image_restore(fd, "b", self->image, self->total, self->total,
					1 << 20)) TH_LOG("%x00::/8", first);
		EXPECT_EQ(first >> 5 == 1 ? -ENOENT : 0, filter_destroy(fd, "b"));
		self->image[HEAD + LAYER + first / 8] = 0;
	}
	free(self->image);

	set_name(create.name, "c");
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create));
	ASSERT_EQ(1, keys_add(fd, "c", &key, 1));
	ASSERT_EQ(0, image_save(fd, "c", 1 << 20, &self->image, &self->total));
	ASSERT_EQ(0, image_restore(fd, "b", self->image, self->total, self->total, 1 << 20));
	memcpy(self->image + HEAD, &index, sizeof(index));
	image_seal(self->image, self->total);
	EXPECT_EQ(-EBADMSG, image_restore(fd, "d", self->image, self->total, self->total,
					  1 << 20));
}

static __u64 bits_get(const __u8 *plane, __u64 at, int width)
{
	__u64 value = 0;
	int i;

	for (i = 0; i < width; i++)
		value |= (__u64)(plane[(at + i) / 8] >> (at + i) % 8 & 1) << i;
	return value;
}

static void bits_set(__u8 *plane, __u64 at, int width, __u64 value)
{
	int i;

	for (i = 0; i < width; i++, value >>= 1) {
		plane[(at + i) / 8] &= ~(1 << (at + i) % 8);
		plane[(at + i) / 8] |= (value & 1) << (at + i) % 8;
	}
}

/* An exact filter has each member once: deleting it would leave the other one. */
TEST_F(snapshot, twice)
{
	enum { ENTRIES = 48, HEAD = 96, NBUCKETS = 4, LAYER_ENTRIES = 16, LAYER = 24, SIZE = 4 };
	__u64 tags, entries, bucket;
	int fd = self->client.fd;
	int width, copies = 0;
	__u32 nbuckets;
	__u8 *plane;
	size_t i;

	for (i = 0; i < 50; i++)
		self->keys[i] = ipv4(0x0a010009 + (i << 8), 32);
	ASSERT_EQ(0, filter_create(fd, "a", 1000));
	ASSERT_EQ(50, keys_add(fd, "a", self->keys, 50));
	ASSERT_EQ(0, image_save(fd, "a", 1 << 20, &self->image, &self->total));
	ASSERT_EQ(0, image_restore(fd, "b", self->image, self->total, self->total, 1 << 20));
	memcpy(&nbuckets, self->image + HEAD + NBUCKETS, sizeof(nbuckets));
	memcpy(&entries, self->image + ENTRIES, sizeof(entries));
	ASSERT_EQ(50, entries);
	/* Twice the number of quotients has to fit into a tag. */
	tags = 2 * (0xffffffffULL / nbuckets + 1);
	width = 64 - __builtin_clzll(tags);
	entries++;
	memcpy(self->image + ENTRIES, &entries, sizeof(entries));
	memcpy(self->image + HEAD + LAYER_ENTRIES, &entries, sizeof(entries));
	plane = self->image + HEAD + LAYER;
	for (bucket = 0; bucket < nbuckets; bucket++) {
		__u64 first = bucket * SIZE * width, last = first + (SIZE - 1) * width;
		__u64 tag = bits_get(plane, first, width);

		if (!tag || bits_get(plane, last, width))
			continue;
		bits_set(plane, last, width, tag);
		image_seal(self->image, self->total);
		EXPECT_EQ(-EBADMSG, image_restore(fd, "c", self->image, self->total, self->total,
						  1 << 20)) TH_LOG("bucket %llu", bucket);
		filter_destroy(fd, "c");
		bits_set(plane, last, width, 0);
		copies++;
	}
	EXPECT_LT(0, copies);
}

/* Sound in all else, but of an older or a newer version, or byte order. */
TEST_F(snapshot, another_version)
{
	enum { VERSION = 8, PRESENT = 5 };
	int fd = self->client.fd;
	__u64 magic;
	int version;

	ASSERT_EQ(0, filter_create(fd, "a", 2000));
	ASSERT_LT(1000, keys_add(fd, "a", self->keys, ARRAY_SIZE(self->keys)));
	ASSERT_EQ(0, image_save(fd, "a", 1 << 20, &self->image, &self->total));
	for (version = 0; version < 2 * PRESENT; version++) {
		memcpy(self->image + VERSION, &version, sizeof(version));
		image_seal(self->image, self->total);
		EXPECT_EQ(version == PRESENT ? 0 : -EBADMSG,
			  image_restore(fd, "b", self->image, self->total, self->total,
					1 << 20)) TH_LOG("version %d", version);
		EXPECT_EQ(version == PRESENT ? 0 : -ENOENT, filter_destroy(fd, "b"));
	}
	version = PRESENT;
	memcpy(self->image + VERSION, &version, sizeof(version));
	memcpy(&magic, self->image, sizeof(magic));
	magic = __builtin_bswap64(magic);
	memcpy(self->image, &magic, sizeof(magic));
	image_seal(self->image, self->total);
	EXPECT_EQ(-EBADMSG,
		  image_restore(fd, "b", self->image, self->total, self->total, 1 << 20));
	EXPECT_EQ(1, filter_list(fd, NULL, 0));
}

/* Out of order, beyond the end, on another descriptor. */
TEST_F(snapshot, order)
{
	struct kcuckoo_ioc_save reading = { .size = sizeof(reading), .length = 10 };
	struct kcuckoo_ioc_restore writing = { .size = sizeof(writing), .length = 10 };
	__u8 room[100];
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "a", 2000));
	set_name(reading.name, "a");
	set_name(writing.name, "b");
	reading.buffer = (uintptr_t)room;
	writing.buffer = (uintptr_t)room;
	writing.total = 1000;
	reading.offset = 10;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_SAVE, &reading));
	reading.offset = 0;
	EXPECT_EQ(0, call(fd, KCUCKOO_IOC_SAVE, &reading));
	reading.offset = reading.total + 1;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_SAVE, &reading));
	/* Of another filter, that is there or not. */
	reading.offset = 10;
	set_name(reading.name, "c");
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_SAVE, &reading));
	ASSERT_EQ(0, filter_create(fd, "c", 2000));
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_SAVE, &reading));
	set_name(reading.name, "a");
	EXPECT_EQ(0, call(fd, KCUCKOO_IOC_SAVE, &reading));
	writing.offset = 10;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_RESTORE, &writing));
	writing.offset = 0;
	EXPECT_EQ(0, call(fd, KCUCKOO_IOC_RESTORE, &writing));
	EXPECT_EQ(-EINVAL, (writing.offset = 5, call(fd, KCUCKOO_IOC_RESTORE, &writing)));
	writing.offset = 10;
	/* As much memory would be taken as the greater one speaks of. */
	EXPECT_EQ(-EINVAL, (writing.total = 1ULL << 40,
			    call(fd, KCUCKOO_IOC_RESTORE, &writing)));
	writing.total = 1000;
	writing.length = 2000;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_RESTORE, &writing));
	writing.length = 10;
	set_name(writing.name, "d");
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_RESTORE, &writing));
	set_name(writing.name, "b");
	EXPECT_EQ(0, call(fd, KCUCKOO_IOC_RESTORE, &writing));
	set_name(reading.name, "none");
	reading.offset = 0;
	EXPECT_EQ(-ENOENT, call(fd, KCUCKOO_IOC_SAVE, &reading));
}

static long long memory_bytes(int fd)
{
	struct kcuckoo_ioc_stats stats;

	return client_stats(fd, &stats) ? -1 : (long long)stats.memory_bytes;
}

/* Is that much memory taken in the end? Some of it is released a little later. */
static bool memory_becomes(int fd, long long bytes)
{
	int i;

	for (i = 0; i < 500 && memory_bytes(fd) != bytes; i++)
		client_sleep(0.02);
	return memory_bytes(fd) == bytes;
}

/* What nobody wants the rest of is given up on the same descriptor. */
TEST_F(snapshot, given_up)
{
	struct kcuckoo_ioc_save reading = { .size = sizeof(reading), .length = 10 };
	struct kcuckoo_ioc_restore nothing = { .size = sizeof(nothing) };
	int fd = self->client.fd;
	long long before;
	__u8 room[10];

	ASSERT_EQ(0, filter_create(fd, "a", 2000));
	ASSERT_LT(1000, keys_add(fd, "a", self->keys, ARRAY_SIZE(self->keys)));
	ASSERT_EQ(0, image_save(fd, "a", 1 << 20, &self->image, &self->total));
	before = filter_bytes(fd, "a");
	ASSERT_TRUE(memory_becomes(fd, before));

	set_name(reading.name, "a");
	reading.buffer = (uintptr_t)room;
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_SAVE, &reading));
	EXPECT_LT(before, memory_bytes(fd));
	reading.offset = reading.total;
	reading.length = 0;
	EXPECT_EQ(0, call(fd, KCUCKOO_IOC_SAVE, &reading));
	EXPECT_TRUE(memory_becomes(fd, before));
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_SAVE, &reading));

	ASSERT_EQ(0, image_restore(fd, "b", self->image, self->total - 1, self->total, 1 << 20));
	EXPECT_LT(before, memory_bytes(fd));
	set_name(nothing.name, "b");
	EXPECT_EQ(-EBADMSG, call(fd, KCUCKOO_IOC_RESTORE, &nothing));
	EXPECT_TRUE(memory_becomes(fd, before));
	EXPECT_EQ(1, filter_list(fd, NULL, 0));
}

TEST_HARNESS_MAIN
