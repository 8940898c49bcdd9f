/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: reserve tables for keys before they are added, so that tables need
 * not grow
 */
#ifndef KCUCKOO_CLI_LENGTH_COUNTS_H
#define KCUCKOO_CLI_LENGTH_COUNTS_H

#include "cli.h"

#define LENGTHS		129

/**
 * struct length_counts - number of keys that will be added
 * @lengths: numbers by family (- 1) and prefix length
 */
struct length_counts {
	__u64 lengths[2][LENGTHS];
};

void length_counts_add(struct length_counts *counts,
		       const struct kcuckoo_prefix *key);

/*
 * Reserve tables for the counted keys. A failure is not an error: the filter
 * grows while keys are added.
 */
void length_counts_reserve(const struct length_counts *counts, struct cli *cli,
			   const char *name);

/*
 * Compact the filter if tables are too large, for example after duplicate keys.
 * @added: number of members that have just been added
 * @info: the state of the filter; updated
 */
void trim_tables(struct cli *cli, const char *name, __u64 added,
		 struct kcuckoo_ioc_info *info);

#endif /* KCUCKOO_CLI_LENGTH_COUNTS_H */
