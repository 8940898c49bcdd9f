/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A deed is an operation of the device on one of a few filters. Threads run random deeds
 * at the same time, and create and destroy the filters. The table of deeds has the errors
 * that each deed may return in this situation.
 */
#ifndef KCUCKOO_DEED_H
#define KCUCKOO_DEED_H

#include "client.h"
#include "image.h"
#include "staged.h"

#define HAND_NAMES	5
#define HAND_BATCH	250	/* keys of one call */

/* Names of the filters on which all deeds may run. */
static const char * const hand_names[HAND_NAMES] = { "a", "b", "c", "d", "e" };

/**
 * struct hand - state of a thread that runs deeds
 * @fd: descriptor of the device, which no other thread uses
 * @random: state of random_next(), not 0
 * @keys: keys that the thread adds and deletes
 * @count: number of keys, at least 2 * HAND_BATCH
 * @device: name of a network device, which may be missing
 * @kept: two further names of filters that no deed destroys, flushes or renames; or NULL
 * @image: the last snapshot that the thread read, or NULL
 * @total: size of @image in bytes
 * @walk: state of the present walk
 */
struct hand {
	int fd;
	__u64 random;
	const struct kcuckoo_prefix *keys;
	size_t count;
	const char *device;
	const char * const *kept;
	__u8 *image;
	__u64 total;
	struct kcuckoo_ioc_walk walk;
};

static inline void hand_free(struct hand *hand)
{
	free(hand->image);
	hand->image = NULL;
}

static inline __u64 hand_draw(struct hand *hand, __u64 most)
{
	return (random_next(&hand->random) >> 8) % most;
}

static inline const char *hand_name(struct hand *hand)
{
	return hand_names[hand_draw(hand, HAND_NAMES)];
}

/* Return: in one of four calls a name of @kept, if set, otherwise a name of hand_names[]. */
static inline const char *hand_any(struct hand *hand)
{
	return hand->kept && !hand_draw(hand, 4) ? hand->kept[hand_draw(hand, 2)] :
						   hand_name(hand);
}

static inline const struct kcuckoo_prefix *hand_keys(struct hand *hand)
{
	return hand->keys + hand_draw(hand, hand->count - HAND_BATCH);
}

/* Parameters of filters. They have two types, so that some pairs of filters do not match. */
static const struct kcuckoo_ioc_create hand_forms[] = {
	{ .type = KCUCKOO_TYPE_INET },
	{ .type = KCUCKOO_TYPE_INET, .value_bits = 8 },
	{ .type = KCUCKOO_TYPE_INET, .flags = KCUCKOO_CREATE_TIMEOUT, .timeout = 1 },
	{ .type = KCUCKOO_TYPE_INET, .flags = KCUCKOO_CREATE_TIMEOUT, .timeout = 1,
	  .value_bits = 8 },
	{ .type = KCUCKOO_TYPE_INET, .tag_bits = 16 },
	{ .type = KCUCKOO_TYPE_BYTES, .tag_bits = 12, .value_bits = 8 },
	{ .type = KCUCKOO_TYPE_BYTES, .tag_bits = 12, .flags = KCUCKOO_CREATE_SORTED },
	{ .type = KCUCKOO_TYPE_BYTES, .tag_bits = 12, .timeout = 1,
	  .flags = KCUCKOO_CREATE_INSERT_ONLY | KCUCKOO_CREATE_TIMEOUT },
};

static inline long long deed_create(struct hand *hand)
{
	struct kcuckoo_ioc_create create = hand_forms[hand_draw(hand, ARRAY_SIZE(hand_forms))];

	create.size = sizeof(create);
	create.capacity = hand_draw(hand, 2) ? 100 : 30000;
	set_name(create.name, hand_name(hand));
	return call(hand->fd, KCUCKOO_IOC_CREATE, &create);
}

static inline long long deed_like(struct hand *hand)
{
	return filter_create_like(hand->fd, hand_name(hand), hand_any(hand));
}

static inline long long deed_destroy(struct hand *hand)
{
	return filter_destroy(hand->fd, hand_name(hand));
}

static inline long long deed_rename(struct hand *hand)
{
	return filter_rename(hand->fd, hand_name(hand), hand_name(hand));
}

static inline long long deed_swap(struct hand *hand)
{
	return filter_swap(hand->fd, hand_name(hand), hand_name(hand));
}

/* If both names are equal, the request is invalid, as in some deeds below. */
static inline long long deed_replace(struct hand *hand)
{
	return filter_replace(hand->fd, hand_name(hand), hand_name(hand));
}

static inline long long deed_flush(struct hand *hand)
{
	return filter_flush(hand->fd, hand_name(hand));
}

static inline long long deed_reserve(struct hand *hand)
{
	bool four = hand_draw(hand, 2);

	return filter_reserve(hand->fd, hand_any(hand),
			      four ? KCUCKOO_FAMILY_IPV4 : KCUCKOO_FAMILY_IPV6,
			      four ? 32 : 64, hand_draw(hand, 5000));
}

static inline long long deed_compact(struct hand *hand)
{
	return filter_compact(hand->fd, hand_any(hand));
}

/* In a filter of byte strings, the bytes of a struct kcuckoo_prefix are a key. */
static const __u16 hand_lengths[HAND_BATCH] = {
	[0 ... HAND_BATCH - 1] = sizeof(struct kcuckoo_prefix),
};

/* Call the request with HAND_BATCH keys, see struct batch. */
static inline long long hand_batch(struct hand *hand, const char *name,
				   unsigned long request, __u32 flags)
{
	struct {
		struct batch batch;
		__aligned_u64 lengths;
	} argument = {
		.batch = batch_of(name, hand_keys(hand), NULL, HAND_BATCH),
		.lengths = (uintptr_t)hand_lengths,
	};
	int error;

	argument.batch.size = sizeof(argument);
	argument.batch.flags = flags;
	error = call(hand->fd, request, &argument);
	if (!error && !argument.batch.done)
		error = -EPROTO;
	return error ? error : (long long)argument.batch.hits;
}

static inline long long deed_add(struct hand *hand)
{
	return hand_batch(hand, hand_any(hand), KCUCKOO_IOC_ADD, 0);
}

static inline long long deed_del(struct hand *hand)
{
	return hand_batch(hand, hand_any(hand), KCUCKOO_IOC_DEL, 0);
}

static inline long long deed_test(struct hand *hand)
{
	return hand_batch(hand, hand_any(hand), KCUCKOO_IOC_TEST, KCUCKOO_TEST_MEMBER);
}

static inline long long deed_update(struct hand *hand)
{
	static const __u32 values[HAND_BATCH];
	struct kcuckoo_ioc_update update = {
		.size = sizeof(update),
		.keys = (uintptr_t)hand_keys(hand),
		.count = HAND_BATCH,
		.lengths = (uintptr_t)hand_lengths,
		.old_values = (uintptr_t)values,
		.values = (uintptr_t)values,
	};

	set_name(update.name, hand_name(hand));
	return call(hand->fd, KCUCKOO_IOC_UPDATE, &update);
}

/* A step of one walk, which filters change under. */
static inline long long deed_walk(struct hand *hand)
{
	struct kcuckoo_prefix keys[HAND_BATCH];
	struct kcuckoo_ioc_walk *walk = &hand->walk;
	int error;

	if (walk->state || !walk->size) {
		memset(walk, 0, sizeof(*walk));
		walk->size = sizeof(*walk);
		walk->count = HAND_BATCH;
		set_name(walk->name, hand_any(hand));
	}
	walk->keys = (uintptr_t)keys;
	error = call(hand->fd, KCUCKOO_IOC_WALK, walk);
	if (error)
		walk->size = 0;
	return error;
}

static inline long long deed_info(struct hand *hand)
{
	struct kcuckoo_ioc_info info;

	return filter_info(hand->fd, hand_any(hand), &info);
}

static inline long long deed_list(struct hand *hand)
{
	struct kcuckoo_list_entry entries[HAND_NAMES];

	return filter_list(hand->fd, entries, HAND_NAMES);
}

static inline long long deed_rules(struct hand *hand)
{
	struct kcuckoo_rule rules[16];

	return rule_list(hand->fd, rules, 16);
}

static inline long long deed_stats(struct hand *hand)
{
	struct kcuckoo_ioc_stats stats;

	return client_stats(hand->fd, &stats);
}

static inline long long deed_attach(struct hand *hand)
{
	__u64 draw = hand_draw(hand, 48);

	return rule_attach(hand->fd, hand_any(hand), draw % 4, 1 + draw / 4 % 3,
			   draw / 12 % 2, draw / 24);
}

static inline long long deed_allow(struct hand *hand)
{
	return rule_attach_allow(hand->fd, hand_any(hand), hand_any(hand));
}

static inline long long deed_ingress(struct hand *hand)
{
	struct kcuckoo_ioc_attach attach = {
		.size = sizeof(attach),
		.hook = KCUCKOO_HOOK_INGRESS,
		.family = KCUCKOO_FAMILY_BOTH,
		.match = hand_draw(hand, 2),
		.action = hand_draw(hand, 2),
	};

	set_name(attach.name, hand_any(hand));
	snprintf((char *)attach.dev, sizeof(attach.dev), "%s", hand->device);
	return call(hand->fd, KCUCKOO_IOC_ATTACH, &attach);
}

static inline long long deed_detach(struct hand *hand)
{
	return rule_detach(hand->fd, hand_any(hand));
}

static inline long long deed_merge(struct hand *hand)
{
	return filter_pair(hand->fd, KCUCKOO_IOC_MERGE, hand_name(hand), hand_any(hand));
}

/* Read a snapshot, and keep it in @image. */
static inline long long deed_save(struct hand *hand)
{
	__u64 total;
	__u8 *image;
	int error = image_save(hand->fd, hand_any(hand), 16384, &image, &total);

	if (error) {
		free(image);
		return error;
	}
	free(hand->image);
	hand->image = image;
	hand->total = total;
	return 0;
}

/* Restore the last snapshot. If none was read yet, send bytes that are not a snapshot. */
static inline long long deed_restore(struct hand *hand)
{
	static const __u8 none[64];

	return hand->image ?
	       image_restore(hand->fd, hand_name(hand), hand->image, hand->total,
			     hand->total, 16384) :
	       image_restore(hand->fd, hand_name(hand), none, sizeof(none), sizeof(none),
			     sizeof(none));
}

static inline int hand_slot(struct hand *hand, const char *name, __u32 flags)
{
	struct kcuckoo_ioc_slot slot = { .size = sizeof(slot), .flags = flags };

	set_name(slot.name, name);
	return call(hand->fd, KCUCKOO_IOC_SLOT, &slot);
}

static inline long long deed_number(struct hand *hand)
{
	return hand_slot(hand, hand_any(hand), 0);
}

static inline long long deed_hold(struct hand *hand)
{
	return hand_slot(hand, hand_name(hand), KCUCKOO_SLOT_GET);
}

static inline long long deed_release(struct hand *hand)
{
	return hand_slot(hand, hand_name(hand), KCUCKOO_SLOT_PUT);
}

/*
 * Add keys to the staged filter, and create it if it does not exist. It can have any type
 * after deed_exchange() failed.
 */
static inline long long deed_stage(struct hand *hand)
{
	int error = staged_create(hand->fd, 30000);

	return error && error != -EEXIST ? error :
	       hand_batch(hand, STAGED, KCUCKOO_IOC_ADD, 0);
}

static inline long long deed_unstage(struct hand *hand)
{
	return filter_destroy(hand->fd, STAGED);
}

/* Give a name to the staged filter, and create it if it does not exist. */
static inline long long deed_publish(struct hand *hand)
{
	int error = staged_create(hand->fd, 100);

	return error && error != -EEXIST ? error :
	       staged_publish(hand->fd, hand_name(hand),
			      hand_draw(hand, 2) ? KCUCKOO_RENAME_MANAGED : 0);
}

/* Replace a filter by a copy, if the filter is unchanged since the copy was made. */
static inline long long deed_exchange(struct hand *hand)
{
	const char *name = hand_name(hand);
	struct kcuckoo_ioc_info info;

	filter_destroy(hand->fd, STAGED);
	return filter_info(hand->fd, name, &info) ?: staged_create_like(hand->fd, name) ?:
	       filter_pair(hand->fd, KCUCKOO_IOC_MERGE, STAGED, name) ?:
	       filter_replace_known(hand->fd, name, STAGED, &info);
}

/* Attach a rule that waits for the device, or replace such a rule. */
static inline long long deed_wait(struct hand *hand)
{
	struct kcuckoo_ioc_attach attach = {
		.size = sizeof(attach),
		.flags = KCUCKOO_ATTACH_WAIT |
			 (hand_draw(hand, 2) ? KCUCKOO_ATTACH_REPLACE : 0),
		.hook = KCUCKOO_HOOK_INGRESS,
		.family = KCUCKOO_FAMILY_BOTH,
		.match = hand_draw(hand, 2),
		.action = hand_draw(hand, 2),
	};

	set_name(attach.name, hand_any(hand));
	snprintf((char *)attach.dev, sizeof(attach.dev), "%s", hand->device);
	return call(hand->fd, KCUCKOO_IOC_ATTACH, &attach);
}

/**
 * struct deed - an operation
 * @name: name of the operation, for messages
 * @run: function of the operation; returns a negative errno after an error
 * @errors: errors that the operation may return, up to a zero
 */
struct deed {
	const char *name;
	long long (*run)(struct hand *hand);
	int errors[4];
};

static const struct deed deeds[] = {
	{ "create",	deed_create,	{ EEXIST } },
	{ "like",	deed_like,	{ EEXIST, ENOENT } },
	{ "destroy",	deed_destroy,	{ ENOENT, EBUSY } },
	{ "rename",	deed_rename,	{ ENOENT, EEXIST, EBUSY } },
	{ "swap",	deed_swap,	{ ENOENT, EINVAL } },
	{ "replace",	deed_replace,	{ ENOENT, EBUSY, EINVAL } },
	{ "flush",	deed_flush,	{ ENOENT } },
	{ "reserve",	deed_reserve,	{ ENOENT, EOPNOTSUPP } },
	{ "compact",	deed_compact,	{ ENOENT } },
	{ "add",	deed_add,	{ ENOENT, ENOSPC } },
	{ "del",	deed_del,	{ ENOENT, EOPNOTSUPP, EINVAL } },
	{ "test",	deed_test,	{ ENOENT } },
	{ "update",	deed_update,	{ ENOENT, EOPNOTSUPP } },
	{ "walk",	deed_walk,	{ ENOENT, EOPNOTSUPP } },
	{ "info",	deed_info,	{ ENOENT } },
	{ "list",	deed_list,	{} },
	{ "rules",	deed_rules,	{} },
	{ "stats",	deed_stats,	{} },
	{ "attach",	deed_attach,	{ EEXIST, EOPNOTSUPP } },
	{ "allow",	deed_allow,	{ EEXIST, EINVAL, EOPNOTSUPP } },
	{ "ingress",	deed_ingress,	{ EEXIST, ENXIO, EOPNOTSUPP } },
	{ "detach",	deed_detach,	{ ENOENT } },
	{ "merge",	deed_merge,	{ ENOENT, EINVAL, ENOSPC } },
	{ "save",	deed_save,	{ ENOENT } },
	{ "restore",	deed_restore,	{ EEXIST, EBADMSG } },
	{ "number",	deed_number,	{ ENOENT } },
	{ "hold",	deed_hold,	{} },
	{ "release",	deed_release,	{ ENOENT } },
	{ "stage",	deed_stage,	{ ENOENT, ENOSPC } },
	{ "unstage",	deed_unstage,	{ ENOENT } },
	{ "publish",	deed_publish,	{ EEXIST } },
	{ "exchange",	deed_exchange,	{ ENOENT, ESTALE, EINVAL, ENOSPC } },
	{ "wait",	deed_wait,	{ EEXIST, EOPNOTSUPP } },
};

#define DEEDS	(sizeof(deeds) / sizeof(*deeds))

/* Return: true if @result is a success, or an error that @deed may return. */
static inline bool deed_fits(const struct deed *deed, long long result)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(deed->errors) && result < 0; i++)
		if (deed->errors[i] && result == -deed->errors[i])
			return true;
	return result >= 0;
}

#endif /* KCUCKOO_DEED_H */
