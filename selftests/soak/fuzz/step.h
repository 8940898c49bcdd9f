/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A step is one call of the device, as 32 bytes: any 32 bytes are one. Most
 * values of a byte stand for something sensible, the last few for what a caller
 * in error or in malice would pass.
 */
#ifndef _SELFTESTS_FUZZ_STEP_H
#define _SELFTESTS_FUZZ_STEP_H

/* A byte from here on stands for something hostile. */
#define STEP_HOSTILE	240

/* An argument's bytes are changed while the call is under way. */
#define STEP_CHANGING	200

#define STEP_VALUES	24

/**
 * struct step - one call
 * @operation: which one
 * @descriptor: on which
 * @place: where the argument is
 * @fault: which allocation or user copy fails, if any
 * @size: the size that the argument says it has
 * @names: of filters
 * @keys: which keys, values and so on are in the rooms
 * @values: of the other fields, in their order
 */
struct step {
	__u8 operation;
	__u8 descriptor;
	__u8 place;
	__u8 fault;
	__u8 size;
	__u8 names[2];
	__u8 keys;
	__u8 values[STEP_VALUES];
};

/* The argument's pages, and rooms that it points to. Behind each is a hole. */
enum room {
	ROOM_ARGUMENT,
	ROOM_KEYS,
	ROOM_LENGTHS,
	ROOM_VALUES,
	ROOM_OLD_VALUES,
	ROOM_TIMEOUTS,
	ROOM_RESULTS,
	ROOM_OUTPUT,
	ROOM_READ_ONLY,
	ROOMS
};

#define ROOM_SIZE	0x10000

/* What a field is. */
enum kind {
	KIND_NAME,		/* of the first filter */
	KIND_OTHER,		/* of the second */
	KIND_OPTIONAL,		/* of the second, or none */
	KIND_DEVICE,
	KIND_COUNT,
	KIND_CURSOR,		/* where the last walk ended */
	KIND_OFFSET,		/* where the last transfer ended */
	KIND_KEYS,		/* a room */
	KIND_LENGTHS,
	KIND_VALUES,		/* a room, or none */
	KIND_OLD_VALUES,
	KIND_TIMEOUTS,
	KIND_RESULTS,
	KIND_OUTPUT,
	KIND_LISTS,		/* from here on one of a list */
	KIND_ZERO = KIND_LISTS,
	KIND_CREATE_FLAGS,
	KIND_TYPE,
	KIND_HASH,
	KIND_BUCKET,
	KIND_TAG,
	KIND_WIDTH,
	KIND_CAPACITY,
	KIND_RATE,
	KIND_SEARCH_LIMIT,
	KIND_SECONDS,
	KIND_FLAG,
	KIND_FAMILY,
	KIND_PLEN,
	KIND_HOOK,
	KIND_MATCH,
	KIND_ACTION,
	KIND_MARK,
	KIND_DETACH,
	KIND_ROOM,
	KIND_RULE_SIZE,
	KIND_SLOT,
	KIND_TEST_FLAGS,
	KIND_LOG,
	KIND_LOG_LIMIT,
	KINDS
};

static const struct list {
	__u8 count;
	__u64 values[12];
} lists[KINDS] = {
	[KIND_ZERO] = { 1, { 0 } },
	[KIND_CREATE_FLAGS] = { 10, { 0, 2, 8, 10, 4, 1, 16, 3, 6, 14 } },
	[KIND_TYPE] = { 2, { 1, 2 } },
	[KIND_HASH] = { 3, { 0, 1, 2 } },
	[KIND_BUCKET] = { 5, { 0, 1, 2, 4, 8 } },
	[KIND_TAG] = { 7, { 0, 12, 8, 5, 16, 32, 1 } },
	[KIND_WIDTH] = { 5, { 0, 8, 1, 17, 32 } },
	[KIND_CAPACITY] = { 7, { 100, 1, 64, 1000, 5000, 40000, 8 } },
	[KIND_RATE] = { 5, { 0, 1 << 22, 1 << 10, 1, 1U << 31 } },
	[KIND_SEARCH_LIMIT] = { 4, { 0, 2, 16, 1024 } },
	[KIND_SECONDS] = { 5, { 0, 1, 3600, KCUCKOO_TIMEOUT_MAX, KCUCKOO_TIMEOUT_MAX + 1 } },
	[KIND_FLAG] = { 2, { 0, 1 } },
	[KIND_FAMILY] = { 3, { 1, 2, 3 } },
	[KIND_PLEN] = { 11, { 32, 24, 0, 8, 9, 16, 31, 128, 64, 127, 129 } },
	[KIND_HOOK] = { 6, { 0, 1, 2, 3, 4, 5 } },
	[KIND_MATCH] = { 3, { 0, 1, 2 } },
	[KIND_ACTION] = { 5, { 0, 1, 2, 3, 4 } },
	[KIND_MARK] = { 2, { 0, 7 } },
	[KIND_DETACH] = { 8, { 0, 1, 2, 4, 8, 16, 3, 31 } },
	[KIND_ROOM] = { 6, { 0, 1, 2, 16, 17, 64 } },
	[KIND_RULE_SIZE] = { 6, { 0, 56, sizeof(struct kcuckoo_rule), 1024, 64, 1032 } },
	[KIND_SLOT] = { 3, { 0, 1, 2 } },
	[KIND_TEST_FLAGS] = { 4, { 0, 1, 2, 3 } },
	[KIND_LOG] = { 8, { 0, 0, 0, 0, 0, 0, 1, 2 } },
	[KIND_LOG_LIMIT] = { 8, { 0, 0, 0, 0, 0, 0, 1, KCUCKOO_LOG_LIMIT_MAX } },
};

static const __u64 hostile[256 - STEP_HOSTILE] = {
	0, 1, 0x7f, 0xff, 0xffff, KCUCKOO_BATCH_MAX, KCUCKOO_BATCH_MAX + 1, 0x7fffffff,
	0x80000000, 0xffffffff, 0x100000000ULL, KCUCKOO_CAPACITY_MAX,
	KCUCKOO_CAPACITY_MAX + 1, 1ULL << 63, ~0ULL - 8, ~0ULL,
};

static inline __u64 pick(enum kind kind, __u8 byte)
{
	const struct list *list = &lists[kind];

	return byte < STEP_HOSTILE ? list->values[byte % list->count] :
				     hostile[byte - STEP_HOSTILE];
}

/**
 * struct field - a field of an argument
 * @offset: where it is
 * @width: its bytes
 * @kind: enum kind
 */
struct field {
	__u16 offset;
	__u8 width;
	__u8 kind;
};

/**
 * struct operation - a call of the device
 * @request: its number
 * @size: bytes of its argument
 * @fields: what they are; one without width ends them
 */
struct operation {
	unsigned long request;
	size_t size;
	struct field fields[18];
};

#define FIELD(name_, field_, kind_)						\
	{ offsetof(struct kcuckoo_ioc_##name_, field_),				\
	  sizeof(((struct kcuckoo_ioc_##name_ *)NULL)->field_), KIND_##kind_ }

#define OPERATION(name_, request_, ...)						\
	{ KCUCKOO_IOC_##request_, sizeof(struct kcuckoo_ioc_##name_),		\
	  { FIELD(name_, flags, ZERO), __VA_ARGS__ } }

#define NAMED(name_, request_)							\
	OPERATION(name_, request_, FIELD(name_, name, NAME))

#define PAIRED(name_, request_, other_)						\
	OPERATION(name_, request_, FIELD(name_, name, NAME),			\
		  FIELD(name_, other_, OTHER))

static const struct operation operations[] = {
	OPERATION(create, CREATE,
		  FIELD(create, name, NAME),
		  FIELD(create, flags, CREATE_FLAGS),
		  FIELD(create, type, TYPE),
		  FIELD(create, tag_bits, TAG),
		  FIELD(create, capacity, CAPACITY),
		  FIELD(create, value_bits, WIDTH),
		  FIELD(create, hash, HASH),
		  FIELD(create, bucket_size, BUCKET),
		  FIELD(create, fpr, RATE),
		  FIELD(create, search_limit, SEARCH_LIMIT),
		  FIELD(create, timeout, SECONDS),
		  FIELD(create, reserved[0], ZERO),
		  FIELD(create, reserved2, ZERO),
		  FIELD(create, like, OPTIONAL)),
	OPERATION(add, ADD,
		  FIELD(add, name, NAME),
		  FIELD(add, count, COUNT),
		  FIELD(add, keys, KEYS),
		  FIELD(add, lengths, LENGTHS),
		  FIELD(add, values, VALUES),
		  FIELD(add, timeouts, TIMEOUTS),
		  FIELD(add, results, RESULTS),
		  FIELD(add, flags, FLAG),
		  FIELD(add, reserved, ZERO)),
	OPERATION(del, DEL,
		  FIELD(del, name, NAME),
		  FIELD(del, count, COUNT),
		  FIELD(del, keys, KEYS),
		  FIELD(del, lengths, LENGTHS),
		  FIELD(del, values, VALUES),
		  FIELD(del, results, RESULTS)),
	OPERATION(test, TEST,
		  FIELD(test, name, NAME),
		  FIELD(test, count, COUNT),
		  FIELD(test, keys, KEYS),
		  FIELD(test, lengths, LENGTHS),
		  FIELD(test, flags, TEST_FLAGS),
		  FIELD(test, max_values, ROOM),
		  FIELD(test, values, VALUES),
		  FIELD(test, value_counts, TIMEOUTS),
		  FIELD(test, results, RESULTS),
		  FIELD(test, plens, OLD_VALUES)),
	OPERATION(update, UPDATE,
		  FIELD(update, name, NAME),
		  FIELD(update, count, COUNT),
		  FIELD(update, keys, KEYS),
		  FIELD(update, lengths, LENGTHS),
		  FIELD(update, old_values, OLD_VALUES),
		  FIELD(update, values, VALUES),
		  FIELD(update, results, RESULTS)),
	NAMED(destroy, DESTROY),
	PAIRED(rename, RENAME, new_name),
	PAIRED(swap, SWAP, other),
	PAIRED(replace, REPLACE, other),
	NAMED(flush, FLUSH),
	OPERATION(reserve, RESERVE,
		  FIELD(reserve, name, NAME),
		  FIELD(reserve, family, FAMILY),
		  FIELD(reserve, plen, PLEN),
		  FIELD(reserve, count, CAPACITY),
		  FIELD(reserve, reserved[0], ZERO)),
	NAMED(compact, COMPACT),
	OPERATION(walk, WALK,
		  FIELD(walk, name, NAME),
		  FIELD(walk, cursor.move_seq, CURSOR),
		  FIELD(walk, cursor.position, CURSOR),
		  FIELD(walk, count, COUNT),
		  FIELD(walk, keys, OUTPUT),
		  FIELD(walk, values, VALUES),
		  FIELD(walk, timeouts, TIMEOUTS),
		  FIELD(walk, reserved, ZERO)),
	NAMED(info, INFO),
	OPERATION(list, LIST,
		  FIELD(list, count, COUNT),
		  FIELD(list, entries, OUTPUT)),
	OPERATION(attach, ATTACH,
		  FIELD(attach, name, NAME),
		  FIELD(attach, hook, HOOK),
		  FIELD(attach, family, FAMILY),
		  FIELD(attach, match, MATCH),
		  FIELD(attach, action, ACTION),
		  FIELD(attach, mark, MARK),
		  FIELD(attach, allow, OPTIONAL),
		  FIELD(attach, dev, DEVICE),
		  FIELD(attach, log, LOG),
		  FIELD(attach, log_limit, LOG_LIMIT),
		  FIELD(attach, log_group, LOG_LIMIT),
		  FIELD(attach, reserved, ZERO)),
	OPERATION(detach, DETACH,
		  FIELD(detach, flags, DETACH),
		  FIELD(detach, name, OPTIONAL),
		  FIELD(detach, hook, HOOK),
		  FIELD(detach, family, FAMILY),
		  FIELD(detach, match, MATCH),
		  FIELD(detach, reserved, ZERO),
		  FIELD(detach, dev, DEVICE)),
	OPERATION(rules, RULES,
		  FIELD(rules, count, COUNT),
		  FIELD(rules, rules, OUTPUT),
		  FIELD(rules, rule_size, RULE_SIZE),
		  FIELD(rules, reserved, ZERO),
		  FIELD(rules, flags, FLAG),
		  FIELD(rules, name, OPTIONAL)),
	OPERATION(stats, STATS),
	PAIRED(merge, MERGE, from),
	OPERATION(save, SAVE,
		  FIELD(save, name, NAME),
		  FIELD(save, offset, OFFSET),
		  FIELD(save, length, COUNT),
		  FIELD(save, buffer, OUTPUT)),
	OPERATION(restore, RESTORE,
		  FIELD(restore, name, NAME),
		  FIELD(restore, offset, OFFSET),
		  FIELD(restore, length, COUNT),
		  FIELD(restore, total, CAPACITY),
		  FIELD(restore, buffer, OUTPUT)),
	OPERATION(slot, SLOT,
		  FIELD(slot, name, NAME),
		  FIELD(slot, flags, SLOT),
		  FIELD(slot, ifindex, FLAG)),
};

/* Behind the calls of the table. */
enum {
	STEP_RESTORE = ARRAY_SIZE(operations),	/* a snapshot, whole, changed */
	STEP_REOPEN,		/* a descriptor is closed, and opened again */
	STEP_UNKNOWN,		/* a call that there is not */
	STEP_PACKET,		/* something for the rules */
	STEP_OPERATIONS,
};

/* Around inputs, where they are recorded: nothing; and all is given up. */
#define STEP_NOTHING	254
#define STEP_CLEAR	255

static inline unsigned int step_operation(const struct step *step)
{
	unsigned int number = step->operation % 32;

	/* A snapshot takes many values to be of interest, so it has more of them. */
	if (step->operation >= 220)
		return STEP_RESTORE;
	/* Nothing gets far without members: what is left stands for an add. */
	return number < STEP_OPERATIONS ? number : 1;
}

static inline void step_name(__u8 *to, __u8 byte)
{
	static const char names[][KCUCKOO_NAME_SIZE + 1] = {
		"a", "b", "c", "d", "a-name.of:as_many-letters-as-31",
		/* hostile */
		"", "a/b", "two words", "stale", "a-name.of:too.many-letters-by-one",
	};

	if (byte < STEP_HOSTILE) {
		memcpy(to, names[byte % 16 == 15 ? 4 : byte % 4], KCUCKOO_NAME_SIZE);
		return;
	}
	memcpy(to, names[5 + byte % 5], KCUCKOO_NAME_SIZE);
	if (byte % 7 == 0)
		to[KCUCKOO_NAME_SIZE - 1] = byte;
}

#endif /* _SELFTESTS_FUZZ_STEP_H */
