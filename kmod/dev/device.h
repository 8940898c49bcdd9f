/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declares the operations of /dev/kcuckoo, and what the files of this folder share.
 *
 * device.c has the table of operations and is their only caller: it checks permission,
 * copies the argument in once, calls the operation, and copies the argument out. So an
 * operation works on a copy of its argument, which no other thread can change. The
 * operation accesses user memory only in the arrays that the argument points to.
 *
 * Files: device.c (dispatch), ioctl_filter.c (filters by name), ioctl_keys.c (batches
 * of keys, walks), ioctl_snapshot.c (snapshots), ioctl_rule.c (rules and slot users).
 */
#ifndef _KCUCKOO_DEVICE_H
#define _KCUCKOO_DEVICE_H

#include <linux/kcuckoo.h>

#include "net/rule.h"
#include "net/slot.h"

/**
 * union kcuckoo_argument - the argument of an operation
 *
 * Has one member for each KCUCKOO_IOC_*. If the argument of a program is shorter than
 * the member, the rest of the member is zero.
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
};

struct kcuckoo_save;
struct kcuckoo_restore;

/**
 * struct kcuckoo_transfer - the snapshots that a descriptor reads or writes
 * @cleanup: called when the network namespace ends, to free the snapshots; if a call is
 *	using them then, the call frees them
 * @lock: held by save and restore during a whole call; protects the fields after it
 * @save: the snapshot that the program is reading, or NULL
 * @save_name: name of the filter of which @save was taken
 * @restore: the snapshot that the program is writing, or NULL
 * @restore_name: name of the filter that @restore becomes when it is complete
 */
struct kcuckoo_transfer {
	struct kcuckoo_cleanup cleanup;
	struct mutex lock;	/* of calls on one descriptor; outermost */
	struct kcuckoo_save *save;
	u8 save_name[KCUCKOO_NAME_SIZE];
	struct kcuckoo_restore *restore;
	u8 restore_name[KCUCKOO_NAME_SIZE];
};

void kcuckoo_transfer_init(struct kcuckoo_transfer *transfer,
			   struct kcuckoo_net *net);
void kcuckoo_transfer_end(struct kcuckoo_transfer *transfer,
			  struct kcuckoo_net *net);

int kcuckoo_device_init(void);
void kcuckoo_device_exit(void);

int kcuckoo_ioc_create(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_destroy(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_rename(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_swap(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_replace(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_flush(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_reserve(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_compact(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_add(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_del(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_test(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_walk(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_info(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_list(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_attach(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_detach(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_rules(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_stats(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_update(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_merge(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_slot(struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_save(struct kcuckoo_transfer *transfer,
		     struct kcuckoo_net *net, union kcuckoo_argument *arg);
int kcuckoo_ioc_restore(struct kcuckoo_transfer *transfer,
			struct kcuckoo_net *net, union kcuckoo_argument *arg);

#endif /* _KCUCKOO_DEVICE_H */
