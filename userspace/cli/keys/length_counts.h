/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions reserve table entries before a command adds keys, so that tables need not grow
 * during the adds. After the adds, length_counts_trim() frees entries that were not needed.
 */
#ifndef KCUCKOO_CLI_LENGTH_COUNTS_H
#define KCUCKOO_CLI_LENGTH_COUNTS_H

#include "cli.h"

/* Number of prefix lengths of IPv6: 0 to 128. */
#define PREFIX_LENGTHS		129

/**
 * struct length_counts - numbers of keys that will be added
 * @lengths: number of keys of each family and prefix length. The first index is
 *	KCUCKOO_FAMILY_* - 1, the second is the prefix length
 */
struct length_counts {
	__u64 lengths[2][PREFIX_LENGTHS];
};

/* Count @key. The caller sets @counts to zero before the first key. */
void length_counts_add(struct length_counts *counts,
		       const struct kcuckoo_prefix *key);

/*
 * Reserve table entries of the filter @name for the counted keys, except for prefix lengths with
 * few keys. A failure is no error, because tables also grow while keys are added.
 */
void length_counts_reserve(const struct length_counts *counts, struct cli *cli,
			   const char *name);

/*
 * Compact the filter @name if its tables or its index of prefix lengths are probably too large.
 * Small tables, approximate filters and filters with the hash siphash stay as they are. @added:
 * number of members that have just been added. @info: state of the filter, which the function
 * reads again after compacting. A failure is no error: the filter only wastes memory.
 */
void length_counts_trim(struct cli *cli, const char *name, __u64 added,
			struct kcuckoo_ioc_info *info);

#endif /* KCUCKOO_CLI_LENGTH_COUNTS_H */
