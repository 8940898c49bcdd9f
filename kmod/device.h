/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /dev/kcuckoo.
 *
 * device.c owns the device and the table of operations: it checks permission,
 * copies the argument in once, calls, and copies it out. An operation sees
 * kernel memory only, except for the arrays that its argument points to.
 *
 * Files: device.c (dispatch), names.c (filters by name), keys.c (batches of
 * keys, walks), attach.c (rules).
 */
#ifndef _KCUCKOO_DEVICE_H
#define _KCUCKOO_DEVICE_H

#include <linux/kcuckoo.h>

#include "registry.h"

/**
 * union kcuckoo_argument - the argument of an operation
 *
 * One member for each KCUCKOO_IOC_*. The rest of a shorter argument is zero.
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
};

int kcuckoo_device_init(void);
void kcuckoo_device_exit(void);

bool kcuckoo_name_valid(const u8 *name);

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

#endif /* _KCUCKOO_DEVICE_H */
