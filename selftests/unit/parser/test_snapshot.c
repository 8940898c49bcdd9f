// SPDX-License-Identifier: GPL-2.0-only
/*
 * Snapshot files: what was written comes back, and nothing else is taken, be it
 * cut short, changed, or forged with right checksums.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "snapshot.h"
#include "tap.h"

/* An image that is saved, or what was restored of one. */
struct image {
	struct snapshot snapshot;
	u8 *bytes;
	u64 done;
	u64 step;	/* at most so many bytes at once; 0: any number */
	int fail;	/* at the end, or 0 */
};

/* Bytes of a file. */
struct file {
	u8 *bytes;
	size_t length;
};

static void random_image(struct image *image, u64 length)
{
	u64 i;

	memset(image, 0, sizeof(*image));
	strcpy(image->snapshot.name, "some:filter");
	image->bytes = tap_zalloc(length);
	image->snapshot.bytes = length;
	for (i = 0; i < length; i++)
		image->bytes[i] = i % 3 ? random_word() : 0;
}

static long fill(void *context, void *part, size_t room)
{
	struct image *image = context;
	u64 rest = image->snapshot.bytes - image->done;
	size_t length = rest < room ? rest : room;

	if (image->step && length > image->step)
		length = image->step;
	if (image->fail && length == rest)
		return image->fail;
	memcpy(part, image->bytes + image->done, length);
	image->done += length;
	return length;
}

static int take(void *context, const void *part, size_t length)
{
	struct image *image = context;

	tap_require(image->done + length <= image->snapshot.bytes,
		    "%llu and %zu of %llu bytes", image->done, length,
		    image->snapshot.bytes);
	if (image->fail && image->done + length == image->snapshot.bytes)
		return image->fail;
	memcpy(image->bytes + image->done, part, length);
	image->done += length;
	return 0;
}

static int memory_file(void)
{
	int fd = memfd_create("snapshot", MFD_CLOEXEC);

	tap_require(fd >= 0, "%s", strerror(errno));
	return fd;
}

static struct file write_image(struct image *image)
{
	const char *why = "";
	struct file file;
	int fd = memory_file(), ret;

	ret = kcuckoo_snapshot_write(fd, &image->snapshot, fill, image, &why);
	tap_require(!ret && !why, "%d, %s", ret, why ? why : "no reason");
	file.length = lseek(fd, 0, SEEK_CUR);
	file.bytes = tap_zalloc(file.length);
	tap_require(pread(fd, file.bytes, file.length, 0) ==
		    (ssize_t)file.length, "short");
	close(fd);
	return file;
}

/* Read what is in a file. Return: 0 or -errno with @why set. */
static int read_file(const void *bytes, size_t length, struct image *image,
		     const char **why)
{
	struct snapshot_reader reader;
	int fd = memory_file(), ret;

	tap_require(write(fd, bytes, length) == (ssize_t)length, "short");
	lseek(fd, 0, SEEK_SET);
	ret = kcuckoo_snapshot_read_header(&reader, fd);
	image->done = 0;
	if (!ret) {
		image->snapshot = reader.snapshot;
		tap_free(image->bytes);
		/* A size that no file of these tests has is not believed here. */
		tap_require(image->snapshot.bytes < 1ULL << 30, "%llu bytes",
			    image->snapshot.bytes);
		image->bytes = tap_zalloc(image->snapshot.bytes);
		ret = kcuckoo_snapshot_read_image(&reader, take, image);
	}
	*why = reader.why;
	close(fd);
	return ret;
}

static void expect_same(const struct image *image, const struct file *file)
{
	struct image back = { .done = 0 };
	const char *why;
	int ret = read_file(file->bytes, file->length, &back, &why);

	tap_require(!ret && !why, "%d, %s", ret, why ? why : "no reason");
	tap_require(back.done == image->snapshot.bytes, "%llu of %llu bytes",
		    back.done, image->snapshot.bytes);
	tap_require(!memcmp(back.bytes, image->bytes, back.done), "other bytes");
	tap_require(!strcmp(back.snapshot.name, image->snapshot.name), "'%s'",
		    back.snapshot.name);
	tap_free(back.bytes);
}

/* A file that is no good: never is its image complete. */
static void expect_refused(const void *bytes, size_t length, const char *what,
			   size_t at)
{
	struct image back = { .done = 0 };
	const char *why;
	int ret = read_file(bytes, length, &back, &why);

	tap_require(ret == -EBADMSG, "%s %zu: %d", what, at, ret);
	tap_require(why && *why, "%s %zu: no reason", what, at);
	tap_require(!back.snapshot.bytes || back.done < back.snapshot.bytes,
		    "%s %zu: the image is complete", what, at);
	tap_free(back.bytes);
}

static void test_sizes(void)
{
	static const u64 sizes[] = {
		1, 2, 100, 4096, 200000, SNAPSHOT_CHUNK - 1, SNAPSHOT_CHUNK,
		SNAPSHOT_CHUNK + 1, 3 * SNAPSHOT_CHUNK, 3 * SNAPSHOT_CHUNK + 12345,
	};
	struct image image;
	struct file file;
	size_t i;

	for (i = 0; i < TAP_COUNT(sizes); i++) {
		random_image(&image, sizes[i]);
		image.step = i % 2 ? 1 + sizes[i] / 7 : 0;
		file = write_image(&image);
		expect_same(&image, &file);
	}
}

static void test_truncated(void)
{
	struct image image;
	struct file file;
	size_t i;

	random_image(&image, 3000);
	file = write_image(&image);
	for (i = 0; i < file.length; i++)
		expect_refused(file.bytes, i, "cut at", i);
	random_image(&image, 2 * SNAPSHOT_CHUNK);
	file = write_image(&image);
	for (i = 0; i < 100; i++)
		expect_refused(file.bytes, file.length * i / 100, "cut at", i);
}

static void test_flipped(void)
{
	struct image image;
	struct file file;
	size_t i;

	random_image(&image, 700);
	file = write_image(&image);
	for (i = 0; i < 8 * file.length; i++) {
		file.bytes[i / 8] ^= 1 << i % 8;
		expect_refused(file.bytes, file.length, "bit", i);
		file.bytes[i / 8] ^= 1 << i % 8;
	}
	expect_same(&image, &file);
	random_image(&image, 2 * SNAPSHOT_CHUNK);
	file = write_image(&image);
	for (i = 0; i < 100; i++) {
		size_t at = random_below(8 * file.length);

		file.bytes[at / 8] ^= 1 << at % 8;
		expect_refused(file.bytes, file.length, "bit", at);
		file.bytes[at / 8] ^= 1 << at % 8;
	}
}

static void put_number(u8 *at, u64 number, int bytes)
{
	int i;

	for (i = 0; i < bytes; i++)
		at[i] = number >> 8 * i;
}

/* Make both checksums right. */
static void seal(const struct file *file)
{
	put_number(file->bytes + 60, crc32(0, file->bytes, 60), 4);
	put_number(file->bytes + file->length - 4,
		   crc32(0, file->bytes, file->length - 4), 4);
}

/* The number at @offset of the header becomes another. */
static void forge(const struct file *file, size_t offset, u64 number, int bytes)
{
	u8 *copy = tap_zalloc(file->length);

	memcpy(copy, file->bytes, file->length);
	put_number(copy + offset, number, bytes);
	seal(&(struct file){ copy, file->length });
	expect_refused(copy, file->length, "forged at", offset);
	tap_free(copy);
}

static void test_forged(void)
{
	struct image image;
	struct file file;
	u32 version;
	u8 *larger;

	random_image(&image, 700);
	file = write_image(&image);
	seal(&file);
	expect_same(&image, &file);
	forge(&file, 0, 0, 1);
	for (version = 0; version < 2 * SNAPSHOT_VERSION; version++)
		if (version != SNAPSHOT_VERSION)
			forge(&file, 8, version, 4);
	forge(&file, 12, 1, 4);
	forge(&file, 16, 0, 8);
	forge(&file, 16, 699, 8);
	forge(&file, 16, 701, 8);
	forge(&file, 16, 1, 8);
	forge(&file, 16, 1 << 28, 8);
	forge(&file, 56, 1, 4);
	memset(file.bytes + 24, 'x', 32);
	seal(&file);
	expect_refused(file.bytes, file.length, "name without end", 0);

	file = write_image((image.done = 0, &image));
	larger = tap_zalloc(file.length + 4);
	memcpy(larger, file.bytes, file.length);
	expect_refused(larger, file.length + 1, "longer by", 1);
	expect_refused(larger, file.length + 4, "longer by", 4);
}

/* What stands between the header and the last checksum is another. */
static void forge_frames(const struct image *image, const void *frames,
			 size_t length, const char *what)
{
	struct file file = { .length = 64 + length + 4 };
	struct file whole;
	struct image copy = *image;

	copy.done = 0;
	whole = write_image(&copy);
	file.bytes = tap_zalloc(file.length);
	memcpy(file.bytes, whole.bytes, 64);
	memcpy(file.bytes + 64, frames, length);
	seal(&file);
	expect_refused(file.bytes, file.length, what, length);
}

static void test_frames(void)
{
	struct image image;
	u8 *room = tap_zalloc(20000);
	size_t first, second;

	random_image(&image, 700);
	forge_frames(&image, "", 0, "no frame");
	forge_frames(&image, "\x28\xb5\x2f\xfd", 4, "the magic number of a frame");
	first = ZSTD_compress(room, 20000, image.bytes, 300, 3);
	second = ZSTD_compress(room + first, 20000 - first, image.bytes + 300,
			       400, 3);
	forge_frames(&image, room, first, "too short a frame");
	forge_frames(&image, room, first + second, "two frames");
	first = ZSTD_compress(room, 20000, image.bytes, 700, 3);
	memcpy(room + first, "\x50\x2a\x4d\x18\0\0\0\0", 8);
	forge_frames(&image, room, first + 8, "a frame to be skipped");
}

/* A frame that asks for much memory to be unpacked. */
static void test_window(void)
{
	ZSTD_CCtx *packer = ZSTD_createCCtx();
	u8 *room = tap_zalloc(20000);
	ZSTD_outBuffer out = { room, 20000, 0 };
	struct image image;
	ZSTD_inBuffer in;

	random_image(&image, 700);
	in = (ZSTD_inBuffer){ image.bytes, 700, 0 };
	ZSTD_CCtx_setParameter(packer, ZSTD_c_windowLog, 26);
	ZSTD_compressStream2(packer, &out, &in, ZSTD_e_flush);
	ZSTD_compressStream2(packer, &out, &in, ZSTD_e_end);
	ZSTD_freeCCtx(packer);
	forge_frames(&image, room, out.pos, "a large window");
}

static void test_noise(void)
{
	u8 *bytes = tap_zalloc(4000);
	struct image image;
	struct file file;
	size_t i, length;
	int round;

	random_image(&image, 2000);
	file = write_image(&image);
	for (round = 0; round < 3000; round++) {
		length = random_below(4000);
		for (i = 0; i < length; i++)
			bytes[i] = random_word();
		/* Often behind a header that is right. */
		if (round % 4 && length > 64)
			memcpy(bytes, file.bytes, 64);
		if (round % 4 == 2 && length > 200)
			memcpy(bytes, file.bytes, 200);
		expect_refused(bytes, length, "noise", round);
	}
}

/* The kernel may refuse in the middle, and says why itself. */
static void test_failures(void)
{
	struct image image, back = { .fail = -EEXIST };
	const char *why = "";
	struct file file;
	int fd = memory_file();

	random_image(&image, 700);
	file = write_image(&image);
	tap_require(read_file(file.bytes, file.length, &back, &why) == -EEXIST,
		    "no failure");
	tap_require(!why, "%s", why);
	image.done = 0;
	image.fail = -ENOMEM;
	tap_require(kcuckoo_snapshot_write(fd, &image.snapshot, fill, &image, &why) ==
		    -ENOMEM && !why, "no failure");
	close(fd);
	image.done = 0;
	image.fail = 0;
	tap_require(kcuckoo_snapshot_write(-1, &image.snapshot, fill, &image, &why) ==
		    -EBADF && why, "no failure");
}

/* The kernel refuses each part. @context: how often it has got one. */
static int refuse(void *context, const void *part, size_t length)
{
	int *calls = context;

	tap_require(part && length, "no bytes");
	++*calls;
	return -EBADMSG;
}

/* Return: why the file is no good, or NULL if it is intact and only refused. */
static const char *refused_file(const struct file *file)
{
	struct snapshot_reader reader;
	int fd = memory_file(), ret, calls = 0;

	tap_require(write(fd, file->bytes, file->length) == (ssize_t)file->length, "short");
	lseek(fd, 0, SEEK_SET);
	ret = kcuckoo_snapshot_read_header(&reader, fd);
	tap_require(!ret, "%d", ret);
	ret = kcuckoo_snapshot_read_image(&reader, refuse, &calls);
	tap_require(ret == -EBADMSG, "%d", ret);
	tap_require(calls == 1, "%d parts", calls);
	close(fd);
	return reader.why;
}

static void test_refused(void)
{
	struct image image;
	struct file file;

	random_image(&image, 100);
	file = write_image(&image);
	tap_require(!refused_file(&file), "%s", refused_file(&file));
	random_image(&image, 3 * SNAPSHOT_CHUNK);
	file = write_image(&image);
	tap_require(!refused_file(&file), "%s", refused_file(&file));
	file.bytes[file.length - 1] ^= 1;
	tap_require(refused_file(&file), "the last byte");
	file.bytes[file.length - 1] ^= 1;
	file.bytes[file.length - SNAPSHOT_CHUNK / 2] ^= 1;
	tap_require(refused_file(&file), "a byte of the last part");
	file.bytes[file.length - SNAPSHOT_CHUNK / 2] ^= 1;
	file.length--;
	tap_require(refused_file(&file), "cut");
}

static const struct tap_test tests[] = {
	{ "snapshot.sizes: what was written comes back", test_sizes },
	{ "snapshot.truncated: at every byte", test_truncated },
	{ "snapshot.flipped: every bit", test_flipped },
	{ "snapshot.forged: right checksums of a wrong header", test_forged },
	{ "snapshot.frames: right checksums of wrong frames", test_frames },
	{ "snapshot.window: no frame takes much memory", test_window },
	{ "snapshot.noise: any bytes", test_noise },
	{ "snapshot.failures: of the kernel and of the file", test_failures },
	{ "snapshot.refused: a damaged file is known from one of another version", test_refused },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
