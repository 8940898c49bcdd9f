// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which prefixes cover an address: the tables of all lengths against a trie,
 * for nested prefixes, at and beside their edges.
 */
#include "fixture.h"

#define PREFIXES	30000
#define PROBES		100000

/**
 * struct prefix - some first bits of an address
 * @bits: the address, with zeroes behind the prefix
 * @plen: number of bits
 */
struct prefix {
	__uint128_t bits;
	unsigned int plen;
};

/* Node 0 is the root; a child 0 is none. */
struct node {
	u32 child[2];
	bool member;
};

/**
 * struct family - addresses of one width, a set of prefixes of them, twice
 * @width: bits of an address
 * @prefix: the prefixes, none twice
 * @count: their number
 * @trie: the reference
 * @nodes: nodes of the trie
 * @table: the core's tables, by length
 * @used: is there a table for that length?
 * @secret: of the tables
 */
struct family {
	unsigned int width;
	struct prefix *prefix;
	u32 count;
	struct node *trie;
	u32 nodes;
	struct kcuckoo_store table[129];
	bool used[129];
	struct kcuckoo_hash_key secret;
};

/* The lengths that cover an address, a bit each; 129 of them need two words. */
struct lengths {
	__uint128_t bits;
	bool all;
};

static __uint128_t mask(const struct family *family, unsigned int plen)
{
	__uint128_t low = number_wide(number_last(family->width - plen));

	return number_wide(number_last(family->width)) & ~low;
}

static struct kcuckoo_key make_key(const struct family *family,
				   __uint128_t address, unsigned int plen)
{
	struct kcuckoo_key key = {};

	if (plen)
		key.number = number_of(address >> (family->width - plen));
	kcuckoo_key_permute(&key, &family->secret, plen);
	return key;
}

/* Returns false if the prefix was there. */
static bool trie_add(struct family *family, const struct prefix *prefix)
{
	u32 node = 0;
	unsigned int i;

	for (i = 0; i < prefix->plen; i++) {
		int bit = prefix->bits >> (family->width - 1 - i) & 1;

		if (!family->trie[node].child[bit])
			family->trie[node].child[bit] = family->nodes++;
		node = family->trie[node].child[bit];
	}
	if (family->trie[node].member)
		return false;
	family->trie[node].member = true;
	return true;
}

static void lengths_set(struct lengths *lengths, unsigned int plen)
{
	if (plen == 128)
		lengths->all = true;
	else
		lengths->bits |= (__uint128_t)1 << plen;
}

static struct lengths trie_cover(const struct family *family,
				 __uint128_t address)
{
	struct lengths lengths = { 0, false };
	unsigned int plen;
	u32 node = 0;

	for (plen = 0;; plen++) {
		int bit;

		if (family->trie[node].member)
			lengths_set(&lengths, plen);
		if (plen == family->width)
			return lengths;
		bit = address >> (family->width - 1 - plen) & 1;
		node = family->trie[node].child[bit];
		if (!node)
			return lengths;
	}
}

static struct lengths table_cover(const struct family *family,
				  __uint128_t address)
{
	struct lengths lengths = { 0, false };
	unsigned int plen;

	for (plen = 0; plen <= family->width; plen++) {
		struct kcuckoo_key key;

		if (!family->used[plen])
			continue;
		key = make_key(family, address, plen);
		if (fixture_inet_contains(&family->table[plen], &key))
			lengths_set(&lengths, plen);
	}
	return lengths;
}

/* A prefix anywhere, or in one that is there, or around it. */
static struct prefix random_prefix(const struct family *family,
				   unsigned int shortest)
{
	struct prefix prefix;

	prefix.bits = number_wide(number_random(family->width));
	do {
		prefix.plen = random_below(family->width + 1);
		/* Many short ones would leave nothing uncovered. */
	} while (prefix.plen < shortest ||
		 (prefix.plen < 16 && random_below(64)));
	if (family->count && random_below(3)) {
		const struct prefix *other;
		__uint128_t keep;

		other = &family->prefix[random_below(family->count)];
		keep = mask(family, other->plen);
		prefix.bits = (prefix.bits & ~keep) | (other->bits & keep);
	}
	prefix.bits &= mask(family, prefix.plen);
	return prefix;
}

/* The tables, each of the layout for as many as there are of its length. */
static void make_tables(struct family *family)
{
	struct kcuckoo_search *search = fixture_search();
	u32 count[129] = { 0 };
	unsigned int plen;
	u32 i;

	for (i = 0; i < family->count; i++)
		count[family->prefix[i].plen]++;
	for (plen = 0; plen <= family->width; plen++) {
		struct kcuckoo_layout layout;

		family->used[plen] = count[plen];
		if (!count[plen])
			continue;
		fixture_fit(&layout, plen, 2, count[plen]);
		fixture_inet(&family->table[plen], &layout, &family->secret);
	}
	for (i = 0; i < family->count; i++) {
		const struct prefix *prefix = &family->prefix[i];
		struct kcuckoo_key key;
		u64 place;

		key = make_key(family, prefix->bits, prefix->plen);
		place = fixture_inet_add(&family->table[prefix->plen], &key,
					 search);
		tap_require(place != KCUCKOO_NO_PLACE, "/%u", prefix->plen);
	}
}

static struct family *make_family(unsigned int width, unsigned int shortest)
{
	struct family *family = tap_zalloc(sizeof(*family));
	u32 tries;

	family->width = width;
	family->secret = fixture_key();
	family->prefix = tap_zalloc(PREFIXES * sizeof(*family->prefix));
	family->trie = tap_zalloc((size_t)PREFIXES * width *
				  sizeof(*family->trie));
	family->nodes = 1;
	for (tries = 0; tries < PREFIXES; tries++) {
		struct prefix prefix = random_prefix(family, shortest);

		if (trie_add(family, &prefix))
			family->prefix[family->count++] = prefix;
	}
	make_tables(family);
	return family;
}

/* An address at the edge of a prefix, beside it, in it, or nearly in it. */
static __uint128_t random_address(const struct family *family)
{
	const struct prefix *prefix;
	__uint128_t last;
	__uint128_t random = number_wide(number_random(family->width));

	prefix = &family->prefix[random_below(family->count)];
	last = mask(family, family->width) & ~mask(family, prefix->plen);
	last |= prefix->bits;
	switch (random_below(7)) {
	case 0:
		return prefix->bits;
	case 1:
		return last;
	case 2:
		return (prefix->bits - 1) & mask(family, family->width);
	case 3:
		return (last + 1) & mask(family, family->width);
	case 4:
		return random;
	case 5:
		return prefix->bits ^
		       number_wide(number_bit(random_below(family->width)));
	default:
		return prefix->bits | (random & ~mask(family, prefix->plen));
	}
}

/* The same lengths cover an address in the trie and in the tables. */
static void check_cover(unsigned int width, unsigned int shortest)
{
	struct family *family = make_family(width, shortest);
	u32 covered = 0;
	u32 nested = 0;
	u32 i;

	for (i = 0; i < PROBES; i++) {
		__uint128_t address = random_address(family);
		struct lengths trie = trie_cover(family, address);
		struct lengths table = table_cover(family, address);

		tap_require(trie.bits == table.bits && trie.all == table.all,
			    "address %llx:%llx of %u bits",
			    (u64)(address >> 64), (u64)address, width);
		covered += trie.bits || trie.all;
		nested += (trie.bits & (trie.bits - 1)) ||
			  (trie.bits && trie.all);
	}
	printf("# %u prefixes, %u of %u addresses covered, %u by several\n",
	       family->count, covered, PROBES, nested);
	tap_require(nested > PROBES / 10, "%u", nested);
	tap_require(!shortest || covered < PROBES * 9 / 10, "%u", covered);
}

static void test_ipv4(void)
{
	check_cover(32, 9);
}

static void test_ipv6(void)
{
	check_cover(128, 18);
}

static void test_all(void)
{
	check_cover(32, 0);
	check_cover(128, 0);
}

/* Every prefix covers its own edges, and each is found by itself. */
static void test_members(void)
{
	static const u8 widths[] = { 32, 128 };
	unsigned int i;
	u32 n;

	for (i = 0; i < TAP_COUNT(widths); i++) {
		struct family *family = make_family(widths[i], 0);

		for (n = 0; n < family->count; n++) {
			const struct prefix *prefix = &family->prefix[n];
			struct kcuckoo_key key;

			key = make_key(family, prefix->bits, prefix->plen);
			tap_require(fixture_inet_contains(&family->table[prefix->plen],
							  &key), "/%u",
				    prefix->plen);
		}
	}
}

static const struct tap_test tests[] = {
	{ "cover.ipv4: as a trie says, 24 lengths", test_ipv4 },
	{ "cover.ipv6: as a trie says, 111 lengths", test_ipv6 },
	{ "cover.all: as a trie says, all lengths of either", test_all },
	{ "cover.members: every prefix is found", test_members },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
