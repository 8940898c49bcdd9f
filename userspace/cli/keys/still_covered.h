/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions find deleted keys that a shorter prefix in the filter still covers,
 * so that the filter still matches them. The verb del calls the functions after it has
 * deleted keys, and warns about such keys.
 */
#ifndef KCUCKOO_CLI_STILL_COVERED_H
#define KCUCKOO_CLI_STILL_COVERED_H

#include "json.h"
#include "keys/batch.h"

/*
 * STILL_COVERED_NAMED is the maximum number of still covered keys that warnings name.
 * STILL_COVERED_LISTED is the maximum number of these keys in JSON output.
 */
#define STILL_COVERED_NAMED	16
#define STILL_COVERED_LISTED	1000

/**
 * struct still_covered - deleted keys that members still cover
 * @count: number of these keys
 * @listed: number of keys in @list
 * @list: pairs of a key and a member that covers it, at most
 *	STILL_COVERED_LISTED
 */
struct still_covered {
	__u64 count;
	size_t listed;
	struct kcuckoo_prefix (*list)[2];
};

/* Free the list. The structure can be all zero. */
void still_covered_free(struct still_covered *still_covered);

/*
 * Look up the keys of @batch, and record each key that a shorter member covers. The caller must
 * have called batch_want_plens() for @batch. The results in @batch are overwritten. A failed
 * look-up records no key, and is no error. Return: 0, or -1 after an error message if memory is
 * short.
 */
int still_covered_find(struct cli *cli, const char *name, struct batch *batch,
		       struct still_covered *still_covered);

/*
 * Print a warning for each of the first STILL_COVERED_NAMED keys in @list, the number of the
 * other still covered keys, and a hint. Print nothing without such keys.
 */
void still_covered_warn(const char *name,
			const struct still_covered *still_covered);

/* Return: a JSON array with each recorded key and a member that covers the key. */
json_t *json_of_still_covered(const struct still_covered *still_covered);

#endif /* KCUCKOO_CLI_STILL_COVERED_H */
