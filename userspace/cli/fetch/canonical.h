/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions write and read lists in their canonical form. The verb fetch
 * writes the last good copy of a list in this form, and the verb apply reads it.
 *
 * The first line of a canonical file is a comment of these words:
 *
 *	# kcuckoo-list 1 NAME members N bytes N sha256 HEX [refused REASON]
 *
 * The other lines are the members, sorted, one per line and without repeats.
 * "bytes" is their size and "sha256" their digest. A reader that finds any
 * difference rejects the whole file. 'kcuckoo load' reads the file as well.
 */
#ifndef KCUCKOO_CLI_CANONICAL_H
#define KCUCKOO_CLI_CANONICAL_H

#include <time.h>

#include "fetch/digest.h"
#include "keys/keyset.h"

/* Size of a buffer for the reason why a list was refused. */
#define CANONICAL_REASON	256

/* Maximum size of a canonical file in bytes. */
#define CANONICAL_BYTES_MAX	(1024ULL << 20)

/**
 * struct canonical - the first line of a canonical file
 * @name: name of the list
 * @members: number of members
 * @bytes: size of the lines with members
 * @digest: SHA-256 of these lines, in hexadecimal
 * @reason: why the list was refused, or empty
 */
struct canonical {
	char name[KCUCKOO_NAME_SIZE];
	__u64 members;
	__u64 bytes;
	char digest[DIGEST_TEXT];
	char reason[CANONICAL_REASON];
};

/*
 * Set @canonical to the first line for the list @name. @set: the members, which
 * must be sorted and without repeats. @reason: why the list was refused, or NULL.
 */
void canonical_describe(struct canonical *canonical, const char *name,
			const struct keyset *set, const char *reason);

/*
 * Write @set, which @canonical describes, to the file @file in the folder
 * @folder. After a crash or a power cut the file has its old or its new
 * content. The caller holds the lock of the folder. Return: 0 or a negative
 * errno.
 */
int canonical_write(int folder, const char *file, const struct canonical *canonical,
		    const struct keyset *set);

/* Size of a buffer for the reason why a file cannot be used. */
#define CANONICAL_WHY		128

/*
 * Open the canonical file @file of the list @name in the folder @folder, and
 * compare the whole file with its first line. The position of the descriptor is
 * the first member. @confirmed: out: the last time at which the list was found
 * to be up to date; may be NULL. Return: the descriptor; or a negative errno,
 * with the reason as a part of a sentence in @why: -ENOENT if there is no such
 * file, -EBADMSG if the file is damaged or cannot be trusted.
 */
int canonical_open(int folder, const char *file, const char *name,
		   struct canonical *canonical, time_t *confirmed,
		   char why[CANONICAL_WHY]);

/*
 * Add all members of the descriptor that canonical_open() returned to @set, and
 * close the descriptor. Return: 0; -EBADMSG for a line that is no canonical
 * member; or another negative errno.
 */
int canonical_read(int fd, struct keyset *set);

#endif /* KCUCKOO_CLI_CANONICAL_H */
