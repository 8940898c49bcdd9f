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
 * @file: descriptor of a zip archive, whose directory is at its end; or -1 for
 *	another format
 * @start: position of the archive in @file
 */
struct archive_job {
	enum format format;
	const char *glob;
	int file;
	off_t start;
};

/*
 * Read the archive of the struct archive_job @job, send its files as frames to
 * @socket, from which packed bytes come, and exit.
 */
void unarchive(const void *job, int socket) __attribute__((noreturn));

#endif /* KCUCKOO_CLI_UNARCHIVE_H */
