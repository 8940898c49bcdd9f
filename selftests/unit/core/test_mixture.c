// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters in miniature of every variant, with millions of random operations; each
 * answer is that of an exact model (mixture.h). OPS sets their number.
 */
#include "mixture.h"

#define OPERATIONS		2000000

static u64 choose(u64 range)
{
	return random_below(range);
}

/* A larger table when this one is nearly full, a smaller one when nearly empty. */
static void resize(struct filter *in)
{
	struct kcuckoo_layout layout;

	if (!random_below(4) && may_grow(in, &layout) &&
	    in->count > kcuckoo_layout_room(&in->store[0].layout) * 9 / 10) {
		begin(in, &layout);
	} else if (!random_below(100) &&
		   kcuckoo_layout_shrink(&layout, &in->store[0].layout,
					 in->count + in->count / 8 + 8)) {
		begin(in, &layout);
		in->shrinking = true;
	}
}

/* A change; @adds in 100 of them are adds. */
static void change(u32 adds)
{
	bool uniting = filter->growing && filter->rehash.unite;
	u32 key = random_below(nkeys);
	struct copy new;

	if (random_below(100) < adds) {
		new = random_copy();
		if (!shared(key))
			add(filter, key, &new);
	} else if (variant.values && variant.discipline != INSERT_ONLY &&
		   !uniting && !random_below(3)) {
		update(filter);
	} else if (variant.discipline == MULTISET) {
		delete_member(filter);
	} else if (variant.discipline == EXACT && !shared(key)) {
		delete(filter, key, 0);
	}
}

static void operate(u32 adds, const struct kcuckoo_layout *first)
{
	did.operations++;
	crowded -= crowded > 0;
	if (random_below(4))
		change(crowded ? 20 : adds);
	else
		check(filter, random_below(nkeys));
	if (variant.expiry && !random_below(64))
		now += random_below(40);
	if (filter->growing) {
		if (!random_below(4))
			step(filter);
	} else if (!random_below(4)) {
		resize(filter);
	} else if (variant.expiry && !random_below(500)) {
		collect(filter);
	} else if (!random_below(3000)) {
		merge(first);
	}
}

/* One filter, from empty to empty; times of filling and of draining take turns. */
static void run_round(u32 combination, u64 operations)
{
	struct kcuckoo_layout first;
	u64 i;

	round_init(combination, &first);
	filter_init(filter, &first);
	for (i = 0; i < operations; i++) {
		operate(i * 6 / operations % 2 ? 25 : 85, &first);
		if (i % 5000 == 4999)
			audit(filter);
	}
	audit(filter);
	drain(filter);
	filter_free(filter);
}

static void test_mixture(void)
{
	u64 operations = tap_environment("OPS", OPERATIONS);
	u64 each = operations / COMBINATIONS;
	u32 round;

	if (each < 1000)
		each = 1000;
	if (each > 6000)
		each = 6000;
	model_init();
	/* Every combination once, in an order without one, and again. */
	for (round = 0; did.operations < operations; round++)
		run_round(round * 617 % COMBINATIONS, each);
	printf("# %llu operations on %u filters, %llu searches\n",
	       did.operations, round, did.searches);
	printf("# %llu growths, %llu halvings, %llu merges, %llu given up\n",
	       did.growths, did.halvings, did.merges, did.abandoned);
	printf("# %llu copies refused, %llu other adds\n", did.copied,
	       did.full);
	tap_require(operations < COMBINATIONS * 1000 ||
		    (did.growths > 1000 && did.halvings > 100 &&
		     did.merges > 100 && did.copied > 1000), "too few");
}

static const struct tap_test tests[] = {
	{ "mixture.filter: every variant, every answer that of an exact model",
	  test_mixture },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
