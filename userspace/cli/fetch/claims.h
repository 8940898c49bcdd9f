/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * claims_read() finds what a list says about itself, before its keys are read.
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

/* Size of a buffer for the reason why a file is no list. */
#define CLAIMS_WHY		256

/**
 * struct claims - what a list says about itself
 * @entries: number of entries, of the comment "# Entries : N" of FireHOL. The
 *	reader of JSON checks the "records" of Spamhaus
 * @given: the list has such a number
 * @empty: the list has no byte
 */
struct claims {
	__u64 entries;
	bool given;
	bool empty;
};

/*
 * Unpack the file @path and read what it says. Return: 0; or -1 with the reason
 * in @why as a part of a sentence, if it cannot be read, is a web page, or is
 * too large.
 */
int claims_read(const char *path, const struct syntax *syntax,
		struct claims *claims, char why[CLAIMS_WHY]);

#endif /* KCUCKOO_CLI_CLAIMS_H */
