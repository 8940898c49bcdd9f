/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libkcuckoo: the format of snapshot files
 *
 * A file holds one snapshot and nothing else. Numbers are little-endian.
 *
 *   offset  bytes
 *        0      8  magic number
 *        8      4  version of the format
 *       12      4  zero
 *       16      8  bytes of the image
 *       24     32  name of the filter, zeros up to the end
 *       56      4  zero
 *       60      4  CRC-32 of the bytes before
 *       64         the kernel's image, one frame of zstd with its checksum
 *     then      4  CRC-32 of all bytes before
 *
 * The checksum of zstd is over the content: it does not include every bit of
 * the frame, nor the header. The last CRC does, and detects any single flipped
 * bit. The CRC of the header allows its use before the rest has been read.
 */
#ifndef KCUCKOO_LIB_SNAPSHOT_H
#define KCUCKOO_LIB_SNAPSHOT_H

#include "handle.h"

/* The number that the module writes into images, too. */
#define SNAPSHOT_VERSION	5

/* Bytes of the image that are passed on at once. */
#define SNAPSHOT_CHUNK		(1024 * 1024)

/**
 * struct snapshot - content of a header
 * @name: name of the filter, ended by zero
 * @bytes: size of the image
 */
struct snapshot {
	char name[KCUCKOO_NAME_SIZE];
	__u64 bytes;
};

/*
 * Writes the next bytes of an image, @size at most, to @chunk. Return: how
 * many, at least one, or -errno.
 */
typedef long (*snapshot_fill)(void *context, void *chunk, size_t size);

/*
 * Write a file to @fd. @snapshot->bytes is not read before the first call of
 * @fill, which may set it. Return: 0; the error of @fill; or -errno, with @why
 * set if the file is the cause.
 */
int kcuckoo_snapshot_write(int fd, const struct snapshot *snapshot, snapshot_fill fill,
			   void *context, const char **why);

/**
 * struct snapshot_reader - a file that is read
 * @fd: its descriptor
 * @crc: CRC-32 of the bytes that were read so far
 * @snapshot: its header
 * @why: what is wrong with it, or NULL
 */
struct snapshot_reader {
	int fd;
	__u32 crc;
	struct snapshot snapshot;
	const char *why;
};

/* Read the header. Return: 0, or -errno with @reader->why set. */
int kcuckoo_snapshot_read_header(struct snapshot_reader *reader, int fd);

/* Processes the next bytes of an image. Return: 0 or -errno. */
typedef int (*snapshot_take)(void *context, const void *chunk, size_t length);

/*
 * Read the image. @take gets the last chunk only after the whole file was
 * checked. Return: 0; the error of @take; or -errno, with @reader->why set if
 * the file is the cause.
 */
int kcuckoo_snapshot_read_image(struct snapshot_reader *reader, snapshot_take take,
				void *context);

#endif /* KCUCKOO_LIB_SNAPSHOT_H */
