// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps the staged filter of a descriptor: a filter without a name, which a program fills
 * before it gives the filter a name.
 *
 * If the name in its argument is all zero, an operation works on the staged filter.
 * kcuckoo_target_get() takes a reference to this filter, so the operation can work without
 * the lock of struct kcuckoo_staged. Another call on the descriptor can then destroy the
 * filter, or give it a name. The operation still works on the same filter to its end.
 */
#include <linux/err.h>
#include <linux/string.h>

#include "dev/device.h"

static int kcuckoo_staged_drop(struct kcuckoo_staged *staged)
{
	struct kcuckoo_filter *filter;

	mutex_lock(&staged->lock);
	filter = staged->filter;
	staged->filter = NULL;
	mutex_unlock(&staged->lock);
	if (!filter)
		return -ENOENT;
	kcuckoo_filter_put(filter);
	return 0;
}

static void kcuckoo_staged_release(struct kcuckoo_cleanup *cleanup)
{
	kcuckoo_staged_drop(container_of(cleanup, struct kcuckoo_staged,
					 cleanup));
}

/**
 * kcuckoo_staged_init() - initialize a new descriptor, without a staged filter
 * @descriptor: the descriptor, with its namespace set
 */
void kcuckoo_staged_init(struct kcuckoo_descriptor *descriptor)
{
	struct kcuckoo_staged *staged = &descriptor->staged;

	mutex_init(&staged->lock);
	staged->filter = NULL;
	staged->cleanup.release = kcuckoo_staged_release;
	kcuckoo_net_add_cleanup(descriptor->net, &staged->cleanup);
}

/**
 * kcuckoo_staged_end() - drop the staged filter of a descriptor that is closed
 * @descriptor: the descriptor
 */
void kcuckoo_staged_end(struct kcuckoo_descriptor *descriptor)
{
	kcuckoo_net_del_cleanup(descriptor->net, &descriptor->staged.cleanup);
	kcuckoo_staged_drop(&descriptor->staged);
	mutex_destroy(&descriptor->staged.lock);
}

/**
 * kcuckoo_staged_check() - check that a descriptor has no staged filter
 * @descriptor: the descriptor
 *
 * kcuckoo_staged_set() checks this again. The early check avoids the allocation of a
 * filter that cannot be staged.
 *
 * Return: 0 or -EEXIST.
 */
int kcuckoo_staged_check(struct kcuckoo_descriptor *descriptor)
{
	struct kcuckoo_staged *staged = &descriptor->staged;
	int err;

	mutex_lock(&staged->lock);
	err = staged->filter ? -EEXIST : 0;
	mutex_unlock(&staged->lock);
	return err;
}

/**
 * kcuckoo_staged_set() - make a new filter the staged filter of a descriptor
 * @descriptor: the descriptor
 * @filter: the filter; on success the descriptor takes over the reference of the caller
 *
 * When a namespace ends, it is marked dead first. Then the cleanup takes the lock that
 * this function also takes. So either this function sees the mark, or the cleanup drops
 * @filter.
 *
 * Return: 0; -EEXIST if the descriptor has a staged filter; -ENODEV if the namespace is
 * ending or has ended.
 */
int kcuckoo_staged_set(struct kcuckoo_descriptor *descriptor,
		       struct kcuckoo_filter *filter)
{
	struct kcuckoo_staged *staged = &descriptor->staged;
	int err = 0;

	mutex_lock(&staged->lock);
	if (kcuckoo_net_dead(descriptor->net))
		err = -ENODEV;
	else if (staged->filter)
		err = -EEXIST;
	else
		staged->filter = filter;
	mutex_unlock(&staged->lock);
	return err;
}

/**
 * kcuckoo_staged_destroy() - destroy the staged filter of a descriptor
 * @descriptor: the descriptor
 *
 * Return: 0, or -ENOENT if the descriptor has no staged filter.
 */
int kcuckoo_staged_destroy(struct kcuckoo_descriptor *descriptor)
{
	return kcuckoo_staged_drop(&descriptor->staged);
}

/**
 * kcuckoo_staged_publish() - give a name to the staged filter of a descriptor
 * @descriptor: the descriptor
 * @name: the name, zero-padded
 * @managed: true to mark the name as managed
 *
 * Return: 0; -ENOENT if the descriptor has no staged filter; or an errno of
 * kcuckoo_net_publish_filter(). After an error the filter is still staged.
 */
int kcuckoo_staged_publish(struct kcuckoo_descriptor *descriptor,
			   const u8 *name, bool managed)
{
	struct kcuckoo_staged *staged = &descriptor->staged;
	int err = -ENOENT;

	mutex_lock(&staged->lock);
	if (staged->filter)
		err = kcuckoo_net_publish_filter(descriptor->net, name,
						 staged->filter, managed);
	if (!err)
		staged->filter = NULL;
	mutex_unlock(&staged->lock);
	return err;
}

/**
 * kcuckoo_staged_replace() - replace the filter of a name by the staged filter
 * @descriptor: the descriptor
 * @name: the name, zero-padded
 * @expected: the condition, or NULL to replace unconditionally
 *
 * Return: 0; -ENOENT if the descriptor has no staged filter, or the name has no filter;
 * or an errno of kcuckoo_net_publish_replacement(). After an error the filter is still
 * staged.
 */
int kcuckoo_staged_replace(struct kcuckoo_descriptor *descriptor,
			   const u8 *name,
			   const struct kcuckoo_expected *expected)
{
	struct kcuckoo_staged *staged = &descriptor->staged;
	int err = -ENOENT;

	mutex_lock(&staged->lock);
	if (staged->filter)
		err = kcuckoo_net_publish_replacement(descriptor->net, name,
						      staged->filter, expected);
	if (!err)
		staged->filter = NULL;
	mutex_unlock(&staged->lock);
	return err;
}

/**
 * kcuckoo_target_staged() - check whether a name in an argument stands for the staged
 *	filter
 * @name: KCUCKOO_NAME_SIZE bytes
 *
 * Return: true if the name is all zero.
 */
bool kcuckoo_target_staged(const u8 *name)
{
	return !memchr_inv(name, 0, KCUCKOO_NAME_SIZE);
}

/**
 * kcuckoo_target_valid() - check a name that can also stand for the staged filter
 * @name: KCUCKOO_NAME_SIZE bytes
 *
 * Return: true if the name is valid or all zero.
 */
bool kcuckoo_target_valid(const u8 *name)
{
	return kcuckoo_target_staged(name) || kcuckoo_name_valid(name);
}

/**
 * kcuckoo_target_get() - get the filter of a name, or the staged filter
 * @descriptor: the descriptor
 * @name: the name, zero-padded; all zero for the staged filter
 * @info: passed to kcuckoo_net_get_filter(); unchanged for the staged filter
 *
 * Return: the filter, to be released with kcuckoo_filter_put(); ERR_PTR(-ENOENT) if
 * there is no such filter; ERR_PTR(-ENODEV) if the namespace is ending or has ended.
 */
struct kcuckoo_filter *
kcuckoo_target_get(struct kcuckoo_descriptor *descriptor, const u8 *name,
		   struct kcuckoo_ioc_info *info)
{
	struct kcuckoo_staged *staged = &descriptor->staged;
	struct kcuckoo_filter *filter;

	if (!kcuckoo_target_staged(name))
		return kcuckoo_net_get_filter(descriptor->net, name, info);
	mutex_lock(&staged->lock);
	filter = staged->filter;
	if (filter)
		kcuckoo_filter_get(filter);
	mutex_unlock(&staged->lock);
	return filter ?: ERR_PTR(-ENOENT);
}
