/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Clones: all layers of a filter as they were at one instant, copied while the filter
 * stays in use.
 */
#ifndef _KCUCKOO_MERGE_H
#define _KCUCKOO_MERGE_H

#include "filter/filter.h"

/**
 * struct kcuckoo_clone_layer - a copy of one layer, or of two merged layers
 * @layer: the copy, not published; NULL where the filter has no such layer
 * @rehash: repeats in the copy what is changed in the layer
 */
struct kcuckoo_clone_layer {
	struct kcuckoo_layer *layer;
	struct kcuckoo_rehash rehash;
};

/**
 * struct kcuckoo_clone - copies of all layers of a filter
 * @entries: members of each family, IPv4 (or byte strings) and IPv6
 * @copy: the copies, by number of the layer
 */
struct kcuckoo_clone {
	u64 entries[KCUCKOO_FAMILIES];
	struct kcuckoo_clone_layer copy[KCUCKOO_LAYERS];
};

struct kcuckoo_clone *kcuckoo_clone_create(struct kcuckoo_filter *filter);
void kcuckoo_clone_free(struct kcuckoo_clone *clone);

#endif /* _KCUCKOO_MERGE_H */
