// SPDX-License-Identifier: GPL-2.0-only
/*
 * Length index: it never leaves out the length of a member, whatever else is
 * there and however small it is; and it tells few others.
 */
#include "fixture.h"
#include "core/length_index.h"

#define MEMBERS		3000
#define ADDRESSES	20000

/* A prefix: its first bits. */
struct prefix {
	__uint128_t bits;
	unsigned int plen;
};

static const u8 families[] = { KCUCKOO_FAMILY_IPV4, KCUCKOO_FAMILY_IPV6 };

static unsigned int width(unsigned int family)
{
	return family == KCUCKOO_FAMILY_IPV4 ? 32 : 128;
}

/* An empty index of a size, in memory that ends where it does. */
static struct kcuckoo_length_index *
make_index(const struct kcuckoo_index_params *params,
	   const struct kcuckoo_hash_key *key)
{
	struct kcuckoo_length_index *index = tap_zalloc(sizeof(*index));

	kcuckoo_length_index_init(index, params,
				  tap_zalloc(kcuckoo_length_index_bytes(params)), key);
	return index;
}

static void free_index(struct kcuckoo_length_index *index)
{
	tap_free(index->cells[0]);
	tap_free(index);
}

/* An index of the size for so many members of each length. */
static struct kcuckoo_length_index *make_for(unsigned int family, u64 members)
{
	struct kcuckoo_hash_key key = fixture_key();
	u64 counts[KCUCKOO_LEVELS] = { 0 };
	struct kcuckoo_index_params params = { .family = family };
	unsigned int plen;

	for (plen = 0; plen <= width(family); plen++)
		kcuckoo_length_index_count(family, plen, members, counts);
	kcuckoo_length_index_fit(&params, counts);
	return make_index(&params, &key);
}

static struct kcuckoo_length_index *make_host_bitmap(u64 members)
{
	struct kcuckoo_hash_key key = fixture_key();
	const u64 counts[KCUCKOO_LEVELS] = { members };
	struct kcuckoo_index_params params = {
		.family = KCUCKOO_FAMILY_IPV4,
		.host_bitmap = true,
	};

	kcuckoo_length_index_fit(&params, counts);
	return make_index(&params, &key);
}

static void set(struct kcuckoo_length_index *index, const struct prefix *prefix)
{
	struct kcuckoo_number number = number_of(prefix->bits);

	kcuckoo_length_index_add(index, prefix->plen, &number);
}

/* The lengths told for an address, but the one of 128 bits, which is @all. */
static __uint128_t candidates(const struct kcuckoo_length_index *index,
			      __uint128_t address, bool *all)
{
	struct kcuckoo_number number = number_of(address);
	u64 words[KCUCKOO_LENGTH_WORDS];

	kcuckoo_length_index_candidates(index, &number, words);
	*all = words[3] & 1;
	tap_require(!(words[3] & ~1ULL), "%llx", words[3]);
	if (index->params.family == KCUCKOO_FAMILY_IPV4)
		return words[0];
	return (__uint128_t)words[2] << 64 | words[1];
}

static bool is_candidate(const struct kcuckoo_length_index *index, __uint128_t address,
			 unsigned int plen)
{
	bool all;
	__uint128_t lengths = candidates(index, address, &all);

	return plen == 128 ? all : lengths >> plen & 1;
}

/* How many lengths are told for an address, out of those in use. */
static unsigned int count_candidates(const struct kcuckoo_length_index *index,
				     __uint128_t address, __uint128_t used)
{
	bool all;
	__uint128_t lengths = candidates(index, address, &all) & used;

	return __builtin_popcountll(lengths) +
	       __builtin_popcountll(lengths >> 64);
}

/* A random address in a prefix, often its first or its last. */
static __uint128_t inside(unsigned int family, const struct prefix *prefix)
{
	unsigned int bits = width(family) - prefix->plen;
	__uint128_t rest = number_wide(number_random(bits));

	if (!random_below(4))
		rest = number_wide(number_last(bits));
	if (!random_below(4))
		rest = 0;
	return prefix->plen ? prefix->bits << bits % 128 | rest : rest;
}

static struct prefix random_prefix(unsigned int plen)
{
	const struct prefix prefix = {
		.bits = number_wide(number_random(plen)),
		.plen = plen,
	};

	return prefix;
}

/* One member alone, of every length: it is told, and nothing beside it. */
static void test_alone(void)
{
	unsigned int plen;
	unsigned int i;

	for (i = 0; i < TAP_COUNT(families); i++) {
		unsigned int family = families[i];

		for (plen = 0; plen <= width(family); plen++) {
			struct kcuckoo_length_index *index = make_for(family, 1);
			struct prefix prefix = random_prefix(plen);
			__uint128_t address = inside(family, &prefix);
			unsigned int tries;

			tap_require(!is_candidate(index, address, plen), "/%u",
				    plen);
			set(index, &prefix);
			for (tries = 0; tries < 100; tries++) {
				address = inside(family, &prefix);
				tap_require(is_candidate(index, address, plen),
					    "/%u", plen);
			}
			address ^= (__uint128_t)1 << (width(family) - 1);
			tap_require(!plen || !is_candidate(index, address, plen),
				    "/%u", plen);
			free_index(index);
		}
	}
}

/* Members one within another, in an index of any size. */
static struct prefix *nested(struct kcuckoo_length_index *index)
{
	struct prefix *prefixes = tap_zalloc(MEMBERS * sizeof(*prefixes));
	unsigned int family = index->params.family;
	unsigned int i;

	for (i = 0; i < MEMBERS; i++) {
		unsigned int plen = random_below(width(family) + 1);
		const struct prefix *other;
		__uint128_t within;

		/* A few of the shortest would be everywhere. */
		if (plen < 10 && i % 16)
			plen += 10;
		prefixes[i] = random_prefix(plen);
		if (!i || !random_below(3))
			continue;
		other = &prefixes[random_below(i)];
		within = inside(family, other);
		prefixes[i].bits = plen ? within >> (width(family) - plen) : 0;
	}
	for (i = 0; i < MEMBERS; i++)
		set(index, &prefixes[i]);
	return prefixes;
}

static void require_told(const struct kcuckoo_length_index *index,
			 const struct prefix *prefixes)
{
	unsigned int family = index->params.family;
	unsigned int i;

	for (i = 0; i < ADDRESSES; i++) {
		const struct prefix *prefix;

		prefix = &prefixes[random_below(MEMBERS)];
		tap_require(is_candidate(index, inside(family, prefix),
					 prefix->plen), "/%u", prefix->plen);
	}
}

static void test_nested(void)
{
	static const u32 sizes[] = { 0, 1, 100, 1 << 20 };
	unsigned int i;

	for (i = 0; i < TAP_COUNT(families) * TAP_COUNT(sizes); i++) {
		struct kcuckoo_length_index *index;
		struct prefix *prefixes;

		index = make_for(families[i % 2], sizes[i / 2]);
		prefixes = nested(index);
		require_told(index, prefixes);
		tap_free(prefixes);
		free_index(index);
	}
}

/* Cells of a level that may be used before it should be larger. */
static u32 most_used(const struct kcuckoo_index_params *params, unsigned int level)
{
	const u32 quarter = (1U << params->order[level]) / 4;

	if (params->family == KCUCKOO_FAMILY_IPV4)
		return level == 2 ? 3 * quarter : 2 * quarter;
	return level == 1 ? 3 * quarter : 2 * quarter;
}

/* The least size of an index for what it was told; false if it has that. */
static bool shrink(const struct kcuckoo_length_index *index,
		   struct kcuckoo_index_params *params)
{
	bool smaller = false;
	unsigned int level;

	*params = index->params;
	for (level = 0; level < kcuckoo_length_index_levels(params); level++)
		smaller |= kcuckoo_length_index_can_shrink(index, params, level);
	return smaller;
}

/* A folded index is what a small one would be that was told the same. */
static void test_fold(void)
{
	static const struct kcuckoo_index_params kinds[] = {
		{ .family = KCUCKOO_FAMILY_IPV4 },
		{ .family = KCUCKOO_FAMILY_IPV6 },
		{ .family = KCUCKOO_FAMILY_IPV4, .host_bitmap = true },
	};
	unsigned int i;

	for (i = 0; i < TAP_COUNT(kinds); i++) {
		struct kcuckoo_hash_key key = fixture_key();
		u64 counts[KCUCKOO_LEVELS] = {
			1 << 20, 1 << 20, 1 << 20, 1 << 18, 1 << 18, 1 << 16,
			1 << 16,
		};
		struct kcuckoo_index_params params = kinds[i];
		struct kcuckoo_length_index *index;
		struct kcuckoo_length_index *folded;
		struct kcuckoo_length_index *small;
		struct prefix *prefixes;
		unsigned int level;
		unsigned int n;

		kcuckoo_length_index_fit(&params, counts);
		index = make_index(&params, &key);
		prefixes = nested(index);
		tap_require(shrink(index, &params), "%u", i);
		folded = make_index(&params, &key);
		small = make_index(&params, &key);
		for (level = 0; level < kcuckoo_length_index_levels(&params);
		     level++) {
			u32 cells = 1U << index->params.order[level];
			/* A host bitmap is folded in words. */
			u32 third = cells / 3 & ~(kinds[i].host_bitmap ? 63U : 0U);

			kcuckoo_length_index_fold(folded, index, level, 0, third);
			kcuckoo_length_index_fold(folded, index, level, third, cells);
		}
		for (n = 0; n < MEMBERS; n++)
			set(small, &prefixes[n]);
		tap_require(!memcmp(folded->cells[0], small->cells[0],
				    kcuckoo_length_index_bytes(&params)), "%u", i);
		for (level = 0; level < kcuckoo_length_index_levels(&params);
		     level++) {
			tap_require(folded->used[level] == small->used[level],
				    "%u", level);
			tap_require(!level || folded->used[level] <=
				    most_used(&params, level), "%u", level);
		}
		require_told(folded, prefixes);
		tap_require(!shrink(folded, &params), "%u", i);
		tap_free(prefixes);
		free_index(index);
		free_index(folded);
		free_index(small);
	}
}

/* A full index asks for more room, if there are members for it. */
static void test_grow(void)
{
	struct kcuckoo_length_index *index = make_for(KCUCKOO_FAMILY_IPV4, 1);
	struct kcuckoo_index_params params = index->params;
	unsigned int i;

	tap_require(!kcuckoo_length_index_should_grow(index, &params), "empty");
	for (i = 0; i < 1000; i++) {
		struct prefix prefix = random_prefix(30);

		set(index, &prefix);
	}
	tap_require(!kcuckoo_length_index_should_grow(index, &params), "no larger");
	params.order[0] = 1;
	params.order[2]++;
	tap_require(kcuckoo_length_index_should_grow(index, &params), "full");
	tap_require(params.order[0] == index->params.order[0], "%u", params.order[0]);
	tap_require(params.order[2] == index->params.order[2] + 1, "%u",
		    params.order[2]);
	free_index(index);
}

/* Tells an index of others of a length until it asks for more room in a level. */
static void require_share(struct kcuckoo_length_index *index, unsigned int plen,
			  unsigned int level)
{
	u32 most = most_used(&index->params, level);
	struct kcuckoo_index_params params;
	u32 used;
	bool larger;

	do {
		struct prefix prefix = random_prefix(plen);

		set(index, &prefix);
		used = index->used[level];
		params = index->params;
		params.order[level]++;
		larger = kcuckoo_length_index_should_grow(index, &params);
		tap_require(larger == (used > most), "/%u: %u of %u", plen, used,
			    most);
	} while (!larger);
	free_index(index);
}

/* A level asks for more room when its share of cells is used, and not before. */
static void test_share(void)
{
	static const struct {
		unsigned int family;
		unsigned int plen;
		unsigned int level;
	} shares[] = {
		{ KCUCKOO_FAMILY_IPV4, 20, 1 },
		{ KCUCKOO_FAMILY_IPV4, 30, 2 },
		{ KCUCKOO_FAMILY_IPV6, 40, 1 },
		{ KCUCKOO_FAMILY_IPV6, 60, 2 },
		{ KCUCKOO_FAMILY_IPV6, 120, 6 },
	};
	unsigned int i;

	for (i = 0; i < TAP_COUNT(shares); i++)
		require_share(make_for(shares[i].family, 4096), shares[i].plen,
			      shares[i].level);
	require_share(make_host_bitmap(1), 32, 0);
}

/* Cells that a member marks: one in each level, and all under a short one. */
static void test_marks(void)
{
	struct kcuckoo_length_index *index = make_for(KCUCKOO_FAMILY_IPV4, 1 << 20);
	struct kcuckoo_number number = { 0, 0 };

	tap_require(kcuckoo_length_index_add(index, 0, &number) == 8192, "/0");
	tap_require(kcuckoo_length_index_add(index, 5, &number) == 256, "/5");
	tap_require(kcuckoo_length_index_add(index, 18, &number) == 1, "/18");
	tap_require(kcuckoo_length_index_add(index, 32, &number) == 3, "/32");
	tap_require(index->used[0] == 8192, "%u", index->used[0]);
	free_index(index);
}

/* Groups that have a member of more than 25 bits, as a host bitmap has them. */
static u64 *group_bits(const struct kcuckoo_length_index *index,
		       const struct prefix *members, unsigned int count)
{
	u64 *words = tap_zalloc(kcuckoo_length_index_bytes(&index->params));
	unsigned int i;

	for (i = 0; i < count; i++) {
		u32 first = members[i].bits << (32 - members[i].plen);
		u32 cell = first >> (32 - index->params.order[0]);

		if (members[i].plen > KCUCKOO_HOST_BITMAP_STRIDE)
			words[cell / 64] |= 1ULL << cell % 64;
	}
	return words;
}

static u32 count_bits(const u64 *words, u64 bytes)
{
	u32 count = 0;
	u64 i;

	for (i = 0; i < bytes / sizeof(*words); i++)
		count += __builtin_popcountll(words[i]);
	return count;
}

/* Members that a host bitmap is told, and how large it is before and folded. */
struct host_bitmap {
	unsigned int members;
	unsigned int room;
	bool small;
	unsigned int order;
	unsigned int folded;
};

/*
 * A host bitmap is exactly the groups that have some, whatever its size; it is
 * as small as half of them allow, but that of few keeps its size; and of networks it
 * says nothing.
 */
static void test_host_bitmap(void)
{
	static const struct host_bitmap cases[] = {
		{ 1, 4 << 20, false, 23, 19 },
		{ 1000, 4 << 20, false, 23, 19 },
		{ 300000, 4 << 20, false, 23, 19 },
		{ 1000, 20 << 20, false, 25, 19 },
		{ 1, 1, true, 10, 10 },
		{ 1, 100000, true, 19, 19 },
		{ 1000, 1000, true, 14, 14 },
		{ 1000, 100000, true, 19, 19 },
		{ 100000, 100000, true, 19, 19 },
	};
	struct kcuckoo_hash_key key = fixture_key();
	unsigned int i;

	for (i = 0; i < TAP_COUNT(cases); i++) {
		const u64 room[KCUCKOO_LEVELS] = { cases[i].room };
		const unsigned int count = cases[i].members;
		struct kcuckoo_index_params params = {
			.family = KCUCKOO_FAMILY_IPV4,
			.host_bitmap = true,
			.small = cases[i].small,
		};
		struct prefix *members = tap_zalloc(count * sizeof(*members));
		struct kcuckoo_length_index *index;
		u64 bytes;
		u64 *words;
		unsigned int n;

		kcuckoo_length_index_fit(&params, room);
		tap_require(params.order[0] == cases[i].order, "%u", params.order[0]);
		index = make_index(&params, &key);
		bytes = kcuckoo_length_index_bytes(&params);
		for (n = 0; n < count; n++) {
			members[n] = random_prefix(n % 16 ? 32 :
						   random_below(33));
			set(index, &members[n]);
		}
		words = group_bits(index, members, count);
		tap_require(!memcmp(words, index->cells[0], bytes), "%u", i);
		tap_require(index->used[0] == count_bits(words, bytes), "%u",
			    index->used[0]);
		for (n = 0; n < ADDRESSES; n++) {
			u32 address = random_word() >> 32;
			u32 cell = address >> (32 - params.order[0]);
			bool told = words[cell / 64] >> cell % 64 & 1;
			bool all;

			tap_require(candidates(index, address, &all) ==
				    (told ? ~0ULL : 0x3ffffff), "%x", address);
			tap_require(kcuckoo_length_index_may_contain(index, address) ==
				    told, "%x", address);
		}
		tap_require(shrink(index, &params) ==
			    (cases[i].folded < cases[i].order), "%u", i);
		tap_require(params.order[0] == cases[i].folded, "%u",
			    params.order[0]);
		tap_free(words);
		tap_free(members);
		free_index(index);
	}
}

/*
 * A list as they are: in the networks that were handed out, of 16 to 20 bits, a
 * few prefixes of 20 to 32 each. Mean numbers of lengths told, in hundredths.
 */
static void test_sharp(void)
{
	const __uint128_t used = 0x1ffff0000ULL;
	struct kcuckoo_length_index *index;
	static struct prefix members[MEMBERS * 10];
	unsigned int hits = 0;
	unsigned int misses = 0;
	unsigned int i;

	index = make_for(KCUCKOO_FAMILY_IPV4, TAP_COUNT(members) / 16);
	for (i = 0; i < TAP_COUNT(members); i++) {
		struct prefix *member = &members[i];
		unsigned int plen = 16 + random_below(5);

		if (i % 10) {
			struct prefix whole = members[i / 10 * 10];

			*member = random_prefix(20 + random_below(13));
			member->bits = inside(KCUCKOO_FAMILY_IPV4, &whole) >>
				       (32 - member->plen);
		} else {
			*member = random_prefix(plen);
		}
		set(index, member);
	}
	for (i = 0; i < ADDRESSES; i++) {
		const struct prefix *member = &members[random_below(TAP_COUNT(members))];

		hits += count_candidates(index, inside(KCUCKOO_FAMILY_IPV4, member),
					 used);
		misses += count_candidates(index, random_word() >> 32, used);
	}
	printf("# lengths told: %.2f in members, %.2f anywhere, of 17\n",
	       (double)hits / ADDRESSES, (double)misses / ADDRESSES);
	tap_require(hits < 8 * ADDRESSES, "%u", hits);
	tap_require(misses < 2 * ADDRESSES, "%u", misses);
	free_index(index);
}

/* Nothing is left of what it was told: it is as one that was just made. */
static void test_clear(void)
{
	static const unsigned int plens[] = { 3, 16, 24, 32 };
	struct kcuckoo_hash_key key = fixture_key();
	unsigned int kind;

	for (kind = 0; kind < 2; kind++) {
		struct kcuckoo_length_index *index = kind ?
			make_host_bitmap(1000) : make_for(KCUCKOO_FAMILY_IPV4, 4096);
		struct kcuckoo_index_params params = index->params;
		struct kcuckoo_length_index *fresh = make_index(&params, &key);
		unsigned int i;

		for (i = 0; i < MEMBERS; i++) {
			struct prefix prefix = random_prefix(plens[i % 4]);

			set(index, &prefix);
		}
		tap_require(memcmp(index->cells[0], fresh->cells[0],
				   kcuckoo_length_index_bytes(&params)), "%u", kind);
		kcuckoo_length_index_clear(index);
		tap_require(!memcmp(index->cells[0], fresh->cells[0],
				    kcuckoo_length_index_bytes(&params)), "%u", kind);
		tap_require(!memcmp(index->used, fresh->used,
				    sizeof(fresh->used)), "%u", kind);
		tap_require(!memcmp(&index->params, &params, sizeof(params)), "%u",
			    kind);
		free_index(index);
		free_index(fresh);
	}
}

static const struct tap_test tests[] = {
	{ "length_index.alone: one member of every length", test_alone },
	{ "length_index.nested: no member's length is left out", test_nested },
	{ "length_index.fold: as if told to a smaller index", test_fold },
	{ "length_index.grow: when cells are used, and there are members", test_grow },
	{ "length_index.share: half of the cells, or three quarters", test_share },
	{ "length_index.marks: cells under short prefixes", test_marks },
	{ "length_index.host_bitmap: the groups that have some", test_host_bitmap },
	{ "length_index.clear: as if just made", test_clear },
	{ "length_index.sharp: few lengths near an address", test_sharp },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
