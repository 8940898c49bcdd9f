/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: room made ahead for keys, so that tables need not grow
 */
#ifndef KCUCKOO_CLI_LENGTH_COUNTS_H
#define KCUCKOO_CLI_LENGTH_COUNTS_H

#include "cli.h"

#define LENGTHS		129

/**
 * struct length_counts - how many keys are to come
 * @lengths: by family (- 1) and prefix length
 */
struct length_counts {
	__u64 lengths[2][LENGTHS];
};

void length_counts_add(struct length_counts *counts,
		       const struct kcuckoo_prefix *key);

/*
 * Ask the kernel to make it. Without it the filter grows while keys are added,
 * so a refusal is no error here.
 */
void length_counts_reserve(const struct length_counts *counts, struct cli *cli,
			   const char *name);

/*
 * Give back what turned out to be too much, as of keys that were there twice.
 * @added: how many members have just been added
 * @info: the filter as it is; and then, as it is afterwards.
 */
void trim_tables(struct cli *cli, const char *name, __u64 added,
		 struct kcuckoo_ioc_info *info);

#endif /* KCUCKOO_CLI_LENGTH_COUNTS_H */
