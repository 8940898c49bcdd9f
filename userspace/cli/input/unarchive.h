/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unarchive() reads an archive with libarchive. extract.c runs the function in a child
 * process, because the archive is untrusted input.
 */
#ifndef KCUCKOO_CLI_UNARCHIVE_H
#define KCUCKOO_CLI_UNARCHIVE_H

#include <sys/types.h>

#include "cli.h"
#include "input/format.h"

/*
 * Maximum size of the unpacked data of an archive, in bytes. The limit is
 * needed because even a small archive can unpack to any size.
 */
#ifndef ARCHIVE_UNPACKED
#define ARCHIVE_UNPACKED	(4ULL << 30)
#endif

/* Maximum address space, in bytes, that libarchive can add to the child process. */
#define ARCHIVE_MEMORY		(160ULL << 20)

/**
 * struct archive_job - the archive that the child reads
 * @format: FORMAT_XZ, FORMAT_BZIP2 or FORMAT_LZ4 for a packed file, which can be a packed
 *	tar archive; otherwise FORMAT_TAR or FORMAT_ZIP
 * @glob: read only files whose path matches this pattern; or NULL for all files
 * @file: descriptor of a zip archive, whose directory is at its end; or -1 for
 *	another format
 * @start: offset of the archive in @file, in bytes
 */
struct archive_job {
	enum format format;
	const char *glob;
	int file;
	off_t start;
};

/*
 * Read the archive that @job, a struct archive_job, describes. Send its files as frames
 * (sandbox.h) to @socket, and exit. If @file of the job is -1, the function also reads the
 * archive from @socket.
 */
void unarchive(const void *job, int socket) __attribute__((noreturn));

#endif /* KCUCKOO_CLI_UNARCHIVE_H */
