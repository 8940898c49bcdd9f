// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implements the operations of the device on snapshots: save, by which a process reads a
 * snapshot, and restore, by which a process writes a snapshot.
 *
 * A snapshot is a copy of all members of a filter at one instant. A process can need
 * several ioctls on one descriptor to read or write a snapshot. In between, the struct
 * kcuckoo_transfer of the descriptor keeps the snapshot. The snapshot is freed
 * - after its last byte was copied;
 * - when bytes of a restore cannot be copied or are not valid, memory for the restore is
 *   short, or a fatal signal ends the restore;
 * - when an ioctl of the same kind with offset 0 begins another snapshot, or fails to
 *   begin it;
 * - when the descriptor is closed, or the namespace ends.
 *
 * The mutex of the transfer protects the snapshots. This mutex is held while user memory is
 * copied, so it is taken before all other locks.
 */
#include <linux/err.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "dev/device.h"
#include "filter/snapshot.h"

/* Maximum number of bytes that are copied between two calls of cond_resched(). */
#define KCUCKOO_TRANSFER_STRIDE	SZ_64K

static void kcuckoo_transfer_reset(struct kcuckoo_transfer *transfer)
{
	kcuckoo_save_end(transfer->save);
	kcuckoo_restore_end(transfer->restore);
	transfer->save = NULL;
	transfer->restore = NULL;
}

/*
 * Frees the snapshots of a transfer when its namespace ends.
 *
 * A running ioctl holds the lock, and can sleep for any length of time in a page fault
 * on user memory. If this function waited for the ioctl, no other namespace could end
 * until the ioctl returns. So this function does nothing if the lock is held: the ioctl
 * frees the snapshots in kcuckoo_transfer_unlock().
 */
static void kcuckoo_transfer_release(struct kcuckoo_cleanup *cleanup)
{
	struct kcuckoo_transfer *transfer;

	transfer = container_of(cleanup, struct kcuckoo_transfer, cleanup);
	if (!mutex_trylock(&transfer->lock))
		return;
	kcuckoo_transfer_reset(transfer);
	mutex_unlock(&transfer->lock);
}

/* Releases the lock after a call. Frees the snapshots if the namespace ended during the call. */
static void kcuckoo_transfer_unlock(struct kcuckoo_transfer *transfer,
				    struct kcuckoo_net *net)
{
	mutex_unlock(&transfer->lock);
	/*
	 * kcuckoo_transfer_release() is called a grace period after the namespace was
	 * marked dead. So either this call sees the mark here, or
	 * kcuckoo_transfer_release() finds the lock free. If another call locks the
	 * mutex before this call tries to lock it again, that call makes the same check
	 * after it unlocks.
	 */
	smp_mb();
	if (!kcuckoo_net_dead(net) || !mutex_trylock(&transfer->lock))
		return;
	kcuckoo_transfer_reset(transfer);
	mutex_unlock(&transfer->lock);
}

/**
 * kcuckoo_transfer_init() - initialize the transfer of a new descriptor
 * @transfer: the transfer to initialize, without snapshots
 * @net: the descriptor's namespace
 */
void kcuckoo_transfer_init(struct kcuckoo_transfer *transfer,
			   struct kcuckoo_net *net)
{
	mutex_init(&transfer->lock);
	transfer->save = NULL;
	transfer->restore = NULL;
	transfer->cleanup.release = kcuckoo_transfer_release;
	kcuckoo_net_add_cleanup(net, &transfer->cleanup);
}

/**
 * kcuckoo_transfer_end() - end the transfer of a descriptor that is closed
 * @transfer: the transfer
 * @net: the descriptor's namespace
 */
void kcuckoo_transfer_end(struct kcuckoo_transfer *transfer,
			  struct kcuckoo_net *net)
{
	kcuckoo_net_del_cleanup(net, &transfer->cleanup);
	kcuckoo_transfer_reset(transfer);
	mutex_destroy(&transfer->lock);
}

static int kcuckoo_save_start(struct kcuckoo_descriptor *descriptor,
			      const u8 *name)
{
	struct kcuckoo_transfer *transfer = &descriptor->transfer;
	struct kcuckoo_filter *filter;
	struct kcuckoo_save *save;

	kcuckoo_save_end(transfer->save);
	transfer->save = NULL;
	filter = kcuckoo_target_get(descriptor, name, NULL);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	save = kcuckoo_save_begin(filter);
	kcuckoo_filter_put(filter);
	if (IS_ERR(save))
		return PTR_ERR(save);
	transfer->save = save;
	memcpy(transfer->save_name, name, KCUCKOO_NAME_SIZE);
	return 0;
}

/*
 * Copies up to @save->length bytes of the snapshot to user memory. Sets @save->done to the
 * number of bytes that were copied. Returns -EFAULT if no byte could be copied, else 0.
 */
static int kcuckoo_save_copy(const struct kcuckoo_save *snapshot,
			     struct kcuckoo_ioc_save *save)
{
	u8 __user *buffer = u64_to_user_ptr(save->buffer);
	const void *segment;
	u64 length;
	u64 left;

	while (save->done < save->length) {
		segment = kcuckoo_save_segment(snapshot,
					       save->offset + save->done,
					       &length);
		if (!segment)
			break;
		length = min3(length, (u64)save->length - save->done,
			      (u64)KCUCKOO_TRANSFER_STRIDE);
		left = copy_to_user(buffer + save->done, segment, length);
		save->done += length - left;
		if (left)
			return save->done ? 0 : -EFAULT;
		cond_resched();
		if (fatal_signal_pending(current))
			break;
	}
	return 0;
}

/* Copies bytes of a snapshot out. A call with offset 0 takes a new snapshot. */
static int kcuckoo_save_locked(struct kcuckoo_descriptor *descriptor,
			       struct kcuckoo_ioc_save *save)
{
	struct kcuckoo_transfer *transfer = &descriptor->transfer;
	int err = 0;

	if (kcuckoo_net_dead(descriptor->net))
		return -ENODEV;
	if (!save->offset)
		err = kcuckoo_save_start(descriptor, save->name);
	if (err)
		return err;
	/* Another call on the same descriptor can have begun another snapshot. */
	if (!transfer->save ||
	    memcmp(save->name, transfer->save_name, KCUCKOO_NAME_SIZE) ||
	    save->offset > kcuckoo_save_total(transfer->save))
		return -EINVAL;
	save->total = kcuckoo_save_total(transfer->save);
	err = kcuckoo_save_copy(transfer->save, save);
	if (!err && save->offset + save->done == save->total) {
		kcuckoo_save_end(transfer->save);
		transfer->save = NULL;
	}
	return err;
}

/**
 * kcuckoo_ioc_save() - read a snapshot of a filter (KCUCKOO_IOC_SAVE)
 * @descriptor: the descriptor
 * @arg: struct kcuckoo_ioc_save
 *
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
 */
int kcuckoo_ioc_save(struct kcuckoo_descriptor *descriptor,
		     union kcuckoo_argument *arg)
{
	struct kcuckoo_transfer *transfer = &descriptor->transfer;
	struct kcuckoo_ioc_save *save = &arg->save;
	int err;

	if (save->flags || !kcuckoo_target_valid(save->name))
		return -EINVAL;
	save->done = 0;
	save->total = 0;
	/*
	 * A fatal signal ends the wait, because the call that holds the lock can sleep
	 * for any length of time on user memory.
	 */
	if (mutex_lock_killable(&transfer->lock))
		return -EINTR;
	err = kcuckoo_save_locked(descriptor, save);
	kcuckoo_transfer_unlock(transfer, descriptor->net);
	return err;
}

/*
 * Appends bytes from user memory to a snapshot, and checks the bytes. Returns -EBADMSG if
 * the bytes are not valid, or the snapshot is already complete.
 */
static int kcuckoo_restore_copy(struct kcuckoo_restore *snapshot,
				struct kcuckoo_ioc_restore *restore)
{
	const u8 __user *buffer = u64_to_user_ptr(restore->buffer);
	int err = 0;

	while (restore->done < restore->length && !err) {
		u64 length;
		void *segment = kcuckoo_restore_segment(snapshot, &length);

		if (!segment)
			return -EBADMSG;
		length = min3(length, (u64)restore->length - restore->done,
			      (u64)KCUCKOO_TRANSFER_STRIDE);
		if (copy_from_user(segment, buffer + restore->done, length))
			return -EFAULT;
		err = kcuckoo_restore_fill(snapshot, length);
		restore->done += length;
		cond_resched();
		if (fatal_signal_pending(current))
			return -EINTR;
	}
	return err;
}

/* Publishes or stages the filter of a snapshot. Returns -EBADMSG if bytes are missing. */
static int kcuckoo_restore_publish(struct kcuckoo_restore *snapshot,
				   struct kcuckoo_descriptor *descriptor,
				   const u8 *name)
{
	struct kcuckoo_filter *filter = kcuckoo_restore_filter(snapshot);
	int err;

	if (!filter)
		return -EBADMSG;
	if (kcuckoo_target_staged(name))
		err = kcuckoo_staged_set(descriptor, filter);
	else
		err = kcuckoo_net_publish_filter(descriptor->net, name, filter,
						 false);
	if (err)
		kcuckoo_filter_put(filter);
	return err;
}

/*
 * Copies bytes of a snapshot in. A call with offset 0 begins a new snapshot. After the last
 * byte the filter gets its name, or is staged.
 */
static int kcuckoo_restore_locked(struct kcuckoo_descriptor *descriptor,
				  struct kcuckoo_ioc_restore *restore)
{
	struct kcuckoo_transfer *transfer = &descriptor->transfer;
	struct kcuckoo_net *net = descriptor->net;
	int err = 0;

	if (kcuckoo_net_dead(net))
		return -ENODEV;
	if (!restore->offset) {
		kcuckoo_restore_end(transfer->restore);
		transfer->restore = kcuckoo_restore_begin(net->account,
							  restore->total);
		if (IS_ERR(transfer->restore)) {
			err = PTR_ERR(transfer->restore);
			transfer->restore = NULL;
			return err;
		}
		memcpy(transfer->restore_name, restore->name,
		       KCUCKOO_NAME_SIZE);
	}
	if (!transfer->restore || restore->length > restore->total ||
	    memcmp(restore->name, transfer->restore_name, KCUCKOO_NAME_SIZE) ||
	    restore->total != kcuckoo_restore_total(transfer->restore) ||
	    restore->offset != kcuckoo_restore_offset(transfer->restore))
		return -EINVAL;
	err = kcuckoo_restore_copy(transfer->restore, restore);
	if (!err && restore->offset + restore->done < restore->total)
		return 0;
	if (!err)
		err = kcuckoo_restore_publish(transfer->restore, descriptor,
					      restore->name);
	kcuckoo_restore_end(transfer->restore);
	transfer->restore = NULL;
	return err;
}

/**
 * kcuckoo_ioc_restore() - create a filter from a snapshot (KCUCKOO_IOC_RESTORE)
 * @descriptor: the descriptor
 * @arg: struct kcuckoo_ioc_restore
 *
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
 */
int kcuckoo_ioc_restore(struct kcuckoo_descriptor *descriptor,
			union kcuckoo_argument *arg)
{
	struct kcuckoo_transfer *transfer = &descriptor->transfer;
	struct kcuckoo_ioc_restore *restore = &arg->restore;
	int err;

	if (restore->flags || !kcuckoo_target_valid(restore->name))
		return -EINVAL;
	restore->done = 0;
	/* A fatal signal ends the wait, for the reason in kcuckoo_ioc_save(). */
	if (mutex_lock_killable(&transfer->lock))
		return -EINTR;
	err = kcuckoo_restore_locked(descriptor, restore);
	kcuckoo_transfer_unlock(transfer, descriptor->net);
	return err;
}
