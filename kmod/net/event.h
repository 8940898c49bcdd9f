/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declares the functions that emit the events of names, rules and packets of a network
 * namespace.
 *
 * Subscribers are functions that receive events (filter/event.h).
 */
#ifndef _KCUCKOO_NET_EVENT_H
#define _KCUCKOO_NET_EVENT_H

#include "filter/event.h"
#include "net/slot.h"

static inline bool kcuckoo_net_has_subscriber(const struct kcuckoo_net *net,
					      unsigned int type)
{
	return kcuckoo_event_wanted(net->account, type);
}

/* subscription.c */
void kcuckoo_events_init(struct kcuckoo_net *net);
void kcuckoo_events_exit(struct kcuckoo_net *net);
int kcuckoo_net_subscribe(struct kcuckoo_net *net,
			  struct kcuckoo_subscriber *subscriber);
void kcuckoo_net_unsubscribe(struct kcuckoo_net *net,
			     struct kcuckoo_subscriber *subscriber);

/* event.c */
void kcuckoo_event_filter(const struct kcuckoo_slot *slot, unsigned int type,
			  const u8 *name, const u8 *other, u64 other_id);
void kcuckoo_event_packets(struct kcuckoo_slot *slot);

/* rule_event.c */
void kcuckoo_event_rule(struct kcuckoo_net *net, unsigned int type,
			const struct kcuckoo_ioc_attach *attach, const u8 *dev,
			u32 flags, unsigned int devices);
void kcuckoo_event_entry(const struct kcuckoo_hook_point *point,
			 const struct kcuckoo_rule_entry *rule, u32 flags);

#endif /* _KCUCKOO_NET_EVENT_H */
