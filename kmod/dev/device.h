/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declares the operations of /dev/kcuckoo, and the structures and functions that the
 * files of this folder share.
 *
 * An operation works on a copy of its argument, which no other thread can change.
 */
#ifndef _KCUCKOO_DEVICE_H
#define _KCUCKOO_DEVICE_H

#include <linux/kcuckoo.h>
#include <linux/poll.h>

#include "net/rule.h"
#include "net/slot.h"

/**
 * union kcuckoo_argument - the argument of an operation
 *
 * If a program passes an argument that is shorter than the member, the rest of the member is
 * zero.
 */
union kcuckoo_argument {
	/* private: */
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
	struct kcuckoo_ioc_subscribe subscribe;
};

struct kcuckoo_event_queue;
struct kcuckoo_save;
struct kcuckoo_restore;

/**
 * struct kcuckoo_transfer - the snapshots that a descriptor reads or writes
 * @cleanup: frees the snapshots when the network namespace ends. If a call holds @lock,
 *	@cleanup does nothing: that call frees the snapshots before it returns
 * @lock: held by the operations save and restore during a whole call
 * @save: the snapshot that the program is reading, or NULL
 * @save_name: name of the filter of which @save is a snapshot; all zero for the staged
 *	filter
 * @restore: the snapshot that the program is writing, or NULL
 * @restore_name: name that the restored filter gets when @restore is complete; all zero
 *	if it becomes the staged filter
 */
struct kcuckoo_transfer {
	struct kcuckoo_cleanup cleanup;
	struct mutex lock;	/* protects the following fields; taken before other locks */
	struct kcuckoo_save *save;
	u8 save_name[KCUCKOO_NAME_SIZE];
	struct kcuckoo_restore *restore;
	u8 restore_name[KCUCKOO_NAME_SIZE];
};

/**
 * struct kcuckoo_staged - the staged filter of a descriptor: a filter that has no name yet
 * @cleanup: drops @filter when the network namespace ends
 * @lock: protects @filter; held while the filter gets a name
 * @filter: the filter, with a reference, or NULL
 */
struct kcuckoo_staged {
	struct kcuckoo_cleanup cleanup;
	struct mutex lock;	/* protects filter; taken before kcuckoo_net.lock */
	struct kcuckoo_filter *filter;
};

/**
 * struct kcuckoo_descriptor - an open file of the device
 * @net: the object of the opener's network namespace, with a reference; constant
 * @transfer: the snapshots that this descriptor reads or writes
 * @staged: the staged filter of this descriptor
 * @events: the queue of events, or NULL if this descriptor has not subscribed; set
 *	once, read without a lock
 */
struct kcuckoo_descriptor {
	struct kcuckoo_net *net;
	struct kcuckoo_transfer transfer;
	struct kcuckoo_staged staged;
	struct kcuckoo_event_queue *events;
};

void kcuckoo_transfer_init(struct kcuckoo_transfer *transfer,
			   struct kcuckoo_net *net);
void kcuckoo_transfer_end(struct kcuckoo_transfer *transfer,
			  struct kcuckoo_net *net);

void kcuckoo_staged_init(struct kcuckoo_descriptor *descriptor);
void kcuckoo_staged_end(struct kcuckoo_descriptor *descriptor);
int kcuckoo_staged_check(struct kcuckoo_descriptor *descriptor);
int kcuckoo_staged_set(struct kcuckoo_descriptor *descriptor,
		       struct kcuckoo_filter *filter);
int kcuckoo_staged_destroy(struct kcuckoo_descriptor *descriptor);
int kcuckoo_staged_publish(struct kcuckoo_descriptor *descriptor,
			   const u8 *name, bool managed);
int kcuckoo_staged_replace(struct kcuckoo_descriptor *descriptor,
			   const u8 *name,
			   const struct kcuckoo_expected *expected);
bool kcuckoo_target_staged(const u8 *name);
bool kcuckoo_target_valid(const u8 *name);
struct kcuckoo_filter *
kcuckoo_target_get(struct kcuckoo_descriptor *descriptor, const u8 *name,
		   struct kcuckoo_ioc_info *info);

void kcuckoo_events_end(struct kcuckoo_descriptor *descriptor);
ssize_t kcuckoo_events_read(struct kcuckoo_descriptor *descriptor,
			    u8 __user *buffer, size_t size, bool nonblock);
__poll_t kcuckoo_events_poll(struct kcuckoo_descriptor *descriptor,
			     struct file *file, poll_table *table);

int kcuckoo_device_init(void);
void kcuckoo_device_exit(void);

int kcuckoo_ioc_create(struct kcuckoo_descriptor *descriptor,
		       union kcuckoo_argument *arg);
int kcuckoo_ioc_destroy(struct kcuckoo_descriptor *descriptor,
			union kcuckoo_argument *arg);
int kcuckoo_ioc_rename(struct kcuckoo_descriptor *descriptor,
		       union kcuckoo_argument *arg);
int kcuckoo_ioc_swap(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_replace(struct kcuckoo_descriptor *descriptor,
			union kcuckoo_argument *arg);
int kcuckoo_ioc_flush(struct kcuckoo_descriptor *descriptor,
		      union kcuckoo_argument *arg);
int kcuckoo_ioc_reserve(struct kcuckoo_descriptor *descriptor,
			union kcuckoo_argument *arg);
int kcuckoo_ioc_compact(struct kcuckoo_descriptor *descriptor,
			union kcuckoo_argument *arg);
int kcuckoo_ioc_add(struct kcuckoo_descriptor *descriptor,
		    union kcuckoo_argument *arg);
int kcuckoo_ioc_del(struct kcuckoo_descriptor *descriptor,
		    union kcuckoo_argument *arg);
int kcuckoo_ioc_test(struct kcuckoo_descriptor *descriptor,
		     union kcuckoo_argument *arg);
int kcuckoo_ioc_walk(struct kcuckoo_descriptor *descriptor,
		     union kcuckoo_argument *arg);
int kcuckoo_ioc_info(struct kcuckoo_descriptor *descriptor,
		     union kcuckoo_argument *arg);
int kcuckoo_ioc_list(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_attach(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_detach(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_rules(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_stats(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_update(struct kcuckoo_descriptor *descriptor,
		       union kcuckoo_argument *arg);
int kcuckoo_ioc_merge(struct kcuckoo_descriptor *descriptor,
		      union kcuckoo_argument *arg);
int kcuckoo_ioc_slot(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_subscribe(struct kcuckoo_descriptor *descriptor,
			  union kcuckoo_argument *arg);
int kcuckoo_ioc_save(struct kcuckoo_descriptor *descriptor,
		     union kcuckoo_argument *arg);
int kcuckoo_ioc_restore(struct kcuckoo_descriptor *descriptor,
			union kcuckoo_argument *arg);

#endif /* _KCUCKOO_DEVICE_H */
