// SPDX-License-Identifier: GPL-2.0-only
/*
 * Creates the object of a network namespace when the namespace starts, and frees all its
 * rules, names and filters when the namespace ends.
 *
 * A namespace ends in two steps: pre_exit and exit. Between these steps the kernel waits
 * for a grace period.
 */
#include <linux/mutex.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>

#include "net/event.h"
#include "net/slot.h"

static int __net_init kcuckoo_pernet_init_net(struct net *ns)
{
	struct kcuckoo_net **object = net_generic(ns, kcuckoo_net_id);
	struct kcuckoo_net *net = kcuckoo_net_create(ns);

	if (!net)
		return -ENOMEM;
	kcuckoo_hook_points_init(net);
	kcuckoo_events_init(net);
	*object = net;
	return 0;
}

/* After the grace period that follows this function, no packet reaches the rules. */
static void __net_exit kcuckoo_pernet_pre_exit_net(struct net *ns)
{
	struct kcuckoo_net *net = kcuckoo_net_of(ns);

	mutex_lock(&net->lock);
	kcuckoo_rules_disable(net);
	WRITE_ONCE(net->net, NULL);
	mutex_unlock(&net->lock);
}

static void __net_exit kcuckoo_pernet_exit_net(struct net *ns)
{
	struct kcuckoo_net *net = kcuckoo_net_of(ns);

	kcuckoo_events_exit(net);
	mutex_lock(&net->lock);
	kcuckoo_rules_free(net);
	kcuckoo_slot_users_free(net);
	kcuckoo_net_free_slots(net);
	mutex_unlock(&net->lock);
	kcuckoo_net_run_cleanups(net);
	kcuckoo_net_put(net);
}

static struct pernet_operations kcuckoo_pernet_ops = {
	.init = kcuckoo_pernet_init_net,
	.pre_exit = kcuckoo_pernet_pre_exit_net,
	.exit = kcuckoo_pernet_exit_net,
	.id = &kcuckoo_net_id,
	.size = sizeof(struct kcuckoo_net *),
};

/**
 * kcuckoo_pernet_init() - create the object of each present and future network namespace
 *
 * Return: 0 or a negative errno.
 */
int kcuckoo_pernet_init(void)
{
	return register_pernet_subsys(&kcuckoo_pernet_ops);
}

/**
 * kcuckoo_pernet_exit() - free the object of each network namespace
 *
 * Context: exit of the module. Each rule holds a reference to the module and prevents its
 * exit, so no rule is left.
 */
void kcuckoo_pernet_exit(void)
{
	unregister_pernet_subsys(&kcuckoo_pernet_ops);
}
