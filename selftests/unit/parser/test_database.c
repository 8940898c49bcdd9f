// SPDX-License-Identifier: GPL-2.0-only
/*
 * Databases: countries, autonomous systems, and damage. A writer here makes them, so that
 * each node is known.
 */
#include <zlib.h>

#include "input/country.h"
#include "input/mmdb.h"
#include "lists.h"

#define NODES	4096
#define EMPTY	UINT32_MAX
#define DATA	(1u << 24)

/* A database: nodes, whose records are nodes, EMPTY or DATA plus a position in @data. */
static struct {
	u32 nodes[NODES][2];
	u32 count;
	int bits;
	unsigned char data[4096];
	size_t data_length;
} tree;

static void begin(int bits)
{
	memset(&tree, 0, sizeof(tree));
	tree.bits = bits;
	tree.count = 1;
	tree.nodes[0][0] = EMPTY;
	tree.nodes[0][1] = EMPTY;
}

static void put_byte(unsigned char byte)
{
	tree.data[tree.data_length++] = byte;
}

static void put_text(const char *text)
{
	put_byte(2 << 5 | strlen(text));
	memcpy(tree.data + tree.data_length, text, strlen(text));
	tree.data_length += strlen(text);
}

static void put_map(int pairs)
{
	put_byte(7 << 5 | pairs);
}

static void put_number(u32 number)
{
	put_byte(6 << 5 | 4);
	put_byte(number >> 24);
	put_byte(number >> 16);
	put_byte(number >> 8);
	put_byte(number);
}

/* Data with a text, or with a text in an object. Return: its position. */
static size_t put_field(const char *outer, const char *inner, const char *text)
{
	size_t at = tree.data_length;

	put_map(1);
	put_text(outer);
	if (inner) {
		put_map(1);
		put_text(inner);
	}
	put_text(text);
	return at;
}

static size_t country(const char *code)
{
	return put_field("country", "iso_code", code);
}

static size_t system_number(u32 number)
{
	size_t at = tree.data_length;

	put_map(1);
	put_text("autonomous_system_number");
	put_number(number);
	return at;
}

/* The record of a network, with the nodes before it. */
static u32 *record_of(const char *text)
{
	struct kcuckoo_prefix key;
	u32 node = 0, *record;
	uint8_t addr[16] = {};
	int skip, bit, i;

	tap_require(!kcuckoo_prefix_parse(text, &key, NULL), "%s", text);
	skip = key.family == KCUCKOO_FAMILY_IPV4 && tree.bits == 128 ? 96 : 0;
	memcpy(addr + skip / 8, key.addr, key.family == KCUCKOO_FAMILY_IPV4 ? 4 : 16);
	for (i = 0;; i++) {
		bit = addr[i / 8] >> (7 - i % 8) & 1;
		record = &tree.nodes[node][bit];
		if (i + 1 == skip + key.plen)
			return record;
		if (*record == EMPTY) {
			tap_require(tree.count < NODES, "full");
			*record = tree.count;
			tree.nodes[tree.count][0] = EMPTY;
			tree.nodes[tree.count++][1] = EMPTY;
		}
		node = *record;
	}
}

static void insert(const char *text, size_t data)
{
	*record_of(text) = DATA + data;
}

static size_t put_metadata(unsigned char *to)
{
	size_t length = tree.data_length, size;

	/* put_text() and others write to @data. */
	put_map(9);
	put_text("node_count");
	put_number(tree.count);
	put_text("record_size");
	put_byte(5 << 5 | 1);
	put_byte(32);
	put_text("ip_version");
	put_byte(5 << 5 | 1);
	put_byte(tree.bits == 32 ? 4 : 6);
	put_text("database_type");
	put_text("Test");
	put_text("languages");
	put_byte(0);
	put_byte(4);
	put_text("binary_format_major_version");
	put_byte(5 << 5 | 1);
	put_byte(2);
	put_text("binary_format_minor_version");
	put_byte(5 << 5);
	put_text("build_epoch");
	put_byte(1);
	put_byte(2);
	put_byte(1);
	put_text("description");
	put_map(0);
	size = tree.data_length - length;
	memcpy(to, tree.data + length, size);
	tree.data_length = length;
	return size;
}

/* Make the bytes of the database. Return: their number. */
static size_t make(unsigned char *to)
{
	static const char marker[] = "\xab\xcd\xefMaxMind.com";
	unsigned char *at = to;
	u32 i, side;

	for (i = 0; i < tree.count; i++)
		for (side = 0; side < 2; side++) {
			u32 record = tree.nodes[i][side];

			if (record == EMPTY)
				record = tree.count;
			else if (record >= DATA)
				record += tree.count + 16 - DATA;
			*at++ = record >> 24;
			*at++ = record >> 16;
			*at++ = record >> 8;
			*at++ = record;
		}
	memset(at, 0, 16);
	at += 16;
	memcpy(at, tree.data, tree.data_length);
	at += tree.data_length;
	memcpy(at, marker, sizeof(marker) - 1);
	at += sizeof(marker) - 1;
	return at + put_metadata(at) - to;
}

static unsigned char bytes[NODES * 8 + 8192];

static int run_query(const char *query, struct input *input)
{
	static char name[160], *files[1] = { name };

	snprintf(name, sizeof(name), "mmdb:%s%s", path, query);
	input_init(input, files, 1);
	input->syntax = syntax;
	return run_input(input);
}

static int run_tree(const char *query, struct input *input)
{
	file_with(bytes, make(bytes));
	return run_query(query, input);
}

static void expect(const char *query, const char *keys)
{
	struct input input;

	tap_require(!run_tree(query, &input), "%s: %s", query, words);
	tap_require(!strcmp(seen.text, keys), "%s: '%s'", query, seen.text);
	tap_require(!input.bad, "%llu bad", input.bad);
}

static void refuse(const char *query, const char *why)
{
	struct input input;

	tap_require(run_tree(query, &input) == -1, "%s: taken", query);
	tap_require(strstr(words, why) && strstr(words, path), "%s: %s", query, words);
	tap_require(!seen.count, "%llu keys", seen.count);
}

static void fill(int bits)
{
	size_t de, fr;

	begin(bits);
	de = country("DE");
	fr = country("FR");
	insert("192.0.2.0/24", de);
	insert("198.51.100.0/25", fr);
	insert("198.51.100.128/26", de);
	insert("203.0.113.7/32", fr);
	if (bits == 32)
		return;
	insert("2001:db8::/32", de);
	insert("2001:db9::1/128", fr);
}

static void test_countries(void)
{
	fill(128);
	expect("?country=DE", "192.0.2.0/24\n198.51.100.128/26\n2001:db8::/32\n");
	expect("?country=fr", "198.51.100.0/25\n203.0.113.7\n2001:db9::1\n");
	expect("?country=DE,FR", "192.0.2.0/24\n198.51.100.0/25\n198.51.100.128/26\n203.0.113.7\n"
	       "2001:db8::/32\n2001:db9::1\n");
	expect("?country=DE,TV", "192.0.2.0/24\n198.51.100.128/26\n2001:db8::/32\n");
	tap_require(strstr(words, "no network of the country TV"), "%s", words);
	tap_require(!strstr(words, "country DE"), "%s", words);
	fill(32);
	expect("?country=DE", "192.0.2.0/24\n198.51.100.128/26\n");
}

static void test_fields(void)
{
	size_t at;

	begin(128);
	insert("192.0.2.1", put_field("registered_country", "iso_code", "DE"));
	insert("192.0.2.2", put_field("country_code", NULL, "DE"));
	insert("192.0.2.3", put_field("country", NULL, "DE"));
	insert("192.0.2.4", put_field("country", NULL, "Germany"));
	insert("192.0.2.5", put_field("continent", "code", "DE"));
	at = tree.data_length;
	put_map(2);
	put_text("registered_country");
	put_map(1);
	put_text("iso_code");
	put_text("DE");
	put_text("country");
	put_map(1);
	put_text("iso_code");
	put_text("FR");
	insert("192.0.2.6", at);
	expect("?country=DE", "192.0.2.1\n192.0.2.2\n192.0.2.3\n");
	expect("?country=FR", "192.0.2.6\n");
}

static void test_systems(void)
{
	begin(128);
	insert("192.0.2.0/24", system_number(64500));
	insert("198.51.100.0/24", put_field("asn", NULL, "AS64501"));
	insert("2001:db8::/32", system_number(4200000000));
	insert("203.0.113.0/24", put_field("asn", NULL, "AS64501x"));
	expect("?asn=64500", "192.0.2.0/24\n");
	expect("?asn=as64501,64500,64500", "192.0.2.0/24\n198.51.100.0/24\n");
	expect("?asn=AS4200000000,64499", "2001:db8::/32\n");
	tap_require(strstr(words, "no network of AS64499"), "%s", words);
	refuse("?country=DE", "no network in it has a country");
	refuse("?asn=0", "'0' is no number");
	refuse("?asn=64500,x", "'x' is no number");
	refuse("?asn=64500,", "'' is no number");
	refuse("?asn=4294967296", "no number");
	fill(128);
	refuse("?asn=64500", "number of an autonomous system");
}

static u32 values[8];
static int value_count;

static int note_value(void *context, const struct line *line, const struct place *place)
{
	(void)context;
	(void)place;
	values[value_count++] = line->has & LINE_VALUE ? line->value : 0;
	return 0;
}

static void test_values(void)
{
	static char name[160], *files[1] = { name };
	struct input input;
	int saved, ret;
	FILE *file;

	begin(128);
	insert("192.0.2.1", country("DE"));
	insert("192.0.2.2", country("AF"));
	insert("192.0.2.3", country("EU"));
	insert("192.0.2.4", country("XK"));
	insert("192.0.2.5", country("ZW"));
	snprintf(name, sizeof(name), "mmdb:%s?value=country", path);
	file_with(bytes, make(bytes));
	input_init(&input, files, 1);
	input.syntax.max_value = 1023;
	value_count = 0;
	file = catch_words(&saved);
	ret = input_run(&input, note_value, NULL);
	release_words(file, saved);
	tap_require(!ret && value_count == 4, "%d", value_count);
	tap_require(values[0] == 276 && values[1] == 4 && values[2] == 983 && values[3] == 716,
		    "%u %u %u %u", values[0], values[1], values[2], values[3]);

	syntax.max_value = 1023;
	expect("?value=country&country=DE", "192.0.2.1\n");
	expect("?value=country", "192.0.2.1\n192.0.2.2\n192.0.2.4\n192.0.2.5\n");
	tap_require(strstr(words, "1 network is left out") && strstr(words, "for example EU"), "%s",
		    words);
	syntax.max_value = 511;
	refuse("?value=country", "values of 10 bits");
	syntax.max_value = 0;
	refuse("?value=country", "values of 10 bits");
	refuse("?value=asn", "and not 'asn'");
}

static void test_numbers(void)
{
	char code[COUNTRY_CODE + 1] = "";
	int first, second, known = 0, number;
	bool used[COUNTRY_MAX + 1] = {};

	for (first = 'A'; first <= 'Z'; first++)
		for (second = 'A'; second <= 'Z'; second++) {
			code[0] = first;
			code[1] = second;
			number = country_number(code);
			tap_require(number >= 0 && number <= COUNTRY_MAX, "%s", code);
			tap_require(!number || !used[number], "%s: %d is used", code, number);
			used[number] = true;
			known += !!number;
		}
	tap_require(known == 250, "%d", known);
	tap_require(country_number("AD") == 20 && country_number("GB") == 826 &&
		    country_number("US") == 840 && country_number("ZW") == 716, "numbers");
	tap_require(!country_number("UK") && !country_number("ZZ"), "UK");
}

static void test_query(void)
{
	struct input input;

	fill(128);
	refuse("", "name a country");
	refuse("?country=DE&asn=5", "either");
	refuse("?value=country&asn=5", "either");
	refuse("?country=UK", "'UK' is no country code");
	refuse("?country=DEU", "'DEU' is no country code");
	refuse("?country=DE,,FR", "'' is no country code");
	refuse("?land=DE", "no option 'land'");
	refuse("?where=a:b", "no option 'where'");
	syntax.kind = SYNTAX_BYTES;
	refuse("?country=DE", "byte strings");
	syntax.kind = SYNTAX_INET;
	seen.stop_at = 1;
	tap_require(run_tree("?country=DE", &input) == -1 && seen.count == 1, "%llu", seen.count);
	seen.stop_at = 0;
}

/* The name of a file alone does not make a list of a database. */
static void test_suffix(void)
{
	static char name[160], *files[1] = { name };
	char copy[100];
	struct input input;

	fill(128);
	file_with(bytes, make(bytes));
	snprintf(copy, sizeof(copy), "%s.mmdb", path);
	tap_require(!rename(path, copy), "rename");
	strcpy(name, copy);
	input_init(&input, files, 1);
	input.syntax = syntax;
	tap_require(run_input(&input) == -1 && strstr(words, "name a country"), "%s", words);
	strcat(name, "?country=DE");
	tap_require(!run_input(&input) && seen.count == 3, "%s", words);
	unlink(copy);
}

/* Other files are no databases. */
static void test_files(void)
{
	static char name[160], *files[1] = { name };
	struct input input;
	gzFile packed;

	file_with("", 0);
	tap_require(run_query("?country=DE", &input) == -1 && strstr(words, "cannot"), "%s", words);
	file_with("1.2.3.4\n", 8);
	tap_require(run_query("?country=DE", &input) == -1 && strstr(words, "no MaxMind DB"), "%s",
		    words);
	file_with("%PDF-1.4\n", 9);
	tap_require(run_query("?country=DE", &input) == -1 &&
		    strstr(words, "a PDF document, not a MaxMind DB"), "%s", words);
	packed = gzopen(path, "w");
	gzwrite(packed, "x", 1);
	gzclose(packed);
	tap_require(run_query("?country=DE", &input) == -1 && strstr(words, "unpack it first"),
		    "%s", words);
	unlink(path);
	tap_require(run_query("?country=DE", &input) == -1 && strstr(words, "No such file"), "%s",
		    words);
	tap_require(!mkfifo(path, 0600), "fifo");
	tap_require(run_query("?country=DE", &input) == -1 && strstr(words, "regular file"), "%s",
		    words);
	unlink(path);
	snprintf(name, sizeof(name), "mmdb:%s?country=DE", folder);
	input_init(&input, files, 1);
	tap_require(run_input(&input) == -1 && strstr(words, "regular file"), "%s", words);
}

/* Networks in which IPv4 addresses appear again are not taken. */
static void test_aliases(void)
{
	u32 ipv4 = 0;
	int i;

	fill(128);
	for (i = 0; i < 96; i++)
		ipv4 = tree.nodes[ipv4][0];
	*record_of("2002::/16") = ipv4;
	*record_of("2001::/32") = ipv4;
	*record_of("::ffff:0:0/96") = ipv4;
	expect("?country=DE", "192.0.2.0/24\n198.51.100.128/26\n2001:db8::/32\n");
	fill(128);
	insert("2002:c000:200::/40", 0);
	expect("?country=DE", "192.0.2.0/24\n198.51.100.128/26\n2001:db8::/32\n2002:c000:200::/40\n");
}

static void test_loops(void)
{
	u32 i;

	fill(32);
	*record_of("10.0.0.0/8") = 1;
	refuse("?country=DE", "path in it is too long");
	begin(128);
	insert("192.0.2.0/24", country("DE"));
	/* 2^30 paths. */
	for (i = 1; i < 30; i++) {
		tree.nodes[tree.count][0] = tree.count + 1;
		tree.nodes[tree.count][1] = tree.count + 1;
		tree.count++;
	}
	tree.nodes[tree.count][1] = EMPTY;
	tree.nodes[tree.count][0] = EMPTY;
	*record_of("8000::/1") = tree.count - 29;
	tree.count++;
	refuse("?country=DE", "too many places");
	fill(32);
	*record_of("10.0.0.0/8") = DATA + (1 << 20);
	refuse("?country=DE", "damaged");
}

/* Damage anywhere ends with an error or with networks, and not with a crash. */
static void test_damage(void)
{
	struct input input;
	size_t length, cut;
	int round, i;

	fill(128);
	length = make(bytes);
	for (round = 0; round < 400; round++) {
		make(bytes);
		cut = random_below(8) ? length : random_below(length);
		for (i = random_below(4); i >= 0; i--) {
			/* Most of the bytes are nodes, and most damage is after them. */
			size_t at = random_below(3) ? length - 1 - random_below(400) :
						      random_below(length);

			bytes[at] = random_word();
		}
		file_with(bytes, cut);
		run_query(round % 2 ? "?country=DE" : "?asn=5", &input);
		tap_require(!strstr(words, "signal") && !strstr(words, "ended early") &&
			    !strstr(words, "Sanitizer"), "round %d: %s", round, words);
	}
}

static struct mmdb_network network_of(u8 family, u8 plen, const char *code)
{
	struct mmdb_network network = { .key = { .family = family, .plen = plen } };

	memcpy(network.code, code, sizeof(network.code));
	return network;
}

static bool is_valid(u8 family, u8 plen, const char *code, bool has_code)
{
	struct mmdb_network network = network_of(family, plen, code);

	return mmdb_is_valid(&network, has_code);
}

static void test_protocol(void)
{
	tap_require(is_valid(KCUCKOO_FAMILY_IPV4, 32, "DE", true), "an address is refused");
	tap_require(is_valid(KCUCKOO_FAMILY_IPV6, 128, "\0\0", false), "no code is refused");
	tap_require(!is_valid(KCUCKOO_FAMILY_IPV4, 33, "DE", true), "/33 is accepted");
	tap_require(!is_valid(KCUCKOO_FAMILY_IPV6, 129, "DE", true), "/129 is accepted");
	tap_require(!is_valid(0, 0, "DE", true), "family 0 is accepted");
	tap_require(!is_valid(200, 0, "DE", false), "family 200 is accepted");
	tap_require(!is_valid(KCUCKOO_FAMILY_IPV4, 8, "zz", true), "lower case is accepted");
	tap_require(!is_valid(KCUCKOO_FAMILY_IPV4, 8, "D\0", true), "one letter is accepted");
	tap_require(!is_valid(KCUCKOO_FAMILY_IPV4, 8, "DEU", true), "three letters are accepted");
	tap_require(!is_valid(KCUCKOO_FAMILY_IPV4, 8, "[[", true), "brackets are accepted");
}

static const struct tap_test tests[] = {
	{ "database.countries: networks of some countries, of both families", test_countries },
	{ "database.fields: where databases have countries", test_fields },
	{ "database.systems: networks of autonomous systems", test_systems },
	{ "database.values: the number of the country is the value", test_values },
	{ "database.numbers: each country has its own", test_numbers },
	{ "database.query: a whole database is refused, and so are unknown words", test_query },
	{ "database.suffix: a file with the suffix .mmdb is a database", test_suffix },
	{ "database.files: pipes, folders, packed files and other files are refused", test_files },
	{ "database.aliases: IPv4 addresses are read once", test_aliases },
	{ "database.loops: paths without end are damage", test_loops },
	{ "database.protocol: the parent refuses invalid networks of the child", test_protocol },
	{ "database.damage: never a crash", test_damage },
};

int main(int argc, char **argv)
{
	syntax.recognize = true;
	return lists_main(argc, argv, tests, TAP_COUNT(tests));
}
