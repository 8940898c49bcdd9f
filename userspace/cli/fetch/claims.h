/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * claims_read() finds the number of entries that a list claims to have. It also
 * rejects web pages, and lists that are too large after they were unpacked.
 */
#ifndef KCUCKOO_CLI_CLAIMS_H
#define KCUCKOO_CLI_CLAIMS_H

#include "input/line.h"

/*
 * Maximum size of a list in bytes after it was unpacked, because a small file can
 * unpack to any size. Tests set a smaller limit.
 */
#ifndef CLAIMS_UNPACKED_MAX
#define CLAIMS_UNPACKED_MAX	(2ULL << 30)
#endif

/* Size of a buffer for the reason why a file is not a list, in bytes. */
#define CLAIMS_WHY		256

/**
 * struct claims - the number of entries that a list claims to have
 * @entries: N in the comment "# Entries : N" of a list of FireHOL; the sum if the list
 *	has several such comments. input/selection.c checks the number of entries of
 *	JSON lists of Spamhaus instead
 * @given: @entries is valid. Otherwise the list has no such comment, or the list is an
 *	archive of several files
 * @empty: the unpacked list has no bytes
 */
struct claims {
	__u64 entries;
	bool given;
	bool empty;
};

/**
 * claims_read() - read the number of entries that a list claims to have
 * @path: path of the file, which can be packed
 * @syntax: how the list is unpacked and parsed
 * @claims: out: the number, if the list has one
 * @why: out, after an error: the reason as a part of a sentence
 *
 * Return: 0; or -1 if the file cannot be read, is a web page, or unpacks to more than
 * CLAIMS_UNPACKED_MAX bytes, or if memory is short.
 */
int claims_read(const char *path, const struct syntax *syntax,
		struct claims *claims, char why[CLAIMS_WHY]);

#endif /* KCUCKOO_CLI_CLAIMS_H */
