/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Defines constants that bound sizes and work, and gives the reasons for most of them.
 *
 * Bounds that programs must know are in <linux/kcuckoo.h>.
 */
#ifndef _KCUCKOO_LIMITS_H
#define _KCUCKOO_LIMITS_H

#include <linux/bits.h>
#include <linux/types.h>

/* Maximum number of entries per bucket, and log2 of it (Fan et al., section 5.1). */
#define KCUCKOO_BUCKET_SIZE_MAX		8
#define KCUCKOO_BUCKET_SHIFT_MAX	3

/* Entries per bucket if a program gives neither this number nor a rate of false positives. */
#define KCUCKOO_BUCKET_SIZE_DEFAULT	4

/*
 * Maximum number of buckets that one search for a free entry visits. To visit a bucket
 * is to compute the alternates of its entries and put them into the queue of the search.
 * In a table of 2^20 buckets of four entries, the first search fails at a load of 0.975.
 * With 512 visits it would fail at 0.973, with 256 at 0.967, and with 128 at 0.957.
 */
#define KCUCKOO_SEARCH_VISITS		1024

/* Minimum of the limit on visits that a filter can have: the two buckets of the key. */
#define KCUCKOO_SEARCH_VISITS_MIN	2

/*
 * Maximum number of buckets that a search reads in one section, if the search can go on in
 * another section. With eight entries per bucket, a search of 1,024 visits reads up to
 * 8,194 buckets. A read took 20 to 30 ns in a table that fits into the caches, and 40 to
 * 110 ns in a table of 160 MB.
 */
#define KCUCKOO_SEARCH_READS		384

/*
 * Maximum number of buckets that a search reads if it cannot go on in another section: a
 * search for a packet, or a search in the copy of a table for an add (rehash.h). With four
 * entries per bucket, 0.004 percent of the searches need more reads at a load of 0.96, and
 * 1.8 percent at 0.97, the maximum load for which layout.c chooses tables. With 384 reads,
 * 0.4 and 11 percent of the searches would need more.
 */
#define KCUCKOO_SEARCH_READS_ONCE	(2 * KCUCKOO_SEARCH_READS)

/*
 * Maximum number of buckets that the searches for the four members of a semi-sorted
 * bucket read together, in one section, when the bucket is copied (rehash.c). In a merge
 * into tables of 2^16 buckets, the first copy of a bucket fails at a load of 0.968 (mean
 * of 20 merges). With 768 reads for the four members this load would be 0.956, and with
 * 384 reads for each member 0.953.
 */
#define KCUCKOO_SEARCH_READS_SORTED	(6 * KCUCKOO_SEARCH_READS)

/*
 * Number of reads after which the search for an add checks whether its section should end
 * early, if the search can go on in another section. Divides KCUCKOO_SEARCH_READS and
 * KCUCKOO_SEARCH_READS_ONCE.
 */
#define KCUCKOO_SEARCH_READS_CHECK	64

/* Maximum number of moves of a path that was found in several sections (search.c). */
#define KCUCKOO_SEARCH_HOPS_MAX		128

/* Number of steps after which a section ends. A search counts as this number. */
#define KCUCKOO_SECTION_STEPS		256

/*
 * Number of steps after which a section ends early if other work waits for the processor.
 * With fewer steps, taking the lock would cost more than the work.
 */
#define KCUCKOO_SECTION_STEPS_MIN	16

/*
 * Number of steps after which a section ends early if another writer waits for the lock.
 * The lock then moves to another processor and back, which costs more than taking a free
 * lock. 64 steps of the copy of a table took about 4 us.
 */
#define KCUCKOO_SECTION_STEPS_CONTENDED	64

/*
 * Maximum number of fields of tables that are read and written in one section, for
 * buckets of @entries entries. A field is a tag, identity bits, a value, an expiry, a
 * bit of a bitmap, or a cell of a length index. For each step the limit allows the 64 bits
 * of a word of a bitmap, plus 16 fields for each entry of a bucket. The maximum that was
 * measured is 16,384 fields, with bitmaps. A search has a budget of its own (lock_budget.h).
 */
#define KCUCKOO_SECTION_FIELDS(entries)					\
	(KCUCKOO_SECTION_STEPS * (64 + 16 * (entries)))

/*
 * Maximum number of keys that are copied from user memory, hashed and prefetched
 * together. An add takes two steps, so one section is usually enough to add these keys.
 */
#define KCUCKOO_CHUNK			128

/* Maximum number of tries of a look-up without a lock; then the look-up takes a lock. */
#define KCUCKOO_READ_TRIES		8

/*
 * Minimum number of buckets of an exact table, and maximum number of buckets of any
 * table. With the maximum, a place still fits into the cursor of a walk.
 */
#define KCUCKOO_BUCKETS_MIN		16
#define KCUCKOO_BUCKETS_MAX		BIT(31)

/*
 * In an exact filter, a store (store.h) for numbers of at most this width, in bits, is
 * always a bitmap. The bits of such a bitmap take at most 32 bytes.
 */
#define KCUCKOO_BITMAP_BITS		8

/* A store for numbers of this width or more, in bits, is never a bitmap. */
#define KCUCKOO_BITMAP_BITS_MAX		48

/*
 * Minimum number of buckets of a table of fingerprints. The load that smaller tables reach
 * varies too much, and a filter of fingerprints cannot always grow.
 */
#define KCUCKOO_FINGERPRINT_BUCKETS_MIN	64

/*
 * Maximum number of bits of a fingerprint, and minimum number if buckets are semi-sorted.
 */
#define KCUCKOO_FINGERPRINT_MAX		32
#define KCUCKOO_SEMISORT_MIN		5

/* Maximum number of bits of a value, and number of bits of an expiry. */
#define KCUCKOO_VALUE_MAX		32
#define KCUCKOO_EXPIRY_BITS		32

/*
 * Minimum number of bits of a fingerprint that are not used by doublings. Each doubling
 * uses one bit for the number of the part (table.h); the other bits distinguish the keys
 * of a part. If only 3 other bits were left, a full table with four entries per bucket would
 * give a false positive for more than half of the keys that are not members.
 */
#define KCUCKOO_DOUBLING_BITS		4

/* Minimum load, in percent, at which a table of fingerprints is doubled. */
#define KCUCKOO_DOUBLING_PERCENT	80

#endif /* _KCUCKOO_LIMITS_H */
