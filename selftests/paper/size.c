// SPDX-License-Identifier: GPL-2.0-only
/*
 * size SEED COUNT LEAST MOST - tables for any number of keys
 *
 * Chooses COUNT capacities between LEAST and MOST, and the numbers just past
 * the powers of two in between; makes the table that the module would make for
 * 12-bit fingerprints, and fills it with as many keys.
 *
 * A line per table: the word size, capacity, buckets, bits of memory, keys that
 * were added before the first refusal or the capacity was reached.
 */
#include <stdio.h>
#include <stdlib.h>

#include "filling.h"
#include "core/store.h"

static void fit(u64 capacity)
{
	const struct kcuckoo_table_params params = {
		.bucket_shift = 2,
		.tag_bits = 12,
	};
	struct kcuckoo_layout layout;
	struct filling filling;
	u64 added;

	kcuckoo_layout_fit(&layout, &params, 0, capacity);
	if (!filling_create(&filling, &layout.params, false, false))
		exit(1);
	added = filling_fill(&filling, capacity);
	printf("size\t%llu\t%u\t%llu\t%llu\n", (unsigned long long)capacity,
	       layout.params.nbuckets,
	       (unsigned long long)filling_bits(&filling),
	       (unsigned long long)added);
	fflush(stdout);
	filling_free(&filling);
}

int main(int argc, char **argv)
{
	u64 count, least, most, power;

	if (argc != 5)
		return 2;
	bench_seed(strtoull(argv[1], NULL, 0));
	count = strtoull(argv[2], NULL, 0);
	least = strtoull(argv[3], NULL, 0);
	most = strtoull(argv[4], NULL, 0);
	for (; count; count--)
		fit(least + random_below(most - least));
	for (power = 1; power < most; power *= 2)
		if (power >= least)
			fit(power + 1);
	return 0;
}
