/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions check that a filter supports an operation on keys with the options of the
 * command, and prepare the syntax and the collection of the keys.
 */
#ifndef KCUCKOO_CLI_KEY_OP_H
#define KCUCKOO_CLI_KEY_OP_H

#include "keys/collection.h"

/* Operations on keys. The verbs load and apply add keys. */
enum key_op {
	KEY_OP_ADD,
	KEY_OP_DEL,
	KEY_OP_UPDATE,
	KEY_OP_TEST,
};

/*
 * Read the parameters of the filter that the first operand names, and write them to @info. Check
 * that the filter supports the operation and the options. @what: the operation in the error
 * message "cannot @what NAME". Return: 0, or -1 after an error message.
 */
int key_op_check(struct cli *cli, const struct args *args,
		 enum key_op op, const char *what,
		 struct kcuckoo_ioc_info *info);

/*
 * Check that the filter @name is still the filter of @before, which key_op_check() set. The
 * verbs that change keys in batches call this function after each batch: the kernel finds the
 * filter by its name in each call, so after a swap later batches would go to another filter. The
 * function does not notice two swaps that give the name back to the same filter.
 *
 * @count: number of keys of the verb. If one batch has all of them, another filter with the name
 * is no error: the call changed the filter that had the name at that time. So a daemon that adds
 * a ban gets no error while apply replaces the filter.
 *
 * Set @info to the present state of the filter. Return: 0, -ESTALE if the name has another
 * filter or none, or another negative errno.
 */
int key_op_recheck(struct cli *cli, const char *name, const struct kcuckoo_ioc_info *before,
		   __u64 count, struct kcuckoo_ioc_info *info);

/*
 * Return: the syntax of keys for the operation @op on the filter of @info, with the
 * options in @args.
 */
struct syntax key_op_syntax(const struct args *args, enum key_op op,
			    const struct kcuckoo_ioc_info *info);

/*
 * Initialize a collection of keys for the operation @op on the filter of @info, with the options
 * in @args. The caller calls collection_free().
 */
void key_op_begin(struct collection *collection, const struct args *args,
		  enum key_op op, const struct kcuckoo_ioc_info *info);

/* Return: the largest value that keys of the filter can have; 0 for a filter without values. */
__u32 max_value(const struct kcuckoo_ioc_info *info);

#endif /* KCUCKOO_CLI_KEY_OP_H */
