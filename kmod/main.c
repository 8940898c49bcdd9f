// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: cuckoo filters in kernel memory.
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
 * struct kcuckoo_part - what the module is made of
 * @init: begins it; 0 or a negative errno
 * @exit: ends it, or NULL where the kernel does
 */
struct kcuckoo_part {
	int (*init)(void);
	void (*exit)(void);
};

/* The device is last: whoever opens it finds all others. */
static const struct kcuckoo_part kcuckoo_parts[] = {
	{ kcuckoo_workqueue_init, kcuckoo_workqueue_exit },
	{ kcuckoo_pernet_init, kcuckoo_pernet_exit },
	{ kcuckoo_netdev_init, kcuckoo_netdev_exit },
	{ kcuckoo_bpf_init, NULL },
	{ kcuckoo_device_init, kcuckoo_device_exit },
};

/* Ends the first @count parts, in the opposite order. */
static void kcuckoo_end(unsigned int count)
{
	while (count--)
		if (kcuckoo_parts[count].exit)
			kcuckoo_parts[count].exit();
}

static int __init kcuckoo_init(void)
{
	unsigned int i;
	int err;

	kcuckoo_semisort_init();
	for (i = 0; i < ARRAY_SIZE(kcuckoo_parts); i++) {
		err = kcuckoo_parts[i].init();
		if (err) {
			kcuckoo_end(i);
			return err;
		}
	}
	return 0;
}

static void __exit kcuckoo_exit(void)
{
	kcuckoo_end(ARRAY_SIZE(kcuckoo_parts));
}

module_init(kcuckoo_init);
module_exit(kcuckoo_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Cuckoo filters in kernel memory");
MODULE_VERSION("0.3.0");
/* Lets udev make the node before the module is loaded; see KCUCKOO_MINOR. */
MODULE_ALIAS_MISCDEV(KCUCKOO_MINOR);
MODULE_ALIAS("devname:kcuckoo");
