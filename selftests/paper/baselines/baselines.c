// SPDX-License-Identifier: GPL-2.0-only
/* Life of the filters. */
#include <stdlib.h>

#include "parts.h"

#define CACHE_LINE	64
#define MOST_ITEMS	0x10000000000ULL	/* 2^40 */

const struct baseline_type * const baseline_types[BASELINE_TYPES] = {
	&baseline_bloom,
	&baseline_counting,
	&baseline_blocked,
	&baseline_quotient,
	&baseline_dleft4,
	&baseline_dleft8,
};

/* Written at once, so that page faults are not part of what is measured. */
static bool allocate(struct baseline *filter, u64 bits)
{
	void *memory;

	filter->bytes = (bits + 7) / 8 + sizeof(u64);
	if (posix_memalign(&memory, CACHE_LINE, filter->bytes))
		return false;
	memset(memory, 0, filter->bytes);
	filter->memory = memory;
	return true;
}

struct baseline *baseline_create(const struct baseline_type *type, u64 items,
				 double rate, double bits)
{
	bool wrong = rate > 0 ? rate >= 1 || bits != 0 : rate != 0 || !(bits > 0);
	struct baseline *filter;
	u64 size;

	if (wrong || !items || items > MOST_ITEMS)
		return NULL;
	filter = calloc(1, sizeof(*filter));
	if (!filter)
		return NULL;
	filter->type = type;
	size = type->shape(filter, items, rate, bits);
	if (!size || !allocate(filter, size)) {
		free(filter);
		return NULL;
	}
	return filter;
}

void baseline_free(struct baseline *filter)
{
	if (!filter)
		return;
	free(filter->memory);
	free(filter);
}
