// SPDX-License-Identifier: GPL-2.0-only
/*
 * An exact filter between the sections of its lock. Whatever the test does, others come where
 * it lets go of the lock, and do something, too; each answer is compared with an exact
 * model. Members of which nobody does anything are there all the time.
 */
#include "fixture.h"
#include "filter/lookup_fast.h"
#include "core/prefix.h"

/* Enough for tables that take some sections to see all of. */
#define KEYS		3000
#define ACTIONS		150

/* Members stay so many seconds, at most. */
#define TIMEOUT_MOST	30

/* What the others do something with at a time, and what is looked up between. */
#define OTHER_KEYS	24
#define LOOKS		4

/**
 * struct key - a prefix, and what the model knows of it
 * @prefix: the prefix; keys are sorted by it
 * @index: number of its layer
 * @number: its number there
 * @query: its first address
 * @busy: somebody is doing something with it
 * @touched: something was done with it in this action
 * @there: it was added; it may have expired since
 * @value: its value
 * @expiry: when it expires, 0 for never
 */
struct key {
	struct kcuckoo_prefix prefix;
	unsigned int index;
	struct kcuckoo_number number;
	struct kcuckoo_query query;
	bool busy;
	bool touched;
	bool there;
	u32 value;
	u32 expiry;
};

static struct key keys[KEYS];
static unsigned int key_count;

enum action {
	ADD,
	DELETE,
	UPDATE,
	PACKET_ADD,
	PACKET_DELETE,
	RESERVE,
	COMPACT,
	COLLECT,
	WORK,
	FLUSH,
	ACTION_COUNT,
};

/**
 * struct job - what one of the two threads does
 * @action: what
 * @count: with how many keys
 * @key: with which
 * @batch: these
 */
struct job {
	enum action action;
	unsigned int count;
	struct key *key[KCUCKOO_CHUNK];
	struct kcuckoo_batch batch;
};

static struct job test_job;
static struct job other_job;

/* Entries that there were in this action, at most. */
static u64 fullest;

/* How often others came, and had to wait. */
static u64 came, waited;

/* Members may be gone, as the test removes them all. */
static bool flushing;

static bool key_alive(const struct key *key)
{
	return key->there && (!key->expiry || key->expiry > kernel_now);
}

static bool key_host(const struct key *key)
{
	return key->index == kcuckoo_layer_host(key->prefix.family);
}

static int key_compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct kcuckoo_prefix));
}

/* Another one for each @number: the factor is odd, and bits enough are kept. */
static void key_make(struct key *key, unsigned int number, bool lengths)
{
	static const u8 ipv4[] = { 32, 32, 32, 30, 24, 20, 16 };
	static const u8 ipv6[] = { 128, 128, 127, 65, 64, 64, 56, 48, 32, 16 };
	bool ipv6_key = lengths && random_below(2);
	unsigned int bits = ipv6_key ? 128 : 32;
	unsigned int plen = bits;
	unsigned int width;
	u128 whole;

	memset(key, 0, sizeof(*key));
	if (lengths)
		plen = ipv6_key ? ipv6[random_below(ARRAY_SIZE(ipv6))] :
				  ipv4[random_below(ARRAY_SIZE(ipv4))];
	width = min(plen, 64U) - KCUCKOO_GLOBAL_BITS;
	whole = number * 0x9e3779b97f4a7c15ULL & kcuckoo_bits_mask(width);
	/* Half of those of IPv6 have layers of their own. */
	if (ipv6_key && random_below(2))
		whole |= (u128)KCUCKOO_GLOBAL_VALUE << width;
	if (plen > 64)
		whole <<= plen - 64;
	/* A few are very short. */
	if (lengths && number < 4) {
		plen = number / 2 * KCUCKOO_GLOBAL_BITS;
		bits = number % 2 ? 128 : 32;
		whole = plen ? KCUCKOO_GLOBAL_VALUE : 0;
	}
	key->number.hi = whole >> 64;
	key->number.lo = whole;
	key->query.family = bits == 32 ? KCUCKOO_FAMILY_IPV4 : KCUCKOO_FAMILY_IPV6;
	kcuckoo_prefix_set(&key->prefix, key->query.family, plen, &key->number);
	key->index = kcuckoo_split_prefix(true, key->query.family, plen, &key->number);
	whole = plen ? whole << (bits - plen) : 0;
	key->query.address.hi = whole >> 64;
	key->query.address.lo = whole;
}

static void job_member(struct kcuckoo_batch *batch, unsigned int i,
		       const struct key *key)
{
	struct kcuckoo_member *member = &batch->member[i];

	memset(member, 0, sizeof(*member));
	member->index = key->index;
	member->key.number = key->number;
	batch->result[i] = KCUCKOO_RESULT_ABSENT;
}

/* A value, and as often that of a member: one is to be found by it. */
static u32 job_value(const struct key *key)
{
	u32 mask = kcuckoo_bits_mask(filter->config.params.value_bits);

	return random_below(2) ? key->value : random_word() & mask;
}

static u32 job_timeout(void)
{
	if (!filter->config.params.expiry_bits || !random_below(3))
		return 0;
	return 1 + random_below(TIMEOUT_MOST);
}

/* Takes up to @most keys that nobody else has taken. */
static void job_begin(struct job *job, enum action action, unsigned int most)
{
	struct kcuckoo_batch *batch = &job->batch;
	unsigned int wanted = 1 + random_below(most);
	unsigned int i;

	job->action = action;
	job->count = 0;
	for (i = 0; i < wanted; i++) {
		struct key *key = &keys[random_below(key_count)];

		if (key->busy)
			continue;
		key->busy = true;
		job_member(batch, job->count, key);
		job->key[job->count++] = key;
	}
	batch->count = job->count;
	batch->values = NULL;
	batch->only_absent = action == ADD && !random_below(4);
	batch->valued = filter->config.params.value_bits && random_below(2);
	for (i = 0; i < job->count; i++) {
		struct kcuckoo_member *member = &batch->member[i];

		if (batch->valued)
			member->value = job_value(job->key[i]);
		member->new_value = job_value(job->key[i]);
		if (action == ADD)
			member->timeout = job_timeout();
	}
}

static void key_added(struct key *key, u32 timeout, u32 value, bool valued,
		      bool existed)
{
	u32 expiry = timeout ? kernel_now + timeout + 1 : 0;
	bool alive = key_alive(key) && (!flushing || existed);

	tap_require(existed == alive, "a member before: %d, the model: %d", existed,
		    alive);
	if (!alive || valued)
		key->value = value;
	if (!alive)
		key->expiry = expiry;
	else if (key->expiry)
		key->expiry = expiry ? max(key->expiry, expiry) : 0;
	key->there = true;
}

/* Was a member with its value there? Where all are removed it may be gone. */
static void key_found(const struct key *key, bool matches, bool found)
{
	if (flushing)
		matches &= found;
	tap_require(found == matches, "a member: %d, the model: %d", found, matches);
}

static void job_end(struct job *job)
{
	const struct kcuckoo_batch *batch = &job->batch;
	unsigned int i;

	for (i = 0; i < batch->done; i++) {
		const struct kcuckoo_member *member = &batch->member[i];
		struct key *key = job->key[i];
		bool found = batch->result[i] != KCUCKOO_RESULT_ABSENT;
		bool existed = batch->result[i] == KCUCKOO_RESULT_EXISTS;

		if (job->action == ADD && existed && batch->only_absent) {
			key_found(key, key_alive(key), existed);
		} else if (job->action == ADD) {
			key_added(key, member->timeout, member->value,
				  batch->valued, existed);
		} else {
			key_found(key, key_alive(key) &&
				  (!batch->valued || key->value == member->value),
				  found);
			if (found && job->action == UPDATE)
				key->value = member->new_value;
			key->there &= job->action == UPDATE || !found;
		}
		key->touched = true;
	}
}

static void job_packet(struct job *job)
{
	unsigned int i;
	int ret;

	for (i = 0; i < job->count; i++) {
		struct key *key = job->key[i];
		u32 timeout = job_timeout();

		if (!filter->secret.strong || !key_host(key))
			continue;
		if (job->action == PACKET_ADD) {
			ret = kcuckoo_packet_add(filter, &key->query, timeout, NULL);
			tap_require(ret >= 0 || ret == -ENOSPC, "%d", ret);
			if (ret >= 0)
				key_added(key, timeout, 0, false, !ret);
		} else {
			ret = kcuckoo_packet_del(filter, &key->query);
			key_found(key, key_alive(key), ret);
			key->there &= !ret;
		}
		key->touched = true;
	}
}

static u64 alive_count(void)
{
	u64 count = 0;
	unsigned int i;

	for (i = 0; i < key_count; i++)
		count += key_alive(&keys[i]);
	return count;
}

static void see_fullest(void)
{
	fullest = max(fullest, kcuckoo_filter_members(filter));
}

/* An action may fail, though not without a reason. */
static void job_require(const struct job *job, int err)
{
	switch (err) {
	case 0:
		return;
	case -ENOMEM:
		tap_require(scarce, "there was memory");
		return;
	case -EINTR:
		tap_require(killed && job == &test_job, "nobody was killed");
		return;
	case -ENOSPC:
		see_fullest();
		tap_require(job->action == ADD && fullest >= filter->config.capacity,
			    "%llu of %llu were there", fullest, filter->config.capacity);
		return;
	default:
		tap_require(false, "error %d", err);
	}
}

static int job_act(struct job *job)
{
	int err = 0;

	switch (job->action) {
	case ADD:
		err = kcuckoo_filter_add(filter, &job->batch);
		job_end(job);
		break;
	case DELETE:
		kcuckoo_filter_del(filter, &job->batch);
		job_end(job);
		break;
	case UPDATE:
		kcuckoo_filter_update(filter, &job->batch);
		job_end(job);
		break;
	case PACKET_ADD:
	case PACKET_DELETE:
		job_packet(job);
		break;
	case RESERVE:
		err = kcuckoo_filter_reserve(filter, keys[random_below(key_count)].index,
					     random_below(2 * KEYS));
		break;
	case COMPACT:
		err = kcuckoo_filter_compact(filter);
		break;
	case COLLECT:
		err = kcuckoo_filter_collect(filter);
		break;
	case WORK:
		if (filter->collect_work.queued &&
		    filter->collect_work.due <= kernel_now)
			filter_work();
		break;
	default:
		err = kcuckoo_filter_flush(filter);
	}
	job_require(job, err);
	return err;
}

static void job_do(struct job *job)
{
	unsigned int i;

	job_act(job);
	for (i = 0; i < job->count; i++)
		job->key[i]->busy = false;
	job->count = 0;
}

static void other_acts(void)
{
	job_do(&other_job);
}

static bool key_covers(const struct key *outer, const struct key *inner)
{
	unsigned int bits = kcuckoo_family_bits(inner->query.family);
	struct kcuckoo_number a, b;

	if (outer->query.family != inner->query.family ||
	    outer->prefix.plen > inner->prefix.plen)
		return false;
	a = kcuckoo_prefix_cut(&outer->query.address, bits, outer->prefix.plen);
	b = kcuckoo_prefix_cut(&inner->query.address, bits, outer->prefix.plen);
	return a.hi == b.hi && a.lo == b.lo;
}

/* Is a prefix of a key, which is @plen bits long, a member, or about to be or go? */
static bool may_cover(const struct key *key, unsigned int plen)
{
	unsigned int i;

	for (i = 0; i < key_count; i++)
		if (keys[i].prefix.plen == plen && key_covers(&keys[i], key))
			return keys[i].busy || key_alive(&keys[i]);
	return false;
}

/* The longest member that covers all of a key is named, and no other. */
static void check_covered(const struct key *key, struct kcuckoo_batch *batch)
{
	int found, longest = -1;
	unsigned int i;

	for (i = 0; i < key_count; i++)
		if (!keys[i].busy && key_alive(&keys[i]) &&
		    keys[i].prefix.plen > longest && key_covers(&keys[i], key))
			longest = keys[i].prefix.plen;
	kcuckoo_filter_test(filter, batch, KCUCKOO_TEST_COVERED);
	found = batch->result[0] == KCUCKOO_RESULT_PRESENT ? batch->plen[0] : -1;
	tap_require(found == longest || (found > longest && may_cover(key, found)),
		    "a key of %u bits, covered by %d, not %d", key->prefix.plen,
		    longest, found);
}

/* Each way to look a key up. */
static void check_key(const struct key *key)
{
	static struct kcuckoo_batch batch;
	bool alive = key_alive(key);
	int ret;

	batch.count = 1;
	job_member(&batch, 0, key);
	if (!random_below(4))
		check_covered(key, &batch);
	job_member(&batch, 0, key);
	kcuckoo_filter_test(filter, &batch, KCUCKOO_TEST_MEMBER);
	tap_require((batch.result[0] == KCUCKOO_RESULT_PRESENT) == alive,
		    "a member of %u bits: %d, the model: %d", key->prefix.plen,
		    !alive, alive);
	/* Its address may also be in another one. */
	if (!alive)
		return;
	tap_require(kcuckoo_filter_contains(filter, &key->query), "missed");
	ret = key->query.family == KCUCKOO_FAMILY_IPV4 ?
	      kcuckoo_lookup_fast_ipv4(filter, key->query.address.lo) :
	      kcuckoo_lookup_fast_ipv6(filter);
	tap_require(ret, "missed by the fast path");
}

/* The first second in which a member that nobody deletes expires. */
static u32 first_expiry(void)
{
	u32 first = U32_MAX;
	unsigned int i;

	for (i = 0; i < key_count; i++)
		if (keys[i].expiry && !keys[i].busy && key_alive(&keys[i]))
			first = min(first, keys[i].expiry);
	return first;
}

/* Whoever adds or collects says last when the work is to run. */
static bool timer_known(void)
{
	return !other.work && (test_job.action == DELETE || test_job.action == UPDATE ||
			       test_job.action == RESERVE || test_job.action == COMPACT);
}

/* Between two sections. */
static void others(void)
{
	static const enum action actions[] = {
		ADD, ADD, ADD, ADD, DELETE, UPDATE, PACKET_ADD, PACKET_ADD, PACKET_DELETE,
		RESERVE, COMPACT, COLLECT,
	};
	unsigned int i;

	for (i = 0; i < LOOKS && !flushing; i++) {
		const struct key *key = &keys[random_below(key_count)];

		if (!key->busy)
			check_key(key);
	}
	if (timer_known())
		filter_require_timer(first_expiry());
	see_fullest();
	if (other.work || random_below(3))
		return;
	job_begin(&other_job, actions[random_below(ARRAY_SIZE(actions))], OTHER_KEYS);
	other_begin(other_acts);
	came++;
	waited += !!other.mutex;
}

/* A walk tells all members once. */
static void check_walk(void)
{
	static struct kcuckoo_walk_buffer buffer;
	static bool told[KEYS];
	struct kcuckoo_cursor cursor = {};
	unsigned int count, i;
	u64 all = 0;
	u32 state;

	memset(told, 0, sizeof(told));
	do {
		state = kcuckoo_filter_walk(filter, &cursor, &buffer,
					    1 + random_below(KCUCKOO_WALK_ITEMS_MAX), &count);
		tap_require(state != KCUCKOO_WALK_RESTART, "members were moved");
		for (i = 0; i < count; i++) {
			const struct key *key = bsearch(&buffer.prefix[i], keys, key_count,
							sizeof(*keys), key_compare);
			u32 left = key && key->expiry ? key->expiry - kernel_now : 0;

			tap_require(key && key_alive(key) && !told[key - keys],
				    "a walk tells what is no member, or twice");
			tap_require(buffer.value[i] == key->value, "another value");
			tap_require(buffer.timeout[i] == (left > 1 ? left - 1 : left),
				    "%u seconds are left, not %u", buffer.timeout[i], left);
			told[key - keys] = true;
		}
		all += count;
	} while (state == KCUCKOO_WALK_MORE);
	tap_require(all == alive_count(), "%llu of %llu are told", all, alive_count());
}

/* What is true when nobody does anything. */
static void check_all(bool thorough)
{
	struct kcuckoo_ioc_info info = {};
	u64 most = 0;
	unsigned int i;

	tap_require(!other.work, "who waited was not woken");
	filter_require_timer(first_expiry());
	kcuckoo_filter_info(filter, &info);
	tap_require(info.memory_bytes == (u64)account.bytes.count,
		    "%llu bytes of %lld are told", info.memory_bytes,
		    account.bytes.count);
	for (i = 0; i < key_count; i++)
		most += keys[i].there;
	tap_require(info.members >= alive_count() && info.members <= most,
		    "%llu members, not %llu to %llu", info.members, alive_count(), most);
	for (i = 0; i < key_count && thorough; i++)
		check_key(&keys[i]);
	if (thorough)
		check_walk();
}

/* What members the model forgets when all is done. */
static void model_settle(enum action action, int err)
{
	unsigned int i;

	for (i = 0; i < key_count; i++) {
		struct key *key = &keys[i];

		if (action == FLUSH && !key->touched)
			key->there = false;
		if (action == FLUSH && key_alive(key)) {
			job_member(&test_job.batch, 0, key);
			test_job.batch.count = 1;
			kcuckoo_filter_test(filter, &test_job.batch,
					    KCUCKOO_TEST_MEMBER);
			key->there = test_job.batch.result[0] == KCUCKOO_RESULT_PRESENT;
		}
		if (action == COLLECT && !err)
			key->there = key_alive(key);
		key->touched = false;
	}
}

/**
 * struct trial - what a filter is to go through
 * @lengths: prefixes of many lengths, of both families
 * @full: it may have fewer members than there are keys
 * @faults: memory is scarce, and the test is killed
 */
struct trial {
	bool lengths;
	bool full;
	bool faults;
};

static void act(const struct trial *trial)
{
	static const enum action actions[] = {
		ADD, ADD, ADD, ADD, ADD, ADD, ADD, DELETE, UPDATE, PACKET_ADD, PACKET_DELETE,
		RESERVE, COMPACT, COLLECT, WORK, WORK, WORK, FLUSH,
	};
	enum action action = actions[random_below(ARRAY_SIZE(actions))];
	int err;

	/* There are fewer flushes, or there would be few members. */
	if (action == FLUSH && random_below(4))
		action = ADD;
	if (!random_below(3))
		kernel_now += random_below(TIMEOUT_MOST);
	job_begin(&test_job, action, KCUCKOO_CHUNK);
	flushing = action == FLUSH;
	scarce = trial->faults ? 12 : 0;
	/* A flush that has no memory for an empty table takes many sections. */
	if (flushing)
		scarce = random_below(2);
	deadly = trial->faults && action != WORK ? 60 : 0;
	fullest = 0;
	between = others;
	err = job_act(&test_job);
	between = NULL;
	killed = false;
	deadly = 0;
	scarce = 0;
	while (test_job.count)
		test_job.key[--test_job.count]->busy = false;
	model_settle(action, err);
	flushing = false;
}

static void world(const struct trial *trial)
{
	struct kcuckoo_config config = {
		.capacity = trial->full ? 50 + random_below(KEYS) : 1 << 30,
		.search_limit = random_below(2) ? KCUCKOO_SEARCH_VISITS : 2 + random_below(60),
		.params = {
			.bucket_shift = random_below(KCUCKOO_BUCKET_SHIFT_MAX + 1),
			.value_bits = random_below(2) * (1 + random_below(32)),
			.expiry_bits = random_below(4) ? 32 : 0,
		},
	};
	unsigned int i;

	filter_begin(config, random_below(2));
	busy = random_below(2);
	kernel_now = 1 + random_below(1000);
	key_count = 100 + random_below(KEYS - 100);
	for (i = 0; i < key_count; i++)
		key_make(&keys[i], i, trial->lengths);
	qsort(keys, key_count, sizeof(*keys), key_compare);
	for (i = 0; i < ACTIONS; i++) {
		act(trial);
		check_all(!random_below(8));
	}
	check_all(true);
	filter_end();
}

static void trials(bool lengths, bool full, bool faults)
{
	const struct trial trial = {
		.lengths = lengths,
		.full = full,
		.faults = faults,
	};
	u64 round;

	came = 0;
	waited = 0;
	for (round = tap_environment("ROUNDS", 40); round; round--)
		world(&trial);
	printf("# others came %llu times, and waited %llu times\n", came, waited);
	tap_require(came > waited && waited, "nobody came, or waited");
}

static void hosts(void)
{
	trials(false, false, false);
}

static void lengths(void)
{
	trials(true, false, false);
}

static void capacity(void)
{
	trials(false, true, false);
}

static void faults(void)
{
	trials(true, true, true);
}

static const struct tap_test tests[] = {
	{ "model.hosts: addresses of one length", hosts },
	{ "model.lengths: prefixes of many lengths", lengths },
	{ "model.capacity: no more members than there may be", capacity },
	{ "model.faults: memory is scarce, and who acts is killed", faults },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
