// SPDX-License-Identifier: GPL-2.0-only
/*
 * Layouts: wide enough and no wider, room for what was asked for, a bitmap where
 * that is smaller, growth by a quarter, and the memory that lists may take.
 */
#include "fixture.h"

static const u64 sizes[] = {
	1, 10, 100, 1000, 100000, 10000000,
};

/* 2 * ceil(2^L / m): the largest tag of a table. */
static __uint128_t largest_tag(unsigned int plen, u32 nbuckets)
{
	__uint128_t numbers = (__uint128_t)1 << (plen < 64 ? plen : 64);

	return 2 * ((numbers + nbuckets - 1) / nbuckets);
}

/* Words of 64 bits that the kernel takes for so many: kmalloc, then pages. */
static u64 taken(u64 count)
{
	u64 taken = 64;

	if (count <= 32)
		return count;
	if (count > 512)
		return (count + 511) / 512 * 512;
	while (taken < count)
		taken *= 2;
	return taken;
}

/* Memory of the planes, in one block or in two, in words of 64 bits. */
static u64 words(const struct kcuckoo_layout *layout)
{
	u64 tags = kcuckoo_layout_tag_words(layout);
	u64 aux = kcuckoo_layout_aux_words(layout);
	u64 two = taken(tags) + taken(aux);
	u64 one = taken(tags + aux);

	return tags + aux <= 8192 && one < two ? one : two;
}

static u64 bitmap_words(unsigned int plen)
{
	return plen < 64 ? taken(((1ULL << plen) + 63) / 64) : ~0ULL;
}

static void each_layout(void (*check)(const struct kcuckoo_layout *layout,
				      u64 entries))
{
	struct kcuckoo_layout layout;
	unsigned int plen;
	unsigned int shift;
	unsigned int i;

	for (plen = 0; plen <= 128; plen++) {
		for (shift = 0; shift <= 3; shift++) {
			for (i = 0; i < TAP_COUNT(sizes); i++) {
				memset(&layout, 0xff, sizeof(layout));
				fixture_fit(&layout, plen, shift, sizes[i]);
				check(&layout, sizes[i]);
			}
		}
	}
}

static void check_width(const struct kcuckoo_layout *layout, u64 entries)
{
	const struct kcuckoo_table_params *params = &layout->params;
	__uint128_t tag = largest_tag(layout->bits, params->nbuckets);

	(void)entries;
	if (layout->bitmap)
		return;
	tap_require(params->tag_bits >= 1 && params->tag_bits <= 64,
		    "plen %u: %u", layout->bits, params->tag_bits);
	tap_require(!(tag >> params->tag_bits), "plen %u, m %u, w %u",
		    layout->bits, params->nbuckets, params->tag_bits);
	tap_require(tag >> (params->tag_bits - 1), "plen %u, m %u, w %u",
		    layout->bits, params->nbuckets, params->tag_bits);
	tap_require(params->aux_bits ==
		    (layout->bits > 64 ? layout->bits - 64 : 0), "plen %u: %u",
		    layout->bits, params->aux_bits);
	tap_require(params->exact, "plen %u", layout->bits);
}

static void test_width(void)
{
	each_layout(check_width);
}

static void check_room(const struct kcuckoo_layout *layout, u64 entries)
{
	u64 room = kcuckoo_layout_room(layout);

	if (layout->bitmap) {
		tap_require(room == 1ULL << layout->bits, "plen %u: %llu",
			    layout->bits, room);
		return;
	}
	tap_require(layout->params.nbuckets >= KCUCKOO_BUCKETS_MIN, "m %u",
		    layout->params.nbuckets);
	tap_require(room >= entries, "plen %u: %llu of %llu", layout->bits, room,
		    entries);
	tap_require(room <= (u64)layout->params.nbuckets
			    << layout->params.bucket_shift,
		    "plen %u: %llu of %llu", layout->bits, room, entries);
}

static void test_room(void)
{
	each_layout(check_room);
}

/* Fewest words of any table with room, bucket number by bucket number. */
static u64 fewest_words(unsigned int plen, unsigned int shift, u64 entries)
{
	u64 fewest = ~0ULL;
	u32 nbuckets;

	for (nbuckets = KCUCKOO_BUCKETS_MIN; nbuckets < 6000; nbuckets++) {
		struct kcuckoo_layout layout;

		layout = fixture_layout(plen, shift, nbuckets);
		if (kcuckoo_layout_room(&layout) >= entries &&
		    words(&layout) < fewest)
			fewest = words(&layout);
	}
	return fewest;
}

/* For small sets all numbers of buckets are tried: none is better. */
static void test_smallest(void)
{
	unsigned int plen;
	unsigned int shift;
	unsigned int i;

	for (plen = 9; plen <= 128; plen++) {
		for (shift = 1; shift <= 3; shift++) {
			for (i = 0; sizes[i] <= 1000; i++) {
				struct kcuckoo_layout layout;
				u64 fewest = fewest_words(plen, shift,
							  sizes[i]);

				fixture_fit(&layout, plen, shift, sizes[i]);
				if (bitmap_words(plen) < fewest)
					fewest = bitmap_words(plen);
				tap_require(words(&layout) == fewest,
					    "plen %u, b %u, %llu entries: %llu, not %llu",
					    plen, 1U << shift, sizes[i],
					    words(&layout), fewest);
			}
		}
	}
}

/*
 * Nothing that is taken is left: some more buckets of these tags, two and what goes
 * into the planes' last words, would take more. Tables of few pages, and those whose
 * tags have just got narrower, may have something left.
 */
static void check_stretched(const struct kcuckoo_layout *layout, u64 entries)
{
	u32 nbuckets = layout->params.nbuckets / 4 * 3;
	struct kcuckoo_layout larger = *layout;
	struct kcuckoo_layout smaller;

	if (layout->bitmap || words(layout) <= 2048)
		return;
	smaller = fixture_layout(layout->bits, layout->params.bucket_shift, nbuckets);
	if (smaller.params.tag_bits > layout->params.tag_bits)
		return;
	larger.params.nbuckets += 2 +
				  128 / kcuckoo_table_params_bucket_bits(&layout->params);
	tap_require(words(&larger) > words(layout), "plen %u, %llu entries, m %u",
		    layout->bits, entries, layout->params.nbuckets);
}

static void test_stretched(void)
{
	each_layout(check_stretched);
}

static void check_bitmap(const struct kcuckoo_layout *layout, u64 entries)
{
	struct kcuckoo_layout table = *layout;

	tap_require(layout->bits > KCUCKOO_BITMAP_BITS || layout->bitmap,
		    "plen %u", layout->bits);
	if (!layout->bitmap) {
		tap_require(bitmap_words(layout->bits) > words(layout),
			    "plen %u, %llu entries", layout->bits, entries);
		return;
	}
	tap_require(words(layout) == bitmap_words(layout->bits), "plen %u",
		    layout->bits);
	if (layout->bits <= KCUCKOO_BITMAP_BITS)
		return;
	/* The table that it was compared with is there still. */
	table.bitmap = false;
	check_width(&table, entries);
	check_room(&table, entries);
	tap_require(words(&table) >= words(layout), "plen %u, %llu entries",
		    layout->bits, entries);
}

static void test_bitmap(void)
{
	each_layout(check_bitmap);
}

/* One step: no more memory than for a quarter more buckets, all rules kept. */
static void check_step(const struct kcuckoo_layout *from,
		       const struct kcuckoo_layout *to)
{
	u64 before = from->params.nbuckets;
	struct kcuckoo_layout quarter;

	check_width(to, 0);
	check_bitmap(to, 0);
	tap_require(to->bits == from->bits, "%u", to->bits);
	tap_require(to->params.bucket_shift == from->params.bucket_shift,
		    "%u", to->params.bucket_shift);
	if (to->bitmap)
		return;
	tap_require(to->params.nbuckets > before, "%u",
		    to->params.nbuckets);
	quarter = fixture_layout(from->bits, from->params.bucket_shift,
				 (u32)(before * 5 / 4));
	tap_require(words(to) <= words(&quarter), "plen %u, m %u after %llu",
		    to->bits, to->params.nbuckets, before);
	tap_require(kcuckoo_layout_room(to) >=
		    kcuckoo_layout_room(from) +
		    (from->params.bucket_shift > 0), "m %u",
		    to->params.nbuckets);
}

static void check_growth(const struct kcuckoo_layout *layout, u64 entries)
{
	struct kcuckoo_layout from = *layout;
	struct kcuckoo_layout to;
	u32 steps = 0;

	(void)entries;
	while (kcuckoo_layout_grow(&to, &from)) {
		check_step(&from, &to);
		from = to;
		tap_require(++steps < 200, "plen %u", layout->bits);
	}
	/* It ends where everything fits, or at the most buckets there are. */
	tap_require(from.bitmap || from.params.nbuckets * 5ULL / 4 >=
				   KCUCKOO_BUCKETS_MAX / 5 * 4,
		    "bits %u, m %u", from.bits, from.params.nbuckets);
	tap_require(from.params.nbuckets <= KCUCKOO_BUCKETS_MAX, "m %u",
		    from.params.nbuckets);
}

static void test_growth(void)
{
	each_layout(check_growth);
}

/* The last place ends in the last word. */
static void check_extent(const struct kcuckoo_layout *layout, u64 entries)
{
	u64 places = (u64)layout->params.nbuckets
		     << layout->params.bucket_shift;
	u64 bits = places * layout->params.tag_bits;
	u64 size = kcuckoo_layout_tag_words(layout) * 64;

	(void)entries;
	if (layout->bitmap)
		bits = 1ULL << layout->bits;
	tap_require(bits <= size && size < bits + 64, "plen %u: %llu",
		    layout->bits, size);
	bits = layout->bitmap ? 0 : places * layout->params.aux_bits;
	size = kcuckoo_layout_aux_words(layout) * 64;
	tap_require(bits <= size && size < bits + 64, "plen %u: %llu",
		    layout->bits, size);
}

static void test_extent(void)
{
	each_layout(check_extent);
}

static void check_memory(unsigned int plen, u64 entries, double most)
{
	struct kcuckoo_layout layout;
	double bits;

	fixture_fit(&layout, plen, KCUCKOO_BUCKET_SIZE_DEFAULT / 2, entries);
	tap_require(kcuckoo_layout_room(&layout) >= entries, "%llu", entries);
	bits = 64 * (double)words(&layout) / (double)entries;
	printf("# /%u, %llu entries: m %u, w %u, %.2f bits each\n", plen,
	       entries, layout.params.nbuckets, layout.params.tag_bits, bits);
	tap_require(bits <= most, "%.2f", bits);
}

static void test_memory(void)
{
	check_memory(32, 593480, 16.9);
	check_memory(32, 16000000, 11.8);
	check_memory(32, 100000000, 9.6);
	check_memory(24, 50000, 12.7);
	check_memory(48, 100000, 37.1);
	check_memory(64, 100000, 53.8);
	check_memory(128, 100000, 121.3);
}

/* Nobody asks for so many; whoever does gets the largest table there is. */
static void test_huge(void)
{
	struct kcuckoo_layout layout;

	fixture_fit(&layout, 128, 2, ~0ULL);
	tap_require(layout.params.nbuckets == KCUCKOO_BUCKETS_MAX, "m %u",
		    layout.params.nbuckets);
	check_width(&layout, 0);
	fixture_fit(&layout, 32, 2, ~0ULL);
	tap_require(layout.bitmap, "as a bitmap it takes 512 MB");
	fixture_fit(&layout, 32, 2, 0);
	tap_require(layout.params.nbuckets == KCUCKOO_BUCKETS_MIN, "m %u",
		    layout.params.nbuckets);
}

static const struct tap_test tests[] = {
	{ "layout.width: the least that holds every tag", test_width },
	{ "layout.room: for as many as asked for", test_room },
	{ "layout.smallest: no number of buckets is better", test_smallest },
	{ "layout.stretched: no memory is taken and left", test_stretched },
	{ "layout.bitmap: where that is not larger, and only there",
	  test_bitmap },
	{ "layout.grow: memory of a quarter more, and it ends", test_growth },
	{ "layout.extent: planes end in their last word", test_extent },
	{ "layout.memory: 593480 addresses at 16.9 bits, 16 M at 11.8, 100 M at 9.6",
	  test_memory },
	{ "layout.huge: the largest table is the limit", test_huge },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
