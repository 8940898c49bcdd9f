// SPDX-License-Identifier: GPL-2.0-only
/*
 * Batches of keys, and walks, every allocation and user copy of which fails in
 * turn: just those keys are done that the call says.
 */

#include "sweep.h"

/* In the filter before; and then in a batch of three chunks, so that it grows. */
#define BASE	100
#define MORE	600

static struct kcuckoo_prefix keys[BASE + MORE];
static __u32 values[BASE + MORE];
static __u32 others[BASE + MORE];
static __u32 timeouts[BASE + MORE];
static __u8 results[BASE + MORE];

/*
 * Byte strings, in a table of 256 entries: so few that it is never doubled for them, and
 * so many more that it always is.
 */
#define WORDS		215
#define MORE_WORDS	60

static struct strings words, more_words, all_words;

/* How many keys the batches add: more in every other round. */
static size_t more(void)
{
	return sweep_round % 2 ? MORE : MORE / 2;
}

/* What a batch that adds may leave behind, and what it needs. */
#define ADDS	(ACTION_TOLD | ACTION_BYTES)

/* What the last batch said. */
static union {
	struct kcuckoo_ioc_add add;
	struct kcuckoo_ioc_del del;
	struct kcuckoo_ioc_update update;
	struct kcuckoo_ioc_test test;
	struct batch head;
} batch;

static int world_make(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		keys[i] = i % 16 == 0 ? ipv4(i << 20, 16) :
			  i % 16 == 1 ? ipv4(i << 16, 24) :
			  i % 16 == 2 ? ipv4(i << 12, 20) :
			  i % 16 == 3 ? ipv6(0x20010db8ULL << 32 | i << 16, 0, 48) :
			  i % 16 == 4 ? ipv6(0x20010db8ULL << 32, i, 128) :
					ipv4(0x0a000000 + i * 0x101, 32);
		values[i] = i % 200;
		others[i] = 200 + i % 50;
		timeouts[i] = 100000 + i;
	}
	words = strings_make("key", 0, WORDS);
	more_words = strings_make("key", WORDS, MORE_WORDS);
	all_words = strings_make("key", 0, WORDS + MORE_WORDS);
	return 0;
}

/* One call for a batch that has been described. */
static int batch_call(int fd, unsigned long request, const char *name, __u32 size)
{
	batch.head.size = size;
	set_name(batch.head.name, name);
	memset(results, POISON, sizeof(results));
	return fault_call(fd, request, &batch);
}

/* A call that succeeds did something, and all of it where nothing failed. */
static bool some_done(void)
{
	return fault.error ? !batch.head.done :
	       fault.hit ? batch.head.done && batch.head.done <= batch.head.count :
			   batch.head.done == batch.head.count;
}

/* Was all done? Else a limit was in the way. */
static bool batch_whole(void)
{
	return batch.head.done == batch.head.count;
}

/* Results are told for so many keys at a time. */
#define CHUNK	128

/*
 * Did the call tell the results of all that it did: of the leading @count keys one,
 * of the rest another, and of keys that were not reached none? One copy that failed
 * may be that of one chunk's results.
 */
static bool results_split(__u32 count, __u8 expected, __u8 rest)
{
	const __u32 told = fault.error ? batch.head.count : batch.head.done;
	const bool untold = fault.hit && fault.kind == FAULT_COPY && !fault.error;
	__u32 missing = ~0U, i;

	if (!some_done())
		return false;
	for (i = 0; i < told; i++) {
		if (results[i] == (i < count ? expected : rest))
			continue;
		if (!untold || results[i] != KCUCKOO_RESULT_NONE ||
		    (missing != ~0U && missing != i / CHUNK))
			return false;
		missing = i / CHUNK;
	}
	while (i < batch.head.count && (results[i] == KCUCKOO_RESULT_NONE ||
					(untold && results[i] == POISON)))
		i++;
	return i == batch.head.count;
}

static bool results_are(__u8 expected)
{
	return results_split(~0U, expected, expected);
}

/* A filter with values and timeouts, and the first of the keys. */
static int list_form(int fd, __u32 fpr, __u8 value_bits, __u32 flags)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.flags = flags,
		.type = KCUCKOO_TYPE_INET,
		.value_bits = value_bits,
		.capacity = 2000,
		.tag_bits = fpr,
	};
	int error;

	set_name(create.name, "list");
	error = bystanders(fd) ?: call(fd, KCUCKOO_IOC_CREATE, &create);
	if (!error) {
		struct kcuckoo_ioc_add add = {
			.size = sizeof(add),
			.keys = (uintptr_t)keys,
			.values = value_bits ? (uintptr_t)values : 0,
			.timeouts = flags & KCUCKOO_CREATE_TIMEOUT ? (uintptr_t)timeouts : 0,
			.count = BASE,
		};

		set_name(add.name, "list");
		error = call(fd, KCUCKOO_IOC_ADD, &add) ?: add.done == BASE ? 0 : -EPROTO;
	}
	know("list", keys, NULL, BASE);
	return error;
}

static int plain_prepare(int fd)
{
	return list_form(fd, 0, 0, 0);
}

static int rich_prepare(int fd)
{
	return list_form(fd, 0, 8, KCUCKOO_CREATE_TIMEOUT);
}

static int fingerprints_prepare(int fd)
{
	return list_form(fd, 16, 0, 0);
}

static int add_act(int fd)
{
	memset(&batch, 0, sizeof(batch));
	batch.add.keys = (uintptr_t)(keys + BASE);
	batch.add.results = (uintptr_t)results;
	batch.add.count = more();
	return batch_call(fd, KCUCKOO_IOC_ADD, "list", sizeof(batch.add));
}

static int add_rich_act(int fd)
{
	memset(&batch, 0, sizeof(batch));
	batch.add.keys = (uintptr_t)(keys + BASE);
	batch.add.results = (uintptr_t)results;
	batch.add.values = (uintptr_t)(values + BASE);
	batch.add.timeouts = (uintptr_t)(timeouts + BASE);
	batch.add.count = more();
	return batch_call(fd, KCUCKOO_IOC_ADD, "list", sizeof(batch.add));
}

/* What came in, came in from the front; a call that could not tell, did all. */
static size_t done_of(int fd, size_t count, long long now, long long before)
{
	if (!fault.error)
		return batch.head.done;
	/* The structure was not written at the end: what is there must be all. */
	return now - before == (long long)count ? count : ~0UL;
}

static bool add_done(int fd)
{
	long long entries = filter_entries(fd, "list");
	size_t done = done_of(fd, more(), entries, BASE);

	if (done > more() || entries != (long long)(BASE + done) ||
	    batch.head.hits != batch.head.done)
		return false;
	return results_are(KCUCKOO_RESULT_ADDED) && known_found(fd, known_count) &&
	       keys_members(fd, "list", keys, BASE + done) == (long long)(BASE + done);
}

/* All values that were given are there. */
static bool values_are(int fd, const __u32 *expected, size_t count)
{
	static __u32 found[BASE + MORE];
	struct kcuckoo_ioc_test test = {
		.size = sizeof(test),
		.flags = KCUCKOO_TEST_MEMBER,
		.keys = (uintptr_t)keys,
		.values = (uintptr_t)found,
		.max_values = 1,
		.count = count,
	};

	set_name(test.name, "list");
	return !call(fd, KCUCKOO_IOC_TEST, &test) && test.present == count &&
	       !memcmp(found, expected, count * sizeof(*found));
}

static bool add_rich_done(int fd)
{
	return add_done(fd) && values_are(fd, values, filter_entries(fd, "list"));
}

/* Members, and then others; the members stay as they are. */
static int add_absent_act(int fd)
{
	memset(&batch, 0, sizeof(batch));
	batch.add.flags = KCUCKOO_ADD_ABSENT;
	batch.add.keys = (uintptr_t)keys;
	batch.add.results = (uintptr_t)results;
	batch.add.values = (uintptr_t)others;
	batch.add.count = BASE + more();
	return batch_call(fd, KCUCKOO_IOC_ADD, "list", sizeof(batch.add));
}

static bool add_absent_done(int fd)
{
	__u32 expected[BASE + MORE];
	long long entries = filter_entries(fd, "list");
	size_t done = done_of(fd, BASE + more(), entries, 0);

	if (done > BASE + more() || entries != (long long)(done > BASE ? done : BASE))
		return false;
	memcpy(expected, others, entries * sizeof(*expected));
	memcpy(expected, values, BASE * sizeof(*expected));
	return results_split(BASE, KCUCKOO_RESULT_EXISTS, KCUCKOO_RESULT_ADDED) &&
	       (fault.error || batch.add.added == entries - BASE) &&
	       (fault.error || batch.add.existed == (done < BASE ? done : BASE)) &&
	       known_found(fd, known_count) && values_are(fd, expected, entries);
}

TEST_F(faults, add)
{
	const struct action actions[] = {
		{ "add", plain_prepare, add_act, add_done, ADDS, batch_whole },
		{ "add with values and timeouts", rich_prepare, add_rich_act, add_rich_done,
		  ADDS, batch_whole },
		{ "add fingerprints", fingerprints_prepare, add_act, add_done, ACTION_TOLD },
		{ "add what is absent", rich_prepare, add_absent_act, add_absent_done,
		  ADDS | ACTION_ROUNDS, batch_whole },
	};

	sweep_all(_metadata, &self->sweep, actions, ARRAY_SIZE(actions));
}

static int del_act(int fd)
{
	memset(&batch, 0, sizeof(batch));
	batch.del.keys = (uintptr_t)keys;
	batch.del.results = (uintptr_t)results;
	batch.del.count = BASE / 2;
	return batch_call(fd, KCUCKOO_IOC_DEL, "list", sizeof(batch.del));
}

static bool del_done(int fd)
{
	long long entries = filter_entries(fd, "list");
	size_t done = done_of(fd, BASE / 2, BASE, entries);

	return done <= BASE / 2 && entries == (long long)(BASE - done) &&
	       batch.head.hits == batch.head.done && results_are(KCUCKOO_RESULT_DELETED) &&
	       keys_members(fd, "list", keys + done, BASE - done) == entries;
}

static int update_act(int fd)
{
	memset(&batch, 0, sizeof(batch));
	batch.update.keys = (uintptr_t)keys;
	batch.update.results = (uintptr_t)results;
	batch.update.old_values = (uintptr_t)values;
	batch.update.values = (uintptr_t)others;
	batch.update.count = BASE / 2;
	return batch_call(fd, KCUCKOO_IOC_UPDATE, "list", sizeof(batch.update));
}

static bool update_done(int fd)
{
	__u32 expected[BASE];
	size_t done = fault.error ? BASE / 2 : batch.head.done;

	if (done > BASE / 2)
		return false;
	memcpy(expected, others, done * sizeof(*expected));
	memcpy(expected + done, values + done, (BASE - done) * sizeof(*expected));
	return values_are(fd, expected, BASE) && batch.head.hits == batch.head.done &&
	       results_are(KCUCKOO_RESULT_UPDATED);
}

TEST_F(faults, change)
{
	const struct action actions[] = {
		{ "delete", plain_prepare, del_act, del_done, ACTION_TOLD },
		{ "delete fingerprints", fingerprints_prepare, del_act, del_done, ACTION_TOLD },
		{ "update", rich_prepare, update_act, update_done, ACTION_TOLD },
	};

	sweep_all(_metadata, &self->sweep, actions, ARRAY_SIZE(actions));
}

static __u32 found_values[BASE];
static __u8 found_counts[BASE];

static int test_act(int fd)
{
	memset(&batch, 0, sizeof(batch));
	memset(found_values, POISON, sizeof(found_values));
	batch.test.keys = (uintptr_t)keys;
	batch.test.results = (uintptr_t)results;
	batch.test.values = (uintptr_t)found_values;
	batch.test.value_counts = (uintptr_t)found_counts;
	batch.test.max_values = 1;
	batch.test.count = BASE / 10;
	return batch_call(fd, KCUCKOO_IOC_TEST, "list", sizeof(batch.test));
}

/*
 * What was looked up has been told: a result that is lost was not done. The leading
 * @count keys are members.
 */
static bool told_done(int fd, __u32 count)
{
	const __u32 done = batch.head.done, present = done < count ? done : count;
	__u32 i;

	for (i = 0; i < done; i++)
		if (results[i] != (i < count ? KCUCKOO_RESULT_PRESENT : KCUCKOO_RESULT_ABSENT))
			return false;
	return some_done() && batch.test.present == present && known_found(fd, known_count);
}

static bool test_done(int fd)
{
	__u32 i;

	for (i = 0; i < batch.head.done; i++)
		if (found_values[i] != values[i] || found_counts[i] != 1)
			return false;
	return told_done(fd, BASE / 10);
}

static int test_large_act(int fd)
{
	memset(&batch, 0, sizeof(batch));
	batch.test.keys = (uintptr_t)keys;
	batch.test.results = (uintptr_t)results;
	batch.test.count = BASE + more();
	return batch_call(fd, KCUCKOO_IOC_TEST, "list", sizeof(batch.test));
}

static bool test_large_done(int fd)
{
	return told_done(fd, BASE);
}

static struct kcuckoo_prefix walked[BASE];
static __u32 walked_values[BASE];
static __u32 walked_timeouts[BASE];
static struct kcuckoo_ioc_walk walk;

static int walk_act(int fd)
{
	const struct kcuckoo_ioc_walk all = {
		.size = sizeof(all),
		.keys = (uintptr_t)walked,
		.values = (uintptr_t)walked_values,
		.timeouts = (uintptr_t)walked_timeouts,
		.count = BASE,
	};

	memset(walked, POISON, sizeof(walked));
	memset(walked_values, POISON, sizeof(walked_values));
	memset(walked_timeouts, POISON, sizeof(walked_timeouts));
	walk = all;
	set_name(walk.name, "list");
	return fault_call(fd, KCUCKOO_IOC_WALK, &walk);
}

/* Seconds that a sweep takes at most. */
#define LONGEST		3600

/* Was key @i told once, with its value and what is left of its timeout? */
static bool walked_once(size_t i)
{
	size_t told = 0, j;

	for (j = 0; j < BASE; j++)
		told += !key_compare(&walked[j], &keys[i]) && walked_values[j] == values[i] &&
			walked_timeouts[j] <= timeouts[i] &&
			walked_timeouts[j] >= timeouts[i] - LONGEST;
	return told == 1;
}

static bool walk_done(int fd)
{
	size_t i;

	for (i = 0; i < BASE && walked_once(i); i++)
		;
	return i == BASE && walk.done == BASE && known_found(fd, known_count);
}

TEST_F(faults, look)
{
	const struct action actions[] = {
		{ "test with values", rich_prepare, test_act, test_done },
		{ "test", plain_prepare, test_large_act, test_large_done },
		{ "walk", rich_prepare, walk_act, walk_done },
	};

	sweep_all(_metadata, &self->sweep, actions, ARRAY_SIZE(actions));
}

/* A full table: the keys that are to come double it. */
static int words_form(int fd, __u32 flags, __u8 value_bits)
{
	struct kcuckoo_ioc_create create = bytes_form("words", 200, 16);
	struct kcuckoo_ioc_add add = strings_adding("words", &words);
	int error;

	create.flags = flags;
	create.value_bits = value_bits;
	/* No two of the keys are taken for one another then. */
	create.tag_bits = value_bits || flags & KCUCKOO_CREATE_INSERT_ONLY ? 32 : create.tag_bits;
	add.values = value_bits ? (uintptr_t)values : 0;
	add.timeouts = flags & KCUCKOO_CREATE_TIMEOUT ? (uintptr_t)timeouts : 0;
	error = bystanders(fd) ?: call(fd, KCUCKOO_IOC_CREATE, &create) ?:
		call(fd, KCUCKOO_IOC_ADD, &add);
	if (!error && add.added != WORDS)
		error = -EPROTO;
	know("words", NULL, &words, WORDS);
	return error;
}

static int words_prepare(int fd)
{
	return words_form(fd, 0, 0);
}

static int sorted_prepare(int fd)
{
	return words_form(fd, KCUCKOO_CREATE_SORTED, 0);
}

static int valued_prepare(int fd)
{
	return words_form(fd, 0, 8);
}

static int expiring_prepare(int fd)
{
	return words_form(fd, KCUCKOO_CREATE_TIMEOUT | KCUCKOO_CREATE_INSERT_ONLY, 8);
}

static int once_prepare(int fd)
{
	return words_form(fd, KCUCKOO_CREATE_INSERT_ONLY, 0);
}

static int add_words_act(int fd)
{
	memset(&batch, 0, sizeof(batch));
	batch.add = strings_adding("words", &more_words);
	batch.add.results = (uintptr_t)results;
	return batch_call(fd, KCUCKOO_IOC_ADD, "words", sizeof(batch.add));
}

static bool add_words_done(int fd)
{
	long long entries = filter_entries(fd, "words");
	size_t done = done_of(fd, MORE_WORDS, entries, WORDS);
	struct strings leading = all_words;

	leading.count = WORDS + done;
	return done <= MORE_WORDS && entries == (long long)leading.count &&
	       results_are(KCUCKOO_RESULT_ADDED) &&
	       strings_test(fd, "words", &leading) == entries;
}

/* All values of strings that were given are there. */
static bool words_values_are(int fd, const __u32 *expected, size_t count)
{
	static __u32 found[WORDS + MORE_WORDS];
	struct kcuckoo_ioc_test test = {
		.size = sizeof(test),
		.keys = (uintptr_t)all_words.bytes,
		.lengths = (uintptr_t)all_words.lengths,
		.values = (uintptr_t)found,
		.max_values = 1,
		.count = count,
	};

	set_name(test.name, "words");
	return !call(fd, KCUCKOO_IOC_TEST, &test) && test.present == count &&
	       !memcmp(found, expected, count * sizeof(*found));
}

static int add_valued_act(int fd)
{
	memset(&batch, 0, sizeof(batch));
	batch.add = strings_adding("words", &more_words);
	batch.add.results = (uintptr_t)results;
	batch.add.values = (uintptr_t)(values + WORDS);
	return batch_call(fd, KCUCKOO_IOC_ADD, "words", sizeof(batch.add));
}

static bool add_valued_done(int fd)
{
	return add_words_done(fd) && words_values_are(fd, values, filter_entries(fd, "words"));
}

static int add_expiring_act(int fd)
{
	memset(&batch, 0, sizeof(batch));
	batch.add = strings_adding("words", &more_words);
	batch.add.results = (uintptr_t)results;
	batch.add.values = (uintptr_t)(values + WORDS);
	batch.add.timeouts = (uintptr_t)(timeouts + WORDS);
	return batch_call(fd, KCUCKOO_IOC_ADD, "words", sizeof(batch.add));
}

static bool add_expiring_done(int fd)
{
	struct kcuckoo_ioc_info info;

	return add_valued_done(fd) && !filter_info(fd, "words", &info) &&
	       info.members_with_timeout == info.members;
}

/* Members, and then others. */
static int add_absent_words_act(int fd)
{
	memset(&batch, 0, sizeof(batch));
	batch.add = strings_adding("words", &all_words);
	batch.add.flags = KCUCKOO_ADD_ABSENT;
	batch.add.results = (uintptr_t)results;
	return batch_call(fd, KCUCKOO_IOC_ADD, "words", sizeof(batch.add));
}

static bool add_absent_words_done(int fd)
{
	long long entries = filter_entries(fd, "words");
	size_t done = done_of(fd, WORDS + MORE_WORDS, entries, 0);

	if (done > WORDS + MORE_WORDS || entries != (long long)(done > WORDS ? done : WORDS))
		return false;
	return results_split(WORDS, KCUCKOO_RESULT_EXISTS, KCUCKOO_RESULT_ADDED) &&
	       known_found(fd, known_count);
}

static int update_words_act(int fd)
{
	memset(&batch, 0, sizeof(batch));
	batch.update.keys = (uintptr_t)words.bytes;
	batch.update.lengths = (uintptr_t)words.lengths;
	batch.update.results = (uintptr_t)results;
	batch.update.old_values = (uintptr_t)values;
	batch.update.values = (uintptr_t)others;
	batch.update.count = 20;
	return batch_call(fd, KCUCKOO_IOC_UPDATE, "words", sizeof(batch.update));
}

static bool update_words_done(int fd)
{
	size_t done = fault.error ? 20 : batch.head.done;
	__u32 expected[WORDS];

	if (done > 20)
		return false;
	memcpy(expected, others, done * sizeof(*expected));
	memcpy(expected + done, values + done, (WORDS - done) * sizeof(*expected));
	return words_values_are(fd, expected, WORDS) && batch.head.hits == batch.head.done &&
	       results_are(KCUCKOO_RESULT_UPDATED);
}

static int del_words_act(int fd)
{
	memset(&batch, 0, sizeof(batch));
	batch.del.keys = (uintptr_t)words.bytes;
	batch.del.lengths = (uintptr_t)words.lengths;
	batch.del.results = (uintptr_t)results;
	batch.del.count = 20;
	return batch_call(fd, KCUCKOO_IOC_DEL, "words", sizeof(batch.del));
}

static bool del_words_done(int fd)
{
	long long entries = filter_entries(fd, "words");
	size_t done = done_of(fd, 20, WORDS, entries);
	struct strings left;

	if (done > 20)
		return false;
	left = strings_from(&words, done);
	return entries == (long long)left.count && batch.head.hits == batch.head.done &&
	       results_are(KCUCKOO_RESULT_DELETED) &&
	       strings_test(fd, "words", &left) == entries;
}

static int test_words_act(int fd)
{
	memset(&batch, 0, sizeof(batch));
	batch.test.keys = (uintptr_t)words.bytes;
	batch.test.lengths = (uintptr_t)words.lengths;
	batch.test.results = (uintptr_t)results;
	batch.test.count = 20;
	return batch_call(fd, KCUCKOO_IOC_TEST, "words", sizeof(batch.test));
}

static bool test_words_done(int fd)
{
	return told_done(fd, 20);
}

TEST_F(faults, strings)
{
	const struct action actions[] = {
		{ "add strings", words_prepare, add_words_act, add_words_done, ADDS,
		  batch_whole },
		{ "add to sorted buckets", sorted_prepare, add_words_act, add_words_done, ADDS,
		  batch_whole },
		{ "delete strings", words_prepare, del_words_act, del_words_done, ACTION_TOLD },
		{ "test strings", words_prepare, test_words_act, test_words_done },
	};

	sweep_all(_metadata, &self->sweep, actions, ARRAY_SIZE(actions));
}

TEST_F(faults, strings_with_values)
{
	const struct action actions[] = {
		{ "add strings with values", valued_prepare, add_valued_act, add_valued_done,
		  ADDS | ACTION_ROUNDS, batch_whole },
		{ "add strings with timeouts", expiring_prepare, add_expiring_act,
		  add_expiring_done, ADDS, batch_whole },
		{ "add strings that are absent", once_prepare, add_absent_words_act,
		  add_absent_words_done, ADDS | ACTION_ROUNDS, batch_whole },
		{ "update strings", valued_prepare, update_words_act, update_words_done,
		  ACTION_TOLD },
	};

	sweep_all(_metadata, &self->sweep, actions, ARRAY_SIZE(actions));
}

TEST_HARNESS_MAIN
