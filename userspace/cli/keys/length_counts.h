/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions reserve table entries for keys that will be added, so that
 * tables need not grow while keys are added. They also free entries that were
 * not needed.
 */
#ifndef KCUCKOO_CLI_LENGTH_COUNTS_H
#define KCUCKOO_CLI_LENGTH_COUNTS_H

#include "cli.h"

/* Number of prefix lengths of IPv6: 0 to 128. */
#define LENGTHS		129

/**
 * struct length_counts - number of keys that will be added
 * @lengths: number of keys of each family and prefix length; the first index is
 *	KCUCKOO_FAMILY_* - 1
 */
struct length_counts {
	__u64 lengths[2][LENGTHS];
};

void length_counts_add(struct length_counts *counts,
		       const struct kcuckoo_prefix *key);

/*
 * Reserve table entries for the counted keys. A failure is not an error:
 * without the entries, tables grow while keys are added.
 */
void length_counts_reserve(const struct length_counts *counts, struct cli *cli,
			   const char *name);

/*
 * Compact the filter if its tables are too large, for example because entries
 * were reserved for duplicate keys. @added: number of members that have just
 * been added. @info: state of the filter; updated if the filter is compacted.
 */
void trim_tables(struct cli *cli, const char *name, __u64 added,
		 struct kcuckoo_ioc_info *info);

#endif /* KCUCKOO_CLI_LENGTH_COUNTS_H */
