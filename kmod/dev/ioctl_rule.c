// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implements the operations of the device on rules and slot users: attach, detach and list
 * rules; add and remove slot users, and get the id of a slot.
 */
#include <linux/minmax.h>
#include <linux/netdevice.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "dev/device.h"

static bool kcuckoo_family_valid(u8 family)
{
	return family && !(family & ~KCUCKOO_FAMILY_BOTH);
}

/*
 * Checks the name of the allow filter, which can be empty. A rule whose allow filter has the
 * same name as its filter would never match.
 */
static bool kcuckoo_allow_valid(const struct kcuckoo_ioc_attach *attach)
{
	if (!memchr_inv(attach->allow, 0, sizeof(attach->allow)))
		return true;
	return kcuckoo_name_valid(attach->allow) &&
	       memcmp(attach->allow, attach->name, sizeof(attach->allow));
}

/*
 * Checks a field for the name of a network device: a name, padded with zeroes, or all zero
 * if @wanted is false. net/ checks that the device exists.
 */
static bool kcuckoo_dev_valid(const u8 *name, bool wanted)
{
	unsigned int length = strnlen((const char *)name, KCUCKOO_DEV_SIZE);

	return length < KCUCKOO_DEV_SIZE && wanted == !!length &&
	       !memchr_inv(name + length, 0, KCUCKOO_DEV_SIZE - length);
}

static bool kcuckoo_label_valid(const u8 *label)
{
	return !memchr_inv(label, 0, KCUCKOO_NAME_SIZE) ||
	       kcuckoo_name_valid(label);
}

/*
 * Checks the flags of KCUCKOO_IOC_ATTACH. With KCUCKOO_ATTACH_WAIT the hook must be
 * KCUCKOO_HOOK_INGRESS, and the text in @dev must be a valid name of a device, or a
 * pattern. A pattern ends in '*', and has no other '*'.
 */
static bool kcuckoo_attach_flags_valid(const struct kcuckoo_ioc_attach *attach)
{
	const char *text = (const char *)attach->dev;
	const char *star = strchr(text, '*');

	if (attach->flags & ~(KCUCKOO_ATTACH_WAIT | KCUCKOO_ATTACH_REPLACE))
		return false;
	return !(attach->flags & KCUCKOO_ATTACH_WAIT) ||
	       (attach->hook == KCUCKOO_HOOK_INGRESS && dev_valid_name(text) &&
		(!star || !star[1]));
}

/* Only rules that drop or count packets can log. */
static bool kcuckoo_log_valid(const struct kcuckoo_ioc_attach *attach)
{
	if (attach->reserved || attach->log > KCUCKOO_LOG_NFLOG ||
	    attach->log_limit > KCUCKOO_LOG_LIMIT_MAX ||
	    (attach->log_group && attach->log != KCUCKOO_LOG_NFLOG))
		return false;
	return attach->log ? attach->action <= KCUCKOO_ACTION_COUNT :
			     !attach->log_limit;
}

static bool kcuckoo_attach_valid(const struct kcuckoo_ioc_attach *attach)
{
	return kcuckoo_name_valid(attach->name) &&
	       kcuckoo_allow_valid(attach) &&
	       kcuckoo_label_valid(attach->label) &&
	       kcuckoo_dev_valid(attach->dev,
				 attach->hook == KCUCKOO_HOOK_INGRESS) &&
	       attach->hook <= KCUCKOO_HOOK_INGRESS &&
	       kcuckoo_family_valid(attach->family) &&
	       attach->match <= KCUCKOO_MATCH_DST &&
	       attach->action <= KCUCKOO_ACTION_VALUE &&
	       (!attach->mark || attach->action == KCUCKOO_ACTION_MARK) &&
	       kcuckoo_log_valid(attach) &&
	       kcuckoo_attach_flags_valid(attach);
}

/**
 * kcuckoo_ioc_attach() - add a rule (KCUCKOO_IOC_ATTACH)
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_attach
 *
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
 */
int kcuckoo_ioc_attach(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	if (!kcuckoo_attach_valid(&arg->attach))
		return -EINVAL;
	return kcuckoo_rules_attach(net, &arg->attach);
}

/* The flags select the fields to compare; all other fields must be zero. */
static bool kcuckoo_detach_valid(const struct kcuckoo_ioc_detach *detach)
{
	u32 flags = detach->flags;

	if (flags & ~(KCUCKOO_DETACH_NAME | KCUCKOO_DETACH_HOOK |
		      KCUCKOO_DETACH_FAMILY | KCUCKOO_DETACH_MATCH |
		      KCUCKOO_DETACH_DEV | KCUCKOO_DETACH_LABEL))
		return false;
	if (flags & KCUCKOO_DETACH_LABEL ?
	    !kcuckoo_label_valid(detach->label) :
	    !!memchr_inv(detach->label, 0, sizeof(detach->label)))
		return false;
	if (flags & KCUCKOO_DETACH_NAME ?
	    !kcuckoo_name_valid(detach->name) :
	    !!memchr_inv(detach->name, 0, sizeof(detach->name)))
		return false;
	if (detach->hook > (flags & KCUCKOO_DETACH_HOOK ?
			    KCUCKOO_HOOK_INGRESS : 0))
		return false;
	if (flags & KCUCKOO_DETACH_FAMILY ?
	    !kcuckoo_family_valid(detach->family) : detach->family)
		return false;
	if (detach->match > (flags & KCUCKOO_DETACH_MATCH ?
			     KCUCKOO_MATCH_DST : 0))
		return false;
	return kcuckoo_dev_valid(detach->dev, flags & KCUCKOO_DETACH_DEV) &&
	       !detach->reserved;
}

/**
 * kcuckoo_ioc_detach() - remove rules (KCUCKOO_IOC_DETACH)
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_detach
 *
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
 */
int kcuckoo_ioc_detach(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	int removed;

	if (!kcuckoo_detach_valid(&arg->detach))
		return -EINVAL;
	removed = kcuckoo_rules_detach(net, &arg->detach);
	if (removed < 0)
		return removed;
	arg->detach.removed = removed;
	return 0;
}

static bool kcuckoo_rules_valid(const struct kcuckoo_ioc_rules *list)
{
	return !(list->flags & ~KCUCKOO_RULES_ZERO) &&
	       (!memchr_inv(list->name, 0, sizeof(list->name)) ||
		kcuckoo_name_valid(list->name)) &&
	       list->count <= KCUCKOO_BATCH_MAX &&
	       (!list->rule_size ||
		(list->rule_size >= KCUCKOO_RULE_SIZE_MIN &&
		 list->rule_size <= KCUCKOO_RULE_SIZE_MAX &&
		 IS_ALIGNED(list->rule_size, 8))) &&
	       !list->reserved;
}

/*
 * Writes rules to user memory. A program can be older or newer than the module, so the
 * program passes its own size of struct kcuckoo_rule in @rule_size. Fields that the module
 * does not know are zeroed.
 */
static int kcuckoo_rules_copy(const struct kcuckoo_ioc_rules *list,
			      const struct kcuckoo_rule *rules,
			      unsigned int count)
{
	u32 size = list->rule_size ?: KCUCKOO_RULE_SIZE_MIN;
	u32 copy_size = min_t(u32, size, sizeof(*rules));
	u8 __user *out = u64_to_user_ptr(list->rules);
	unsigned int i;

	for (i = 0; i < count; i++, out += size)
		if (copy_to_user(out, &rules[i], copy_size) ||
		    clear_user(out + copy_size, size - copy_size))
			return -EFAULT;
	return 0;
}

/*
 * Lists up to @capacity rules. If the program sets KCUCKOO_RULES_ZERO, zeroes the counters
 * of the rules, unless the number of rules exceeds @capacity. Before that the function
 * writes zeroes to the user memory for the rules. So if that memory is not valid, the call
 * fails before any count is lost.
 */
static int kcuckoo_rules_take(struct kcuckoo_net *net,
			      struct kcuckoo_ioc_rules *list,
			      struct kcuckoo_rule *rules, unsigned int capacity)
{
	u32 size = list->rule_size ?: KCUCKOO_RULE_SIZE_MIN;
	bool zero = list->flags & KCUCKOO_RULES_ZERO;

	if (zero && clear_user(u64_to_user_ptr(list->rules),
			       (unsigned long)capacity * size))
		return -EFAULT;
	list->total = kcuckoo_rules_list(net, list->name, rules, capacity, zero);
	return 0;
}

/**
 * kcuckoo_ioc_rules() - list the rules (KCUCKOO_IOC_RULES)
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_rules
 *
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
 */
int kcuckoo_ioc_rules(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	struct kcuckoo_ioc_rules *list = &arg->rules;
	struct kcuckoo_rule *rules = NULL;
	unsigned int capacity = 0;
	int err = 0;

	if (!kcuckoo_rules_valid(list))
		return -EINVAL;
	list->total = kcuckoo_rules_list(net, list->name, NULL, 0, false);
	/* Repeat with a larger array if rules were added since the last count. */
	while (!err && capacity < min(list->count, list->total)) {
		kvfree(rules);
		capacity = min(list->count, list->total);
		rules = kvcalloc(capacity, sizeof(*rules), GFP_KERNEL_ACCOUNT);
		if (!rules)
			return -ENOMEM;
		err = kcuckoo_rules_take(net, list, rules, capacity);
	}
	if (!err)
		err = kcuckoo_rules_copy(list, rules,
					 min(capacity, list->total));
	kvfree(rules);
	return err;
}

/* An ifindex is valid only with a flag, that is, to add or remove a slot user. */
static bool kcuckoo_slot_valid(const struct kcuckoo_ioc_slot *slot)
{
	return kcuckoo_name_valid(slot->name) && slot->ifindex <= INT_MAX &&
	       slot->flags <= KCUCKOO_SLOT_PUT &&
	       (slot->flags || !slot->ifindex);
}

/**
 * kcuckoo_ioc_slot() - add or remove a slot user, or get the id of a slot
 *	(KCUCKOO_IOC_SLOT)
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_slot
 *
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
 */
int kcuckoo_ioc_slot(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	struct kcuckoo_ioc_slot *slot = &arg->slot;

	if (!kcuckoo_slot_valid(slot))
		return -EINVAL;
	slot->id = 0;
	switch (slot->flags) {
	case KCUCKOO_SLOT_GET:
		return kcuckoo_slot_users_add(net, slot->name, slot->ifindex,
					      &slot->id);
	case KCUCKOO_SLOT_PUT:
		return kcuckoo_slot_users_del(net, slot->name, slot->ifindex);
	default:
		return kcuckoo_net_get_slot_id(net, slot->name, &slot->id);
	}
}
