// SPDX-License-Identifier: GPL-2.0-only
/*
 * A filter in miniature, its variant, and what is done to it chosen by the input;
 * each answer has to be that of an exact model (unit/core/mixture.h). What would take
 * many bytes, such as filling a table, is random, from a seed in the input.
 */
#define KEYS	600

#include "mixture.h"
#include "core/table_batch.h"

#include "bytes.h"

/*
 * Work for one input: an operation is 1, an add that finds no room after a long
 * search LONG, an operation on everything COSTLY.
 */
#define BUDGET	6000
#define LONG	60
#define COSTLY	300

static struct bytes input;
static bool at_random;
static u32 spent;

static u64 choose(u64 range)
{
	if (at_random || input.at == input.end)
		return random_below(range);
	return bytes_below(&input, range);
}

static u32 any_key(void)
{
	return choose(nkeys);
}

static bool uniting(void)
{
	return filter->growing && filter->rehash.unite;
}

static void do_add(void)
{
	u32 key = any_key();
	struct copy new = random_copy();
	u64 full = did.full;

	if (!shared(key))
		add(filter, key, &new);
	spent += LONG * (did.full - full);
}

static void do_delete(void)
{
	u32 key = any_key();

	if (variant.discipline == MULTISET)
		delete_member(filter);
	else if (variant.discipline == EXACT && !shared(key))
		delete(filter, key, 0);
}

static void do_check(void)
{
	check(filter, any_key());
}

static void do_update(void)
{
	if (variant.values && variant.discipline != INSERT_ONLY && !uniting())
		update(filter);
}

/* Many at once, at random. */
static void burst(void (*operation)(void))
{
	u32 count = 1 + choose(256);

	random_seed(choose(256));
	at_random = true;
	spent += count;
	while (count-- && spent < BUDGET)
		operation();
	at_random = false;
}

static void do_adds(void)
{
	burst(do_add);
}

static void do_deletes(void)
{
	burst(do_delete);
}

/* Grown at any load, the tables of fingerprints as well. */
static void do_grow(void)
{
	struct kcuckoo_layout layout;

	if (!filter->growing &&
	    kcuckoo_store_places(&filter->store[0]) <= KEYS &&
	    kcuckoo_layout_grow(&layout, &filter->store[0].layout))
		begin(filter, &layout);
}

static void do_shrink(void)
{
	struct kcuckoo_layout layout;

	if (filter->growing ||
	    !kcuckoo_layout_shrink(&layout, &filter->store[0].layout,
				   filter->count + choose(16)))
		return;
	begin(filter, &layout);
	filter->shrinking = true;
}

static void do_copy(void)
{
	if (!filter->growing)
		begin(filter, &filter->store[0].layout);
}

static void do_step(void)
{
	if (filter->growing)
		step(filter);
}

static void do_finish(void)
{
	spent += COSTLY;
	if (filter->growing)
		step_all(filter);
}

static void do_abandon(void)
{
	if (filter->growing)
		end(filter, false);
}

static void do_collect(void)
{
	spent += COSTLY;
	if (variant.expiry && !filter->growing)
		collect(filter);
}

static void do_wait(void)
{
	now += choose(256);
}

static void do_audit(void)
{
	spent += COSTLY;
	audit(filter);
}

/* The members of a key that have not expired. */
static bool is_in(u32 key)
{
	const struct kin *kin = kin_get(filter, key);
	u8 i;

	for (i = 0; i < kin->count; i++)
		if (alive(kin->copy[i].expiry))
			return true;
	return false;
}

static struct kcuckoo_bucket_pair pair_of(const struct kcuckoo_table *table, u32 key)
{
	return table->params.exact ?
	       kcuckoo_bucket_pair_of_number(table, keys[key].permuted.lo) :
	       kcuckoo_bucket_pair_of_hash(table, keys[key].hash);
}

/**
 * struct queries - keys one behind the other
 * @table: the table in which they are looked up
 * @first: the first one's number
 * @taken: of how many the answer is there
 */
struct queries {
	const struct kcuckoo_table *table;
	u32 first;
	u32 taken;
};

static __always_inline struct kcuckoo_bucket_pair queries_pair(const void *context,
							       u64 number)
{
	const struct queries *queries = context;

	return pair_of(queries->table, (queries->first + (u32)number) % nkeys);
}

static __always_inline void queries_take(void *context, u64 number, bool found)
{
	struct queries *queries = context;
	u32 key = (queries->first + (u32)number) % nkeys;

	tap_require(found == is_in(key), "key %u", key);
	queries->taken++;
}

/* Some keys in groups, as batches are looked up. */
static void do_batch(void)
{
	const struct kcuckoo_table *table = &filter->store[0].table;
	u32 count = choose(3 * KCUCKOO_TABLE_BATCH_GROUP);
	struct queries queries = { .table = table, .first = any_key() };

	spent += count;
	if (filter->store[0].layout.bitmap || !table->tags_only || variant.expiry)
		return;
	kcuckoo_table_batch(table, count, queries_pair, queries_take, &queries);
	tap_require(queries.taken == count, "%u of %u", queries.taken, count);
}

/* As merge() makes them, the first tables of both filters are alike. */
static struct kcuckoo_layout first_layout;

static void do_merge(void)
{
	u64 full = did.full;

	spent += 2 * COSTLY;
	if (filter->growing)
		return;
	random_seed(choose(256));
	at_random = true;
	merge(&first_layout);
	at_random = false;
	spent += LONG * (did.full - full);
}

static void (*const operations[])(void) = {
	do_add, do_delete, do_check, do_update, do_adds, do_deletes, do_grow,
	do_shrink, do_copy, do_step, do_finish, do_abandon, do_collect, do_wait,
	do_audit, do_batch, do_merge, do_add, do_delete, do_check, do_step,
	do_step,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct tap_block *kept;

	if (!kept) {
		model_init();
		kept = tap_blocks;
	}
	input.at = data;
	input.end = data + size;
	random_seed(bytes_next(&input));
	round_init(choose(COMBINATIONS), &first_layout);
	filter_init(filter, &first_layout);
	for (spent = 0; input.at < input.end && spent < BUDGET; spent++)
		operations[choose(TAP_COUNT(operations))]();
	input.at = input.end;
	audit(filter);
	drain(filter);
	filter_free(filter);
	tap_require(tap_blocks == kept, "memory is left behind");
	return 0;
}
