// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory accounts: allocate memory and charge it to a network namespace, up to a limit.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "compat.h"
#include "filter/account.h"

static ulong kcuckoo_max_bytes;
module_param_named(max_bytes, kcuckoo_max_bytes, ulong, 0644);
MODULE_PARM_DESC(max_bytes,
		 "Maximum number of bytes of all filters in a network namespace (default 0: a quarter of the memory)");

/**
 * kcuckoo_account_create() - create an account
 *
 * Context: process context, may sleep.
 * Return: an account with one reference, or NULL if no memory is left.
 */
struct kcuckoo_account *kcuckoo_account_create(void)
{
	struct kcuckoo_account *account;

	account = kzalloc(sizeof(*account), GFP_KERNEL_ACCOUNT);
	if (!account)
		return NULL;
	refcount_set(&account->refs, 1);
	INIT_LIST_HEAD(&account->subscribers.list);
	return account;
}

static void kcuckoo_account_get(struct kcuckoo_account *account)
{
	refcount_inc(&account->refs);
}

/**
 * kcuckoo_account_put() - drop a reference to an account
 * @account: the account, which is freed when the last reference is dropped
 */
void kcuckoo_account_put(struct kcuckoo_account *account)
{
	if (refcount_dec_and_test(&account->refs))
		kfree(account);
}

/**
 * kcuckoo_account_limit() - get the memory limit, which is the same for all accounts
 *
 * Return: the limit, in bytes.
 */
u64 kcuckoo_account_limit(void)
{
	ulong limit = READ_ONCE(kcuckoo_max_bytes);

	return limit ? limit : (u64)totalram_pages() * PAGE_SIZE / 4;
}

/*
 * Returns true if vmalloc can use huge pages for a block, and they add at most 1/32 to its
 * size. Huge pages reduce the TLB misses of look-ups in a large table. If vmalloc uses small
 * pages instead, the block is charged as if it were in huge pages.
 */
static bool kcuckoo_account_huge(u64 bytes)
{
	return KCUCKOO_HUGE_PAGES && ALIGN(bytes, PMD_SIZE) - bytes <= bytes / 32;
}

/**
 * kcuckoo_account_size() - compute the size of the memory that an allocation uses
 * @bytes: requested size, in bytes
 *
 * Return: the number of bytes that are charged. For a block larger than a page, the number
 * includes the array of page pointers that vmalloc allocates.
 */
u64 kcuckoo_account_size(u64 bytes)
{
	if (bytes <= PAGE_SIZE)
		return kmalloc_size_roundup(bytes);
	bytes = kcuckoo_account_huge(bytes) ? ALIGN(bytes, PMD_SIZE) :
					      PAGE_ALIGN(bytes);
	return bytes + bytes / PAGE_SIZE * sizeof(void *);
}

static bool kcuckoo_account_charge(struct kcuckoo_account *account, u64 size)
{
	u64 limit = kcuckoo_account_limit();
	s64 held = atomic64_read(&account->bytes);

	do {
		if (size > limit || held > limit - size)
			return false;
	} while (!atomic64_try_cmpxchg(&account->bytes, &held, held + size));
	return true;
}

/**
 * kcuckoo_account_alloc() - allocate zeroed memory, and charge it to an account
 * @account: the account to charge; the memory holds a reference to the account
 * @bytes: size in bytes, more than 0
 *
 * Blocks larger than a page are allocated by vmalloc: kmalloc would round them up to a
 * power of two, and kvmalloc refuses more than INT_MAX bytes on most kernels. The flag
 * __GFP_RETRY_MAYFAIL makes an allocation fail before the OOM killer runs. vmalloc does not
 * apply the flag to its page tables, so for these the OOM killer can run.
 *
 * Context: process context, may sleep.
 * Return: the memory; ERR_PTR(-EDQUOT) if the limit of the account would be exceeded; or
 * ERR_PTR(-ENOMEM).
 */
void *kcuckoo_account_alloc(struct kcuckoo_account *account, u64 bytes)
{
	const gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN |
			  __GFP_RETRY_MAYFAIL;
	u64 size = kcuckoo_account_size(bytes);
	void *memory;

	if (!kcuckoo_account_charge(account, size))
		return ERR_PTR(-EDQUOT);
	if (bytes <= PAGE_SIZE)
		memory = kmalloc(bytes, gfp);
	else if (kcuckoo_account_huge(bytes))
		memory = vmalloc_huge(bytes, gfp);
	else
		memory = __vmalloc(bytes, gfp);
	if (!memory) {
		atomic64_sub(size, &account->bytes);
		return ERR_PTR(-ENOMEM);
	}
	kcuckoo_account_get(account);
	return memory;
}

/**
 * kcuckoo_account_free() - free memory, and subtract it from the account
 * @account: the account to which the memory was charged
 * @memory: memory from kcuckoo_account_alloc(), or NULL
 * @bytes: the size in bytes that was passed to kcuckoo_account_alloc()
 *
 * Context: process context, may sleep.
 */
void kcuckoo_account_free(struct kcuckoo_account *account, void *memory,
			  u64 bytes)
{
	if (!memory)
		return;
	kvfree(memory);
	atomic64_sub(kcuckoo_account_size(bytes), &account->bytes);
	kcuckoo_account_put(account);
}
