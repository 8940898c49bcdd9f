// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists from files and pipes: cut into lines, read again.
 */
#include "lists.h"

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
				tap_require(strstr(words, ":2: the line is too long: it has more"),
					    "%d: %s", length, words);
		}
	}
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

static void test_unreadable(void)
{
	char * const files[] = { "/nonexistent/list", folder };
	struct input input;
	int i;

	for (i = 0; i < 2; i++) {
		input_init(&input, files + i, 1);
		tap_require(run_input(&input) == -1, "%s was read", files[i]);
		tap_require(strstr(words, files[i]), "%s", words);
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

static void test_pipe(void)
{
	size_t length;
	char *text, *keys;
	u64 count;

	text = many_lines(&length, &count, &keys);
	check_pipe(text, length, keys, count, "plain");
}

/* Standard input from a file begins where its reader before us stopped. */
static void test_standard_input(void)
{
	static char * const files[] = { "-" };
	static const char text[] = "9.9.9.9\n1.2.3.4\n1.2.3.5\n";
	struct input input;
	int fd, saved;

	fd = open(file_with(text, strlen(text)), O_RDONLY);
	lseek(fd, 8, SEEK_SET);
	saved = dup(STDIN_FILENO);
	dup2(fd, STDIN_FILENO);
	close(fd);
	input_init(&input, files, 1);
	tap_require(!run_input(&input), "%s", words);
	tap_require(!strcmp(seen.text, "1.2.3.4\n1.2.3.5\n"), "'%s'",
		    seen.text);
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
	input_init(&input, files, 3);
	tap_require(input.total == 7 + 11 + 7, "%llu bytes", input.total);
	tap_require(!run_input(&input), "%s", words);
	tap_require(!strcmp(seen.text, "1.1.1.1\n2.2.2.2\n1.1.1.1\n"), "'%s'",
		    seen.text);
	tap_require(strstr(words, second) && strstr(words, "2:2: "), "%s",
		    words);
	unlink(second);
}

static void expect_strings(const char *text, size_t length, const char *keys,
			   size_t keys_length, u64 returns)
{
	struct input input;

	tap_require(!run_bytes(text, length, &input) && !input.bad, "%s", words);
	tap_require(seen.length == keys_length && !memcmp(seen.text, keys, keys_length), "'%s'",
		    seen.text);
	tap_require(input.notes.carriage_returns == returns, "%llu returns",
		    input.notes.carriage_returns);
}

#define EXPECT_STRINGS(text, keys, returns) \
	expect_strings(text, sizeof(text) - 1, keys, sizeof(keys) - 1, returns)

static void test_byte_strings(void)
{
	struct input input;

	syntax.kind = SYNTAX_BYTES;
	EXPECT_STRINGS("a\n\n\357\273\277 b # x\r\n1.2.3.4\nlast",
		       "a\n\n\357\273\277 b # x\n1.2.3.4\nlast\n", 1);
	EXPECT_STRINGS("\357\273\277a\r\n\r\nb\r\r\nc\rd\r", "a\n\nb\r\nc\rd\n", 4);
	syntax.kind = SYNTAX_BINARY;
	EXPECT_STRINGS("\357\273\277a\r\n\r\nb\r\r\nc\rd\r",
		       "\357\273\277a\r\n\r\nb\r\r\nc\rd\r\n", 0);
	EXPECT_STRINGS("\x1f\x8b\x08\0\nBZh91AY&SY", "\x1f\x8b\x08\0\nBZh91AY&SY\n", 0);
	EXPECT_STRINGS("\377\376a\0\n\0", "\377\376a\0\n\0\n", 0);
	syntax.kind = SYNTAX_HEX;
	tap_require(!run_text("a\n\n00\r\nlast", &input), "%s", words);
	tap_require(seen.count == 2 && input.bad == 2, "%llu keys", seen.count);
	syntax.kind = SYNTAX_INET;
}

static const struct tap_test tests[] = {
	{ "input.lines: blank, CRLF, byte order mark, no newline", test_lines },
	{ "input.counts: keys, ranges, host bits, bad lines", test_counts },
	{ "input.told: file, line, reason, escaped, 20 at most", test_told },
	{ "input.zero_bytes: such lines are bad", test_zero_bytes },
	{ "input.long: told and skipped", test_long },
	{ "input.buffers: lines across their borders", test_buffers },
	{ "input.unreadable: named", test_unreadable },
	{ "input.stop: the sink ends a run", test_stop },
	{ "input.pipe: standard input in pieces of any size", test_pipe },
	{ "input.standard_input: from where it stands", test_standard_input },
	{ "input.files: several in one run", test_files },
	{ "input.byte_strings: a line each, without carriage return, or all of it",
	  test_byte_strings },
};

int main(int argc, char **argv)
{
	return lists_main(argc, argv, tests, TAP_COUNT(tests));
}
