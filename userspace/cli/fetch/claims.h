/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * claims_read() finds the number of entries that a list claims to have, before
 * parts.c reads the keys of the list.
 */
#ifndef KCUCKOO_CLI_CLAIMS_H
#define KCUCKOO_CLI_CLAIMS_H

#include "input/line.h"

/*
 * Maximum size of a list after it was unpacked. A small file can unpack to any
 * size. Tests set a smaller limit.
 */
#ifndef CLAIMS_UNPACKED_MAX
#define CLAIMS_UNPACKED_MAX	(2ULL << 30)
#endif

/* Size of a buffer for the reason why a file is not a list. */
#define CLAIMS_WHY		256

/**
 * struct claims - what a list says about itself
 * @entries: number of entries in the comment "# Entries : N" of FireHOL. The
 *	number "records" in JSON of Spamhaus is checked by the parser of JSON
 * @given: the list has the number @entries
 * @empty: the list has no byte
 */
struct claims {
	__u64 entries;
	bool given;
	bool empty;
};

/*
 * Unpack the file @path, and set @claims. Return: 0; or -1 if the file cannot
 * be read, is a web page, or is too large, with the reason as a part of a
 * sentence in @why.
 */
int claims_read(const char *path, const struct syntax *syntax,
		struct claims *claims, char why[CLAIMS_WHY]);

#endif /* KCUCKOO_CLI_CLAIMS_H */
