// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines of lists: every format that is promised, and what is none.
 */
#include "input/line.h"
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
	{ "# 1.2.3.4\r", LINE_BLANK, NULL, NULL, NULL },
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
	{ "1.2.3.4 - - [10/Oct] \"GET\"", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4" },
	{ "1.2.3.4 - a comment", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4" },
	{ "1.2.3.4 -", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4" },
	{ "1.2.3.4 - 12 attacks", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4" },
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
	{ "1.2.3.4-1.2.3.4", LINE_RANGE, "1.2.3.4", "1.2.3.4", "1.2.3.4-1.2.3.4" },
	{ "::1 - ::1", LINE_RANGE, "::1", "::1", "::1 - ::1" },

	{ "1.2.3.4\r5.6.7.8\r", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4\r", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4" },
	{ "1.2.3.4 \r", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4" },
	{ "1.2.3.4 x\ry", LINE_BAD, NULL, NULL, NULL },
	{ "# 1.2.3.4\r5.6.7.8", LINE_BAD, NULL, NULL, NULL },
	{ "\r1.2.3.4", LINE_BAD, NULL, NULL, NULL },
	{ "\r\r", LINE_BAD, NULL, NULL, NULL },

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
	{ "1.2.3.4 - 1.2.3", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4 - 1.2.3.9x", LINE_KEY, "1.2.3.4", NULL, NULL },
	{ "1.2.3.4-1.2.3.9x", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4-1.2.3.9-1.2.3.12", LINE_BAD, NULL, NULL, NULL },
	{ "::1 - ::g:1:2", LINE_KEY, "::1", NULL, NULL },
	{ "::1 - ::12345", LINE_BAD, NULL, NULL, NULL },
	{ "300.1.1.1", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4.5", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4:80", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4|x", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4" },
	{ "1.2.3.4x", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4/24x", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4/33", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4 /24", LINE_KEY, "1.2.3.0/24", NULL, "1.2.3.0/24" },
	{ "1.2.3.4\t/8, x", LINE_KEY, "1.0.0.0/8", NULL, "1.0.0.0/8" },
	{ "2001:db8:: /128", LINE_KEY, "2001:db8::", NULL, "2001:db8::" },
	{ "1.2.3.4 /24x", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.4 /", LINE_KEY, "1.2.3.4", NULL, NULL },
	{ "1.2.3.4 /2026/index", LINE_KEY, "1.2.3.4", NULL, NULL },
	{ "1.2.3.4 /2026", LINE_BAD, NULL, NULL, NULL },
	{ "1.2.3.0/24 /24", LINE_KEY, "1.2.3.0/24", NULL, NULL },
	{ "1.2.3.4/", LINE_BAD, NULL, NULL, NULL },
	{ "/24", LINE_BAD, NULL, NULL, NULL },
	{ "/ comment", LINE_BAD, NULL, NULL, NULL },
	{ "<!DOCTYPE html>", LINE_BAD, NULL, NULL, NULL },
	{ "example.com", LINE_BAD, NULL, NULL, NULL },
	{ ", 1.2.3.4", LINE_BAD, NULL, NULL, NULL },
	{ "- 1.2.3.4", LINE_BAD, NULL, NULL, NULL },
	{ "fe80::1%eth0", LINE_BAD, NULL, NULL, NULL },
	{ "::1::", LINE_BAD, NULL, NULL, NULL },
	{ "\"1.2.3.4\"", LINE_KEY, "1.2.3.4", NULL, "1.2.3.4" },
	{ "\357\273\2771.2.3.4", LINE_BAD, NULL, NULL, NULL },
};

static const struct syntax list;

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

		line_parse(copy, length, &list, &line);
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
			   cases[i].length, &list, &line);
		tap_require(line.kind == LINE_BAD, "case %zu: kind %d", i,
			    line.kind);
	}
}

static const struct syntax noted = { .max_value = 255, .timeouts = true };

static void check_noise(const struct line *line, const char *text, size_t length)
{
	tap_require(line->kind <= LINE_BAD, "kind %d", line->kind);
	tap_require(line->kind != LINE_BAD || (line->why && *line->why), "why?");
	if (line->kind != LINE_KEY && line->kind != LINE_RANGE)
		return;
	tap_require(line->length, "no text");
	tap_require(line->text == line->canonical ||
		    (line->text >= text && line->text + line->length <= text + length),
		    "text outside of the line");
	tap_require(line->rest > text && line->rest <= text + length, "the rest");
}

/* Any bytes at all: no sanitizer complains, and a kind comes out. */
static void test_noise(void)
{
	static const char letters[] = "0123456789abcf:.-/,;# \t\r\0x|\"[]>to";
	struct syntax syntax = noted;
	int i;

	for (i = 0; i < 500000; i++) {
		size_t length = random_below(40), at;
		char *text = tap_zalloc(length);
		struct line line;

		for (at = 0; at < length; at++)
			text[at] = random_below(8) ?
				letters[random_below(sizeof(letters) - 1)] :
				(char)random_word();
		syntax.layout = random_below(3);
		syntax.ranges = random_below(2);
		syntax.exact = random_below(2);
		line_parse(text, length, &syntax, &line);
		do {
			check_noise(&line, text, length);
		} while (syntax.layout == LAYOUT_ROW &&
			 line_parse_next(text + length, &syntax, &line));
		tap_free(text);
	}
}

/*
 * Long lines of a sign that is repeated: a parser that reads a field again at each sign
 * takes hours for them.
 */
static void test_long(void)
{
	static const char * const signs[] = {
		"/", "//1", "#", "x//", "\"", "=\"", "\"\" ", "- ", "(", "mask ", "mask,-,", "1 ",
		":", "::", ".", "value ", "not//", "!", "::1/", "x=1.2.3.4",
	};
	size_t size = 512 << 10, length, i;
	struct syntax syntax = noted;
	char *text = tap_zalloc(size);
	struct line line;

	for (i = 0; i < 3 * TAP_COUNT(signs); i++) {
		length = sprintf(text, "192.0.2.1 - x ");
		while (length + 16 < size)
			length += sprintf(text + length, "%s", signs[i / 3]);
		syntax.layout = i % 3;
		line_parse(text, length, &syntax, &line);
		do {
			check_noise(&line, text, length);
		} while (syntax.layout == LAYOUT_ROW &&
			 line_parse_next(text + length, &syntax, &line));
	}
	tap_free(text);
}

static void test_argument(void)
{
	static const struct {
		const char *text;
		enum line_kind kind;
	} cases[] = {
		{ "1.2.3.4", LINE_KEY }, { "10.0.0.1/8", LINE_KEY },
		{ "::1", LINE_KEY }, { "1.2.3.4-1.2.3.9", LINE_RANGE },
		{ "1.2.3.4 - 1.2.3.9", LINE_RANGE }, { "::1-::1", LINE_RANGE },
		{ "", LINE_BAD }, { "#", LINE_BAD }, { " 1.2.3.4", LINE_BAD },
		{ "1.2.3.4 ", LINE_BAD }, { "1.2.3.4 x", LINE_BAD },
		{ "1.2.3.4,x", LINE_BAD }, { "1.2.3.4\n", LINE_BAD },
		{ "1.2.3.4#", LINE_BAD }, { "x", LINE_BAD },
		{ "1.2.3.4-1.2.3.9 x", LINE_BAD },
	};
	struct line line;
	size_t i;

	for (i = 0; i < TAP_COUNT(cases); i++) {
		line_parse_key(cases[i].text, &list, &line);
		tap_require(line.kind == cases[i].kind, "'%s': kind %d",
			    cases[i].text, line.kind);
		if (line.kind == LINE_BAD)
			tap_require(line.why && *line.why, "'%s'",
				    cases[i].text);
	}
}

/* A command that takes no ranges gives the error text, so that it can name itself. */
static void test_no_ranges(void)
{
	static const char * const texts[] = {
		"1.2.3.4-1.2.3.9", "1.2.3.4-1.2.3.4", "::1 - ::1",
	};
	static const char why[] = "no range";
	static const struct syntax one = { .no_ranges = why };
	struct line line;
	size_t i;

	for (i = 0; i < TAP_COUNT(texts); i++) {
		line_parse_key(texts[i], &one, &line);
		tap_require(line.kind == LINE_BAD && line.why == why, "'%s': kind %d",
			    texts[i], line.kind);
		line_parse(texts[i], strlen(texts[i]), &one, &line);
		tap_require(line.kind == LINE_BAD && line.why == why, "'%s': kind %d",
			    texts[i], line.kind);
	}
}

/* What stands behind a key, where the filter has values and timeouts. */
static void test_note(void)
{
	static const struct {
		const char *line;
		enum line_kind kind;
		int has;
		__u32 value;
		__u32 timeout;
	} cases[] = {
		{ "1.2.3.4", LINE_KEY, 0, 0, 0 },
		{ "1.2.3.4 value 7", LINE_KEY, 1, 7, 0 },
		{ "1.2.3.4 timeout 120", LINE_KEY, 2, 0, 120 },
		{ "1.2.3.0/24 value 7 timeout 2h", LINE_KEY, 3, 7, 7200 },
		{ "1.2.3.4 timeout 0 value 0x10", LINE_KEY, 3, 16, 0 },
		{ "1.2.3.4-1.2.3.9\tvalue\t9\r", LINE_RANGE, 1, 9, 0 },
		{ "1.2.3.4 - 1.2.3.9 timeout 1 # x", LINE_RANGE, 2, 0, 1 },
		{ "::1 value 7, timeout 5", LINE_BAD, 0, 0, 0 },
		{ "::1 value 7, x", LINE_KEY, 1, 7, 0 },
		{ "1.2.3.4 US timeout (300) x", LINE_BAD, 0, 0, 0 },
		{ "1.2.3.4 value 7;x", LINE_KEY, 1, 7, 0 },
		{ "1.2.3.4 value 7 US value 8", LINE_BAD, 0, 0, 0 },
		{ "1.2.3.4 US value 8", LINE_BAD, 0, 0, 0 },
		{ "1.2.3.4 Value 8", LINE_BAD, 0, 0, 0 },
		{ "1.2.3.4 TIMEOUT 2h", LINE_BAD, 0, 0, 0 },
		{ "1.2.3.4 value=8", LINE_BAD, 0, 0, 0 },
		{ "1.2.3.4 value = 8", LINE_BAD, 0, 0, 0 },
		{ "1.2.3.4 timeout: 300", LINE_BAD, 0, 0, 0 },
		{ "1.2.3.4,x,(timeout:300)", LINE_BAD, 0, 0, 0 },
		{ "1.2.3.4 5 timeout 300", LINE_BAD, 0, 0, 0 },
		{ "1.2.3.4 \"timeout\" \"300\"", LINE_BAD, 0, 0, 0 },
		{ "1.2.3.4 value 7 timeout=300", LINE_BAD, 0, 0, 0 },
		{ "1.2.3.4 target of high value for bots", LINE_KEY, 0, 0, 0 },
		{ "1.2.3.4 US timeout", LINE_KEY, 0, 0, 0 },
		{ "1.2.3.4 values 8", LINE_KEY, 0, 0, 0 },
		{ "1.2.3.4 # value 8", LINE_KEY, 0, 0, 0 },
		{ "1.2.3.4 - value 8", LINE_BAD, 0, 0, 0 },
		{ "1.2.3.4 value 255", LINE_KEY, 1, 255, 0 },
		{ "1.2.3.4 value 256", LINE_BAD, 0, 0, 0 },
		{ "1.2.3.4 value", LINE_BAD, 0, 0, 0 },
		{ "1.2.3.4 value x", LINE_BAD, 0, 0, 0 },
		{ "1.2.3.4 value 7x", LINE_BAD, 0, 0, 0 },
		{ "1.2.3.4 value 7 value 7", LINE_BAD, 0, 0, 0 },
		{ "1.2.3.4 timeout", LINE_BAD, 0, 0, 0 },
		{ "1.2.3.4 timeout 11y", LINE_BAD, 0, 0, 0 },
		{ "1.2.3.4 timeout 1 timeout 2", LINE_BAD, 0, 0, 0 },
	};
	static const struct syntax none, needy = {
		.max_value = 9, .needs_value = true,
	}, timed = { .timeouts = true };
	struct line line;
	int lost;
	size_t i;

	for (i = 0; i < TAP_COUNT(cases); i++) {
		size_t length = strlen(cases[i].line);
		char *copy = exact(cases[i].line, length);

		line_parse(copy, length, &noted, &line);
		tap_require(line.kind == cases[i].kind, "'%s': kind %d",
			    cases[i].line, line.kind);
		if (line.kind == LINE_BAD)
			continue;
		tap_require(line.has == cases[i].has, "'%s': has %d",
			    cases[i].line, line.has);
		tap_require(!(line.has & LINE_VALUE) ||
			    line.value == cases[i].value, "'%s': value %u",
			    cases[i].line, line.value);
		tap_require(!(line.has & LINE_TIMEOUT) ||
			    line.timeout == cases[i].timeout,
			    "'%s': timeout %u", cases[i].line, line.timeout);
		/* Without values and timeouts these are columns like others, but noted. */
		line_parse(copy, length, &none, &line);
		lost = 0;
		if (cases[i].value)
			lost |= LINE_VALUE;
		if (cases[i].timeout)
			lost |= LINE_TIMEOUT;
		tap_require(line.kind == cases[i].kind && !line.has && line.lost == lost,
			    "'%s': lost %d", cases[i].line, line.lost);
	}
	line_parse("1.2.3.4 US value 8", 18, &none, &line);
	tap_require(line.kind == LINE_KEY, "a filter without values");
	line_parse("1.2.3.4 US value 8", 18, &timed, &line);
	tap_require(line.kind == LINE_KEY, "a filter without values");
	line_parse("1.2.3.4", 7, &needy, &line);
	tap_require(line.kind == LINE_BAD, "a value is needed");
	/* What a filter does not have hides nothing that it has. */
	line_parse("1.2.3.4 timeout 2h value 7", 26, &needy, &line);
	tap_require(line.kind == LINE_KEY && line.has == LINE_VALUE && line.value == 7,
		    "a value behind a timeout");
	line_parse("1.2.3.4 value 7 timeout 2h", 26, &timed, &line);
	tap_require(line.kind == LINE_KEY && line.has == LINE_TIMEOUT && line.timeout == 7200,
		    "a timeout behind a value");
}

/* What list prints, load reads. */
static void test_dump(void)
{
	struct syntax syntax = { .max_value = UINT32_MAX, .timeouts = true };
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	struct line line, back;
	char text[LINE_TEXT];
	int i, at, length;

	for (i = 0; i < 200000; i++) {
		memset(&line.key, 0, sizeof(line.key));
		line.key.family = 1 + random_below(2);
		line.key.plen = random_below(line.key.family == 1 ? 33 : 129);
		for (at = 0; at < line.key.plen; at++)
			if (random_below(2))
				line.key.addr[at / 8] |= 0x80 >> at % 8;
		line.has = random_below(4);
		line.value = random_edge(32);
		line.timeout = random_below(KCUCKOO_TIMEOUT_MAX + 1U);
		length = line_format(&line, text);
		tap_require(length > 0 && length < LINE_TEXT, "%d", length);
		if (!memcmp(line.key.addr, mapped, sizeof(mapped)))
			continue;
		line_parse(text, length, &syntax, &back);
		tap_require(back.kind == LINE_KEY && back.has == line.has &&
			    !memcmp(&back.key, &line.key, sizeof(line.key)),
			    "'%s'", text);
		tap_require(!(line.has & LINE_VALUE) ||
			    back.value == line.value, "'%s'", text);
		tap_require(!(line.has & LINE_TIMEOUT) ||
			    back.timeout == line.timeout, "'%s'", text);
	}
	line.key.family = 0;
	tap_require(line_format(&line, text) < 0, "'%s'", text);
}

static const struct tap_test tests[] = {
	{ "line.table: formats that are read, and what is none", test_table },
	{ "line.zero_bytes: make a line bad", test_zero_bytes },
	{ "line.noise: any bytes", test_noise },
	{ "line.long: the work for a line grows only with its length", test_long },
	{ "line.argument: nothing may follow a key", test_argument },
	{ "line.no_ranges: a range is not one key", test_no_ranges },
	{ "line.note: values and timeouts behind a key", test_note },
	{ "line.dump: what is printed is read back", test_dump },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
