/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sweeps: an operation is done with each of its faults in turn, until it needs no
 * more of them. After each failure the errno is one that the contract has, and the
 * namespace is what it was.
 */
#ifndef KCUCKOO_SWEEP_H
#define KCUCKOO_SWEEP_H

#include "bytes.h"
#include "fault.h"
#include "image.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>

/* More than any call needs. */
#define FAULT_CALL_MAX	20000

/* Filters and rules that a digest has room for. */
#define FILTERS_MAX	16
#define RULES_MAX	16

/**
 * struct known - members that a filter has to have
 * @name: the filter
 * @keys: of addresses
 * @strings: or byte strings
 * @count: how many
 */
struct known {
	const char *name;
	const struct kcuckoo_prefix *keys;
	const struct strings *strings;
	size_t count;
};

static struct known known[8];
static unsigned int known_count;

static inline void know(const char *name, const struct kcuckoo_prefix *keys,
			const struct strings *strings, size_t count)
{
	const struct known one = { name, keys, strings, count };

	known[known_count++] = one;
}

/* Are the members of the first @count filters found, every one of them? */
static inline bool known_found(int fd, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		const struct known *one = &known[i];
		long long found = one->strings ?
				  strings_test(fd, one->name, one->strings) :
				  keys_members(fd, one->name, one->keys, one->count);

		if (found != (long long)one->count) {
			fprintf(stderr, "# %s: %lld of %zu members found\n", one->name,
				found, one->count);
			return false;
		}
	}
	return true;
}

/**
 * struct digest - what a namespace holds
 * @partly: tables may become others that have the same members
 * @filters: filters with their figures, tables and secrets, in their order; of
 *	bystanders their figures
 * @rules: rules with their counters
 * @stats: figures of the namespace
 */
struct digest {
	bool partly;
	__u64 filters;
	__u64 rules;
	struct kcuckoo_ioc_stats stats;
};

/* FNV-1a */
static inline void digest_add(__u64 *digest, const void *bytes, size_t length)
{
	const __u8 *byte = bytes;

	while (length--)
		*digest = (*digest ^ *byte++) * 0x100000001b3ULL;
}

/* Where a snapshot tells the time at which it was taken; its end is a checksum. */
#define IMAGE_NOW	44
#define IMAGE_END	8

/* The snapshot, with the secret and all tables. */
static inline int digest_tables(int fd, const char *name, __u64 *digest)
{
	__u8 *image = NULL;
	__u64 total = 0;
	int error = image_save(fd, name, 1 << 16, &image, &total);

	if (!error) {
		memset(image + IMAGE_NOW, 0, sizeof(__u32));
		digest_add(digest, image, total - IMAGE_END);
	}
	free(image);
	return error;
}

static inline int digest_members(int fd, const char *name, struct digest *digest)
{
	struct kcuckoo_prefix *members;
	long long count = keys_walk(fd, name, KCUCKOO_WALK_BATCH, &members, NULL);

	if (count < 0)
		return count;
	digest_add(&digest->filters, members, count * sizeof(*members));
	free(members);
	return 0;
}

static inline int digest_filter(int fd, const char *name, struct digest *digest)
{
	struct kcuckoo_ioc_info info;
	int error = filter_info(fd, name, &info);

	if (error)
		return error;
	if (digest->partly) {
		digest_add(&digest->filters, name, strlen(name) + 1);
		digest_add(&digest->filters, &info.members, sizeof(info.members));
		return info.type == KCUCKOO_TYPE_INET && !info.tag_bits ?
		       digest_members(fd, name, digest) : 0;
	}
	/* Efforts are told whether they led to something or not. */
	info.refused = 0;
	info.searches = 0;
	info.moves = 0;
	digest_add(&digest->filters, &info, sizeof(info));
	return strncmp(name, "by", 2) ? digest_tables(fd, name, &digest->filters) : 0;
}

static inline int digest_make(int fd, struct digest *digest, bool partly)
{
	struct kcuckoo_list_entry entries[FILTERS_MAX];
	struct kcuckoo_rule rules[RULES_MAX];
	int filters, count, error, i;

	memset(digest, 0, sizeof(*digest));
	memset(rules, 0, sizeof(rules));
	digest->partly = partly;
	filters = filter_list(fd, entries, FILTERS_MAX);
	count = rule_list(fd, rules, RULES_MAX);
	if (filters < 0 || filters > FILTERS_MAX || count < 0 || count > RULES_MAX)
		return -EPROTO;
	for (i = 0; i < filters; i++) {
		error = digest_filter(fd, (char *)entries[i].name, digest);
		if (error)
			return error;
	}
	digest_add(&digest->rules, rules, count * sizeof(*rules));
	return client_stats(fd, &digest->stats);
}

/* Is memory what it was, once all that was given up has been freed? */
static inline bool memory_same(int fd, __u64 bytes)
{
	struct kcuckoo_ioc_stats stats = { .memory_bytes = bytes + 1 };
	int i;

	for (i = 0; i < 500; i++) {
		if (i)
			client_sleep(0.01);
		if (!client_stats(fd, &stats) && stats.memory_bytes == bytes)
			return true;
	}
	fprintf(stderr, "# memory: %llu bytes instead of %llu\n", stats.memory_bytes, bytes);
	return false;
}

static inline bool digest_same(int fd, const struct digest *before)
{
	struct digest now;

	if (digest_make(fd, &now, before->partly))
		return false;
	return now.filters == before->filters && now.rules == before->rules &&
	       now.stats.filters == before->stats.filters &&
	       now.stats.rules == before->stats.rules &&
	       now.stats.waiting == before->stats.waiting &&
	       now.stats.members == before->stats.members &&
	       (before->partly || memory_same(fd, before->stats.memory_bytes));
}

/* Tables of those that no action is about; looked at when one has been done. */
static inline __u64 digest_bystanders(int fd)
{
	__u64 digest = 0;

	return digest_tables(fd, "by", &digest) ||
	       digest_tables(fd, "by-strings", &digest) ? 0 : digest;
}

/* Filters that no action is about; the first that are known. */
#define BYSTANDERS	2

/* What is larger in later rounds goes by this; it counts from 0. */
static unsigned int sweep_round;

/* What an action may leave behind when it fails, and what it needs. */
/* EFAULT: it was done, and could not be told. */
#define ACTION_TOLD	1
/* The same members, but not the same tables. */
#define ACTION_PARTLY	2
/* No memory of its own, so that none can be missing. */
#define ACTION_LEAN	4
/* Bytes of the namespace, and names: the limits on them can refuse it. */
#define ACTION_BYTES	8
#define ACTION_NAMES	16
/* Bytes, too, and it does its work without them. */
#define ACTION_SPITE	32
/* Rounds: every day there is another one much like it. */
#define ACTION_ROUNDS	64

/**
 * struct action - one operation, from a state that can be made again and again
 * @name: for messages
 * @prepare: makes the state out of an empty namespace; 0 or a negative errno
 * @act: does it, in fault_call()s; 0 or a negative errno
 * @done: is the state right after it was done, and what it told?
 * @flags: ACTION_*
 * @whole: did it do all, and not the beginning of a batch alone? NULL: it never does
 */
struct action {
	const char *name;
	int (*prepare)(int fd);
	int (*act)(int fd);
	bool (*done)(int fd);
	unsigned int flags;
	bool (*whole)(void);
};

/**
 * struct sweep - an action on its way through all faults
 * @client: the namespace
 * @action: the action
 * @before: the state that it begins with
 * @bystanders: and what bystanders hold
 * @ready: the namespace is in that state
 * @count: faults of each kind so far
 */
struct sweep {
	struct client client;
	const struct action *action;
	struct digest before;
	__u64 bystanders;
	bool ready;
	unsigned int count[FAULT_KINDS];
};

/*
 * Memory once all that was given up has been freed: callbacks follow a grace
 * period, and work that frees follows them.
 */
static inline __u64 memory_settled(int fd)
{
	struct kcuckoo_ioc_stats stats = {};
	__u64 bytes;

	client_stats(fd, &stats);
	do {
		bytes = stats.memory_bytes;
		syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
		client_sleep(0.01);
		syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
		client_sleep(0.01);
	} while (!client_stats(fd, &stats) && stats.memory_bytes != bytes);
	return bytes;
}

static inline bool sweep_prepare(struct sweep *sweep)
{
	int fd = sweep->client.fd;
	int error;

	if (sweep->ready)
		return true;
	client_clear(fd);
	known_count = 0;
	if (!memory_same(fd, 0))
		return false;
	error = sweep->action->prepare(fd) ?:
		digest_make(fd, &sweep->before, sweep->action->flags & ACTION_PARTLY);
	sweep->bystanders = digest_bystanders(fd);
	if (error)
		fprintf(stderr, "# %s: cannot be prepared: %s\n", sweep->action->name,
			strerror(-error));
	sweep->ready = !error && known_found(fd, known_count);
	sweep->before.stats.memory_bytes = memory_settled(fd);
	return sweep->ready;
}

/* Is all as it has to be after the action has returned @error? */
static inline bool sweep_judge(struct sweep *sweep, int error)
{
	const struct action *action = sweep->action;
	int fd = sweep->client.fd;

	sweep->ready = false;
	if (!error)
		return action->done(fd) && known_found(fd, BYSTANDERS) &&
		       digest_bystanders(fd) == sweep->bystanders;
	if (!fault.hit || error != fault_errors[fault.kind])
		return false;
	if (digest_same(fd, &sweep->before)) {
		sweep->ready = !(action->flags & ACTION_PARTLY);
		return known_found(fd, known_count);
	}
	return action->flags & ACTION_TOLD && error == -EFAULT && action->done(fd);
}

/* What has been done, and with which fault; false if that did harm. */
static inline bool sweep_judged(struct sweep *sweep, int error, unsigned long long nth)
{
	if (fault.hit)
		sweep->count[fault.kind]++;
	if (sweep_judge(sweep, error))
		return true;
	fprintf(stderr, "# %s: fault %llu (%s) did harm; result: %s\n", sweep->action->name,
		nth, fault.hit ? fault_names[fault.kind] : "none", strerror(-error));
	return false;
}

/* The action with fault @nth, and its result. Returns false if that did harm. */
static inline bool sweep_fault(struct sweep *sweep, unsigned int nth, int *result)
{
	if (!sweep_prepare(sweep))
		return false;
	fault_aim(nth);
	*result = sweep->action->act(sweep->client.fd);
	fault.target = 0;
	return sweep_judged(sweep, *result, nth);
}

/* Every fault of an action in turn. Returns false at the first that did harm. */
static inline bool sweep_faults(struct sweep *sweep)
{
	unsigned int nth;
	int error;

	for (nth = 1; nth < FAULT_CALL_MAX; nth++) {
		if (!sweep_fault(sweep, nth, &error))
			return false;
		if (!fault.hit)
			return !error;
	}
	return false;
}

/* One of the module's limits. */
static inline bool limit_set(const char *name, __u64 limit)
{
	char path[100], text[30];

	snprintf(path, sizeof(path), "/sys/module/kcuckoo/parameters/%s", name);
	snprintf(text, sizeof(text), "%llu", limit);
	return !fault_write(path, text);
}

/*
 * The action with a limit of @limit. What it did in spite of that may be the beginning
 * of a batch. Returns false if it did harm.
 */
static inline bool sweep_limit(struct sweep *sweep, const char *name, __u64 limit,
			       __u64 usual, bool *whole)
{
	int error;

	fault_aim(0);
	fault.kind = FAULT_LIMIT;
	if (!limit_set(name, limit))
		return false;
	error = sweep->action->act(sweep->client.fd);
	if (!limit_set(name, usual))
		return false;
	*whole = !error && (!sweep->action->whole || sweep->action->whole());
	fault.hit = !*whole;
	fault_total[FAULT_LIMIT] += fault.hit;
	return sweep_judged(sweep, error, limit);
}

/* So much more than what is used does no action need; and a flush. */
#define LIMIT_FAR	0x40000000ULL
#define LIMIT_NEAR	0x10000ULL

/*
 * The limit on bytes, from what is used on: a little more each time, in finer steps
 * where there are rounds, until it is enough. A limit of 0 would be none.
 */
static inline bool sweep_bytes(struct sweep *sweep)
{
	const bool spite = sweep->action->flags & ACTION_SPITE;
	const __u64 far = spite ? LIMIT_NEAR : LIMIT_FAR;
	const bool fine = fault_rounds() > 1;
	__u64 more = 0, limit = 1;
	bool whole = false;

	while (more < far && whole == (spite && more)) {
		if (!sweep_prepare(sweep))
			return false;
		if (more)
			limit = sweep->before.stats.memory_bytes + more - 64;
		if (!sweep_limit(sweep, "max_bytes", limit, 0, &whole))
			return false;
		more += 64 + (fine ? more / 8 : more * 2);
	}
	return whole;
}

/* The limit on names, from none on, one more each time. */
static inline bool sweep_names(struct sweep *sweep)
{
	bool whole = false;
	__u32 limit;

	for (limit = 0; !whole; limit++) {
		const struct kcuckoo_ioc_stats *stats = &sweep->before.stats;

		if (!sweep_prepare(sweep) || limit > stats->filters + stats->waiting + 2 ||
		    !sweep_limit(sweep, "max_filters", limit, stats->max_filters, &whole))
			return false;
		if (whole && limit <= stats->filters + stats->waiting)
			return false;
	}
	return true;
}

static inline bool sweep_limits(struct sweep *sweep)
{
	const unsigned int flags = sweep->action->flags;

	return (!(flags & (ACTION_BYTES | ACTION_SPITE)) || sweep_bytes(sweep)) &&
	       (!(flags & ACTION_NAMES) || sweep_names(sweep));
}

/* Was there all that an action of its kind needs, so that it could fail? */
static inline bool sweep_counted(const struct sweep *sweep)
{
	const unsigned int *count = sweep->count;
	const unsigned int flags = sweep->action->flags;

	return count[FAULT_COPY] && (count[FAULT_MEMORY] || flags & ACTION_LEAN) &&
	       (count[FAULT_LIMIT] || sweep_round ||
		!(flags & (ACTION_BYTES | ACTION_NAMES)));
}

/*
 * Every fault of an action in turn, and in the first round every limit that it has.
 * Returns false at the first that did harm, and if there was none of those that it
 * must have.
 */
static inline bool sweep_run(struct sweep *sweep, const struct action *action)
{
	double begin = client_clock();
	const unsigned int *count = sweep->count;

	sweep->action = action;
	sweep->ready = false;
	memset(sweep->count, 0, sizeof(sweep->count));
	if (!sweep_faults(sweep) || (!sweep_round && !sweep_limits(sweep)))
		return false;
	fprintf(stderr, "# %s: %u faults of memory, %u of copies, %u refusals, %.1f s\n",
		action->name, count[FAULT_MEMORY], count[FAULT_COPY], count[FAULT_LIMIT],
		client_clock() - begin);
	if (sweep_counted(sweep))
		return true;
	fprintf(stderr, "# %s: the numbers of faults cannot be\n", action->name);
	return false;
}

/*
 * Nothing is left of all that was done and undone. The kernel's log is for the
 * runner to judge: the search for leaks tells there that it had no memory, too.
 */
static inline bool sweep_end(struct sweep *sweep)
{
	struct kcuckoo_ioc_stats stats;
	int fd = sweep->client.fd;
	bool empty;

	client_clear(fd);
	empty = memory_same(fd, 0) && !client_stats(fd, &stats) && !stats.filters &&
		!stats.rules && !stats.waiting;
	client_end(&sweep->client);
	return empty;
}

/* Bystanders: a filter of each type, and a rule, that no action is about. */
static struct kcuckoo_prefix by_keys[20];
static struct strings by_strings;

static inline int bystanders(int fd)
{
	struct kcuckoo_ioc_create create = bytes_form("by-strings", 100, 12);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(by_keys); i++)
		by_keys[i] = i % 2 ? ipv4(0xc6336400 + i, 32) : ipv6(0x20010db8ULL << 32, i, 128);
	if (!by_strings.count)
		by_strings = strings_make("by", 0, 20);
	know("by", by_keys, NULL, ARRAY_SIZE(by_keys));
	know("by-strings", NULL, &by_strings, by_strings.count);
	return filter_create(fd, "by", 1000) ?: call(fd, KCUCKOO_IOC_CREATE, &create) ?:
	       (keys_add(fd, "by", by_keys, ARRAY_SIZE(by_keys)) == ARRAY_SIZE(by_keys) &&
		strings_add(fd, "by-strings", &by_strings) == 20 ? 0 : -EPROTO) ?:
	       rule_attach(fd, "by", KCUCKOO_HOOK_FORWARD, KCUCKOO_FAMILY_BOTH,
			   KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_COUNT);
}

/* What a program makes before each of its tests; 0 or a negative errno. */
static int world_make(void);

FIXTURE(faults)
{
	struct sweep sweep;
};

FIXTURE_SETUP(faults)
{
	if (!fault_available())
		return;
	ASSERT_EQ(0, client_begin(&self->sweep.client));
	ASSERT_EQ(0, world_make());
	ASSERT_EQ(0, fault_begin());
}

FIXTURE_TEARDOWN(faults)
{
	if (fault_available()) {
		EXPECT_TRUE(sweep_end(&self->sweep));
	}
}

/* Each action in turn, in each round. */
static inline void sweep_all(struct __test_metadata *_metadata, struct sweep *sweep,
			     const struct action *actions, size_t count)
{
	size_t i;

	if (!fault_available())
		SKIP(return, "no fault injection in this kernel");
	for (sweep_round = 0; sweep_round < fault_rounds(); sweep_round++)
		for (i = 0; i < count; i++)
			if (!(actions[i].flags & ACTION_ROUNDS) || fault_rounds() > 1)
				ASSERT_TRUE(sweep_run(sweep, &actions[i]));
}

#endif /* KCUCKOO_SWEEP_H */
