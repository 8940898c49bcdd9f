// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: cuckoo filters in kernel memory.
 */

#include <linux/module.h>

static int __init kcuckoo_init(void)
{
	return 0;
}

static void __exit kcuckoo_exit(void)
{
}

module_init(kcuckoo_init);
module_exit(kcuckoo_exit);

MODULE_DESCRIPTION("Cuckoo filters");
MODULE_LICENSE("GPL");
