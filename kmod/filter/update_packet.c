// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writers of a filter that are packets: adding and deleting addresses.
 *
 * They come in soft interrupts, and from strangers. So nothing is allocated and
 * no layer grows: there is room only where somebody reserved it. A look without
 * the lock comes first, so that a flood of packets which change nothing, for which
 * there is no room, or which are too many, costs no more than looking them up. What
 * is left takes the lock once, again if the member is to expire, and one search at
 * most.
 */
#include <linux/jiffies.h>
#include <linux/ratelimit.h>

#include "filter/filter_internal.h"
#include "kcuckoo.h"

/* Makes a member of an address. Returns its layer, NULL where there is none. */
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

/* What nobody could say without the lock. */
#define KCUCKOO_PACKET_UNCLEAR	U32_MAX

/*
 * Has an address an entry, expired or not? Looks without the lock. Where writes
 * overlap all looks, the answer is yes, and an expiry that is none: a closer look is
 * taken under the lock then.
 */
static bool kcuckoo_packet_find(struct kcuckoo_filter *filter,
				const struct kcuckoo_layer *layer,
				const struct kcuckoo_member *member,
				u32 *expiry)
{
	struct kcuckoo_probe probe = member->probe;
	unsigned int tries;
	unsigned int seq;
	u64 place;

	probe.now = 0;
	for (tries = 0; tries < KCUCKOO_READ_TRIES; tries++) {
		seq = read_seqcount_begin(&filter->seq);
		place = kcuckoo_store_find(&layer->store, &member->key, &probe);
		if (place != KCUCKOO_NO_PLACE)
			*expiry = kcuckoo_table_expiry(&layer->store.table,
						       place);
		if (!read_seqcount_retry(&filter->seq, seq))
			return place != KCUCKOO_NO_PLACE;
	}
	*expiry = KCUCKOO_PACKET_UNCLEAR;
	return true;
}

/* Would adding a member that expires at one time, or never, change it? */
static bool kcuckoo_packet_renews(const struct kcuckoo_member *member,
				  u32 expiry)
{
	return expiry && (!member->probe.expiry ||
			  member->probe.expiry > expiry ||
			  expiry == KCUCKOO_PACKET_UNCLEAR);
}

/*
 * Notes that there is no room, so that the next packets need not search for it:
 * for the family, or where the capacity is reached for both. Not while the
 * layer is copied or swept, as nobody searches then.
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
 * The limit is asked under the lock, too: before Linux 6.16 it refuses whoever asks
 * while another processor does. Once it has refused, nobody takes the lock for it
 * until the clock ticks.
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
 * @limit: how often something may be changed, or NULL; asked only if there is
 *	something to change
 *
 * Once there was no room, further calls fail at once until an entry is freed or
 * the layer is replaced.
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: 1 if the address is a member now, 0 if it was one, and stays at least
 * as long; -ENOSPC where no room is reserved or left, -EBUSY beyond @limit, or
 * as kcuckoo_filter_check_packets().
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
 * Return: 1 if the address was a member, 0 if it was none, or -EOPNOTSUPP where
 * the filter is not an exact one of addresses.
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
	/* Whoever sends on after that is not to take the lock each time. */
	if (expiry && expiry <= member.probe.now)
		return 0;
	kcuckoo_filter_lock(filter);
	ret = kcuckoo_del_one(filter, &member, false);
	kcuckoo_filter_unlock(filter);
	return ret == KCUCKOO_RESULT_DELETED;
}
