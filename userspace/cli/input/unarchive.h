/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: libarchive, in a process of its own
 */
#ifndef KCUCKOO_CLI_UNARCHIVE_H
#define KCUCKOO_CLI_UNARCHIVE_H

#include <sys/types.h>

#include "cli.h"
#include "input/format.h"

/* What the child sends: a frame, then as many bytes as its length says. */
enum archive_frame_kind {
	ARCHIVE_MEMBER,	/* a file begins; its name, none where there is but one */
	ARCHIVE_DATA,	/* bytes of that file */
	ARCHIVE_DONE,	/* all was read, and nothing is wrong with it */
	ARCHIVE_ERROR,	/* a message; nothing follows */
};

struct archive_frame {
	__u32 kind;
	__u32 length;
};

/* Largest length of a frame. */
#define ARCHIVE_FRAME	(64u << 10)

/* Most bytes that an archive may become: a small file can be made to become any number. */
#ifndef ARCHIVE_UNPACKED
#define ARCHIVE_UNPACKED	(4ULL << 30)
#endif

/* Most bytes of address space that libarchive may take. */
#define ARCHIVE_MEMORY		(160ULL << 20)

/**
 * struct archive_job - what the child has to read
 * @format: of the outer layer: FORMAT_XZ, FORMAT_BZIP2, FORMAT_LZ4, FORMAT_TAR or
 *	FORMAT_ZIP
 * @glob: read only files whose path fits, or NULL
 * @socket: takes the packed bytes and sends frames
 * @file: a zip archive, which is read from its end, or -1
 * @start: where in @file it begins
 */
struct archive_job {
	enum format format;
	const char *glob;
	int socket;
	int file;
	off_t start;
};

/* The child's whole life. */
void unarchive(const struct archive_job *job) __attribute__((noreturn));

#endif /* KCUCKOO_CLI_UNARCHIVE_H */
