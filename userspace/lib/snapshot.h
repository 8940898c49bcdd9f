/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header describes the format of snapshot files, and declares the
 * functions of snapshot.c.
 *
 * A file holds one snapshot and nothing else. Numbers are little-endian. The
 * image is the state of the filter, as the kernel returns it for
 * KCUCKOO_IOC_SAVE.
 *
 *   offset  bytes
 *        0      8  magic number
 *        8      4  version of the format
 *       12      4  zero
 *       16      8  size of the image in bytes, unpacked
 *       24     32  name of the filter, zeros up to the end
 *       56      4  zero
 *       60      4  CRC-32 of bytes 0 to 59
 *       64         the image, one frame of zstd with its checksum
 *     then      4  CRC-32 of all bytes from offset 0 to the end of the frame
 *
 * The checksum of zstd covers the content, but not every bit of the frame, and
 * not the header. The last CRC covers all bytes before it, and detects any
 * single flipped bit. The header has its own CRC, so that a program can use the
 * header before it has read the rest of the file.
 */
#ifndef KCUCKOO_LIB_SNAPSHOT_H
#define KCUCKOO_LIB_SNAPSHOT_H

#include "handle.h"

/* Version of the format. The module writes the same number into images. */
#define SNAPSHOT_VERSION	5

/*
 * Maximum number of bytes of the image that one call of a snapshot_fill
 * returns, or that one call of a snapshot_take gets.
 */
#define SNAPSHOT_CHUNK		(1024 * 1024)

/**
 * struct snapshot - content of the header of a file
 * @name: name of the filter, ended by zero
 * @bytes: size of the unpacked image in bytes
 */
struct snapshot {
	char name[KCUCKOO_NAME_SIZE];
	__u64 bytes;
};

/*
 * Function that writes the next bytes of an image, at most @size, to @chunk.
 * Return: the number of bytes, at least one, or -errno.
 */
typedef long (*snapshot_fill)(void *context, void *chunk, size_t size);

/*
 * Write a snapshot file to @fd. If @context refers to @snapshot, the first call
 * of @fill can still set @snapshot->bytes. Return: 0; the error of @fill; or
 * -errno, with @why set if the file is the cause.
 */
int kcuckoo_snapshot_write(int fd, const struct snapshot *snapshot, snapshot_fill fill,
			   void *context, const char **why);

/**
 * struct snapshot_reader - a file that is being read
 * @fd: descriptor of the file
 * @crc: CRC-32 of the header and of all bytes after it that were unpacked so
 *	far
 * @snapshot: header of the file
 * @why: text of the error, if the file is invalid or cannot be read; or NULL
 */
struct snapshot_reader {
	int fd;
	__u32 crc;
	struct snapshot snapshot;
	const char *why;
};

/*
 * Read and check the header of the file @fd. Return: 0, or -errno with
 * @reader->why set.
 */
int kcuckoo_snapshot_read_header(struct snapshot_reader *reader, int fd);

/* Function that processes the next bytes of an image. Return: 0 or -errno. */
typedef int (*snapshot_take)(void *context, const void *chunk, size_t length);

/*
 * Read the image, and call @take for each chunk. @take is called for the last
 * chunk only after the whole file was checked. Return: 0; the error of @take;
 * or -errno, with @reader->why set if the file is the cause. If @take returns
 * -EBADMSG, the function still checks the whole file, and does not set
 * @reader->why if the file is intact.
 */
int kcuckoo_snapshot_read_image(struct snapshot_reader *reader, snapshot_take take,
				void *context);

#endif /* KCUCKOO_LIB_SNAPSHOT_H */
