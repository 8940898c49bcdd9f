// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines of lists: every format that is promised, and what is none.
 */
#include "line.h"
#include "tap.h"

/* @key: canonical form; @last: end of a range; @text: the key as written. */
static const struct expectation {
	const char *line;
	enum line_kind kind;
	const char *key;
	const char *last;
	const char *text;
} expectations[] = {
	{ "", LINE_BLANK, NULL, NULL, NULL },
	{ " \t \r", LINE_BLANK, NULL, NULL, NULL },
	{ "# 1.2.3.4", LINE_BLANK, NULL, NULL, NULL },
	{ "  ; comment", LINE_BLANK, NULL, NULL, NULL },
	{ "// comment", LINE_BLANK, NULL, NULL, NULL },
	{ "#", LINE_BLANK, NULL, NULL, NULL },
	{ ";", LINE_BLANK, NULL, NULL, NULL },

	{ "1.2.3.4", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4" },
	{ "  1.2.3.4  ", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4" },
	{ "\t1.2.3.4\r", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4" },
	{ "1.2.3.0/24", LINE_KEY, "1.2.3.0/24", NULL, "1.2.3.0/24" },
	{ "1.2.3.9/24", LINE_KEY, "1.2.3.0/24", NULL, "1.2.3.9/24" },
	{ "1.2.3.4/32 # x", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4/32" },
	{ "1.2.3.0/24 ; SBL123", LINE_KEY, "1.2.3.0/24", NULL, "1.2.3.0/24" },
	{ "1.2.3.0/24;SBL123", LINE_KEY, "1.2.3.0/24", NULL, "1.2.3.0/24" },
	{ "1.2.3.4#comment", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4" },
	{ "1.2.3.4//comment", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4" },
	{ "1.2.3.0/24//comment", LINE_KEY, "1.2.3.0/24", NULL, "1.2.3.0/24" },
	{ "1.2.3.4\t17", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4" },
	{ "1.2.3.4,US,Example", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4" },
	{ "1.2.3.4 , x", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4" },
	{ "1.2.3.4 5.6.7.8", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4" },
	{ "1.2.3.4 - - [10/Oct] \"GET\"", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4" },
	{ "1.2.3.4 - a comment", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4" },
	{ "1.2.3.4 -", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4" },
	{ "1.2.3.4 - 12", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4" },
	{ "1.2.3.4 - 5.5 points", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4" },
	{ "1.2.3.4 - 12:30:45", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4" },
	{ "2001:DB8::/32\tx", LINE_KEY, "2001:db8::/32", NULL, "2001:DB8::/32" },
	{ "::1#x", LINE_KEY, "::1", NULL, "::1" },
	{ "::", LINE_KEY, "::", NULL, "::" },

	{ "1.2.3.4-1.2.3.9", LINE_RANGE, "1.2.3.4", "1.2.3.9", "1.2.3.4-1.2.3.9" },
	{ "1.2.3.4 - 1.2.3.9", LINE_RANGE, "1.2.3.4", "1.2.3.9",
	  "1.2.3.4 - 1.2.3.9" },
	{ "1.2.3.4- 1.2.3.9", LINE_RANGE, "1.2.3.4", "1.2.3.9", NULL },
	{ "1.2.3.4 -1.2.3.9", LINE_RANGE, "1.2.3.4", "1.2.3.9", NULL },
	{ "1.2.3.4\t-\t1.2.3.9\r", LINE_RANGE, "1.2.3.4", "1.2.3.9", NULL },
	{ "1.2.3.4 - 1.2.3.9 , 000 , x", LINE_RANGE, "1.2.3.4", "1.2.3.9",
	  "1.2.3.4 - 1.2.3.9" },
	{ "1.2.3.4-1.2.3.9#x", LINE_RANGE, "1.2.3.4", "1.2.3.9", NULL },
	{ "0.0.0.0-255.255.255.255", LINE_RANGE, "0.0.0.0", "255.255.255.255",
	  NULL },
	{ "::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", LINE_RANGE, "::",
	  "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", NULL },
	{ "2001:db8::1 - 2001:db8::f", LINE_RANGE, "2001:db8::1",
	  "2001:db8::f", NULL },
	{ "1.2.3.4-1.2.3.4", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4-1.2.3.4" },

	{ "1.2.3.9-1.2.3.4", LINE_BAD, NULL, NULL, NULL },
	{ "::2 - ::1", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4-::1", LINE_BAD, NULL, NULL, NULL },
	{ "::1 - 1.2.3.4", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.0/24-1.2.4.0", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.0-1.2.4.0/24", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.0/32-1.2.4.0/32", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4-", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4-20", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4-x", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4-1.2.3", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4-1.2.3.300", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4 - 1.2.3.300", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4 - 1.2.3.9x", LINE_KEY, "1.2.3.4", NULL, NULL },
	{ "1.2.3.4-1.2.3.9x", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4-1.2.3.9-1.2.3.12", LINE_BAD, NULL, NULL, NULL },
	{ "::1 - ::g:1:2", LINE_KEY, "::1", NULL, NULL },
	{ "::1 - ::12345", LINE_BAD, NULL, NULL, NULL },
	{ "300.1.1.1", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4.5", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4:80", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4|x", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4x", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4/24x", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4/33", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4 /24x", LINE_KEY, "1.2.3.4", NULL, NULL },
	{ "1.2.3.4/", LINE_BAD, NULL, NULL, NULL },
	{ "/24", LINE_BAD, NULL, NULL, NULL },
	{ "/ comment", LINE_BAD, NULL, NULL, NULL },
	{ "<!DOCTYPE html>", LINE_BAD, NULL, NULL, NULL },
	{ "example.com", LINE_BAD, NULL, NULL, NULL },
	{ ", 1.2.3.4", LINE_BAD, NULL, NULL, NULL },
	{ "- 1.2.3.4", LINE_BAD, NULL, NULL, NULL },
	{ "fe80::1%eth0", LINE_BAD, NULL, NULL, NULL },
	{ "::1::", LINE_BAD, NULL, NULL, NULL },
	{ "\"1.2.3.4\"", LINE_BAD, NULL, NULL, NULL },
	{ "\357\273\2771.2.3.4", LINE_BAD, NULL, NULL, NULL },
};

/* The line in memory that ends right behind it. */
static char *exact(const char *text, size_t length)
{
	char *copy = tap_zalloc(length);

	if (length)
		memcpy(copy, text, length);
	return copy;
}

static void check_key(const struct kcuckoo_prefix *key, const char *expected,
		      const char *line)
{
	char text[KCUCKOO_PREFIX_TEXT];

	kcuckoo_prefix_format(key, text);
	tap_require(!strcmp(text, expected), "'%s': %s, not %s", line, text,
		    expected);
}

static void test_table(void)
{
	size_t i;

	for (i = 0; i < TAP_COUNT(expectations); i++) {
		const struct expectation *e = &expectations[i];
		size_t length = strlen(e->line);
		char *copy = exact(e->line, length);
		struct line line;

		line_parse(copy, length, &line);
		tap_require(line.kind == e->kind, "'%s': kind %d, %s", e->line,
			    line.kind, line.why ? line.why : "no reason");
		if (e->kind == LINE_BAD)
			tap_require(line.why && *line.why, "'%s'", e->line);
		if (e->key)
			check_key(&line.key, e->key, e->line);
		if (e->last)
			check_key(&line.last, e->last, e->line);
		if (e->text)
			tap_require(line.length == strlen(e->text) &&
				    !memcmp(line.text, e->text, line.length),
				    "'%s': text '%.*s'", e->line,
				    (int)line.length, line.text);
		tap_free(copy);
	}
}

static void test_zero_bytes(void)
{
	static const struct {
		const char *text;
		size_t length;
	} cases[] = {
		{ "\0", 1 }, { "1.2.3.4\0", 8 }, { "\0001.2.3.4", 8 },
		{ "1.2.\0003.4", 8 }, { "1.2.3.4 x\0y", 11 },
		{ "# a\0b", 5 }, { "1.2.3.4-1.2.3.9\0", 16 },
		{ "1.2.3.4 - \0", 11 }, { "1.2.3.4/\0", 9 }, { "::\0", 3 },
	};
	struct line line;
	size_t i;

	for (i = 0; i < TAP_COUNT(cases); i++) {
		line_parse(exact(cases[i].text, cases[i].length),
			   cases[i].length, &line);
		tap_require(line.kind == LINE_BAD, "case %zu: kind %d", i,
			    line.kind);
	}
}

/* Any bytes at all: no sanitizer complains, and a kind comes out. */
static void test_noise(void)
{
	static const char letters[] = "0123456789abcf:.-/,;# \t\r\0x";
	int i;

	for (i = 0; i < 500000; i++) {
		size_t length = random_below(40), at;
		char *text = tap_zalloc(length);
		struct line line;

		for (at = 0; at < length; at++)
			text[at] = random_below(8) ?
				letters[random_below(sizeof(letters) - 1)] :
				(char)random_word();
		line_parse(text, length, &line);
		tap_require(line.kind <= LINE_BAD, "kind %d", line.kind);
		if (line.kind == LINE_KEY || line.kind == LINE_RANGE)
			tap_require(line.text >= text && line.length &&
				    line.text + line.length <= text + length,
				    "text outside of the line");
		tap_free(text);
	}
}

static void test_argument(void)
{
	static const struct {
		const char *text;
		enum line_kind kind;
	} cases[] = {
		{ "1.2.3.4", LINE_KEY }, { "10.0.0.1/8", LINE_KEY },
		{ "::1", LINE_KEY }, { "1.2.3.4-1.2.3.9", LINE_RANGE },
		{ "1.2.3.4 - 1.2.3.9", LINE_RANGE },
		{ "", LINE_BAD }, { "#", LINE_BAD }, { " 1.2.3.4", LINE_BAD },
		{ "1.2.3.4 ", LINE_BAD }, { "1.2.3.4 x", LINE_BAD },
		{ "1.2.3.4,x", LINE_BAD }, { "1.2.3.4\n", LINE_BAD },
		{ "1.2.3.4#", LINE_BAD }, { "x", LINE_BAD },
		{ "1.2.3.4-1.2.3.9 x", LINE_BAD },
	};
	struct line line;
	size_t i;

	for (i = 0; i < TAP_COUNT(cases); i++) {
		line_parse_key(cases[i].text, &line);
		tap_require(line.kind == cases[i].kind, "'%s': kind %d",
			    cases[i].text, line.kind);
		if (line.kind == LINE_BAD)
			tap_require(line.why && *line.why, "'%s'",
				    cases[i].text);
	}
}

static const struct tap_test tests[] = {
	{ "line.table: formats that are read, and what is none", test_table },
	{ "line.zero_bytes: make a line bad", test_zero_bytes },
	{ "line.noise: any bytes", test_noise },
	{ "line.argument: nothing may follow a key", test_argument },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
