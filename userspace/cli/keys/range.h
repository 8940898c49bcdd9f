/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: split ranges of addresses into prefixes
 */
#ifndef KCUCKOO_CLI_RANGE_H
#define KCUCKOO_CLI_RANGE_H

#include "cli.h"

/*
 * Maximum number of prefixes for a range: all of IPv6 without its first and
 * last address takes two of each length from 2 to 128.
 */
#define RANGE_PREFIXES_MAX	254

/*
 * Write the fewest prefixes that cover the addresses from @first to @last
 * exactly, in ascending order. Both are full addresses of one family and in
 * order. Return: how many.
 */
int range_split(const struct kcuckoo_prefix *first,
		const struct kcuckoo_prefix *last,
		struct kcuckoo_prefix prefixes[RANGE_PREFIXES_MAX]);

#endif /* KCUCKOO_CLI_RANGE_H */
