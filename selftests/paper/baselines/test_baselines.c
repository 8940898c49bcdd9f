// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the filters that benchmarks compare with: they lose nothing, forget
 * what is erased, err as often as theory says and have the size they say.
 *
 * A filter that can erase is held against an exact multiset in two ways: by
 * items none of which the others make a false positive, for which every answer
 * is known; and by a new filter into which only what is left was inserted.
 */
#include <float.h>
#include <malloc.h>
#include <math.h>

#include "baselines.h"
#include "random.h"
#include "tap.h"

#define BLOCK_BITS	512

/* So many false positives tell what the rate is, within 5 % even by bad luck. */
#define QUERY_HITS	10000

/* More than any shape rounds by: a row of d-left buckets, a block, 8 bytes. */
#define ROUNDING_BITS	2048

/* The types of filters that can erase. */
static const struct baseline_type * const erasing[] = {
	&baseline_counting, &baseline_quotient, &baseline_dleft4,
	&baseline_dleft8,
};

static struct baseline *create(const struct baseline_type *type, u64 items,
			       double rate, double bits)
{
	struct baseline *filter = baseline_create(type, items, rate, bits);

	tap_require(filter, "%s for %llu items, rate %g, %g bits", type->name,
		    items, rate, bits);
	return filter;
}

static void insert(struct baseline *filter, u64 hash)
{
	tap_require(baseline_insert(filter, hash), "%s at %llu entries",
		    filter->type->name, filter->entries);
}

static void find(const struct baseline *filter, u64 hash)
{
	tap_require(baseline_contains(filter, hash),
		    "%s with %llu entries, %llx", filter->type->name,
		    filter->entries, hash);
}

static void erase(struct baseline *filter, u64 hash)
{
	tap_require(baseline_erase(filter, hash), "%s with %llu entries, %llx",
		    filter->type->name, filter->entries, hash);
}

/* So many random items, which are inserted. */
static u64 *fill(struct baseline *filter, u64 items)
{
	u64 *words = tap_zalloc(items * sizeof(*words));
	u64 i;

	for (i = 0; i < items; i++) {
		words[i] = random_word();
		insert(filter, words[i]);
	}
	return words;
}

static u8 *copy_of(const struct baseline *filter)
{
	u8 *copy = tap_zalloc(filter->bytes);

	memcpy(copy, filter->memory, filter->bytes);
	return copy;
}

/* The memory is what it was; ends the copy. */
static void unchanged(const struct baseline *filter, u8 *copy)
{
	tap_require(!memcmp(copy, filter->memory, filter->bytes), "%s",
		    filter->type->name);
	tap_free(copy);
}

static void check_empty(const struct baseline *filter)
{
	u64 i;

	tap_require(!filter->entries, "%s: %llu", filter->type->name,
		    filter->entries);
	for (i = 0; i < filter->bytes; i++)
		tap_require(!filter->memory[i], "%s: byte %llu of %llu",
			    filter->type->name, i, filter->bytes);
}

static void test_wrong(void)
{
	unsigned int i;

	for (i = 0; i < BASELINE_TYPES; i++) {
		const struct baseline_type *type = baseline_types[i];
		static const double wrong[][2] = {
			{ 0, 0 }, { 0.01, 10 }, { 1, 0 }, { 2, 0 }, { -1, 0 },
			{ NAN, 0 }, { 0, NAN }, { 0, -1 }, { 0, INFINITY },
			{ 0, 1e9 }, { DBL_MIN, 0 },
		};
		u64 j;

		tap_require(!baseline_create(type, 0, 0.01, 0), "%s",
			    type->name);
		tap_require(!baseline_create(type, ~0ULL, 0.01, 0), "%s",
			    type->name);
		for (j = 0; j < TAP_COUNT(wrong); j++)
			tap_require(!baseline_create(type, 100, wrong[j][0],
						     wrong[j][1]),
				    "%s: rate %g, %g bits", type->name,
				    wrong[j][0], wrong[j][1]);
	}
	/* Three bits of flags, or two of a counter, and one of a remainder. */
	tap_require(!baseline_create(&baseline_quotient, 100, 0, 4.4), "3");
	tap_require(!baseline_create(&baseline_dleft4, 100, 0, 3.9), "2");
	baseline_free(create(&baseline_quotient, 100, 0, 4 / 0.9));
	baseline_free(create(&baseline_dleft4, 100, 0, 4));
	baseline_free(NULL);
}

static void check_bits(const struct baseline_type *type, u64 items, double bits)
{
	struct baseline *filter = create(type, items, 0, bits);
	double off = (double)baseline_bits(filter) - (double)items * bits;

	tap_require(fabs(off) < ROUNDING_BITS, "%s, %llu items: %g bits off",
		    type->name, items, off);
	tap_require(baseline_bits(filter) == 8 * malloc_usable_size(filter->memory),
		    "%s: %zu bytes", type->name,
		    malloc_usable_size(filter->memory));
	baseline_free(filter);
}

static void test_bits(void)
{
	static const double bits[] = { 8, 13, 12 / 0.9, 16, 19.7, 32 };
	unsigned int i, j;

	for (i = 0; i < BASELINE_TYPES; i++) {
		for (j = 0; j < TAP_COUNT(bits); j++) {
			check_bits(baseline_types[i], 1, bits[j]);
			check_bits(baseline_types[i], 997, bits[j]);
			check_bits(baseline_types[i], 123456, bits[j]);
		}
	}
}

/* The filter for this rate takes so many bits per item, within 1 %. */
static void check_cost(const struct baseline_type *type, double rate,
		       double bits)
{
	u64 items = 100000;
	struct baseline *filter = create(type, items, rate, 0);
	double cost = (double)baseline_bits(filter) / (double)items;

	tap_require(fabs(cost / bits - 1) < 0.01, "%s: %g, not %g bits",
		    type->name, cost, bits);
	baseline_free(filter);
}

/* Section 2.1 and table 1: 1.44 log2(1 / rate), four times that, and so on. */
static void test_cost(void)
{
	double optimum = 1 / log(2);
	unsigned int i;

	for (i = 2; i < 16; i++) {
		double rate = exp2(-(double)i);

		check_cost(&baseline_bloom, rate, optimum * i);
		check_cost(&baseline_counting, rate, 4 * optimum * i);
		check_cost(&baseline_quotient, 0.9 * rate, (i + 3) / 0.9);
		check_cost(&baseline_dleft4, 0.75 * rate, (i + 4 + 2) / 0.75);
		check_cost(&baseline_dleft8, 0.75 * rate, (i + 5 + 2) / 0.75);
	}
	/* What fits 12 bits a slot or cell in the paper's table 3. */
	check_cost(&baseline_quotient, 0.00176, 12 / 0.9);
	check_cost(&baseline_dleft4, 0.0118, 12 / 0.75);
}

/* The rate of a Bloom filter of so many places. */
static double bloom_theory(double places, unsigned int hashes, double items)
{
	return pow(-expm1(hashes * items * log1p(-1 / places)), hashes);
}

/* One more bit set at random in a block: chances of how many are set. */
static void throw_bit(double *chances)
{
	unsigned int set;

	for (set = BLOCK_BITS; set; set--)
		chances[set] = chances[set] * set / BLOCK_BITS +
			       chances[set - 1] * (BLOCK_BITS - set + 1) /
			       BLOCK_BITS;
	chances[0] = 0;
}

/* The rate of a block with these chances. */
static double block_theory(const double *chances, unsigned int hashes)
{
	double rate = 0;
	unsigned int set;

	for (set = 1; set <= BLOCK_BITS; set++)
		rate += chances[set] * pow((double)set / BLOCK_BITS, hashes);
	return rate;
}

/* The rate of a blocked Bloom filter with so many items in a block. */
static double blocked_theory(unsigned int hashes, double items)
{
	double *chances = tap_zalloc((BLOCK_BITS + 1) * sizeof(*chances));
	double poisson = exp(-items);
	double rate = 0;
	unsigned int i, j;

	chances[0] = 1;
	for (i = 1; i < 4 * items + 20; i++) {
		for (j = 0; j < hashes; j++)
			throw_bit(chances);
		poisson *= items / i;
		rate += poisson * block_theory(chances, hashes);
	}
	tap_free(chances);
	return rate;
}

/* The rate that a filter should have with what is in it. */
static double theory(const struct baseline *filter)
{
	double items = (double)filter->entries;
	double places = (double)filter->places;

	if (filter->type == &baseline_blocked)
		return blocked_theory(filter->hashes, items / places);
	if (filter->hashes)
		return bloom_theory(places, filter->hashes, items);
	/* Fingerprints are a bucket or slot, and a remainder. */
	if (filter->buckets)
		places = (double)filter->buckets;
	return -expm1(-items / ldexp(places, (int)filter->remainder));
}

static double measure(const struct baseline *filter, u64 queries)
{
	u64 hits = 0;
	u64 i;

	for (i = 0; i < queries; i++)
		hits += baseline_contains(filter, random_word());
	return (double)hits / (double)queries;
}

/* A rate measured is one expected, but for chance and a hundredth. */
static void check_rate(const struct baseline *filter, double expected)
{
	u64 queries = (u64)(QUERY_HITS / fmax(expected, 0.0025));
	double rate = measure(filter, queries);
	double chance = 5 * sqrt(expected / (double)queries);

	printf("# %s, k %u, remainder %u: %.4f %% of %.4f %%\n",
	       filter->type->name, filter->hashes, filter->remainder,
	       100 * rate, 100 * expected);
	tap_require(fabs(rate - expected) <= chance + 0.01 * expected,
		    "%s at %llu entries: %g, not %g", filter->type->name,
		    filter->entries, rate, expected);
}

static void test_theory(void)
{
	u64 items = 100000;
	unsigned int i;

	for (i = 0; i < BASELINE_TYPES; i++) {
		const struct baseline_type *type = baseline_types[i];
		unsigned int scale = type == &baseline_counting ? 4 : 1;
		struct baseline *filter = create(type, items, 0, 11.0 * scale);

		check_rate(filter, 0);
		tap_free(fill(filter, items / 2));
		check_rate(filter, theory(filter));
		tap_free(fill(filter, items - items / 2));
		check_rate(filter, theory(filter));
		baseline_free(filter);
	}
}

/* The rate asked for is kept, and not by more than rounding makes of it. */
static void test_asked(void)
{
	static const double rates[] = { 0.05, 0.01, 0.001 };
	u64 items = 50000;
	unsigned int i, j;

	for (i = 0; i < BASELINE_TYPES; i++) {
		for (j = 0; j < TAP_COUNT(rates); j++) {
			struct baseline *filter;
			double rate;

			filter = create(baseline_types[i], items, rates[j], 0);
			tap_free(fill(filter, items));
			rate = theory(filter);
			tap_require(rate < 1.01 * rates[j] &&
				    rate > 0.49 * rates[j], "%s: %g, not %g",
				    filter->type->name, rate, rates[j]);
			check_rate(filter, rate);
			baseline_free(filter);
		}
	}
}

/* No other number of hashes does better. */
static void test_hashes(void)
{
	unsigned int bits;

	for (bits = 4; bits < 24; bits++) {
		struct baseline *bloom = create(&baseline_bloom, 1000, 0, bits);
		struct baseline *counting = create(&baseline_counting, 1000, 0,
						   4 * bits);
		struct baseline *blocked = create(&baseline_blocked, 1000, 0,
						  bits);
		double items = (double)BLOCK_BITS / bits;
		unsigned int k = bloom->hashes;
		double rate = bloom_theory(1000 * bits, k, 1000);

		tap_require(k == lround(bits * log(2)) &&
			    k == counting->hashes, "%u bits: %u and %u", bits,
			    k, counting->hashes);
		tap_require(rate <= bloom_theory(1000 * bits, k + 1, 1000) &&
			    rate <= bloom_theory(1000 * bits, k - 1, 1000),
			    "%u bits, k %u", bits, k);
		k = blocked->hashes;
		rate = 0.998 * blocked_theory(k, items);
		printf("# %u bits: k %u, blocked %u\n", bits, bloom->hashes, k);
		tap_require(rate <= blocked_theory(k + 1, items) &&
			    rate <= blocked_theory(k - 1, items),
			    "%u bits, blocked, k %u", bits, k);
		baseline_free(bloom);
		baseline_free(counting);
		baseline_free(blocked);
	}
}

/* A filter for so many items takes them all, and has them. */
static void check_found(const struct baseline_type *type, u64 items,
			double rate)
{
	struct baseline *filter = create(type, items, rate, 0);
	u64 *words = fill(filter, items);
	u64 i;

	tap_require(filter->entries == items, "%s: %llu", type->name,
		    filter->entries);
	for (i = 0; i < items; i++)
		find(filter, words[i]);
	tap_free(words);
	baseline_free(filter);
}

static void test_found(void)
{
	static const double rates[] = { 0.4, 0.02, 0.003, 0.00001 };
	unsigned int i, j;

	for (i = 0; i < BASELINE_TYPES; i++) {
		for (j = 0; j < TAP_COUNT(rates); j++) {
			const struct baseline_type *type = baseline_types[i];

			check_found(type, 1, rates[j]);
			check_found(type, 2, rates[j]);
			check_found(type, 1000 + random_below(1000), rates[j]);
			check_found(type, 20000, rates[j]);
		}
	}
}

/* The lowest and highest places, and remainders, that there are. */
static void check_edges(const struct baseline_type *type)
{
	u64 words[70] = { 0, 1, 1ULL << 63, ~0ULL, ~0ULL - 1, ~0ULL >> 1 };
	struct baseline *filter = create(type, 100, 0.001, 0);
	unsigned int i;

	for (i = 0; i < 32; i++) {
		words[6 + 2 * i] = 1ULL << 32 << i;
		words[7 + 2 * i] = ~0ULL << 32 << i;
	}
	for (i = 0; i < TAP_COUNT(words); i++)
		insert(filter, words[i]);
	for (i = 0; i < TAP_COUNT(words); i++)
		find(filter, words[i]);
	for (i = 0; type->erase && i < TAP_COUNT(words); i++)
		erase(filter, words[i]);
	/* Hashes next to each other share a counter, which got full. */
	if (type->erase && type != &baseline_counting)
		check_empty(filter);
	baseline_free(filter);
}

static void test_edges(void)
{
	unsigned int i;

	for (i = 0; i < BASELINE_TYPES; i++)
		check_edges(baseline_types[i]);
}

/* Blocked: an item is in one line of the cache; and no item has more than k. */
static void test_line(void)
{
	struct baseline *filter = create(&baseline_blocked, 1000, 0, 20);
	unsigned int i;

	tap_require((uintptr_t)filter->memory % 64 == 0, "%p", filter->memory);
	for (i = 0; i < 1000; i++) {
		u8 *old = copy_of(filter);
		unsigned int bits = 0;
		u64 line = ~0ULL;
		u64 j;

		insert(filter, random_word());
		for (j = 0; j < filter->bytes; j++) {
			if (old[j] == filter->memory[j])
				continue;
			bits += (unsigned int)
				__builtin_popcount(old[j] ^ filter->memory[j]);
			tap_require(line == ~0ULL || line == j / 64,
				    "lines %llu and %llu", line, j / 64);
			line = j / 64;
		}
		tap_require(bits <= filter->hashes, "%u", bits);
		tap_free(old);
	}
	baseline_free(filter);
}

/**
 * struct universe - items none of which is a false positive of the others
 * @words: the items
 * @copies: how many of each are in the filter
 * @count: how many items
 * @most: most copies
 */
struct universe {
	u64 *words;
	unsigned int *copies;
	u64 count;
	unsigned int most;
};

/* Chooses them; the filter is empty again afterwards. */
static void universe_init(struct universe *all, struct baseline *filter,
			  u64 count)
{
	u64 *words = fill(filter, count);
	u64 i;

	all->words = words;
	all->copies = tap_zalloc(count * sizeof(*all->copies));
	all->count = 0;
	for (i = 0; i < count; i++) {
		erase(filter, words[i]);
		if (baseline_contains(filter, words[i]))
			continue;
		insert(filter, words[i]);
		words[all->count++] = words[i];
	}
	tap_require(all->count > count / 2, "%s: %llu of %llu",
		    filter->type->name, all->count, count);
	for (i = 0; i < all->count; i++)
		erase(filter, words[i]);
	check_empty(filter);
}

static void universe_check(const struct universe *all,
			   const struct baseline *filter)
{
	u64 entries = 0;
	u64 i;

	for (i = 0; i < all->count; i++) {
		entries += all->copies[i];
		tap_require(baseline_contains(filter, all->words[i]) ==
			    !!all->copies[i], "%s: %u copies",
			    filter->type->name, all->copies[i]);
	}
	tap_require(entries == filter->entries, "%s: %llu, not %llu",
		    filter->type->name, filter->entries, entries);
}

/* One item more or less. */
static void universe_step(struct universe *all, struct baseline *filter,
			  bool more)
{
	const char *name = filter->type->name;
	u64 i = random_below(all->count);
	u64 word = all->words[i];

	if (!more) {
		tap_require(baseline_erase(filter, word) == !!all->copies[i],
			    "%s: %u copies", name, all->copies[i]);
		all->copies[i] -= !!all->copies[i];
	} else if (all->copies[i] == all->most) {
		return;
	} else if (baseline_insert(filter, word)) {
		all->copies[i]++;
	} else {
		tap_require(filter->entries == filter->limit ||
			    filter->buckets, "%s: %llu", name, filter->entries);
	}
	tap_require(baseline_contains(filter, word) == !!all->copies[i],
		    "%s: %u copies", name, all->copies[i]);
}

/*
 * Grows and shrinks by turns; quotient filters get full. Counters of Bloom
 * filters must not reach 15, so that there are fewer copies.
 */
static void check_model(const struct baseline_type *type, u64 items,
			double rate, unsigned int turns)
{
	struct baseline *filter = create(type, items, rate, 0);
	struct universe all;
	unsigned int turn;
	u64 i;

	universe_init(&all, filter, items / 8);
	all.most = type == &baseline_counting ? 2 : 12;
	for (turn = 0; turn < turns; turn++) {
		for (i = 0; i < all.count * all.most * 2; i++)
			universe_step(&all, filter,
				      random_below(4) ? !(turn & 1) : turn & 1);
		universe_check(&all, filter);
	}
	for (i = 0; i < all.count; i++)
		for (; all.copies[i]; all.copies[i]--)
			erase(filter, all.words[i]);
	check_empty(filter);
	tap_free(all.words);
	tap_free(all.copies);
	baseline_free(filter);
}

static void test_model(void)
{
	unsigned int i, j;

	for (i = 0; i < TAP_COUNT(erasing); i++) {
		for (j = 0; j < 20; j++)
			check_model(erasing[i], 16 + random_below(200), 0.02,
				    20);
		check_model(erasing[i], 20000, 0.005, 6);
	}
}

/* Exchanges items, all of which are in the filter, for others. */
static void churn(struct baseline *filter, u64 *words, u64 items)
{
	u64 steps = 4 * items + 100;

	while (steps--) {
		u64 i = random_below(items);

		find(filter, words[i]);
		erase(filter, words[i]);
		words[i] = random_word();
		insert(filter, words[i]);
	}
}

/* Both give the same answers, and but for d-left, have the same memory. */
static void same(const struct baseline *filter, const struct baseline *other)
{
	u64 i;

	tap_require(filter->buckets ||
		    !memcmp(filter->memory, other->memory, filter->bytes),
		    "%s: other memory", filter->type->name);
	for (i = 0; i < 30000; i++) {
		u64 word = random_word();

		tap_require(baseline_contains(filter, word) ==
			    baseline_contains(other, word), "%s: %llx",
			    filter->type->name, word);
	}
}

/*
 * After much coming and going, a filter is as if there had been none. A d-left
 * filter gets less even by it than by inserts alone, and would refuse some at
 * 75 %, so there it is tested at 56 %.
 */
static void check_churn(const struct baseline_type *type, u64 items,
			double rate)
{
	struct baseline *filter = create(type, items, rate, 0);
	struct baseline *fresh = create(type, items, rate, 0);
	u64 *words;
	u64 i;

	if (filter->buckets)
		items = (3 * items + 3) / 4;
	words = fill(filter, items);
	churn(filter, words, items);
	for (i = items; i--;)
		insert(fresh, words[i]);
	same(filter, fresh);
	for (i = 0; i < items; i++) {
		find(filter, words[i]);
		erase(filter, words[i]);
	}
	check_empty(filter);
	tap_free(words);
	baseline_free(filter);
	baseline_free(fresh);
}

static void test_churn(void)
{
	unsigned int i, j;

	for (i = 0; i < TAP_COUNT(erasing); i++) {
		for (j = 0; j < 20; j++)
			check_churn(erasing[i], 1 + random_below(40), 0.1);
		check_churn(erasing[i], 1 + random_below(2000), 0.4);
		check_churn(erasing[i], 20000, 0.01);
	}
}

/* What a filter does not contain is not erased from it. */
static void test_absent(void)
{
	unsigned int i, j;

	for (i = 0; i < TAP_COUNT(erasing); i++) {
		struct baseline *filter = create(erasing[i], 3000, 0.05, 0);
		u8 *copy;

		tap_free(fill(filter, 3000));
		copy = copy_of(filter);
		for (j = 0; j < 20000; j++) {
			u64 word = random_word();

			if (!baseline_contains(filter, word))
				tap_require(!baseline_erase(filter, word),
					    "%s", erasing[i]->name);
		}
		tap_require(filter->entries == 3000, "%llu", filter->entries);
		unchanged(filter, copy);
		baseline_free(filter);
	}
}

/* Copies of one item fit until one is refused; then all are erased. */
static void check_copies(const struct baseline_type *type, u64 most)
{
	struct baseline *filter = create(type, 100, 0.01, 0);
	u64 word = random_word();
	u8 *copy;
	u64 i;

	for (i = 0; i < most; i++)
		insert(filter, word);
	copy = copy_of(filter);
	tap_require(!baseline_insert(filter, word), "%s: %llu", type->name,
		    most);
	unchanged(filter, copy);
	for (i = 0; i < most; i++) {
		find(filter, word);
		erase(filter, word);
	}
	tap_require(!baseline_contains(filter, word), "%s", type->name);
	check_empty(filter);
	baseline_free(filter);
}

/* 90 % of 112 slots; three copies in each cell of four buckets. */
static void test_copies(void)
{
	check_copies(&baseline_quotient, 100);
	check_copies(&baseline_dleft4, 3 * 4 * 4);
	check_copies(&baseline_dleft8, 3 * 4 * 8);
}

/* A counter counts to 14; one that came to 15 stays, and nothing else does. */
static void check_counter(unsigned int copies)
{
	struct baseline *filter = create(&baseline_counting, 5000, 0.001, 0);
	u64 *words = fill(filter, 50);
	u64 word = random_word();
	unsigned int i;

	for (i = 0; i < copies; i++)
		insert(filter, word);
	for (i = 0; i < copies; i++) {
		find(filter, word);
		erase(filter, word);
	}
	tap_require(baseline_contains(filter, word) == (copies > 14), "%u",
		    copies);
	for (i = 0; i < 50; i++) {
		find(filter, words[i]);
		erase(filter, words[i]);
	}
	if (copies <= 7)
		check_empty(filter);
	tap_free(words);
	baseline_free(filter);
}

static void test_counter(void)
{
	check_counter(7);
	check_counter(14);
	check_counter(15);
	check_counter(40);
}

/* Refuses, unchanged, what is beyond 90 %; takes it when there is room. */
static void test_limit(void)
{
	u64 items;

	for (items = 1; items < 2000; items += 1 + items / 4) {
		struct baseline *filter = create(&baseline_quotient, items,
						 0.01, 0);
		u64 *words = fill(filter, items);
		u8 *copy;

		while (filter->entries < filter->places * 9 / 10)
			insert(filter, random_word());
		copy = copy_of(filter);
		tap_require(!baseline_insert(filter, random_word()), "%llu",
			    items);
		unchanged(filter, copy);
		erase(filter, words[0]);
		insert(filter, random_word());
		tap_require(!baseline_insert(filter, words[0]), "%llu", items);
		tap_free(words);
		baseline_free(filter);
	}
}

/* The load at which an insert is refused, which changes nothing. */
static double refusal(const struct baseline_type *type, u64 items)
{
	struct baseline *filter = create(type, items, 0, 16);
	u64 *words = tap_zalloc(filter->places * sizeof(*words));
	u8 *copy = tap_zalloc(filter->bytes);
	double load;
	u64 i;

	for (i = 0; i < filter->places; i++) {
		words[i] = random_word();
		if (!baseline_insert(filter, words[i]))
			break;
	}
	memcpy(copy, filter->memory, filter->bytes);
	tap_require(!baseline_insert(filter, words[i]), "%s", type->name);
	unchanged(filter, copy);
	load = (double)filter->entries / (double)filter->places;
	tap_require(i == filter->entries, "%llu entries", filter->entries);
	while (i--)
		find(filter, words[i]);
	tap_free(words);
	baseline_free(filter);
	printf("# %s: refused at %.4f\n", type->name, load);
	return load;
}

/*
 * The paper's evaluation has refusals at 77 % of 2^27 cells in buckets of four;
 * smaller tables get fuller. Without the choice of the least full of four
 * buckets, they would come at half of it.
 */
static void test_refusal(void)
{
	double load = refusal(&baseline_dleft4, 196608);

	tap_require(load > 0.78 && load < 0.90, "%g", load);
	load = refusal(&baseline_dleft8, 196608);
	tap_require(load > 0.88 && load < 0.97, "%g", load);
}

/* The first item of all is in the first subtable, where ties are decided. */
static void check_leftmost(const struct baseline_type *type)
{
	struct baseline *filter = create(type, 1000, 0.01, 0);
	u64 i = filter->buckets * filter->cells * filter->width / 8 + 1;

	insert(filter, random_word());
	for (; i < filter->bytes; i++)
		tap_require(!filter->memory[i], "%s: byte %llu", type->name, i);
	baseline_free(filter);
}

static void test_leftmost(void)
{
	unsigned int i;

	for (i = 0; i < 20; i++) {
		check_leftmost(&baseline_dleft4);
		check_leftmost(&baseline_dleft8);
	}
}

static const struct tap_test tests[] = {
	{ "create.refuses_wrong_input", test_wrong },
	{ "memory.is_bits_asked_for", test_bits },
	{ "memory.is_theory_for_rate", test_cost },
	{ "hashes.are_best", test_hashes },
	{ "rate.is_theory", test_theory },
	{ "rate.is_rate_asked_for", test_asked },
	{ "contains.never_misses", test_found },
	{ "contains.takes_any_hash", test_edges },
	{ "blocked.uses_one_cache_line", test_line },
	{ "erase.agrees_with_multiset", test_model },
	{ "erase.leaves_no_trace", test_churn },
	{ "erase.refuses_absent_items", test_absent },
	{ "copies.are_counted", test_copies },
	{ "counting.full_counters_stay", test_counter },
	{ "quotient.refuses_above_limit", test_limit },
	{ "dleft.prefers_leftmost", test_leftmost },
	{ "dleft.refuses_when_buckets_are_full", test_refusal },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
