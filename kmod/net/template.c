// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds, replaces, applies and frees templates, which are rules that belong to the name
 * of a device, or to a pattern of names.
 *
 * The template holds the references to slots, loggers and the module, so the notifier of
 * devices can create and remove instances without taking references.
 *
 * The notifier never refuses a device. If memory is short or a limit is reached, the
 * notifier prints a warning, and tries again at the next event of the device. If a
 * device has lost a matching name, and memory is too short for a rule set without the
 * instance, the rule still applies to the device until a later attempt succeeds. A rule
 * that drops too much is safer than a rule that drops too little.
 */
#define pr_fmt(fmt) "kcuckoo: " fmt

#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "net/event.h"
#include "net/rule.h"
#include "net/slot.h"

static bool kcuckoo_template_fits(const struct kcuckoo_template *template,
				  const struct net_device *dev)
{
	const char *text = (const char *)template->attach.dev;

	if (!kcuckoo_hook_point_possible(dev))
		return false;
	if (kcuckoo_template_has_pattern(template))
		return !strncmp(dev->name, text, strlen(text) - 1);
	return !strcmp(dev->name, text);
}

static struct kcuckoo_rule_entry *
kcuckoo_instance_create(struct kcuckoo_template *template)
{
	struct kcuckoo_rule_entry *rule = template->spare;
	struct kcuckoo_net *net = template->slot->net;

	if (template->instances && net->rules >= KCUCKOO_RULES_MAX)
		return ERR_PTR(-EDQUOT);
	if (!rule)
		rule = kcuckoo_rule_create(template->slot, template->allow,
					   &template->attach, template->order);
	if (!rule)
		return ERR_PTR(-ENOMEM);
	rule->template = template;
	template->spare = NULL;
	/* The template itself counts as a rule while it has no instance. */
	if (template->instances++)
		net->rules++;
	return rule;
}

static int kcuckoo_template_join(struct kcuckoo_template *template,
				 struct net_device *dev)
{
	struct kcuckoo_net *net = template->slot->net;
	struct kcuckoo_hook_point *point;
	struct kcuckoo_rule_entry *rule;

	rule = kcuckoo_instance_create(template);
	if (IS_ERR(rule))
		return PTR_ERR(rule);
	point = kcuckoo_hook_point_obtain(net, KCUCKOO_HOOK_INGRESS, dev);
	if (IS_ERR(point)) {
		kcuckoo_rule_retire(rule);
		return PTR_ERR(point);
	}
	list_add_tail(&rule->joining, &point->joining);
	return 0;
}

/*
 * Sets @applied of the templates that have an instance at a hook point. Sets @selected
 * of the instances whose template no longer fits the device.
 */
static bool kcuckoo_templates_mark(const struct kcuckoo_hook_point *point)
{
	const struct kcuckoo_rule_set *set = kcuckoo_rules_of(point);
	bool selected = false;
	unsigned int i;

	for (i = 0; i < kcuckoo_rules_count(set); i++) {
		struct kcuckoo_rule_entry *rule = set->rule[i];

		if (!rule->template)
			continue;
		rule->template->applied = true;
		rule->selected = !kcuckoo_template_fits(rule->template,
							point->dev);
		selected |= rule->selected;
	}
	return selected;
}

static void kcuckoo_template_warn(const struct kcuckoo_template *template,
				  const struct net_device *dev, int err)
{
	pr_warn_ratelimited("rule of '%s' for device '%s' does not apply to device '%s' yet: error %d\n",
			    template->slot->name, template->attach.dev,
			    dev->name, err);
}

static void kcuckoo_templates_warn(const struct kcuckoo_hook_point *point,
				   int err)
{
	const struct kcuckoo_rule_set *set = kcuckoo_rules_of(point);
	const struct kcuckoo_rule_entry *rule;
	unsigned int i;

	list_for_each_entry(rule, &point->joining, joining)
		kcuckoo_template_warn(rule->template, point->dev, err);
	for (i = 0; i < kcuckoo_rules_count(set); i++)
		if (set->rule[i]->selected)
			pr_warn_ratelimited("rule of '%s' for device '%s' still applies to device '%s': error %d\n",
					    set->rule[i]->slot->name,
					    set->rule[i]->template->attach.dev,
					    point->dev->name, err);
}

/*
 * Creates an instance of each template that fits a device but has no instance there.
 * Creates no further instance after an error. Clears @applied of all templates. Returns
 * the number of new instances, or the error.
 */
static int kcuckoo_templates_join(struct kcuckoo_net *net,
				  struct net_device *dev, bool warn)
{
	struct kcuckoo_template *template;
	int added = 0;
	int err = 0;

	list_for_each_entry(template, &net->templates, list) {
		bool wanted = !template->applied &&
			      kcuckoo_template_fits(template, dev);

		template->applied = false;
		if (wanted && !err)
			err = kcuckoo_template_join(template, dev);
		if (wanted && err && warn)
			kcuckoo_template_warn(template, dev, err);
		added += wanted;
	}
	return err ?: added;
}

/*
 * Prepares the change that the present name of a device requires. Returns 1 if a change
 * is prepared, 0 if nothing changes, or an error, after which the caller must call
 * kcuckoo_templates_abort().
 */
static int kcuckoo_templates_prepare(struct kcuckoo_net *net,
				     struct net_device *dev, bool warn)
{
	struct kcuckoo_hook_point *point = kcuckoo_hook_point_of(net, dev);
	bool removes = point && kcuckoo_templates_mark(point);
	int added = kcuckoo_templates_join(net, dev, warn);

	if (added < 0 || (!added && !removes))
		return added;
	return kcuckoo_rules_prepare(kcuckoo_hook_point_of(net, dev)) ?: 1;
}

static void kcuckoo_templates_abort(struct kcuckoo_net *net,
				    const struct net_device *dev, bool warn,
				    int err)
{
	struct kcuckoo_hook_point *point = kcuckoo_hook_point_of(net, dev);

	if (!point)
		return;
	if (warn)
		kcuckoo_templates_warn(point, err);
	kcuckoo_rules_abort(point);
}

static void kcuckoo_templates_finish(struct kcuckoo_net *net, bool commit)
{
	struct kcuckoo_hook_point *point;
	struct kcuckoo_hook_point *next;

	list_for_each_entry_safe(point, next, &net->points, list) {
		if (!point->prepared)
			continue;
		if (commit)
			kcuckoo_rules_commit(point);
		else
			kcuckoo_rules_abort(point);
	}
}

/*
 * Emits no event for the instances of the new template @added, because
 * KCUCKOO_EVENT_ATTACHED reports their number.
 */
static void kcuckoo_templates_emit(struct kcuckoo_net *net,
				   const struct kcuckoo_template *added)
{
	struct kcuckoo_hook_point *point;

	list_for_each_entry(point, &net->points, list)
		if (point->prepared)
			kcuckoo_template_emit_changes(point, added);
}

/*
 * Applies a new template to each device that it fits. At each of these devices, also
 * makes changes that an earlier attempt failed to make for other templates. After an
 * error nothing has changed.
 */
static int kcuckoo_template_apply(struct kcuckoo_net *net,
				  const struct kcuckoo_template *template)
{
	struct net_device *dev;
	int err = 0;

	for_each_netdev(net->net, dev) {
		if (!kcuckoo_template_fits(template, dev))
			continue;
		err = kcuckoo_templates_prepare(net, dev, false);
		if (err < 0) {
			kcuckoo_templates_abort(net, dev, false, err);
			break;
		}
		/* The time for one device grows with the number of templates. */
		cond_resched();
	}
	if (err >= 0)
		kcuckoo_templates_emit(net, template);
	kcuckoo_templates_finish(net, err >= 0);
	return min(err, 0);
}

/* Takes no references to the slots. */
static struct kcuckoo_template *
kcuckoo_template_create(struct kcuckoo_slot *slot, struct kcuckoo_slot *allow,
			const struct kcuckoo_ioc_attach *attach)
{
	struct kcuckoo_template *template;

	template = kzalloc(sizeof(*template), GFP_KERNEL_ACCOUNT);
	if (!template)
		return NULL;
	template->slot = slot;
	template->allow = allow;
	template->attach = *attach;
	template->order = ++slot->net->rule_order;
	if (kcuckoo_template_has_pattern(template))
		return template;
	template->spare = kcuckoo_rule_create(slot, allow, attach,
					      template->order);
	if (template->spare)
		return template;
	kfree(template);
	return NULL;
}

/* Frees the template at once, because packets do not read templates. */
static void kcuckoo_template_destroy(struct kcuckoo_template *template)
{
	if (template->spare)
		kcuckoo_rule_free(template->spare);
	kfree(template);
}

/**
 * kcuckoo_template_attach() - add a template, and apply it to the devices that it fits
 * @net: the namespace's object
 * @slot: the slot of the rule's filter
 * @allow: the slot of the rule's allow filter, or NULL
 * @attach: the rule; the caller has checked its fields
 *
 * On success the template takes over the references of the caller to the slots and
 * loggers. If the function returns an error, it has changed nothing.
 *
 * Context: under RTNL and @net's lock; may sleep.
 * Return: 0; -EDQUOT if a limit on rules or hook functions is reached; -EOPNOTSUPP if
 * the kernel has no ingress hooks; or -ENOMEM.
 */
int kcuckoo_template_attach(struct kcuckoo_net *net, struct kcuckoo_slot *slot,
			    struct kcuckoo_slot *allow,
			    const struct kcuckoo_ioc_attach *attach)
{
	struct kcuckoo_template *template;
	int err;

	ASSERT_RTNL();
	if (!IS_ENABLED(CONFIG_NETFILTER_INGRESS))
		return -EOPNOTSUPP;
	if (net->rules >= KCUCKOO_RULES_MAX)
		return -EDQUOT;
	template = kcuckoo_template_create(slot, allow, attach);
	if (!template)
		return -ENOMEM;
	list_add_tail(&template->list, &net->templates);
	net->rules++;
	err = kcuckoo_template_apply(net, template);
	if (err) {
		net->rules--;
		list_del(&template->list);
		kcuckoo_template_destroy(template);
		return err;
	}
	template->announced = template->instances;
	__module_get(THIS_MODULE);
	return 0;
}

/**
 * kcuckoo_template_find() - find a template that is the same rule as a new rule
 * @net: the namespace's object
 * @slot: the slot of the rule's filter
 * @attach: the rule
 *
 * Context: under @net's lock.
 * Return: a template with the same slot, match, and name or pattern of devices, and with at
 * least one of the families; or NULL.
 */
struct kcuckoo_template *
kcuckoo_template_find(struct kcuckoo_net *net, const struct kcuckoo_slot *slot,
		      const struct kcuckoo_ioc_attach *attach)
{
	struct kcuckoo_template *template;

	list_for_each_entry(template, &net->templates, list)
		if (template->slot == slot &&
		    template->attach.match == attach->match &&
		    template->attach.family & attach->family &&
		    !memcmp(template->attach.dev, attach->dev, KCUCKOO_DEV_SIZE))
			return template;
	return NULL;
}

static int
kcuckoo_template_replace_instance(struct kcuckoo_template *template,
				  struct kcuckoo_hook_point *point,
				  struct kcuckoo_slot *allow,
				  const struct kcuckoo_ioc_attach *attach)
{
	const struct kcuckoo_rule_set *set = kcuckoo_rules_of(point);
	unsigned int i;
	int err;

	for (i = 0; i < kcuckoo_rules_count(set); i++) {
		if (set->rule[i]->template != template)
			continue;
		err = kcuckoo_rule_create_successor(set->rule[i], allow, attach);
		if (!err)
			err = kcuckoo_rules_prepare(point);
		if (err)
			kcuckoo_rules_abort(point);
		return err;
	}
	return 0;
}

static void kcuckoo_template_replace_spare(struct kcuckoo_template *template)
{
	struct kcuckoo_rule_entry *spare = template->spare;

	template->spare = spare->successor;
	kcuckoo_rule_free(spare);
}

static void kcuckoo_template_put_log(const struct kcuckoo_template *template)
{
	kcuckoo_log_put(template->attach.log, template->attach.hook,
			template->attach.family);
}

/**
 * kcuckoo_template_replace() - replace action, mark, allow filter, label and log of a
 *	template
 * @template: the template
 * @allow: the slot of the new allow filter, or NULL. On success the template takes over the
 *	references of the caller to this slot and to the loggers
 * @attach: the new rule, with the same family as the template
 *
 * Replaces each instance in one step: either the old instance or the new instance
 * applies to each packet. If the function returns an error, it has changed nothing.
 *
 * Context: under the lock of the namespace; may sleep.
 * Return: 0 or -ENOMEM.
 */
int kcuckoo_template_replace(struct kcuckoo_template *template,
			     struct kcuckoo_slot *allow,
			     const struct kcuckoo_ioc_attach *attach)
{
	struct kcuckoo_net *net = template->slot->net;
	struct kcuckoo_hook_point *point;
	int err = 0;

	if (template->spare)
		err = kcuckoo_rule_create_successor(template->spare, allow,
						    attach);
	list_for_each_entry(point, &net->points, list) {
		if (err)
			break;
		err = kcuckoo_template_replace_instance(template, point, allow,
							attach);
	}
	kcuckoo_templates_finish(net, !err);
	if (err && template->spare)
		kcuckoo_rule_drop_successor(template->spare);
	if (err)
		return err;
	if (template->spare)
		kcuckoo_template_replace_spare(template);
	if (template->allow)
		kcuckoo_slot_put(template->allow);
	kcuckoo_template_put_log(template);
	template->allow = allow;
	template->attach = *attach;
	return 0;
}

/**
 * kcuckoo_template_free() - free a template, and release its slots, its loggers and the module
 * @template: the template, without instances
 *
 * Context: under the lock of the namespace.
 */
void kcuckoo_template_free(struct kcuckoo_template *template)
{
	list_del(&template->list);
	template->slot->net->rules--;
	kcuckoo_slot_put(template->slot);
	if (template->allow)
		kcuckoo_slot_put(template->allow);
	kcuckoo_template_put_log(template);
	kcuckoo_template_destroy(template);
	module_put(THIS_MODULE);
}

/**
 * kcuckoo_template_emit_changes() - emit events for the instances that a change adds to
 *	a device or removes from the device
 * @point: the hook point of the device, before the change is committed. If the device
 *	was renamed, @point still has the old name, under which KCUCKOO_EVENT_ACTIVE
 *	reported the device
 * @added: a new template, whose instances emit no events; or NULL
 *
 * Context: under the lock of the namespace; may sleep.
 */
void kcuckoo_template_emit_changes(struct kcuckoo_hook_point *point,
				   const struct kcuckoo_template *added)
{
	const struct kcuckoo_rule_set *set = kcuckoo_rules_of(point);
	const struct kcuckoo_rule_entry *rule;
	u8 name[KCUCKOO_DEV_SIZE];
	unsigned int i;

	strscpy_pad((char *)name, point->dev->name, sizeof(name));
	for (i = 0; i < kcuckoo_rules_count(set); i++) {
		rule = set->rule[i];
		if (!rule->selected || !rule->template)
			continue;
		kcuckoo_event_rule(point->net, KCUCKOO_EVENT_WAITING,
				   &rule->template->attach, point->name, 0,
				   --rule->template->announced);
		cond_resched();
	}
	list_for_each_entry(rule, &point->joining, joining) {
		if (rule->template == added)
			continue;
		kcuckoo_event_rule(point->net, KCUCKOO_EVENT_ACTIVE,
				   &rule->template->attach, name, 0,
				   ++rule->template->announced);
		cond_resched();
	}
}

/**
 * kcuckoo_templates_update() - apply the templates of a namespace to a device
 * @net: the object of the device's namespace, which may be ending
 * @dev: a device that appeared, got another name, was set up, or changed its state
 *
 * Makes only the changes that earlier calls have not made, so a call after a failed
 * attempt completes the changes.
 *
 * Context: under RTNL; may sleep.
 */
void kcuckoo_templates_update(struct kcuckoo_net *net, struct net_device *dev)
{
	struct kcuckoo_hook_point *point;
	int ret;

	ASSERT_RTNL();
	/*
	 * list_empty() needs no lock, because a template is added to the list only
	 * under RTNL.
	 */
	if (list_empty(&net->templates) || dev->reg_state != NETREG_REGISTERED)
		return;
	mutex_lock(&net->lock);
	ret = kcuckoo_net_dead(net) ? 0 :
				      kcuckoo_templates_prepare(net, dev, true);
	if (ret > 0) {
		point = kcuckoo_hook_point_of(net, dev);
		kcuckoo_template_emit_changes(point, NULL);
		kcuckoo_rules_commit(point);
	} else if (ret < 0) {
		kcuckoo_templates_abort(net, dev, true, ret);
	}
	mutex_unlock(&net->lock);
}
