// SPDX-License-Identifier: GPL-2.0-only
/*
 * The input is a list, behind some bytes that tell how it is to be read: as
 * addresses or byte strings, with which words behind them, packed or not, from a
 * file or a pipe. What is taken for a key has to be one to others, too. Numbers
 * are read from the beginning of the same bytes.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "keys/byteset.h"
#include "input/input.h"
#include "keys/keyset.h"
#include "number.h"
#include "keys/range.h"
#include "tap.h"

#include "bytes.h"

/* Longest list, packed or not; less than what a pipe holds. */
#define LONGEST		4096

/* Of so many keys each is compared with each. */
#define FEW		60

/* How the list is to be read. */
struct reading {
	struct syntax syntax;
	bool gzip;
	bool zstd;
	bool pipe;
};

/* What one run over the list found. */
struct found {
	const struct syntax *syntax;
	struct keyset keys;
	struct byteset strings;
	u64 count;
	u64 ranges;
};

static __uint128_t wide_of(const struct kcuckoo_prefix *key)
{
	int bytes = key->family == KCUCKOO_FAMILY_IPV4 ? 4 : 16, i;
	__uint128_t wide = 0;

	for (i = 0; i < bytes; i++)
		wide = wide << 8 | key->addr[i];
	return wide;
}

static int bits_of(const struct kcuckoo_prefix *key)
{
	return key->family == KCUCKOO_FAMILY_IPV4 ? 32 : 128;
}

/* Host bits of a prefix, all of them one. */
static __uint128_t host_mask(const struct kcuckoo_prefix *key)
{
	int host = bits_of(key) - key->plen;

	return host == 128 ? ~(__uint128_t)0 : ((__uint128_t)1 << host) - 1;
}

static bool same_key(const struct kcuckoo_prefix *a,
		     const struct kcuckoo_prefix *b)
{
	return a->family == b->family && a->plen == b->plen &&
	       !memcmp(a->addr, b->addr, bits_of(a) / 8);
}

static bool is_mapped(const struct kcuckoo_prefix *key)
{
	static const u8 mapped[12] = { [10] = 0xff, [11] = 0xff };

	return key->family == KCUCKOO_FAMILY_IPV6 &&
	       !memcmp(key->addr, mapped, sizeof(mapped));
}

/* Is it canonical, and does it come back from its text? */
static void check_key(const struct kcuckoo_prefix *key)
{
	char text[KCUCKOO_PREFIX_TEXT];
	struct kcuckoo_prefix back;
	int ret;

	tap_require(key->family == KCUCKOO_FAMILY_IPV4 ||
		    key->family == KCUCKOO_FAMILY_IPV6, "%u", key->family);
	tap_require(key->plen <= bits_of(key), "/%u", key->plen);
	tap_require(!(wide_of(key) & host_mask(key)), "host bits");
	ret = kcuckoo_prefix_format(key, text);
	tap_require(ret > 0 && ret < KCUCKOO_PREFIX_TEXT &&
		    ret == (int)strlen(text), "%d", ret);
	tap_require(!kcuckoo_prefix_parse(text, &back, NULL) &&
		    (same_key(&back, key) ||
		     (is_mapped(key) && key->plen >= 104)), "'%s'", text);
}

/* The text without the zeros that pad the numbers of an IPv4 address. */
static void strip_zeros(char *text)
{
	char *to = text, *at = text;

	if (strlen(text) != 15 || strspn(text, "0123456789.") != 15)
		return;
	for (; *at; at++) {
		bool first = at == text || at[-1] == '.' || to == text || to[-1] == '.';

		if (first && *at == '0' && at[1] >= '0' && at[1] <= '9')
			continue;
		*to++ = *at;
	}
	*to = 0;
}

/*
 * Does the C library read an address in @text, up to the slash? One of IPv4 may be
 * padded with zeros; a mapped one is IPv4 unless @exact.
 */
static bool library_reads(const char *text, size_t length, bool exact,
			  struct kcuckoo_prefix *key)
{
	char copy[64];

	if (length >= sizeof(copy))
		return false;
	memcpy(copy, text, length);
	copy[length] = 0;
	copy[strcspn(copy, "/")] = 0;
	memset(key, 0, sizeof(*key));
	key->family = KCUCKOO_FAMILY_IPV6;
	key->plen = 128;
	if (inet_pton(AF_INET6, copy, key->addr) == 1) {
		if (is_mapped(key) && !exact) {
			memmove(key->addr, key->addr + 12, 4);
			memset(key->addr + 4, 0, 12);
			key->family = KCUCKOO_FAMILY_IPV4;
			key->plen = 32;
		}
		return true;
	}
	strip_zeros(copy);
	key->family = KCUCKOO_FAMILY_IPV4;
	key->plen = 32;
	return inet_pton(AF_INET, copy, key->addr) == 1;
}

/* The C library reads the same address there. */
static void check_library(const struct line *line, bool exact)
{
	bool ipv4 = line->key.family == KCUCKOO_FAMILY_IPV4;
	struct kcuckoo_prefix other, key = line->key;

	/* A short prefix of mapped addresses is not translated. */
	exact |= !ipv4;
	tap_require(library_reads(line->text, line->length, exact, &other),
		    "'%.*s'", (int)line->length, line->text);
	other.plen = key.plen;
	tap_require(other.family == key.family, "%u", other.family);
	tap_require((wide_of(&other) & ~host_mask(&other)) == wide_of(&key),
		    "'%.*s'", (int)line->length, line->text);
	if (line->text != line->canonical)
		tap_require(!line->host_bits ==
			    !(wide_of(&other) & host_mask(&other)), "'%.*s'",
			    (int)line->length, line->text);
}

/* Addresses that stand in a line, as far as it is not a comment. */
struct addresses {
	struct kcuckoo_prefix list[8];
	int count;
};

/*
 * Find all addresses that stand by themselves between signs that no address has. A
 * simple model of what a line says.
 */
static void find_addresses(const char *at, const char *end, bool exact,
			   struct addresses *found)
{
	static const char letters[] = "0123456789abcdefABCDEF.:";

	found->count = 0;
	while (at < end && found->count < 8) {
		const char *start = at, *sign, *colon;
		struct kcuckoo_prefix *next;

		while (at < end && *at && strchr(letters, *at))
			at++;
		/* Two dots are the sign of a range. */
		for (sign = start; sign + 1 < at; sign++)
			if (sign[0] == '.' && sign[1] == '.')
				break;
		if (sign + 1 < at)
			at = sign;
		/* A name may stand before an address, or a port after it. */
		colon = at > start ? memrchr(start, ':', at - start) : NULL;
		next = &found->list[found->count];
		if (at > start && (library_reads(start, at - start, exact, next) ||
				   (colon && (library_reads(colon + 1, at - colon - 1,
							    exact, next) ||
					      library_reads(start, colon - start,
							    exact, next)))))
			found->count++;
		if (at == start)
			at++;
		while (at < end && *at == '.')
			at++;
	}
}

static bool covers(const struct kcuckoo_prefix *key,
		   const struct kcuckoo_prefix *address)
{
	return key->family == address->family &&
	       (wide_of(address) & ~host_mask(key)) == wide_of(key);
}

/*
 * A key of a list has an address of its line in it; so has each end of a range, which
 * is such an address. Nothing is a key that its line does not name.
 */
static void check_named(const struct line *line, const char *text, size_t length,
			bool exact)
{
	struct addresses found;
	int i, first = 0, last = 0;

	/* A short prefix of mapped addresses is not translated, nor are some ranges. */
	exact |= line->key.family == KCUCKOO_FAMILY_IPV6;
	find_addresses(text, text + length, exact, &found);
	if (found.count == 8)
		return;
	for (i = 0; i < found.count; i++) {
		first += covers(&line->key, &found.list[i]);
		last += line->kind == LINE_RANGE && covers(&line->last, &found.list[i]);
	}
	tap_require(first, "'%.*s'", (int)length, text);
	tap_require(last || line->kind != LINE_RANGE, "'%.*s'", (int)length, text);
}

/*
 * Each line for itself: a key or range is named by it, a second address makes no more of
 * two hosts than one network, and the line without its blanks is the same one.
 */
static void check_line(const char *text, size_t length,
		       const struct syntax *syntax)
{
	struct line line, back;

	line_parse(text, length, syntax, &line);
	line_parse(text, length, syntax, &back);
	tap_require(line.kind == back.kind, "%d, then %d", line.kind, back.kind);
	do {
		tap_require(line.kind != LINE_BAD || (line.why && *line.why), "why?");
		if (line.kind != LINE_KEY && line.kind != LINE_RANGE)
			return;
		check_named(&line, text, length, syntax->exact);
		tap_require(syntax->ranges || !line.has_second ||
			    line.kind == LINE_KEY,
			    "a range of '%.*s'", (int)length, text);
	} while (syntax->layout == LAYOUT_ROW &&
		 line_parse_next(text + length, syntax, &line));
}

static void check_lines(const uint8_t *data, size_t size,
			const struct syntax *syntax)
{
	const char *at = (const char *)data, *end = at + size, *newline;

	if (syntax->kind != SYNTAX_INET || syntax->layout > LAYOUT_ROW)
		return;
	for (; at < end; at = newline + 1) {
		newline = memchr(at, '\n', end - at);
		if (!newline)
			newline = end;
		check_line(at, newline - at, syntax);
	}
}

/* Written as a line, it is read as the same one. */
static void check_written(const struct line *line, const struct syntax *syntax)
{
	struct syntax plain = *syntax;
	char text[LINE_TEXT];
	struct line back;
	int ret = line_format(line, text);

	plain.layout = LAYOUT_LIST;

	tap_require(ret > 0 && ret < LINE_TEXT, "%d", ret);
	line_parse(text, ret, &plain, &back);
	tap_require(back.kind == LINE_KEY && same_key(&back.key, &line->key) &&
		    back.has == line->has && !back.host_bits &&
		    (!(line->has & LINE_VALUE) || back.value == line->value) &&
		    (!(line->has & LINE_TIMEOUT) ||
		     back.timeout == line->timeout), "'%s'", text);
}

static void check_note(const struct line *line, const struct syntax *syntax)
{
	if (line->has & LINE_VALUE)
		tap_require(line->value <= syntax->max_value, "%u of %u",
			    line->value, syntax->max_value);
	else
		tap_require(!syntax->needs_value || !syntax->max_value, "none");
	if (line->has & LINE_TIMEOUT)
		tap_require(syntax->timeouts &&
			    line->timeout <= KCUCKOO_TIMEOUT_MAX, "%u",
			    line->timeout);
}

static void add_key(struct found *found, const struct kcuckoo_prefix *key,
		    const struct line *line)
{
	struct note note = {
		.value = line->has & LINE_VALUE ? line->value : 0,
	};

	tap_require(!keyset_add_noted(&found->keys, key, &note), "memory");
}

/* Prefixes that follow each other from end to end, none wider than it may be. */
static void take_range(struct found *found, const struct line *line)
{
	struct kcuckoo_prefix out[RANGE_PREFIXES_MAX];
	__uint128_t first = wide_of(&line->key), next = first;
	__uint128_t last = wide_of(&line->last);
	int i, count;

	tap_require(first <= last && line->key.family == line->last.family &&
		    line->key.plen == bits_of(&line->key) &&
		    line->last.plen == bits_of(&line->last), "no range");
	count = range_split(&line->key, &line->last, out);
	tap_require(count > 0 && count <= RANGE_PREFIXES_MAX, "%d", count);
	for (i = 0; i < count; i++) {
		__uint128_t start = wide_of(&out[i]), host;
		struct kcuckoo_prefix wider = out[i];

		check_key(&out[i]);
		add_key(found, &out[i], line);
		tap_require(start == next, "a hole before number %d", i);
		tap_require(start + host_mask(&out[i]) <= last, "too far");
		next = start + host_mask(&out[i]) + 1;
		if (!wider.plen--)
			continue;
		host = host_mask(&wider);
		tap_require((start & ~host) < first || (start | host) > last,
			    "a wider one would do for number %d", i);
	}
	tap_require(next == (bits_of(&line->key) == 32 ?
			     last + 1 : (__uint128_t)(last + 1)), "the end");
}

static void take_bytes(struct found *found, const struct line *line)
{
	const u8 *bytes = line->bytes;
	char text[3];
	size_t i;

	tap_require(line->size <= KCUCKOO_BYTES_MAX, "%zu bytes", line->size);
	tap_require(!byteset_add(&found->strings, bytes, line->size), "memory");
	if (found->syntax->kind != SYNTAX_HEX) {
		tap_require(line->size == line->length &&
			    !memcmp(bytes, line->text, line->size), "other");
		return;
	}
	tap_require(line->length == 2 * line->size, "%zu", line->length);
	for (i = 0; i < line->size; i++) {
		sprintf(text, "%02x", bytes[i]);
		tap_require(!strncasecmp(text, line->text + 2 * i, 2), "'%s'",
			    text);
	}
}

static int take(void *context, const struct line *line,
		const struct place *place)
{
	struct found *found = context;

	(void)place;
	found->count++;
	if (line->kind == LINE_BYTES) {
		take_bytes(found, line);
		return 0;
	}
	tap_require(line->kind == LINE_KEY || line->kind == LINE_RANGE, "%d",
		    line->kind);
	check_key(&line->key);
	check_note(line, found->syntax);
	if (line->kind == LINE_RANGE) {
		found->ranges += !line->exception;
		take_range(found, line);
		return 0;
	}
	check_library(line, found->syntax->exact);
	check_written(line, found->syntax);
	add_key(found, &line->key, line);
	return 0;
}

/* Sorted, with as many repeats as there are, and equal to itself. */
static void check_keys(struct found *found)
{
	size_t count = keyset_count(&found->keys), i, j, repeats = 0;
	struct kcuckoo_prefix keys[FEW], first;
	struct keyset_match match;

	if (count > FEW)
		return;
	keyset_sort(&found->keys);
	tap_require(keyset_read(&found->keys, 0, keys, FEW) == count, "count");
	for (i = 0; i < count; i++) {
		tap_require(keyset_has(&found->keys, &keys[i]), "%zu", i);
		for (j = 0; j < i && !same_key(&keys[i], &keys[j]); j++)
			tap_require(keys[j].family < keys[i].family ||
				    (keys[j].family == keys[i].family &&
				     wide_of(&keys[j]) <= wide_of(&keys[i])),
				    "%zu before %zu", j, i);
		repeats += j < i;
	}
	tap_require(keyset_repeats(&found->keys, &first) == repeats, "%zu",
		    repeats);
	tap_require(!keyset_compare(&found->keys, &found->keys, &match, NULL),
		    "memory");
	tap_require(match.both == count && !match.only_a && !match.only_b &&
		    !match.values, "%llu of %zu", match.both, count);
}

static void check_strings(const struct found *found)
{
	const struct byteset *set = &found->strings;
	size_t i, j, repeats, first, expected = 0;

	if (set->count > FEW)
		return;
	for (i = 0; i < set->count; i++) {
		for (j = 0; j < i; j++)
			if (set->lengths[i] == set->lengths[j] &&
			    !memcmp(byteset_at(set, i), byteset_at(set, j),
				    set->lengths[i]))
				break;
		expected += j < i;
	}
	tap_require(!byteset_repeats(set, &repeats, &first), "memory");
	tap_require(repeats == expected, "%zu, not %zu", repeats, expected);
}

static void found_init(struct found *found, const struct syntax *syntax)
{
	memset(found, 0, sizeof(*found));
	found->syntax = syntax;
	keyset_init(&found->keys);
	if (syntax->max_value)
		keyset_keep_notes(&found->keys);
}

static void found_free(struct found *found)
{
	keyset_free(&found->keys);
	byteset_free(&found->strings);
}

static void read_list(const struct reading *reading, char *path)
{
	struct input input;
	struct found found;
	int ret;

	input_init(&input, &path, 1);
	input.syntax = reading->syntax;
	input.silent = true;
	found_init(&found, &input.syntax);
	ret = input_run(&input, take, &found);
	tap_require(!ret || ret == -1, "%d", ret);
	tap_require(input.keys + input.columns.exceptions == found.count &&
		    input.ranges == found.ranges, "%llu keys of %llu",
		    found.count, input.keys);
	check_keys(&found);
	check_strings(&found);
	found_free(&found);
}

static size_t pack_gzip(u8 *to, const uint8_t *data, size_t size)
{
	z_stream z = {
		.next_in = (u8 *)data, .avail_in = size,
		.next_out = to, .avail_out = 2 * LONGEST,
	};

	tap_require(deflateInit2(&z, 1, Z_DEFLATED, 16 + MAX_WBITS, 1, 0) ==
		    Z_OK, "gzip");
	tap_require(deflate(&z, Z_FINISH) == Z_STREAM_END, "gzip");
	deflateEnd(&z);
	return z.total_out;
}

/* A file or a pipe with the list. Returns its descriptor. */
static int put_list(const struct reading *reading, const uint8_t *data,
		    size_t size)
{
	static int file = -1;
	static u8 packed[2 * LONGEST];
	int ends[2];

	if (reading->gzip || reading->zstd) {
		size = reading->gzip ? pack_gzip(packed, data, size) :
		       ZSTD_compress(packed, sizeof(packed), data, size, 1);
		data = packed;
	}
	if (reading->pipe) {
		tap_require(!pipe2(ends, O_CLOEXEC) &&
			    write(ends[1], data, size) == (ssize_t)size, "pipe");
		close(ends[1]);
		return ends[0];
	}
	if (file < 0)
		file = memfd_create("list", MFD_CLOEXEC);
	tap_require(!ftruncate(file, 0) &&
		    pwrite(file, data, size, 0) == (ssize_t)size, "file");
	return file;
}

static void check_list(const struct reading *reading, const uint8_t *data,
		       size_t size)
{
	int fd = put_list(reading, data, size);
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	read_list(reading, path);
	if (reading->pipe)
		close(fd);
}

/* What the digits say, or -1 above @max or for what is no number. */
static __int128_t number_of_text(const char *text, size_t length, u64 max)
{
	static const char digits[] = "0123456789abcdef";
	unsigned int base = 10;
	__int128_t number = 0;

	if (length > 2 && !strncasecmp(text, "0x", 2)) {
		base = 16;
		text += 2;
		length -= 2;
	}
	if (!length)
		return -1;
	for (; length--; text++) {
		const char *digit = *text ? strchr(digits, *text | 0x20) : NULL;

		if (*text >= '0' && *text <= '9')
			digit = digits + (*text - '0');
		else if (digit && digit < digits + 10)
			digit = NULL;
		if (!digit || digit >= digits + base)
			return -1;
		number = number * base + (digit - digits);
		if (number > max)
			return -1;
	}
	return number;
}

static void check_number(const char *text, size_t length, u64 max)
{
	__int128_t expected = number_of_text(text, length, max);
	u64 number = 0;
	bool good = number_scan(text, length, max, &number);

	tap_require(good == (expected >= 0), "'%s' up to %llu", text, max);
	tap_require(!good || number == expected, "'%s': %llu", text, number);
}

/* Seconds of a unit; 0 for none. */
static double unit_seconds(const char *unit, size_t length)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {
		{ "", 1 }, { "s", 1 }, { "m", 60 }, { "h", 3600 },
		{ "d", 86400 }, { "w", 604800 }, { "y", 31536000 },
		{ "ms", 0.001 }, { "us", 0.000001 }, { "\u00b5s", 0.000001 },
		{ "\u03bcs", 0.000001 }, { "ns", 0.000000001 },
	};
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (strlen(units[i].name) == length &&
		    !memcmp(units[i].name, unit, length))
			return units[i].seconds;
	return 0;
}

/* A time that was taken is the sum of its parts, rounded up. */
static void check_parts(const char *text, u32 seconds)
{
	double sum = 0, unit;
	const char *at = text;

	while (*at) {
		size_t digits = strspn(at, "0123456789.");
		size_t name = strcspn(at + digits, "0123456789.");

		unit = unit_seconds(at + digits, name);
		tap_require(digits && unit > 0, "'%s'", text);
		sum += strtod(at, NULL) * unit;
		at += digits + name;
	}
	tap_require(seconds > sum - 0.000001 && seconds < sum + 1.000001,
		    "'%s': %u", text, seconds);
	tap_require(sum <= 0 || seconds, "'%s': 0", text);
}

static void check_time(const char *text, size_t length)
{
	static const char units[] = "smhdwy";
	static const u32 factors[] = { 1, 60, 3600, 86400, 604800, 31536000 };
	const char *unit = length && text[length - 1] ?
			   strchr(units, text[length - 1]) : NULL;
	u32 factor = unit ? factors[unit - units] : 1;
	bool hex = length > 2 && !strncasecmp(text, "0x", 2);
	__int128_t expected;
	u32 seconds = 0;
	const char *why = duration_scan(text, length, &seconds);

	tap_require(why || seconds <= KCUCKOO_TIMEOUT_MAX, "'%s': %u", text,
		    seconds);
	expected = number_of_text(text, length - !!unit, ~0ULL);
	if (expected * factor > KCUCKOO_TIMEOUT_MAX || (unit && hex))
		tap_require(why, "'%s'", text);
	else if (expected >= 0)
		tap_require(!why && seconds == expected * factor, "'%s': %u",
			    text, seconds);
	else if (!why && !hex && *text != '-' && strcmp(text, "never"))
		check_parts(text, seconds);
}

/* The same bytes as words of the command line. */
static void check_words(const uint8_t *data, size_t size, u64 max)
{
	static const struct syntax none;
	struct kcuckoo_prefix key;
	struct line line;
	u64 capacity = 1;
	char text[65];
	u32 rate = 1;
	size_t length = size < sizeof(text) - 1 ? size : sizeof(text) - 1;

	memcpy(text, data, length);
	text[length] = 0;
	length = strcspn(text, "\n");
	text[length] = 0;
	check_number(text, strlen(text), max);
	check_number(text, strlen(text), ~0ULL);
	check_time(text, strlen(text));
	tap_require(rate_scan(text, &rate) || rate, "'%s': 0", text);
	tap_require(parse_capacity("capacity", text, &capacity) ||
		    (capacity && capacity <= KCUCKOO_CAPACITY_MAX), "'%s'",
		    text);
	if (kcuckoo_prefix_parse(text, &key, NULL) >= 0)
		check_key(&key);
	line_parse_key(text, &none, &line);
	tap_require(line.kind == LINE_KEY || line.kind == LINE_RANGE ||
		    (line.kind == LINE_BAD && line.why), "'%s'", text);
}

/*
 * A layout that has a reader of its own, or the one that is recognized, with a column
 * for tables.
 */
static void choose_layout(struct syntax *syntax, uint8_t way)
{
	static const char * const columns[] = { NULL, "2", "ip", "1,2" };

	syntax->layout = way % LAYOUTS;
	syntax->recognize = way % 64 >= 32;
	syntax->exceptions = way % 32 >= 16;
	if (syntax->recognize || syntax->layout == LAYOUT_CSV)
		syntax->column = columns[way >> 6];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes bytes = { data, data + size };
	struct reading reading = {};
	uint8_t way = bytes_next(&bytes);
	u64 max = bytes_next(&bytes);

	if (size > LONGEST)
		return 0;
	if (max >> 6 == 3)
		choose_layout(&reading.syntax, bytes_next(&bytes));
	else
		reading.syntax.layout = max >> 6;
	reading.syntax.ranges = way % 4 == 3;
	reading.syntax.exact = (way >> 4) % 4 == 3;
	/* 0, 255, 2^16 - 1 and such: ones, as many as the byte says. */
	max = max ? ~0ULL >> max % 64 : 0;
	reading.syntax.kind = way % 4 == 3 ? SYNTAX_INET : way % 4;
	reading.syntax.max_value = max;
	reading.syntax.timeouts = way & 4;
	reading.syntax.needs_value = way & 8;
	if (reading.syntax.kind == SYNTAX_BYTES && (way >> 4) % 4 == 3)
		reading.syntax.kind = SYNTAX_BINARY;
	reading.gzip = (way >> 4) % 4 == 1;
	reading.zstd = (way >> 4) % 4 == 2;
	reading.pipe = way >> 6 == 3;
	check_words(bytes.at, bytes.end - bytes.at, max);
	check_lines(bytes.at, bytes.end - bytes.at, &reading.syntax);
	check_list(&reading, bytes.at, bytes.end - bytes.at);
	return 0;
}
