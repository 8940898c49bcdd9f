/* SPDX-License-Identifier: GPL-2.0-only */
/* range_split() splits a range of addresses into prefixes, because filters have no ranges. */
#ifndef KCUCKOO_CLI_RANGE_H
#define KCUCKOO_CLI_RANGE_H

#include "cli.h"

/*
 * Maximum number of prefixes for a range. The range of all IPv6 addresses except the first and
 * the last needs two prefixes of each length from 2 to 128.
 */
#define RANGE_PREFIXES_MAX	254

/*
 * Write to @prefixes the smallest number of prefixes that cover exactly the addresses from
 * @first to @last, in ascending order. @first and @last are addresses of one family, and @last
 * is not before @first. Return: the number of prefixes.
 */
int range_split(const struct kcuckoo_prefix *first,
		const struct kcuckoo_prefix *last,
		struct kcuckoo_prefix prefixes[RANGE_PREFIXES_MAX]);

#endif /* KCUCKOO_CLI_RANGE_H */
