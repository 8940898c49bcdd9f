/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Chooses the parameters of a table of fingerprints for a maximum rate of false positives,
 * that is, of keys that are found although they are not members.
 */
#ifndef _KCUCKOO_RATE_H
#define _KCUCKOO_RATE_H

#include "core/store.h"

bool kcuckoo_rate_fit(struct kcuckoo_table_params *params, u32 fpr,
		      unsigned int bucket_size, u64 capacity);

#endif /* _KCUCKOO_RATE_H */
