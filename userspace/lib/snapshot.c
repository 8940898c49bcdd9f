// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * These functions write and read snapshot files, for save.c.
 *
 * An attacker can have written a file. So these functions check the header before they use
 * it. They pass the last chunk of the image to the kernel only after they have checked the
 * whole file: without this chunk the kernel creates no filter. The content of the file does
 * not determine how much memory the library allocates.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "snapshot.h"

/* The newlines and the byte 0x89 change if a program converts the file as if it were text. */
static const __u8 magic[8] = { 0x89, 'k', 'c', 'k', '\r', '\n', 0x1a, '\n' };

/*
 * Maximum window size of zstd frames, as a power of two: 8 MiB, which the specification of
 * zstd recommends that all decoders support.
 */
#define WINDOW_LOG	23

struct header {
	__u8 magic[8];
	__u32 version;
	__u32 reserved;
	__u64 bytes;
	__u8 name[KCUCKOO_NAME_SIZE];
	__u32 reserved2;
	__u32 crc;
};

static_assert(sizeof(struct header) == 64, "a header has 64 bytes");

static __u32 crc_of(__u32 crc, const void *bytes, size_t length)
{
	return crc32_z(crc, bytes, length);
}

/**
 * struct writer - state of writing a file
 * @fd: descriptor of the file
 * @crc: CRC-32 of all bytes that were written so far
 * @why: text of the error, if a write failed; or NULL
 */
struct writer {
	int fd;
	__u32 crc;
	const char *why;
};

static int writer_put(struct writer *writer, const void *bytes, size_t length)
{
	const char *at = bytes;
	ssize_t done;

	writer->crc = crc_of(writer->crc, bytes, length);
	while (length) {
		done = write(writer->fd, at, length);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0) {
			writer->why = strerrordesc_np(errno);
			return -errno;
		}
		at += done;
		length -= done;
	}
	return 0;
}

static int write_header(struct writer *writer, const struct snapshot *snapshot)
{
	struct header header = {
		.version = htole32(SNAPSHOT_VERSION),
		.bytes = htole64(snapshot->bytes),
	};

	memcpy(header.magic, magic, sizeof(magic));
	memcpy(header.name, snapshot->name,
	       strnlen(snapshot->name, sizeof(header.name) - 1));
	header.crc = htole32(crc_of(0, &header, offsetof(struct header, crc)));
	return writer_put(writer, &header, sizeof(header));
}

static int write_chunk(struct writer *writer, ZSTD_CCtx *packer, void *packed,
		       const void *chunk, size_t length, ZSTD_EndDirective end)
{
	ZSTD_inBuffer in = { chunk, length, 0 };
	size_t rest;
	int ret;

	do {
		ZSTD_outBuffer out = { packed, ZSTD_CStreamOutSize(), 0 };

		rest = ZSTD_compressStream2(packer, &out, &in, end);
		if (ZSTD_isError(rest))
			return -ENOMEM;
		ret = writer_put(writer, packed, out.pos);
		if (ret)
			return ret;
	} while (in.pos < in.size || (end == ZSTD_e_end && rest));
	return 0;
}

static int write_all(struct writer *writer, const struct snapshot *snapshot,
		     ZSTD_CCtx *packer, void *packed, void *chunk,
		     snapshot_fill fill, void *context)
{
	__u64 rest = 0;
	__u32 crc;
	int ret;

	do {
		long length = fill(context, chunk, SNAPSHOT_CHUNK);

		if (length < 0)
			return length;
		if (!rest) {
			/* The size is known after the first chunk. */
			rest = snapshot->bytes;
			ret = write_header(writer, snapshot);
			if (ret)
				return ret;
		}
		if (!length || (__u64)length > rest)
			return -EIO;
		rest -= length;
		ret = write_chunk(writer, packer, packed, chunk, length,
				  rest ? ZSTD_e_continue : ZSTD_e_end);
		if (ret)
			return ret;
	} while (rest);
	crc = htole32(writer->crc);
	return writer_put(writer, &crc, sizeof(crc));
}

int kcuckoo_snapshot_write(int fd, const struct snapshot *snapshot, snapshot_fill fill,
			   void *context, const char **why)
{
	struct writer writer = { .fd = fd };
	ZSTD_CCtx *packer = ZSTD_createCCtx();
	void *chunk = malloc(SNAPSHOT_CHUNK);
	void *packed = malloc(ZSTD_CStreamOutSize());
	int ret = -ENOMEM;

	if (packer && chunk && packed &&
	    !ZSTD_isError(ZSTD_CCtx_setParameter(packer, ZSTD_c_checksumFlag, 1)))
		ret = write_all(&writer, snapshot, packer, packed, chunk, fill,
				context);
	*why = writer.why;
	free(packed);
	free(chunk);
	ZSTD_freeCCtx(packer);
	return ret;
}

static int damaged(struct snapshot_reader *reader, const char *why)
{
	reader->why = why;
	return -EBADMSG;
}

static const char truncated[] = "it is cut short: it ends too early";
static const char changed[] = "it is damaged: its checksum is wrong";

/*
 * Texts of errors about the version. No file has version 2, 3 or 4: before
 * version 5, the number in the header was always 1, even after the format of
 * the image had changed.
 */
#define TEXT_OF(number)	#number
#define TEXT(macro)	TEXT_OF(macro)
#define WHAT_IS_READ	"this version of kcuckoo reads version " TEXT(SNAPSHOT_VERSION)

static const char version_1[] =
	"its snapshot format version is 1, and " WHAT_IS_READ ": load the list again";
static const char version_unknown[] =
	"its snapshot format version is unknown, and " WHAT_IS_READ ": load the list again";

/* Return: the number of bytes, which is less than @length at the end of the file; or -errno. */
static ssize_t reader_get(struct snapshot_reader *reader, void *to,
			  size_t length)
{
	size_t at = 0;
	ssize_t done;

	while (at < length) {
		done = read(reader->fd, (char *)to + at, length - at);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0) {
			reader->why = strerrordesc_np(errno);
			return -errno;
		}
		if (!done)
			break;
		at += done;
	}
	return at;
}

static int check_header(struct snapshot_reader *reader,
			const struct header *header)
{
	struct snapshot *snapshot = &reader->snapshot;

	snapshot->bytes = le64toh(header->bytes);
	memcpy(snapshot->name, header->name, sizeof(snapshot->name));
	if (header->reserved || header->reserved2 || !snapshot->bytes ||
	    !memchr(header->name, 0, sizeof(header->name)))
		return damaged(reader, "its header is malformed");
	return 0;
}

int kcuckoo_snapshot_read_header(struct snapshot_reader *reader, int fd)
{
	struct header header;
	ssize_t length;

	memset(reader, 0, sizeof(*reader));
	reader->fd = fd;
	length = reader_get(reader, &header, sizeof(header));
	if (length < 0)
		return length;
	if (memcmp(header.magic, magic, length < (ssize_t)sizeof(magic) ?
					(size_t)length : sizeof(magic)))
		return damaged(reader, "it is not a snapshot of a filter");
	if (length < (ssize_t)sizeof(header))
		return damaged(reader, truncated);
	if (le32toh(header.version) != SNAPSHOT_VERSION)
		return damaged(reader, le32toh(header.version) == 1 ?
				       version_1 : version_unknown);
	if (crc_of(0, &header, offsetof(struct header, crc)) !=
	    le32toh(header.crc))
		return damaged(reader, changed);
	reader->crc = crc_of(0, &header, sizeof(header));
	return check_header(reader, &header);
}

/**
 * struct unpacking - state of unpacking the image of a file
 * @reader: the file
 * @zstd: state of zstd
 * @in: the bytes in @packed that are not unpacked yet
 * @packed: buffer for packed bytes
 * @chunk: a chunk of the image
 * @rest: number of bytes of the image that follow @chunk
 * @ended: zstd has reached the end of the frame
 */
struct unpacking {
	struct snapshot_reader *reader;
	ZSTD_DCtx *zstd;
	ZSTD_inBuffer in;
	void *packed;
	ZSTD_outBuffer chunk;
	__u64 rest;
	bool ended;
};

/* Return: 0; -EBADMSG at the end of the file; or -errno. */
static int refill(struct unpacking *u)
{
	ssize_t length = reader_get(u->reader, u->packed, ZSTD_DStreamInSize());

	if (length < 0)
		return length;
	u->in = (ZSTD_inBuffer){ u->packed, length, 0 };
	return length ? 0 : damaged(u->reader, truncated);
}

static int unpack_step(struct unpacking *u)
{
	size_t before, had, ret;
	int error;

	if (u->in.pos == u->in.size) {
		error = refill(u);
		if (error)
			return error;
	}
	before = u->in.pos;
	had = u->chunk.pos;
	ret = ZSTD_decompressStream(u->zstd, &u->chunk, &u->in);
	if (ZSTD_isError(ret))
		return damaged(u->reader, "it is damaged: zstd cannot unpack it");
	u->reader->crc = crc_of(u->reader->crc,
				(const char *)u->in.src + before,
				u->in.pos - before);
	u->ended = !ret;
	if (!u->ended && u->in.pos == before && u->chunk.pos == had)
		return damaged(u->reader,
			       "it is damaged: it is longer than its header says");
	return 0;
}

static int unpack_chunk(struct unpacking *u)
{
	int ret = 0;

	u->chunk.pos = 0;
	u->chunk.size = u->rest < SNAPSHOT_CHUNK ? u->rest : SNAPSHOT_CHUNK;
	while (!ret && !u->ended && u->chunk.pos < u->chunk.size)
		ret = unpack_step(u);
	if (!ret && u->chunk.pos < u->chunk.size)
		ret = damaged(u->reader,
			      "it is damaged: it is shorter than its header says");
	u->rest -= u->chunk.size;
	return ret;
}

/* Check that the last CRC of the file follows the frame, and that nothing follows the CRC. */
static int check_end(struct unpacking *u)
{
	size_t buffered = u->in.size - u->in.pos;
	__u32 crc;
	__u8 trailer[sizeof(crc) + 1];
	ssize_t length = 0;

	if (buffered > sizeof(trailer))
		buffered = sizeof(trailer);
	memcpy(trailer, (const char *)u->in.src + u->in.pos, buffered);
	if (buffered < sizeof(trailer))
		length = reader_get(u->reader, trailer + buffered,
				    sizeof(trailer) - buffered);
	if (length < 0)
		return length;
	length += buffered;
	if (length < (ssize_t)sizeof(crc))
		return damaged(u->reader, truncated);
	if (length > (ssize_t)sizeof(crc))
		return damaged(u->reader, "data follows its end");
	memcpy(&crc, trailer, sizeof(crc));
	if (le32toh(crc) != u->reader->crc)
		return damaged(u->reader, changed);
	return 0;
}

/* See kcuckoo_snapshot_read_image(). */
static int unpack_image(struct unpacking *u, snapshot_take take, void *context)
{
	int ret = unpack_chunk(u), refused = 0;

	while (!ret && u->rest) {
		if (!refused)
			refused = take(context, u->chunk.dst, u->chunk.size);
		if (refused && refused != -EBADMSG)
			return refused;
		ret = unpack_chunk(u);
	}
	/* All bytes of the image are unpacked: only the end of the frame may follow. */
	while (!ret && !u->ended)
		ret = unpack_step(u);
	if (!ret)
		ret = check_end(u);
	if (!ret)
		ret = refused;
	return ret ? ret : take(context, u->chunk.dst, u->chunk.size);
}

int kcuckoo_snapshot_read_image(struct snapshot_reader *reader, snapshot_take take,
				void *context)
{
	struct unpacking u = {
		.reader = reader,
		.zstd = ZSTD_createDCtx(),
		.packed = malloc(ZSTD_DStreamInSize()),
		.chunk.dst = malloc(SNAPSHOT_CHUNK),
		.rest = reader->snapshot.bytes,
	};
	int ret = -ENOMEM;

	if (u.zstd && u.packed && u.chunk.dst &&
	    !ZSTD_isError(ZSTD_DCtx_setParameter(u.zstd, ZSTD_d_windowLogMax,
						 WINDOW_LOG)))
		ret = unpack_image(&u, take, context);
	free(u.chunk.dst);
	free(u.packed);
	ZSTD_freeDCtx(u.zstd);
	return ret;
}
