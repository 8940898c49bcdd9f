// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operations of the device on batches of keys, and walks.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "device.h"
#include "prefix.h"

/**
 * struct kcuckoo_keys - a batch on its way through
 * @net: the namespace's object
 * @name: name of the filter
 * @exchanges: kcuckoo_registry_exchanges() before @filter was found
 * @filter: the filter, with a reference
 * @keys: the caller's keys
 * @results: room for the caller's results, or NULL
 * @count: how many keys
 * @done: how many leading ones are done
 * @tally: how many of these came out as each enum kcuckoo_result
 * @prefix: the keys of one chunk as the caller wrote them
 * @batch: the same, for the filter
 */
struct kcuckoo_keys {
	struct kcuckoo_net *net;
	const u8 *name;
	u64 exchanges;
	struct kcuckoo_filter *filter;
	const struct kcuckoo_prefix __user *keys;
	u8 __user *results;
	u32 count;
	u32 done;
	u32 tally[KCUCKOO_RESULT_PRESENT + 1];
	struct kcuckoo_prefix prefix[KCUCKOO_CHUNK];
	struct kcuckoo_batch batch;
};

static struct kcuckoo_keys *kcuckoo_keys_begin(struct kcuckoo_net *net,
					       const u8 *name, u64 pointer,
					       u64 results, u32 count)
{
	struct kcuckoo_filter *filter;
	struct kcuckoo_keys *keys;
	u64 exchanges;

	if (!kcuckoo_name_valid(name) || count > KCUCKOO_BATCH_MAX)
		return ERR_PTR(-EINVAL);
	exchanges = kcuckoo_registry_exchanges(net);
	filter = kcuckoo_registry_filter(net, name, NULL);
	if (IS_ERR(filter))
		return ERR_CAST(filter);
	keys = kvmalloc(sizeof(*keys), GFP_KERNEL_ACCOUNT);
	if (!keys) {
		kcuckoo_filter_put(filter);
		return ERR_PTR(-ENOMEM);
	}
	keys->net = net;
	keys->name = name;
	keys->exchanges = exchanges;
	keys->filter = filter;
	keys->keys = u64_to_user_ptr(pointer);
	keys->results = u64_to_user_ptr(results);
	keys->count = count;
	keys->done = 0;
	memset(keys->tally, 0, sizeof(keys->tally));
	return keys;
}

static void kcuckoo_keys_end(struct kcuckoo_keys *keys)
{
	kcuckoo_filter_put(keys->filter);
	kvfree(keys);
}

/*
 * Copies the next chunk in. The batch is the leading keys that are there and
 * valid; an error only if there are none.
 */
static int kcuckoo_keys_copy(struct kcuckoo_keys *keys)
{
	struct kcuckoo_batch *batch = &keys->batch;
	u32 count = min_t(u32, keys->count - keys->done, KCUCKOO_CHUNK);
	u32 copied;
	u32 i;

	batch->count = 0;
	copied = count * sizeof(*keys->prefix) -
		 copy_from_user(keys->prefix, keys->keys + keys->done,
				count * sizeof(*keys->prefix));
	count = copied / sizeof(*keys->prefix);
	if (!count)
		return -EFAULT;
	for (i = 0; i < count; i++) {
		const struct kcuckoo_prefix *prefix = &keys->prefix[i];
		struct kcuckoo_member *member = &batch->member[i];

		if (!kcuckoo_prefix_valid(prefix))
			break;
		member->index = kcuckoo_layer_index(prefix->family,
						    prefix->plen);
		member->key.number = kcuckoo_prefix_number(prefix);
	}
	batch->count = i;
	return i ? 0 : -EINVAL;
}

/* Makes sure, before anything is done, that results can be told. */
static int kcuckoo_keys_probe(const struct kcuckoo_keys *keys)
{
	if (keys->results &&
	    clear_user(keys->results + keys->done, keys->batch.count))
		return -EFAULT;
	return 0;
}

/* Tells the results of a chunk, and counts them. */
static int kcuckoo_keys_tell(struct kcuckoo_keys *keys)
{
	const struct kcuckoo_batch *batch = &keys->batch;
	u32 at = keys->done;
	u32 i;

	for (i = 0; i < batch->done; i++)
		keys->tally[batch->result[i]]++;
	keys->done += batch->done;
	if (keys->results &&
	    copy_to_user(keys->results + at, batch->result, batch->done))
		return -EFAULT;
	return 0;
}

typedef int (*kcuckoo_keys_work)(struct kcuckoo_keys *keys);

/*
 * Works through all keys, a chunk at a time. Ends at the first that cannot be
 * done; that is an error only where none has been.
 */
static int kcuckoo_keys_run(struct kcuckoo_keys *keys, kcuckoo_keys_work work)
{
	int err = 0;

	while (!err && keys->done < keys->count) {
		if (fatal_signal_pending(current)) {
			err = -EINTR;
			break;
		}
		err = kcuckoo_keys_copy(keys);
		if (!err)
			err = kcuckoo_keys_probe(keys);
		if (err)
			break;
		err = work(keys);
		if (kcuckoo_keys_tell(keys))
			break;
		cond_resched();
	}
	return keys->done ? 0 : err;
}

static int kcuckoo_keys_add(struct kcuckoo_keys *keys)
{
	return kcuckoo_filter_add(keys->filter, &keys->batch);
}

/**
 * kcuckoo_ioc_add() - KCUCKOO_IOC_ADD
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_add
 *
 * Return: 0 or a negative errno, as <linux/kcuckoo.h> says.
 */
int kcuckoo_ioc_add(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	struct kcuckoo_ioc_add *add = &arg->add;
	struct kcuckoo_keys *keys;
	int err;

	if (add->flags)
		return -EINVAL;
	keys = kcuckoo_keys_begin(net, add->name, add->keys, add->results,
				  add->count);
	if (IS_ERR(keys))
		return PTR_ERR(keys);
	err = kcuckoo_keys_run(keys, kcuckoo_keys_add);
	add->done = keys->done;
	add->added = keys->tally[KCUCKOO_RESULT_ADDED];
	add->existed = keys->tally[KCUCKOO_RESULT_EXISTS];
	kcuckoo_keys_end(keys);
	return err;
}

static int kcuckoo_keys_del(struct kcuckoo_keys *keys)
{
	kcuckoo_filter_del(keys->filter, &keys->batch);
	return 0;
}

/**
 * kcuckoo_ioc_del() - KCUCKOO_IOC_DEL
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_del
 *
 * Return: 0 or a negative errno, as <linux/kcuckoo.h> says.
 */
int kcuckoo_ioc_del(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	struct kcuckoo_ioc_del *del = &arg->del;
	struct kcuckoo_keys *keys;
	int err;

	if (del->flags)
		return -EINVAL;
	keys = kcuckoo_keys_begin(net, del->name, del->keys, del->results,
				  del->count);
	if (IS_ERR(keys))
		return PTR_ERR(keys);
	err = kcuckoo_keys_run(keys, kcuckoo_keys_del);
	del->done = keys->done;
	del->deleted = keys->tally[KCUCKOO_RESULT_DELETED];
	del->absent = keys->tally[KCUCKOO_RESULT_ABSENT];
	kcuckoo_keys_end(keys);
	return err;
}

/*
 * Finds the filter again if names have changed theirs since. Returns 0 if they
 * have not, 1 if they have, or a negative errno.
 */
static int kcuckoo_keys_refresh(struct kcuckoo_keys *keys)
{
	u64 exchanges = kcuckoo_registry_exchanges(keys->net);
	struct kcuckoo_filter *filter;

	if (exchanges == keys->exchanges)
		return 0;
	filter = kcuckoo_registry_filter(keys->net, keys->name, NULL);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	kcuckoo_filter_put(keys->filter);
	keys->filter = filter;
	keys->exchanges = exchanges;
	return 1;
}

/*
 * A chunk is looked up again if another filter may have taken the name: the one
 * that was looked at can have been emptied since.
 */
static int kcuckoo_keys_look(struct kcuckoo_keys *keys, bool member)
{
	int changed;

	do {
		kcuckoo_filter_test(keys->filter, &keys->batch, member);
		changed = kcuckoo_keys_refresh(keys);
	} while (changed > 0 && !fatal_signal_pending(current));
	if (changed < 0)
		keys->batch.done = 0;
	return min(changed, 0);
}

static int kcuckoo_keys_test(struct kcuckoo_keys *keys)
{
	return kcuckoo_keys_look(keys, false);
}

static int kcuckoo_keys_test_member(struct kcuckoo_keys *keys)
{
	return kcuckoo_keys_look(keys, true);
}

/**
 * kcuckoo_ioc_test() - KCUCKOO_IOC_TEST
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_test
 *
 * Return: 0 or a negative errno, as <linux/kcuckoo.h> says.
 */
int kcuckoo_ioc_test(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	struct kcuckoo_ioc_test *test = &arg->test;
	struct kcuckoo_keys *keys;
	int err;

	if (test->flags & ~KCUCKOO_TEST_MEMBER || test->reserved)
		return -EINVAL;
	keys = kcuckoo_keys_begin(net, test->name, test->keys, test->results,
				  test->count);
	if (IS_ERR(keys))
		return PTR_ERR(keys);
	err = kcuckoo_keys_run(keys, test->flags & KCUCKOO_TEST_MEMBER ?
			       kcuckoo_keys_test_member : kcuckoo_keys_test);
	test->done = keys->done;
	test->present = keys->tally[KCUCKOO_RESULT_PRESENT];
	kcuckoo_keys_end(keys);
	return err;
}

/* Walks until the caller's room is full, or the walk ends. */
static int kcuckoo_walk_run(struct kcuckoo_filter *filter,
			    struct kcuckoo_walk_buffer *buffer,
			    struct kcuckoo_ioc_walk *walk)
{
	struct kcuckoo_prefix __user *keys = u64_to_user_ptr(walk->keys);
	unsigned int count;

	walk->done = 0;
	do {
		walk->state = kcuckoo_filter_walk(filter, &walk->cursor, buffer,
						  min_t(u32, KCUCKOO_WALK_ROOM,
							walk->count -
							walk->done), &count);
		if (copy_to_user(keys + walk->done, buffer->prefix,
				 count * sizeof(*buffer->prefix)))
			return -EFAULT;
		walk->done += count;
		if (fatal_signal_pending(current))
			return -EINTR;
	} while (walk->state == KCUCKOO_WALK_MORE && walk->done < walk->count);
	if (walk->state == KCUCKOO_WALK_RESTART)
		walk->done = 0;
	return 0;
}

/**
 * kcuckoo_ioc_walk() - KCUCKOO_IOC_WALK
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_walk
 *
 * Return: 0 or a negative errno, as <linux/kcuckoo.h> says.
 */
int kcuckoo_ioc_walk(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	struct kcuckoo_ioc_walk *walk = &arg->walk;
	struct kcuckoo_walk_buffer *buffer;
	struct kcuckoo_filter *filter;
	int err;

	if (walk->flags || !kcuckoo_name_valid(walk->name) ||
	    walk->count < KCUCKOO_WALK_MIN ||
	    walk->count > KCUCKOO_BATCH_MAX || walk->reserved)
		return -EINVAL;
	filter = kcuckoo_registry_filter(net, walk->name, NULL);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	buffer = kvmalloc(sizeof(*buffer), GFP_KERNEL_ACCOUNT);
	if (buffer)
		err = kcuckoo_walk_run(filter, buffer, walk);
	else
		err = -ENOMEM;
	kvfree(buffer);
	kcuckoo_filter_put(filter);
	return err;
}
