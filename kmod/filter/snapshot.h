/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Snapshots: write a filter as a sequence of bytes, and restore a filter from the bytes.
 *
 * A filter can also be restored on another machine with the same byte order. The lock of
 * the transfer (kcuckoo_transfer.lock) protects struct kcuckoo_save and struct
 * kcuckoo_restore.
 *
 * The format of the bytes (the image), with all numbers in the byte order of the machine:
 *
 *	struct kcuckoo_image_header		config, secret, counts
 *	for each layer, in ascending order:
 *		struct kcuckoo_image_layer	its layout
 *		hot plane			words with the tags, or the bitmap
 *		second plane			words with all other content of the entries, if any
 *	struct kcuckoo_image_trailer		checksum of all bytes before it
 *
 * Each structure and each plane in this list is a segment. A restore does not trust the
 * bytes: it checks each field before use, and each entry of each table before it returns
 * the filter.
 */
#ifndef _KCUCKOO_SNAPSHOT_H
#define _KCUCKOO_SNAPSHOT_H

#include "filter/merge.h"

#define KCUCKOO_IMAGE_MAGIC	0x6b6f6f6b6375636bULL
#define KCUCKOO_IMAGE_VERSION	5

/**
 * struct kcuckoo_image_header - header of a snapshot
 * @magic: KCUCKOO_IMAGE_MAGIC; also shows the byte order
 * @version: KCUCKOO_IMAGE_VERSION
 * @layers: number of layers in the snapshot
 * @type: enum kcuckoo_type
 * @bucket_shift: log2 of the entries per bucket
 * @tag_bits: bits of a fingerprint, 0 in an exact filter
 * @value_bits: bits of a value
 * @traits: KCUCKOO_CREATE_*
 * @capacity: see struct kcuckoo_config
 * @fpr: see struct kcuckoo_config
 * @search_limit: see struct kcuckoo_config
 * @timeout: see struct kcuckoo_config
 * @now: second in which the snapshot was taken, by the clock of expiry (README.md); 0 for a
 *	filter without expiry
 * @members: number of members: of IPv4 or byte strings in element 0, of IPv6 in element 1
 * @seed: secret of jhash
 * @strong: 1 if keys are hashed with siphash, 0 if keys are hashed with jhash
 * @sip: secret of siphash
 */
struct kcuckoo_image_header {
	u64 magic;
	u32 version;
	u32 layers;
	u8 type;
	u8 bucket_shift;
	u8 tag_bits;
	u8 value_bits;
	u32 traits;
	u64 capacity;
	u32 fpr;
	u32 search_limit;
	u32 timeout;
	u32 now;
	u64 members[KCUCKOO_FAMILIES];
	u32 seed[3];
	u32 strong;
	u64 sip[2];
};

/**
 * struct kcuckoo_image_layer - header of a layer
 * @index: number of the layer
 * @nbuckets: number of buckets, 0 for a bitmap
 * @doublings: number of times that the table was doubled
 * @reserved: zero
 * @entries: number of members
 */
struct kcuckoo_image_layer {
	u32 index;
	u32 nbuckets;
	u32 doublings;
	u32 reserved;
	u64 entries;
};

/**
 * struct kcuckoo_image_trailer - trailer of a snapshot
 * @checksum: CRC-32 of all preceding bytes
 * @reserved: zero
 */
struct kcuckoo_image_trailer {
	u32 checksum;
	u32 reserved;
};

struct kcuckoo_save;
struct kcuckoo_restore;

struct kcuckoo_save *kcuckoo_save_begin(struct kcuckoo_filter *filter);
u64 kcuckoo_save_total(const struct kcuckoo_save *save);
const void *kcuckoo_save_segment(const struct kcuckoo_save *save, u64 offset,
				 u64 *length);
void kcuckoo_save_end(struct kcuckoo_save *save);

struct kcuckoo_restore *kcuckoo_restore_begin(struct kcuckoo_account *account,
					      u64 total);
u64 kcuckoo_restore_offset(const struct kcuckoo_restore *restore);
u64 kcuckoo_restore_total(const struct kcuckoo_restore *restore);
void *kcuckoo_restore_segment(struct kcuckoo_restore *restore, u64 *length);
int kcuckoo_restore_fill(struct kcuckoo_restore *restore, u64 length);
struct kcuckoo_filter *kcuckoo_restore_filter(struct kcuckoo_restore *restore);
void kcuckoo_restore_end(struct kcuckoo_restore *restore);

#endif /* _KCUCKOO_SNAPSHOT_H */
