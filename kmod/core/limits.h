/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bounds of the implementation, each with its reason. Bounds that callers
 * must know are in <linux/kcuckoo.h>.
 */
#ifndef _KCUCKOO_LIMITS_H
#define _KCUCKOO_LIMITS_H

#include <linux/bits.h>
#include <linux/types.h>

/* Entries per bucket: a power of two up to this; Fan et al., section 5.1. */
#define KCUCKOO_BUCKET_SIZE_MAX		8
#define KCUCKOO_BUCKET_SHIFT_MAX	3

#define KCUCKOO_BUCKET_SIZE_DEFAULT	4

/*
 * Buckets that one search for a free entry visits, that is, of whose entries it
 * reads the alternates. With 1,024 visits, searches in tables with four entries
 * per bucket first fail at a load of 0.973, with 512 at 0.972, and with 256 at
 * 0.966.
 */
#define KCUCKOO_SEARCH_VISITS		1024

/* The two buckets of a key itself. */
#define KCUCKOO_SEARCH_VISITS_MIN	2

/*
 * One-bucket operations under one hold of a filter's lock; a search and its moves
 * end a hold.
 */
#define KCUCKOO_HOLD_STEPS		256

/*
 * Maximum number of fields of tables that are read and written under one hold
 * of the lock, by the entries of a bucket. A step has the 64 bits of a word of
 * a bitmap, and 16 fields for each entry of a bucket. The maximum that was
 * measured is 16,384, with bitmaps. A search may read more (lock_budget.h).
 */
#define KCUCKOO_HOLD_FIELDS(entries)					\
	(KCUCKOO_HOLD_STEPS * (64 + 16 * (entries)))

/*
 * Keys that are copied in, hashed and prefetched together. Each add or delete
 * takes two one-bucket operations, so one hold usually does them all.
 */
#define KCUCKOO_CHUNK			128

/* Optimistic look-ups before a reader takes the lock. */
#define KCUCKOO_READ_TRIES		8

/*
 * Buckets of a table: the numbers of buckets and of entries have to fit into 32
 * bits and into the cursor of a walk.
 */
#define KCUCKOO_BUCKETS_MIN		16
#define KCUCKOO_BUCKETS_MAX		BIT(31)

/* Numbers of up to this many bits are always kept in a bitmap of 32 bytes. */
#define KCUCKOO_BITMAP_BITS		8

/* Numbers of this many bits or more have no bitmap: its size would overflow. */
#define KCUCKOO_BITMAP_BITS_MAX		48

/* Tables with fewer buckets fill too unevenly for a filter that cannot grow. */
#define KCUCKOO_FINGERPRINT_BUCKETS_MIN	64

/* Bits of a fingerprint, and of one in semi-sorted buckets. */
#define KCUCKOO_FINGERPRINT_MAX		32
#define KCUCKOO_SEMISORT_MIN		5

/* Bits of a value, and of the second in which a member expires. */
#define KCUCKOO_VALUE_MAX		32
#define KCUCKOO_EXPIRY_BITS		32

/*
 * Bits that doubling leaves a fingerprint: with fewer, more than one look-up in
 * two of a full table would be a false positive.
 */
#define KCUCKOO_DOUBLING_BITS		4

/* Load from which a table of fingerprints may be doubled. */
#define KCUCKOO_DOUBLING_PERCENT	80

#endif /* _KCUCKOO_LIMITS_H */
