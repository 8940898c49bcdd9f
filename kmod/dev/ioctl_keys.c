// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implements the operations of the device on batches of keys: add, delete, update, test.
 *
 * A batch is processed in chunks of up to KCUCKOO_CHUNK keys: copy the keys in, call the
 * filter, copy the results out. No lock is held while user memory is copied.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "core/prefix.h"
#include "dev/device.h"

/**
 * struct kcuckoo_arrays - addresses of the arrays of a batch in user memory
 * @keys: in: the keys: prefixes, or byte strings without gaps between them
 * @lengths: in: length of each byte string, in bytes
 * @results: out: the result of each key
 * @values: in: add: value of each key; delete, update: present value of each key
 * @new_values: in: update: the new value of each key
 * @timeouts: in: add: timeout of each key, in seconds
 * @values_out: out: test: values of each key, @max_values elements for each key
 * @value_counts: out: test: number of values of each key
 * @max_values: test: maximum number of values of a key to write; not an address
 * @plens: out: test: prefix length of the longest member that covers each key
 *
 * The address of an array that the program has not passed is 0.
 */
struct kcuckoo_arrays {
	u64 keys;
	u64 lengths;
	u64 results;
	u64 values;
	u64 new_values;
	u64 timeouts;
	u64 values_out;
	u64 value_counts;
	u32 max_values;
	u64 plens;
};

/**
 * struct kcuckoo_keys - the state of a call with a batch of keys
 * @net: the object of the network namespace
 * @name: name of the filter, all zero for the staged filter
 * @binding_seq: kcuckoo_net_binding_seq() before @filter was found by its name
 * @filter: the filter, with a reference
 * @check: add, delete, update: checks that a filter supports the call
 * @arg: the argument of the call, for @check
 * @arrays: the caller's arrays
 * @bytes: total length of the processed byte strings, in bytes
 * @count: number of keys
 * @done: number of leading keys that were processed
 * @results_required: true if a key counts as processed only after its results were
 *	written to user memory
 * @flags: test: KCUCKOO_TEST_*, else 0
 * @tally: number of processed keys with each result (enum kcuckoo_result)
 * @chunk: maximum number of keys of a chunk; memory is allocated for this number
 * @prefix: the prefixes of the present chunk, copied from the caller; NULL in a filter of
 *	byte strings
 * @length: the lengths of the byte strings of the chunk, copied from the caller; NULL in a
 *	filter of addresses
 * @number: values, new values or timeouts of the chunk, copied from the caller
 * @string: buffer of KCUCKOO_BYTES_MAX bytes for one byte string of the chunk at a time;
 *	for a look-up under the lock of the namespace, the buffer has several byte
 *	strings, without gaps between them. NULL in a filter of addresses
 * @batch: the chunk, as the argument of functions of filter/; has memory for @chunk
 *	members
 */
struct kcuckoo_keys {
	struct kcuckoo_net *net;
	const u8 *name;
	u64 binding_seq;
	struct kcuckoo_filter *filter;
	int (*check)(const struct kcuckoo_filter *filter,
		     const union kcuckoo_argument *arg);
	const union kcuckoo_argument *arg;
	const struct kcuckoo_arrays *arrays;
	u64 bytes;
	u32 count;
	u32 done;
	bool results_required;
	u32 flags;
	u32 tally[KCUCKOO_RESULT_REFUSED + 1];
	u32 chunk;
	struct kcuckoo_prefix *prefix;
	u16 *length;
	u32 *number;
	u8 *string;
	struct kcuckoo_batch batch;
};

/*
 * Allocates the state of a call with @count keys; @bytes is true for byte strings. For a
 * call with one address, the allocation has less than 1 KiB, so such a call is cheap.
 */
static struct kcuckoo_keys *kcuckoo_keys_alloc(u32 count, bool bytes)
{
	u32 chunk = clamp_t(u32, count, 1, KCUCKOO_CHUNK);
	size_t size = offsetof(struct kcuckoo_keys, batch.member[chunk]);
	size_t width = bytes ? sizeof(u16) : sizeof(struct kcuckoo_prefix);
	struct kcuckoo_keys *keys;
	u8 *at;

	keys = kvmalloc(size + chunk * (width + sizeof(u32)) +
			(bytes ? KCUCKOO_BYTES_MAX : 0), GFP_KERNEL_ACCOUNT);
	if (!keys)
		return NULL;
	/*
	 * @number needs an alignment of 4 bytes, and has this alignment because the size
	 * of a prefix, 24 bytes, is a multiple of 4. @length needs an alignment of 2
	 * bytes, and @string needs no alignment.
	 */
	at = (u8 *)keys + size;
	keys->chunk = chunk;
	keys->prefix = bytes ? NULL : (struct kcuckoo_prefix *)at;
	at += bytes ? 0 : chunk * width;
	keys->number = (u32 *)at;
	at += chunk * sizeof(u32);
	keys->length = bytes ? (u16 *)at : NULL;
	keys->string = bytes ? at + chunk * width : NULL;
	return keys;
}

static struct kcuckoo_keys *
kcuckoo_keys_begin(struct kcuckoo_descriptor *descriptor, const u8 *name,
		   u32 count, const struct kcuckoo_arrays *arrays)
{
	struct kcuckoo_net *net = descriptor->net;
	struct kcuckoo_filter *filter;
	struct kcuckoo_keys *keys;
	u64 binding_seq;

	if (!kcuckoo_target_valid(name) || count > KCUCKOO_BATCH_MAX)
		return ERR_PTR(-EINVAL);
	binding_seq = kcuckoo_net_binding_seq(net);
	filter = kcuckoo_target_get(descriptor, name, NULL);
	if (IS_ERR(filter))
		return ERR_CAST(filter);
	keys = kcuckoo_keys_alloc(count,
				  filter->config.type == KCUCKOO_TYPE_BYTES);
	if (!keys) {
		kcuckoo_filter_put(filter);
		return ERR_PTR(-ENOMEM);
	}
	keys->net = net;
	keys->name = name;
	keys->binding_seq = binding_seq;
	keys->filter = filter;
	keys->arrays = arrays;
	keys->bytes = 0;
	keys->count = count;
	keys->done = 0;
	keys->results_required = false;
	keys->flags = 0;
	memset(keys->tally, 0, sizeof(keys->tally));
	keys->batch.only_absent = false;
	keys->batch.valued = arrays->values;
	keys->batch.values = NULL;
	return keys;
}

static void kcuckoo_keys_end(struct kcuckoo_keys *keys)
{
	kvfree(keys->batch.values);
	kcuckoo_filter_put(keys->filter);
	kvfree(keys);
}

/*
 * Copies up to @count elements of an array of the caller, from the first key that was not
 * processed yet. Returns the number of elements that could be read.
 */
static u32 kcuckoo_keys_read(const struct kcuckoo_keys *keys, void *to,
			     u64 array, size_t size, u32 count)
{
	const u8 __user *from = u64_to_user_ptr(array);

	return count - DIV_ROUND_UP(copy_from_user(to, from + keys->done * size,
						   count * size), size);
}

/* Computes for each prefix of a chunk its layer in the filter, and its key in the layer. */
static void kcuckoo_keys_layers(struct kcuckoo_keys *keys)
{
	bool exact = kcuckoo_filter_exact(keys->filter);
	u32 i;

	for (i = 0; i < keys->batch.count; i++) {
		const struct kcuckoo_prefix *prefix = &keys->prefix[i];
		struct kcuckoo_member *member = &keys->batch.member[i];

		member->key.number = kcuckoo_prefix_number(prefix);
		member->index = kcuckoo_split_prefix(exact, prefix->family,
						     prefix->plen,
						     &member->key.number);
	}
}

/*
 * Copies up to @count prefixes in; stops before the first unreadable or invalid prefix.
 * Returns an error only if no prefix could be copied.
 */
static int kcuckoo_keys_prefixes(struct kcuckoo_keys *keys, u32 count)
{
	u32 i;

	count = kcuckoo_keys_read(keys, keys->prefix, keys->arrays->keys,
				  sizeof(*keys->prefix), count);
	if (!count)
		return -EFAULT;
	for (i = 0; i < count && kcuckoo_prefix_valid(&keys->prefix[i]); i++)
		;
	keys->batch.count = i;
	kcuckoo_keys_layers(keys);
	return i ? 0 : -EINVAL;
}

/*
 * Copies up to @count byte strings in, one at a time, and hashes them. Stops before the
 * first string that is unreadable or too long. Returns an error only if no string could
 * be copied.
 */
static int kcuckoo_keys_strings(struct kcuckoo_keys *keys, u32 count)
{
	const struct kcuckoo_hash_key *secret = &keys->filter->secret;
	struct kcuckoo_batch *batch = &keys->batch;
	u64 at = keys->arrays->keys + keys->bytes;
	int err = -EFAULT;
	u32 i;

	count = kcuckoo_keys_read(keys, keys->length, keys->arrays->lengths,
				  sizeof(*keys->length), count);
	for (i = 0; i < count; i++) {
		struct kcuckoo_member *member = &batch->member[i];
		u32 length = keys->length[i];

		if (length > KCUCKOO_BYTES_MAX) {
			err = -EINVAL;
			break;
		}
		if (copy_from_user(keys->string, u64_to_user_ptr(at), length))
			break;
		member->index = KCUCKOO_BYTES_LAYER;
		member->key.number.hi = 0;
		member->key.number.lo = 0;
		member->key.hash = kcuckoo_hash_bytes(secret, keys->string,
						      length);
		at += length;
	}
	batch->count = i;
	return i ? 0 : err;
}

/*
 * Copies one number for each key of the chunk from @array. If @array is 0, all numbers
 * are 0. Shortens the chunk to the keys before the first number that is unreadable or
 * exceeds @max. Returns an error only if no key is left.
 */
static int kcuckoo_keys_numbers(struct kcuckoo_keys *keys, u64 array, u32 max)
{
	struct kcuckoo_batch *batch = &keys->batch;
	u32 count;
	u32 i;

	memset(keys->number, 0, batch->count * sizeof(*keys->number));
	if (!array)
		return 0;
	count = kcuckoo_keys_read(keys, keys->number, array,
				  sizeof(*keys->number), batch->count);
	if (!count)
		return -EFAULT;
	for (i = 0; i < count && keys->number[i] <= max; i++)
		;
	batch->count = i;
	return i ? 0 : -EINVAL;
}

static int kcuckoo_keys_copy_attrs(struct kcuckoo_keys *keys)
{
	const struct kcuckoo_config *config = &keys->filter->config;
	u32 max = kcuckoo_bits_mask(config->params.value_bits);
	const struct kcuckoo_arrays *arrays = keys->arrays;
	struct kcuckoo_member *member = keys->batch.member;
	int err;
	u32 i;

	err = kcuckoo_keys_numbers(keys, arrays->values, max);
	for (i = 0; !err && i < keys->batch.count; i++)
		member[i].value = keys->number[i];
	if (!err)
		err = kcuckoo_keys_numbers(keys, arrays->new_values, max);
	for (i = 0; !err && i < keys->batch.count; i++)
		member[i].new_value = keys->number[i];
	if (!err)
		err = kcuckoo_keys_numbers(keys, arrays->timeouts,
					   KCUCKOO_TIMEOUT_MAX);
	for (i = 0; !err && i < keys->batch.count; i++)
		member[i].timeout = arrays->timeouts ? keys->number[i] :
						       config->timeout;
	return err;
}

/*
 * Copies the next chunk in: the keys before the first key that is unreadable or invalid.
 * Returns an error only if the first key is unreadable or invalid.
 */
static int kcuckoo_keys_copy_in(struct kcuckoo_keys *keys)
{
	u32 count = min(keys->count - keys->done, keys->chunk);
	int err;

	if (keys->filter->config.type == KCUCKOO_TYPE_BYTES)
		err = kcuckoo_keys_strings(keys, count);
	else
		err = kcuckoo_keys_prefixes(keys, count);
	return err ? err : kcuckoo_keys_copy_attrs(keys);
}

/* Zeroes the results of the next @count keys in user memory, if the caller wants results. */
static int kcuckoo_keys_clear(const struct kcuckoo_keys *keys, u32 count)
{
	u8 __user *results = u64_to_user_ptr(keys->arrays->results);

	return results && clear_user(results + keys->done, count) ? -EFAULT : 0;
}

/* Writes up to @max_values values of key @i of the chunk, and the number of all its values. */
static int kcuckoo_keys_write_values(const struct kcuckoo_keys *keys, u32 i)
{
	const struct kcuckoo_arrays *arrays = keys->arrays;
	const struct kcuckoo_values *values = &keys->batch.values[i];
	u32 max_values = arrays->max_values;
	u32 __user *out = u64_to_user_ptr(arrays->values_out);
	u8 __user *counts = u64_to_user_ptr(arrays->value_counts);
	u64 at = keys->done + i;

	if (copy_to_user(out + at * max_values, values->value,
			 min(values->count, max_values) * sizeof(*out)))
		return -EFAULT;
	return counts ? put_user((u8)values->count, counts + at) : 0;
}

static int kcuckoo_keys_write_results(const struct kcuckoo_keys *keys)
{
	u8 __user *results = u64_to_user_ptr(keys->arrays->results);
	u8 __user *plens = u64_to_user_ptr(keys->arrays->plens);
	const struct kcuckoo_batch *batch = &keys->batch;
	int err = 0;
	u32 i;

	if (results &&
	    copy_to_user(results + keys->done, batch->result, batch->done))
		err = -EFAULT;
	if (plens && copy_to_user(plens + keys->done, batch->plen, batch->done))
		err = -EFAULT;
	for (i = 0; batch->values && i < batch->done && !err; i++)
		err = kcuckoo_keys_write_values(keys, i);
	return err;
}

static void kcuckoo_keys_count(struct kcuckoo_keys *keys)
{
	const struct kcuckoo_batch *batch = &keys->batch;
	u32 i;

	for (i = 0; i < batch->done; i++) {
		keys->tally[batch->result[i]]++;
		if (keys->filter->config.type == KCUCKOO_TYPE_BYTES)
			keys->bytes += keys->length[i];
	}
	keys->done += batch->done;
}

/*
 * Replaces @keys->filter by the present filter of the name. Returns -ENOENT if the name
 * has no filter of the same type; -EOPNOTSUPP if a test wants values or prefix lengths
 * that the present filter does not have; or -ENODEV if the namespace is ending or has
 * ended. The caller holds the lock of the namespace.
 */
static int kcuckoo_keys_switch_filter(struct kcuckoo_keys *keys)
{
	struct kcuckoo_filter *filter = NULL;
	struct kcuckoo_net *net = keys->net;
	struct kcuckoo_slot *slot;

	lockdep_assert_held(&net->lock);
	if (kcuckoo_net_dead(net))
		return -ENODEV;
	slot = kcuckoo_slot_find(net, keys->name);
	if (slot)
		filter = kcuckoo_slot_filter(slot);
	if (!filter || filter->config.type != keys->filter->config.type)
		return -ENOENT;
	if ((keys->batch.values && !filter->config.params.value_bits) ||
	    (keys->arrays->plens && !kcuckoo_filter_exact(filter)))
		return -EOPNOTSUPP;
	kcuckoo_filter_get(filter);
	keys->binding_seq = kcuckoo_net_binding_seq(net);
	swap(keys->filter, filter);
	kcuckoo_filter_put(filter);
	return 0;
}

/*
 * Continues a batch in the present filter of the name, because the filter of the batch
 * was superseded. The caller copies the keys that were not processed in again, because the
 * new filter can have another secret.
 */
static int kcuckoo_keys_follow(struct kcuckoo_keys *keys)
{
	int err;

	mutex_lock(&keys->net->lock);
	err = kcuckoo_keys_switch_filter(keys);
	mutex_unlock(&keys->net->lock);
	return err ? err : keys->check(keys->filter, keys->arg);
}

/*
 * Processes one chunk. Sets @keys->batch.done to the number of leading keys that were
 * processed. Returns 0, or the error of the next key.
 */
typedef int (*kcuckoo_keys_work)(struct kcuckoo_keys *keys);

/*
 * Calls @work for all keys, one chunk at a time. Stops at the first key that cannot be
 * processed, and returns the error of this key only if no key was processed. A key with
 * any result of enum kcuckoo_result except KCUCKOO_RESULT_NONE counts as processed. If the
 * filter is superseded, continues with the remaining keys in the new filter of the name.
 */
static int kcuckoo_keys_run(struct kcuckoo_keys *keys, kcuckoo_keys_work work)
{
	int err = 0;

	while (!err && keys->done < keys->count) {
		if (fatal_signal_pending(current)) {
			err = -EINTR;
			break;
		}
		err = kcuckoo_keys_copy_in(keys);
		/*
		 * If the memory for results cannot be written, fails before the filter is
		 * changed.
		 */
		if (!err)
			err = kcuckoo_keys_clear(keys, keys->batch.count);
		if (err)
			break;
		err = work(keys);
		if (kcuckoo_keys_write_results(keys)) {
			err = -EFAULT;
			if (keys->results_required)
				break;
		}
		kcuckoo_keys_count(keys);
		if (err == -ESTALE)
			err = kcuckoo_keys_follow(keys);
		cond_resched();
	}
	if (!keys->done)
		return err;
	/*
	 * Zeroes the results of the keys that were not processed. If this fails, the
	 * call still succeeds: it returns the number of keys that were processed.
	 */
	kcuckoo_keys_clear(keys, keys->count - keys->done);
	return 0;
}

static int kcuckoo_keys_change(struct kcuckoo_keys *keys, kcuckoo_keys_work work,
			       int (*check)(const struct kcuckoo_filter *filter,
					    const union kcuckoo_argument *arg),
			       const union kcuckoo_argument *arg)
{
	int err = check(keys->filter, arg);

	keys->check = check;
	keys->arg = arg;
	return err ? err : kcuckoo_keys_run(keys, work);
}

static int kcuckoo_keys_add(struct kcuckoo_keys *keys)
{
	return kcuckoo_filter_add(keys->filter, &keys->batch);
}

/*
 * Checks whether a filter supports KCUCKOO_ADD_ABSENT, which leaves keys that are members
 * unchanged. In a filter of fingerprints a key can be mistaken for a member with the same
 * fingerprint, and is then not added. So such a filter supports the flag only if this key
 * needs no entry of its own: keys with the same fingerprint share an entry (insert-only),
 * and the filter has neither values nor timeouts.
 */
static bool kcuckoo_absent_supported(const struct kcuckoo_filter *filter)
{
	const struct kcuckoo_table_params *params = &filter->config.params;

	return kcuckoo_filter_exact(filter) ||
	       (!kcuckoo_filter_multiset(filter) && !params->value_bits &&
		!params->expiry_bits);
}

static int kcuckoo_add_check(const struct kcuckoo_filter *filter,
			     const union kcuckoo_argument *arg)
{
	const struct kcuckoo_config *config = &filter->config;
	const struct kcuckoo_ioc_add *add = &arg->add;

	if (add->timeouts && !config->params.expiry_bits)
		return -EOPNOTSUPP;
	if (add->values && !config->params.value_bits)
		return -EOPNOTSUPP;
	return add->flags && !kcuckoo_absent_supported(filter) ? -EOPNOTSUPP : 0;
}

/**
 * kcuckoo_ioc_add() - add keys (KCUCKOO_IOC_ADD)
 * @descriptor: the descriptor
 * @arg: struct kcuckoo_ioc_add
 *
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
 */
int kcuckoo_ioc_add(struct kcuckoo_descriptor *descriptor,
		    union kcuckoo_argument *arg)
{
	struct kcuckoo_ioc_add *add = &arg->add;
	const struct kcuckoo_arrays arrays = {
		.keys = add->keys,
		.lengths = add->lengths,
		.results = add->results,
		.values = add->values,
		.timeouts = add->timeouts,
	};
	struct kcuckoo_keys *keys;
	int err;

	if (add->flags & ~KCUCKOO_ADD_ABSENT || add->reserved)
		return -EINVAL;
	keys = kcuckoo_keys_begin(descriptor, add->name, add->count, &arrays);
	if (IS_ERR(keys))
		return PTR_ERR(keys);
	keys->batch.only_absent = add->flags & KCUCKOO_ADD_ABSENT;
	err = kcuckoo_keys_change(keys, kcuckoo_keys_add, kcuckoo_add_check, arg);
	add->done = keys->done;
	add->added = keys->tally[KCUCKOO_RESULT_ADDED];
	add->existed = keys->tally[KCUCKOO_RESULT_EXISTS];
	add->refused = keys->tally[KCUCKOO_RESULT_REFUSED];
	kcuckoo_keys_end(keys);
	return err;
}

/*
 * Checks that members of a filter can be deleted or updated. @values is the address of the
 * array of the present values of the keys, or 0.
 *
 * In an insert-only filter keys with the same fingerprint can share an entry, so none of
 * them can be removed. If a filter of fingerprints is not insert-only, and has values, the
 * present value of a key selects its entry.
 */
static int kcuckoo_change_check(const struct kcuckoo_filter *filter, u64 values)
{
	const struct kcuckoo_config *config = &filter->config;

	if (config->traits & KCUCKOO_CREATE_INSERT_ONLY)
		return -EOPNOTSUPP;
	if (!config->params.value_bits)
		return values ? -EOPNOTSUPP : 0;
	return kcuckoo_filter_multiset(filter) && !values ? -EINVAL : 0;
}

static int kcuckoo_del_check(const struct kcuckoo_filter *filter,
			     const union kcuckoo_argument *arg)
{
	return kcuckoo_change_check(filter, arg->del.values);
}

static int kcuckoo_keys_del(struct kcuckoo_keys *keys)
{
	return kcuckoo_filter_del(keys->filter, &keys->batch);
}

/**
 * kcuckoo_ioc_del() - delete keys (KCUCKOO_IOC_DEL)
 * @descriptor: the descriptor
 * @arg: struct kcuckoo_ioc_del
 *
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
 */
int kcuckoo_ioc_del(struct kcuckoo_descriptor *descriptor,
		    union kcuckoo_argument *arg)
{
	struct kcuckoo_ioc_del *del = &arg->del;
	const struct kcuckoo_arrays arrays = {
		.keys = del->keys,
		.lengths = del->lengths,
		.results = del->results,
		.values = del->values,
	};
	struct kcuckoo_keys *keys;
	int err;

	if (del->flags)
		return -EINVAL;
	keys = kcuckoo_keys_begin(descriptor, del->name, del->count, &arrays);
	if (IS_ERR(keys))
		return PTR_ERR(keys);
	err = kcuckoo_keys_change(keys, kcuckoo_keys_del, kcuckoo_del_check, arg);
	del->done = keys->done;
	del->deleted = keys->tally[KCUCKOO_RESULT_DELETED];
	del->absent = keys->tally[KCUCKOO_RESULT_ABSENT];
	kcuckoo_keys_end(keys);
	return err;
}

static int kcuckoo_update_check(const struct kcuckoo_filter *filter,
				const union kcuckoo_argument *arg)
{
	const struct kcuckoo_ioc_update *update = &arg->update;
	int err = kcuckoo_change_check(filter, update->old_values);

	if (err)
		return err;
	if (!filter->config.params.value_bits)
		return -EOPNOTSUPP;
	return update->values ? 0 : -EINVAL;
}

static int kcuckoo_keys_update(struct kcuckoo_keys *keys)
{
	return kcuckoo_filter_update(keys->filter, &keys->batch);
}

/**
 * kcuckoo_ioc_update() - replace the values of keys (KCUCKOO_IOC_UPDATE)
 * @descriptor: the descriptor
 * @arg: struct kcuckoo_ioc_update
 *
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
 */
int kcuckoo_ioc_update(struct kcuckoo_descriptor *descriptor,
		       union kcuckoo_argument *arg)
{
	struct kcuckoo_ioc_update *update = &arg->update;
	const struct kcuckoo_arrays arrays = {
		.keys = update->keys,
		.lengths = update->lengths,
		.results = update->results,
		.values = update->old_values,
		.new_values = update->values,
	};
	struct kcuckoo_keys *keys;
	int err;

	if (update->flags)
		return -EINVAL;
	keys = kcuckoo_keys_begin(descriptor, update->name, update->count, &arrays);
	if (IS_ERR(keys))
		return PTR_ERR(keys);
	err = kcuckoo_keys_change(keys, kcuckoo_keys_update,
				  kcuckoo_update_check, arg);
	update->done = keys->done;
	update->updated = keys->tally[KCUCKOO_RESULT_UPDATED];
	update->absent = keys->tally[KCUCKOO_RESULT_ABSENT];
	kcuckoo_keys_end(keys);
	return err;
}

/*
 * If any name of the namespace has lost or changed its filter since @keys->filter was
 * found, finds the filter of the name again, copies the chunk in again, and returns 1: the
 * caller must look the chunk up again. Otherwise, and for a staged filter, returns 0. A
 * negative errno is an error.
 */
static int kcuckoo_keys_refresh(struct kcuckoo_keys *keys)
{
	int err;

	/* A staged filter has no name, so changes of names do not concern it. */
	if (kcuckoo_target_staged(keys->name) ||
	    kcuckoo_net_binding_seq(keys->net) == keys->binding_seq)
		return 0;
	mutex_lock(&keys->net->lock);
	err = kcuckoo_keys_switch_filter(keys);
	mutex_unlock(&keys->net->lock);
	/* Byte strings must be hashed again, with the secret of the new filter. */
	return err ?: kcuckoo_keys_copy_in(keys) ?: 1;
}

/*
 * Copies the first byte strings of a chunk to @keys->string, as many as fit into this
 * buffer, and shortens the chunk to these strings.
 */
static int kcuckoo_keys_buffer_strings(struct kcuckoo_keys *keys)
{
	u64 at = keys->arrays->keys + keys->bytes;
	struct kcuckoo_batch *batch = &keys->batch;
	u32 length = 0;
	u32 i;

	/* One string always fits, because it has at most KCUCKOO_BYTES_MAX bytes. */
	for (i = 0; i < batch->count &&
	     length + keys->length[i] <= KCUCKOO_BYTES_MAX; i++)
		length += keys->length[i];
	batch->count = i;
	return copy_from_user(keys->string, u64_to_user_ptr(at), length) ?
	       -EFAULT : 0;
}

static void kcuckoo_keys_hash_strings(struct kcuckoo_keys *keys)
{
	const struct kcuckoo_hash_key *secret = &keys->filter->secret;
	const u8 *string = keys->string;
	u32 i;

	for (i = 0; i < keys->batch.count; i++) {
		keys->batch.member[i].key.hash =
			kcuckoo_hash_bytes(secret, string, keys->length[i]);
		string += keys->length[i];
	}
}

/*
 * Looks up a chunk under the lock of the namespace, so that no name gets another filter
 * during the look-up. Copies user memory before it takes the lock, because an access to
 * user memory can take any length of time.
 */
static int kcuckoo_keys_test_locked(struct kcuckoo_keys *keys)
{
	bool bytes = keys->filter->config.type == KCUCKOO_TYPE_BYTES;
	int err = bytes ? kcuckoo_keys_buffer_strings(keys) : 0;

	if (err)
		return err;
	mutex_lock(&keys->net->lock);
	err = kcuckoo_keys_switch_filter(keys);
	if (!err) {
		if (bytes)
			kcuckoo_keys_hash_strings(keys);
		else
			kcuckoo_keys_layers(keys);
		kcuckoo_filter_test(keys->filter, &keys->batch, keys->flags);
	}
	mutex_unlock(&keys->net->lock);
	return err;
}

/*
 * Looks up a chunk. If any name has lost or changed its filter during the look-up, looks
 * the chunk up again in the present filter of the name, because a program can have
 * emptied the first filter in the meantime. After KCUCKOO_READ_TRIES tries, looks the
 * chunk up under the lock of the namespace.
 */
static int kcuckoo_keys_test(struct kcuckoo_keys *keys)
{
	unsigned int tries;
	int ret = 1;

	for (tries = 0; tries < KCUCKOO_READ_TRIES && ret > 0; tries++) {
		kcuckoo_filter_test(keys->filter, &keys->batch, keys->flags);
		ret = kcuckoo_keys_refresh(keys);
	}
	if (ret > 0)
		ret = kcuckoo_keys_test_locked(keys);
	if (ret < 0)
		keys->batch.done = 0;
	return ret;
}

static bool kcuckoo_test_valid(const struct kcuckoo_ioc_test *test)
{
	u32 flags = test->flags;

	if (flags & ~(KCUCKOO_TEST_MEMBER | KCUCKOO_TEST_COVERED) ||
	    flags == (KCUCKOO_TEST_MEMBER | KCUCKOO_TEST_COVERED))
		return false;
	return test->max_values <= KCUCKOO_VALUES_MAX &&
	       (flags & KCUCKOO_TEST_COVERED || !test->plens);
}

static int kcuckoo_test_check(const struct kcuckoo_filter *filter,
			      const struct kcuckoo_ioc_test *test)
{
	if (test->flags & KCUCKOO_TEST_COVERED &&
	    filter->config.type != KCUCKOO_TYPE_INET)
		return -EOPNOTSUPP;
	return test->plens && !kcuckoo_filter_exact(filter) ? -EOPNOTSUPP : 0;
}

static int kcuckoo_test_prepare(struct kcuckoo_keys *keys,
				const struct kcuckoo_ioc_test *test)
{
	if (!test->values)
		return test->max_values || test->value_counts ? -EINVAL : 0;
	if (!keys->filter->config.params.value_bits)
		return -EOPNOTSUPP;
	keys->batch.values = kvmalloc_array(keys->chunk,
					    sizeof(*keys->batch.values),
					    GFP_KERNEL_ACCOUNT);
	return keys->batch.values ? 0 : -ENOMEM;
}

/**
 * kcuckoo_ioc_test() - look up keys (KCUCKOO_IOC_TEST)
 * @descriptor: the descriptor
 * @arg: struct kcuckoo_ioc_test
 *
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
 */
int kcuckoo_ioc_test(struct kcuckoo_descriptor *descriptor,
		     union kcuckoo_argument *arg)
{
	struct kcuckoo_ioc_test *test = &arg->test;
	const struct kcuckoo_arrays arrays = {
		.keys = test->keys,
		.lengths = test->lengths,
		.results = test->results,
		.values_out = test->values,
		.value_counts = test->value_counts,
		.max_values = test->max_values,
		.plens = test->plens,
	};
	struct kcuckoo_keys *keys;
	int err;

	if (!kcuckoo_test_valid(test))
		return -EINVAL;
	keys = kcuckoo_keys_begin(descriptor, test->name, test->count, &arrays);
	if (IS_ERR(keys))
		return PTR_ERR(keys);
	keys->results_required = true;
	keys->flags = test->flags;
	err = kcuckoo_test_check(keys->filter, test);
	if (!err)
		err = kcuckoo_test_prepare(keys, test);
	if (!err)
		err = kcuckoo_keys_run(keys, kcuckoo_keys_test);
	test->done = keys->done;
	test->present = keys->tally[KCUCKOO_RESULT_PRESENT];
	kcuckoo_keys_end(keys);
	return err;
}
