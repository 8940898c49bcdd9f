// SPDX-License-Identifier: GPL-2.0-only
/*
 * Handles the appearance, renaming and removal of network devices, in a notifier.
 *
 * The kernel calls the notifier under RTNL.
 */
#include <linux/netdevice.h>
#include <linux/notifier.h>

#include "net/netns.h"
#include "net/slot.h"

/*
 * When a device moves to another namespace, the kernel also sends NETDEV_UNREGISTER, for
 * the old namespace, and NETDEV_REGISTER, for the new namespace.
 */
static int kcuckoo_netdev_event(struct notifier_block *block,
				unsigned long event, void *info)
{
	struct net_device *dev = netdev_notifier_info_to_dev(info);
	struct kcuckoo_net *net = kcuckoo_net_of(dev_net(dev));

	switch (event) {
	case NETDEV_UNREGISTER:
		kcuckoo_slot_users_device_gone(net, dev);
		kcuckoo_rules_device_gone(net, dev);
		break;
	case NETDEV_CHANGENAME:
		/*
		 * The templates are updated first: the events of removed instances
		 * contain the old name of the device, which the hook point still has.
		 */
		kcuckoo_templates_update(net, dev);
		kcuckoo_hook_point_renamed(net, dev);
		break;
	case NETDEV_REGISTER:
	case NETDEV_UP:
	case NETDEV_CHANGE:
		kcuckoo_templates_update(net, dev);
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block kcuckoo_netdev_block = {
	.notifier_call = kcuckoo_netdev_event,
};

/**
 * kcuckoo_netdev_init() - register the notifier of devices
 *
 * Context: after kcuckoo_pernet_init(), so that every namespace has its object.
 * Return: 0 or a negative errno.
 */
int kcuckoo_netdev_init(void)
{
	return register_netdevice_notifier(&kcuckoo_netdev_block);
}

/**
 * kcuckoo_netdev_exit() - unregister the notifier of devices
 *
 * For each device the kernel sends a last NETDEV_UNREGISTER to the notifier, although
 * the device stays. So the notifier removes the slot users of all devices.
 *
 * Context: before kcuckoo_pernet_exit(), so that every namespace still has its object. No
 * rule is left, because each rule holds a reference to the module.
 */
void kcuckoo_netdev_exit(void)
{
	unregister_netdevice_notifier(&kcuckoo_netdev_block);
}
