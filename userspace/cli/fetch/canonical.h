/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions write and read lists in their canonical form. The last good copy and the
 * refused copy of a list are files of this form.
 *
 * The first line of a canonical file is a comment of these words:
 *
 *	# kcuckoo-list 1 NAME members N bytes N sha256 HEX [refused REASON]
 *
 * The other lines are the members, one per line, sorted and without repeats. "bytes" is
 * the size of these lines, and "sha256" is their digest. If the members do not have the
 * number, size and digest of the first line, canonical_open() rejects the whole file.
 * Only a refused copy has a REASON: the reason why a check refused the copy. 'kcuckoo
 * load' can also read the file.
 */
#ifndef KCUCKOO_CLI_CANONICAL_H
#define KCUCKOO_CLI_CANONICAL_H

#include <time.h>

#include "fetch/digest.h"
#include "keys/keyset.h"

/* Size of a buffer for the reason why a check refuses a list, in bytes. */
#define CANONICAL_REASON	256

/* Maximum size in bytes of a file that canonical_open() accepts. */
#define CANONICAL_BYTES_MAX	(1024ULL << 20)

/**
 * struct canonical - the first line of a canonical file
 * @name: name of the list
 * @members: number of members
 * @bytes: size in bytes of the lines with members
 * @digest: SHA-256 of these lines, in hexadecimal
 * @reason: why a check refused the list, or empty
 */
struct canonical {
	char name[KCUCKOO_NAME_SIZE];
	__u64 members;
	__u64 bytes;
	char digest[DIGEST_TEXT];
	char reason[CANONICAL_REASON];
};

/**
 * canonical_describe() - describe a set of members for the first line of a file
 * @canonical: out: the description
 * @name: name of the list
 * @set: the members, sorted and without repeats
 * @reason: why a check refused the list, or NULL
 */
void canonical_describe(struct canonical *canonical, const char *name,
			const struct keyset *set, const char *reason);

/**
 * canonical_write() - write a canonical file
 * @folder: descriptor of the folder of the file
 * @file: name of the file
 * @canonical: the description of @set, from canonical_describe()
 * @set: the members
 *
 * After a crash or a power cut, the file has its old or its new content.
 *
 * Context: the caller makes sure that no other process writes the file at the same time.
 *
 * Return: 0 or a negative errno.
 */
int canonical_write(int folder, const char *file, const struct canonical *canonical,
		    const struct keyset *set);

/* Size of a buffer for the reason why a file cannot be used, in bytes. */
#define CANONICAL_WHY		128

/**
 * canonical_open() - open a canonical file, and check its whole content
 * @folder: descriptor of the folder of the file
 * @file: name of the file
 * @name: name of the list; the first line must have the same name
 * @canonical: out: the first line
 * @confirmed: out, can be NULL: last time at which the list was known to be up to date.
 *	This is the modification time of the file, which a successful fetch sets to the
 *	present even if the list has not changed
 * @why: out, after an error: the reason as a part of a sentence, such as "is damaged"
 *
 * Return: a descriptor whose position is at the first member; -ENOENT if the file does
 * not exist; or another negative errno if the file cannot be opened. -EBADMSG has one of
 * these reasons: the file cannot be read, is not a regular file, is damaged, is larger than
 * CANONICAL_BYTES_MAX, or is of another list; the owner of the file is not root, FILES_USER
 * or the user of this process; or a user other than the owner is allowed to write to the
 * file.
 */
int canonical_open(int folder, const char *file, const char *name,
		   struct canonical *canonical, time_t *confirmed,
		   char why[CANONICAL_WHY]);

/**
 * canonical_read() - add the members of a canonical file to a set
 * @fd: descriptor from canonical_open(), which this function closes
 * @set: the set
 *
 * Return: 0; -EBADMSG for a line that is not an address or prefix; or another negative
 * errno.
 */
int canonical_read(int fd, struct keyset *set);

#endif /* KCUCKOO_CLI_CANONICAL_H */
