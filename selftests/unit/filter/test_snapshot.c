// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters with expiry that are saved on one machine and restored on another one, whose
 * clock began at another time: members have as long to live as they had, and who had
 * expired stays so, be it in the first second of that machine.
 */
#include "fixture.h"
#include "filter/snapshot.h"

#define MEMBERS		40

static struct kcuckoo_batch batch;

/* Members 1 to MEMBERS; each expires so many seconds after it was added. */
static void fill(void)
{
	const struct kcuckoo_config config = {
		.capacity = 1 << 20,
		.search_limit = KCUCKOO_SEARCH_VISITS,
		.params = { .bucket_shift = 2, .expiry_bits = 32 },
	};
	unsigned int i;

	filter_begin(config, false);
	memset(&batch, 0, sizeof(batch));
	batch.count = MEMBERS;
	for (i = 0; i < MEMBERS; i++) {
		batch.member[i].index = kcuckoo_layer_host(KCUCKOO_FAMILY_IPV4);
		batch.member[i].key.number.lo = i + 1;
		batch.member[i].timeout = i + 1;
	}
	tap_require(!kcuckoo_filter_add(filter, &batch), "not added");
}

/* The filter that a snapshot makes. */
static struct kcuckoo_filter *restored(const struct kcuckoo_save *save)
{
	struct kcuckoo_restore *restore;
	struct kcuckoo_filter *copy;
	u64 total = kcuckoo_save_total(save);
	u64 offset = 0;

	restore = kcuckoo_restore_begin(&account, total);
	while (offset < total) {
		u64 length, room;
		const void *segment = kcuckoo_save_segment(save, offset, &length);
		void *to = kcuckoo_restore_segment(restore, &room);

		length = min(length, room);
		memcpy(to, segment, length);
		tap_require(!kcuckoo_restore_fill(restore, length), "refused");
		offset += length;
	}
	copy = kcuckoo_restore_filter(restore);
	kcuckoo_restore_end(restore);
	tap_require(copy, "no filter");
	return copy;
}

static bool is_member(struct kcuckoo_filter *of, u32 number)
{
	const struct kcuckoo_query query = {
		.family = KCUCKOO_FAMILY_IPV4,
		.address.lo = number,
	};

	return kcuckoo_filter_contains(of, &query);
}

/* Saved after @saved seconds, restored when the other machine's clock says @clock. */
static void check(u32 saved, u32 clock)
{
	struct kcuckoo_filter *copy;
	struct kcuckoo_save *save;
	u32 begin = 1000;
	u32 second, i;

	kernel_now = begin;
	fill();
	kernel_now = begin + saved;
	save = kcuckoo_save_begin(filter);
	tap_require(!IS_ERR(save), "not saved");
	kernel_now = clock;
	copy = restored(save);
	kcuckoo_save_end(save);
	/* 0 is never, so in its first second a machine has none that expired. */
	for (second = clock ? 0 : 1; saved + second <= MEMBERS + 2; second++) {
		kernel_now = clock + second;
		for (i = 1; i <= MEMBERS; i++)
			tap_require(is_member(copy, i) == (i + 1 > saved + second),
				    "clock %u, %u of %u seconds: %d", clock,
				    saved + second, i, is_member(copy, i));
	}
	kcuckoo_filter_put(copy);
	kernel_now = begin;
	filter_end();
}

static void expiry_is_kept(void)
{
	static const u32 clocks[] = { 0, 1, 2, 500, 1000, 2000000 };
	u32 saved, i;

	for (i = 0; i < ARRAY_SIZE(clocks); i++)
		for (saved = 0; saved <= MEMBERS + 2; saved += 6)
			check(saved, clocks[i]);
}

static const struct tap_test tests[] = {
	{ "snapshot.expiry: time left is kept, whatever the clock", expiry_is_kept },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
