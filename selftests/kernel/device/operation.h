/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table of all operations of the device, with a valid request for each. The tests of
 * structures and privileges make one field of a request invalid at a time.
 */
#ifndef KCUCKOO_OPERATION_H
#define KCUCKOO_OPERATION_H

#include "client.h"

#include <stddef.h>

union argument {
	__u32 size;
	struct {
		__u32 size;
		__u32 flags;
	} head;
	struct kcuckoo_ioc_create create;
	struct kcuckoo_ioc_destroy destroy;
	struct kcuckoo_ioc_rename rename;
	struct kcuckoo_ioc_swap swap;
	struct kcuckoo_ioc_replace replace;
	struct kcuckoo_ioc_flush flush;
	struct kcuckoo_ioc_reserve reserve;
	struct kcuckoo_ioc_compact compact;
	struct kcuckoo_ioc_add add;
	struct kcuckoo_ioc_del del;
	struct kcuckoo_ioc_test test;
	struct kcuckoo_ioc_walk walk;
	struct kcuckoo_ioc_info info;
	struct kcuckoo_ioc_list list;
	struct kcuckoo_ioc_attach attach;
	struct kcuckoo_ioc_detach detach;
	struct kcuckoo_ioc_rules rules;
	struct kcuckoo_ioc_stats stats;
	struct kcuckoo_ioc_update update;
	struct kcuckoo_ioc_merge merge;
	struct kcuckoo_ioc_save save;
	struct kcuckoo_ioc_restore restore;
	struct kcuckoo_ioc_slot slot;
	__u8 bytes[4096];
};

/*
 * The buffers of the requests, for the state in which every request succeeds (the world):
 * the filters "a", "b" and "used". "a" has values and one member, "b" has the parameters of
 * "a", and "used" has a rule. @image is a snapshot of "a".
 */
struct world {
	struct kcuckoo_prefix keys[KCUCKOO_WALK_BATCH];
	struct kcuckoo_rule rules[4];
	struct kcuckoo_list_entry entries[8];
	__u8 results[KCUCKOO_WALK_BATCH];
	__u32 values[KCUCKOO_WALK_BATCH];
	__u8 image[4096];
	__u32 image_size;
};

static struct world world;

static inline int world_create(int fd)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_INET,
		.value_bits = 8,
		.capacity = 1000,
	};

	set_name(create.name, "a");
	return call(fd, KCUCKOO_IOC_CREATE, &create) ?:
	       filter_create_like(fd, "b", "a") ?: filter_create(fd, "used", 1000);
}

static inline int world_save(int fd)
{
	struct kcuckoo_ioc_save save = {
		.size = sizeof(save),
		.buffer = (uintptr_t)world.image,
		.length = sizeof(world.image),
	};
	int error;

	set_name(save.name, "a");
	error = call(fd, KCUCKOO_IOC_SAVE, &save);
	world.image_size = save.total;
	return error ? error : save.done == save.total ? 0 : -EPROTO;
}

static inline int world_make(int fd)
{
	client_clear(fd);
	memset(&world, 0, sizeof(world));
	world.keys[0] = ipv4(0x0a000001, 32);
	return world_create(fd) ?:
	       rule_attach(fd, "used", KCUCKOO_HOOK_PREROUTING, KCUCKOO_FAMILY_BOTH,
			   KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_COUNT) ?:
	       (keys_add(fd, "a", world.keys, 1) == 1 ? 0 : -EPROTO) ?: world_save(fd);
}

/* Return: true if the filters, their numbers of members and the rule are as after world_make(). */
static inline bool world_same(int fd)
{
	struct kcuckoo_list_entry entries[8];
	struct kcuckoo_rule rules[4];

	memset(entries, 0, sizeof(entries));
	return filter_list(fd, entries, 8) == 3 &&
	       !strcmp((char *)entries[0].name, "a") &&
	       !strcmp((char *)entries[1].name, "b") &&
	       !strcmp((char *)entries[2].name, "used") &&
	       rule_list(fd, rules, 4) == 1 && filter_entries(fd, "a") == 1 &&
	       filter_entries(fd, "b") == 0 && filter_entries(fd, "used") == 0;
}

/**
 * struct operation - an operation, and the layout of its structure
 * @name: name of the operation, for messages
 * @request: request number
 * @size: size of its structure
 * @first: size of its structure in the first version
 * @flags: flags that the operation accepts
 * @names: offsets of names that must be valid, 0 for none
 * @staged: bit n is set if all zero at @names[n] means the staged filter
 * @reserved: offset and length of reserved bytes that must be zero
 * @fill: function that fills a valid request
 */
struct operation {
	const char *name;
	unsigned long request;
	size_t size;
	size_t first;
	__u32 flags;
	size_t names[2];
	unsigned int staged;
	size_t reserved[2];
	void (*fill)(union argument *argument);
};

static void fill_create(union argument *argument)
{
	set_name(argument->create.name, "new");
	argument->create.type = KCUCKOO_TYPE_INET;
	argument->create.capacity = 1000;
}

static void fill_name(union argument *argument)
{
	set_name(argument->destroy.name, "a");
}

static void fill_names(union argument *argument)
{
	set_name(argument->swap.name, "a");
	set_name(argument->swap.other, "b");
}

static void fill_rename(union argument *argument)
{
	set_name(argument->rename.name, "a");
	set_name(argument->rename.new_name, "new");
}

static void fill_reserve(union argument *argument)
{
	set_name(argument->reserve.name, "a");
	argument->reserve.family = KCUCKOO_FAMILY_IPV4;
	argument->reserve.plen = 32;
	argument->reserve.count = 10;
}

static void fill_batch(union argument *argument)
{
	set_name(argument->add.name, "a");
	argument->add.keys = (uintptr_t)world.keys;
	argument->add.results = (uintptr_t)world.results;
	argument->add.count = 1;
}

static void fill_update(union argument *argument)
{
	fill_batch(argument);
	argument->update.values = (uintptr_t)world.values;
}

static void fill_save(union argument *argument)
{
	set_name(argument->save.name, "a");
	argument->save.buffer = (uintptr_t)world.image;
	argument->save.length = 1;
}

static void fill_restore(union argument *argument)
{
	set_name(argument->restore.name, "new");
	argument->restore.buffer = (uintptr_t)world.image;
	argument->restore.length = world.image_size;
	argument->restore.total = world.image_size;
}

static void fill_walk(union argument *argument)
{
	set_name(argument->walk.name, "a");
	argument->walk.keys = (uintptr_t)world.keys;
	argument->walk.count = KCUCKOO_WALK_BATCH;
}

static void fill_list(union argument *argument)
{
	argument->list.entries = (uintptr_t)world.entries;
	argument->list.count = ARRAY_SIZE(world.entries);
}

static void fill_attach(union argument *argument)
{
	set_name(argument->attach.name, "a");
	argument->attach.hook = KCUCKOO_HOOK_INPUT;
	argument->attach.family = KCUCKOO_FAMILY_IPV4;
	argument->attach.match = KCUCKOO_MATCH_DST;
	argument->attach.action = KCUCKOO_ACTION_DROP;
}

static void fill_detach(union argument *argument)
{
	set_name(argument->detach.name, "used");
	argument->head.flags = KCUCKOO_DETACH_NAME;
}

static void fill_rules(union argument *argument)
{
	argument->rules.rules = (uintptr_t)world.rules;
	argument->rules.count = ARRAY_SIZE(world.rules);
}

static void fill_nothing(union argument *argument)
{
}

#define NAME	offsetof(struct kcuckoo_ioc_swap, name)
#define WITH	offsetof(struct kcuckoo_ioc_swap, other)

static const struct operation operations[] = {
	{
		"create", KCUCKOO_IOC_CREATE, sizeof(struct kcuckoo_ioc_create),
		offsetof(struct kcuckoo_ioc_create, fpr),
		KCUCKOO_CREATE_SORTED | KCUCKOO_CREATE_INSERT_ONLY | KCUCKOO_CREATE_FIXED |
		KCUCKOO_CREATE_TIMEOUT | KCUCKOO_CREATE_LIKE | KCUCKOO_CREATE_MANAGED,
		{ NAME }, 0,
		{ offsetof(struct kcuckoo_ioc_create, reserved), 3 }, fill_create
	}, {
		"destroy", KCUCKOO_IOC_DESTROY, sizeof(struct kcuckoo_ioc_destroy), 0,
		0, { NAME }, 1, {}, fill_name
	}, {
		"rename", KCUCKOO_IOC_RENAME, sizeof(struct kcuckoo_ioc_rename), 0,
		0, { NAME, WITH }, 1, {}, fill_rename
	}, {
		"swap", KCUCKOO_IOC_SWAP, sizeof(struct kcuckoo_ioc_swap), 0,
		0, { NAME, WITH }, 0, {}, fill_names
	}, {
		"replace", KCUCKOO_IOC_REPLACE, sizeof(struct kcuckoo_ioc_replace),
		offsetof(struct kcuckoo_ioc_replace, filter_id),
		KCUCKOO_REPLACE_IF_UNCHANGED, { NAME, WITH }, 2, {}, fill_names
	}, {
		"flush", KCUCKOO_IOC_FLUSH, sizeof(struct kcuckoo_ioc_flush), 0,
		0, { NAME }, 1, {}, fill_name
	}, {
		"reserve", KCUCKOO_IOC_RESERVE, sizeof(struct kcuckoo_ioc_reserve), 0,
		0, { NAME }, 1, { offsetof(struct kcuckoo_ioc_reserve, reserved), 6 }, fill_reserve
	}, {
		"compact", KCUCKOO_IOC_COMPACT, sizeof(struct kcuckoo_ioc_compact), 0,
		0, { NAME }, 1, {}, fill_name
	}, {
		"add", KCUCKOO_IOC_ADD, sizeof(struct kcuckoo_ioc_add),
		offsetof(struct kcuckoo_ioc_add, lengths),
		KCUCKOO_ADD_ABSENT, { NAME }, 1,
		{ offsetof(struct kcuckoo_ioc_add, reserved), 4 }, fill_batch
	}, {
		"del", KCUCKOO_IOC_DEL, sizeof(struct kcuckoo_ioc_del),
		offsetof(struct kcuckoo_ioc_del, lengths),
		0, { NAME }, 1, {}, fill_batch
	}, {
		"test", KCUCKOO_IOC_TEST, sizeof(struct kcuckoo_ioc_test),
		offsetof(struct kcuckoo_ioc_test, lengths),
		KCUCKOO_TEST_MEMBER | KCUCKOO_TEST_COVERED, { NAME }, 1, {}, fill_batch
	}, {
		"walk", KCUCKOO_IOC_WALK, sizeof(struct kcuckoo_ioc_walk),
		offsetof(struct kcuckoo_ioc_walk, values),
		0, { NAME }, 1, { offsetof(struct kcuckoo_ioc_walk, reserved), 4 }, fill_walk
	}, {
		"info", KCUCKOO_IOC_INFO, sizeof(struct kcuckoo_ioc_info),
		offsetof(struct kcuckoo_ioc_info, create_flags),
		0, { NAME }, 1, {}, fill_name
	}, {
		"list", KCUCKOO_IOC_LIST, sizeof(struct kcuckoo_ioc_list), 0,
		0, {}, 0, {}, fill_list
	}, {
		"attach", KCUCKOO_IOC_ATTACH, sizeof(struct kcuckoo_ioc_attach),
		offsetof(struct kcuckoo_ioc_attach, allow),
		KCUCKOO_ATTACH_WAIT | KCUCKOO_ATTACH_REPLACE, { NAME }, 0,
		{ offsetof(struct kcuckoo_ioc_attach, reserved), 1 }, fill_attach
	}, {
		"detach", KCUCKOO_IOC_DETACH, sizeof(struct kcuckoo_ioc_detach),
		offsetof(struct kcuckoo_ioc_detach, dev),
		KCUCKOO_DETACH_NAME | KCUCKOO_DETACH_HOOK | KCUCKOO_DETACH_FAMILY |
		KCUCKOO_DETACH_MATCH | KCUCKOO_DETACH_DEV | KCUCKOO_DETACH_LABEL,
		{ NAME }, 0,
		{ offsetof(struct kcuckoo_ioc_detach, reserved), 1 }, fill_detach
	}, {
		"rules", KCUCKOO_IOC_RULES, sizeof(struct kcuckoo_ioc_rules),
		offsetof(struct kcuckoo_ioc_rules, rule_size),
		KCUCKOO_RULES_ZERO, {}, 0,
		{ offsetof(struct kcuckoo_ioc_rules, reserved), 4 }, fill_rules
	}, {
		"stats", KCUCKOO_IOC_STATS, sizeof(struct kcuckoo_ioc_stats),
		offsetof(struct kcuckoo_ioc_stats, version),
		0, {}, 0, {}, fill_nothing
	}, {
		"update", KCUCKOO_IOC_UPDATE, sizeof(struct kcuckoo_ioc_update), 0,
		0, { NAME }, 1, {}, fill_update
	}, {
		"merge", KCUCKOO_IOC_MERGE, sizeof(struct kcuckoo_ioc_merge), 0,
		0, { NAME, WITH }, 3, {}, fill_names
	}, {
		"save", KCUCKOO_IOC_SAVE, sizeof(struct kcuckoo_ioc_save), 0,
		0, { NAME }, 1, {}, fill_save
	}, {
		"restore", KCUCKOO_IOC_RESTORE, sizeof(struct kcuckoo_ioc_restore), 0,
		0, { NAME }, 1, {}, fill_restore
	}, {
		"slot", KCUCKOO_IOC_SLOT, sizeof(struct kcuckoo_ioc_slot), 0,
		KCUCKOO_SLOT_GET | KCUCKOO_SLOT_PUT, { NAME }, 0, {}, fill_name
	},
};

/* Return: the minimum size that the operation accepts. */
static inline size_t operation_first(const struct operation *operation)
{
	return operation->first ? operation->first : operation->size;
}

static const struct operation * const operations_end =
	operations + ARRAY_SIZE(operations);

/* Fill a valid request of @operation. The bytes after its structure are zero. */
static inline void operation_fill(const struct operation *operation,
				  union argument *argument)
{
	memset(argument, 0, sizeof(*argument));
	argument->size = operation->size;
	operation->fill(argument);
}

/* Call a valid request of @operation in a new world. Return: 0, or a negative errno. */
static inline int operation_valid(int fd, const struct operation *operation)
{
	union argument argument;
	int error = world_make(fd);

	if (error)
		return error;
	operation_fill(operation, &argument);
	return call(fd, operation->request, &argument);
}

#endif /* KCUCKOO_OPERATION_H */
