/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: find deleted keys that other members still cover
 */
#ifndef KCUCKOO_CLI_STILL_COVERED_H
#define KCUCKOO_CLI_STILL_COVERED_H

#include "json.h"
#include "keys/batch.h"

/* How many keys are named in warnings, and in JSON. */
#define STILL_COVERED_NAMED	16
#define STILL_COVERED_LISTED	1000

/**
 * struct still_covered - deleted keys that members cover
 * @count: number of keys
 * @listed: number of keys in @list
 * @list: the first STILL_COVERED_LISTED pairs of a key and a member that covers
 *	it
 */
struct still_covered {
	__u64 count;
	size_t listed;
	struct kcuckoo_prefix (*list)[2];
};

/* Free the list. The structure may be all zero. */
void still_covered_free(struct still_covered *still_covered);

/*
 * Look up the keys of @batch, and record those that a shorter member covers.
 * @batch must have @plens; its results are overwritten. If the look-up fails,
 * no key is recorded. Return: 0, or -1 after an error message.
 */
int still_covered_find(struct cli *cli, const char *name, struct batch *batch,
		       struct still_covered *still_covered);

/* Warn about these keys, if any. */
void still_covered_warn(const char *name,
			const struct still_covered *still_covered);

/* Return: a JSON array of keys and members. */
json_t *json_of_still_covered(const struct still_covered *still_covered);

#endif /* KCUCKOO_CLI_STILL_COVERED_H */
