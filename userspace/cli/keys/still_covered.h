/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions find deleted keys that other members still cover, for the
 * verb del.
 */
#ifndef KCUCKOO_CLI_STILL_COVERED_H
#define KCUCKOO_CLI_STILL_COVERED_H

#include "json.h"
#include "keys/batch.h"

/* Maximum number of keys in warnings, and in JSON. */
#define STILL_COVERED_NAMED	16
#define STILL_COVERED_LISTED	1000

/**
 * struct still_covered - deleted keys that members cover
 * @count: number of keys
 * @listed: number of keys in @list
 * @list: pairs of a key and a member that covers it, at most
 *	STILL_COVERED_LISTED
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

/*
 * Print a warning for each of the first keys, and the number of further keys.
 */
void still_covered_warn(const char *name,
			const struct still_covered *still_covered);

/* Return: a JSON array of keys and members. */
json_t *json_of_still_covered(const struct still_covered *still_covered);

#endif /* KCUCKOO_CLI_STILL_COVERED_H */
