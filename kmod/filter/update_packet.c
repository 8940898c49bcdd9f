// SPDX-License-Identifier: GPL-2.0-only
/*
 * Updates by packets: add and delete addresses.
 *
 * Updates also run in softirq context, so an update allocates no memory and no layer grows:
 * packets add only to reserved capacity. Senders are not trusted, and can send a flood of
 * packets. So an update first looks the address up by kcuckoo_filter_read(), and then takes
 * the lock only if the filter has to change. An add does not take the lock if the rate
 * limit has refused another add in this jiffy. An add of a new address does not take the
 * lock if the family is marked as full, or if its @packet_pause is this jiffy.
 *
 * An add makes at most one search for a free entry, of up to KCUCKOO_SEARCH_READS_ONCE
 * buckets. A search that would have to read more buckets is given up.
 */
#include <linux/jiffies.h>
#include <linux/ratelimit.h>

#include "filter/filter_internal.h"
#include "kcuckoo.h"

/*
 * Returns the layer of full addresses of the family; or NULL if this layer does not exist,
 * so that no capacity is reserved.
 */
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
 * struct kcuckoo_packet_read - the arguments of kcuckoo_packet_read()
 * @layer: the layer of the address
 * @member: the address
 * @expiry: out: second in which the entry of the address expires, 0 for never
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

static bool kcuckoo_packet_find(struct kcuckoo_filter *filter,
				const struct kcuckoo_layer *layer,
				const struct kcuckoo_member *member,
				u32 *expiry)
{
	const struct kcuckoo_packet_read read = { layer, member, expiry };

	return kcuckoo_filter_read(filter, kcuckoo_packet_read, &read);
}

/* An add changes an entry only to make the entry expire later. */
static bool kcuckoo_packet_renews(const struct kcuckoo_member *member,
				  u32 expiry)
{
	return expiry && (!member->probe.expiry ||
			  member->probe.expiry > expiry);
}

/*
 * Marks the family of @member as full after an add failed with @err, or both families if
 * @err is -ENOSPC. Later adds of new addresses by packets then fail without a search.
 *
 * The failure of an add does not always show that the layer is full. While the layer is
 * copied, a sweep removes members, or the search of another task is open, adds do not
 * search; the family is then not marked. If a search for this packet was given up
 * (@member->serial is 0), and the layer has fewer members than always fit into its layout,
 * the function sets @filter->packet_pause instead: the next packets could need searches of
 * the same length.
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
	else if (!layer || layer->rehash || filter->relocation_off ||
		 filter->search->open)
		return;
	if (err != -ENOSPC && !member->serial &&
	    layer->store.table.entries <
	    kcuckoo_layout_room(&layer->store.layout)) {
		WRITE_ONCE(*kcuckoo_packet_pause(filter, member->index), jiffies);
		return;
	}
	WRITE_ONCE(filter->full_families, filter->full_families | families);
}

/*
 * Returns the same as kcuckoo_packet_add().
 *
 * __ratelimit() is called under the lock, because before Linux 6.16 it also refuses a
 * call that overlaps a call on another processor.
 */
static int kcuckoo_packet_store(struct kcuckoo_filter *filter,
				struct kcuckoo_member *member,
				struct kcuckoo_limit *limit)
{
	const struct kcuckoo_add_opts opts = {
		.now = kcuckoo_filter_now(filter),
		.once = true,
	};
	unsigned int steps = 0;
	int ret;

	if (limit && !time_after(jiffies, READ_ONCE(limit->refused)))
		return -EBUSY;
	kcuckoo_filter_lock(filter);
	if (filter->superseded) {
		kcuckoo_filter_unlock(filter);
		return -ESTALE;
	}
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
 * @timeout: seconds until the address expires, 0 for never
 * @limit: limit on the rate of changes, or NULL; applied only if the add would change the
 *	filter
 *
 * Once an add has found that the layer is full or the capacity is reached, further adds of
 * new addresses of the family fail without a search, until @filter->full_families is
 * cleared. After a search was given up, adds of new addresses of the family fail until the
 * next jiffy. If the address is already a member, its entry gets the later of the two
 * expiries.
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: 1 if the address was added, or its entry had expired; 0 if the address was a
 * member; -ENOSPC if no capacity is reserved or left, if a search was given up, or if no
 * search is allowed at present (kcuckoo_add_one()); -EBUSY if @limit refused the change;
 * -ESTALE if the filter was superseded; or an errno of kcuckoo_filter_check_packets().
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
	} else if (READ_ONCE(filter->full_families) & query->family ||
		   READ_ONCE(*kcuckoo_packet_pause(filter, member.index)) ==
		   jiffies) {
		return -ENOSPC;
	}
	return kcuckoo_packet_store(filter, &member, limit);
}

/**
 * kcuckoo_packet_del() - delete an address
 * @filter: the filter
 * @query: the address; networks that cover it stay members
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: 1 if the address was a member and is deleted; 0 if the address was not a member;
 * -EOPNOTSUPP if the filter is not exact or not of addresses; -ESTALE if the filter was
 * superseded.
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
	/*
	 * Without this check, each packet would take the lock in vain until the expired
	 * entry is removed: kcuckoo_del_one() does not find an expired entry.
	 */
	if (expiry && expiry <= member.probe.now)
		return 0;
	kcuckoo_filter_lock(filter);
	ret = -ESTALE;
	if (!filter->superseded)
		ret = kcuckoo_del_one(filter, &member, false) ==
		      KCUCKOO_RESULT_DELETED;
	kcuckoo_filter_unlock(filter);
	return ret;
}
