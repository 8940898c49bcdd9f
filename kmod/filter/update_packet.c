// SPDX-License-Identifier: GPL-2.0-only
/*
 * Updates by packets: add and delete addresses.
 *
 * Packets are processed in softirq context, and their senders are not trusted. So an update
 * allocates no memory and no layer grows: packets add only to reserved capacity. A look-up
 * without the lock comes first. So a flood of packets that change nothing, find no free
 * entry or exceed the limit costs no more than their look-ups. An update takes the lock
 * once, a second time if the member expires, and searches up to once. A look-up takes the lock
 * only if writes overlap all its tries.
 */
#include <linux/jiffies.h>
#include <linux/ratelimit.h>

#include "filter/filter_internal.h"
#include "kcuckoo.h"

/* Initialises a member from an address. Returns its layer, or NULL. */
static const struct kcuckoo_layer *
kcuckoo_packet_prepare(struct kcuckoo_filter *filter,
		       const struct kcuckoo_query *query, u32 timeout,
		       struct kcuckoo_member *member)
{
	const struct kcuckoo_table_set *table_set;
	const struct kcuckoo_layer *layer;

	memset(member, 0, sizeof(*member));
	member->index = kcuckoo_layer_host(query->family);
	member->key.number = query->address;
	member->timeout = timeout;
	table_set = rcu_dereference(filter->table_set);
	layer = rcu_dereference(table_set->layer[member->index]);
	if (!layer)
		return NULL;
	kcuckoo_filter_prepare(filter, member->index, &member->key);
	kcuckoo_member_prepare(member, kcuckoo_filter_now(filter));
	kcuckoo_member_probe(member, layer);
	return layer;
}

/**
 * struct kcuckoo_packet_read - the search for the entry of an address
 * @layer: its layer
 * @member: the address
 * @expiry: out: expiry of the entry, 0 for never
 */
struct kcuckoo_packet_read {
	const struct kcuckoo_layer *layer;
	const struct kcuckoo_member *member;
	u32 *expiry;
};

/* Returns true if the address has an entry, expired or not. */
static int kcuckoo_packet_read(const void *context)
{
	const struct kcuckoo_packet_read *read = context;
	const struct kcuckoo_store *store = &read->layer->store;
	struct kcuckoo_probe probe = read->member->probe;
	u64 place;

	probe.now = 0;
	place = kcuckoo_store_find(store, &read->member->key, &probe);
	if (place == KCUCKOO_NO_PLACE)
		return false;
	*read->expiry = kcuckoo_table_expiry(&store->table, place);
	return true;
}

/* Returns true if an address has an entry, expired or not; then stores its expiry. */
static bool kcuckoo_packet_find(struct kcuckoo_filter *filter,
				const struct kcuckoo_layer *layer,
				const struct kcuckoo_member *member,
				u32 *expiry)
{
	const struct kcuckoo_packet_read read = { layer, member, expiry };

	return kcuckoo_filter_read(filter, kcuckoo_packet_read, &read);
}

/* Returns true if an add would change an entry that expires at @expiry, 0 for never. */
static bool kcuckoo_packet_renews(const struct kcuckoo_member *member,
				  u32 expiry)
{
	return expiry && (!member->probe.expiry ||
			  member->probe.expiry > expiry);
}

/*
 * Marks the family of a member as full, or both families if the capacity is reached, so
 * that the next packets do not search for a free entry. Does not mark a layer that is
 * copied or swept, as adds do not search it then.
 */
static void kcuckoo_packet_mark_full(struct kcuckoo_filter *filter,
				     const struct kcuckoo_member *member,
				     int err)
{
	const struct kcuckoo_layer *layer = kcuckoo_filter_layer(filter,
								 member->index);
	unsigned int families = kcuckoo_layer_family(member->index);

	if (err == -ENOSPC)
		families = KCUCKOO_FAMILY_BOTH;
	else if (!layer || layer->rehash || filter->relocation_off)
		return;
	WRITE_ONCE(filter->full_families, filter->full_families | families);
}

/*
 * Adds a key under the lock. Returns as kcuckoo_packet_add().
 *
 * The limit is checked under the lock: before Linux 6.16, __ratelimit() refuses a caller
 * while another processor calls it. After it has refused, no packet takes the lock for it
 * in the same jiffy.
 */
static int kcuckoo_packet_store(struct kcuckoo_filter *filter,
				struct kcuckoo_member *member,
				struct kcuckoo_limit *limit)
{
	const struct kcuckoo_add_opts opts = {
		.now = kcuckoo_filter_now(filter),
	};
	unsigned int steps = 0;
	int ret;

	if (limit && !time_after(jiffies, READ_ONCE(limit->refused)))
		return -EBUSY;
	kcuckoo_filter_lock(filter);
	if (limit && !__ratelimit(&limit->rate)) {
		WRITE_ONCE(limit->refused, jiffies);
		kcuckoo_filter_unlock(filter);
		return -EBUSY;
	}
	ret = kcuckoo_add_one(filter, member, &opts, &steps);
	if (ret < 0)
		kcuckoo_packet_mark_full(filter, member, ret);
	kcuckoo_filter_unlock(filter);
	if (ret < 0)
		return -ENOSPC;
	if (member->probe.expiry)
		kcuckoo_filter_collect_at(filter, member->probe.expiry);
	return ret == KCUCKOO_RESULT_ADDED;
}

/**
 * kcuckoo_packet_add() - add an address
 * @filter: the filter
 * @query: the address
 * @timeout: seconds until it expires, 0 for never
 * @limit: rate limit of changes, or NULL; checked only if the add changes the filter
 *
 * After an add found no free entry, further adds of the family fail at once until an entry
 * is freed or the layer is replaced.
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: 1 if the address was added; 0 if it was a member, which stays no less long than
 * before; -ENOSPC if no capacity is reserved or left; -EBUSY beyond @limit; or as
 * kcuckoo_filter_check_packets().
 */
int kcuckoo_packet_add(struct kcuckoo_filter *filter,
		       const struct kcuckoo_query *query, u32 timeout,
		       struct kcuckoo_limit *limit)
{
	int err = kcuckoo_filter_check_packets(filter, timeout);
	const struct kcuckoo_layer *layer;
	struct kcuckoo_member member;
	u32 expiry;

	if (err)
		return err;
	layer = kcuckoo_packet_prepare(filter, query, timeout, &member);
	if (!layer)
		return -ENOSPC;
	if (kcuckoo_packet_find(filter, layer, &member, &expiry)) {
		if (!kcuckoo_packet_renews(&member, expiry))
			return 0;
	} else if (READ_ONCE(filter->full_families) & query->family) {
		return -ENOSPC;
	}
	return kcuckoo_packet_store(filter, &member, limit);
}

/**
 * kcuckoo_packet_del() - delete an address
 * @filter: the filter
 * @query: the address; prefixes that cover it stay
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: 1 if the address was a member, 0 if it was not, or -EOPNOTSUPP if the filter is
 * not exact or not of addresses.
 */
int kcuckoo_packet_del(struct kcuckoo_filter *filter,
		       const struct kcuckoo_query *query)
{
	const struct kcuckoo_layer *layer;
	struct kcuckoo_member member;
	u32 expiry;
	int ret;

	if (!kcuckoo_filter_exact_inet(filter))
		return -EOPNOTSUPP;
	layer = kcuckoo_packet_prepare(filter, query, 0, &member);
	if (!layer || !kcuckoo_packet_find(filter, layer, &member, &expiry))
		return 0;
	/* An expired entry counts as absent: further packets must not take the lock. */
	if (expiry && expiry <= member.probe.now)
		return 0;
	kcuckoo_filter_lock(filter);
	ret = kcuckoo_del_one(filter, &member, false);
	kcuckoo_filter_unlock(filter);
	return ret == KCUCKOO_RESULT_DELETED;
}
