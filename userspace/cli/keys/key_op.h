/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions check that a filter supports an operation on keys and its
 * options.
 */
#ifndef KCUCKOO_CLI_KEY_OP_H
#define KCUCKOO_CLI_KEY_OP_H

#include "keys/collection.h"

enum key_op {
	KEY_OP_ADD,
	KEY_OP_DEL,
	KEY_OP_UPDATE,
	KEY_OP_TEST,
};

/*
 * Read the parameters of the filter that the first operand names to @info.
 * Check that the filter supports the operation and the options: the error
 * message then says why not, which an errno cannot. @what: completes the
 * message "cannot ... NAME". Return: 0, or -1 after an error message.
 */
int key_op_check(struct cli *cli, const struct args *args,
		 enum key_op op, const char *what,
		 struct kcuckoo_ioc_info *info);

/* Return: the syntax of keys for an operation on the filter of @info. */
struct syntax key_op_syntax(const struct args *args, enum key_op op,
			    const struct kcuckoo_ioc_info *info);

/* Begin a collection of keys for an operation on the filter of @info. */
void key_op_begin(struct collection *collection, const struct args *args,
		  enum key_op op, const struct kcuckoo_ioc_info *info);

/*
 * Return: the largest value that keys of the filter can have, or 0 for a filter
 * without values.
 */
__u32 max_value(const struct kcuckoo_ioc_info *info);

#endif /* KCUCKOO_CLI_KEY_OP_H */
