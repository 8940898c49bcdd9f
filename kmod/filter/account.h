/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory accounts: count and limit the memory of all filters of a network namespace.
 *
 * Tables that wait for a grace period stay charged until they are freed.
 */
#ifndef _KCUCKOO_ACCOUNT_H
#define _KCUCKOO_ACCOUNT_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/refcount.h>
#include <linux/types.h>

/**
 * struct kcuckoo_subscribers - subscribers to the events of a network namespace (event.h)
 * @types: set of the event types that at least one subscriber receives; the bit of a type
 *	is 1 << enum kcuckoo_event_type; read without a lock
 * @count: number of subscribers
 * @list: list of struct kcuckoo_subscriber, read under RCU
 *
 * The lock of the namespace (kcuckoo_net.lock) protects all writes.
 */
struct kcuckoo_subscribers {
	u64 types;
	unsigned int count;
	struct list_head list;
};

/**
 * struct kcuckoo_account - memory of the filters of a network namespace
 * @refs: one reference for the object of the namespace (struct kcuckoo_net), and one for
 *	each allocation
 * @bytes: number of bytes charged; at most kcuckoo_account_limit(), unless the limit was
 *	lowered later
 * @subscribers: subscribers to the events of the namespace; here because a filter has a
 *	pointer to its account, but not to its namespace
 */
struct kcuckoo_account {
	refcount_t refs;
	atomic64_t bytes;
	struct kcuckoo_subscribers subscribers;
};

struct kcuckoo_account *kcuckoo_account_create(void);
void kcuckoo_account_put(struct kcuckoo_account *account);
u64 kcuckoo_account_limit(void);

u64 kcuckoo_account_size(u64 bytes);
void *kcuckoo_account_alloc(struct kcuckoo_account *account, u64 bytes);
void kcuckoo_account_free(struct kcuckoo_account *account, void *memory,
			  u64 bytes);

#endif /* _KCUCKOO_ACCOUNT_H */
