// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists from files and pipes: cut into lines, unpacked, read again.
 */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "input.h"
#include "tap.h"

/* What a run handed out. */
struct seen {
	char text[256 << 10];
	size_t length;
	u64 count;
	u64 last_number;
	u64 stop_at;
	bool full;
	bool kill_child;
};

static struct seen seen;
static char words[8192];

/* End the process that unpacks, if there is one. */
static void kill_child(void)
{
	FILE *file = fopen("/proc/thread-self/children", "r");
	int pid;

	if (fscanf(file, "%d", &pid) == 1)
		kill(pid, SIGKILL);
	fclose(file);
}

static int take(void *context, const struct line *line,
		const struct place *place)
{
	struct seen *s = context;

	s->count++;
	s->last_number = place->number;
	if (s->kill_child)
		kill_child();
	s->full = s->full || s->length + line->length + 2 > sizeof(s->text);
	if (!s->full) {
		memcpy(s->text + s->length, line->text, line->length);
		s->length += line->length;
		s->text[s->length++] = '\n';
		s->text[s->length] = 0;
	}
	return s->count == s->stop_at ? -1 : 0;
}

static char folder[64];
static char path[64];

/* Write a file. Return: its name. */
static char *file_with(const void *data, size_t length)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	tap_require(fd >= 0, "%s: %s", path, strerror(errno));
	tap_require(write(fd, data, length) == (ssize_t)length, "%s", path);
	close(fd);
	return path;
}

static FILE *catch_words(int *saved)
{
	FILE *file = tmpfile();

	fflush(stderr);
	*saved = dup(STDERR_FILENO);
	dup2(fileno(file), STDERR_FILENO);
	return file;
}

static void release_words(FILE *file, int saved)
{
	size_t length;

	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	length = fread(words, 1, sizeof(words) - 1, file);
	words[length] = 0;
	fclose(file);
}

/* One run over @files; what is said ends up in @words. */
static int run_input(struct input *input)
{
	bool killing = seen.kill_child;
	u64 stop_at = seen.stop_at;
	int saved, ret;
	FILE *file;

	memset(&seen, 0, sizeof(seen));
	seen.stop_at = stop_at;
	seen.kill_child = killing;
	file = catch_words(&saved);
	ret = input_run(input, take, &seen);
	release_words(file, saved);
	return ret;
}

/* How the runs below read. */
static struct form form;

static int run_bytes(const void *data, size_t length, struct input *input)
{
	static char *files[1];
	int ret;

	files[0] = file_with(data, length);
	tap_require(!input_init(input, files, 1, false), "init");
	input->form = form;
	ret = run_input(input);
	input_free(input);
	return ret;
}

static int run_text(const char *text, struct input *input)
{
	return run_bytes(text, strlen(text), input);
}

static void expect(const char *text, const char *keys, u64 bad)
{
	struct input input;
	int ret = run_text(text, &input);

	tap_require(!ret, "'%s': %d, %s", text, ret, words);
	tap_require(!strcmp(seen.text, keys), "'%s': '%s'", text, seen.text);
	tap_require(input.bad == bad, "'%s': %llu bad", text, input.bad);
}

static void test_lines(void)
{
	expect("", "", 0);
	expect("\n", "", 0);
	expect("\n\n\n", "", 0);
	expect("1.2.3.4", "1.2.3.4\n", 0);
	expect("1.2.3.4\n", "1.2.3.4\n", 0);
	expect("1.2.3.4\n::1", "1.2.3.4\n::1\n", 0);
	expect("1.2.3.4\r\n::1\r\n", "1.2.3.4\n::1\n", 0);
	expect("1.2.3.4\r\n\r\n::1\r", "1.2.3.4\n::1\n", 0);
	expect("\357\273\2771.2.3.4\n", "1.2.3.4\n", 0);
	expect("\xef\xbb\xbf", "", 0);
	expect("\xef\xbb\xbf# x\r\n1.2.3.4", "1.2.3.4\n", 0);
	expect("1.2.3.4\n\357\273\2771.2.3.5\n", "1.2.3.4\n", 1);
	expect("x\n1.2.3.4\ny", "1.2.3.4\n", 2);
	expect("# a\n; b\n// c\n1.2.3.0/24 ; d\n", "1.2.3.0/24\n", 0);
	expect("1.2.3.4-1.2.3.9\n1.2.3.4 - x\n", "1.2.3.4-1.2.3.9\n1.2.3.4\n",
	       0);
}

static void test_counts(void)
{
	struct input input;

	run_text("1.2.3.4\n1.2.3.4/24\n::1-::5\n\nbad\n10.1.1.1/8 x\n", &input);
	tap_require(input.keys == 4, "%llu keys", input.keys);
	tap_require(input.ranges == 1, "%llu ranges", input.ranges);
	tap_require(input.host_bits == 2, "%llu host bits", input.host_bits);
	tap_require(input.bad == 1, "%llu bad", input.bad);
	tap_require(seen.last_number == 6, "line %llu", seen.last_number);
}

static void test_told(void)
{
	struct input input;
	char text[4096] = "", expected[128];
	int i;

	run_text("1.2.3.4\n\n1.2.3.300 x\n\x1b[2J\n", &input);
	snprintf(expected, sizeof(expected), "%s:3: ", path);
	tap_require(strstr(words, expected), "no place in: %s", words);
	tap_require(strstr(words, "at most 255: 1.2.3.300 x"), "%s", words);
	tap_require(strstr(words, "\\x1b[2J") && !strchr(words, 0x1b),
		    "not escaped: %s", words);

	for (i = 0; i < 100; i++)
		strcat(text, "bad\n");
	run_text(text, &input);
	tap_require(input.bad == 100, "%llu", input.bad);
	snprintf(expected, sizeof(expected), "%s:20: ", path);
	tap_require(strstr(words, expected), "not 20 told: %s", words);
	snprintf(expected, sizeof(expected), "%s:21: ", path);
	tap_require(!strstr(words, expected), "more than 20 told: %s", words);
	tap_require(strstr(words, "80 more"), "the rest not told: %s", words);
}

static void test_zero_bytes(void)
{
	static const char text[] = "1.2.3.4\n1.2.3\0.5\n\0\n1.2.3.6 \0\n::1";
	struct input input;

	run_bytes(text, sizeof(text) - 1, &input);
	tap_require(!strcmp(seen.text, "1.2.3.4\n::1\n"), "'%s'", seen.text);
	tap_require(input.bad == 3, "%llu bad", input.bad);
}

/* Lines around the largest length, in the middle and at the end. */
static void test_long(void)
{
	static const int lengths[] = {
		INPUT_LINE - 2, INPUT_LINE - 1, INPUT_LINE, INPUT_LINE + 1,
		2 * INPUT_LINE, 2 * INPUT_LINE + 1, 5 * INPUT_LINE,
	};
	char *text = tap_zalloc(6 * INPUT_LINE);
	struct input input;
	size_t i;
	int end;

	for (i = 0; i < TAP_COUNT(lengths); i++) {
		for (end = 0; end < 2; end++) {
			int length = lengths[i], at;
			bool bad = length > INPUT_LINE;

			at = sprintf(text, "1.2.3.4\n");
			memset(text + at, ' ', length);
			memcpy(text + at, "1.2.3.5", 7);
			at += length;
			/* The rest of a line must not pass for one. */
			memcpy(text + at - 8, "x9.9.9.9", 8);
			if (!end)
				at += sprintf(text + at, "\n1.2.3.6");
			tap_require(!run_bytes(text, at, &input), "%s", words);
			tap_require(input.bad == bad, "%d: %llu bad", length,
				    input.bad);
			tap_require(strstr(seen.text, "1.2.3.4\n"), "%d",
				    length);
			tap_require(!strstr(seen.text, "9.9.9.9"), "%d: %s",
				    length, seen.text);
			tap_require(end || strstr(seen.text, "1.2.3.6\n"), "%d",
				    length);
			tap_require(end || seen.last_number == 3,
				    "%d: line %llu", length, seen.last_number);
			if (input.bad)
				tap_require(strstr(words, ":2: the line is too long"),
					    "%d: %s", length, words);
		}
	}
}

/* Lines of all lengths across the borders of the buffers. */
static char *many_lines(size_t *length, u64 *count, char **keys)
{
	size_t room = 3 << 20, at = 0, keys_at = 0;
	char *text = tap_zalloc(room);

	*keys = tap_zalloc(room);
	*count = 0;
	while (at < room - 1024) {
		u32 addr = random_word();
		int blanks = random_below(20) ? 0 : random_below(300);
		char key[32];

		sprintf(key, "%u.%u.%u.%u", addr >> 24, addr >> 16 & 255,
			addr >> 8 & 255, addr & 255);
		at += sprintf(text + at, "%s%*s\n", key, blanks, "");
		keys_at += sprintf(*keys + keys_at, "%s\n", key);
		++*count;
	}
	*length = at;
	return text;
}

/* @seen holds the beginning of what there is only, if there is much. */
static void expect_many(const char *keys, u64 count, const char *what)
{
	tap_require(seen.count == count, "%s: %llu lines, not %llu", what,
		    seen.count, count);
	tap_require(seen.length > 200000 &&
		    !memcmp(seen.text, keys, seen.length), "%s: other keys",
		    what);
}

static void test_buffers(void)
{
	struct input input;
	char *text, *keys;
	size_t length;
	u64 count;

	text = many_lines(&length, &count, &keys);
	tap_require(!run_bytes(text, length, &input), "%s", words);
	expect_many(keys, count, "plain");
	tap_require(!input.bad, "%llu bad", input.bad);
}

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
 * @link: of a hard link, the path of the other
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
	if (file->link)
		archive_entry_set_hardlink(entry, file->link);
	if (file->type == AE_IFLNK)
		archive_entry_set_symlink(entry, "other");
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
	form.member = "*";
	tap_require(run_bytes(out, packed, &input) && strstr(words, "--member is for"),
		    "%s: %s", what, words);
	form.member = NULL;
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
	tap_require(run_bytes(out, packed + 9, &input) && strstr(words, "something else"),
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

	form.member = "*.list";
	tap_require(!run_bytes(out, packed, &input), "%s", words);
	tap_require(!strcmp(seen.text, "3.3.3.3\n"), "'%s'", seen.text);
	form.member = "b.list";
	tap_require(!run_bytes(out, packed, &input) && seen.count == 1, "%s", words);
	form.member = "*.csv";
	tap_require(run_bytes(out, packed, &input), "no file fits");
	tap_require(strstr(words, "*.csv") && strstr(words, "d/a.txt") &&
		    strstr(words, "b.list"), "%s", words);
	form.member = NULL;
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
	tap_require(run_bytes(out, packed, &input) && strstr(words, "no file in it"), "%s",
		    words);
	form.member = "*";
	tap_require(run_text("1.2.3.4\n", &input) && strstr(words, "--member is for"), "%s",
		    words);
	form.member = NULL;
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
	} others[] = {
		{ "7z\xbc\xaf\x27\x1c\0\4", 8, "7z" },
		{ "Rar!\x1a\7\1\0", 8, "rar" },
		{ "LZIP\1\x0c", 6, "lzip" },
		{ "\x5d\0\0\x80\0\xff\xff", 7, "lzma" },
		{ "\x1f\x9d\x90\x31", 4, "compress" },
		{ "\177ELF\2\1\1", 7, "ELF" },
		{ "%PDF-1.4\n", 9, "PDF" },
		{ "\xff\xfe\0\0\x31\0\0\0", 8, "UTF-32" },
		{ "1\0.\0a\0.\0b\0.\0", 12, "UTF-16" },
		{ "\0001\0.\0002\0.\0003\0.", 12, "UTF-16" },
		{ "\x89kck\r\n\x1a\n", 8, "restore" },
	};
	char out[8 * PACKED], twice[PACKED];
	struct input input;
	size_t packed, i;

	for (i = 0; i < TAP_COUNT(others); i++)
		tap_require(run_bytes(others[i].bytes, others[i].length, &input) &&
			    strstr(words, others[i].name), "%s: %s", others[i].name, words);
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

	form.kind = FORM_BYTES;
	tap_require(run_text(page, &input) && strstr(words, "HTML") &&
		    strstr(words, "--binary"), "%s", words);
	form.kind = FORM_BINARY;
	tap_require(!run_text(page, &input) && seen.count == 3, "%s", words);
	form.kind = FORM_INET;
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
	tap_require(strstr(words, "(a) behind line") && strstr(words, "signal 9"), "%s", words);
	seen.kill_child = false;
}

/* 16 MB in this program. */
static void test_bomb(void)
{
	size_t length = (16 << 20) + 1, packed;
	char *text = tap_zalloc(length), *out = tap_zalloc(1 << 20);
	struct input input;

	memset(text, '\n', length);
	packed = xz(text, length - 1, out, 1 << 20);
	tap_require(!run_bytes(out, packed, &input), "%s", words);
	packed = xz(text, length, out, 1 << 20);
	tap_require(run_bytes(out, packed, &input) && strstr(words, "more than 16 MB"), "%s",
		    words);
	packed = zip(text, length, out, 1 << 20);
	tap_require(run_bytes(out, packed, &input) && strstr(words, "more than 16 MB"), "%s",
		    words);
	packed = tar_gzip(text, length, out, 1 << 20);
	tap_require(run_bytes(out, packed, &input) && strstr(words, "more than 16 MB"), "%s",
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
		tap_require(strstr(words, "behind line 199") &&
			    strstr(words, "truncated at byte 4000"), "%s", words);
		/* A surrogate alone. */
		out[200 + !big] = '\xdc';
		tap_require(run_bytes(out, length, &input) &&
			    strstr(words, "behind line 9: the UTF-16 text is damaged at byte 200"),
			    "%s", words);
		out[200 + !big] = '\xd8';
		tap_require(run_bytes(out, length, &input) && strstr(words, "damaged at byte 200"),
			    "%s", words);
		tap_require(run_bytes(out, 202, &input) && strstr(words, "truncated at byte 200"),
			    "%s", words);
	}
	form.kind = FORM_BYTES;
	tap_require(!run_bytes(pair, sizeof(pair) - 1, &input), "%s", words);
	tap_require(!strcmp(seen.text, "#\xf0\x9f\x98\x80\xe2\x82\xac\xc3\xa9\n"), "'%s'",
		    seen.text);
	form.kind = FORM_INET;

	length = utf16("1.1.1.1\r\n2.2.2.2", false, text);
	length = gzip(text, length, packed, sizeof(packed));
	tap_require(!run_bytes(packed, length, &input) && seen.count == 2, "%s", words);
	packed_file[0].text = text;
	packed_file[0].length = 2 + 2 * 16;
	length = make_archive(&zip_shape, packed_file, out, sizeof(out));
	tap_require(!run_bytes(out, length, &input) && seen.count == 2, "%s", words);
}

static void test_unreadable(void)
{
	char * const files[] = { "/nonexistent/list", folder };
	struct input input;
	int i;

	for (i = 0; i < 2; i++) {
		tap_require(!input_init(&input, files + i, 1, false), "init");
		tap_require(run_input(&input) == -1, "%s was read", files[i]);
		tap_require(strstr(words, files[i]), "%s", words);
		input_free(&input);
	}
}

static void test_stop(void)
{
	struct input input;

	seen.stop_at = 2;
	tap_require(run_text("1.1.1.1\n2.2.2.2\n3.3.3.3\n", &input) == -1,
		    "went on");
	tap_require(seen.count == 2, "%llu", seen.count);
	seen.stop_at = 0;
}

/* Something that writes into a pipe while we read from it. */
struct feeder {
	const char *text;
	size_t length;
	int fd;
};

static void *feed(void *arg)
{
	struct feeder *feeder = arg;
	size_t at = 0;

	while (at < feeder->length) {
		size_t part = 1 + random_below(70000);
		ssize_t done;

		if (part > feeder->length - at)
			part = feeder->length - at;
		done = write(feeder->fd, feeder->text + at, part);
		if (done < 0)
			break;
		at += done;
	}
	close(feeder->fd);
	return NULL;
}

/* Standard input from a pipe, three times over. */
static void check_pipe(const char *text, size_t length, const char *keys,
		       u64 count, const char *what)
{
	static char * const files[] = { "-" };
	struct feeder feeder = { .text = text, .length = length };
	struct input input;
	int ends[2], saved, i;
	pthread_t thread;

	tap_require(!pipe(ends), "pipe");
	saved = dup(STDIN_FILENO);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	feeder.fd = ends[1];
	pthread_create(&thread, NULL, feed, &feeder);
	tap_require(!input_init(&input, files, 1, true), "init");
	for (i = 0; i < 3; i++) {
		tap_require(!run_input(&input), "%s: %s", what, words);
		expect_many(keys, count, what);
	}
	input_free(&input);
	pthread_join(thread, NULL);
	dup2(saved, STDIN_FILENO);
	close(saved);
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
	tap_require(!input_init(&input, files, 1, false), "init");
	tap_require(!run_input(&input) && !strcmp(seen.text, text), "'%s' %s", seen.text, words);
	input_free(&input);
	close(ends[0]);
}

static void test_pipe(void)
{
	size_t length, packed, room = 4 << 20;
	char *text, *keys, *out = tap_zalloc(room);
	u64 count;

	text = many_lines(&length, &count, &keys);
	check_pipe(text, length, keys, count, "plain");
	packed = gzip(text, length, out, room);
	check_pipe(out, packed, keys, count, "gzip");
	packed = zstd(text, length, out, room);
	check_pipe(out, packed, keys, count, "zstd");
	packed = zip(text, length, out, room);
	check_pipe(out, packed, keys, count, "zip");
	packed = tar_xz(text, length, out, room);
	check_pipe(out, packed, keys, count, "tar.xz");
	/* Shorter than what is read to recognize it, and read once only. */
	check_pipe_once("1.2.3.4\n");
}

/* Standard input from a file begins where its reader before us stopped. */
static void test_standard_input(void)
{
	static char * const files[] = { "-" };
	static const char text[] = "9.9.9.9\n1.2.3.4\n1.2.3.5\n";
	struct input input;
	int fd, saved, i;

	fd = open(file_with(text, strlen(text)), O_RDONLY);
	lseek(fd, 8, SEEK_SET);
	saved = dup(STDIN_FILENO);
	dup2(fd, STDIN_FILENO);
	close(fd);
	tap_require(!input_init(&input, files, 1, true), "init");
	for (i = 0; i < 2; i++) {
		tap_require(!run_input(&input), "%s", words);
		tap_require(!strcmp(seen.text, "1.2.3.4\n1.2.3.5\n"), "'%s'",
			    seen.text);
	}
	input_free(&input);
	dup2(saved, STDIN_FILENO);
	close(saved);
}

static void test_files(void)
{
	char second[80];
	char * const files[] = { path, second, path };
	struct input input;
	FILE *file;

	snprintf(second, sizeof(second), "%s2", path);
	file = fopen(second, "w");
	fputs("2.2.2.2\nbad", file);
	fclose(file);
	file_with("1.1.1.1", 7);
	tap_require(!input_init(&input, files, 3, true), "init");
	tap_require(input.total == 7 + 11 + 7, "%llu bytes", input.total);
	tap_require(!run_input(&input), "%s", words);
	tap_require(!strcmp(seen.text, "1.1.1.1\n2.2.2.2\n1.1.1.1\n"), "'%s'",
		    seen.text);
	tap_require(strstr(words, second) && strstr(words, "2:2: "), "%s",
		    words);
	input_free(&input);
	unlink(second);
}

static void expect_strings(const char *text, size_t length, const char *keys,
			   size_t keys_length, u64 returns)
{
	struct input input;

	tap_require(!run_bytes(text, length, &input) && !input.bad, "%s", words);
	tap_require(seen.length == keys_length && !memcmp(seen.text, keys, keys_length), "'%s'",
		    seen.text);
	tap_require(input.notes.returns == returns, "%llu returns", input.notes.returns);
}

#define EXPECT_STRINGS(text, keys, returns) \
	expect_strings(text, sizeof(text) - 1, keys, sizeof(keys) - 1, returns)

static void test_byte_strings(void)
{
	struct input input;

	form.kind = FORM_BYTES;
	EXPECT_STRINGS("a\n\n\357\273\277 b # x\r\n1.2.3.4\nlast",
		       "a\n\n\357\273\277 b # x\n1.2.3.4\nlast\n", 1);
	EXPECT_STRINGS("\357\273\277a\r\n\r\nb\r\r\nc\rd\r", "a\n\nb\r\nc\rd\n", 4);
	form.kind = FORM_BINARY;
	EXPECT_STRINGS("\357\273\277a\r\n\r\nb\r\r\nc\rd\r",
		       "\357\273\277a\r\n\r\nb\r\r\nc\rd\r\n", 0);
	EXPECT_STRINGS("\x1f\x8b\x08\0\nBZh91AY&SY", "\x1f\x8b\x08\0\nBZh91AY&SY\n", 0);
	EXPECT_STRINGS("\377\376a\0\n\0", "\377\376a\0\n\0\n", 0);
	form.kind = FORM_HEX;
	tap_require(!run_text("a\n\n00\r\nlast", &input), "%s", words);
	tap_require(seen.count == 2 && input.bad == 2, "%llu keys", seen.count);
	form.kind = FORM_INET;
}

static const struct tap_test tests[] = {
	{ "input.lines: blank, CRLF, byte order mark, no newline", test_lines },
	{ "input.counts: keys, ranges, host bits, bad lines", test_counts },
	{ "input.told: file, line, reason, escaped, 20 at most", test_told },
	{ "input.zero_bytes: such lines are bad", test_zero_bytes },
	{ "input.long: told and skipped", test_long },
	{ "input.buffers: lines across their borders", test_buffers },
	{ "input.gzip: members, cut, flipped, padded", test_gzip },
	{ "input.zstd: frames, cut, flipped, skipped", test_zstd },
	{ "input.streams: xz, bzip2, lz4; cut, flipped, more behind them", test_streams },
	{ "input.near_magic: a line that begins as packed data does", test_near_magic },
	{ "input.archives: zip, and tar in all that it comes in", test_archives },
	{ "input.archives_cut: an error wherever it is", test_archives_cut },
	{ "input.archives_flipped: an error, or the same list", test_archives_flipped },
	{ "input.members: in their order, by a pattern, named in errors", test_members },
	{ "input.refused: named, and packed twice too", test_refused },
	{ "input.page: a web page is no list of byte strings", test_page },
	{ "input.killed: the end of the process that unpacks is an error", test_killed },
	{ "input.bomb: no more than the limit is unpacked", test_bomb },
	{ "input.utf16: both byte orders, damaged, truncated, packed", test_utf16 },
	{ "input.unreadable: named", test_unreadable },
	{ "input.stop: the sink ends a run", test_stop },
	{ "input.pipe: read again from the spool", test_pipe },
	{ "input.standard_input: from where it stands", test_standard_input },
	{ "input.files: several in one run", test_files },
	{ "input.byte_strings: a line each, without carriage return, or all of it",
	  test_byte_strings },
};

int main(int argc, char **argv)
{
	int ret;

	strcpy(folder, "/tmp/kcuckoo-parser-XXXXXX");
	if (!mkdtemp(folder)) {
		perror(folder);
		return 2;
	}
	snprintf(path, sizeof(path), "%s/list", folder);
	ret = tap_main(argc, argv, tests, TAP_COUNT(tests));
	unlink(path);
	rmdir(folder);
	return ret;
}
