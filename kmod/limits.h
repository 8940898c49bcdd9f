/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bounds of the implementation, each with its reason. Bounds that callers
 * must know stand in <linux/kcuckoo.h>.
 */
#ifndef _KCUCKOO_LIMITS_H
#define _KCUCKOO_LIMITS_H

#include <linux/bits.h>
#include <linux/types.h>

/* Entries per bucket: a power of two up to this; Fan et al., section 5.1. */
#define KCUCKOO_BUCKET_SIZE_MAX		8

#define KCUCKOO_BUCKET_SIZE_DEFAULT	4

/*
 * Buckets looked at by one search for a free entry. Tables with four entries
 * per bucket first fail at a load of 0.97 with it, and more visits gain less
 * than a hundredth.
 */
#define KCUCKOO_SEARCH_VISITS		1024

/*
 * One-bucket operations under one hold of a filter's lock; a search and its
 * moves have a hold of their own.
 */
#define KCUCKOO_HOLD_STEPS		256

/*
 * Keys that are copied in, hashed and prefetched together. Each add or delete
 * takes two one-bucket operations, so one hold usually does them all.
 */
#define KCUCKOO_CHUNK			128

/* Optimistic looks at a table before a reader takes the lock. */
#define KCUCKOO_READ_TRIES		8

/*
 * Buckets of a table: their number and that of their entries have to leave
 * room in 32 bits and in the cursor of a walk.
 */
#define KCUCKOO_BUCKETS_MIN		16
#define KCUCKOO_BUCKETS_MAX		BIT(31)

/* Prefixes of up to so many bits are always kept as a bitmap: 32 bytes. */
#define KCUCKOO_BITMAP_PLEN		8

/* Longest key of a filter of byte strings, in bytes. */
#define KCUCKOO_BYTES_MAX		4096

#endif /* _KCUCKOO_LIMITS_H */
