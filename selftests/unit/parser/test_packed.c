// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists that are packed, files of archives, or UTF-16: read whole or refused.
 */
#include <archive.h>
#include <archive_entry.h>
#include <zlib.h>
#include <zstd.h>

#include "lists.h"

static size_t gzip(const void *from, size_t length, void *to, size_t room)
{
	z_stream z = { .zalloc = NULL };
	size_t packed;

	deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
	z.next_in = (void *)from;
	z.avail_in = length;
	z.next_out = to;
	z.avail_out = room;
	tap_require(deflate(&z, Z_FINISH) == Z_STREAM_END, "deflate");
	packed = room - z.avail_out;
	deflateEnd(&z);
	return packed;
}

static size_t zstd(const void *from, size_t length, void *to, size_t room)
{
	size_t packed = ZSTD_compress(to, room, from, length, 3);

	tap_require(!ZSTD_isError(packed), "zstd");
	return packed;
}

/* Room for small files, packed. */
#define PACKED	4096

typedef size_t (*packer)(const void *from, size_t length, void *to,
			 size_t room);

static void check_packed(packer pack, const char *what)
{
	size_t length, packed, room = 4 << 20, half;
	char *text, *keys, *out = tap_zalloc(room);
	struct input input;
	u64 count;

	text = many_lines(&length, &count, &keys);
	packed = pack(text, length, out, room);
	tap_require(!run_bytes(out, packed, &input), "%s: %s", what, words);
	expect_many(keys, count, what);

	/* Two, one behind the other, cut in the middle of a line. */
	half = length / 2;
	packed = pack(text, half, out, room);
	packed += pack(text + half, length - half, out + packed, room - packed);
	tap_require(!run_bytes(out, packed, &input), "%s: %s", what, words);
	expect_many(keys, count, what);

	/* Of nothing, too. */
	packed = pack("", 0, out, room);
	tap_require(!run_bytes(out, packed, &input), "%s: %s", what, words);
	tap_require(!seen.count, "%s: %llu lines of none", what, seen.count);
}

/* What is unpacked by a process of its own takes longer. */
static size_t stride(packer pack, size_t step)
{
	return pack == gzip || pack == zstd ? 1 : step;
}

/*
 * Cut off anywhere, it is an error and never a shorter list. @magic: with fewer bytes it
 * is not recognized.
 */
static void check_cut(packer pack, const char *what, size_t magic)
{
	static const char text[] =
		"1.2.3.4\n1.2.3.5\n2001:db8::/32\n198.51.100.0/24\n";
	char out[PACKED];
	struct input input;
	size_t packed, cut;

	packed = pack(text, strlen(text), out, sizeof(out));
	tap_require(!run_bytes(out, packed, &input), "%s", words);
	tap_require(seen.count == 4, "%llu lines", seen.count);
	for (cut = magic; cut < packed; cut += stride(pack, packed - cut < 32 ? 1 : 3)) {
		tap_require(run_bytes(out, cut, &input),
			    "%s cut at %zu of %zu was read", what, cut, packed);
		tap_require(strstr(words, path) && strstr(words, "truncated"),
			    "%s cut at %zu: %s", what, cut, words);
	}
}

/* With a flipped bit, an error or, where the format has slack, the same. */
static void check_flipped(packer pack, const char *what, size_t magic)
{
	static const char text[] = "1.2.3.4\n1.2.3.5\n2001:db8::/32\n";
	char out[PACKED];
	struct input input;
	size_t packed, bit;

	packed = pack(text, strlen(text), out, sizeof(out));
	for (bit = 8 * magic; bit < 8 * packed; bit += stride(pack, 11)) {
		int ret;

		out[bit / 8] ^= 1 << bit % 8;
		ret = run_bytes(out, packed, &input);
		tap_require(ret || pack == zstd || seen.count == 3,
			    "%s with bit %zu flipped", what, bit);
		out[bit / 8] ^= 1 << bit % 8;
	}
}

static void test_gzip(void)
{
	static const char text[] = "1.2.3.4\n1.2.3.5\n";
	char out[512];
	struct input input;
	size_t packed;

	check_packed(gzip, "gzip");
	check_cut(gzip, "gzip", 4);
	check_flipped(gzip, "gzip", 4);

	packed = gzip(text, strlen(text), out, sizeof(out));
	memset(out + packed, 0, 100);
	tap_require(!run_bytes(out, packed + 100, &input), "zeros: %s", words);
	tap_require(seen.count == 2, "%llu lines", seen.count);
	out[packed] = 'x';
	tap_require(run_bytes(out, packed + 1, &input), "something behind it");
	out[packed] = 0;
	out[packed + 1] = 0x1f;
	tap_require(run_bytes(out, packed + 2, &input), "zeros, then more");
}

static void test_zstd(void)
{
	/* A frame to be skipped, of three bytes. */
	static const char skip[] = "\x50\x2a\x4d\x18\x03\0\0\0abc";
	static const char text[] = "1.2.3.4\n1.2.3.5\n";
	char out[512];
	struct input input;
	size_t packed;

	check_packed(zstd, "zstd");
	check_cut(zstd, "zstd", 4);
	check_flipped(zstd, "zstd", 4);

	memcpy(out, skip, 11);
	packed = 11 + zstd(text, strlen(text), out + 11, sizeof(out) - 11);
	tap_require(!run_bytes(out, packed, &input), "%s", words);
	tap_require(seen.count == 2, "%llu lines", seen.count);
	memcpy(out + packed, skip, 11);
	tap_require(!run_bytes(out, packed + 11, &input), "%s", words);
	tap_require(seen.count == 2, "%llu lines", seen.count);
	memcpy(out + packed, "junk", 4);
	tap_require(run_bytes(out, packed + 4, &input), "something behind it");
}

/**
 * struct file - a file in an archive
 * @name: its path
 * @text: what is in it
 * @length: of @text, 0 where a zero byte ends it
 * @type: AE_IF*; 0 is that of a regular file
 * @link: target of a link; a regular file with a target is a hard link
 */
struct file {
	const char *name;
	const char *text;
	size_t length;
	unsigned int type;
	const char *link;
};

static void put_file(struct archive *archive, const struct file *file)
{
	struct archive_entry *entry = archive_entry_new();
	size_t length = file->length || !file->text ? file->length : strlen(file->text);

	archive_entry_set_pathname(entry, file->name);
	archive_entry_set_filetype(entry, file->type ? file->type : AE_IFREG);
	archive_entry_set_perm(entry, 0644);
	archive_entry_set_size(entry, length);
	if (file->type == AE_IFLNK)
		archive_entry_set_symlink(entry, file->link ? file->link : "other");
	else if (file->link)
		archive_entry_set_hardlink(entry, file->link);
	tap_require(archive_write_header(archive, entry) == ARCHIVE_OK, "%s",
		    archive_error_string(archive));
	if (length)
		tap_require(archive_write_data(archive, file->text, length) ==
			    (la_ssize_t)length, "%s", archive_error_string(archive));
	archive_entry_free(entry);
}

/* How an archive is made: filter and format are code numbers of libarchive. */
struct shape {
	int filter;
	int format;
	const char *options;
};

static size_t make_archive(const struct shape *shape, const struct file *files,
			   void *to, size_t room)
{
	struct archive *archive = archive_write_new();
	size_t used = 0;

	archive_write_set_format(archive, shape->format);
	archive_write_add_filter(archive, shape->filter);
	/* Filters that have no levels refuse it. */
	archive_write_set_filter_option(archive, NULL, "compression-level", "1");
	archive_write_set_bytes_in_last_block(archive, 1);
	if (shape->options)
		tap_require(archive_write_set_passphrase(archive, "secret") == ARCHIVE_OK &&
			    archive_write_set_options(archive, shape->options) == ARCHIVE_OK,
			    "%s", archive_error_string(archive));
	tap_require(archive_write_open_memory(archive, to, room, &used) == ARCHIVE_OK,
		    "%s", archive_error_string(archive));
	for (; files->name; files++)
		put_file(archive, files);
	tap_require(archive_write_close(archive) == ARCHIVE_OK, "%s",
		    archive_error_string(archive));
	archive_write_free(archive);
	return used;
}

static const struct shape tar_shape = { ARCHIVE_FILTER_NONE, ARCHIVE_FORMAT_TAR_USTAR, NULL };
static const struct shape zip_shape = { ARCHIVE_FILTER_NONE, ARCHIVE_FORMAT_ZIP, NULL };

static size_t pack_one(int filter, int format, const void *from, size_t length, void *to,
		       size_t room)
{
	char *text = tap_zalloc(length + 1);
	struct file files[] = { { .name = "a", .text = text, .length = length }, {} };
	struct shape shape = { filter, format, NULL };

	memcpy(text, from, length);
	return make_archive(&shape, files, to, room);
}

#define PACKER(name, filter, format)						\
	static size_t name(const void *from, size_t length, void *to, size_t room) \
	{									\
		return pack_one(ARCHIVE_FILTER_##filter, ARCHIVE_FORMAT_##format, from,	\
				length, to, room);				\
	}
PACKER(some_xz, XZ, RAW)
PACKER(some_bzip2, BZIP2, RAW)
PACKER(some_lz4, LZ4, RAW)
PACKER(tar, NONE, TAR_USTAR)
PACKER(tar_gzip, GZIP, TAR_PAX_INTERCHANGE)
PACKER(tar_zstd, ZSTD, TAR_GNUTAR)
PACKER(tar_xz, XZ, TAR_USTAR)
PACKER(tar_bzip2, BZIP2, TAR_USTAR)
PACKER(tar_lz4, LZ4, TAR_USTAR)
PACKER(zip, NONE, ZIP)

/* libarchive does not write packed files of nothing. */
#define PACKER_OF_NOTHING(name, nothing)					\
	static size_t name(const void *from, size_t length, void *to, size_t room) \
	{									\
		if (length)							\
			return some_##name(from, length, to, room);		\
		memcpy(to, nothing, sizeof(nothing) - 1);			\
		return sizeof(nothing) - 1;					\
	}
PACKER_OF_NOTHING(xz, "\3757zXZ\0\0\4\xe6\xd6\xb4\x46\0\0\0\0\x1c\xdf\x44\x21"
		      "\x1f\xb6\xf3\x7d\1\0\0\0\0\4YZ")
PACKER_OF_NOTHING(bzip2, "BZh9\x17\x72\x45\x38\x50\x90\0\0\0\0")
PACKER_OF_NOTHING(lz4, "\x04\x22\x4d\x18\x64\x40\xa7\0\0\0\0\x05\x5d\xcc\x02")

static void check_stream(packer pack, const char *what, size_t magic)
{
	static const char text[] = "1.2.3.4\n1.2.3.5\n";
	char out[PACKED];
	struct input input;
	size_t packed;

	check_packed(pack, what);
	check_cut(pack, what, magic);
	check_flipped(pack, what, magic);

	packed = pack(text, strlen(text), out, sizeof(out));
	memcpy(out + packed, "something", 9);
	tap_require(run_bytes(out, packed + 9, &input), "%s: something behind it", what);
	syntax.member = "*";
	tap_require(run_bytes(out, packed, &input) && strstr(words, "--member applies to"),
		    "%s: %s", what, words);
	syntax.member = NULL;
}

static void test_streams(void)
{
	check_stream(xz, "xz", 6);
	check_stream(bzip2, "bzip2", 10);
	check_stream(lz4, "lz4", 4);
}

/* What begins as bzip2 does is a line. */
static void test_near_magic(void)
{
	struct input input;

	tap_require(!run_bytes("BZh91AY&SZ\n1.2.3.4\n", 19, &input) && input.bad == 1,
		    "%s", words);
	tap_require(!run_bytes("BZh01AY&SY\n1.2.3.4\n", 19, &input) && input.bad == 1,
		    "%s", words);
	tap_require(!run_bytes("BZh9\n1.2.3.4", 12, &input) && input.bad == 1, "%s",
		    words);
}

/* One damaged byte at the beginning does not make text of packed data. */
static void test_damaged_magic(void)
{
	static const char text[] = "1.2.3.4\n1.2.3.5\n2001:db8::/32\n";
	static const packer packers[] = { zstd, lz4, xz, zip };
	char out[PACKED];
	struct input input;
	size_t packed, at, i;

	for (i = 0; i < sizeof(packers) / sizeof(*packers); i++) {
		packed = packers[i](text, strlen(text), out, sizeof(out));
		for (at = 0; at < 4; at++) {
			out[at] ^= 2;
			tap_require(run_bytes(out, packed, &input) &&
				    strstr(words, "damaged") && !seen.count,
				    "%zu, byte %zu: %s", i, at, words);
			out[at] ^= 2;
		}
	}
	/* Fewer bytes are text. */
	tap_require(!run_bytes("PK\3", 3, &input) && input.bad == 1, "%s", words);
}

static void check_archive(packer pack, const char *what, const char *listed)
{
	char *out = tap_zalloc(4 << 20), *text, *keys;
	struct cli cli = { .quiet = false };
	size_t length, packed;
	struct input input;
	int saved;
	FILE *file;
	u64 count;

	text = many_lines(&length, &count, &keys);
	packed = pack(text, length, out, 4 << 20);
	tap_require(!run_bytes(out, packed, &input), "%s: %s", what, words);
	expect_many(keys, count, what);
	tap_require(input.notes.files == 1, "%llu files", input.notes.files);
	file = catch_words(&saved);
	input_say_notes(&cli, "x", &input.notes);
	release_words(file, saved);
	tap_require(strstr(words, listed), "%s: %s", what, words);
}

static void test_archives(void)
{
	check_archive(tar, "tar", "unpacked tar: 1 file");
	check_archive(tar_gzip, "tar.gz", "unpacked gzip, tar: 1 file");
	check_archive(tar_zstd, "tar.zst", "unpacked zstd, tar: 1 file");
	check_archive(tar_xz, "tar.xz", "unpacked xz, tar: 1 file");
	check_archive(tar_bzip2, "tar.bz2", "unpacked bzip2, tar: 1 file");
	check_archive(tar_lz4, "tar.lz4", "unpacked lz4, tar: 1 file");
	check_archive(zip, "zip", "unpacked zip: 1 file");
}

/* Only what a reader has no use for can be cut off: half of the end of a tar archive. */
static void test_archives_cut(void)
{
	static const char text[] = "1.2.3.4\n1.2.3.5\n2001:db8::/32\n198.51.100.0/24\n";
	char out[PACKED];
	struct input input;
	size_t packed, cut;

	check_cut(zip, "zip", 4);
	check_cut(tar_gzip, "tar.gz", 4);
	check_cut(tar_xz, "tar.xz", 6);
	packed = tar(text, strlen(text), out, sizeof(out));
	for (cut = 300; cut < packed - 512; cut += 13)
		tap_require(run_bytes(out, cut, &input) && strstr(words, "truncated"),
			    "tar cut at %zu of %zu: %s", cut, packed, words);
	memcpy(out + packed, "something", 9);
	tap_require(run_bytes(out, packed + 9, &input) && strstr(words, "other data"),
		    "%s", words);
}

/* A flipped bit leads to an error or changes nothing. */
static void test_archives_flipped(void)
{
	char out[2 * PACKED];
	struct input input;
	size_t packed;

	check_flipped(zip, "zip", 4);
	packed = zip("1.1.1.1\n", 8, out, PACKED);
	packed += zip("2.2.2.2\n", 8, out + packed, PACKED);
	tap_require(run_bytes(out, packed, &input) && strstr(words, "follow each other"),
		    "%s", words);
}

static const struct file several[] = {
	{ .name = "d/", .type = AE_IFDIR },
	{ .name = "d/a.txt", .text = "1.1.1.1\n2.2.2" },
	{ .name = "empty.txt", .text = "" },
	{ .name = "link", .type = AE_IFLNK },
	{ .name = "./b.list", .text = "\357\273\2773.3.3.3" },
	{ .name = "c.txt", .text = "4.4.4.4\r\nbad\n" },
	{}
};

/* All files in their order, each with lines of its own. */
static void check_members(const struct shape *shape)
{
	char out[8 * PACKED], expected[128];
	struct input input;
	size_t packed = make_archive(shape, several, out, sizeof(out));

	tap_require(!run_bytes(out, packed, &input), "%s", words);
	tap_require(!strcmp(seen.text, "1.1.1.1\n3.3.3.3\n4.4.4.4\n"), "'%s'", seen.text);
	tap_require(input.bad == 2 && input.notes.files == 3, "%llu bad of %llu files",
		    input.bad, input.notes.files);
	snprintf(expected, sizeof(expected), "%s(d/a.txt):2: ", path);
	tap_require(strstr(words, expected), "no %s in %s", expected, words);
	snprintf(expected, sizeof(expected), "%s(c.txt):2: ", path);
	tap_require(strstr(words, expected), "no %s in %s", expected, words);

	syntax.member = "*.list";
	tap_require(!run_bytes(out, packed, &input), "%s", words);
	tap_require(!strcmp(seen.text, "3.3.3.3\n"), "'%s'", seen.text);
	syntax.member = "b.list";
	tap_require(!run_bytes(out, packed, &input) && seen.count == 1, "%s", words);
	syntax.member = "*.csv";
	tap_require(run_bytes(out, packed, &input), "no file fits");
	tap_require(strstr(words, "*.csv") && strstr(words, "d/a.txt") &&
		    strstr(words, "b.list"), "%s", words);
	syntax.member = NULL;
}

static void test_members(void)
{
	static const struct file hidden[] = {
		{ .name = "a\x1b[2J\n", .text = "bad" }, {}
	};
	static const struct file none[] = { { .name = "d/", .type = AE_IFDIR }, {} };
	char out[8 * PACKED];
	struct input input;
	size_t packed;

	check_members(&tar_shape);
	check_members(&zip_shape);
	packed = make_archive(&tar_shape, hidden, out, sizeof(out));
	tap_require(!run_bytes(out, packed, &input) && input.bad == 1, "%s", words);
	tap_require(strstr(words, "a\\x1b[2J\\x0a)") && !strchr(words, 0x1b), "%s", words);
	packed = make_archive(&tar_shape, none, out, sizeof(out));
	tap_require(run_bytes(out, packed, &input) && strstr(words, "contains no file"), "%s",
		    words);
	packed = make_archive(&zip_shape, none + 1, out, sizeof(out));
	tap_require(run_bytes(out, packed, &input) && strstr(words, "contains no file"), "%s",
		    words);
	packed = make_archive(&tar_shape, none + 1, out, sizeof(out));
	tap_require(run_bytes(out, packed, &input) && strstr(words, "zero bytes"), "%s", words);
	syntax.member = "*";
	tap_require(run_text("1.2.3.4\n", &input) && strstr(words, "--member applies to"), "%s",
		    words);
	syntax.member = NULL;
}

/* A link that is chosen stands for its file, and must not be left out without it. */
static void test_links(void)
{
	static const struct file links[] = {
		{ .name = "a.txt", .text = "1.1.1.1\n" },
		{ .name = "b.list", .text = "2.2.2.2\n" },
		{ .name = "b.txt", .link = "b.list" },
		{}
	};
	char out[8 * PACKED];
	struct input input;
	size_t packed = make_archive(&tar_shape, links, out, sizeof(out));

	tap_require(!run_bytes(out, packed, &input) && seen.count == 2, "%s", words);
	syntax.member = "[ab].*";
	tap_require(!run_bytes(out, packed, &input) && seen.count == 2, "%s", words);
	syntax.member = "a.txt";
	tap_require(!run_bytes(out, packed, &input) && seen.count == 1, "%s", words);
	syntax.member = "*.txt";
	tap_require(run_bytes(out, packed, &input) && strstr(words, "'b.txt'") &&
		    strstr(words, "'b.list'"), "%s", words);
	syntax.member = NULL;
}

/*
 * Require that --member @member with a symbolic link @link to @target is an error that
 * names @expected; or no error if @expected is NULL.
 */
static void check_symlink(const char *member, const char *link, const char *target,
			  const char *expected)
{
	const struct file files[] = {
		{ .name = "a.txt", .text = "1.1.1.1\n" },
		{ .name = "lists/a.txt", .text = "2.2.2.2\n" },
		{ .name = "./lists/b.txt", .text = "3.3.3.3\n" },
		{ .name = "/lists/a.txt", .text = "4.4.4.4\n" },
		{ .name = link, .type = AE_IFLNK, .link = target },
		{}
	};
	char out[8 * PACKED];
	struct input input;
	size_t packed = make_archive(&tar_shape, files, out, sizeof(out));
	int ret;

	syntax.member = member;
	ret = run_bytes(out, packed, &input);
	syntax.member = NULL;
	tap_require(!ret == !expected && (!ret || strstr(words, expected)), "%s: %s -> %s: %s",
		    member, link, target, words);
}

/* The target of a symbolic link is relative to the folder of the link. */
static void test_symlinks(void)
{
	static const struct {
		const char *member, *link, *target, *expected;
	} cases[] = {
		{ "lists/*", "lists/latest", "a.txt", NULL },
		{ "lists/*", "lists/latest", "./x/..//a.txt", NULL },
		{ "lists/*", "lists/latest", "../a.txt", "link to 'a.txt', which --member" },
		{ "lists/*", "lists/x/latest", "../a.txt", NULL },
		{ "lists/*", "lists/x/latest", "../../a.txt", "link to 'a.txt', which --member" },
		{ "lists/*", "./lists/latest", "a.txt", NULL },
		{ "./lists/*", "./lists/latest", "a.txt", NULL },
		{ "*.txt", "l.txt", "lists/a.list", "link to 'lists/a.list', which --member" },
		{ "*.txt", "lists/l.txt", "../x.txt", NULL },
		{ "*.txt", "l.txt", "../x.txt", "link to '../x.txt', which is outside" },
		{ "*.txt", "./l.txt", "../x.txt", "link to '../x.txt', which is outside" },
		{ "*.txt", "l.txt", "/x.txt", "link to '/x.txt', which is outside" },
		{ "*.txt", "lists/l.txt", "../../x.txt", "which is outside" },
		{ "/lists/*", "/lists/l.txt", "/lists/a.txt", NULL },
		{ "/lists/*", "/lists/l.txt", "../../lists/a.txt", NULL },
		{ "/lists/*", "/lists/l.txt", "/x.txt", "link to '/x.txt', which --member" },
		{ "a.txt", "l.txt", "../x.txt", NULL },
	};
	size_t i;

	for (i = 0; i < TAP_COUNT(cases); i++)
		check_symlink(cases[i].member, cases[i].link, cases[i].target, cases[i].expected);
}

/* An archive with names that no file of a file system has. */
static void test_names(void)
{
	static const struct shape pax_shape = {
		ARCHIVE_FILTER_NONE, ARCHIVE_FORMAT_TAR_PAX_INTERCHANGE, NULL
	};
	struct file files[] = { { .text = "1.1.1.1\n" }, {} };
	char *name = tap_zalloc(70000), *out = tap_zalloc(1 << 20);
	struct input input;
	size_t packed;

	memset(name, 'n', 69999);
	files[0].name = name;
	packed = make_archive(&pax_shape, files, out, 1 << 20);
	tap_require(run_bytes(out, packed, &input) &&
		    strstr(words, "the name of a file in it has more than 65536 bytes"), "%s",
		    words);
	name[60000] = 0;
	packed = make_archive(&pax_shape, files, out, 1 << 20);
	tap_require(!run_bytes(out, packed, &input) && seen.count == 1, "%s", words);
}

/* The error names the data that other data follows. */
static void test_rest(void)
{
	char out[8 * PACKED];
	struct input input;
	size_t packed = tar("1.1.1.1\n", 8, out, sizeof(out));

	memcpy(out + packed, "something", 9);
	tap_require(run_bytes(out, packed + 9, &input) &&
		    strstr(words, "other data follows the tar archive"), "%s", words);
	packed = lz4("1.1.1.1\n", 8, out, sizeof(out));
	memcpy(out + packed, "something", 9);
	tap_require(run_bytes(out, packed + 9, &input) &&
		    strstr(words, "other data follows the packed data"), "%s", words);
}

/* The type of a file, 41 bytes behind PK\1\2, is not among what a checksum of zip is about. */
static void test_types(void)
{
	static const char two[] =
		"PK\003\004\012\000\000\000\000\000\000\000!\000"
		"\244\221\334^\010\000\000\000\010\000\000\000\001\000\000\000"
		"a1.1.1.1\012"
		"PK\003\004\012\000\000\000\000\000\000\000!\000"
		"\244\221\334^\010\000\000\000\010\000\000\000\001\000\000\000"
		"b1.1.1.1\012"
		"PK\001\002\024\003\012\000\000\000\000\000\000\000!\000"
		"\244\221\334^\010\000\000\000\010\000\000\000\001\000"
		"\000\000\000\000\000\000\000\000\000\000\244\201\000\000\000\000a"
		"PK\001\002\024\003\012\000\000\000\000\000\000\000!\000"
		"\244\221\334^\010\000\000\000\010\000\000\000\001\000"
		"\000\000\000\000\000\000\000\000\000\000\244\201'\000\000\000b"
		"\120K\005\006\000\000\000\000\002\000\002\000^\000\000\000N\000\000\000\000\000";
	char out[sizeof(two)];
	struct input input;
	size_t at, bit;

	memcpy(out, two, sizeof(two));
	tap_require(!run_bytes(out, sizeof(two) - 1, &input) && seen.count == 2, "%s", words);
	for (at = 41; at < sizeof(two); at++) {
		for (bit = 1; !memcmp(two + at - 41, "PK\1\2", 4) && bit < 256; bit <<= 1) {
			out[at] ^= bit;
			tap_require(run_bytes(out, sizeof(two) - 1, &input) || seen.count == 2,
				    "byte %zu with bit %zx flipped", at, bit);
			out[at] ^= bit;
		}
	}
}

/* A file of a format that is not supported, alone and in a packed file. */
static void check_refused(const char *bytes, size_t length, const char *name,
			  const char *advice)
{
	static const packer packers[] = { gzip, zstd, xz };
	char out[PACKED];
	struct input input;
	size_t i, packed;

	tap_require(run_bytes(bytes, length, &input) && strstr(words, name) &&
		    strstr(words, advice), "%s: %s", name, words);
	tap_require(!strstr(words, "packed file"), "%s: %s", name, words);
	for (i = 0; i < TAP_COUNT(packers); i++) {
		packed = packers[i](bytes, length, out, sizeof(out));
		tap_require(run_bytes(out, packed, &input) && strstr(words, name) &&
			    strstr(words, "in a packed file, not a list") &&
			    strstr(words, advice), "%zu, %s: %s", i, name, words);
	}
}

/* What no list is, in an archive or alone. */
static void test_refused(void)
{
	static const struct file special[] = {
		{ .name = "a", .text = "1.1.1.1\n" }, { .name = "f", .type = AE_IFIFO }, {}
	};
	static const struct file packed_file[] = {
		{ .name = "a", .text = "1.1.1.1\n" }, { .name = "b.gz", .text = "\x1f\x8b\x08" }, {}
	};
	static const struct shape secret_shape = {
		ARCHIVE_FILTER_NONE, ARCHIVE_FORMAT_ZIP, "zip:encryption=traditional"
	};
	static const struct file secret[] = { { .name = "a", .text = "1.1.1.1\n" }, {} };
	static const struct {
		const char *bytes;
		size_t length;
		const char *name;
		const char *advice;
	} others[] = {
		{ "7z\xbc\xaf\x27\x1c\0\4", 8, "7z", "unpack it first" },
		{ "Rar!\x1a\7\1\0", 8, "rar", "unpack it first" },
		{ "LZIP\1\x0c", 6, "lzip", "unpack it first" },
		{ "\x5d\0\0\x80\0\xff\xff", 7, "lzma", "unpack it first" },
		{ "\x1f\x9d\x90\x31", 4, "compress", "unpack it first" },
		{ "\177ELF\2\1\1", 7, "ELF", "convert it first" },
		{ "%PDF-1.4\n", 9, "PDF", "convert it first" },
		{ "\xff\xfe\0\0\x31\0\0\0", 8, "UTF-32", "convert it first" },
		{ "1\0.\0a\0.\0b\0.\0", 12, "UTF-16", "convert it first" },
		{ "\0001\0.\0002\0.\0003\0.", 12, "UTF-16", "convert it first" },
		{ "\x89kck\r\n\x1a\n", 8, "restore", "convert it first" },
	};
	char out[8 * PACKED], twice[PACKED];
	struct input input;
	size_t packed, i;

	for (i = 0; i < TAP_COUNT(others); i++)
		check_refused(others[i].bytes, others[i].length, others[i].name,
			      others[i].advice);
	packed = make_archive(&tar_shape, special, out, sizeof(out));
	tap_require(run_bytes(out, packed, &input) && strstr(words, "'f' in it is a device"),
		    "%s", words);
	packed = make_archive(&tar_shape, packed_file, out, sizeof(out));
	tap_require(run_bytes(out, packed, &input) && strstr(words, "(b.gz): it is gzip data"),
		    "%s", words);
	packed = make_archive(&secret_shape, secret, out, sizeof(out));
	tap_require(run_bytes(out, packed, &input) && strstr(words, "'a' in it is encrypted"),
		    "%s", words);

	packed = gzip("1.1.1.1\n", 8, twice, sizeof(twice));
	packed = gzip(twice, packed, out, sizeof(out));
	tap_require(run_bytes(out, packed, &input) && strstr(words, "gzip data in a packed"),
		    "%s", words);
	packed = zip("1.1.1.1\n", 8, twice, sizeof(twice));
	packed = zstd(twice, packed, out, sizeof(out));
	tap_require(run_bytes(out, packed, &input) && strstr(words, "a zip archive in a packed"),
		    "%s", words);
	packed = xz("1.1.1.1\n", 8, twice, sizeof(twice));
	packed = xz(twice, packed, out, sizeof(out));
	tap_require(run_bytes(out, packed, &input) && strstr(words, "unpack it first"), "%s",
		    words);
}

/* Byte strings can be anything, but a page of a server that fails is no list of them. */
static void test_page(void)
{
	static const char page[] = "\n<!DOCTYPE HTML>\n<title>404</title>\n";
	struct input input;

	syntax.kind = SYNTAX_BYTES;
	tap_require(run_text(page, &input) && strstr(words, "HTML") &&
		    strstr(words, "--binary"), "%s", words);
	syntax.kind = SYNTAX_BINARY;
	tap_require(!run_text(page, &input) && seen.count == 3, "%s", words);
	syntax.kind = SYNTAX_INET;
	tap_require(!run_text(page, &input) && input.bad == 2, "%s", words);
}

/* A child that dies has read a part only. */
static void test_killed(void)
{
	char *out = tap_zalloc(4 << 20), *text, *keys;
	size_t length, packed;
	struct input input;
	u64 count;

	text = many_lines(&length, &count, &keys);
	packed = tar(text, length, out, 4 << 20);
	seen.kill_child = true;
	tap_require(run_bytes(out, packed, &input), "read without its reader");
	tap_require(strstr(words, "(a) after line") && strstr(words, "signal 9"), "%s", words);
	seen.kill_child = false;
}

/* 16 MiB in this program. */
static void test_bomb(void)
{
	size_t length = (16 << 20) + 1, packed;
	char *text = tap_zalloc(length), *out = tap_zalloc(1 << 20);
	struct input input;

	memset(text, '\n', length);
	packed = xz(text, length - 1, out, 1 << 20);
	tap_require(!run_bytes(out, packed, &input), "%s", words);
	packed = xz(text, length, out, 1 << 20);
	tap_require(run_bytes(out, packed, &input) && strstr(words, "more than 16 MiB"), "%s",
		    words);
	packed = zip(text, length, out, 1 << 20);
	tap_require(run_bytes(out, packed, &input) && strstr(words, "more than 16 MiB"), "%s",
		    words);
	packed = tar_gzip(text, length, out, 1 << 20);
	tap_require(run_bytes(out, packed, &input) && strstr(words, "more than 16 MiB"), "%s",
		    words);
}

/* UTF-16 of @text, whose characters have one byte each, with a byte order mark. */
static size_t utf16(const char *text, bool big_endian, char *to)
{
	size_t at = 0;

	to[at + !big_endian] = '\xfe';
	to[at + big_endian] = '\xff';
	for (at = 2; *text; at += 2) {
		to[at + !big_endian] = 0;
		to[at + big_endian] = *text++;
	}
	return at;
}

static void test_utf16(void)
{
	static const char pair[] = "\xff\xfe#\0\x3d\xd8\x00\xde\xac\x20\xe9\0";
	struct file packed_file[] = { { .name = "a" }, {} };
	char text[PACKED], out[2 * PACKED + 2], packed[PACKED];
	struct input input;
	size_t length, i;
	int big;

	for (big = 0; big < 2; big++) {
		for (i = 0; i < 200; i++)
			sprintf(text + 10 * i, "1.1.1.%03zu\n", 100 + i % 100);
		length = utf16(text, big, out);
		tap_require(!run_bytes(out, length, &input), "%s", words);
		tap_require(seen.count == 200 && !strcmp(seen.text, text), "'%s'", seen.text);
		tap_require(input.notes.formats ==
			    1u << (big ? FORMAT_UTF16BE : FORMAT_UTF16LE), "%x",
			    input.notes.formats);
		tap_require(run_bytes(out, length - 1, &input), "half a character");
		tap_require(strstr(words, "after line 199") &&
			    strstr(words, "truncated at byte 4000"), "%s", words);
		/* A surrogate alone. */
		out[200 + !big] = '\xdc';
		tap_require(run_bytes(out, length, &input) &&
			    strstr(words, "after line 9: the UTF-16 text is damaged at byte 200"),
			    "%s", words);
		out[200 + !big] = '\xd8';
		tap_require(run_bytes(out, length, &input) && strstr(words, "damaged at byte 200"),
			    "%s", words);
		tap_require(run_bytes(out, 202, &input) && strstr(words, "truncated at byte 200"),
			    "%s", words);
	}
	syntax.kind = SYNTAX_BYTES;
	tap_require(!run_bytes(pair, sizeof(pair) - 1, &input), "%s", words);
	tap_require(!strcmp(seen.text, "#\xf0\x9f\x98\x80\xe2\x82\xac\xc3\xa9\n"), "'%s'",
		    seen.text);
	syntax.kind = SYNTAX_INET;

	length = utf16("1.1.1.1\r\n2.2.2.2", false, text);
	length = gzip(text, length, packed, sizeof(packed));
	tap_require(!run_bytes(packed, length, &input) && seen.count == 2, "%s", words);
	packed_file[0].text = text;
	packed_file[0].length = 2 + 2 * 16;
	length = make_archive(&zip_shape, packed_file, out, sizeof(out));
	tap_require(!run_bytes(out, length, &input) && seen.count == 2, "%s", words);
}

static void check_pipe_once(const char *text)
{
	char packed[PACKED], name[32], *files[] = { name };
	size_t length = zip(text, strlen(text), packed, sizeof(packed));
	struct input input;
	int ends[2];

	tap_require(length < 512 && !pipe(ends), "pipe");
	tap_require(write(ends[1], packed, length) == (ssize_t)length, "pipe");
	close(ends[1]);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", ends[0]);
	input_init(&input, files, 1);
	tap_require(!run_input(&input) && !strcmp(seen.text, text), "'%s' %s", seen.text, words);
	close(ends[0]);
}

static void test_pipe(void)
{
	static const struct {
		packer pack;
		const char *what;
	} ways[] = {
		{ gzip, "gzip" }, { zstd, "zstd" }, { zip, "zip" }, { tar_xz, "tar.xz" },
	};
	char *text, *keys, *out = tap_zalloc(4 << 20);
	size_t length, packed, i;
	u64 count;

	text = many_lines(&length, &count, &keys);
	for (i = 0; i < TAP_COUNT(ways); i++) {
		packed = ways[i].pack(text, length, out, 4 << 20);
		check_pipe(out, packed, keys, count, ways[i].what);
	}
	/* Shorter than what is read to recognize it. */
	check_pipe_once("1.2.3.4\n");
}

static const struct tap_test tests[] = {
	{ "packed.gzip: members, cut, flipped, padded", test_gzip },
	{ "packed.zstd: frames, cut, flipped, skipped", test_zstd },
	{ "packed.streams: xz, bzip2, lz4; cut, flipped, more behind them", test_streams },
	{ "packed.near_magic: a line that begins as packed data does", test_near_magic },
	{ "packed.damaged_magic: it is packed data all the same", test_damaged_magic },
	{ "packed.archives: zip, and tar in all that it comes in", test_archives },
	{ "packed.archives_cut: an error wherever it is", test_archives_cut },
	{ "packed.archives_flipped: an error, or the same list", test_archives_flipped },
	{ "packed.members: in their order, by a pattern, named in errors", test_members },
	{ "packed.links: a link is not left out without its file", test_links },
	{ "packed.symlinks: the target is relative to the folder of the link", test_symlinks },
	{ "packed.names: a name that is too long is an error", test_names },
	{ "packed.rest: the error names the data that other data follows", test_rest },
	{ "packed.types: a file is not skipped because it seems to be a link", test_types },
	{ "packed.refused: named, and packed twice too", test_refused },
	{ "packed.page: a web page is no list of byte strings", test_page },
	{ "packed.killed: the end of the process that unpacks is an error", test_killed },
	{ "packed.bomb: no more than the limit is unpacked", test_bomb },
	{ "packed.utf16: both byte orders, damaged, truncated, packed", test_utf16 },
	{ "packed.pipe: packed data in pieces of any size, zip from a temporary file", test_pipe },
};

int main(int argc, char **argv)
{
	return lists_main(argc, argv, tests, TAP_COUNT(tests));
}
