// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implements the operation of the device that lists the members of a filter (a walk).
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "dev/device.h"

/* Copies @count members of the buffer to the arrays of the program, from index @at on. */
static int kcuckoo_walk_copy_out(const struct kcuckoo_ioc_walk *walk,
				 const struct kcuckoo_walk_buffer *buffer,
				 u32 at, unsigned int count)
{
	struct kcuckoo_prefix __user *keys = u64_to_user_ptr(walk->keys);
	u32 __user *values = u64_to_user_ptr(walk->values);
	u32 __user *timeouts = u64_to_user_ptr(walk->timeouts);

	if (copy_to_user(keys + at, buffer->prefix, count * sizeof(*keys)))
		return -EFAULT;
	if (values &&
	    copy_to_user(values + at, buffer->value, count * sizeof(*values)))
		return -EFAULT;
	return timeouts && copy_to_user(timeouts + at, buffer->timeout,
					count * sizeof(*timeouts)) ?
	       -EFAULT : 0;
}

/*
 * Walks until the arrays of the program are full or all members are listed. If members
 * have moved, sets @walk->state to KCUCKOO_WALK_RESTART and @walk->done to 0: the program
 * must begin the walk again. Returns 0; -EFAULT if user memory cannot be written; or
 * -EINTR if a fatal signal is pending.
 */
static int kcuckoo_walk_run(struct kcuckoo_filter *filter,
			    struct kcuckoo_walk_buffer *buffer,
			    struct kcuckoo_ioc_walk *walk)
{
	unsigned int count;

	walk->done = 0;
	do {
		walk->state = kcuckoo_filter_walk(filter, &walk->cursor, buffer,
						  min_t(u32,
							KCUCKOO_WALK_ITEMS_MAX,
							walk->count -
							walk->done), &count);
		if (kcuckoo_walk_copy_out(walk, buffer, walk->done, count))
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
 * kcuckoo_ioc_walk() - list members of an exact filter (KCUCKOO_IOC_WALK)
 * @descriptor: the descriptor
 * @arg: struct kcuckoo_ioc_walk
 *
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
 */
int kcuckoo_ioc_walk(struct kcuckoo_descriptor *descriptor,
		     union kcuckoo_argument *arg)
{
	struct kcuckoo_ioc_walk *walk = &arg->walk;
	struct kcuckoo_walk_buffer *buffer;
	struct kcuckoo_filter *filter;
	int err;

	if (walk->flags || !kcuckoo_target_valid(walk->name) ||
	    !walk->count ||
	    walk->count > KCUCKOO_BATCH_MAX || walk->reserved)
		return -EINVAL;
	filter = kcuckoo_target_get(descriptor, walk->name, NULL);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	err = -EOPNOTSUPP;
	if (kcuckoo_filter_exact(filter)) {
		buffer = kvmalloc(sizeof(*buffer), GFP_KERNEL_ACCOUNT);
		err = buffer ? kcuckoo_walk_run(filter, buffer, walk) : -ENOMEM;
		kvfree(buffer);
	}
	kcuckoo_filter_put(filter);
	return err;
}
