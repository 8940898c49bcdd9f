// SPDX-License-Identifier: GPL-2.0-only
/*
 * The input is a snapshot file. Whatever it is, the reader ends with an answer
 * that it can name; what it takes is what zlib and zstd alone make of the file.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "snapshot.h"
#include "tap.h"

#include "bytes.h"

#define HEADER	64
#define CRC	4
#define LEAST	(HEADER + CRC)

/* Images that are compared, and those that a kernel here has room for. */
#define IMAGE	(64 << 10)
#define ROOM	(4 << 20)

/* What mutations take for their own. */
#define SCRATCH	16384

static const uint8_t magic[8] = {
	0x89, 'k', 'c', 'k', '\r', '\n', 0x1a, '\n',
};

/* An image as it arrives. */
struct image {
	u8 bytes[IMAGE];
	u64 done;
	u64 size;
};

static struct image image;
static u8 unpacked[IMAGE];

static u64 get_number(const uint8_t *at, int bytes)
{
	u64 number = 0;

	while (bytes--)
		number = number << 8 | at[bytes];
	return number;
}

static void put_number(uint8_t *at, u64 number, int bytes)
{
	int i;

	for (i = 0; i < bytes; i++)
		at[i] = number >> 8 * i;
}

static int take(void *context, const void *part, size_t length)
{
	(void)context;
	tap_require(length && length <= SNAPSHOT_CHUNK, "%zu bytes", length);
	tap_require(image.done + length <= image.size, "%llu and %zu of %llu",
		    image.done, length, image.size);
	if (image.done + length > ROOM)
		return -ENOSPC;
	if (image.done + length <= IMAGE)
		memcpy(image.bytes + image.done, part, length);
	image.done += length;
	return 0;
}

/* What was taken has to be good in the eyes of others. */
static void check_taken(const uint8_t *data, size_t size)
{
	const uint8_t *frame = data + HEADER;
	size_t length = size - LEAST;
	size_t ret;

	tap_require(size > LEAST, "%zu bytes", size);
	tap_require(get_number(data + 60, 4) == crc32(0, data, 60), "header");
	tap_require(get_number(data + size - CRC, 4) ==
		    crc32(0, data, size - CRC), "file");
	tap_require(get_number(data + 8, 4) == SNAPSHOT_VERSION &&
		    !get_number(data + 12, 4) && !get_number(data + 56, 4),
		    "header");
	tap_require(get_number(data + 16, 8) == image.done, "%llu bytes",
		    image.done);
	ret = ZSTD_findFrameCompressedSize(frame, length);
	tap_require(ret == length, "a frame of %zu, not %zu", ret, length);
	if (image.done > IMAGE)
		return;
	/* Streams take some frames that are refused as one piece: empty blocks. */
	ret = ZSTD_decompress(unpacked, IMAGE, frame, length);
	if (ZSTD_isError(ret))
		return;
	tap_require(ret == image.done, "%zu, not %llu", ret, image.done);
	tap_require(!memcmp(unpacked, image.bytes, ret), "other bytes");
}

/* Is it in the eyes of others a file that has to be taken? */
static bool is_good(const uint8_t *data, size_t size)
{
	const uint8_t *frame = data + HEADER;
	u64 told;

	if (size <= LEAST + 6 || memcmp(data, magic, sizeof(magic)) ||
	    get_number(data + 60, 4) != crc32(0, data, 60) ||
	    get_number(data + size - CRC, 4) != crc32(0, data, size - CRC) ||
	    get_number(data + 8, 8) != SNAPSHOT_VERSION ||
	    get_number(data + 56, 4) || !memchr(data + 24, 0, 32) ||
	    ZSTD_findFrameCompressedSize(frame, size - LEAST) != size - LEAST)
		return false;
	/* A single segment, or a window of 128 KB, the longest block, to 4 MB. */
	if (get_number(frame, 4) != ZSTD_MAGICNUMBER ||
	    (!(frame[4] & 0x20) && (frame[5] >> 3 < 7 || frame[5] >> 3 > 12)))
		return false;
	told = ZSTD_decompress(unpacked, IMAGE, frame, size - LEAST);
	return told && told == get_number(data + 16, 8);
}

static void check_reader(const struct snapshot_reader *reader, int ret)
{
	if (!ret)
		tap_require(!reader->why, "taken: %s", reader->why);
	else if (ret == -ENOSPC)
		tap_require(!reader->why, "no room: %s", reader->why);
	else
		tap_require(ret == -EBADMSG && reader->why && *reader->why,
			    "%d", ret);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct snapshot_reader reader;
	int ret;

	if (fd < 0)
		fd = memfd_create("snapshot", MFD_CLOEXEC);
	tap_require(fd >= 0 && !ftruncate(fd, 0) &&
		    pwrite(fd, data, size, 0) == (ssize_t)size &&
		    !lseek(fd, 0, SEEK_SET), "%s", strerror(errno));
	image.done = 0;
	ret = kcuckoo_snapshot_read_header(&reader, fd);
	check_reader(&reader, ret);
	if (ret) {
		tap_require(!is_good(data, size), "%s", reader.why);
		return 0;
	}
	image.size = reader.snapshot.bytes;
	tap_require(memchr(reader.snapshot.name, 0, KCUCKOO_NAME_SIZE),
		    "a name without end");
	ret = kcuckoo_snapshot_read_image(&reader, take, NULL);
	check_reader(&reader, ret);
	tap_require(ret || image.done == image.size, "%llu of %llu", image.done,
		    image.size);
	tap_require(!ret || image.done < image.size, "%d, and all is there",
		    ret);
	if (!ret)
		check_taken(data, size);
	else
		tap_require(!is_good(data, size), "%s", reader.why);
	return 0;
}

/* Makes both checksums right. */
static void seal(uint8_t *data, size_t size)
{
	put_number(data + 60, crc32(0, data, 60), 4);
	put_number(data + size - CRC, crc32(0, data, size - CRC), 4);
}

/* One frame of an image, packed in any of the ways that there are. */
static size_t pack(uint8_t *to, size_t room, const uint8_t *from, size_t length)
{
	ZSTD_CCtx *packer = ZSTD_createCCtx();
	ZSTD_outBuffer out = { to, room, 0 };
	ZSTD_inBuffer in = { from, 0, 0 };
	size_t rest = 1;

	ZSTD_CCtx_setParameter(packer, ZSTD_c_checksumFlag, random_below(2));
	ZSTD_CCtx_setParameter(packer, ZSTD_c_compressionLevel,
			       1 + random_below(12));
	ZSTD_CCtx_setParameter(packer, ZSTD_c_windowLog, 10 + random_below(16));
	/* Small tables, which do not take long to be cleared. */
	ZSTD_CCtx_setParameter(packer, ZSTD_c_hashLog, 8);
	ZSTD_CCtx_setParameter(packer, ZSTD_c_chainLog, 8);
	while (in.size < length) {
		in.size += 1 + random_below(length - in.size);
		if (random_below(2))
			ZSTD_compressStream2(packer, &out, &in, ZSTD_e_flush);
	}
	while (rest && !ZSTD_isError(rest) && out.pos < room)
		rest = ZSTD_compressStream2(packer, &out, &in, ZSTD_e_end);
	ZSTD_freeCCtx(packer);
	return rest ? 0 : out.pos;
}

/* A file that is good but for its checksums. Returns its size, or 0. */
static size_t make(uint8_t *data, size_t max)
{
	size_t length = 1 + random_below(random_below(2) ? 64 : SCRATCH);
	size_t packed, i;

	if (max <= LEAST)
		return 0;
	for (i = 0; i < length; i++)
		unpacked[i] = random_below(16) ? i / 7 : random_word();
	packed = pack(data + HEADER, max - LEAST, unpacked, length);
	memset(data, 0, HEADER);
	memcpy(data, magic, sizeof(magic));
	put_number(data + 8, SNAPSHOT_VERSION, 4);
	put_number(data + 16, length, 8);
	memcpy(data + 24, "a:filter", 8);
	return packed ? LEAST + packed : 0;
}

/* The header tells the size of what is there. */
static void tell_size(uint8_t *data, size_t size)
{
	size_t ret = ZSTD_decompress(unpacked, IMAGE, data + HEADER,
				     size - LEAST);

	if (!ZSTD_isError(ret))
		put_number(data + 16, ret, 8);
}

/*
 * Nobody hits two checksums by chance: most often they are made right, so that
 * what lies behind them is reached.
 */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
			       unsigned int seed)
{
	random_seed(seed);
	if (size < LEAST || !random_below(16)) {
		size_t made = make(data, max);

		if (!made)
			return LLVMFuzzerMutate(data, size, max);
		seal(data, made);
		return made;
	}
	switch (random_below(4)) {
	case 0:
		size = LLVMFuzzerMutate(data, size, max);
		break;
	case 1:
		LLVMFuzzerMutate(data + 8, 56, 56);
		break;
	default:
		size = LEAST + LLVMFuzzerMutate(data + HEADER, size - LEAST,
						max - LEAST);
	}
	if (size > LEAST && random_below(4))
		tell_size(data, size);
	if (size >= LEAST && random_below(8))
		seal(data, size);
	return size;
}
