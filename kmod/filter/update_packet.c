// SPDX-License-Identifier: GPL-2.0-only
/*
 * Updates by packets: add and delete addresses.
 *
 * net/api.c calls these functions for a packet. Packets are processed in softirq
 * context, so an update allocates no memory and no layer grows: packets add only to
 * reserved capacity. Senders are not trusted, and can send a flood of packets. So an
 * update first looks the address up without the lock of the filter. It takes the lock
 * only if the filter has to change. For an add, two more conditions must hold: the
 * family is not marked as full, and the rate limit has not refused another add in this
 * jiffy. All other packets of a flood cost no more than their look-ups.
 *
 * An update that changes the filter takes the lock once, and a second time if the
 * address has a timeout. It makes at most one search for a free entry, of up to
 * KCUCKOO_SEARCH_READS_ONCE buckets. A search that would have to read more is given up:
 * then the address is not added, and until the next jiffy no other address of its family.
 * This is rare before the reserved capacity is nearly used up. A look-up itself takes the
 * lock only if writes overlapped KCUCKOO_READ_TRIES tries.
 */
#include <linux/jiffies.h>
#include <linux/ratelimit.h>

#include "filter/filter_internal.h"
#include "kcuckoo.h"

/*
 * Initialises @member from an address, with its buckets and tag. Returns the layer of
 * full addresses of the family, or NULL if this layer does not exist; then no capacity
 * is reserved.
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

/*
 * Returns true if the address has an entry, expired or not. kcuckoo_filter_read()
 * repeats the call until no write overlaps it.
 */
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

/*
 * Returns true if an address has an entry, expired or not. Then @expiry is the second in
 * which the entry expires, 0 for never.
 */
static bool kcuckoo_packet_find(struct kcuckoo_filter *filter,
				const struct kcuckoo_layer *layer,
				const struct kcuckoo_member *member,
				u32 *expiry)
{
	const struct kcuckoo_packet_read read = { layer, member, expiry };

	return kcuckoo_filter_read(filter, kcuckoo_packet_read, &read);
}

/*
 * Returns true if an add of @member would change the entry of @member, which expires in
 * second @expiry (0: never). An add changes an entry only to make the entry expire
 * later.
 */
static bool kcuckoo_packet_renews(const struct kcuckoo_member *member,
				  u32 expiry)
{
	return expiry && (!member->probe.expiry ||
			  member->probe.expiry > expiry);
}

/*
 * Marks the family of @member as full after an add failed with @err, or both families
 * if the capacity of the filter is reached. Further packets then do not search for a
 * free entry. While the layer is copied or swept, or the search of another task is open,
 * adds do not search. The failure of such an add does not show that the layer is full, so
 * the family is not marked.
 *
 * If a search for this packet was given up, @member->serial is 0, and the search is not
 * open any more. If the layer has fewer members than it was laid out for, the family is
 * not marked then, either. Instead @filter->packet_pause is set, because the next packets
 * could need searches of the same length.
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
 * Adds a key under the lock, unless @limit refuses it. Returns the same as
 * kcuckoo_packet_add().
 *
 * __ratelimit() is called under the lock, because before Linux 6.16 it also refuses a
 * call that overlaps a call on another processor. After __ratelimit() has refused one
 * packet, kcuckoo_packet_store() refuses further packets until the next jiffy without
 * the lock.
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
 * Once an add has found no free entry, further adds of new addresses of the family fail
 * without a search, until an entry is freed or a layer is replaced. After an add whose
 * search was given up, they fail until the next jiffy. If the address is a member, it gets
 * the later of the two expiries.
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: 1 if the address was added, or its entry had expired; 0 if it was a
 * member; -ENOSPC if no capacity is reserved or left; -EBUSY if @limit refused the
 * change; -ESTALE if the filter was superseded; or an errno of
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
 * Return: 1 if the address was a member and is deleted; 0 if it was not a member;
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
	 * A later collection removes the expired entry. A delete under the lock would
	 * not find the entry, so each further packet would take the lock in vain.
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
