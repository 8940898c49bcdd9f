/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks prefixes, and converts them to numbers and back. Programs pass prefixes in the
 * arguments of ioctls; filter/ and core/ work with numbers.
 */
#ifndef _KCUCKOO_PREFIX_H
#define _KCUCKOO_PREFIX_H

#include <linux/kcuckoo.h>

#include "core/permutation.h"

bool kcuckoo_prefix_valid(const struct kcuckoo_prefix *prefix);
struct kcuckoo_number
kcuckoo_prefix_number(const struct kcuckoo_prefix *prefix);
void kcuckoo_prefix_set(struct kcuckoo_prefix *prefix, unsigned int family,
			unsigned int plen,
			const struct kcuckoo_number *number);
struct kcuckoo_number kcuckoo_prefix_cut(const struct kcuckoo_number *address,
					 unsigned int bits, unsigned int plen);
struct kcuckoo_number kcuckoo_prefix_extend(const struct kcuckoo_number *number,
					    unsigned int bits,
					    unsigned int plen);

#endif /* _KCUCKOO_PREFIX_H */
