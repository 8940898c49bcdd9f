// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters as a whole: create, destroy, rename, swap, replace, flush, reserve,
 * compact, list, info and stats.
 */

#include "client.h"

FIXTURE(filter)
{
	struct client client;
	struct kcuckoo_prefix keys[3000];
};

FIXTURE_SETUP(filter)
{
	size_t i;

	ASSERT_EQ(0, client_begin(&self->client));
	for (i = 0; i < ARRAY_SIZE(self->keys); i++)
		self->keys[i] = i % 3 ? ipv4(0x0b000000 + i * 17, 32) :
			ipv6(0x20010db800000000ULL + i, i * 17, 128);
}

FIXTURE_TEARDOWN(filter)
{
	EXPECT_EQ(0, client_end(&self->client));
}

static struct kcuckoo_ioc_create valid(void)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_INET,
		.capacity = 1000,
	};

	set_name(create.name, "a");
	return create;
}

TEST_F(filter, capacity_bounds)
{
	static const __u64 bad[] = {
		0, KCUCKOO_CAPACITY_MAX + 1, 1ULL << 35, 1ULL << 62, 1ULL << 63,
		~0ULL,
	};
	static const __u64 good[] = {
		1, 2, 3, 7, 8, 9, 255, 256, 1 << 20, 1ULL << 32, (1ULL << 32) + 1,
		KCUCKOO_CAPACITY_MAX,
	};
	struct kcuckoo_ioc_info info;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-EINVAL, filter_create(self->client.fd, "a", bad[i]))
			TH_LOG("capacity %llu", bad[i]);
	}
	EXPECT_EQ(0, filter_list(self->client.fd, NULL, 0));
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		ASSERT_EQ(0, filter_create(self->client.fd, "a", good[i]))
			TH_LOG("capacity %llu", good[i]);
		EXPECT_EQ(0, filter_info(self->client.fd, "a", &info));
		EXPECT_EQ(good[i], info.capacity);
		EXPECT_GT(1 << 20, info.memory_bytes)
			TH_LOG("an empty filter holds %llu bytes", info.memory_bytes);
		EXPECT_EQ(0, filter_destroy(self->client.fd, "a"));
	}
}

TEST_F(filter, types)
{
	struct kcuckoo_ioc_create create = valid();
	int type;

	for (type = 0; type < 256; type++) {
		if (type == KCUCKOO_TYPE_INET)
			continue;
		create.type = type;
		/* One of byte strings has no members without fingerprints. */
		EXPECT_EQ(-EINVAL, call(self->client.fd, KCUCKOO_IOC_CREATE, &create))
			TH_LOG("type %d", type);
	}
	EXPECT_EQ(0, filter_list(self->client.fd, NULL, 0));
}

TEST_F(filter, hashes)
{
	struct kcuckoo_ioc_create create = valid();
	struct kcuckoo_ioc_info info;
	int hash;

	for (hash = KCUCKOO_HASH_SIPHASH + 1; hash < 256; hash++) {
		create.hash = hash;
		EXPECT_EQ(-EINVAL, call(self->client.fd, KCUCKOO_IOC_CREATE, &create))
			TH_LOG("hash %d", hash);
	}
	EXPECT_EQ(0, filter_list(self->client.fd, NULL, 0));
	for (hash = 0; hash <= KCUCKOO_HASH_SIPHASH; hash++) {
		create.hash = hash;
		ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_CREATE, &create));
		EXPECT_EQ(0, filter_info(self->client.fd, "a", &info));
		EXPECT_EQ(hash ?: KCUCKOO_HASH_JHASH, info.hash);
		EXPECT_EQ(0, filter_destroy(self->client.fd, "a"));
	}
}

TEST_F(filter, bucket_sizes)
{
	struct kcuckoo_ioc_create create = valid();
	struct kcuckoo_ioc_info info;
	int size;

	create.capacity = ARRAY_SIZE(self->keys);
	for (size = 0; size < 256; size++) {
		create.bucket_size = size;
		if (size != 0 && size != 1 && size != 2 && size != 4 && size != 8) {
			EXPECT_EQ(-EINVAL, call(self->client.fd, KCUCKOO_IOC_CREATE,
						&create))
				TH_LOG("%d entries per bucket", size);
			continue;
		}
		ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_CREATE, &create));
		EXPECT_EQ(0, filter_info(self->client.fd, "a", &info));
		EXPECT_EQ(size ?: 4, info.bucket_size);
		EXPECT_EQ(ARRAY_SIZE(self->keys),
			  keys_add(self->client.fd, "a", self->keys,
				   ARRAY_SIZE(self->keys)));
		EXPECT_EQ(ARRAY_SIZE(self->keys),
			  keys_members(self->client.fd, "a", self->keys,
				       ARRAY_SIZE(self->keys)));
		EXPECT_EQ(0, filter_destroy(self->client.fd, "a"));
	}
}

TEST_F(filter, empty_at_first)
{
	struct kcuckoo_prefix *members;
	struct kcuckoo_ioc_info info;
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "a", 1000));
	ASSERT_EQ(0, filter_info(fd, "a", &info));
	EXPECT_EQ(KCUCKOO_TYPE_INET, info.type);
	EXPECT_EQ(0, info.members);
	EXPECT_EQ(0, info.members_ipv4);
	EXPECT_EQ(0, info.members_ipv6);
	EXPECT_EQ(0, info.table_entries_used);
	EXPECT_EQ(0, info.rules);
	EXPECT_EQ(0, info.growths);
	EXPECT_EQ(0, info.refused);
	EXPECT_LT(0, info.memory_bytes);
	EXPECT_EQ(0, keys_covered(fd, "a", self->keys, 3000));
	EXPECT_EQ(0, keys_del(fd, "a", self->keys, 3000));
	EXPECT_EQ(0, keys_walk(fd, "a", KCUCKOO_WALK_BATCH, &members, NULL));
}

TEST_F(filter, info_counts)
{
	struct kcuckoo_prefix more[] = {
		key_of("0.0.0.0/0"), key_of("10.0.0.0/8"), key_of("10.1.0.0/17"),
		key_of("::/0"), key_of("2001:db8::/32"), key_of("2001:db8::/63"),
		key_of("2001:db8::/64"), key_of("2001:db8::/65"),
	};
	struct kcuckoo_ioc_info info;
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "a", 10000));
	ASSERT_EQ(3000, keys_add(fd, "a", self->keys, 3000));
	ASSERT_EQ(ARRAY_SIZE(more), keys_add(fd, "a", more, ARRAY_SIZE(more)));
	ASSERT_EQ(0, filter_info(fd, "a", &info));
	EXPECT_EQ(3008, info.members);
	EXPECT_EQ(2003, info.members_ipv4);
	EXPECT_EQ(1005, info.members_ipv6);
	EXPECT_EQ(10000, info.capacity);
	EXPECT_LE(info.table_entries_used, info.table_entries);
	EXPECT_GE(info.members, info.table_entries_used);
	EXPECT_LE(3000, info.table_entries_used);
	EXPECT_EQ(1ULL << 0 | 1ULL << 8 | 1ULL << 17 | 1ULL << 32, info.plens_ipv4);
	EXPECT_EQ(1ULL << 0 | 1ULL << 32 | 1ULL << 63, info.plens_ipv6[0]);
	EXPECT_EQ(1ULL << 0 | 1ULL << 1, info.plens_ipv6[1]);
	EXPECT_EQ(1ULL << 0, info.plens_ipv6[2]);
	EXPECT_EQ(ARRAY_SIZE(more), keys_del(fd, "a", more, ARRAY_SIZE(more)));
	EXPECT_EQ(1000, keys_del(fd, "a", self->keys, 1000));
	EXPECT_EQ(2000, filter_entries(fd, "a"));
}

TEST_F(filter, list_is_oldest_first)
{
	struct kcuckoo_list_entry entries[12];
	struct kcuckoo_ioc_list list = {
		.size = sizeof(list),
		.entries = (uintptr_t)entries,
	};
	const __u8 *poison = (__u8 *)entries;
	int fd = self->client.fd;
	char name[8];
	int i, count;
	size_t byte;

	for (i = 0; i < 10; i++) {
		snprintf(name, sizeof(name), "n%d", (i * 7) % 10);
		ASSERT_EQ(0, filter_create(fd, name, 10));
	}
	for (count = 0; count <= 12; count++) {
		memset(entries, POISON, sizeof(entries));
		list.count = count;
		ASSERT_EQ(0, call(fd, KCUCKOO_IOC_LIST, &list));
		EXPECT_EQ(10, list.total);
		for (i = 0; i < count && i < 10; i++) {
			snprintf(name, sizeof(name), "n%d", (i * 7) % 10);
			EXPECT_STREQ(name, (char *)entries[i].name);
			EXPECT_EQ(KCUCKOO_TYPE_INET, entries[i].type);
			EXPECT_EQ(0, entries[i].flags);
			EXPECT_EQ(0, memcmp(entries[i].reserved, "\0\0\0\0\0\0", 6));
			for (byte = strlen(name); byte < KCUCKOO_NAME_SIZE; byte++) {
				EXPECT_EQ(0, entries[i].name[byte]);
			}
		}
		for (byte = i * sizeof(*entries); byte < sizeof(entries); byte++) {
			ASSERT_EQ(POISON, poison[byte])
				TH_LOG("room for %d, byte %zu", count, byte);
		}
	}
	list.entries = 8;
	list.count = 12;
	EXPECT_EQ(-EFAULT, call(fd, KCUCKOO_IOC_LIST, &list));
	list.entries = (uintptr_t)entries;
	list.count = KCUCKOO_BATCH_MAX;
	EXPECT_EQ(0, call(fd, KCUCKOO_IOC_LIST, &list));
	EXPECT_EQ(10, list.total);
}

TEST_F(filter, rename_keeps_members)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "a", 10000));
	ASSERT_EQ(3000, keys_add(fd, "a", self->keys, 3000));
	EXPECT_EQ(0, filter_rename(fd, "a", "b"));
	EXPECT_EQ(-ENOENT, filter_entries(fd, "a"));
	EXPECT_EQ(3000, keys_members(fd, "b", self->keys, 3000));
	EXPECT_EQ(0, filter_create(fd, "a", 10));
	EXPECT_EQ(0, filter_entries(fd, "a"));
}

TEST_F(filter, rename_to_itself)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "a", 10000));
	EXPECT_EQ(-EEXIST, filter_rename(fd, "a", "a"));
	EXPECT_EQ(0, filter_entries(fd, "a"));
}

TEST_F(filter, swap_exchanges)
{
	struct kcuckoo_ioc_info info;
	int fd = self->client.fd;
	int i;

	ASSERT_EQ(0, filter_create(fd, "a", 5000));
	ASSERT_EQ(0, filter_create(fd, "b", 6000));
	ASSERT_EQ(2000, keys_add(fd, "a", self->keys, 2000));
	ASSERT_EQ(1000, keys_add(fd, "b", self->keys + 2000, 1000));
	for (i = 0; i < 10; i++) {
		const char *big = i % 2 ? "a" : "b";
		const char *small = i % 2 ? "b" : "a";

		EXPECT_EQ(0, filter_swap(fd, "a", "b"));
		EXPECT_EQ(2000, keys_members(fd, big, self->keys, 3000));
		EXPECT_EQ(2000, keys_members(fd, big, self->keys, 2000));
		EXPECT_EQ(1000, keys_members(fd, small, self->keys, 3000));
		EXPECT_EQ(0, filter_info(fd, big, &info));
		EXPECT_EQ(5000, info.capacity);
	}
	EXPECT_EQ(-ENOENT, filter_swap(fd, "a", "c"));
	EXPECT_EQ(-ENOENT, filter_swap(fd, "c", "a"));
	EXPECT_EQ(2000, filter_entries(fd, "a"));
}

TEST_F(filter, replace_ends_the_other_name)
{
	struct kcuckoo_ioc_stats before, after;
	struct kcuckoo_ioc_info info;
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "a", 5000));
	ASSERT_EQ(0, filter_create(fd, "b", 6000));
	ASSERT_EQ(2000, keys_add(fd, "a", self->keys, 2000));
	ASSERT_EQ(1000, keys_add(fd, "b", self->keys + 2000, 1000));
	EXPECT_EQ(0, client_stats(fd, &before));
	EXPECT_EQ(0, filter_replace(fd, "a", "b"));
	EXPECT_EQ(-ENOENT, filter_entries(fd, "b"));
	EXPECT_EQ(1000, filter_entries(fd, "a"));
	EXPECT_EQ(1000, keys_members(fd, "a", self->keys, 3000));
	EXPECT_EQ(0, filter_info(fd, "a", &info));
	EXPECT_EQ(6000, info.capacity);
	EXPECT_EQ(0, client_stats(fd, &after));
	EXPECT_EQ(2, before.filters);
	EXPECT_EQ(1, after.filters);
	EXPECT_EQ(3000, before.members);
	EXPECT_EQ(1000, after.members);
	EXPECT_EQ(-ENOENT, filter_replace(fd, "a", "b"));
	EXPECT_EQ(-ENOENT, filter_replace(fd, "b", "a"));
	EXPECT_EQ(1000, filter_entries(fd, "a"));
}

TEST_F(filter, swap_and_replace_with_itself)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "a", 5000));
	ASSERT_EQ(3000, keys_add(fd, "a", self->keys, 3000));
	filter_swap(fd, "a", "a");
	EXPECT_EQ(3000, keys_members(fd, "a", self->keys, 3000));
	filter_replace(fd, "a", "a");
	EXPECT_EQ(3000, keys_members(fd, "a", self->keys, 3000));
	EXPECT_EQ(0, filter_destroy(fd, "a"));
	EXPECT_EQ(0, filter_list(fd, NULL, 0));
}

TEST_F(filter, flush_empties)
{
	struct kcuckoo_prefix *members;
	struct kcuckoo_ioc_info info;
	int fd = self->client.fd;
	int i;

	ASSERT_EQ(0, filter_create(fd, "a", 3000));
	for (i = 0; i < 5; i++) {
		EXPECT_EQ(3000, keys_add(fd, "a", self->keys, 3000));
		EXPECT_EQ(-ENOSPC, keys_add(fd, "a", &(struct kcuckoo_prefix){
					.family = KCUCKOO_FAMILY_IPV4 }, 1));
		EXPECT_EQ(0, filter_flush(fd, "a"));
		EXPECT_EQ(0, filter_info(fd, "a", &info));
		EXPECT_EQ(0, info.members);
		EXPECT_EQ(0, info.members_ipv4);
		EXPECT_EQ(0, info.members_ipv6);
		EXPECT_EQ(0, info.table_entries_used);
		EXPECT_EQ(3000, info.capacity);
		EXPECT_EQ(0, keys_covered(fd, "a", self->keys, 3000));
		EXPECT_EQ(0, keys_walk(fd, "a", KCUCKOO_WALK_BATCH, &members, NULL));
	}
}

TEST_F(filter, reserve_arguments)
{
	static const struct {
		int family;
		int plen;
	} bad[] = {
		{ 0, 32 }, { 3, 32 }, { 4, 32 }, { 255, 0 },
		{ KCUCKOO_FAMILY_IPV4, 33 }, { KCUCKOO_FAMILY_IPV4, 128 },
		{ KCUCKOO_FAMILY_IPV6, 129 }, { KCUCKOO_FAMILY_IPV6, 255 },
	};
	int fd = self->client.fd;
	size_t i;
	int plen;

	ASSERT_EQ(0, filter_create(fd, "a", 1000000));
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-EINVAL, filter_reserve(fd, "a", bad[i].family, bad[i].plen, 1))
			TH_LOG("family %d plen %d", bad[i].family, bad[i].plen);
	}
	EXPECT_EQ(-EINVAL, filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV4, 32,
					  KCUCKOO_CAPACITY_MAX + 1));
	EXPECT_EQ(-EINVAL, filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV4, 32, ~0ULL));
	for (plen = 0; plen <= 32; plen++) {
		EXPECT_EQ(0, filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV4, plen, 100));
	}
	for (plen = 0; plen <= 128; plen++) {
		EXPECT_EQ(0, filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV6, plen, 100));
	}
	EXPECT_EQ(0, filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV4, 32, 0));
	EXPECT_EQ(0, filter_entries(fd, "a"));
}

TEST_F(filter, reserve_saves_growth)
{
	struct kcuckoo_prefix *keys = calloc(50000, sizeof(*keys));
	struct kcuckoo_ioc_info info;
	int fd = self->client.fd;
	__u64 growths;
	size_t i;

	ASSERT_NE(NULL, keys);
	for (i = 0; i < 50000; i++)
		keys[i] = ipv4(i * 2654435761U, 32);
	ASSERT_EQ(0, filter_create(fd, "a", 1000000));
	ASSERT_EQ(0, filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV4, 32, 50000));
	ASSERT_EQ(0, filter_info(fd, "a", &info));
	EXPECT_LE(50000, info.table_entries);
	growths = info.growths;
	EXPECT_EQ(50000, keys_add(fd, "a", keys, 50000));
	EXPECT_EQ(0, filter_info(fd, "a", &info));
	EXPECT_EQ(growths, info.growths);
}

TEST_F(filter, reserve_beyond_memory)
{
	struct kcuckoo_ioc_info before, after;
	int fd = self->client.fd;
	int error;

	ASSERT_EQ(0, filter_create(fd, "a", KCUCKOO_CAPACITY_MAX));
	ASSERT_EQ(3000, keys_add(fd, "a", self->keys, 3000));
	ASSERT_EQ(0, filter_info(fd, "a", &before));
	error = filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV6, 128, KCUCKOO_CAPACITY_MAX);
	EXPECT_TRUE(error == -ENOMEM || error == -EDQUOT)
		TH_LOG("reserve: %d", error);
	ASSERT_EQ(0, filter_info(fd, "a", &after));
	EXPECT_EQ(before.memory_bytes, after.memory_bytes);
	EXPECT_EQ(3000, keys_members(fd, "a", self->keys, 3000));
}

TEST_F(filter, compact_gives_back)
{
	struct kcuckoo_ioc_info full, few, compact;
	struct kcuckoo_prefix *keys = calloc(50000, sizeof(*keys));
	int fd = self->client.fd;
	size_t i;

	ASSERT_NE(NULL, keys);
	for (i = 0; i < 50000; i++)
		keys[i] = ipv4(i * 2654435761U, 32);
	ASSERT_EQ(0, filter_create(fd, "a", 1000000));
	ASSERT_EQ(50000, keys_add(fd, "a", keys, 50000));
	ASSERT_EQ(0, filter_info(fd, "a", &full));
	ASSERT_EQ(45000, keys_del(fd, "a", keys, 45000));
	ASSERT_EQ(0, filter_info(fd, "a", &few));
	ASSERT_EQ(0, filter_compact(fd, "a"));
	ASSERT_EQ(0, filter_info(fd, "a", &compact));
	EXPECT_EQ(5000, compact.members);
	EXPECT_GT(full.memory_bytes / 2, compact.memory_bytes);
	EXPECT_GT(few.table_entries / 2, compact.table_entries);
	EXPECT_EQ(5000, keys_members(fd, "a", keys + 45000, 5000));
	EXPECT_EQ(0, keys_members(fd, "a", keys, 45000));
	EXPECT_EQ(45000, keys_add(fd, "a", keys, 45000));
	EXPECT_EQ(50000, keys_members(fd, "a", keys, 50000));
}

TEST_F(filter, compact_of_an_empty_one)
{
	struct kcuckoo_ioc_info fresh, compact;
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "fresh", 10000));
	ASSERT_EQ(0, filter_create(fd, "a", 10000));
	ASSERT_EQ(3000, keys_add(fd, "a", self->keys, 3000));
	ASSERT_EQ(3000, keys_del(fd, "a", self->keys, 3000));
	EXPECT_EQ(0, filter_compact(fd, "a"));
	ASSERT_EQ(0, filter_info(fd, "a", &compact));
	ASSERT_EQ(0, filter_info(fd, "fresh", &fresh));
	EXPECT_EQ(0, compact.members);
	EXPECT_LE(compact.memory_bytes, fresh.memory_bytes + 4096);
	EXPECT_EQ(0, filter_compact(fd, "fresh"));
	EXPECT_EQ(3000, keys_add(fd, "a", self->keys, 3000));
}

TEST_F(filter, stats_add_up)
{
	struct kcuckoo_ioc_stats empty, stats;
	struct kcuckoo_ioc_info a, b;
	int fd = self->client.fd;

	ASSERT_EQ(0, client_stats(fd, &empty));
	EXPECT_EQ(0, empty.filters);
	EXPECT_EQ(0, empty.rules);
	EXPECT_EQ(0, empty.members);
	EXPECT_LT(0, empty.max_filters);
	EXPECT_LT(0, empty.max_bytes);
	ASSERT_EQ(0, filter_create(fd, "a", 10000));
	ASSERT_EQ(0, filter_create(fd, "b", 10000));
	ASSERT_EQ(3000, keys_add(fd, "a", self->keys, 3000));
	ASSERT_EQ(500, keys_add(fd, "b", self->keys, 500));
	ASSERT_EQ(0, rule_attach(fd, "b", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_IPV4,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_COUNT));
	ASSERT_EQ(0, filter_info(fd, "a", &a));
	ASSERT_EQ(0, filter_info(fd, "b", &b));
	ASSERT_EQ(0, client_stats(fd, &stats));
	EXPECT_EQ(2, stats.filters);
	EXPECT_EQ(1, stats.rules);
	EXPECT_EQ(1, b.rules);
	EXPECT_EQ(3500, stats.members);
	EXPECT_LE(a.memory_bytes + b.memory_bytes, stats.memory_bytes);
	EXPECT_GE(stats.max_bytes, stats.memory_bytes);
	EXPECT_EQ(1, rule_detach(fd, NULL));
	EXPECT_EQ(0, filter_destroy(fd, "a"));
	EXPECT_EQ(0, filter_destroy(fd, "b"));
}

TEST_F(filter, stats_name_the_module)
{
	const __u64 bpf = KCUCKOO_FEATURE_XDP | KCUCKOO_FEATURE_TC;
	struct kcuckoo_ioc_stats stats;

	ASSERT_EQ(0, client_stats(self->client.fd, &stats));
	EXPECT_EQ(KCUCKOO_VERSION(0, 6, 0), stats.version);
	EXPECT_EQ(0, stats.reserved);
	EXPECT_EQ(KCUCKOO_FEATURE_RULES_PIN_MODULE | KCUCKOO_FEATURE_INGRESS |
		  KCUCKOO_FEATURE_STAGED | KCUCKOO_FEATURE_WAIT |
		  KCUCKOO_FEATURE_EVENTS | KCUCKOO_FEATURE_LOG,
		  stats.features & ~bpf);
	EXPECT_TRUE((stats.features & bpf) == bpf || !(stats.features & bpf));
}

/* A program that knows the first version alone gets that and no byte more. */
TEST_F(filter, stats_of_the_first_version)
{
	struct kcuckoo_ioc_stats stats;
	const size_t first = offsetof(struct kcuckoo_ioc_stats, version);

	memset(&stats, 0xa5, sizeof(stats));
	stats.size = first;
	stats.flags = 0;
	EXPECT_EQ(0, call(self->client.fd, KCUCKOO_IOC_STATS, &stats));
	EXPECT_EQ(first, stats.size);
	EXPECT_LT(0, stats.max_filters);
	EXPECT_EQ(0xa5a5a5a5, stats.version);
	EXPECT_EQ(0xa5a5a5a5a5a5a5a5, stats.features);
}

/* What was destroyed is no longer accounted, after its grace period at most. */
TEST_F(filter, stats_return_to_start)
{
	struct kcuckoo_ioc_stats before, after;
	int fd = self->client.fd;
	int i;

	ASSERT_EQ(0, client_stats(fd, &before));
	for (i = 0; i < 10; i++) {
		ASSERT_EQ(0, filter_create(fd, "a", 10000));
		ASSERT_EQ(3000, keys_add(fd, "a", self->keys, 3000));
		ASSERT_EQ(0, filter_flush(fd, "a"));
		ASSERT_EQ(0, filter_destroy(fd, "a"));
	}
	for (i = 0; i < 600; i++) {
		ASSERT_EQ(0, client_stats(fd, &after));
		if (after.memory_bytes == before.memory_bytes)
			break;
		client_sleep(0.1);
	}
	EXPECT_EQ(before.memory_bytes, after.memory_bytes);
	EXPECT_EQ(0, after.filters);
	EXPECT_EQ(0, after.members);
}

TEST_F(filter, two_descriptors_see_the_same)
{
	int other = client_open();

	ASSERT_LE(0, other);
	ASSERT_EQ(0, filter_create(self->client.fd, "a", 10000));
	EXPECT_EQ(3000, keys_add(other, "a", self->keys, 3000));
	EXPECT_EQ(3000, filter_entries(self->client.fd, "a"));
	EXPECT_EQ(-EEXIST, filter_create(other, "a", 10000));
	close(self->client.fd);
	EXPECT_EQ(3000, filter_entries(other, "a"));
	self->client.fd = client_open();
	EXPECT_EQ(3000, filter_entries(self->client.fd, "a"));
	close(other);
}

TEST_HARNESS_MAIN
