// SPDX-License-Identifier: GPL-2.0-only
/*
 * What one section of a filter's lock does, and what needs none: an add that may have to
 * search a copy of its table has the section for itself; packets that change nothing do
 * not take the lock; and what a merge brings is seen all at once. No section reads more
 * buckets than its search may, and it ends early where other work waits.
 */
#include "fixture.h"

#define ROUNDS		20
#define BEGIN		100
#define MINUTE		60

/*
 * Keys of a batch, while a copy of a table with so many is under way. There is room
 * enough that next to none has to wait for the end of that to be searched for.
 */
#define BATCH		100
#define MEMBERS		1000
#define ROOM		(8 * MEMBERS)

/* So large a table is as full as it can be with so many members. */
#define LARGE_ROOM	(200 * MEMBERS)

static struct kcuckoo_batch batch;
static u32 host;

/* Holds, and what of the batch had been done when each began. */
static unsigned int sections;
static u32 done[2 * BATCH];

static void note_section(void)
{
	if (sections < ARRAY_SIZE(done))
		done[sections] = batch.done;
	sections++;
}

static void begin_buckets(unsigned int shift, bool expires, bool strong)
{
	const struct kcuckoo_config config = {
		.capacity = 1 << 30,
		.search_limit = KCUCKOO_SEARCH_VISITS,
		.params = { .bucket_shift = shift, .expiry_bits = expires ? 32 : 0 },
	};

	host = kcuckoo_layer_host(KCUCKOO_FAMILY_IPV4);
	kernel_now = BEGIN;
	filter_begin(config, strong);
}

static void begin(bool expires, bool strong)
{
	begin_buckets(2, expires, strong);
}

static void batch_fill(unsigned int index, u32 first, unsigned int count, u32 timeout)
{
	unsigned int i;

	memset(&batch, 0, sizeof(batch));
	batch.count = count;
	for (i = 0; i < count; i++) {
		batch.member[i].index = index;
		batch.member[i].key.number.lo = first + i;
		batch.member[i].timeout = timeout;
	}
}

static void add(unsigned int index, u32 first, unsigned int count, u32 timeout)
{
	batch_fill(index, first, count, timeout);
	tap_require(!kcuckoo_filter_add(filter, &batch), "not added");
}

/* Holds in which a key got a place that has been copied, and those with others, too. */
static unsigned int copied, crowded;

static bool is_copied(const struct kcuckoo_layer *layer, unsigned int i)
{
	struct kcuckoo_probe probe = batch.member[i].probe;

	return kcuckoo_store_find(&layer->store, &batch.member[i].key, &probe) <
	       layer->rehash->cursor;
}

static void other_adds(void)
{
	const struct kcuckoo_layer *layer;
	unsigned int section, i;

	batch_fill(host, MEMBERS, BATCH, 0);
	sections = 0;
	locked = note_section;
	if (kcuckoo_filter_add(filter, &batch))
		abort();
	locked = NULL;
	layer = filter->table_set->layer[host];
	/* One had to wait, and it is over. */
	if (!layer->rehash)
		return;
	done[sections] = BATCH;
	for (section = 0; section < sections; section++)
		for (i = done[section]; i < done[section + 1]; i++)
			if (is_copied(layer, i)) {
				copied++;
				crowded += done[section + 1] - done[section] > 1;
			}
}

static void come_while_copied(void)
{
	const struct kcuckoo_layer *layer = filter->table_set->layer[host];
	u64 places = kcuckoo_store_places(&layer->store);

	if (!layer->rehash || layer->rehash->cursor < places / 2)
		return;
	between = NULL;
	other_begin(other_adds);
}

/* An add to what has been copied may have to search the copy: no other one is with it. */
static void search_ends_section(void)
{
	unsigned int round;
	u32 first;

	copied = 0;
	crowded = 0;
	for (round = 0; round < ROUNDS; round++) {
		begin(false, false);
		tap_require(!kcuckoo_filter_reserve(filter, host, ROOM), "no room");
		for (first = 0; first < MEMBERS; first += BATCH)
			add(host, first, BATCH, 0);
		between = come_while_copied;
		tap_require(!kcuckoo_filter_reserve(filter, host, 2 * ROOM), "no room");
		tap_require(!between, "nobody came");
		filter_end();
	}
	tap_require(copied > ROUNDS, "%u keys", copied);
	tap_require(!crowded, "%u of %u keys were not alone", crowded, copied);
}

static int packet_del(u32 address)
{
	const struct kcuckoo_query query = {
		.family = KCUCKOO_FAMILY_IPV4,
		.address.lo = address,
	};

	sections = 0;
	locked = note_section;
	return kcuckoo_packet_del(filter, &query);
}

static int packet_add_to(unsigned int family, u32 address, u32 timeout)
{
	const struct kcuckoo_query query = {
		.family = family,
		.address.lo = address,
	};

	sections = 0;
	locked = note_section;
	return kcuckoo_packet_add(filter, &query, timeout, NULL);
}

static int packet_add(u32 address, u32 timeout)
{
	return packet_add_to(KCUCKOO_FAMILY_IPV4, address, timeout);
}

/* Packets that change nothing do not take the lock, so other writers need not wait. */
static void packets_hold_nothing(void)
{
	begin(true, true);
	add(host, 1, 1, MINUTE);
	add(host, 2, 1, 0);
	tap_require(!packet_del(3) && !sections, "of no member: %u sections", sections);
	tap_require(!packet_add(2, 1) && !sections, "of a member: %u sections", sections);
	kernel_now += 2 * MINUTE;
	tap_require(!packet_del(1) && !sections, "of an expired one: %u sections", sections);
	tap_require(packet_del(2) == 1 && sections == 1, "of a member: %u sections", sections);
	locked = NULL;
	filter_end();
}

/* Look-ups see all tables that a merge brings, or none. */
static void merge_is_one_write(void)
{
	const unsigned int lengths[] = { 8, 24, 32 };
	struct kcuckoo_filter *to;
	unsigned int before, i;

	begin(false, false);
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		struct kcuckoo_number one = { .lo = 1 };

		add(kcuckoo_split_prefix(true, KCUCKOO_FAMILY_IPV4, lengths[i], &one),
		    one.lo, 1, 0);
	}
	to = kcuckoo_filter_create(filter->account, &filter->config, &filter->secret,
				   true);
	tap_require(!IS_ERR(to), "no filter");
	before = to->seq.sequence;
	tap_require(!kcuckoo_filter_merge(to, filter), "not merged");
	tap_require(kcuckoo_filter_members(to) == ARRAY_SIZE(lengths), "%llu members",
		    kcuckoo_filter_members(to));
	tap_require(to->seq.sequence - before == 2, "%u steps from none to all",
		    (to->seq.sequence - before) / 2);
	kcuckoo_filter_put(to);
	filter_end();
}

/* A flush that finds no memory removes members one after the other: also then. */
static void flush_refused(unsigned int fewer)
{
	u64 entries = kcuckoo_filter_members(filter);

	scarce = fewer;
	tap_require(kcuckoo_filter_flush(filter) == -ESTALE, "flushed");
	scarce = 0;
	tap_require(fewer || kcuckoo_filter_members(filter) == entries, "members are gone");
}

/* A filter that was replaced on a condition accepts no change of any kind. */
static void superseded_is_final(void)
{
	struct kcuckoo_filter *from;

	begin(true, true);
	add(host, 1, BATCH, MINUTE);
	from = kcuckoo_filter_create(filter->account, &filter->config, &filter->secret,
				     true);
	tap_require(!IS_ERR(from), "no filter");
	tap_require(filter->changes == BATCH, "%llu changes", filter->changes);
	tap_require(!kcuckoo_filter_supersede(filter, BATCH - 1), "with another number");
	add(host, 1 + BATCH, 1, MINUTE);
	tap_require(kcuckoo_filter_supersede(filter, BATCH + 1), "not superseded");
	batch_fill(host, 1000, 1, 0);
	tap_require(kcuckoo_filter_add(filter, &batch) == -ESTALE && !batch.done, "added");
	batch_fill(host, 1, 1, 10 * MINUTE);
	tap_require(kcuckoo_filter_add(filter, &batch) == -ESTALE && !batch.done, "renewed");
	tap_require(kcuckoo_filter_del(filter, &batch) == -ESTALE && !batch.done, "deleted");
	tap_require(kcuckoo_filter_update(filter, &batch) == -ESTALE && !batch.done,
		    "updated");
	tap_require(packet_add(1000, MINUTE) == -ESTALE, "added by a packet");
	tap_require(packet_del(1) == -ESTALE, "deleted by a packet");
	locked = NULL;
	tap_require(kcuckoo_filter_merge(filter, from) == -ESTALE, "merged");
	flush_refused(0);
	tap_require(filter->changes == BATCH + 1, "%llu changes", filter->changes);
	tap_require(kcuckoo_filter_members(filter) == BATCH + 1, "%llu members",
		    kcuckoo_filter_members(filter));
	tap_require(!filter->refused, "%llu adds count as refused", filter->refused);
	flush_refused(1);
	kcuckoo_filter_put(from);
	filter_end();
}

/* Supersedes the filter between two sections of a batch. */
static void supersede(void)
{
	between = NULL;
	if (!kcuckoo_filter_supersede(filter, filter->changes))
		abort();
}

/* What a batch did before is done, and the rest is not. */
static void superseded_in_a_batch(void)
{
	begin(false, false);
	add(host, 1, BATCH, 0);
	batch_fill(host, 1, BATCH, 0);
	between = supersede;
	tap_require(kcuckoo_filter_del(filter, &batch) == -ESTALE, "all deleted");
	tap_require(batch.done && batch.done < BATCH, "%u of %u keys", batch.done, BATCH);
	tap_require(kcuckoo_filter_members(filter) == BATCH - batch.done, "%llu members",
		    kcuckoo_filter_members(filter));
	filter_end();
}

/*
 * Fields that one section reads and writes at most, unless a table is being copied: with or
 * without the mutex for searches of several sections; and the fewest in a section after which a
 * search began again with the mutex.
 */
static u32 most_fields, most_exclusive, fewest_before;

static void note_fields(void)
{
	const struct kcuckoo_layer *layer = filter->table_set->layer[host];
	static u32 before;

	if (layer && layer->rehash)
		return;
	most_fields = max(most_fields, kcuckoo_lock_budget.count);
	if (!filter->resize_mutex.held) {
		before = kcuckoo_lock_budget.count;
	} else if (kcuckoo_lock_budget.search) {
		most_exclusive = max(most_exclusive, kcuckoo_lock_budget.count);
		fewest_before = min(fewest_before, before);
	}
}

/* Fields of a search of so many buckets: each is looked at, and few are visited. */
static u32 fields_of(u32 reads, unsigned int shift)
{
	return reads * ((1U << shift) + 1);
}

/*
 * Adds until the table has grown often, one key at a time. Each time that it grows, a
 * search has looked at all that it may, in several sections.
 */
static void check_reads(unsigned int shift, bool wanted)
{
	u64 growths;
	u32 key;

	begin_buckets(shift, false, false);
	most_fields = 0;
	most_exclusive = 0;
	fewest_before = ~0U;
	between = note_fields;
	kernel_wanted = wanted;
	for (key = 0; filter->growths < 12; key++)
		add(host, key, 1, 0);
	growths = filter->growths;
	kernel_wanted = false;
	between = NULL;
	printf("# b %u: at most %u fields in a section, %llu members, %llu growths\n",
	       1U << shift, most_fields, kcuckoo_filter_members(filter), growths);
	printf("# with the mutex at most %u, before it at least %u\n", most_exclusive,
	       fewest_before);
	tap_require(most_fields <= fields_of(KCUCKOO_SEARCH_READS, shift),
		    "%u fields in a section, b %u", most_fields, 1U << shift);
	tap_require(most_exclusive && (!wanted || most_exclusive <=
		    fields_of(2 * KCUCKOO_SEARCH_READS_CHECK, shift)),
		    "%u fields in a section with the mutex, b %u", most_exclusive, 1U << shift);
	/* The mutex may be held for long: nobody waits for it where a section would do. */
	tap_require(fewest_before > fields_of(2 * KCUCKOO_SEARCH_READS_CHECK, shift),
		    "the mutex after %u fields, b %u", fewest_before, 1U << shift);
	tap_require(kcuckoo_filter_members(filter) == key, "%llu of %u members",
		    kcuckoo_filter_members(filter), key);
	filter_end();
}

static void search_is_bounded(void)
{
	unsigned int shift;

	for (shift = 1; shift <= 3; shift++)
		check_reads(shift, false);
}

/* Others who add, while one has a search that goes on in several sections. */
static u32 other_key, others_waited, open_sections;

static void other_adds_one(void)
{
	static struct kcuckoo_batch one;

	memset(&one, 0, sizeof(one));
	one.count = 1;
	one.member[0].index = host;
	one.member[0].key.number.lo = other_key++;
	if (kcuckoo_filter_add(filter, &one))
		abort();
}

static void come_while_open(void)
{
	if (!filter->search->open)
		return;
	open_sections++;
	if (other.work)
		return;
	other_begin(other_adds_one);
	others_waited += !!other.work;
}

/* A search of several sections ends, whatever others add, and theirs begin after it. */
static void search_goes_on(void)
{
	unsigned int shift;
	u32 key;

	open_sections = 0;
	others_waited = 0;
	for (shift = 1; shift <= 3; shift++) {
		begin_buckets(shift, false, false);
		other_key = 1 << 30;
		between = come_while_open;
		for (key = 0; filter->growths < 14; key++)
			add(host, key, 1, 0);
		between = NULL;
		tap_require(!other.work, "somebody still waits");
		tap_require(!filter->search->open, "nobody goes on");
		key += other_key - (1 << 30);
		tap_require(kcuckoo_filter_members(filter) == key, "%llu of %u members",
			    kcuckoo_filter_members(filter), key);
		filter_end();
	}
	printf("# %u sections left a search open, others waited %u times\n", open_sections,
	       others_waited);
	tap_require(open_sections > 100 && others_waited > 10, "%u and %u", open_sections,
		    others_waited);
}

/* A section ends early where a softirq or a writer waits, and yet gets something done. */
static void others_are_wanted(void)
{
	unsigned int shift;

	for (shift = 1; shift <= 3; shift++)
		check_reads(shift, true);
	begin(false, false);
	add(host, 0, BATCH, 0);
	batch_fill(host, 0, BATCH, 0);
	kernel_wanted = true;
	sections = 0;
	locked = note_section;
	tap_require(!kcuckoo_filter_del(filter, &batch), "not deleted");
	tap_require(sections >= 2 * BATCH * 2 / KCUCKOO_SECTION_STEPS_MIN, "%u sections", sections);
	sections = 0;
	add(host, 0, BATCH, 0);
	tap_require(sections >= BATCH * 2 / KCUCKOO_SECTION_STEPS_MIN, "%u sections", sections);
	sections = 0;
	tap_require(!kcuckoo_filter_reserve(filter, host, ROOM), "no room");
	tap_require(sections > BATCH / KCUCKOO_SECTION_STEPS_MIN, "%u sections", sections);
	locked = NULL;
	kernel_wanted = false;
	tap_require(kcuckoo_filter_members(filter) == BATCH, "%llu members",
		    kcuckoo_filter_members(filter));
	filter_end();
}

/* A writer who waits for the lock gets it after a few keys; not after every few. */
static void others_contend(void)
{
	unsigned int steps = BATCH * 4;

	begin(false, false);
	add(host, 0, BATCH, 0);
	batch_fill(host, 0, BATCH, 0);
	kernel_contended = true;
	sections = 0;
	locked = note_section;
	tap_require(!kcuckoo_filter_del(filter, &batch), "not deleted");
	tap_require(sections >= steps / (KCUCKOO_SECTION_STEPS_CONTENDED + 4) &&
		    sections <= steps / KCUCKOO_SECTION_STEPS_CONTENDED + 1,
		    "%u sections", sections);
	locked = NULL;
	kernel_contended = false;
	filter_end();
}

/*
 * Packets fill what is reserved. A search that would take too long is given up: no other
 * packet of the family takes the lock before the next jiffy, and the family is not taken
 * for full.
 */
static u32 check_give_up(unsigned int shift, u32 room)
{
	u32 gave_up = 0;
	u64 searches;
	u32 key;

	begin_buckets(shift, true, true);
	tap_require(!kcuckoo_filter_reserve(filter, host, room), "no room");
	tap_require(!kcuckoo_filter_reserve(filter, kcuckoo_layer_host(KCUCKOO_FAMILY_IPV6),
					    MEMBERS), "no room");
	most_fields = 0;
	between = note_fields;
	for (key = 0; !filter->full_families && key < 2 * room; key++) {
		kernel_jiffies++;
		searches = filter->searches;
		if (packet_add(key, MINUTE) != -ENOSPC || filter->full_families)
			continue;
		gave_up++;
		tap_require(filter->searches == searches + 1, "%llu searches",
			    filter->searches - searches);
		tap_require(packet_add(key + 1, MINUTE) == -ENOSPC && !sections,
			    "in the same jiffy: %u sections", sections);
		tap_require(packet_add_to(KCUCKOO_FAMILY_IPV6, key, MINUTE) == 1,
			    "not added to the other family: %u sections", sections);
	}
	between = NULL;
	locked = NULL;
	printf("# b %u: %llu added, %u given up, at most %u fields in a section\n",
	       1U << shift, kcuckoo_filter_members(filter), gave_up, most_fields);
	tap_require(most_fields <= fields_of(KCUCKOO_SEARCH_READS_ONCE, shift),
		    "%u fields", most_fields);
	tap_require(kcuckoo_filter_members(filter) >= room, "%llu of %u",
		    kcuckoo_filter_members(filter), room);
	filter_end();
	return gave_up;
}

static void packets_give_up(void)
{
	unsigned int round;
	u32 gave_up = 0;

	check_give_up(1, ROOM);
	check_give_up(2, ROOM);
	check_give_up(3, ROOM);
	/* Two or three in each round, on average. */
	for (round = 0; !gave_up && round < 6; round++)
		gave_up = check_give_up(2, LARGE_ROOM);
	tap_require(gave_up && gave_up < LARGE_ROOM / 1000, "%u", gave_up);
}

/* Packets that need a search while another task has one open, and what they changed. */
static u32 packets_refused, packets_marked;

static void packets_while_open(void)
{
	unsigned long pause = filter->packet_pause[0];
	unsigned int i;

	if (!filter->search->open)
		return;
	for (i = 0; i < 4; i++) {
		if (packet_add(other_key++, MINUTE) != -ENOSPC)
			continue;
		packets_refused += !!sections;
		packets_marked += !sections || filter->full_families ||
				  filter->packet_pause[0] != pause;
	}
	locked = NULL;
}

/* Nothing is known about the room of the layer: others need not wait, nor are refused. */
static void packets_meet_a_search(void)
{
	u32 key;

	packets_refused = 0;
	packets_marked = 0;
	begin(true, true);
	other_key = 1 << 30;
	between = packets_while_open;
	for (key = 0; filter->growths < 12; key++)
		add(host, key, 1, MINUTE);
	between = NULL;
	printf("# %u packets refused while a search was open\n", packets_refused);
	tap_require(packets_refused > 100, "%u", packets_refused);
	tap_require(!packets_marked, "%u of %u packets stop others", packets_marked,
		    packets_refused);
	filter_end();
}

/*
 * Packets that add to a layer whose copy is nearly full: for how many a search in the
 * copy was given up, and how many of the next ones took the lock all the same.
 */
static u32 copies_given_up, copies_repeated;

static void packets_fill_copy(void)
{
	const struct kcuckoo_layer *layer = filter->table_set->layer[host];
	unsigned int i, next;

	if (!layer->rehash || !kcuckoo_rehash_done(layer->rehash))
		return;
	for (i = 0; i < ROOM && !copies_given_up; i++) {
		kernel_jiffies++;
		if (packet_add(other_key++, MINUTE) != -ENOSPC)
			continue;
		copies_given_up++;
		/* The layer itself has room for all these, its copy only for a few. */
		for (next = 0; next < MEMBERS; next++) {
			packet_add(other_key++, MINUTE);
			copies_repeated += !!sections;
		}
	}
	locked = NULL;
}

/* A long search in a copy is not repeated for each packet. */
static void packets_meet_a_copy(void)
{
	u32 key;

	copies_given_up = 0;
	copies_repeated = 0;
	other_key = 1 << 30;
	begin(true, true);
	tap_require(!kcuckoo_filter_reserve(filter, host, 4 * ROOM), "no room");
	for (key = 0; key < ROOM; key += BATCH)
		add(host, key, BATCH, MINUTE);
	between = packets_fill_copy;
	tap_require(!kcuckoo_filter_compact(filter), "not compacted");
	between = NULL;
	tap_require(copies_given_up == 1, "%u given up", copies_given_up);
	tap_require(!copies_repeated, "%u of %u packets took the lock in the same jiffy",
		    copies_repeated, MEMBERS);
	tap_require(!filter->full_families, "taken for full");
	filter_end();
}

static const struct tap_test tests[] = {
	{ "section.reads: a search reads few buckets, and goes on in the next", search_is_bounded },
	{ "section.open: nobody else searches in between", search_goes_on },
	{ "section.wanted: ends early where others wait", others_are_wanted },
	{ "section.contended: ends later where only a writer waits", others_contend },
	{ "section.give_up: a packet that would search for too long", packets_give_up },
	{ "section.packet: one that meets a search stops no others", packets_meet_a_search },
	{ "section.packet: a long search in a copy is not repeated", packets_meet_a_copy },
	{ "section.search: one in a copy is all that a section does", search_ends_section },
	{ "section.packet: one that changes nothing needs none", packets_hold_nothing },
	{ "section.merge: look-ups see all of it at once", merge_is_one_write },
	{ "section.superseded: no change of any kind is made", superseded_is_final },
	{ "section.superseded: a batch ends between two sections", superseded_in_a_batch },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
