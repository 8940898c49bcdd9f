// SPDX-License-Identifier: GPL-2.0-only
/*
 * Index of hosts: when there is one, and that no member is missed for it.
 */
#include "client.h"

/*
 * Room for so many addresses gives a filter the index, more does not; nor does still
 * more, until they are millions.
 */
#define SMALL	100000
#define MIDDLE	140000
#define FEW	4000000
#define ENOUGH	4400000
#define MANY	24000000

#define ADDRESSES	20000

FIXTURE(index)
{
	struct client client;
	struct kcuckoo_prefix keys[ADDRESSES];
	struct kcuckoo_prefix others[ADDRESSES];
	__u64 state;
};

/*
 * Of members the lowest bit is 0, of all others it is 1. A second length makes
 * look-ups of whole addresses ask the index, which the look-up in groups for one does
 * not.
 */
FIXTURE_SETUP(index)
{
	struct kcuckoo_prefix second = ipv4(~0u, 30);
	int i;

	self->state = 7;
	ASSERT_EQ(0, client_begin(&self->client));
	ASSERT_EQ(0, filter_create(self->client.fd, "a", 1 << 25));
	ASSERT_EQ(1, keys_add(self->client.fd, "a", &second, 1));
	for (i = 0; i < ADDRESSES; i++) {
		__u32 address = random_next(&self->state);

		self->keys[i] = ipv4(address & ~1u, 32);
		/* Every other one has a member for its neighbour. */
		if (i % 2)
			address = random_next(&self->state);
		self->others[i] = ipv4(address | 1, 32);
	}
}

FIXTURE_TEARDOWN(index)
{
	EXPECT_EQ(0, client_end(&self->client));
}

static int reserve(int fd, __u64 count)
{
	return filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV4, 32, count);
}

static __u64 bytes(int fd)
{
	struct kcuckoo_ioc_info info;

	return filter_info(fd, "a", &info) ? 0 : info.memory_bytes;
}

/* How many of the members, and of the others, are found. */
static void found(struct __test_metadata *_metadata,
		  FIXTURE_DATA(index) * self, long long members, long long others)
{
	int fd = self->client.fd;

	EXPECT_EQ(members, keys_covered(fd, "a", self->keys, ADDRESSES));
	EXPECT_EQ(others, keys_covered(fd, "a", self->others, ADDRESSES));
}

/* Bits that a filter takes for each place, with room for @first, then for @count. */
static double place_bits(int fd, __u64 first, __u64 count)
{
	struct kcuckoo_ioc_info info;
	double bits;

	if (filter_create(fd, "b", 1 << 25) ||
	    filter_reserve(fd, "b", KCUCKOO_FAMILY_IPV4, 32, first) ||
	    filter_reserve(fd, "b", KCUCKOO_FAMILY_IPV4, 32, count) ||
	    filter_info(fd, "b", &info))
		return 0;
	bits = info.memory_bytes * 8.0 / info.table_entries;
	return filter_destroy(fd, "b") ? 0 : bits;
}

TEST_F(index, made_for_millions)
{
	int fd = self->client.fd;
	double few = place_bits(fd, FEW, FEW);
	double enough = place_bits(fd, ENOUGH, ENOUGH);
	double many = place_bits(fd, MANY, MANY);
	double kept = place_bits(fd, ENOUGH, MANY);
	double other = place_bits(fd, SMALL, MANY);

	TH_LOG("bits of a place: %.2f, %.2f, %.2f, %.2f, %.2f", few, enough, many,
	       kept, other);
	ASSERT_LT(0, many);
	EXPECT_LT(few + 1, enough);
	EXPECT_LT(many, few);
	/*
	 * Larger tables keep fewer bits of an address, here two; the smallest index has two.
	 * The kernel's pointers to pages take a little of both, and huge pages round up.
	 */
	EXPECT_LT(few, many + 2.1);
	/* One that there is already is kept as long as its bits are free. */
	EXPECT_LT(many + 0.5, kept);
	/* That of few is none of those. */
	EXPECT_LT(other, many + 0.1);
}

TEST_F(index, made_for_few)
{
	int fd = self->client.fd;
	double small = place_bits(fd, SMALL, SMALL);
	double middle = place_bits(fd, MIDDLE, MIDDLE);
	double dropped = place_bits(fd, SMALL, MIDDLE);

	TH_LOG("bits of a place: %.2f, %.2f, %.2f", small, middle, dropped);
	ASSERT_LT(0, middle);
	/* 64 KB; smaller tables keep more bits of an address, but not so many more. */
	EXPECT_LT(middle + 4, small);
	EXPECT_LT(small, middle + 8);
	EXPECT_LT(dropped, middle + 1);
}

/* The index of few is as large as the room for them asks for, and no larger. */
TEST_F(index, made_for_fewer)
{
	int fd = self->client.fd;
	__u64 small;

	ASSERT_EQ(100, keys_add(fd, "a", self->keys, 100));
	ASSERT_EQ(0, filter_compact(fd, "a"));
	small = bytes(fd);
	ASSERT_EQ(0, reserve(fd, SMALL));
	/* Of both, table and index. */
	EXPECT_LT(small + (288 << 10), bytes(fd));
	EXPECT_EQ(100, keys_covered(fd, "a", self->keys, 100));
	ASSERT_EQ(0, filter_compact(fd, "a"));
	EXPECT_EQ(small, bytes(fd));
	EXPECT_EQ(100, keys_covered(fd, "a", self->keys, 100));
	EXPECT_EQ(0, keys_covered(fd, "a", self->others, ADDRESSES));
}

/* Where packets may add, the room for these stays in a flush, and so does the index. */
TEST_F(index, kept_by_flush)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_INET,
		.hash = KCUCKOO_HASH_SIPHASH,
		.capacity = SMALL,
	};
	int fd = self->client.fd;
	__u64 before;

	ASSERT_EQ(0, filter_destroy(fd, "a"));
	set_name(create.name, "a");
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create));
	ASSERT_EQ(0, reserve(fd, SMALL));
	before = bytes(fd);
	ASSERT_EQ(ADDRESSES, keys_add(fd, "a", self->keys, ADDRESSES));
	EXPECT_EQ(before, bytes(fd));
	EXPECT_EQ(0, filter_flush(fd, "a"));
	EXPECT_EQ(before, bytes(fd));
	found(_metadata, self, 0, 0);
	ASSERT_EQ(ADDRESSES, keys_add(fd, "a", self->keys, ADDRESSES));
	found(_metadata, self, ADDRESSES, 0);
}

/* From few members to millions, and back. */
TEST_F(index, few_and_others)
{
	static const __u64 rooms[] = { SMALL, MIDDLE, ENOUGH };
	int fd = self->client.fd;
	size_t i;

	ASSERT_EQ(ADDRESSES, keys_add(fd, "a", self->keys, ADDRESSES));
	found(_metadata, self, ADDRESSES, 0);
	for (i = 0; i < ARRAY_SIZE(rooms); i++) {
		ASSERT_EQ(0, reserve(fd, rooms[i]));
		found(_metadata, self, ADDRESSES, 0);
	}
	ASSERT_EQ(ADDRESSES / 2, keys_del(fd, "a", self->keys, ADDRESSES / 2));
	ASSERT_EQ(0, filter_compact(fd, "a"));
	found(_metadata, self, ADDRESSES / 2, 0);
	ASSERT_EQ(ADDRESSES / 2, keys_add(fd, "a", self->keys, ADDRESSES / 2));
	found(_metadata, self, ADDRESSES, 0);
}

TEST_F(index, members_and_others)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, reserve(fd, ENOUGH));
	ASSERT_EQ(ADDRESSES, keys_add(fd, "a", self->keys, ADDRESSES));
	found(_metadata, self, ADDRESSES, 0);
	ASSERT_EQ(ADDRESSES / 2, keys_del(fd, "a", self->keys, ADDRESSES / 2));
	found(_metadata, self, ADDRESSES / 2, 0);
}

/* Members that were there before the index. */
TEST_F(index, made_later)
{
	int fd = self->client.fd;

	ASSERT_EQ(ADDRESSES, keys_add(fd, "a", self->keys, ADDRESSES));
	ASSERT_EQ(0, reserve(fd, ENOUGH));
	found(_metadata, self, ADDRESSES, 0);
	/* Folded. */
	ASSERT_EQ(0, filter_compact(fd, "a"));
	ASSERT_EQ(0, reserve(fd, ENOUGH));
	found(_metadata, self, ADDRESSES, 0);
}

/* Networks of few lengths beside it: those above 25 bits are in it, too. */
TEST_F(index, networks)
{
	static const __u8 lengths[] = { 8, 26 };
	int fd = self->client.fd;
	size_t i;

	ASSERT_EQ(ADDRESSES, keys_add(fd, "a", self->keys, ADDRESSES));
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		struct kcuckoo_prefix first = self->others[1];
		struct kcuckoo_prefix net = { .family = first.family,
					      .plen = lengths[i] };

		memcpy(net.addr, first.addr, sizeof(net.addr));
		key_mask(&net);
		ASSERT_EQ(0, reserve(fd, ENOUGH));
		EXPECT_EQ(0, keys_covered(fd, "a", &first, 1));
		ASSERT_EQ(1, keys_add(fd, "a", &net, 1));
		EXPECT_EQ(1, keys_covered(fd, "a", &first, 1));
		EXPECT_EQ(ADDRESSES, keys_covered(fd, "a", self->keys, ADDRESSES));
		ASSERT_EQ(1, keys_del(fd, "a", &net, 1));
		EXPECT_EQ(0, keys_covered(fd, "a", &first, 1));
		/* Takes the length away: with four it would be another index. */
		ASSERT_EQ(0, filter_compact(fd, "a"));
	}
}

/* Of four lengths and more it is another index. */
TEST_F(index, other_kind)
{
	int fd = self->client.fd;
	__u64 hosts;
	__u8 plen;

	ASSERT_EQ(0, reserve(fd, ENOUGH));
	ASSERT_EQ(ADDRESSES, keys_add(fd, "a", self->keys, ADDRESSES));
	hosts = bytes(fd);
	for (plen = 20; plen < 24; plen++) {
		struct kcuckoo_prefix net = ipv4(0xcb007100, plen);

		ASSERT_EQ(1, keys_add(fd, "a", &net, 1));
		EXPECT_EQ(ADDRESSES, keys_covered(fd, "a", self->keys, ADDRESSES));
	}
	/* By far more than what the networks' own tables take. */
	EXPECT_GT(hosts - (1 << 19), bytes(fd));
	EXPECT_EQ(0, filter_flush(fd, "a"));
	found(_metadata, self, 0, 0);
}

/*
 * Of members that are gone the index is told too much. A merge makes it anew, and
 * smaller; here it leaves the addresses' own table as it is.
 */
TEST_F(index, told_anew)
{
	struct kcuckoo_prefix third = ipv4(0xcb007100, 30);
	int fd = self->client.fd;
	__u64 hosts;

	ASSERT_EQ(0, reserve(fd, ENOUGH));
	ASSERT_EQ(0, filter_create_like(fd, "b", "a"));
	ASSERT_EQ(1, keys_add(fd, "b", &third, 1));
	ASSERT_EQ(ADDRESSES, keys_add(fd, "a", self->keys, ADDRESSES));
	ASSERT_EQ(ADDRESSES / 2, keys_del(fd, "a", self->keys, ADDRESSES / 2));
	hosts = bytes(fd);
	EXPECT_EQ(0, filter_pair(fd, KCUCKOO_IOC_MERGE, "a", "b"));
	EXPECT_GT(hosts, bytes(fd));
	EXPECT_EQ(1, keys_covered(fd, "a", &third, 1));
	EXPECT_EQ(ADDRESSES / 2, keys_members(fd, "a", self->keys, ADDRESSES));
	EXPECT_EQ(ADDRESSES / 2, keys_covered(fd, "a", self->keys, ADDRESSES));
	EXPECT_EQ(ADDRESSES / 2, keys_add(fd, "a", self->keys, ADDRESSES / 2));
	found(_metadata, self, ADDRESSES, 0);
}

TEST_HARNESS_MAIN
