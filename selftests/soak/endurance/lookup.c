// SPDX-License-Identifier: GPL-2.0-only
/*
 * lookup COUNT [READERS]: the filters of kmod/ in a process. Readers look up
 * permanent members in all ways that there are, COUNT times in all, and some times
 * more what is always covered by one member or another; a writer adds, moves, deletes,
 * grows and compacts beside them. No look-up may miss.
 *
 * This is what the module has of filters, unchanged: lookup.c, lookup_fast.c, update.c,
 * resize.c, index.c and what is below. Only memory, locks and RCU are this
 * program's and kernel.h's.
 */
#include <stdio.h>
#include <time.h>

#include "filter/lookup_fast.h"
#include "memory.h"
#include "core/prefix.h"
#include "filter/workqueue.h"

#define PERMANENT	1024
#define BATCHES		(PERMANENT / KCUCKOO_CHUNK)
#define READERS_MAX	64

/* Batches of keys that come and go. */
#define PASSING		24

/* The writer replaces so many of them before all go. */
#define REPLACED	200

/* Nanoseconds that it leaves the processor to readers behind each call. */
#define REST		50000

#define CACHE_LINE	64

/* Grace periods. */

static u64 grace = 1;

/* How far each reader has got, in a line of its own. */
static struct {
	u64 grace;
} __attribute__((__aligned__(CACHE_LINE))) seen[READERS_MAX];

static unsigned int readers;
static struct work_struct *waiting;
static struct work_struct **waiting_end = &waiting;

/* A reader holds nothing now. */
static void reclaim_quiescent(unsigned int reader)
{
	__atomic_store_n(&seen[reader].grace,
			 __atomic_load_n(&grace, __ATOMIC_SEQ_CST),
			 __ATOMIC_SEQ_CST);
}

/* Frees what no reader can hold any more; the writer holds nothing. */
static void reclaim_drain(void)
{
	struct work_struct *work;
	u64 least = ~0ULL;
	unsigned int i;

	for (i = 0; i < readers; i++)
		least = min(least, __atomic_load_n(&seen[i].grace,
						   __ATOMIC_SEQ_CST));
	while (waiting && waiting->when <= least) {
		work = waiting;
		waiting = work->next;
		if (!waiting)
			waiting_end = &waiting;
		work->work(work);
	}
}

void kcuckoo_queue_rcu_free(struct rcu_work *work, work_func_t release)
{
	work->work.work = release;
	work->work.next = NULL;
	work->work.when = __atomic_add_fetch(&grace, 1, __ATOMIC_SEQ_CST);
	*waiting_end = &work->work;
	waiting_end = &work->work.next;
}

void kcuckoo_queue_delayed(struct delayed_work *work, u32 seconds)
{
	abort();
}

/* What is looked up, by a number that no other key has. */

/**
 * struct key - a key, and how it is asked for
 * @index: number of its layer
 * @key: its address bits, or its hash
 * @query: the address, or the byte string
 * @bytes: what the byte string is
 */
struct key {
	unsigned int index;
	struct kcuckoo_key key;
	struct kcuckoo_query query;
	u64 bytes;
};

/* A number of so many bits, another one for each @number that has no more. */
static u64 scatter(u64 number, unsigned int bits)
{
	return number * 0x9e3779b97f4a7c15ULL & (~0ULL >> (64 - bits));
}

static void key_prefix(struct key *key, u64 number, unsigned int family,
		       unsigned int plen)
{
	unsigned int bits = family == KCUCKOO_FAMILY_IPV4 ? 32 : 128;
	unsigned int behind = bits - plen;
	u64 first = scatter(number, plen < 64 ? plen : 64);
	u128 whole;

	whole = plen > 64 ? (u128)first << (plen - 64) : first;
	key->key.number.hi = whole >> 64;
	key->key.number.lo = whole;
	key->index = kcuckoo_split_prefix(true, family, plen, &key->key.number);
	whole <<= behind;
	key->query.family = family;
	key->query.address.hi = whole >> 64;
	key->query.address.lo = whole;
}

/* Whole batches are of one length: they are looked up in groups. */
static void key_address(struct key *key, u64 number)
{
	if (number / KCUCKOO_CHUNK % 2)
		key_prefix(key, number, KCUCKOO_FAMILY_IPV4, 32);
	else
		key_prefix(key, number, KCUCKOO_FAMILY_IPV6, 128);
}

static void key_network(struct key *key, u64 number)
{
	if (number % 2)
		key_prefix(key, number, KCUCKOO_FAMILY_IPV4, 16 + number % 17);
	else
		key_prefix(key, number, KCUCKOO_FAMILY_IPV6, 32 + number % 97);
}

static struct kcuckoo_filter *filter;

static void key_string(struct key *key, u64 number)
{
	key->bytes = scatter(number, 64);
	key->index = KCUCKOO_BYTES_LAYER;
	key->key.hash = kcuckoo_hash_bytes(&filter->secret, (u8 *)&key->bytes,
					   sizeof(key->bytes));
	key->query.bytes = &key->bytes;
	key->query.length = sizeof(key->bytes);
}

/*
 * Addresses that are no members; of each, two prefixes take turns to cover it. All
 * lengths between those have a member beside it, so they are looked up, too.
 */
#define TURN_WIDE(family)	((family) == KCUCKOO_FAMILY_IPV4 ? 12 : 28)
#define TURN_NARROW(family)	((family) == KCUCKOO_FAMILY_IPV4 ? 32 : 128)

static unsigned int turn_family(u64 number)
{
	return number % 2 ? KCUCKOO_FAMILY_IPV4 : KCUCKOO_FAMILY_IPV6;
}

/* The address, or a prefix of it, with its last bit as it is or not. */
static void turn_key(struct key *key, unsigned int family, unsigned int plen,
		     bool beside)
{
	const struct kcuckoo_number address = {
		.hi = family == KCUCKOO_FAMILY_IPV4 ? 0 : 0x2004a5a55a5aa5a5,
		.lo = family == KCUCKOO_FAMILY_IPV4 ? 0xac1ea55a :
						      0x5a5aa5a5a5a55a5a,
	};
	unsigned int bits = family == KCUCKOO_FAMILY_IPV4 ? 32 : 128;

	key->key.number = kcuckoo_prefix_cut(&address, bits, plen);
	key->key.number.lo ^= beside;
	key->index = kcuckoo_split_prefix(true, family, plen, &key->key.number);
	key->query.family = family;
	key->query.address = address;
}

static void key_turn(struct key *key, u64 number)
{
	unsigned int family = turn_family(number);

	turn_key(key, family, TURN_NARROW(family), false);
}

static void fill_members(struct kcuckoo_batch *batch);
static void fill_turns(struct kcuckoo_batch *batch);
static void write_members(struct kcuckoo_batch *batch);
static void write_turns(struct kcuckoo_batch *batch);

/**
 * struct world - a filter, and what is done to it
 * @name: its name
 * @make: what is looked up, and what comes and goes
 * @fill: makes the first members
 * @write: one round of the writer, after which the members are the first again
 * @config: what the filter is like
 * @members: the keys that are looked up are members themselves
 * @beside: prefixes of all lengths are beside those that are looked up
 * @moves: entries have to move
 * @grows: tables have to grow, and are made small again
 */
static const struct world {
	const char *name;
	void (*make)(struct key *key, u64 number);
	void (*fill)(struct kcuckoo_batch *batch);
	void (*write)(struct kcuckoo_batch *batch);
	struct kcuckoo_config config;
	bool members;
	bool beside;
	bool moves;
	bool grows;
} worlds[] = {
	{
		.name = "addresses",
		.make = key_address,
		.fill = fill_members,
		.write = write_members,
		.config = {
			.type = KCUCKOO_TYPE_INET,
			.capacity = 1 << 20,
			.params = { .bucket_shift = 2, .exact = true },
		},
		.members = true,
		.moves = true,
		.grows = true,
	}, {
		.name = "networks",
		.make = key_network,
		.fill = fill_members,
		.write = write_members,
		.config = {
			.type = KCUCKOO_TYPE_INET,
			.capacity = 1 << 20,
			.params = { .bucket_shift = 2, .exact = true },
		},
		.members = true,
		.moves = true,
		.grows = true,
	}, {
		.name = "turns",
		.make = key_turn,
		.fill = fill_turns,
		.write = write_turns,
		.config = {
			.type = KCUCKOO_TYPE_INET,
			.capacity = 1 << 20,
			.params = { .bucket_shift = 2, .exact = true },
		},
		.beside = true,
	}, {
		.name = "alone",
		.make = key_turn,
		.fill = fill_turns,
		.write = write_turns,
		.config = {
			.type = KCUCKOO_TYPE_INET,
			.capacity = 1 << 20,
			.params = { .bucket_shift = 2, .exact = true },
		},
	}, {
		.name = "strings",
		.make = key_string,
		.fill = fill_members,
		.write = write_members,
		.config = {
			.type = KCUCKOO_TYPE_BYTES,
			.capacity = PERMANENT + PASSING * KCUCKOO_CHUNK,
			.params = { .bucket_shift = 2, .tag_bits = 13 },
		},
		.members = true,
		.moves = true,
	},
};

static const struct world *world;
static struct key permanent[PERMANENT];

/* Look-ups done by all, how many there are to be, and what was not found. */
static u64 done, enough, misses;

static void batch_fill(struct kcuckoo_batch *batch, u64 number)
{
	unsigned int i;

	memset(batch, 0, sizeof(*batch));
	batch->count = KCUCKOO_CHUNK;
	for (i = 0; i < KCUCKOO_CHUNK; i++) {
		struct key key = {};

		world->make(&key, number + i);
		batch->member[i].index = key.index;
		batch->member[i].key = key.key;
	}
}

static unsigned int batch_misses(struct kcuckoo_batch *batch, bool member)
{
	unsigned int missed = 0;
	unsigned int i;

	memset(batch->result, KCUCKOO_RESULT_ABSENT, sizeof(batch->result));
	kcuckoo_filter_test(filter, batch, member);
	for (i = 0; i < KCUCKOO_CHUNK; i++)
		missed += batch->result[i] != KCUCKOO_RESULT_PRESENT;
	return missed;
}

/* As for a packet: the fast path first, and the full look-up where that is needed. */
static bool packet_hits(const struct kcuckoo_query *query)
{
	int ret = -EAGAIN;

	if (query->family == KCUCKOO_FAMILY_IPV4)
		ret = kcuckoo_lookup_fast_ipv4(filter, query->address.lo);
	else if (query->family)
		ret = kcuckoo_lookup_fast_ipv6(filter);
	return ret == -EAGAIN ? kcuckoo_filter_contains(filter, query) :
				ret > 0;
}

/* Each way to look 128 members up. */
static unsigned int reader_round(struct kcuckoo_batch *batch,
				 const struct key *keys)
{
	unsigned int missed = batch_misses(batch, world->members);
	unsigned int i;

	missed += batch_misses(batch, false);
	for (i = 0; i < KCUCKOO_CHUNK; i++) {
		missed += !kcuckoo_filter_contains(filter, &keys[i].query);
		missed += !packet_hits(&keys[i].query);
	}
	return missed;
}

static void *reader_work(void *argument)
{
	struct kcuckoo_batch *batches = calloc(BATCHES, sizeof(*batches));
	unsigned int number = (long)argument;
	unsigned int missed;
	unsigned int i;

	for (i = 0; i < BATCHES; i++)
		batch_fill(&batches[i], i * KCUCKOO_CHUNK);
	for (i = 0; __atomic_load_n(&done, __ATOMIC_RELAXED) < enough; i++) {
		missed = reader_round(&batches[i % BATCHES],
				      &permanent[i % BATCHES * KCUCKOO_CHUNK]);
		if (missed)
			__atomic_add_fetch(&misses, missed, __ATOMIC_RELAXED);
		__atomic_add_fetch(&done, 4 * KCUCKOO_CHUNK, __ATOMIC_RELAXED);
		reclaim_quiescent(number);
	}
	free(batches);
	return NULL;
}

static void writer_rest(void)
{
	const struct timespec rest = { .tv_nsec = REST };

	reclaim_drain();
	nanosleep(&rest, NULL);
}

static void writer_add(struct kcuckoo_batch *batch)
{
	if (kcuckoo_filter_add(filter, batch))
		abort();
	writer_rest();
}

static void writer_delete(struct kcuckoo_batch *batch)
{
	kcuckoo_filter_del(filter, batch);
	writer_rest();
}

static void add_passing(struct kcuckoo_batch *batch, unsigned int number)
{
	batch_fill(batch, PERMANENT + number * KCUCKOO_CHUNK);
	writer_add(batch);
}

static void delete_passing(struct kcuckoo_batch *batch, unsigned int number)
{
	batch_fill(batch, PERMANENT + number * KCUCKOO_CHUNK);
	writer_delete(batch);
}

static void fill_members(struct kcuckoo_batch *batch)
{
	unsigned int i;

	for (i = 0; i < BATCHES; i++) {
		batch_fill(batch, i * KCUCKOO_CHUNK);
		writer_add(batch);
	}
}

/*
 * Up, with growth; at that size others in the place of some, so that entries move;
 * down, and what is too large is given back.
 */
static void write_members(struct kcuckoo_batch *batch)
{
	unsigned int i;

	for (i = 0; i < PASSING; i++)
		add_passing(batch, i);
	for (i = 0; i < REPLACED; i++) {
		delete_passing(batch, i);
		add_passing(batch, i + PASSING);
	}
	for (i = 0; i < PASSING; i++)
		delete_passing(batch, i + REPLACED);
	if (world->grows && kcuckoo_filter_compact(filter))
		abort();
}

static void turn_append(struct kcuckoo_batch *batch, unsigned int family,
			unsigned int plen, bool beside)
{
	struct kcuckoo_member *member = &batch->member[batch->count++];
	struct key key = {};

	turn_key(&key, family, plen, beside);
	member->index = key.index;
	member->key = key.key;
}

/* The two wide or the two narrow prefixes. */
static void turn_fill(struct kcuckoo_batch *batch, bool wide)
{
	unsigned int family;
	unsigned int i;

	memset(batch, 0, sizeof(*batch));
	for (i = 0; i < 2; i++) {
		family = turn_family(i);
		turn_append(batch, family, wide ? TURN_WIDE(family) :
						  TURN_NARROW(family), false);
	}
}

static void turn_add(struct kcuckoo_batch *batch, bool wide)
{
	turn_fill(batch, wide);
	writer_add(batch);
}

static void turn_delete(struct kcuckoo_batch *batch, bool wide)
{
	turn_fill(batch, wide);
	writer_delete(batch);
}

static void fill_turns(struct kcuckoo_batch *batch)
{
	unsigned int i, family, plen;

	for (i = 0; i < 2 && world->beside; i++) {
		family = turn_family(i);
		memset(batch, 0, sizeof(*batch));
		for (plen = TURN_WIDE(family) + 1; plen < TURN_NARROW(family);
		     plen++)
			turn_append(batch, family, plen, true);
		writer_add(batch);
	}
	turn_add(batch, false);
	turn_add(batch, true);
	turn_delete(batch, false);
}

/* Now and then tables come and go, too, and indexes with them. */
static void write_turns(struct kcuckoo_batch *batch)
{
	static unsigned int turns;

	turn_add(batch, false);
	turn_delete(batch, true);
	if (turns++ % 2 && kcuckoo_filter_compact(filter))
		abort();
	turn_add(batch, true);
	turn_delete(batch, false);
	if (turns % 3 && kcuckoo_filter_compact(filter))
		abort();
}

static void world_begin(struct kcuckoo_batch *batch)
{
	struct kcuckoo_hash_key secret = {};
	struct kcuckoo_config config = world->config;
	unsigned int i;

	config.search_limit = KCUCKOO_SEARCH_VISITS;
	memset(secret.seed, 0x5a, sizeof(secret.seed));
	filter = kcuckoo_filter_create(&account, &config, &secret, true);
	if (kcuckoo_config_check(&config) || IS_ERR(filter))
		abort();
	memset(permanent, 0, sizeof(permanent));
	for (i = 0; i < PERMANENT; i++)
		world->make(&permanent[i], i);
	world->fill(batch);
}

/* Did the writer do what was to be done, and did no reader miss anything? */
static bool world_end(u64 members)
{
	struct kcuckoo_ioc_info info = {};
	bool well;

	kcuckoo_filter_info(filter, &info);
	printf("# %s: %llu look-ups, %llu misses; %llu moves, %llu growths\n",
	       world->name, done, misses, info.moves, info.growths);
	well = !misses && (info.moves || !world->moves) &&
	       (info.growths || !world->grows) && info.members == members;
	kcuckoo_filter_put(filter);
	reclaim_drain();
	if (account.bytes.count)
		printf("# %lld bytes were not freed\n", account.bytes.count);
	return well && !account.bytes.count;
}

/* How many of the look-ups are done in a world; those of no members come on top. */
static u64 world_share(u64 count)
{
	unsigned int sharers = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(worlds); i++)
		sharers += worlds[i].members;
	return (count + sharers - 1) / sharers / (world->members ? 1 : 10) + 1;
}

static bool world_run(u64 count)
{
	struct kcuckoo_batch *batch = calloc(1, sizeof(*batch));
	pthread_t threads[READERS_MAX];
	unsigned int i;
	u64 members;

	done = 0;
	misses = 0;
	enough = count;
	world_begin(batch);
	members = kcuckoo_filter_members(filter);
	for (i = 0; i < readers; i++) {
		reclaim_quiescent(i);
		if (pthread_create(&threads[i], NULL, reader_work,
				   (void *)(long)i))
			abort();
	}
	/* Once at least, however late that thread gets a processor. */
	do
		world->write(batch);
	while (__atomic_load_n(&done, __ATOMIC_RELAXED) < enough);
	for (i = 0; i < readers; i++) {
		pthread_join(threads[i], NULL);
		/* Who is not there holds nothing. */
		seen[i].grace = ~0ULL;
	}
	free(batch);
	return world_end(members);
}

int main(int argc, char **argv)
{
	u64 count = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
	unsigned int failed = 0;
	unsigned int i;

	readers = argc > 2 ? atoi(argv[2]) : 2;
	if (!count || !readers || readers > READERS_MAX) {
		fprintf(stderr, "usage: lookup COUNT [READERS]\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n1..%zu\n", ARRAY_SIZE(worlds));
	for (i = 0; i < ARRAY_SIZE(worlds); i++) {
		bool well;

		world = &worlds[i];
		well = world_run(world_share(count));
		failed += !well;
		printf("%s %u lookup.%s\n", well ? "ok" : "not ok", i + 1,
		       world->name);
	}
	return failed != 0;
}
