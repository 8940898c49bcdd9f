// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starts and stops the module kcuckoo: cuckoo filters in kernel memory.
 *
 * kcuckoo_init() starts the subsystems in an order in which a subsystem starts after the
 * subsystems that it uses. kcuckoo_exit() stops them in reverse order.
 */
#include <linux/kernel.h>
#include <linux/miscdevice.h>
#include <linux/module.h>

#include "bpf.h"
#include "core/semisort.h"
#include "dev/device.h"
#include "filter/workqueue.h"
#include "net/netns.h"

#ifndef CONFIG_64BIT
#error "kcuckoo needs a 64-bit kernel"
#endif

/**
 * struct kcuckoo_subsystem - functions that start and stop one part of the module
 * @init: starts the subsystem; returns 0 or a negative errno
 * @exit: stops the subsystem; NULL if the kernel stops it when it unloads the module
 */
struct kcuckoo_subsystem {
	int (*init)(void);
	void (*exit)(void);
};

/* The device is last: the other subsystems must be ready when a program opens it. */
static const struct kcuckoo_subsystem kcuckoo_subsystems[] = {
	{ kcuckoo_workqueue_init, kcuckoo_workqueue_exit },
	{ kcuckoo_pernet_init, kcuckoo_pernet_exit },
	{ kcuckoo_netdev_init, kcuckoo_netdev_exit },
	{ kcuckoo_bpf_init, NULL },
	{ kcuckoo_device_init, kcuckoo_device_exit },
};

static void kcuckoo_exit_subsystems(unsigned int count)
{
	while (count--)
		if (kcuckoo_subsystems[count].exit)
			kcuckoo_subsystems[count].exit();
}

static int __init kcuckoo_init(void)
{
	unsigned int i;
	int err;

	kcuckoo_semisort_init();
	for (i = 0; i < ARRAY_SIZE(kcuckoo_subsystems); i++) {
		err = kcuckoo_subsystems[i].init();
		if (err) {
			kcuckoo_exit_subsystems(i);
			return err;
		}
	}
	return 0;
}

static void __exit kcuckoo_exit(void)
{
	kcuckoo_exit_subsystems(ARRAY_SIZE(kcuckoo_subsystems));
}

module_init(kcuckoo_init);
module_exit(kcuckoo_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Cuckoo filters in kernel memory");
MODULE_VERSION("0.6.0");
/* These aliases let udev create the device node before the module is loaded. */
MODULE_ALIAS_MISCDEV(KCUCKOO_MINOR);
MODULE_ALIAS("devname:kcuckoo");
