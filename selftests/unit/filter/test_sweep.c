// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who removes members goes from one end of a table to the other, section by section of the
 * lock: a flush that has no memory for an empty table, and whoever collects what has
 * expired. Adds come between, to a table so full that they have to move entries: these
 * must not be moved behind him, and what he makes room for must not be refused.
 */
#include "fixture.h"

/* Each with a filter of its own: a single member is seldom the one that is moved. */
#define ROUNDS		300

/* When a filter is filled, in seconds. */
#define BEGIN		100
#define MINUTE		60

/* A sweep has got into the table, and is far from through. */
#define SOME_SECTIONS	3

/* Of a table of so many members it takes some sections to see all. */
#define MEMBERS		2300

/* Of a full table most adds have to move entries, and do so without growth. */
#define FULL_PERCENT	95

#define ADDS		100

/* More than there is room for, until members that have expired are gone. */
#define MANY_ADDS	400

static struct kcuckoo_batch test_batch;
static struct kcuckoo_batch other_batch;

/* The last address that was added; an odd step on, none comes twice. */
#define STEP		0x9e3779b1U

static u32 address;

/* Holds that are still to end before the others come. */
static unsigned int sections;

/* What they got, and how many there are to be. */
static unsigned int adds;
static int other_error;
static bool other_waited;

static int add_next(struct kcuckoo_batch *batch, u32 timeout)
{
	memset(batch, 0, sizeof(*batch));
	batch->count = 1;
	batch->member[0].index = kcuckoo_layer_host(KCUCKOO_FAMILY_IPV4);
	batch->member[0].key.number.lo = address += STEP;
	batch->member[0].timeout = timeout;
	return kcuckoo_filter_add(filter, batch);
}

static bool is_member(u32 number)
{
	const struct kcuckoo_query query = {
		.family = KCUCKOO_FAMILY_IPV4,
		.address.lo = number,
	};

	return kcuckoo_filter_contains(filter, &query);
}

static void other_adds(void)
{
	unsigned int i;

	for (i = 0; i < adds && !other_error; i++)
		other_error = add_next(&other_batch, 0);
}

/* The others come once. */
static void come(void)
{
	if (sections-- != 1)
		return;
	other_begin(other_adds);
	other_waited = other.mutex;
}

static void others_come(unsigned int after, unsigned int count)
{
	between = come;
	sections = after;
	adds = count;
	other_error = 0;
	other_waited = false;
}

static void others_gone(void)
{
	between = NULL;
	tap_require(!other.work, "who waited was not woken");
	tap_require(!other_error, "the others got %d", other_error);
}

/*
 * A filter with a table that is nearly full, of members the first @expiring of which
 * stay for a minute. Returns how many there are.
 */
static u64 fill(u64 expiring)
{
	const struct kcuckoo_config config = {
		.capacity = 1 << 30,
		.search_limit = KCUCKOO_SEARCH_VISITS,
		.params = { .bucket_shift = 2, .expiry_bits = 32 },
	};
	unsigned int host = kcuckoo_layer_host(KCUCKOO_FAMILY_IPV4);
	u64 members, i;

	kernel_now = BEGIN;
	address = random_word();
	filter_begin(config, false);
	tap_require(!kcuckoo_filter_reserve(filter, host, MEMBERS), "no room");
	members = kcuckoo_store_places(&filter->table_set->layer[host]->store) *
		  FULL_PERCENT / 100;
	for (i = 0; i < members; i++)
		tap_require(!add_next(&test_batch, i < expiring ? MINUTE : 0),
			    "not added");
	return members;
}

/*
 * A member that an add moves behind a flush would stay. All that is left afterwards was
 * added meanwhile.
 */
static void flush_leaves_none(void)
{
	unsigned int waited = 0;
	unsigned int round;

	for (round = 0; round < ROUNDS; round++) {
		u32 first, last;
		u64 members, left, i;

		members = fill(0);
		last = address;
		first = last - (members - 1) * STEP;
		scarce = 1;
		others_come(SOME_SECTIONS, ADDS);
		tap_require(!kcuckoo_filter_flush(filter), "not flushed");
		scarce = 0;
		others_gone();
		waited += other_waited;
		for (i = 0, left = 0; i < members; i++)
			left += is_member(first + i * STEP);
		tap_require(!left, "round %u: %llu of %llu members are left",
			    round, left, members);
		tap_require(is_member(address), "what was added last is gone");
		filter_end();
	}
	tap_require(waited > ROUNDS / 2, "%u searched", waited);
}

/*
 * An expiring member that an add moves behind whoever collects is not seen by him. So
 * the work would come too late, or never again.
 */
static void collect_sees_all(void)
{
	unsigned int waited = 0;
	unsigned int round;

	for (round = 0; round < ROUNDS; round++) {
		fill(1);
		/* Missed, it would leave a timer of its own, or none. */
		if (round % 2)
			tap_require(!add_next(&test_batch, 10 * MINUTE), "not added");
		kernel_now = BEGIN + MINUTE / 2;
		others_come(SOME_SECTIONS, ADDS);
		filter_work();
		others_gone();
		waited += other_waited;
		filter_require_timer(BEGIN + MINUTE + 1);
		filter_end();
	}
	tap_require(waited > ROUNDS / 2, "%u searched", waited);
}

/* At the capacity an add does not fail while somebody makes room. */
static void capacity_waits(void)
{
	unsigned int round;

	for (round = 0; round < ROUNDS; round++) {
		u64 members = fill(1);

		filter->config.capacity = members;
		kernel_now = BEGIN + 2 * MINUTE;
		others_come(SOME_SECTIONS, 1);
		tap_require(!kcuckoo_filter_collect(filter), "not collected");
		others_gone();
		tap_require(is_member(address), "not added");
		tap_require(kcuckoo_filter_members(filter) == members,
			    "%llu of %llu", kcuckoo_filter_members(filter), members);
		filter_end();
	}
}

static void other_collects(void)
{
	other_error = kcuckoo_filter_collect(filter);
}

static void come_to_collect(void)
{
	if (sections-- == 1)
		other_begin(other_collects);
}

/* Nor where somebody has made room as soon as it was found that there is none. */
static void capacity_is_made(void)
{
	unsigned int round;

	for (round = 0; round < ROUNDS; round++) {
		u64 members = fill(1);
		int err;

		filter->config.capacity = members;
		kernel_now = BEGIN + 2 * MINUTE;
		others_come(1, 0);
		between = come_to_collect;
		err = add_next(&test_batch, 0);
		others_gone();
		tap_require(!err, "got %d", err);
		filter_end();
	}
}

/* Nor does a table grow for members that whoever collects makes room for. */
static void growth_waits(void)
{
	unsigned int round;

	for (round = 0; round < ROUNDS; round++) {
		u64 members = fill(MEMBERS);
		struct kcuckoo_ioc_info info = {};

		kernel_now = BEGIN + 2 * MINUTE;
		others_come(1, MANY_ADDS);
		tap_require(!kcuckoo_filter_collect(filter), "not collected");
		tap_require(other_waited, "there was room for all");
		others_gone();
		kcuckoo_filter_info(filter, &info);
		tap_require(!info.growths, "of %llu members %llu are left, and the table grew",
			    members + MANY_ADDS, info.members);
		filter_end();
	}
}

/* An entry for each value of one key: so many as two buckets have. */
#define COPIES		8

static int add_value(struct kcuckoo_batch *batch, u32 value, u32 timeout)
{
	memset(batch, 0, sizeof(*batch));
	batch->count = 1;
	batch->valued = true;
	batch->member[0].index = kcuckoo_layer_host(KCUCKOO_FAMILY_IPV4);
	batch->member[0].key.number.lo = address;
	batch->member[0].value = value;
	batch->member[0].timeout = timeout;
	return kcuckoo_filter_add(filter, batch);
}

static void other_adds_value(void)
{
	other_error = add_value(&other_batch, COPIES, 0);
}

static void come_to_add_value(void)
{
	if (sections-- == 1)
		other_begin(other_adds_value);
}

/* Nor is a value refused because of those that have expired, and are still to be seen. */
static void copies_wait(void)
{
	const struct kcuckoo_config config = {
		.capacity = MEMBERS,
		.search_limit = KCUCKOO_SEARCH_VISITS,
		.traits = KCUCKOO_CREATE_INSERT_ONLY,
		.params = { .bucket_shift = 2, .tag_bits = 20, .value_bits = 8,
			    .expiry_bits = 32 },
	};
	unsigned int round;
	u32 value;

	for (round = 0; round < ROUNDS; round++) {
		kernel_now = BEGIN;
		address = random_word();
		filter_begin(config, false);
		for (value = 0; value < COPIES; value++)
			tap_require(!add_value(&test_batch, value, MINUTE), "not added");
		tap_require(test_batch.result[0] == KCUCKOO_RESULT_ADDED, "no copy");
		tap_require(!add_value(&test_batch, COPIES, MINUTE) &&
			    test_batch.result[0] == KCUCKOO_RESULT_REFUSED,
			    "more copies than there are entries");
		kernel_now = BEGIN + 2 * MINUTE;
		others_come(SOME_SECTIONS, 0);
		between = come_to_add_value;
		tap_require(!kcuckoo_filter_collect(filter), "not collected");
		others_gone();
		tap_require(other_batch.result[0] == KCUCKOO_RESULT_ADDED, "got %d",
			    other_batch.result[0]);
		filter_end();
	}
}

/* Members before the add that finds no room, and whether the flush has come then. */
static u64 before;
static bool flushed;

static void other_flushes(void)
{
	other_error = kcuckoo_filter_flush(filter);
}

/* After a section that has added nothing. */
static void come_to_flush(void)
{
	if (flushed || kcuckoo_filter_members(filter) != before)
		return;
	flushed = true;
	scarce = 1;
	other_begin(other_flushes);
	scarce = 0;
}

/* Nor does a table grow, or an add fail, where it was emptied since it was full. */
static void growth_is_spared(void)
{
	struct kcuckoo_config config = {
		.capacity = MEMBERS,
		.search_limit = KCUCKOO_SEARCH_VISITS,
		.params = { .bucket_shift = 2 },
	};
	unsigned int round;

	for (round = 0; round < ROUNDS; round++) {
		struct kcuckoo_ioc_info info = {};

		config.params.tag_bits = round % 2 ? 20 : 0;
		/* Tables with one entry a bucket are full, and never crowded. */
		config.params.bucket_shift = round % 8 < 4 ? 2 : 0;
		config.traits = round % 4 == 3 ? KCUCKOO_CREATE_FIXED : 0;
		config.capacity = round % 2 ? MEMBERS : 1 << 30;
		address = random_word();
		filter_begin(config, false);
		tap_require(!kcuckoo_filter_reserve(filter,
						    kcuckoo_layer_host(KCUCKOO_FAMILY_IPV4),
						    MEMBERS), "no room");
		others_come(0, 0);
		flushed = false;
		do {
			between = NULL;
			before = kcuckoo_filter_members(filter);
			between = come_to_flush;
			tap_require(!add_next(&test_batch, 0), "not added to %llu", before);
		} while (!flushed);
		others_gone();
		kcuckoo_filter_info(filter, &info);
		tap_require(info.members == 1 && !info.growths,
			    "of %llu members %llu are left, %llu growths", before,
			    info.members, info.growths);
		filter_end();
	}
}

/*
 * Whatever comes after a collection, the work rests before it reads all tables again;
 * and no longer than that.
 */
static void collect_rests(void)
{
	const struct delayed_work *work;

	fill(1);
	work = &filter->collect_work;
	kernel_now = BEGIN + 2 * MINUTE;
	filter_work();
	kernel_now += 1;
	tap_require(!add_next(&test_batch, 1), "not added");
	tap_require(work->queued && work->due == kernel_now - 1 + TIMER_SECONDS,
		    "soon after a collection: it runs at %llu, now is %u",
		    work->due, kernel_now);
	kernel_now += TIMER_SECONDS;
	filter_work();
	kernel_now += TIMER_SECONDS;
	tap_require(!add_next(&test_batch, 1), "not added");
	tap_require(work->queued && work->due == kernel_now + 2,
		    "long after a collection: it runs at %llu, now is %u",
		    work->due, kernel_now);
	filter_end();
}

/* The information tells all memory whenever somebody may ask. */
static void require_memory(void)
{
	struct kcuckoo_ioc_info info = {};

	kcuckoo_filter_info(filter, &info);
	tap_require(info.memory_bytes == (u64)account.bytes.count,
		    "%llu bytes of %lld are told", info.memory_bytes,
		    account.bytes.count);
	sections++;
}

/* Also of an index that is made anew for what is left, and that no reader may see. */
static void collect_tells_memory(void)
{
	fill(MEMBERS);
	tap_require(filter->table_set->index[0], "no index");
	kernel_now = BEGIN + 2 * MINUTE;
	sections = 0;
	between = require_memory;
	tap_require(!kcuckoo_filter_collect(filter), "not collected");
	between = NULL;
	tap_require(sections > SOME_SECTIONS, "asked %u times", sections);
	filter_end();
}

static const struct tap_test tests[] = {
	{ "sweep.flush: no member is moved behind it", flush_leaves_none },
	{ "sweep.timer: none is moved behind who collects", collect_sees_all },
	{ "sweep.rest: between two collections", collect_rests },
	{ "sweep.memory: all of it is told meanwhile", collect_tells_memory },
	{ "sweep.capacity: an add waits for who collects", capacity_waits },
	{ "sweep.made: nor fails when he is through", capacity_is_made },
	{ "sweep.rehash: a table waits for who collects", growth_waits },
	{ "sweep.spared: a table that was emptied since does not grow", growth_is_spared },
	{ "sweep.copies: a value waits for who collects", copies_wait },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
