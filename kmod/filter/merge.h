/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Clones: copies of all layers of a filter as they were at one instant. The filter
 * stays in use while its layers are copied.
 *
 * Readers cannot find the copies, until a merge publishes them.
 */
#ifndef _KCUCKOO_MERGE_H
#define _KCUCKOO_MERGE_H

#include "filter/filter.h"

/**
 * struct kcuckoo_clone_layer - a copy of one layer, or of two merged layers
 * @layer: the copy; NULL if the filter has no layer of this number
 * @rehash: the rehash (core/rehash.h) that makes the copy. Until the copy is detached, the
 *	layer of the filter points to @rehash, and writers repeat each change of this layer
 *	in @layer
 */
struct kcuckoo_clone_layer {
	struct kcuckoo_layer *layer;
	struct kcuckoo_rehash rehash;
};

/**
 * struct kcuckoo_clone - copies of all layers of a filter
 * @members: number of members: of IPv4 or byte strings in element 0, of IPv6 in element 1
 * @copy: the copies, by number of the layer
 */
struct kcuckoo_clone {
	u64 members[KCUCKOO_FAMILIES];
	struct kcuckoo_clone_layer copy[KCUCKOO_LAYERS];
};

struct kcuckoo_clone *kcuckoo_clone_create(struct kcuckoo_filter *filter);
void kcuckoo_clone_free(struct kcuckoo_clone *clone);

#endif /* _KCUCKOO_MERGE_H */
