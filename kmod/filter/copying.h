/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies of a filter's layers: all layers as they were at one instant, while the
 * filter stays in use.
 */
#ifndef _KCUCKOO_COPYING_H
#define _KCUCKOO_COPYING_H

#include "filter/filter.h"

/**
 * struct kcuckoo_copy - a copy of one layer, or what two layers have together
 * @layer: the copy, seen by nobody else; NULL where there is none
 * @rehash: keeps it the same as the layer that it is a copy of
 */
struct kcuckoo_copy {
	struct kcuckoo_layer *layer;
	struct kcuckoo_rehash rehash;
};

/**
 * struct kcuckoo_copies - copies of the layers of a filter
 * @entries: members of each family, IPv4 (or byte strings) and IPv6
 * @copy: the copies, by number of the layer
 */
struct kcuckoo_copies {
	u64 entries[KCUCKOO_FAMILIES];
	struct kcuckoo_copy copy[KCUCKOO_LAYERS];
};

struct kcuckoo_copies *kcuckoo_copies_create(struct kcuckoo_filter *filter);
void kcuckoo_copies_free(struct kcuckoo_copies *copies);

#endif /* _KCUCKOO_COPYING_H */
