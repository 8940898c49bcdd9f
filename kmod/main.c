// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: cuckoo filters in kernel memory.
 */
#include <linux/miscdevice.h>
#include <linux/module.h>

#include "bpf.h"
#include "device.h"
#include "hook.h"
#include "reclaim.h"
#include "registry.h"
#include "semisort.h"

#ifndef CONFIG_64BIT
#error "kcuckoo needs a 64-bit kernel"
#endif

static int __init kcuckoo_init(void)
{
	int err;

	kcuckoo_semisort_init();
	err = kcuckoo_reclaim_init();
	if (err)
		return err;
	err = kcuckoo_registry_init();
	if (err)
		goto err_reclaim;
	err = kcuckoo_holds_init();
	if (err)
		goto err_registry;
	err = kcuckoo_ingress_init();
	if (err)
		goto err_holds;
	err = kcuckoo_bpf_init();
	if (err)
		goto err_ingress;
	err = kcuckoo_device_init();
	if (err)
		goto err_ingress;
	return 0;

err_ingress:
	kcuckoo_ingress_exit();
err_holds:
	kcuckoo_holds_exit();
err_registry:
	kcuckoo_registry_exit();
err_reclaim:
	kcuckoo_reclaim_exit();
	return err;
}

static void __exit kcuckoo_exit(void)
{
	kcuckoo_device_exit();
	kcuckoo_ingress_exit();
	kcuckoo_holds_exit();
	kcuckoo_registry_exit();
	kcuckoo_reclaim_exit();
}

module_init(kcuckoo_init);
module_exit(kcuckoo_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Cuckoo filters in kernel memory");
MODULE_VERSION("0.1.0");
/* Lets udev make the node before the module is loaded; see KCUCKOO_MINOR. */
MODULE_ALIAS_MISCDEV(KCUCKOO_MINOR);
MODULE_ALIAS("devname:kcuckoo");
