/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: members that still cover keys which were deleted
 */
#ifndef KCUCKOO_CLI_STILL_COVERED_H
#define KCUCKOO_CLI_STILL_COVERED_H

#include "json.h"
#include "keys/batch.h"

/* Keys that are named to a person, and in JSON. */
#define STILL_COVERED_NAMED	16
#define STILL_COVERED_LISTED	1000

/**
 * struct still_covered - keys that are covered
 * @count: how many
 * @listed: of these, those in @list
 * @list: the first STILL_COVERED_LISTED: keys and members that cover them, by turns
 */
struct still_covered {
	__u64 count;
	size_t listed;
	struct kcuckoo_prefix (*list)[2];
};

/* End a zeroed structure. */
void still_covered_free(struct still_covered *still_covered);

/*
 * Look the keys of @batch up, and note those that a shorter member covers. @batch: it
 * has room for lengths; results are overwritten. Where the filter cannot be looked
 * into any more, there are none. Return: 0, or -1 after an error message.
 */
int still_covered_find(struct cli *cli, const char *name, struct batch *batch,
		       struct still_covered *still_covered);

/* Warn of these keys, if there are any. */
void still_covered_warn(const char *name,
			const struct still_covered *still_covered);

/* An array of keys and members. */
json_t *json_of_still_covered(const struct still_covered *still_covered);

#endif /* KCUCKOO_CLI_STILL_COVERED_H */
