/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is measured side by side: the module's tables and the filters that Fan
 * et al. compare with, each of a given size.
 *
 *	cuckoo		b = 4, f = 12, one key at a time
 *	cuckoo-batch	the same, 128 keys at a time, as the module takes them
 *	semisort	b = 4, f = 13, semi-sorted, one key at a time
 *	semisort-batch	the same, 128 keys at a time
 *	bloom ... dleft8	see baselines.h
 *
 * Keys are 64-bit numbers; all hash them with the same function of the module.
 */
#ifndef _BENCH_SUBJECT_H
#define _BENCH_SUBJECT_H

#include "baselines.h"
#include "filling.h"

/**
 * struct subject_type - a sort of filter
 * @name: its name
 * @tag_bits: bits of a fingerprint of the module's tables
 * @sorted: semi-sorted
 * @batch: keys are taken FILLING_CHUNK at a time
 * @baseline: one of the others, else NULL
 * @bits: bits of memory per item that it is meant for
 * @refuses: it is filled until it refuses an item, and its occupancy is counted
 *	in places
 */
struct subject_type {
	const char *name;
	u8 tag_bits;
	bool sorted;
	bool batch;
	const struct baseline_type *baseline;
	double bits;
	bool refuses;
};

/**
 * struct subject - a filter
 * @type: which sort
 * @filling: a table of the module
 * @baseline: one of the others
 * @secret: of the hash
 * @capacity: what its occupancy is a fraction of
 * @most: items after which filling ends, if none is refused before
 * @memory: where its content is
 * @bytes: size of @memory
 */
struct subject {
	const struct subject_type *type;
	struct filling filling;
	struct baseline *baseline;
	struct kcuckoo_hash_key secret;
	u64 capacity;
	u64 most;
	const void *memory;
	u64 bytes;
};

bool subject_create(struct subject *subject, const char *name, u64 bytes);
void subject_free(struct subject *subject);
bool subject_erases(const struct subject *subject);
u64 subject_entries(const struct subject *subject);
u64 subject_insert(struct subject *subject, const u64 *keys, u64 count);
u64 subject_contains(const struct subject *subject, const u64 *keys, u64 count);
u64 subject_erase(struct subject *subject, const u64 *keys, u64 count);

#endif /* _BENCH_SUBJECT_H */
