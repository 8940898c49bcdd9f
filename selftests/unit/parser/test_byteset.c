// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets of byte strings: kept in order, repeats found; lines as byte strings.
 */
#include <errno.h>

#include "keys/byteset.h"
#include "input/line.h"
#include "tap.h"

#define STRINGS	3000

static void test_order(void)
{
	struct byteset set = { .count = 0 };
	static u8 bytes[STRINGS][40];
	static size_t lengths[STRINGS];
	size_t i, at;

	for (i = 0; i < STRINGS; i++) {
		lengths[i] = random_below(40);
		for (at = 0; at < lengths[i]; at++)
			bytes[i][at] = random_word();
		tap_require(!byteset_add(&set, bytes[i], lengths[i]), "memory");
	}
	tap_require(set.count == STRINGS, "%zu", set.count);
	for (i = 0, at = 0; i < STRINGS; at += lengths[i++]) {
		tap_require(set.lengths[i] == lengths[i], "string %zu", i);
		tap_require(!memcmp(set.bytes + at, bytes[i], lengths[i]),
			    "string %zu", i);
	}
	tap_require(set.size == at, "%zu bytes", set.size);
	tap_require(byteset_at(&set, STRINGS - 1) == (char *)set.bytes + at -
		    lengths[STRINGS - 1], "the last one");
	byteset_clear(&set);
	tap_require(!set.count && !set.size, "cleared");
	byteset_free(&set);
}

static void test_longest(void)
{
	static const u8 bytes[UINT16_MAX + 1];
	struct byteset set = { .count = 0 };

	tap_require(byteset_add(&set, bytes, sizeof(bytes)) == -EMSGSIZE,
		    "one byte too many");
	tap_require(!set.count && !set.size, "nothing was kept");
	tap_require(!byteset_add(&set, bytes, sizeof(bytes) - 1), "the longest");
	tap_require(set.count == 1 && set.lengths[0] == UINT16_MAX, "its length");
	byteset_free(&set);
}

static void expect_repeats(const char *letters, size_t expected,
			   size_t expected_first)
{
	struct byteset set = { .count = 0 };
	size_t repeats, first = 99;
	const char *at;

	/* A letter stands for as many of it as its place in the alphabet. */
	for (at = letters; *at; at++) {
		char text[32];

		memset(text, *at, sizeof(text));
		byteset_add(&set, text, *at - 'a');
	}
	tap_require(!byteset_repeats(&set, &repeats, &first), "memory");
	tap_require(repeats == expected, "'%s': %zu", letters, repeats);
	if (expected)
		tap_require(first == expected_first, "'%s': %zu", letters,
			    first);
	byteset_free(&set);
}

static void test_repeats(void)
{
	expect_repeats("", 0, 0);
	expect_repeats("a", 0, 0);
	expect_repeats("abcdef", 0, 0);
	expect_repeats("aa", 1, 1);
	expect_repeats("bab", 1, 2);
	expect_repeats("zyxzz", 2, 3);
	expect_repeats("ddcc", 2, 3);
}

/* Of AddressSanitizer. */
int __sanitizer_install_malloc_and_free_hooks(void (*taken)(const volatile void *, size_t),
					      void (*given)(const volatile void *));

static size_t allocated;

static void count_taken(const volatile void *memory, size_t size)
{
	(void)memory;
	allocated += size;
}

static void ignore_given(const volatile void *memory)
{
	(void)memory;
}

/* The manual says how much: 2 bytes for the length, and these. */
static void test_memory(void)
{
	struct byteset set = { .count = 0 };
	size_t repeats, first;
	u32 i;

	for (i = 0; i < STRINGS; i++)
		tap_require(!byteset_add(&set, &i, sizeof(i)), "memory");
	tap_require(__sanitizer_install_malloc_and_free_hooks(count_taken, ignore_given),
		    "no hooks");
	allocated = 0;
	tap_require(!byteset_repeats(&set, &repeats, &first) && !repeats, "%zu", repeats);
	tap_require(allocated <= 16 * (STRINGS + 1), "%zu bytes for %d strings", allocated,
		    STRINGS);
	byteset_free(&set);
}

/* Strings of few kinds, empty ones among them: each stays once, in its place. */
static void check_unify(size_t count)
{
	size_t i, at, expected = 0;
	bool found[64] = { false };
	struct byteset set;
	uint8_t order[64];

	memset(&set, 0, sizeof(set));
	for (i = 0; i < count; i++) {
		/* Kind 0 is empty; the bytes of some kinds begin others. */
		uint8_t kind = random_below(64);
		uint8_t bytes[64];

		memset(bytes, kind / 8, sizeof(bytes));
		tap_require(!byteset_add(&set, bytes, kind % 8), "no memory");
		kind = kind % 8 ? kind : 0;
		if (!found[kind])
			order[expected++] = kind;
		found[kind] = true;
	}
	tap_require(!byteset_unify(&set), "no memory");
	tap_require(set.count == expected, "%zu strings, not %zu", set.count,
		    expected);
	for (i = 0, at = 0; i < set.count; at += set.lengths[i++]) {
		/* An empty string has no place of its own. */
		if (!set.lengths[i])
			continue;
		found[(set.bytes[at] * 8) + set.lengths[i]] = false;
	}
	tap_require(at == set.size, "%zu bytes", set.size);
	for (i = 1; i < 64; i++)
		tap_require(!found[i] || i % 8 == 0, "kind %zu is gone", i);
	for (i = 0, at = 0; i < set.count; at += set.lengths[i++])
		if (set.lengths[i] && order[i])
			tap_require(set.bytes[at] * 8 + set.lengths[i] == order[i],
				    "string %zu has another place", i);
	byteset_free(&set);
}

static void test_unify(void)
{
	size_t i;

	for (i = 0; i < 500; i++)
		check_unify(random_below(200));
}

static void test_bytes_line(void)
{
	static const char longest[KCUCKOO_BYTES_MAX + 1];
	struct line line;

	line_take_bytes("", 0, &line);
	tap_require(line.kind == LINE_BYTES && !line.size, "the empty line");
	line_take_bytes(" # \0\r", 5, &line);
	tap_require(line.kind == LINE_BYTES && line.size == 5 &&
		    !memcmp(line.bytes, " # \0\r", 5), "all that is on a line");
	line_take_bytes(longest, KCUCKOO_BYTES_MAX, &line);
	tap_require(line.kind == LINE_BYTES, "the longest");
	line_take_bytes(longest, KCUCKOO_BYTES_MAX + 1, &line);
	tap_require(line.kind == LINE_BAD && line.why, "one byte longer");
}

static void test_hex_line(void)
{
	static const char * const bad[] = {
		"0", "0g", "g0", "0x00", "00 ", " 00", "00:11", "00\n",
	};
	static char longest[2 * KCUCKOO_BYTES_MAX + 2];
	struct line line;
	size_t i;

	line_take_hex("", 0, &line);
	tap_require(line.kind == LINE_BYTES && !line.size, "the empty line");
	line_take_hex("00fFA9\r", 7, &line);
	tap_require(line.kind == LINE_BYTES && line.size == 3 &&
		    !memcmp(line.bytes, "\0\xff\xa9", 3), "three bytes");
	tap_require(line.length == 6, "as it was written");
	for (i = 0; i < TAP_COUNT(bad); i++) {
		line_take_hex(bad[i], strlen(bad[i]), &line);
		tap_require(line.kind == LINE_BAD && line.why, "'%s'", bad[i]);
	}
	memset(longest, 'e', sizeof(longest));
	line_take_hex(longest, sizeof(longest) - 2, &line);
	tap_require(line.kind == LINE_BYTES && line.size == KCUCKOO_BYTES_MAX,
		    "the longest");
	line_take_hex(longest, sizeof(longest), &line);
	tap_require(line.kind == LINE_BAD && line.why, "one byte longer");
}

static const struct tap_test tests[] = {
	{ "byteset.order: byte strings stay as they came", test_order },
	{ "byteset.longest: more bytes than a length can tell", test_longest },
	{ "byteset.repeats: are counted, and the first is told", test_repeats },
	{ "byteset.unify: equal strings become one", test_unify },
	{ "byteset.memory: few bytes to find repeats", test_memory },
	{ "byteset.line: is a key with all that is on it", test_bytes_line },
	{ "byteset.hex: two digits a byte, nothing else", test_hex_line },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
