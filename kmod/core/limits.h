/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Constants that bound sizes and work, each with its reason.
 *
 * Bounds that programs must know are in <linux/kcuckoo.h>.
 */
#ifndef _KCUCKOO_LIMITS_H
#define _KCUCKOO_LIMITS_H

#include <linux/bits.h>
#include <linux/types.h>

/* Maximum number of entries per bucket, a power of two; Fan et al., section 5.1. */
#define KCUCKOO_BUCKET_SIZE_MAX		8
#define KCUCKOO_BUCKET_SHIFT_MAX	3

#define KCUCKOO_BUCKET_SIZE_DEFAULT	4

/*
 * Maximum number of buckets that one search for a free entry visits. To visit a bucket
 * is to compute the alternate buckets of its entries and put them into the queue of the
 * search. In tables with four entries per bucket the first search fails at a load of
 * 0.973 with 1,024 visits, at 0.972 with 512, and at 0.966 with 256.
 */
#define KCUCKOO_SEARCH_VISITS		1024

/* A search visits at least the two buckets of the key. */
#define KCUCKOO_SEARCH_VISITS_MIN	2

/*
 * Maximum number of steps (operations on one bucket) under one hold of a filter's lock.
 * A search, with its moves, is not counted: the hold ends after it.
 */
#define KCUCKOO_HOLD_STEPS		256

/*
 * Maximum number of fields of tables that are read and written under one hold of the
 * lock, for buckets of @entries entries. A step is allowed 64 fields, the bits of a word
 * of a bitmap, and 16 more for each entry of a bucket. The maximum that was measured is
 * 16,384, with bitmaps. A search has a budget of its own (lock_budget.h).
 */
#define KCUCKOO_HOLD_FIELDS(entries)					\
	(KCUCKOO_HOLD_STEPS * (64 + 16 * (entries)))

/*
 * Maximum number of keys that are copied in, hashed and prefetched together. Each add or
 * delete takes two steps, so one hold is usually enough for all of them.
 */
#define KCUCKOO_CHUNK			128

/* Number of times that a reader looks up without the lock before it takes the lock. */
#define KCUCKOO_READ_TRIES		8

/*
 * Bounds of the number of buckets of a table: numbers of buckets and of entries have to
 * fit into 32 bits and into the cursor of a walk.
 */
#define KCUCKOO_BUCKETS_MIN		16
#define KCUCKOO_BUCKETS_MAX		BIT(31)

/* Numbers of at most this width are always stored in a bitmap, of 32 bytes. */
#define KCUCKOO_BITMAP_BITS		8

/* Numbers of this width or more are never in a bitmap: its size would overflow. */
#define KCUCKOO_BITMAP_BITS_MAX		48

/* A smaller table fills too unevenly for a filter of fingerprints that cannot grow. */
#define KCUCKOO_FINGERPRINT_BUCKETS_MIN	64

/* Maximum bits of a fingerprint, and minimum bits of one in a semi-sorted bucket. */
#define KCUCKOO_FINGERPRINT_MAX		32
#define KCUCKOO_SEMISORT_MIN		5

/* Maximum bits of a value, and bits of the second in which a member expires. */
#define KCUCKOO_VALUE_MAX		32
#define KCUCKOO_EXPIRY_BITS		32

/*
 * Minimum bits of a fingerprint that doublings leave unused. Each doubling uses one bit
 * for the number of the part. With fewer other bits more than half of the look-ups in a
 * full table would be false positives.
 */
#define KCUCKOO_DOUBLING_BITS		4

/* Minimum load, in percent, at which a table of fingerprints may be doubled. */
#define KCUCKOO_DOUBLING_PERCENT	80

#endif /* _KCUCKOO_LIMITS_H */
