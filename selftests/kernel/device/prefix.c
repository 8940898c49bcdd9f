// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prefixes of every length, both families: membership and covering lookups
 * against a reference that knows nothing but sorted arrays.
 */

#include "client.h"

FIXTURE(prefix)
{
	struct client client;
	__u64 random;
};

FIXTURE_SETUP(prefix)
{
	self->random = 0x6b6375636b6f6f;
	ASSERT_EQ(0, client_begin(&self->client));
	ASSERT_EQ(0, filter_create(self->client.fd, "a", 1 << 20));
}

FIXTURE_TEARDOWN(prefix)
{
	EXPECT_EQ(0, client_end(&self->client));
}

static int width(int family)
{
	return family == KCUCKOO_FAMILY_IPV4 ? 32 : 128;
}

static struct kcuckoo_prefix cut(struct kcuckoo_prefix key, int plen)
{
	key.plen = plen;
	key_mask(&key);
	return key;
}

static struct kcuckoo_prefix random_key(__u64 *state, int family, int plen)
{
	struct kcuckoo_prefix key = family == KCUCKOO_FAMILY_IPV4 ?
		ipv4(random_next(state), 32) :
		ipv6(random_next(state), random_next(state), 128);

	return cut(key, plen);
}

/* The address at the start or at the end of a prefix. */
static struct kcuckoo_prefix edge(struct kcuckoo_prefix key, bool end)
{
	int bit;

	for (bit = key.plen; end && bit < width(key.family); bit++)
		key.addr[bit / 8] |= 0x80 >> (bit % 8);
	key.plen = width(key.family);
	return key;
}

/* The address after (or before) an address; wraps around. */
static struct kcuckoo_prefix beside(struct kcuckoo_prefix key, bool after)
{
	int byte = width(key.family) / 8 - 1;

	for (; byte >= 0; byte--) {
		key.addr[byte] += after ? 1 : -1;
		if (key.addr[byte] != (after ? 0 : 0xff))
			break;
	}
	return key;
}

/**
 * struct reference - members by family, then by length, then as keys_sort() sorts them
 * @members: all of them, in memory that the caller of reference_make() frees
 * @count: for each family and length, the number of members
 * @first: for each family and length, the index of the first member
 */
struct reference {
	struct kcuckoo_prefix *members;
	size_t count[KCUCKOO_FAMILY_IPV6 + 1][129];
	size_t first[KCUCKOO_FAMILY_IPV6 + 1][129];
};

/* @members are sorted. Return: 0 or -ENOMEM. */
static int reference_make(struct reference *reference,
			  const struct kcuckoo_prefix *members, size_t count)
{
	size_t i, first = 0, next[KCUCKOO_FAMILY_IPV6 + 1][129];
	int family, plen;

	memset(reference, 0, sizeof(*reference));
	reference->members = calloc(count + 1, sizeof(*members));
	if (!reference->members)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		reference->count[members[i].family][members[i].plen]++;
	for (family = 0; family <= KCUCKOO_FAMILY_IPV6; family++) {
		for (plen = 0; plen <= 128; plen++) {
			reference->first[family][plen] = first;
			next[family][plen] = first;
			first += reference->count[family][plen];
		}
	}
	for (i = 0; i < count; i++)
		reference->members[next[members[i].family][members[i].plen]++] = members[i];
	return 0;
}

/* The length of the longest member that covers all of @key, or -1. */
static int longest(const struct reference *reference, struct kcuckoo_prefix key)
{
	const size_t *count = reference->count[key.family];
	const size_t *first = reference->first[key.family];
	int plen;

	for (plen = key.plen; plen >= 0; plen--) {
		if (!count[plen])
			continue;
		key = cut(key, plen);
		if (bsearch(&key, reference->members + first[plen], count[plen], sizeof(key),
			    key_compare))
			break;
	}
	return plen;
}

static size_t unique(struct kcuckoo_prefix *keys, size_t count)
{
	size_t from, to = 0;

	keys_sort(keys, count);
	for (from = 0; from < count; from++) {
		if (!to || key_compare(&keys[to - 1], &keys[from]))
			keys[to++] = keys[from];
	}
	return to;
}

/* Addresses at and beside both edges of each member: eight for each. */
static size_t probes_of(const struct kcuckoo_prefix *members, size_t count,
			struct kcuckoo_prefix *probes)
{
	size_t i, n = 0;

	for (i = 0; i < count; i++) {
		probes[n] = edge(members[i], false);
		probes[n + 1] = edge(members[i], true);
		probes[n + 2] = beside(probes[n], true);
		probes[n + 3] = beside(probes[n], false);
		probes[n + 4] = beside(probes[n + 1], true);
		probes[n + 5] = beside(probes[n + 1], false);
		probes[n + 6] = beside(probes[n + 3], false);
		probes[n + 7] = beside(probes[n + 4], true);
		n += 8;
	}
	return n;
}

/* The lengths of the members that cover @keys, in one call. Returns 0 or -errno. */
static int covering(int fd, const char *name, const struct kcuckoo_prefix *keys,
		    size_t count, __u8 *results, __u8 *plens)
{
	struct kcuckoo_ioc_test test = {
		.size = sizeof(test),
		.flags = KCUCKOO_TEST_COVERED,
		.keys = (uintptr_t)keys,
		.results = (uintptr_t)results,
		.plens = (uintptr_t)plens,
		.count = count,
	};
	int error;

	set_name(test.name, name);
	error = call(fd, KCUCKOO_IOC_TEST, &test);
	return error || test.done == count ? error : -EPROTO;
}

/* The same about networks that begin as the probes do: which member covers all of each? */
static void agree_networks(struct __test_metadata *_metadata, int fd,
			   const struct reference *reference,
			   const struct kcuckoo_prefix *probes, size_t nprobes)
{
	struct kcuckoo_prefix *keys = calloc(nprobes + 1, sizeof(*keys));
	__u8 *results = calloc(2, nprobes + 1), *plens = results + nprobes + 1;
	__u64 state = nprobes;
	size_t i, wrong = 0;

	ASSERT_TRUE(keys && results);
	for (i = 0; i < nprobes; i++)
		keys[i] = cut(probes[i], i % 4 ?
			      random_next(&state) % (width(probes[i].family) + 1) :
			      width(probes[i].family));
	ASSERT_EQ(0, covering(fd, "a", keys, nprobes, results, plens));
	for (i = 0; i < nprobes; i++) {
		int expected = longest(reference, keys[i]);

		if (results[i] == (expected < 0 ? KCUCKOO_RESULT_ABSENT :
						  KCUCKOO_RESULT_PRESENT) &&
		    (expected < 0 || plens[i] == expected))
			continue;
		if (wrong++ < 5)
			TH_LOG("a /%u is covered by a /%d, the filter says %u, /%u",
			       keys[i].plen, expected, results[i], plens[i]);
	}
	EXPECT_EQ(0, wrong)
		TH_LOG("%zu of %zu networks wrong", wrong, nprobes);
	free(results);
	free(keys);
}

/* The filter must say about each probe what the reference says. */
static void agree(struct __test_metadata *_metadata, int fd,
		  const struct kcuckoo_prefix *members, size_t count,
		  struct kcuckoo_prefix *probes, size_t nprobes)
{
	__u8 *results = malloc(nprobes + 1);
	char text[INET6_ADDRSTRLEN];
	struct reference reference;
	size_t i, wrong = 0;

	ASSERT_NE(NULL, results);
	ASSERT_EQ(0, reference_make(&reference, members, count));
	ASSERT_LE(0, batch_run(fd, KCUCKOO_IOC_TEST, 0, "a", probes, results, nprobes));
	for (i = 0; i < nprobes; i++) {
		bool expected = longest(&reference, probes[i]) >= 0;

		if (results[i] == (expected ? KCUCKOO_RESULT_PRESENT :
				   KCUCKOO_RESULT_ABSENT))
			continue;
		if (wrong++ < 5) {
			inet_ntop(probes[i].family == KCUCKOO_FAMILY_IPV4 ?
				  AF_INET : AF_INET6, probes[i].addr, text, sizeof(text));
			TH_LOG("%s is %scovered, the filter says %u", text,
			       expected ? "" : "not ", results[i]);
		}
	}
	EXPECT_EQ(0, wrong)
		TH_LOG("%zu of %zu probes wrong", wrong, nprobes);
	free(results);
	agree_networks(_metadata, fd, &reference, probes, nprobes);
	free(reference.members);
}

/*
 * The same of a share of the probes: one of @stride of them, at each @turn others, and the
 * @near probes from @from on. In `make soak` and on a debug kernel, of all probes.
 */
static void agree_in_turns(struct __test_metadata *_metadata, int fd,
			   const struct kcuckoo_prefix *members, size_t count,
			   struct kcuckoo_prefix *probes, size_t nprobes, size_t stride,
			   size_t turn, size_t from, size_t near)
{
	struct kcuckoo_prefix *share = calloc(nprobes, sizeof(*share));
	size_t i, n = 0;

	ASSERT_NE(NULL, share);
	stride = client_slow() ? 1 : client_soak(stride, 1);
	for (i = 0; i < nprobes; i++) {
		if (i % stride == turn % stride || (i >= from && i - from < near))
			share[n++] = probes[i];
	}
	agree(_metadata, fd, members, count, share, n);
	free(share);
}

/* Each length alone: so many members, edges, neighbours, delete. */
static void one_length(struct __test_metadata *_metadata, int fd, __u64 *state,
		       int family, int plen)
{
	struct kcuckoo_prefix members[64], probes[8 * 64];
	size_t count = 0, nprobes;

	while (count < (client_slow() ? 8 : client_soak(16, 64)))
		members[count++] = random_key(state, family, plen);
	count = unique(members, count);
	ASSERT_EQ(count, keys_add(fd, "a", members, count))
		TH_LOG("family %d, /%d", family, plen);
	EXPECT_EQ(count, keys_members(fd, "a", members, count))
		TH_LOG("family %d, /%d", family, plen);
	nprobes = probes_of(members, count, probes);
	agree(_metadata, fd, members, count, probes, nprobes);
	EXPECT_EQ(count, keys_del(fd, "a", members, count))
		TH_LOG("family %d, /%d", family, plen);
	EXPECT_EQ(0, keys_covered(fd, "a", probes, nprobes))
		TH_LOG("family %d, /%d after deletion", family, plen);
	EXPECT_EQ(0, filter_entries(fd, "a"));
}

TEST_F(prefix, each_length_of_ipv4)
{
	int plen;

	for (plen = 0; plen <= 32; plen++)
		one_length(_metadata, self->client.fd, &self->random,
			   KCUCKOO_FAMILY_IPV4, plen);
}

TEST_F(prefix, each_length_of_ipv6)
{
	int plen;

	for (plen = 0; plen <= 128; plen++)
		one_length(_metadata, self->client.fd, &self->random,
			   KCUCKOO_FAMILY_IPV6, plen);
}

/* The whole of one family, and nothing of the other. */
TEST_F(prefix, everything)
{
	struct kcuckoo_prefix all[] = { key_of("0.0.0.0/0"), key_of("::/0") };
	struct kcuckoo_prefix four[] = {
		key_of("0.0.0.0"), key_of("255.255.255.255"), key_of("127.0.0.1"),
		key_of("128.0.0.0"), key_of("10.1.2.3"),
	};
	struct kcuckoo_prefix six[] = {
		key_of("::"), key_of("::1"), key_of("8000::"), key_of("2001:db8::1"),
		key_of("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
	};
	int fd = self->client.fd;

	EXPECT_EQ(1, keys_add(fd, "a", &all[0], 1));
	EXPECT_EQ(5, keys_covered(fd, "a", four, 5));
	EXPECT_EQ(0, keys_covered(fd, "a", six, 5));
	EXPECT_EQ(0, keys_members(fd, "a", four, 5));
	EXPECT_EQ(1, keys_add(fd, "a", &all[1], 1));
	EXPECT_EQ(5, keys_covered(fd, "a", six, 5));
	EXPECT_EQ(1, keys_del(fd, "a", &all[0], 1));
	EXPECT_EQ(0, keys_covered(fd, "a", four, 5));
	EXPECT_EQ(5, keys_covered(fd, "a", six, 5));
	EXPECT_EQ(1, keys_del(fd, "a", &all[1], 1));
	EXPECT_EQ(0, keys_covered(fd, "a", six, 5));
}

/* The same bits are different members at each length, of either family. */
TEST_F(prefix, lengths_are_apart)
{
	struct kcuckoo_prefix zero[162];
	size_t count = 0, i;
	int plen;
	int fd = self->client.fd;

	for (plen = 0; plen <= 32; plen++)
		zero[count++] = ipv4(0, plen);
	for (plen = 0; plen <= 128; plen++)
		zero[count++] = ipv6(0, 0, plen);
	for (i = 0; i < count; i++) {
		ASSERT_EQ(1, keys_add(fd, "a", &zero[i], 1));
		ASSERT_EQ(1, keys_members(fd, "a", zero, count))
			TH_LOG("member %zu", i);
		ASSERT_EQ(1, keys_del(fd, "a", &zero[i], 1));
	}
	EXPECT_EQ(0, filter_entries(fd, "a"));
}

/* Prefixes inside each other around one address, taken away one by one. */
static void nested(struct __test_metadata *_metadata, int fd, struct kcuckoo_prefix key)
{
	struct kcuckoo_prefix chain[129], probes[8 * 129];
	int plen, bits = width(key.family);
	size_t nprobes;

	for (plen = 0; plen <= bits; plen++)
		chain[plen] = cut(key, plen);
	ASSERT_EQ(bits + 1, keys_add(fd, "a", chain, bits + 1));
	nprobes = probes_of(chain, bits + 1, probes);
	/* By ascending length, as the probes. */
	keys_sort(chain, bits + 1);
	agree(_metadata, fd, chain, bits + 1, probes, nprobes);
	for (plen = 0; plen <= bits; plen++) {
		ASSERT_EQ(1, keys_del(fd, "a", &chain[0], 1));
		memmove(chain, chain + 1, (bits - plen) * sizeof(*chain));
		/* Of each length some, and all of what was removed and of what remains next. */
		agree_in_turns(_metadata, fd, chain, bits - plen, probes, nprobes, 17, plen,
			       8 * plen, 16);
	}
	EXPECT_EQ(0, filter_entries(fd, "a"));
}

TEST_F(prefix, nested_ipv4)
{
	nested(_metadata, self->client.fd, key_of("172.18.219.101"));
	nested(_metadata, self->client.fd, key_of("255.255.255.255"));
}

TEST_F(prefix, nested_ipv6)
{
	nested(_metadata, self->client.fd, key_of("2001:db8:5a5a:a5a5:1234::fedc"));
}

/*
 * IPv6 prefixes in 2000::/3 have tables of their own, up to 64 bits. All lengths in
 * and beside it; then one side goes, and its tables with it, and then it is back.
 */
TEST_F(prefix, inside_and_beside_2000)
{
	static const char *const addresses[] = {
		"2001:db8:5a5a:a5a5:1234::fedc", "fd01:db8:5a5a:a5a5:1234::fedc",
		"2000::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
		"3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "4000::", "6001:db8::", "::1",
	};
	enum { SIDES = ARRAY_SIZE(addresses), ALL = SIDES * 129 };
	struct kcuckoo_prefix *members = calloc(ALL, sizeof(*members));
	struct kcuckoo_prefix *sides[2] = {
		calloc(ALL, sizeof(*members)), calloc(ALL, sizeof(*members)),
	};
	struct kcuckoo_prefix *probes = calloc(8 * ALL, sizeof(*probes)), *walked;
	size_t counts[2] = {}, count = 0, nprobes, turn = 0, i;
	int fd = self->client.fd;
	int plen, side;

	ASSERT_TRUE(members && sides[0] && sides[1] && probes);
	for (i = 0; i < SIDES; i++) {
		for (plen = 0; plen <= 128; plen++)
			members[count++] = cut(key_of(addresses[i]), plen);
	}
	count = unique(members, count);
	for (i = 0; i < count; i++) {
		side = members[i].plen >= 3 && members[i].addr[0] >> 5 == 1;
		sides[side][counts[side]++] = members[i];
	}
	nprobes = probes_of(members, count, probes);
	ASSERT_EQ(count, keys_add(fd, "a", members, count));
	agree_in_turns(_metadata, fd, members, count, probes, nprobes,
		       5, turn++, 0, 0);
	ASSERT_EQ(count, keys_walk(fd, "a", 100, &walked, NULL));
	EXPECT_EQ(0, memcmp(walked, members, count * sizeof(*members)));
	free(walked);
	for (side = 0; side < 2; side++) {
		size_t n = counts[side], others = counts[!side];

		ASSERT_EQ(n, keys_del(fd, "a", sides[side], n));
		agree_in_turns(_metadata, fd, sides[!side], others, probes, nprobes,
			       5, turn++, 0, 0);
		ASSERT_EQ(0, filter_compact(fd, "a"));
		agree_in_turns(_metadata, fd, sides[!side], others, probes, nprobes,
			       5, turn++, 0, 0);
		EXPECT_EQ(others, keys_members(fd, "a", members, count));
		ASSERT_EQ(n, keys_add(fd, "a", sides[side], n));
		agree_in_turns(_metadata, fd, members, count, probes, nprobes,
			       5, turn++, 0, 0);
	}
}

/* Room for networks is where networks are. */
TEST_F(prefix, room_in_2000)
{
	enum { NETWORKS = 20000 };
	struct kcuckoo_prefix *keys = calloc(NETWORKS, sizeof(*keys));
	struct kcuckoo_ioc_info info;
	int fd = self->client.fd;
	__u32 i;

	ASSERT_TRUE(keys);
	for (i = 0; i < NETWORKS; i++)
		keys[i] = ipv6(0x2000ULL << 48 | (__u64)i << 30, 0, 48);
	ASSERT_EQ(0, filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV6, 48, NETWORKS));
	ASSERT_EQ(NETWORKS, keys_add(fd, "a", keys, NETWORKS));
	ASSERT_EQ(0, filter_info(fd, "a", &info));
	EXPECT_EQ(0, info.growths);
	EXPECT_EQ(1ULL << 48, info.plens_ipv6[0]);
	free(keys);
}

/* Every /1 to /9 of IPv4 at once, and all but one. */
TEST_F(prefix, short_lengths_exhausted)
{
	struct kcuckoo_prefix keys[512], probe;
	int fd = self->client.fd;
	int plen, i, count;

	for (plen = 1; plen <= 9; plen++) {
		count = 1 << plen;
		for (i = 0; i < count; i++)
			keys[i] = ipv4((__u32)i << (32 - plen), plen);
		ASSERT_EQ(count, keys_add(fd, "a", keys, count))
			TH_LOG("/%d", plen);
		for (i = 0; i < count; i++) {
			ASSERT_EQ(1, keys_del(fd, "a", &keys[i], 1));
			probe = edge(keys[i], i % 2);
			ASSERT_EQ(0, keys_covered(fd, "a", &probe, 1));
			probe = edge(keys[i ^ 1], i % 2);
			ASSERT_EQ(1, keys_covered(fd, "a", &probe, 1));
			ASSERT_EQ(1, keys_add(fd, "a", &keys[i], 1));
		}
		ASSERT_EQ(count, keys_del(fd, "a", keys, count));
	}
}

/*
 * A list as they are: clusters of prefixes of all lengths, some inside others.
 * Then half of it goes, and comes back.
 */
TEST_F(prefix, mixture_against_the_reference)
{
	size_t count = client_sample(1500, 6000), nprobes, i;
	struct kcuckoo_prefix *members = calloc(count, sizeof(*members));
	struct kcuckoo_prefix *gone = calloc(count, sizeof(*gone));
	struct kcuckoo_prefix *kept = calloc(count, sizeof(*kept));
	struct kcuckoo_prefix *probes = calloc(8 * count, sizeof(*probes));
	struct kcuckoo_prefix center[32], *walked;
	int fd = self->client.fd;
	size_t ngone = 0, nkept = 0;

	ASSERT_TRUE(members && gone && kept && probes);
	for (i = 0; i < 32; i++)
		center[i] = random_key(&self->random, 1 + i % 2, width(1 + i % 2));
	for (i = 0; i < count; i++) {
		__u64 draw = random_next(&self->random);
		struct kcuckoo_prefix key = center[draw % 32];
		int bits = width(key.family);
		int byte = draw >> 8 & (bits / 8 - 1);

		key.addr[byte] ^= draw >> 16;
		members[i] = cut(key, 1 + (draw >> 32) % bits);
	}
	count = unique(members, count);
	nprobes = probes_of(members, count, probes);
	ASSERT_EQ(count, keys_add(fd, "a", members, count));
	agree(_metadata, fd, members, count, probes, nprobes);

	for (i = 0; i < count; i++) {
		if (random_next(&self->random) % 2)
			gone[ngone++] = members[i];
		else
			kept[nkept++] = members[i];
	}
	ASSERT_EQ(ngone, keys_del(fd, "a", gone, ngone));
	agree(_metadata, fd, kept, nkept, probes, nprobes);
	ASSERT_EQ(nkept, keys_walk(fd, "a", 5000, &walked, NULL));
	EXPECT_EQ(0, memcmp(walked, kept, nkept * sizeof(*kept)));
	ASSERT_EQ(0, filter_compact(fd, "a"));
	agree(_metadata, fd, kept, nkept, probes, nprobes);
	ASSERT_EQ(ngone, keys_add(fd, "a", gone, ngone));
	agree(_metadata, fd, members, count, probes, nprobes);
}

/* No innocent address is matched: random ones, unless the reference says so. */
TEST_F(prefix, no_false_positives)
{
	size_t count = client_sample(5000, 50000), i;
	struct kcuckoo_prefix *keys = calloc(count, sizeof(*keys));
	struct kcuckoo_prefix *probes = calloc(4 * count, sizeof(*probes));
	int fd = self->client.fd;

	ASSERT_TRUE(keys && probes);
	for (i = 0; i < count; i++)
		keys[i] = random_key(&self->random, 1 + i % 2, width(1 + i % 2));
	for (i = 0; i < 4 * count; i++)
		probes[i] = random_key(&self->random, 1 + i % 2, width(1 + i % 2));
	count = unique(keys, count);
	ASSERT_EQ(count, keys_add(fd, "a", keys, count));
	EXPECT_EQ(count, keys_covered(fd, "a", keys, count));
	agree(_metadata, fd, keys, count, probes, 4 * count);
}

/* Filters of each kind name the longest member, and its value with it. */
TEST_F(prefix, longest_member_of_any_filter)
{
	static const struct kcuckoo_ioc_create kinds[] = {
		{ .hash = KCUCKOO_HASH_JHASH },
		{ .hash = KCUCKOO_HASH_SIPHASH },
		{ .value_bits = 8 },
		{ .flags = KCUCKOO_CREATE_TIMEOUT, .timeout = 1000 },
	};
	static const __u8 chain[][6] = { { 1, 8, 12, 24, 31, 32 },
					 { 3, 19, 48, 64, 65, 128 } };
	struct kcuckoo_prefix members[12], keys[162];
	__u8 results[162], plens[162];
	__u32 values[12], found[162];
	int fd = self->client.fd;
	size_t kind, i, j, count = 0;

	for (i = 0; i < 12; i++) {
		members[i] = cut(i < 6 ? ipv4(0x0a141e28, 32) :
				 ipv6(0x20010db8aaaa5555, 0x123456789abcdef0, 128),
				 chain[i / 6][i % 6]);
		values[i] = members[i].plen;
	}
	for (i = 0; i <= 32; i++)
		keys[count++] = cut(ipv4(0x0a141e28, 32), i);
	for (i = 0; i <= 128; i++)
		keys[count++] = cut(ipv6(0x20010db8aaaa5555, 0x123456789abcdef0, 128), i);
	for (kind = 0; kind < ARRAY_SIZE(kinds); kind++) {
		struct kcuckoo_ioc_create create = kinds[kind];
		struct kcuckoo_ioc_add add = {
			.size = sizeof(add),
			.keys = (uintptr_t)members,
			.values = create.value_bits ? (uintptr_t)values : 0,
			.count = 12,
		};
		struct kcuckoo_ioc_test test = {
			.size = sizeof(test),
			.flags = KCUCKOO_TEST_COVERED,
			.keys = (uintptr_t)keys,
			.values = create.value_bits ? (uintptr_t)found : 0,
			.max_values = !!create.value_bits,
			.count = count,
		};

		create.size = sizeof(create);
		create.type = KCUCKOO_TYPE_INET;
		create.capacity = 1000;
		set_name(create.name, "k");
		ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create));
		set_name(add.name, "k");
		ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &add));
		ASSERT_EQ(12, add.added);
		ASSERT_EQ(0, covering(fd, "k", keys, count, results, plens));
		set_name(test.name, "k");
		ASSERT_EQ(0, call(fd, KCUCKOO_IOC_TEST, &test));
		for (i = 0; i < count; i++) {
			int expected = -1;

			for (j = i < 33 ? 0 : 6; j < (i < 33 ? 6 : 12); j++)
				if (members[j].plen <= keys[i].plen)
					expected = members[j].plen;
			EXPECT_EQ(expected < 0 ? KCUCKOO_RESULT_ABSENT :
						 KCUCKOO_RESULT_PRESENT, results[i]);
			if (expected < 0)
				continue;
			EXPECT_EQ(expected, plens[i])
				TH_LOG("kind %zu, a /%u", kind, keys[i].plen);
			if (create.value_bits)
				EXPECT_EQ(expected, found[i]);
		}
		ASSERT_EQ(0, filter_destroy(fd, "k"));
	}
}

/* A network that members cover only together is in no member. */
TEST_F(prefix, halves_do_not_cover_the_whole)
{
	struct kcuckoo_prefix members[] = { ipv4(0x0a000000, 9), ipv4(0x0a800000, 9) };
	struct kcuckoo_prefix keys[] = { ipv4(0x0a000000, 8), ipv4(0x0a000000, 9),
					 ipv4(0x0a800000, 10), ipv4(0x0a000000, 0) };
	int fd = self->client.fd;
	__u8 results[4], plens[4];

	ASSERT_EQ(2, keys_add(fd, "a", members, 2));
	ASSERT_EQ(0, covering(fd, "a", keys, 4, results, plens));
	EXPECT_EQ(KCUCKOO_RESULT_ABSENT, results[0]);
	EXPECT_EQ(KCUCKOO_RESULT_PRESENT, results[1]);
	EXPECT_EQ(9, plens[1]);
	EXPECT_EQ(KCUCKOO_RESULT_PRESENT, results[2]);
	EXPECT_EQ(9, plens[2]);
	EXPECT_EQ(KCUCKOO_RESULT_ABSENT, results[3]);
	/* Without the flag a network is in only as a member. */
	EXPECT_EQ(1, keys_covered(fd, "a", keys, 4));
}

/* Who does not know its members names none; who has no addresses covers none. */
TEST_F(prefix, covered_refused)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_INET,
		.capacity = 1000,
		.tag_bits = 32,
	};
	struct kcuckoo_prefix key = ipv4(0x0a000000, 8), inside = ipv4(0x0a0a0000, 16);
	struct kcuckoo_ioc_test test = {
		.size = sizeof(test),
		.flags = KCUCKOO_TEST_COVERED,
		.keys = (uintptr_t)&inside,
		.count = 1,
	};
	int fd = self->client.fd;
	__u16 length = 4;
	__u8 plen = 77;

	set_name(create.name, "f");
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create));
	ASSERT_EQ(1, keys_add(fd, "f", &key, 1));
	set_name(test.name, "f");
	EXPECT_EQ(0, call(fd, KCUCKOO_IOC_TEST, &test));
	EXPECT_EQ(1, test.present);
	test.plens = (uintptr_t)&plen;
	EXPECT_EQ(-EOPNOTSUPP, call(fd, KCUCKOO_IOC_TEST, &test));
	set_name(test.name, "a");
	test.flags = 0;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_TEST, &test));
	test.flags = KCUCKOO_TEST_MEMBER;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_TEST, &test));
	test.flags = KCUCKOO_TEST_MEMBER | KCUCKOO_TEST_COVERED;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_TEST, &test));
	test.plens = 0;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_TEST, &test));
	set_name(create.name, "b");
	create.type = KCUCKOO_TYPE_BYTES;
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create));
	set_name(test.name, "b");
	test.flags = KCUCKOO_TEST_COVERED;
	test.lengths = (uintptr_t)&length;
	EXPECT_EQ(-EOPNOTSUPP, call(fd, KCUCKOO_IOC_TEST, &test));
	EXPECT_EQ(77, plen);
	/* A structure of before the field is as good as ever. */
	set_name(test.name, "a");
	test.lengths = 0;
	test.size = offsetof(struct kcuckoo_ioc_test, plens);
	EXPECT_EQ(0, call(fd, KCUCKOO_IOC_TEST, &test));
	/* Where they cannot be written, that is an error. */
	test.size = sizeof(test);
	test.plens = 8;
	EXPECT_EQ(-EFAULT, call(fd, KCUCKOO_IOC_TEST, &test));
}

TEST_HARNESS_MAIN
