// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shapes: wide enough and no wider, room for what was asked for, a bitmap where
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
static u64 words(const struct kcuckoo_shape *shape)
{
	u64 tags = kcuckoo_shape_tag_words(shape);
	u64 aux = kcuckoo_shape_aux_words(shape);
	u64 two = taken(tags) + taken(aux);
	u64 one = taken(tags + aux);

	return tags + aux <= 8192 && one < two ? one : two;
}

static u64 bitmap_words(unsigned int plen)
{
	return plen < 64 ? taken(((1ULL << plen) + 63) / 64) : ~0ULL;
}

static void each_shape(void (*check)(const struct kcuckoo_shape *shape,
				     u64 entries))
{
	struct kcuckoo_shape shape;
	unsigned int plen;
	unsigned int shift;
	unsigned int i;

	for (plen = 0; plen <= 128; plen++) {
		for (shift = 0; shift <= 3; shift++) {
			for (i = 0; i < TAP_COUNT(sizes); i++) {
				memset(&shape, 0xff, sizeof(shape));
				fixture_fit(&shape, plen, shift, sizes[i]);
				check(&shape, sizes[i]);
			}
		}
	}
}

static void check_width(const struct kcuckoo_shape *shape, u64 entries)
{
	const struct kcuckoo_table_params *params = &shape->params;
	__uint128_t tag = largest_tag(shape->bits, params->nbuckets);

	(void)entries;
	if (shape->bitmap)
		return;
	tap_require(params->tag_bits >= 1 && params->tag_bits <= 64,
		    "plen %u: %u", shape->bits, params->tag_bits);
	tap_require(!(tag >> params->tag_bits), "plen %u, m %u, w %u",
		    shape->bits, params->nbuckets, params->tag_bits);
	tap_require(tag >> (params->tag_bits - 1), "plen %u, m %u, w %u",
		    shape->bits, params->nbuckets, params->tag_bits);
	tap_require(params->aux_bits ==
		    (shape->bits > 64 ? shape->bits - 64 : 0), "plen %u: %u",
		    shape->bits, params->aux_bits);
	tap_require(params->sided, "plen %u", shape->bits);
}

static void test_width(void)
{
	each_shape(check_width);
}

static void check_room(const struct kcuckoo_shape *shape, u64 entries)
{
	u64 room = kcuckoo_shape_room(shape);

	if (shape->bitmap) {
		tap_require(room == 1ULL << shape->bits, "plen %u: %llu",
			    shape->bits, room);
		return;
	}
	tap_require(shape->params.nbuckets >= KCUCKOO_BUCKETS_MIN, "m %u",
		    shape->params.nbuckets);
	tap_require(room >= entries, "plen %u: %llu of %llu", shape->bits, room,
		    entries);
	tap_require(room <= (u64)shape->params.nbuckets
			    << shape->params.bucket_shift,
		    "plen %u: %llu of %llu", shape->bits, room, entries);
}

static void test_room(void)
{
	each_shape(check_room);
}

/* Fewest words of any table with room, bucket number by bucket number. */
static u64 fewest_words(unsigned int plen, unsigned int shift, u64 entries)
{
	u64 fewest = ~0ULL;
	u32 nbuckets;

	for (nbuckets = KCUCKOO_BUCKETS_MIN; nbuckets < 6000; nbuckets++) {
		struct kcuckoo_shape shape;

		shape = fixture_shape(plen, shift, nbuckets);
		if (kcuckoo_shape_room(&shape) >= entries &&
		    words(&shape) < fewest)
			fewest = words(&shape);
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
				struct kcuckoo_shape shape;
				u64 fewest = fewest_words(plen, shift,
							  sizes[i]);

				fixture_fit(&shape, plen, shift, sizes[i]);
				if (bitmap_words(plen) < fewest)
					fewest = bitmap_words(plen);
				tap_require(words(&shape) == fewest,
					    "plen %u, b %u, %llu entries: %llu, not %llu",
					    plen, 1U << shift, sizes[i],
					    words(&shape), fewest);
			}
		}
	}
}

/*
 * Nothing that is taken is left: some more buckets of these tags, two and what goes
 * into the planes' last words, would take more. Tables of few pages, and those whose
 * tags have just got narrower, may have something left.
 */
static void check_stretched(const struct kcuckoo_shape *shape, u64 entries)
{
	u32 nbuckets = shape->params.nbuckets / 4 * 3;
	struct kcuckoo_shape larger = *shape;
	struct kcuckoo_shape smaller;

	if (shape->bitmap || words(shape) <= 2048)
		return;
	smaller = fixture_shape(shape->bits, shape->params.bucket_shift, nbuckets);
	if (smaller.params.tag_bits > shape->params.tag_bits)
		return;
	larger.params.nbuckets += 2 + 128 / kcuckoo_table_params_bucket_bits(&shape->params);
	tap_require(words(&larger) > words(shape), "plen %u, %llu entries, m %u",
		    shape->bits, entries, shape->params.nbuckets);
}

static void test_stretched(void)
{
	each_shape(check_stretched);
}

static void check_bitmap(const struct kcuckoo_shape *shape, u64 entries)
{
	struct kcuckoo_shape table = *shape;

	tap_require(shape->bits > KCUCKOO_BITMAP_BITS || shape->bitmap,
		    "plen %u", shape->bits);
	if (!shape->bitmap) {
		tap_require(bitmap_words(shape->bits) > words(shape),
			    "plen %u, %llu entries", shape->bits, entries);
		return;
	}
	tap_require(words(shape) == bitmap_words(shape->bits), "plen %u",
		    shape->bits);
	if (shape->bits <= KCUCKOO_BITMAP_BITS)
		return;
	/* The table that it was compared with is there still. */
	table.bitmap = false;
	check_width(&table, entries);
	check_room(&table, entries);
	tap_require(words(&table) >= words(shape), "plen %u, %llu entries",
		    shape->bits, entries);
}

static void test_bitmap(void)
{
	each_shape(check_bitmap);
}

/* One step: no more memory than for a quarter more buckets, all rules kept. */
static void check_step(const struct kcuckoo_shape *from,
		       const struct kcuckoo_shape *to)
{
	u64 before = from->params.nbuckets;
	struct kcuckoo_shape quarter;

	check_width(to, 0);
	check_bitmap(to, 0);
	tap_require(to->bits == from->bits, "%u", to->bits);
	tap_require(to->params.bucket_shift == from->params.bucket_shift,
		    "%u", to->params.bucket_shift);
	if (to->bitmap)
		return;
	tap_require(to->params.nbuckets > before, "%u",
		    to->params.nbuckets);
	quarter = fixture_shape(from->bits, from->params.bucket_shift,
				(u32)(before * 5 / 4));
	tap_require(words(to) <= words(&quarter), "plen %u, m %u after %llu",
		    to->bits, to->params.nbuckets, before);
	tap_require(kcuckoo_shape_room(to) >=
		    kcuckoo_shape_room(from) +
		    (from->params.bucket_shift > 0), "m %u",
		    to->params.nbuckets);
}

static void check_growth(const struct kcuckoo_shape *shape, u64 entries)
{
	struct kcuckoo_shape from = *shape;
	struct kcuckoo_shape to;
	u32 steps = 0;

	(void)entries;
	while (kcuckoo_shape_grow(&to, &from)) {
		check_step(&from, &to);
		from = to;
		tap_require(++steps < 200, "plen %u", shape->bits);
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
	each_shape(check_growth);
}

/* The last place ends in the last word. */
static void check_extent(const struct kcuckoo_shape *shape, u64 entries)
{
	u64 places = (u64)shape->params.nbuckets
		     << shape->params.bucket_shift;
	u64 bits = places * shape->params.tag_bits;
	u64 size = kcuckoo_shape_tag_words(shape) * 64;

	(void)entries;
	if (shape->bitmap)
		bits = 1ULL << shape->bits;
	tap_require(bits <= size && size < bits + 64, "plen %u: %llu",
		    shape->bits, size);
	bits = shape->bitmap ? 0 : places * shape->params.aux_bits;
	size = kcuckoo_shape_aux_words(shape) * 64;
	tap_require(bits <= size && size < bits + 64, "plen %u: %llu",
		    shape->bits, size);
}

static void test_extent(void)
{
	each_shape(check_extent);
}

static void check_memory(unsigned int plen, u64 entries, double most)
{
	struct kcuckoo_shape shape;
	double bits;

	fixture_fit(&shape, plen, KCUCKOO_BUCKET_SIZE_DEFAULT / 2, entries);
	tap_require(kcuckoo_shape_room(&shape) >= entries, "%llu", entries);
	bits = 64 * (double)words(&shape) / (double)entries;
	printf("# /%u, %llu entries: m %u, w %u, %.2f bits each\n", plen,
	       entries, shape.params.nbuckets, shape.params.tag_bits, bits);
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
	struct kcuckoo_shape shape;

	fixture_fit(&shape, 128, 2, ~0ULL);
	tap_require(shape.params.nbuckets == KCUCKOO_BUCKETS_MAX, "m %u",
		    shape.params.nbuckets);
	check_width(&shape, 0);
	fixture_fit(&shape, 32, 2, ~0ULL);
	tap_require(shape.bitmap, "as a bitmap it takes 512 MB");
	fixture_fit(&shape, 32, 2, 0);
	tap_require(shape.params.nbuckets == KCUCKOO_BUCKETS_MIN, "m %u",
		    shape.params.nbuckets);
}

static const struct tap_test tests[] = {
	{ "shape.width: the least that holds every tag", test_width },
	{ "shape.room: for as many as asked for", test_room },
	{ "shape.smallest: no number of buckets is better", test_smallest },
	{ "shape.stretched: no memory is taken and left", test_stretched },
	{ "shape.bitmap: where that is not larger, and only there",
	  test_bitmap },
	{ "shape.grow: memory of a quarter more, and it ends", test_growth },
	{ "shape.extent: planes end in their last word", test_extent },
	{ "shape.memory: 593480 addresses at 16.9 bits, 16 M at 11.8, 100 M at 9.6",
	  test_memory },
	{ "shape.huge: the largest table is the limit", test_huge },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
