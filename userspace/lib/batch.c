// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * libkcuckoo: adding, deleting and looking up any number of keys
 *
 * The kernel takes KCUCKOO_BATCH_MAX keys at a time, may do fewer of them
 * than it was given, and tells the reason only when called again.
 */
#include <errno.h>
#include <string.h>

#include "handle.h"

struct batch {
	const char *name;
	unsigned int flags;
	const struct kcuckoo_prefix *keys;
	uint8_t *results;
};

/* One call of the kernel. Return: how many keys were done, or -errno. */
typedef long (*batch_step)(struct kcuckoo *handle, const struct batch *batch,
			   __u32 count, struct kcuckoo_count *sum);

static long step_add(struct kcuckoo *handle, const struct batch *batch,
		     __u32 count, struct kcuckoo_count *sum)
{
	struct kcuckoo_ioc_add arg = {
		.size = sizeof(arg),
		.keys = (uintptr_t)batch->keys,
		.results = (uintptr_t)batch->results,
		.count = count,
	};
	int ret = handle_name(arg.name, batch->name);

	if (!ret)
		ret = handle_call(handle, KCUCKOO_IOC_ADD, &arg);
	if (ret)
		return ret;
	sum->added += arg.added;
	sum->existed += arg.existed;
	return arg.done;
}

static long step_del(struct kcuckoo *handle, const struct batch *batch,
		     __u32 count, struct kcuckoo_count *sum)
{
	struct kcuckoo_ioc_del arg = {
		.size = sizeof(arg),
		.keys = (uintptr_t)batch->keys,
		.results = (uintptr_t)batch->results,
		.count = count,
	};
	int ret = handle_name(arg.name, batch->name);

	if (!ret)
		ret = handle_call(handle, KCUCKOO_IOC_DEL, &arg);
	if (ret)
		return ret;
	sum->deleted += arg.deleted;
	sum->absent += arg.absent;
	return arg.done;
}

static long step_test(struct kcuckoo *handle, const struct batch *batch,
		      __u32 count, struct kcuckoo_count *sum)
{
	struct kcuckoo_ioc_test arg = {
		.size = sizeof(arg),
		.flags = batch->flags,
		.keys = (uintptr_t)batch->keys,
		.results = (uintptr_t)batch->results,
		.count = count,
	};
	int ret = handle_name(arg.name, batch->name);

	if (!ret)
		ret = handle_call(handle, KCUCKOO_IOC_TEST, &arg);
	if (ret)
		return ret;
	sum->present += arg.present;
	return arg.done;
}

/* At least one call, so that a filter that is not there is always told. */
static int batch_run(struct kcuckoo *handle, struct batch *batch, size_t count,
		     struct kcuckoo_count *result, batch_step step)
{
	struct kcuckoo_count sum = { .done = 0 };
	long ret;

	do {
		size_t part = count - sum.done;

		if (part > KCUCKOO_BATCH_MAX)
			part = KCUCKOO_BATCH_MAX;
		ret = step(handle, batch, part, &sum);
		if (ret < 0)
			break;
		if ((size_t)ret > part || (part && !ret)) {
			/* Not to be had from a kernel that keeps its contract. */
			ret = -EIO;
			break;
		}
		sum.done += ret;
		batch->keys += ret;
		if (batch->results)
			batch->results += ret;
	} while (sum.done < count);

	if (result)
		*result = sum;
	return ret < 0 ? ret : 0;
}

KCUCKOO_PUBLIC int kcuckoo_add(struct kcuckoo *handle, const char *name,
			       const struct kcuckoo_prefix *keys, size_t count,
			       uint8_t *results, struct kcuckoo_count *sum)
{
	struct batch batch = {
		.name = name,
		.keys = keys,
		.results = results,
	};

	return batch_run(handle, &batch, count, sum, step_add);
}

KCUCKOO_PUBLIC int kcuckoo_del(struct kcuckoo *handle, const char *name,
			       const struct kcuckoo_prefix *keys, size_t count,
			       uint8_t *results, struct kcuckoo_count *sum)
{
	struct batch batch = {
		.name = name,
		.keys = keys,
		.results = results,
	};

	return batch_run(handle, &batch, count, sum, step_del);
}

KCUCKOO_PUBLIC int kcuckoo_test(struct kcuckoo *handle, const char *name,
				unsigned int flags,
				const struct kcuckoo_prefix *keys,
				size_t count, uint8_t *results,
				struct kcuckoo_count *sum)
{
	struct batch batch = {
		.name = name,
		.flags = flags,
		.keys = keys,
		.results = results,
	};

	return batch_run(handle, &batch, count, sum, step_test);
}
