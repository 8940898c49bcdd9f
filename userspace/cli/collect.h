/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: the keys of a request, from the command line and from files
 */
#ifndef KCUCKOO_CLI_COLLECT_H
#define KCUCKOO_CLI_COLLECT_H

#include "args.h"
#include "input.h"
#include "keyset.h"

/* Keys of one call of the library: enough to forget what a call costs. */
#define BATCH	65536

/**
 * struct collection - the keys of a request
 * @keys: all of them, ranges as prefixes
 * @read: keys and ranges as they were written
 * @ranges: of these, ranges
 * @host_bits: of these, keys whose host bits were cleared
 */
struct collection {
	struct keyset keys;
	__u64 read;
	__u64 ranges;
	__u64 host_bits;
};

/*
 * Take all keys of add or del: words behind the name, then files. One that is
 * bad spoils the request. Return: 0, or -1, told. End with keyset_free().
 */
int collect(const struct args *args, struct collection *collection);

/* Put a line's key, or the prefixes of its range, into a set. Return: 0 or -1,
 * told.
 */
int collect_line(struct keyset *keys, const struct line *line);

/*
 * What --strict demands: no key twice, and all of them members (@members), or
 * none. Sorts @keys. Return: 0, or -1, told.
 */
int collect_check(struct cli *cli, const char *name, struct keyset *keys,
		  bool members);

#endif /* KCUCKOO_CLI_COLLECT_H */
