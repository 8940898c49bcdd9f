// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module that looks addresses, or byte strings, up in a filter of the loader's
 * network namespace: holds the name it is given, and answers through a parameter.
 */
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/inet.h>
#include <linux/in6.h>
#include <linux/module.h>
#include <linux/nsproxy.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "kcuckoo.h"

static struct kcuckoo_slot *client_slot;
static bool client_hit;
static int client_result;
static struct kcuckoo_limit client_limit;

static char *client_name = "";
module_param_named(name, client_name, charp, 0444);
MODULE_PARM_DESC(name, "Name of the filter");

/* Writing an address looks it up, reading tells what was found. */
static int client_address_set(const char *text, const struct kernel_param *kp)
{
	struct in6_addr ipv6;
	__be32 ipv4;

	if (!client_slot)
		return -ENODEV;
	rcu_read_lock();
	if (in4_pton(text, -1, (u8 *)&ipv4, '\n', NULL))
		client_hit = kcuckoo_contains_ipv4(client_slot, ipv4);
	else if (in6_pton(text, -1, ipv6.s6_addr, '\n', NULL))
		client_hit = kcuckoo_contains_ipv6(client_slot, &ipv6);
	else
		client_hit = false;
	rcu_read_unlock();
	return 0;
}

static const struct kernel_param_ops client_address_ops = {
	.set = client_address_set,
	.get = param_get_bool,
};
module_param_cb(address, &client_address_ops, &client_hit, 0644);
MODULE_PARM_DESC(address, "Write: an address to look up; read: whether it is in the filter");

/* The same for a byte string, without the newline at its end. */
static int client_text_set(const char *text, const struct kernel_param *kp)
{
	if (!client_slot)
		return -ENODEV;
	rcu_read_lock();
	client_hit = kcuckoo_contains_bytes(client_slot, text,
					    strcspn(text, "\n"));
	rcu_read_unlock();
	return 0;
}

static const struct kernel_param_ops client_text_ops = {
	.set = client_text_set,
	.get = param_get_bool,
};
module_param_cb(text, &client_text_ops, &client_hit, 0644);
MODULE_PARM_DESC(text, "Write: a byte string to look up; read: whether it is in the filter");

/* Writing an IPv4 address adds it as a packet does; reading tells the result. */
static int client_add_set(const char *text, const struct kernel_param *kp)
{
	__be32 ipv4;

	if (!client_slot || !in4_pton(text, -1, (u8 *)&ipv4, '\n', NULL))
		return -EINVAL;
	/* As packets come. */
	local_bh_disable();
	rcu_read_lock();
	client_result = kcuckoo_add_ipv4(client_slot, ipv4,
					 KCUCKOO_TIMEOUT_OF_FILTER, NULL);
	rcu_read_unlock();
	local_bh_enable();
	return 0;
}

static const struct kernel_param_ops client_add_ops = {
	.set = client_add_set,
	.get = param_get_int,
};
module_param_cb(add, &client_add_ops, &client_result, 0644);
MODULE_PARM_DESC(add, "Write: an IPv4 address to add; read: 1, 0 or an errno");

/*
 * Writing a number adds so many new addresses at once, of which a limit allows
 * ten a second; reading tells how many were added.
 */
static int client_flood_set(const char *text, const struct kernel_param *kp)
{
	static u32 address = 0x0a000000;
	unsigned int count;
	int err = kstrtouint(text, 0, &count);

	if (err || !client_slot)
		return err ? err : -ENODEV;
	client_result = 0;
	local_bh_disable();
	rcu_read_lock();
	for (; count; count--) {
		err = kcuckoo_add_ipv4(client_slot, cpu_to_be32(address++), 0,
				       &client_limit);
		if (err != -EBUSY)
			client_result += err;
	}
	rcu_read_unlock();
	local_bh_enable();
	return 0;
}

static const struct kernel_param_ops client_flood_ops = {
	.set = client_flood_set,
	.get = param_get_int,
};
module_param_cb(flood, &client_flood_ops, &client_result, 0644);
MODULE_PARM_DESC(flood, "Write: how many addresses to add; read: how many were, ten a second at most");

static int __init client_init(void)
{
	struct kcuckoo_slot *slot;

	slot = kcuckoo_get(current->nsproxy->net_ns, client_name);
	if (IS_ERR(slot))
		return PTR_ERR(slot);
	kcuckoo_limit_init(&client_limit, 10);
	client_slot = slot;
	return 0;
}

static void __exit client_exit(void)
{
	kcuckoo_put(client_slot);
}

module_init(client_init);
module_exit(client_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Test of kcuckoo's interface for other modules");
