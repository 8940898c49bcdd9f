// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists from files and pipes: cut into lines, unpacked, read again.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
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
};

static struct seen seen;
static char words[8192];

static int take(void *context, const struct line *line,
		const struct place *place)
{
	struct seen *s = context;

	s->count++;
	s->last_number = place->number;
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
	u64 stop_at = seen.stop_at;
	int saved, ret;
	FILE *file;

	memset(&seen, 0, sizeof(seen));
	seen.stop_at = stop_at;
	file = catch_words(&saved);
	ret = input_run(input, take, &seen);
	release_words(file, saved);
	return ret;
}

static int run_bytes(const void *data, size_t length, struct input *input)
{
	static char *files[1];
	int ret;

	files[0] = file_with(data, length);
	tap_require(!input_init(input, files, 1, false), "init");
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
			memcpy(text + at - 8, " 9.9.9.9", 8);
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

/* Cut off anywhere, it is an error and never a shorter list. */
static void check_cut(packer pack, const char *what)
{
	static const char text[] =
		"1.2.3.4\n1.2.3.5\n2001:db8::/32\n198.51.100.0/24\n";
	char out[512];
	struct input input;
	size_t packed, cut;

	packed = pack(text, strlen(text), out, sizeof(out));
	tap_require(!run_bytes(out, packed, &input), "%s", words);
	tap_require(seen.count == 4, "%llu lines", seen.count);
	for (cut = 4; cut < packed; cut++) {
		tap_require(run_bytes(out, cut, &input),
			    "%s cut at %zu of %zu was read", what, cut, packed);
		tap_require(strstr(words, path) && strstr(words, "truncated"),
			    "%s cut at %zu: %s", what, cut, words);
	}
}

/* With a flipped bit, an error or, where the format has slack, the same. */
static void check_flipped(packer pack, const char *what)
{
	static const char text[] = "1.2.3.4\n1.2.3.5\n2001:db8::/32\n";
	char out[512];
	struct input input;
	size_t packed, bit;

	packed = pack(text, strlen(text), out, sizeof(out));
	for (bit = 32; bit < 8 * packed; bit++) {
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
	check_cut(gzip, "gzip");
	check_flipped(gzip, "gzip");

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
	check_cut(zstd, "zstd");
	check_flipped(zstd, "zstd");

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

static void test_other_packers(void)
{
	struct input input;

	tap_require(run_bytes("\3757zXZ\0\0\4", 8, &input), "xz");
	tap_require(strstr(words, "xz -dc"), "%s", words);
	tap_require(run_bytes("BZh91AY&SY", 10, &input), "bzip2");
	tap_require(strstr(words, "bzip2 -dc"), "%s", words);
	tap_require(run_bytes("BZh1\x17\x72\x45\x38\x50\x90\0\0\0\0", 14, &input),
		    "bzip2 of nothing");
	tap_require(strstr(words, "bzip2 -dc"), "%s", words);
	/* What begins alike is a line. */
	tap_require(!run_bytes("BZh91AY&SZ\n1.2.3.4\n", 19, &input) && input.bad == 1,
		    "%s", words);
	tap_require(!run_bytes("BZh01AY&SY\n1.2.3.4\n", 19, &input) && input.bad == 1,
		    "%s", words);
	tap_require(!run_bytes("BZh9\n1.2.3.4", 12, &input) && input.bad == 1, "%s",
		    words);
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

static void test_byte_strings(void)
{
	static const char text[] = "a\n\n\357\273\277 b # \r\n1.2.3.4\nlast";
	static char *files[1];
	struct input input;

	files[0] = file_with(text, sizeof(text) - 1);
	tap_require(!input_init(&input, files, 1, false), "init");
	input.form.kind = FORM_BYTES;
	tap_require(!run_input(&input), "%s", words);
	tap_require(seen.count == 5 && !input.bad, "%llu keys", seen.count);
	tap_require(seen.length == sizeof(text) &&
		    !memcmp(seen.text, text, sizeof(text) - 1), "'%s'",
		    seen.text);
	input.form.kind = FORM_HEX;
	tap_require(!run_input(&input), "%s", words);
	tap_require(seen.count == 1 && input.bad == 4, "%llu keys", seen.count);
	input_free(&input);
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
	{ "input.other_packers: told what to do", test_other_packers },
	{ "input.unreadable: named", test_unreadable },
	{ "input.stop: the sink ends a run", test_stop },
	{ "input.pipe: read again from the spool", test_pipe },
	{ "input.standard_input: from where it stands", test_standard_input },
	{ "input.files: several in one run", test_files },
	{ "input.byte_strings: every line is one, the empty ones too",
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
