// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps a processor from everything else for some seconds, as nothing in kcuckoo may:
 * the runner of the tests has to notice.
 */
#include <linux/bottom_half.h>
#include <linux/ktime.h>
#include <linux/module.h>

static unsigned int kcuckoo_spin_seconds = 8;
module_param_named(seconds, kcuckoo_spin_seconds, uint, 0);
MODULE_PARM_DESC(seconds, "How long");

static int __init kcuckoo_spin_init(void)
{
	ktime_t end;

	local_bh_disable();
	/* By the clock: mdelay() counts loops, and emulated ones are uneven. */
	end = ktime_add_ms(ktime_get(), kcuckoo_spin_seconds * MSEC_PER_SEC);
	while (ktime_before(ktime_get(), end))
		cpu_relax();
	local_bh_enable();
	return 0;
}

static void __exit kcuckoo_spin_exit(void)
{
}

module_init(kcuckoo_spin_init);
module_exit(kcuckoo_spin_exit);

MODULE_DESCRIPTION("A processor that does nothing else, for the tests");
MODULE_LICENSE("GPL");
