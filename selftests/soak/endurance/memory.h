/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory of filters in a process, counted, and a number for what of theirs is random. */
#ifndef _SELFTESTS_ENDURANCE_MEMORY_H
#define _SELFTESTS_ENDURANCE_MEMORY_H

#include "filter/filter.h"

static struct kcuckoo_account account;

u64 kcuckoo_account_size(u64 bytes)
{
	return bytes;
}

void *kcuckoo_account_alloc(struct kcuckoo_account *to, u64 bytes)
{
	void *memory = calloc(1, bytes);

	if (!memory)
		return ERR_PTR(-ENOMEM);
	__atomic_add_fetch(&to->bytes.count, bytes, __ATOMIC_RELAXED);
	return memory;
}

void kcuckoo_account_free(struct kcuckoo_account *to, void *memory, u64 bytes)
{
	if (!memory)
		return;
	free(memory);
	__atomic_sub_fetch(&to->bytes.count, bytes, __ATOMIC_RELAXED);
}

u64 get_random_u64(void)
{
	return 0x656e64757265ULL;
}

#endif /* _SELFTESTS_ENDURANCE_MEMORY_H */
