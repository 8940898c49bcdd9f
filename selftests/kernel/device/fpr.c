// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters of addresses with fingerprints: less memory, and a few addresses that
 * match and are no members.
 */

#include "bytes.h"
#include "image.h"

#define COUNT	20000

FIXTURE(fpr)
{
	struct client client;
	struct kcuckoo_prefix in[COUNT];
	struct kcuckoo_prefix out[COUNT];
};

FIXTURE_SETUP(fpr)
{
	size_t i;

	ASSERT_EQ(0, client_begin(&self->client));
	for (i = 0; i < COUNT; i++) {
		self->in[i] = i % 2 ? ipv4(i << 8, 32) :
			ipv6(0x20010db800000000ULL, i << 16, 128);
		self->out[i] = i % 2 ? ipv4(i << 8 | 1, 32) :
			ipv6(0x20010db800000001ULL, i << 16, 128);
	}
}

FIXTURE_TEARDOWN(fpr)
{
	EXPECT_EQ(0, client_end(&self->client));
}

static int create(int fd, const char *name, __u64 capacity, int bits, __u32 fpr, __u32 flags)
{
	struct kcuckoo_ioc_create request = {
		.size = sizeof(request),
		.flags = flags,
		.type = KCUCKOO_TYPE_INET,
		.tag_bits = bits,
		.fpr = fpr,
		.capacity = capacity,
	};

	set_name(request.name, name);
	return call(fd, KCUCKOO_IOC_CREATE, &request);
}

/* All members match; others as often as info predicts; less memory than exact. */
TEST_F(fpr, rate)
{
	struct kcuckoo_ioc_info info, exact;
	int fd = self->client.fd;
	double expected;
	long long hits;

	ASSERT_EQ(0, create(fd, "a", COUNT, 0, 1U << 26, 0));
	ASSERT_EQ(0, filter_create(fd, "exact", COUNT));
	EXPECT_EQ(0, filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV4, 32, COUNT / 2));
	EXPECT_EQ(0, filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV6, 128, COUNT / 2));
	ASSERT_EQ(COUNT, keys_add(fd, "a", self->in, COUNT));
	ASSERT_EQ(COUNT, keys_add(fd, "exact", self->in, COUNT));
	EXPECT_EQ(COUNT, keys_covered(fd, "a", self->in, COUNT));
	ASSERT_EQ(0, filter_info(fd, "a", &info));
	ASSERT_EQ(0, filter_info(fd, "exact", &exact));
	EXPECT_LT(3 * info.memory_bytes, exact.memory_bytes);
	EXPECT_EQ(COUNT / 2, info.members_ipv4);
	expected = (info_rate(&info, 0) + info_rate(&info, 1)) * COUNT / 2;
	EXPECT_GE(COUNT / 64.0, expected);
	hits = keys_covered(fd, "a", self->out, COUNT);
	EXPECT_GT(2 * expected + 20, hits);
	EXPECT_LE(expected / 2, hits);
	/* Deleting members leaves the others. */
	EXPECT_EQ(COUNT / 2, keys_del(fd, "a", self->in, COUNT / 2));
	EXPECT_EQ(COUNT / 2, keys_covered(fd, "a", self->in + COUNT / 2, COUNT / 2));
}

/* Rates add over lengths, and every length has its own table. */
TEST_F(fpr, lengths)
{
	struct kcuckoo_ioc_info one, more;
	int fd = self->client.fd;
	size_t i;

	ASSERT_EQ(0, create(fd, "a", 1000, 8, 0, 0));
	ASSERT_EQ(1000, keys_add(fd, "a", self->in, 1000));
	ASSERT_EQ(0, filter_info(fd, "a", &one));
	for (i = 0; i < 500; i++)
		self->in[i] = ipv4(i << 16, 16);
	ASSERT_EQ(500, keys_add(fd, "a", self->in, 500));
	ASSERT_EQ(0, filter_info(fd, "a", &more));
	EXPECT_EQ(one.plens_ipv4 | 1 << 16, more.plens_ipv4);
	EXPECT_LT(one.fingerprints_compared[0], more.fingerprints_compared[0]);
	EXPECT_EQ(one.fingerprints_compared[1], more.fingerprints_compared[1]);
	for (i = 0; i < 500; i++)
		self->in[i] = ipv4(i << 16 | 77, 32);
	EXPECT_EQ(500, keys_covered(fd, "a", self->in, 500));
	EXPECT_GT(100, keys_members(fd, "a", self->in, 500));
}

/* The reported load is one that each table reaches, also the small one of /24. */
TEST_F(fpr, load)
{
	struct kcuckoo_ioc_info small, large, both;
	int fd = self->client.fd;

	ASSERT_EQ(0, create(fd, "a", 1000, 12, 0, 0));
	ASSERT_EQ(0, filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV4, 24, 100));
	ASSERT_EQ(0, filter_info(fd, "a", &small));
	ASSERT_EQ(0, filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV4, 32, 1 << 20));
	ASSERT_EQ(0, filter_info(fd, "a", &both));
	ASSERT_EQ(0, create(fd, "b", 1000, 12, 0, 0));
	ASSERT_EQ(0, filter_reserve(fd, "b", KCUCKOO_FAMILY_IPV4, 32, 1 << 20));
	ASSERT_EQ(0, filter_info(fd, "b", &large));
	EXPECT_LT(small.max_load, large.max_load);
	EXPECT_EQ(small.max_load, both.max_load);
}

/* With bits they grow, with a rate they do not; nothing is listed. */
TEST_F(fpr, growth)
{
	struct kcuckoo_prefix *members;
	struct kcuckoo_ioc_info info;
	int fd = self->client.fd;

	ASSERT_EQ(0, create(fd, "a", 1000, 16, 0, 0));
	ASSERT_EQ(COUNT, keys_add(fd, "a", self->in, COUNT));
	EXPECT_EQ(COUNT, keys_covered(fd, "a", self->in, COUNT));
	ASSERT_EQ(0, filter_info(fd, "a", &info));
	EXPECT_LE(3, info.doublings);
	EXPECT_EQ(-EOPNOTSUPP, keys_walk(fd, "a", 100, &members, NULL));
	ASSERT_EQ(0, create(fd, "b", 1000, 0, 1 << 20, 0));
	EXPECT_EQ(-ENOSPC, keys_add(fd, "b", self->in, COUNT));
	ASSERT_EQ(0, filter_info(fd, "b", &info));
	EXPECT_EQ(info.members, keys_covered(fd, "b", self->in, info.members));
	EXPECT_EQ(-EOPNOTSUPP, create(fd, "c", 1000, 0, 0, KCUCKOO_CREATE_INSERT_ONLY));
	EXPECT_EQ(-EOPNOTSUPP, create(fd, "c", 1000, 0, 0, KCUCKOO_CREATE_FIXED));
	EXPECT_EQ(-EOPNOTSUPP, create(fd, "c", 1000, 0, 0, KCUCKOO_CREATE_SORTED));
}

/* Nor by a merge with one that would be alike, but was not created with a rate. */
TEST_F(fpr, merged)
{
	enum { FPR = 32 };
	struct kcuckoo_ioc_info info;
	int fd = self->client.fd;
	__u64 total;
	__u8 *image;

	ASSERT_EQ(0, create(fd, "a", 1000, 0, 1 << 20, 0));
	ASSERT_EQ(100, keys_add(fd, "a", self->in, 100));
	ASSERT_EQ(0, image_save(fd, "a", 1 << 20, &image, &total));
	ASSERT_EQ(1 << 20, *(__u32 *)(image + FPR));
	*(__u32 *)(image + FPR) = 0;
	image_seal(image, total);
	EXPECT_EQ(0, image_restore(fd, "b", image, total, total, 1 << 20));
	free(image);
	EXPECT_EQ(0, filter_pair(fd, KCUCKOO_IOC_MERGE, "a", "b"));
	ASSERT_EQ(COUNT - 100, keys_add(fd, "b", self->in + 100, COUNT - 100));
	ASSERT_EQ(0, filter_info(fd, "b", &info));
	EXPECT_LE(3, info.doublings);
	EXPECT_EQ(-EINVAL, filter_pair(fd, KCUCKOO_IOC_MERGE, "a", "b"));
	ASSERT_EQ(0, filter_info(fd, "a", &info));
	EXPECT_EQ(0, info.doublings);
	EXPECT_EQ(100, keys_covered(fd, "a", self->in, 100));
	EXPECT_EQ(0, filter_pair(fd, KCUCKOO_IOC_MERGE, "b", "a"));
}

/* They swap with exact ones under a rule. */
TEST_F(fpr, rules)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, create(fd, "a", 1000, 16, 0, KCUCKOO_CREATE_SORTED));
	ASSERT_EQ(0, filter_create(fd, "exact", 1000));
	EXPECT_EQ(0, rule_attach(fd, "a", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_BOTH,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
	EXPECT_EQ(0, filter_swap(fd, "a", "exact"));
	EXPECT_EQ(1, rule_detach(fd, "a"));
}

TEST_HARNESS_MAIN
