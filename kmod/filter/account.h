/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that is accounted: what the filters of one network namespace hold,
 * tables that await a grace period included.
 */
#ifndef _KCUCKOO_ACCOUNT_H
#define _KCUCKOO_ACCOUNT_H

#include <linux/atomic.h>
#include <linux/refcount.h>
#include <linux/types.h>

/**
 * struct kcuckoo_account - bytes held
 * @refs: held by the namespace's object and by everything that is charged
 * @bytes: bytes charged, never above kcuckoo_account_limit()
 */
struct kcuckoo_account {
	refcount_t refs;
	atomic64_t bytes;
};

struct kcuckoo_account *kcuckoo_account_create(void);
void kcuckoo_account_get(struct kcuckoo_account *account);
void kcuckoo_account_put(struct kcuckoo_account *account);
u64 kcuckoo_account_limit(void);

u64 kcuckoo_account_size(u64 bytes);
void *kcuckoo_account_alloc(struct kcuckoo_account *account, u64 bytes);
void kcuckoo_account_free(struct kcuckoo_account *account, void *memory,
			  u64 bytes);

#endif /* _KCUCKOO_ACCOUNT_H */
