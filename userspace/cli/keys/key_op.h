/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: what a verb asks of a filter with keys, and whether it can have it
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
 * Read what the filter @name is, and see whether it can do what the options ask
 * for, so that a refusal says why. @what completes "cannot ...". Return: 0, or
 * -1 after an error message.
 */
int key_op_check(struct cli *cli, const struct args *args,
		 enum key_op op, const char *what,
		 struct kcuckoo_ioc_info *info);

/* How keys are written for this filter and request. */
struct syntax key_op_syntax(const struct args *args, enum key_op op,
			    const struct kcuckoo_ioc_info *info);

/* Begin a collection of such keys. */
void key_op_begin(struct collection *collection, const struct args *args,
		  enum key_op op, const struct kcuckoo_ioc_info *info);

/* Largest value that the filter's keys can have; 0 where they have none. */
__u32 max_value(const struct kcuckoo_ioc_info *info);

#endif /* KCUCKOO_CLI_KEY_OP_H */
