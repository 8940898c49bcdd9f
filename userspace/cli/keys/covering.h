/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: members that still cover keys which were deleted
 */
#ifndef KCUCKOO_CLI_COVERING_H
#define KCUCKOO_CLI_COVERING_H

#include "json.h"
#include "keys/batch.h"

/* Keys that are named to a person, and in JSON. */
#define COVERING_NAMED	16
#define COVERING_LISTED	1000

/**
 * struct covering - keys that are covered
 * @count: how many
 * @listed: of these, those in @list
 * @list: the first COVERING_LISTED: keys and members that cover them, by turns
 */
struct covering {
	__u64 count;
	size_t listed;
	struct kcuckoo_prefix (*list)[2];
};

/* End a zeroed structure. */
void covering_free(struct covering *covering);

/*
 * Look the keys of @batch up, and note those that a shorter member covers. @batch: it
 * has room for lengths; results are overwritten. Where the filter cannot be looked
 * into any more, there are none. Return: 0, or -1 after an error message.
 */
int covering_look(struct cli *cli, const char *name, struct batch *batch,
		  struct covering *covering);

/* Warn of these keys, if there are any. */
void covering_warn(const char *name, const struct covering *covering);

/* An array of keys and members. */
json_t *json_of_covering(const struct covering *covering);

#endif /* KCUCKOO_CLI_COVERING_H */
