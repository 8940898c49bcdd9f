/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unarchive() reads an archive with libarchive, in a child process of its own
 * that extract.c starts.
 */
#ifndef KCUCKOO_CLI_UNARCHIVE_H
#define KCUCKOO_CLI_UNARCHIVE_H

#include <sys/types.h>

#include "cli.h"
#include "input/format.h"

/*
 * Kinds of frames that the child sends. A frame is a struct archive_frame and
 * then @length bytes of content.
 */
enum archive_frame_kind {
	ARCHIVE_MEMBER,	/* a file begins; its name, or none for a single packed file */
	ARCHIVE_DATA,	/* bytes of that file */
	ARCHIVE_DONE,	/* the whole archive was read, and is sound */
	ARCHIVE_ERROR,	/* a message; nothing follows */
};

struct archive_frame {
	__u32 kind;
	__u32 length;
};

/* Maximum length of the content of a frame, in bytes. */
#define ARCHIVE_FRAME	(64u << 10)

/*
 * Maximum size of the unpacked data of an archive, in bytes. A small archive
 * can unpack to any size.
 */
#ifndef ARCHIVE_UNPACKED
#define ARCHIVE_UNPACKED	(4ULL << 30)
#endif

/* Maximum address space of libarchive, in bytes. */
#define ARCHIVE_MEMORY		(160ULL << 20)

/**
 * struct archive_job - the archive that the child reads
 * @format: format of the outer layer: FORMAT_XZ, FORMAT_BZIP2, FORMAT_LZ4,
 *	FORMAT_TAR or FORMAT_ZIP
 * @glob: read only files whose path matches this pattern; or NULL for all files
 * @socket: socket from which packed bytes are read, and to which frames are
 *	sent
 * @file: descriptor of a zip archive, whose directory is at its end; or -1 for
 *	another format
 * @start: position of the archive in @file
 */
struct archive_job {
	enum format format;
	const char *glob;
	int socket;
	int file;
	off_t start;
};

/* Read the archive, send its files as frames, and exit. */
void unarchive(const struct archive_job *job) __attribute__((noreturn));

#endif /* KCUCKOO_CLI_UNARCHIVE_H */
