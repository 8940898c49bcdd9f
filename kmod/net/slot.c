// SPDX-License-Identifier: GPL-2.0-only
/*
 * Publishes, renames, swaps, replaces, destroys, finds and lists the filters of the
 * names of a namespace, and counts the users of a name.
 *
 * Each change by which a name loses or changes its filter is made between
 * kcuckoo_rebind_begin() and kcuckoo_rebind_end(), so that readers detect the change.
 */
#include <linux/err.h>
#include <linux/jhash.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "net/event.h"
#include "net/slot.h"

static bool kcuckoo_name_character(u8 c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || (c && strchr("_.:-", c));
}

/**
 * kcuckoo_name_valid() - check a name
 * @name: KCUCKOO_NAME_SIZE bytes
 *
 * Return: true if the name has 1 to KCUCKOO_NAME_SIZE - 1 characters, all of them valid,
 * and is padded with zeroes to KCUCKOO_NAME_SIZE bytes.
 */
bool kcuckoo_name_valid(const u8 *name)
{
	unsigned int length = strnlen((const char *)name, KCUCKOO_NAME_SIZE);
	unsigned int i;

	if (!length || length == KCUCKOO_NAME_SIZE)
		return false;
	for (i = 0; i < length; i++)
		if (!kcuckoo_name_character(name[i]))
			return false;
	return !memchr_inv(name + length, 0, KCUCKOO_NAME_SIZE - length);
}

static u32 kcuckoo_name_hash(const u8 *name)
{
	return jhash(name, KCUCKOO_NAME_SIZE, 0);
}

/**
 * kcuckoo_slot_find() - find the slot of a name, with or without a filter
 * @net: the namespace's object
 * @name: the name, zero-padded
 *
 * Context: under @net's lock.
 * Return: the slot, or NULL if the name has no slot.
 */
struct kcuckoo_slot *kcuckoo_slot_find(struct kcuckoo_net *net, const u8 *name)
{
	struct kcuckoo_slot *slot;

	lockdep_assert_held(&net->lock);
	hash_for_each_possible(net->slots, slot, node, kcuckoo_name_hash(name))
		if (!memcmp(slot->name, name, KCUCKOO_NAME_SIZE))
			return slot;
	return NULL;
}

static struct kcuckoo_slot *kcuckoo_slot_find_bound(struct kcuckoo_net *net,
						    const u8 *name)
{
	struct kcuckoo_slot *slot = kcuckoo_slot_find(net, name);

	return slot && kcuckoo_slot_filter(slot) ? slot : NULL;
}

static void kcuckoo_rebind_begin(struct kcuckoo_net *net)
	__acquires(&net->binding_lock)
{
	lockdep_assert_held(&net->lock);
	spin_lock_bh(&net->binding_lock);
	WRITE_ONCE(net->binding_seq, net->binding_seq + 1);
	/*
	 * Orders the increment before the change; pairs with kcuckoo_net_binding_seq().
	 */
	smp_wmb();
}

static void kcuckoo_rebind_end(struct kcuckoo_net *net)
	__releases(&net->binding_lock)
{
	spin_unlock_bh(&net->binding_lock);
}

/* Removes a slot from its namespace. The caller frees the slot if it has no users. */
static void kcuckoo_slot_unlink(struct kcuckoo_slot *slot)
{
	struct kcuckoo_filter *filter = kcuckoo_slot_filter(slot);

	kcuckoo_rebind_begin(slot->net);
	hash_del_rcu(&slot->node);
	RCU_INIT_POINTER(slot->filter, NULL);
	kcuckoo_rebind_end(slot->net);
	list_del(&slot->list);
	slot->net->names--;
	kcuckoo_slot_free_id(slot);
	if (!filter)
		return;
	kcuckoo_filter_set_name(filter, NULL);
	kcuckoo_filter_put(filter);
}

static void kcuckoo_slot_free_rcu(struct rcu_head *head)
{
	struct kcuckoo_slot *slot = container_of(head, struct kcuckoo_slot,
						 rcu);

	free_percpu(slot->packet_stats);
	kfree(slot);
}

/*
 * Frees a slot without users that was removed from its namespace. The caller holds the
 * lock of the namespace's object, and has another reference to the object.
 */
static void kcuckoo_slot_free(struct kcuckoo_slot *slot)
{
	struct kcuckoo_net *net = slot->net;

	call_rcu(&slot->rcu, kcuckoo_slot_free_rcu);
	kcuckoo_net_put(net);
}

static struct kcuckoo_slot *kcuckoo_slot_create(struct kcuckoo_net *net,
						const u8 *name)
{
	struct kcuckoo_slot *slot;

	if (net->names >= READ_ONCE(kcuckoo_max_filters))
		return ERR_PTR(-EDQUOT);
	slot = kzalloc(sizeof(*slot), GFP_KERNEL_ACCOUNT);
	if (!slot)
		return ERR_PTR(-ENOMEM);
	slot->net = kcuckoo_net_get(net);
	memcpy(slot->name, name, KCUCKOO_NAME_SIZE);
	hash_add_rcu(net->slots, &slot->node, kcuckoo_name_hash(name));
	list_add_tail(&slot->list, &net->list);
	net->names++;
	return slot;
}

static struct kcuckoo_slot *kcuckoo_slot_obtain(struct kcuckoo_net *net,
						const u8 *name)
{
	return kcuckoo_slot_find(net, name) ?: kcuckoo_slot_create(net, name);
}

static void kcuckoo_slot_release(struct kcuckoo_slot *slot)
{
	if (slot->users || kcuckoo_slot_filter(slot))
		return;
	/*
	 * If the namespace has ended, kcuckoo_net_free_slots() has already removed the
	 * slot.
	 */
	if (hash_hashed(&slot->node))
		kcuckoo_slot_unlink(slot);
	kcuckoo_slot_free(slot);
}

/**
 * kcuckoo_slot_get() - add a user to the slot of a name
 * @net: the namespace's object
 * @name: the name, zero-padded and valid
 *
 * If the name has no slot, creates a slot that waits for a filter. Such a slot counts
 * towards max_filters.
 *
 * Context: under @net's lock; may sleep.
 * Return: the slot, to be released with kcuckoo_slot_put(); ERR_PTR(-EDQUOT) if the name
 * has no slot and the namespace already has max_filters slots; or ERR_PTR(-ENOMEM).
 */
struct kcuckoo_slot *kcuckoo_slot_get(struct kcuckoo_net *net, const u8 *name)
{
	struct kcuckoo_slot *slot = kcuckoo_slot_obtain(net, name);

	if (!IS_ERR(slot))
		slot->users++;
	return slot;
}

/**
 * kcuckoo_slot_put() - remove a user from a slot
 * @slot: the slot, which is freed if it has neither a filter nor other users; the caller
 *	must not use the slot afterwards
 *
 * Context: under the lock of its namespace. The caller needs another reference to the
 * namespace's object, because the slot's own reference is dropped with the slot.
 */
void kcuckoo_slot_put(struct kcuckoo_slot *slot)
{
	lockdep_assert_held(&slot->net->lock);
	slot->users--;
	kcuckoo_slot_release(slot);
}

static struct kcuckoo_slot *kcuckoo_slot_obtain_unbound(struct kcuckoo_net *net,
							const u8 *name)
{
	struct kcuckoo_slot *slot = kcuckoo_slot_obtain(net, name);

	if (!IS_ERR(slot) && kcuckoo_slot_filter(slot))
		return ERR_PTR(-EEXIST);
	return slot;
}

/*
 * Moves the slot to the end of the list, because KCUCKOO_IOC_LIST lists a new filter
 * last.
 */
static void kcuckoo_slot_bind(struct kcuckoo_slot *slot,
			      struct kcuckoo_filter *filter)
{
	list_move_tail(&slot->list, &slot->net->list);
	/*
	 * Sets the name first: a writer that finds the filter by its name emits events
	 * with this name.
	 */
	kcuckoo_filter_set_name(filter, slot->name);
	rcu_assign_pointer(slot->filter, filter);
	kcuckoo_event_filter(slot, KCUCKOO_EVENT_CREATED, slot->name, NULL, 0);
}

/**
 * kcuckoo_net_publish_filter() - give a name to a new filter
 * @net: the namespace's object
 * @name: the name, zero-padded
 * @filter: the filter; on success the slot takes over the reference of the caller
 * @managed: true to mark the name as managed (KCUCKOO_LIST_MANAGED)
 *
 * Context: process context, may sleep.
 * Return: 0; -EEXIST if a filter has the name; -EDQUOT if the name is new and the
 * namespace already has max_filters names; -ENOMEM; -ENODEV if the namespace is ending
 * or has ended.
 */
int kcuckoo_net_publish_filter(struct kcuckoo_net *net, const u8 *name,
			       struct kcuckoo_filter *filter, bool managed)
{
	struct kcuckoo_slot *slot;
	int err;

	err = kcuckoo_net_lock(net);
	if (err)
		return err;
	slot = kcuckoo_slot_obtain_unbound(net, name);
	if (!IS_ERR(slot)) {
		slot->managed = managed;
		kcuckoo_slot_bind(slot, filter);
	}
	mutex_unlock(&net->lock);
	return PTR_ERR_OR_ZERO(slot);
}

/**
 * kcuckoo_net_check_name() - check that a new filter can get a name
 * @net: the namespace's object
 * @name: the name, zero-padded
 *
 * Avoids the allocation of a filter that kcuckoo_net_publish_filter() would refuse.
 *
 * Context: process context, may sleep.
 * Return: 0; -EEXIST if a filter has the name; -EDQUOT if the name is new and the
 * namespace already has max_filters names; or -ENODEV if the namespace is ending or has
 * ended.
 */
int kcuckoo_net_check_name(struct kcuckoo_net *net, const u8 *name)
{
	struct kcuckoo_slot *slot;
	int err;

	err = kcuckoo_net_lock(net);
	if (err)
		return err;
	slot = kcuckoo_slot_find(net, name);
	if (slot && kcuckoo_slot_filter(slot))
		err = -EEXIST;
	else if (!slot && net->names >= READ_ONCE(kcuckoo_max_filters))
		err = -EDQUOT;
	mutex_unlock(&net->lock);
	return err;
}

/**
 * kcuckoo_net_destroy_filter() - destroy a filter and its name
 * @net: the namespace's object
 * @name: the name, zero-padded
 *
 * Context: process context, may sleep.
 * Return: 0; -ENOENT if the name has no filter; -EBUSY while the name has users;
 * -ENODEV if the namespace is ending or has ended.
 */
int kcuckoo_net_destroy_filter(struct kcuckoo_net *net, const u8 *name)
{
	struct kcuckoo_slot *slot;
	int err;

	err = kcuckoo_net_lock(net);
	if (err)
		return err;
	slot = kcuckoo_slot_find_bound(net, name);
	if (!slot) {
		err = -ENOENT;
	} else if (slot->users) {
		err = -EBUSY;
	} else {
		kcuckoo_event_filter(slot, KCUCKOO_EVENT_DESTROYED, name, NULL,
				     0);
		kcuckoo_slot_unlink(slot);
		kcuckoo_slot_free(slot);
	}
	mutex_unlock(&net->lock);
	return err;
}

/*
 * Renames a slot that has a filter and no users. Sets the name of the filter last,
 * shortly before KCUCKOO_EVENT_RENAMED: earlier events of the filter have the old name.
 */
static void kcuckoo_slot_rename(struct kcuckoo_slot *slot, const u8 *name)
{
	kcuckoo_rebind_begin(slot->net);
	hash_del_rcu(&slot->node);
	memcpy(slot->name, name, KCUCKOO_NAME_SIZE);
	hash_add_rcu(slot->net->slots, &slot->node, kcuckoo_name_hash(name));
	kcuckoo_rebind_end(slot->net);
	kcuckoo_filter_set_name(kcuckoo_slot_filter(slot), name);
}

/*
 * Moves the filter of @slot to @waiting, which has no filter. Frees @slot, which has no
 * users.
 */
static void kcuckoo_slot_move_filter(struct kcuckoo_slot *slot,
				     struct kcuckoo_slot *waiting)
{
	list_move(&waiting->list, &slot->list);
	waiting->managed = slot->managed;
	kcuckoo_rebind_begin(slot->net);
	rcu_assign_pointer(waiting->filter, kcuckoo_slot_filter(slot));
	RCU_INIT_POINTER(slot->filter, NULL);
	kcuckoo_rebind_end(slot->net);
	kcuckoo_filter_set_name(kcuckoo_slot_filter(waiting), waiting->name);
	kcuckoo_slot_release(slot);
}

/**
 * kcuckoo_net_rename_filter() - give a filter another name
 * @net: the namespace's object
 * @name: present name of the filter, zero-padded
 * @new_name: new name of the filter, zero-padded. If the new name has users that wait
 *	for a filter, these users use the renamed filter from then on
 *
 * Context: process context, may sleep.
 * Return: 0; -ENOENT if the old name has no filter; -EEXIST if a filter has the new
 * name; -EBUSY while the old name has users; -ENODEV if the namespace is ending or has
 * ended.
 */
int kcuckoo_net_rename_filter(struct kcuckoo_net *net, const u8 *name,
			      const u8 *new_name)
{
	struct kcuckoo_slot *other;
	struct kcuckoo_slot *slot;
	int err;

	err = kcuckoo_net_lock(net);
	if (err)
		return err;
	slot = kcuckoo_slot_find_bound(net, name);
	other = kcuckoo_slot_find(net, new_name);
	if (!slot)
		err = -ENOENT;
	else if (other && kcuckoo_slot_filter(other))
		err = -EEXIST;
	else if (slot->users)
		err = -EBUSY;
	else if (other)
		kcuckoo_slot_move_filter(slot, other);
	else
		kcuckoo_slot_rename(slot, new_name);
	if (!err)
		kcuckoo_event_filter(other ?: slot, KCUCKOO_EVENT_RENAMED, name,
				     new_name, 0);
	mutex_unlock(&net->lock);
	return err;
}

static int kcuckoo_slot_find_pair(struct kcuckoo_net *net, const u8 *name,
				  const u8 *with, struct kcuckoo_slot **slot,
				  struct kcuckoo_slot **other)
{
	*slot = kcuckoo_slot_find_bound(net, name);
	*other = kcuckoo_slot_find_bound(net, with);
	if (!*slot || !*other)
		return -ENOENT;
	if (kcuckoo_slot_filter(*slot)->config.type !=
	    kcuckoo_slot_filter(*other)->config.type)
		return -EINVAL;
	return 0;
}

/*
 * Gives @filter to @slot, and the present filter of @slot to @other. If @other is NULL,
 * the caller gets the present filter. The references to the filters move with the
 * filters.
 *
 * If @expected is not NULL, returns -ESTALE unless the present filter is the expected
 * filter with the expected number of changes. Such a conditional exchange marks the old
 * filter as superseded. A packet that finds this mark takes binding_lock, so it waits
 * until the slot has the new filter.
 */
static int kcuckoo_slot_exchange(struct kcuckoo_slot *slot,
				 struct kcuckoo_filter *filter,
				 struct kcuckoo_slot *other,
				 const struct kcuckoo_expected *expected)
{
	struct kcuckoo_filter *old = kcuckoo_slot_filter(slot);
	int err = 0;

	if (expected && expected->id != old->id)
		return -ESTALE;
	kcuckoo_rebind_begin(slot->net);
	if (expected && !kcuckoo_filter_supersede(old, expected->changes)) {
		err = -ESTALE;
	} else {
		/*
		 * Sets the names first: a writer that finds a filter by its name emits
		 * events with this name.
		 */
		kcuckoo_filter_set_name(filter, slot->name);
		kcuckoo_filter_set_name(old, other ? other->name : NULL);
		rcu_assign_pointer(slot->filter, filter);
		if (other)
			rcu_assign_pointer(other->filter, old);
	}
	kcuckoo_rebind_end(slot->net);
	return err;
}

/**
 * kcuckoo_net_swap_filters() - exchange the filters of two names
 * @net: the namespace's object
 * @name: one name, zero-padded
 * @with: the other name, zero-padded
 *
 * Context: process context, may sleep.
 * Return: 0, -ENOENT if a name has no filter, -EINVAL for filters of different types,
 * or -ENODEV if the namespace is ending or has ended.
 */
int kcuckoo_net_swap_filters(struct kcuckoo_net *net, const u8 *name,
			     const u8 *with)
{
	struct kcuckoo_slot *other;
	struct kcuckoo_slot *slot;
	int err;

	err = kcuckoo_net_lock(net);
	if (err)
		return err;
	err = kcuckoo_slot_find_pair(net, name, with, &slot, &other);
	if (!err)
		err = kcuckoo_slot_exchange(slot, kcuckoo_slot_filter(other),
					    other, NULL);
	if (!err)
		kcuckoo_event_filter(slot, KCUCKOO_EVENT_SWAPPED, name, with,
				     kcuckoo_slot_filter(other)->id);
	mutex_unlock(&net->lock);
	return err;
}

/**
 * kcuckoo_net_replace_filter() - replace the filter of a name by the filter of another
 *	name
 * @net: the namespace's object
 * @name: the name that is kept, zero-padded; its filter is destroyed
 * @with: the name that is removed, zero-padded; its filter is kept
 * @expected: the condition, or NULL to replace unconditionally
 *
 * Context: process context, may sleep.
 * Return: 0, -ENOENT if a name has no filter, -EINVAL if the filters have different
 * types or both names are equal, -EBUSY while @with has users, -ESTALE if the filter of
 * @name is not the expected filter or has changed, or -ENODEV if the namespace is ending
 * or has ended.
 */
int kcuckoo_net_replace_filter(struct kcuckoo_net *net, const u8 *name,
			       const u8 *with,
			       const struct kcuckoo_expected *expected)
{
	struct kcuckoo_slot *other;
	struct kcuckoo_slot *slot;
	int err;

	err = kcuckoo_net_lock(net);
	if (err)
		return err;
	err = kcuckoo_slot_find_pair(net, name, with, &slot, &other);
	if (!err && slot == other)
		err = -EINVAL;
	if (!err && other->users)
		err = -EBUSY;
	if (!err)
		err = kcuckoo_slot_exchange(slot, kcuckoo_slot_filter(other),
					    other, expected);
	if (!err) {
		kcuckoo_event_filter(slot, KCUCKOO_EVENT_REPLACED, name, with,
				     kcuckoo_slot_filter(other)->id);
		kcuckoo_slot_unlink(other);
		kcuckoo_slot_free(other);
	}
	mutex_unlock(&net->lock);
	return err;
}

/**
 * kcuckoo_net_publish_replacement() - replace the filter of a name by a nameless filter
 * @net: the namespace's object
 * @name: the name, zero-padded; its filter is destroyed
 * @filter: the new filter; on success the slot takes over the reference of the caller
 * @expected: the condition, or NULL to replace unconditionally
 *
 * Context: process context, may sleep.
 * Return: 0, -ENOENT if the name has no filter, -EINVAL if the filters have different
 * types, -ESTALE if the filter of @name is not the expected filter or has changed, or
 * -ENODEV if the namespace is ending or has ended.
 */
int kcuckoo_net_publish_replacement(struct kcuckoo_net *net, const u8 *name,
				    struct kcuckoo_filter *filter,
				    const struct kcuckoo_expected *expected)
{
	struct kcuckoo_filter *old = NULL;
	struct kcuckoo_slot *slot;
	int err;

	err = kcuckoo_net_lock(net);
	if (err)
		return err;
	slot = kcuckoo_slot_find_bound(net, name);
	if (slot)
		old = kcuckoo_slot_filter(slot);
	if (!old)
		err = -ENOENT;
	else if (old->config.type != filter->config.type)
		err = -EINVAL;
	else
		err = kcuckoo_slot_exchange(slot, filter, NULL, expected);
	if (!err) {
		kcuckoo_event_filter(slot, KCUCKOO_EVENT_REPLACED, name, NULL,
				     old->id);
		kcuckoo_filter_put(old);
	}
	mutex_unlock(&net->lock);
	return err;
}

/*
 * Sets @rules and @info_flags. @rules counts all users of the name, whether they are
 * rules or not.
 */
static void kcuckoo_slot_info(const struct kcuckoo_slot *slot,
			      struct kcuckoo_ioc_info *info)
{
	info->rules = slot->users;
	if (slot->managed)
		info->info_flags |= KCUCKOO_INFO_MANAGED;
	if (slot->writers && kcuckoo_filter_exact(kcuckoo_slot_filter(slot)))
		info->info_flags |= KCUCKOO_INFO_PACKETS;
}

/*
 * Finds the filter of a name without the lock of the namespace, and takes a reference.
 * Returns NULL if the caller must search again under the lock. If a slot is renamed at
 * the same time, the search can read a name that is half written, or continue in the
 * wrong hash chain; the change of binding_seq shows both cases.
 */
static struct kcuckoo_filter *
kcuckoo_slot_get_filter_rcu(struct kcuckoo_net *net, const u8 *name)
{
	u64 binding_seq = kcuckoo_net_binding_seq(net);
	struct kcuckoo_filter *filter = NULL;
	struct kcuckoo_slot *slot;

	rcu_read_lock();
	hash_for_each_possible_rcu(net->slots, slot, node,
				   kcuckoo_name_hash(name)) {
		if (memcmp(slot->name, name, KCUCKOO_NAME_SIZE))
			continue;
		filter = rcu_dereference(slot->filter);
		break;
	}
	if (filter && !kcuckoo_filter_tryget(filter))
		filter = NULL;
	rcu_read_unlock();
	if (!filter || (kcuckoo_net_binding_seq(net) == binding_seq &&
			!kcuckoo_net_dead(net)))
		return filter;
	kcuckoo_filter_put(filter);
	return NULL;
}

/**
 * kcuckoo_net_get_filter() - get the filter of a name, with a reference
 * @net: the namespace's object
 * @name: the name, zero-padded
 * @info: in: @rules and @info_flags are zero; out: @rules, which is the number of users
 *	of the name, and @info_flags. NULL if the caller does not need these fields
 *
 * If @info is NULL, the function first searches without the lock of the namespace, so it
 * usually does not wait for calls that attach rules or publish filters.
 *
 * Context: process context, may sleep.
 * Return: the filter, to be released with kcuckoo_filter_put(); ERR_PTR(-ENOENT) if the
 * name has no filter; ERR_PTR(-ENODEV) if the namespace is ending or has ended.
 */
struct kcuckoo_filter *
kcuckoo_net_get_filter(struct kcuckoo_net *net, const u8 *name,
		       struct kcuckoo_ioc_info *info)
{
	struct kcuckoo_filter *filter;
	struct kcuckoo_slot *slot;
	int err;

	filter = info ? NULL : kcuckoo_slot_get_filter_rcu(net, name);
	if (filter)
		return filter;
	err = kcuckoo_net_lock(net);
	if (err)
		return ERR_PTR(err);
	slot = kcuckoo_slot_find_bound(net, name);
	if (slot) {
		filter = kcuckoo_slot_filter(slot);
		kcuckoo_filter_get(filter);
		if (info)
			kcuckoo_slot_info(slot, info);
	}
	mutex_unlock(&net->lock);
	return filter ?: ERR_PTR(-ENOENT);
}

/**
 * kcuckoo_net_list_filters() - list the names that have a filter
 * @net: the namespace's object
 * @entries: array of @max elements, zeroed by the caller; may be NULL if @max is 0
 * @max: maximum number of names to write
 *
 * Context: process context, may sleep.
 * Return: the number of names, which can exceed @max.
 */
unsigned int kcuckoo_net_list_filters(struct kcuckoo_net *net,
				      struct kcuckoo_list_entry *entries,
				      unsigned int max)
{
	struct kcuckoo_slot *slot;
	unsigned int total = 0;

	mutex_lock(&net->lock);
	list_for_each_entry(slot, &net->list, list) {
		struct kcuckoo_filter *filter = kcuckoo_slot_filter(slot);

		if (!filter)
			continue;
		if (total < max) {
			memcpy(entries[total].name, slot->name,
			       KCUCKOO_NAME_SIZE);
			entries[total].type = filter->config.type;
			if (slot->managed)
				entries[total].flags = KCUCKOO_LIST_MANAGED;
		}
		total++;
	}
	mutex_unlock(&net->lock);
	return total;
}

/**
 * kcuckoo_net_get_stats() - get the statistics of a namespace
 * @net: the namespace's object
 * @stats: in: the counts are zero; out: @filters, @waiting, @members, @memory_bytes,
 *	@max_filters and @max_bytes. The caller sets the other fields
 *
 * Context: process context, may sleep.
 */
void kcuckoo_net_get_stats(struct kcuckoo_net *net,
			   struct kcuckoo_ioc_stats *stats)
{
	struct kcuckoo_slot *slot;

	mutex_lock(&net->lock);
	list_for_each_entry(slot, &net->list, list) {
		struct kcuckoo_filter *filter = kcuckoo_slot_filter(slot);

		if (!filter) {
			stats->waiting++;
			continue;
		}
		stats->filters++;
		stats->members += kcuckoo_filter_members(filter);
	}
	mutex_unlock(&net->lock);
	stats->max_filters = READ_ONCE(kcuckoo_max_filters);
	stats->memory_bytes = atomic64_read(&net->account->bytes);
	stats->max_bytes = kcuckoo_account_limit();
}

/**
 * kcuckoo_net_free_slots() - destroy all filters, and all slots without users
 * @net: the object of a namespace that ends
 *
 * The caller has removed all rules and slot users, so only slots that other modules use
 * still have users. kcuckoo_put() frees these slots.
 *
 * Context: under @net's lock.
 */
void kcuckoo_net_free_slots(struct kcuckoo_net *net)
{
	struct kcuckoo_slot *slot;
	struct kcuckoo_slot *next;

	lockdep_assert_held(&net->lock);
	list_for_each_entry_safe(slot, next, &net->list, list) {
		kcuckoo_slot_unlink(slot);
		if (!slot->users)
			kcuckoo_slot_free(slot);
	}
}
