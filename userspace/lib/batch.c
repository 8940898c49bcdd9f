// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * These functions of libkcuckoo add, delete, update and look up any number of
 * keys.
 *
 * One ioctl processes at most KCUCKOO_BATCH_MAX keys. If a key fails, the ioctl
 * stops at this key, and returns the number of keys before it. The next ioctl
 * begins with the key that failed, and returns the error of this key.
 */
#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "handle.h"

/*
 * The requests of the four ioctls for keys begin with the same fields, from
 * @size to @lengths. call() accesses these fields through @add.
 */
union request {
	struct kcuckoo_ioc_add add;
	struct kcuckoo_ioc_del del;
	struct kcuckoo_ioc_update update;
	struct kcuckoo_ioc_test test;
};

#define LIKE_ADD(verb)							\
	(offsetof(struct kcuckoo_ioc_##verb, lengths) ==		\
	 offsetof(struct kcuckoo_ioc_add, lengths))
static_assert(LIKE_ADD(del) && LIKE_ADD(update) && LIKE_ADD(test),
	      "requests of batches begin alike");

/**
 * struct run - state of the processing of a batch
 * @handle: handle of the device
 * @name: name of the filter
 * @flags: flags of the request
 * @batch: all keys
 * @bytes_done: number of bytes of the byte strings that were processed
 * @counts: results so far
 */
struct run {
	struct kcuckoo *handle;
	const char *name;
	unsigned int flags;
	const struct kcuckoo_batch *batch;
	size_t bytes_done;
	struct kcuckoo_counts counts;
};

/*
 * Call the kernel once, with the next @count keys. Return: the number of keys
 * that were processed, or -errno.
 */
typedef long (*run_step)(struct run *run, __u32 count);

/* Return: the address of element @first, or 0 if @array is NULL. */
static __u64 address(const void *array, size_t first, size_t width)
{
	return array ? (uintptr_t)array + first * width : 0;
}

static long call(struct run *run, unsigned long number, union request *request,
		 size_t size, __u32 count)
{
	const struct kcuckoo_batch *batch = run->batch;
	struct kcuckoo_ioc_add *head = &request->add;
	size_t first = run->counts.done;
	int ret = kcuckoo_handle_name(head->name, run->name);

	if (ret)
		return ret;
	head->size = size;
	head->flags = run->flags;
	head->keys = batch->lengths ?
		address(batch->bytes, run->bytes_done, 1) :
		address(batch->prefixes, first, sizeof(*batch->prefixes));
	head->lengths = address(batch->lengths, first, sizeof(*batch->lengths));
	head->results = address(batch->results, first, sizeof(*batch->results));
	head->count = count;
	ret = kcuckoo_handle_call(run->handle, number, request);
	return ret ? ret : (long)head->done;
}

static long step_add(struct run *run, __u32 count)
{
	const struct kcuckoo_batch *batch = run->batch;
	size_t first = run->counts.done;
	union request request = { .add = {
		.values = address(batch->values, first, sizeof(__u32)),
		.timeouts = address(batch->timeouts, first, sizeof(__u32)),
	} };
	long done = call(run, KCUCKOO_IOC_ADD, &request, sizeof(request.add),
			 count);

	if (done < 0)
		return done;
	run->counts.added += request.add.added;
	run->counts.existed += request.add.existed;
	run->counts.refused += request.add.refused;
	return done;
}

static long step_del(struct run *run, __u32 count)
{
	const struct kcuckoo_batch *batch = run->batch;
	union request request = { .del = {
		.values = address(batch->values, run->counts.done, sizeof(__u32)),
	} };
	long done = call(run, KCUCKOO_IOC_DEL, &request, sizeof(request.del),
			 count);

	if (done < 0)
		return done;
	run->counts.deleted += request.del.deleted;
	run->counts.absent += request.del.absent;
	return done;
}

static long step_update(struct run *run, __u32 count)
{
	const struct kcuckoo_batch *batch = run->batch;
	size_t first = run->counts.done;
	union request request = { .update = {
		.values = address(batch->values, first, sizeof(__u32)),
		.old_values = address(batch->old_values, first, sizeof(__u32)),
	} };
	long done = call(run, KCUCKOO_IOC_UPDATE, &request,
			 sizeof(request.update), count);

	if (done < 0)
		return done;
	run->counts.updated += request.update.updated;
	run->counts.absent += request.update.absent;
	return done;
}

static long step_test(struct run *run, __u32 count)
{
	const struct kcuckoo_batch *batch = run->batch;
	size_t first = run->counts.done;
	union request request = { .test = {
		.max_values = batch->max_values,
		.values = address(batch->found, first * batch->max_values,
				  sizeof(__u32)),
		.value_counts = address(batch->found_counts, first,
					sizeof(__u8)),
	} };
	long done;

	/* Without KCUCKOO_TEST_COVERED the caller need not set batch->plens. */
	if (run->flags & KCUCKOO_TEST_COVERED)
		request.test.plens = address(batch->plens, first, sizeof(__u8));
	done = call(run, KCUCKOO_IOC_TEST, &request, sizeof(request.test),
		    count);

	if (done >= 0)
		run->counts.present += request.test.present;
	return done;
}

static void advance(struct run *run, size_t count)
{
	const uint16_t *lengths = run->batch->lengths;
	size_t i;

	for (i = 0; lengths && i < count; i++)
		run->bytes_done += lengths[run->counts.done + i];
	run->counts.done += count;
}

/* Make one call even for an empty batch, so that a missing filter is always reported. */
static int run_all(struct kcuckoo *handle, const char *name, unsigned int flags,
		   const struct kcuckoo_batch *batch, run_step step,
		   struct kcuckoo_counts *counts)
{
	struct run run = {
		.handle = handle,
		.name = name,
		.flags = flags,
		.batch = batch,
	};
	size_t count = batch->count;
	long ret;

	do {
		size_t chunk = count - run.counts.done;

		if (chunk > KCUCKOO_BATCH_MAX)
			chunk = KCUCKOO_BATCH_MAX;
		ret = step(&run, chunk);
		if (ret < 0)
			break;
		if ((size_t)ret > chunk || (chunk && !ret)) {
			/* The kernel processes 1 to @chunk keys, or returns an error. */
			ret = -EIO;
			break;
		}
		advance(&run, ret);
	} while (run.counts.done < count);

	if (counts)
		*counts = run.counts;
	return ret < 0 ? ret : 0;
}

KCUCKOO_PUBLIC int kcuckoo_add(struct kcuckoo *handle, const char *name,
			       unsigned int flags,
			       const struct kcuckoo_batch *batch,
			       struct kcuckoo_counts *counts)
{
	return run_all(handle, name, flags, batch, step_add, counts);
}

KCUCKOO_PUBLIC int kcuckoo_del(struct kcuckoo *handle, const char *name,
			       const struct kcuckoo_batch *batch,
			       struct kcuckoo_counts *counts)
{
	return run_all(handle, name, 0, batch, step_del, counts);
}

KCUCKOO_PUBLIC int kcuckoo_update(struct kcuckoo *handle, const char *name,
				  const struct kcuckoo_batch *batch,
				  struct kcuckoo_counts *counts)
{
	return run_all(handle, name, 0, batch, step_update, counts);
}

KCUCKOO_PUBLIC int kcuckoo_test(struct kcuckoo *handle, const char *name,
				unsigned int flags,
				const struct kcuckoo_batch *batch,
				struct kcuckoo_counts *counts)
{
	return run_all(handle, name, flags, batch, step_test, counts);
}
