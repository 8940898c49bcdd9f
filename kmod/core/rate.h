/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a rate of false positives to the parameters of a table.
 */
#ifndef _KCUCKOO_RATE_H
#define _KCUCKOO_RATE_H

#include "core/store.h"

bool kcuckoo_rate_fit(struct kcuckoo_table_params *params, u32 fpr,
		      unsigned int bucket_size, u64 capacity);

#endif /* _KCUCKOO_RATE_H */
