// SPDX-License-Identifier: GPL-2.0-only
/*
 * Addresses and prefixes as text: against tables written by hand, and against
 * the C library, whose inet_pton() is as strict.
 */
#include <arpa/inet.h>

#include "kcuckoo.h"
#include "tap.h"

/* What is read, and what is written back; @host_bits: bits were cleared. */
static const struct good {
	const char *text;
	const char *canonical;
	int host_bits;
} goods[] = {
	{ "0.0.0.0", "0.0.0.0", 0 },
	{ "255.255.255.255", "255.255.255.255", 0 },
	{ "1.2.3.4", "1.2.3.4", 0 },
	{ "1.2.3.4/32", "1.2.3.4", 0 },
	{ "192.0.2.0/24", "192.0.2.0/24", 0 },
	{ "192.0.2.1/24", "192.0.2.0/24", 1 },
	{ "192.0.2.255/31", "192.0.2.254/31", 1 },
	{ "10.255.255.255/8", "10.0.0.0/8", 1 },
	{ "10.0.0.0/8", "10.0.0.0/8", 0 },
	{ "255.255.255.255/1", "128.0.0.0/1", 1 },
	{ "0.0.0.0/0", "0.0.0.0/0", 0 },
	{ "1.1.1.1/0", "0.0.0.0/0", 1 },
	{ "100.64.0.0/10", "100.64.0.0/10", 0 },
	{ "172.31.0.0/12", "172.16.0.0/12", 1 },
	{ "::", "::", 0 },
	{ "::/0", "::/0", 0 },
	{ "::1", "::1", 0 },
	{ "1::", "1::", 0 },
	{ "::1/128", "::1", 0 },
	{ "2001:db8::", "2001:db8::", 0 },
	{ "2001:DB8::A", "2001:db8::a", 0 },
	{ "2001:0db8:0000:0000:0000:0000:0000:0001", "2001:db8::1", 0 },
	{ "2001:db8::/32", "2001:db8::/32", 0 },
	{ "2001:db8::1/32", "2001:db8::/32", 1 },
	{ "2001:db8:8000::/33", "2001:db8:8000::/33", 0 },
	{ "2001:db8:c000::/33", "2001:db8:8000::/33", 1 },
	{ "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/127",
	  "ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe/127", 1 },
	{ "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8", 0 },
	{ "1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0", 0 },
	{ "::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8", 0 },
	{ "1:2:3::5:6:7:8", "1:2:3:0:5:6:7:8", 0 },
	{ "1:0:0:2:0:0:0:3", "1:0:0:2::3", 0 },
	{ "1:0:0:2:3:0:0:4", "1::2:3:0:0:4", 0 },
	{ "0:0:1:0:0:0:0:0", "0:0:1::", 0 },
	{ "0:0:0:0:0:0:1:0", "::1:0", 0 },
	{ "::192.0.2.1", "::c000:201", 0 },
	{ "64:ff9b::192.0.2.33/128", "64:ff9b::c000:221", 0 },
	{ "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304", 0 },
	{ "1::1.2.3.4", "1::102:304", 0 },
	{ "fe80::1/10", "fe80::/10", 1 },
	/* IPv4 addresses that IPv6 maps, from /104 on. */
	{ "::ffff:192.0.2.1", "192.0.2.1", 0 },
	{ "::FFFF:C000:0201", "192.0.2.1", 0 },
	{ "0:0:0:0:0:ffff:192.0.2.1/128", "192.0.2.1", 0 },
	{ "::ffff:192.0.2.1/127", "192.0.2.0/31", 1 },
	{ "::ffff:192.0.2.0/120", "192.0.2.0/24", 0 },
	{ "::ffff:10.0.0.0/104", "10.0.0.0/8", 0 },
	{ "::ffff:10.1.0.0/104", "10.0.0.0/8", 1 },
	{ "::ffff:0.0.0.0/104", "0.0.0.0/8", 0 },
	{ "::ffff:0.0.0.0", "0.0.0.0", 0 },
	{ "::ffff:10.0.0.0/103", "::ffff:a00:0/103", 0 },
	{ "::ffff:0.0.0.0/96", "::ffff:0:0/96", 0 },
	{ "::ffff:1.2.3.4/96", "::ffff:0:0/96", 1 },
	{ "::ffff:0:0/95", "::fffe:0:0/95", 1 },
	{ "::fffe:192.0.2.1", "::fffe:c000:201", 0 },
	{ "::1:ffff:192.0.2.1", "::1:ffff:c000:201", 0 },
	{ "::ffff:0:192.0.2.1", "::ffff:0:c000:201", 0 },
	{ "64:ff9b::ffff:192.0.2.1", "64:ff9b::ffff:c000:201", 0 },
	/* Masks. */
	{ "192.0.2.0/255.255.255.0", "192.0.2.0/24", 0 },
	{ "192.0.2.1/255.255.255.0", "192.0.2.0/24", 1 },
	{ "192.0.2.1/255.255.255.255", "192.0.2.1", 0 },
	{ "128.0.0.0/128.0.0.0", "128.0.0.0/1", 0 },
	{ "10.0.0.0/255.192.0.0", "10.0.0.0/10", 0 },
	/* All four numbers padded. */
	{ "001.002.003.004", "1.2.3.4", 0 },
	{ "000.000.000.000", "0.0.0.0", 0 },
	{ "010.255.099.100/24", "10.255.99.0/24", 1 },
	{ "192.168.100.001/32", "192.168.100.1", 0 },
};

static const char * const bads[] = {
	"", " ", "x", "1", "1.2", "1.2.3", "1.2.3.", ".1.2.3", "1..2.3",
	"1.2.3.4.", "1.2.3.4.5", "300.1.1.1", "1.300.1.1", "1.1.1.256",
	"1.1.1.1000", "1.1.1.0001", "01.1.1.1", "1.010.1.1", "1.1.1.00",
	"1.1.1.08", "0x1.1.1.1", "1.1.1.0xa", "a.b.c.d", "1.2.3.4 ",
	" 1.2.3.4", "1.2.3.4/", "1.2.3.4/33", "1.2.3.4/99", "1.2.3.4/032",
	"1.2.3.4/00", "1.2.3.4/-1", "1.2.3.4/+1", "1.2.3.4/a",
	"1.2.3.4/24/", "1.2.3.4/255.255.0.255", "1.2.3.4/1000",
	"1.2.3.4/0.0.0.0", "0.0.0.0/0.0.0.0", "1.2.3.4/0.0.0.255",
	"1.2.3.4/255.255.255", "1.2.3.4/255.255.255.0.0",
	"1.2.3.4/255.255.255.256", "1.2.3.4/255.255.255.000", "1.2.3.4/24.0",
	"2001:db8::/255.255.255.0", "::ffff:1.2.3.4/255.255.255.0",
	"::ffff:192.0.2.0/24", "::ffff:c000:200/32", "::ffff:0:0/0",
	"001.002.003.4", "001.002.3.004", "01.002.003.004", "001.002.003.0004",
	"0001.002.003.004", "001.002.003.256", "001.002.003.04",
	"010.1.1.1", "001.002.003", "001.002.003.00a", "001.002.003.004.005",
	"::ffff:001.002.003.004",
	"1.2.3.4/4294967296", "1.2.3.4-1.2.3.5", "1.2.3.4,", "-1.2.3.4",
	"+1.2.3.4", "1.2.3.-4", "1,2,3,4", "1.2.3.4:80", "4294967295",
	"example.com", "localhost", "dead.beef", "1.2.3.4\n",
	":", ":::", "::::", "1", "1:", "1:2", ":1", ":1:2:3:4:5:6:7:8",
	"1:2:3:4:5:6:7", "1:2:3:4:5:6:7:", "1:2:3:4:5:6:7:8:", "1::2::3",
	"1:2:3:4:5:6:7:8:9", "::1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8::",
	"1:2:3:4::5:6:7:8", "12345::", "::12345", "00001::", "g::", "::g",
	"::1/", "::1/129", "::1/0128", "::1/00", "::1/1000", "::1/-1",
	"fe80::1%eth0", "fe80::1%eth0/64", "[::1]", "[::1]:80",
	"::1.2.3", "::1.2.3.", "::1.2.3.256", "::1.2.3.4.5", "::01.2.3.4",
	"1.2.3.4::", "::1.2.3.4:5", "1:2:3:4:5:6:7:1.2.3.4",
	"1:2:3:4:5:1.2.3.4", "1:::2", "::1 ", " ::1", "1::2/64x",
	"\357\273\2771.2.3.4", "\xd9\xa1.1.1.1", "1.2.3.4\x80",
};

static void test_good(void)
{
	size_t i;

	for (i = 0; i < TAP_COUNT(goods); i++) {
		struct kcuckoo_prefix key;
		const char *why = NULL;
		char text[KCUCKOO_PREFIX_TEXT];
		int ret, length;

		ret = kcuckoo_prefix_parse(goods[i].text, &key, &why);
		tap_require(ret == goods[i].host_bits, "%s: %d, %s",
			    goods[i].text, ret, why ? why : "no reason");
		length = kcuckoo_prefix_format(&key, text);
		tap_require(!strcmp(text, goods[i].canonical), "%s became %s",
			    goods[i].text, text);
		tap_require(length == (int)strlen(text), "%s", text);
	}
}

static void test_bad(void)
{
	size_t i;

	for (i = 0; i < TAP_COUNT(bads); i++) {
		struct kcuckoo_prefix key;
		const char *why = NULL;
		int ret;

		ret = kcuckoo_prefix_parse(bads[i], &key, &why);
		tap_require(ret == -22, "'%s': %d", bads[i], ret);
		tap_require(why && *why, "'%s' without a reason", bads[i]);
		tap_require(kcuckoo_prefix_parse(bads[i], &key, NULL) == -22,
			    "'%s' without @why", bads[i]);
	}
}

/* The text without its final zero, in memory that ends right behind it. */
static long scan(const char *text, size_t length, struct kcuckoo_prefix *key)
{
	char *exact = tap_zalloc(length);
	long ret;

	if (length)
		memcpy(exact, text, length);
	ret = kcuckoo_prefix_scan(exact, length, key, NULL, NULL);
	tap_free(exact);
	return ret;
}

static void test_scan(void)
{
	static const struct {
		const char *text;
		long length;
	} cases[] = {
		{ "1.2.3.4 rest", 7 }, { "1.2.3.4,x", 7 }, { "1.2.3.4#", 7 },
		{ "1.2.3.4//x", 7 }, { "1.2.3.4/24//x", 10 },
		{ "1.2.3.4.5", 7 }, { "1.2.3.4-1.2.3.9", 7 },
		{ "1.2.3.4/8-", 9 }, { "::1 x", 3 }, { "::1//", 3 },
		{ "1::2-1::3", 4 }, { "1.2.3.4..1.2.3.9", 7 },
		{ "1::2..1::3", 4 }, { "::1.", 3 }, { "1.2.3.0/24..", 10 },
		{ "001.002.003.004-", 15 }, { "1.2.3.0/255.255.255.0,", 21 },
		{ "::/0;", 4 }, { "::1g", 3 },
		{ "1.2.3.4/x", -22 }, { "1.2.3.4/ 24", -22 }, { "x", -22 },
	};
	struct kcuckoo_prefix key;
	size_t i;

	for (i = 0; i < TAP_COUNT(cases); i++) {
		long ret = scan(cases[i].text, strlen(cases[i].text), &key);

		tap_require(ret == cases[i].length, "'%s': %ld", cases[i].text,
			    ret);
	}
}

/* Cut off anywhere, nothing behind the text is looked at (sanitizers see it). */
static void test_cut(void)
{
	struct kcuckoo_prefix key;
	size_t i, length;

	for (i = 0; i < TAP_COUNT(goods); i++)
		for (length = 0; length <= strlen(goods[i].text); length++)
			scan(goods[i].text, length, &key);
	for (i = 0; i < TAP_COUNT(bads); i++)
		for (length = 0; length <= strlen(bads[i]); length++)
			scan(bads[i], length, &key);
}

static int family_of(int ipv6)
{
	return ipv6 ? KCUCKOO_FAMILY_IPV6 : KCUCKOO_FAMILY_IPV4;
}

static int is_mapped(const unsigned char *addr)
{
	static const unsigned char mapped[12] = { [10] = 0xff, [11] = 0xff };

	return !memcmp(addr, mapped, sizeof(mapped));
}

/* Does the C library read it without the zeros of four padded numbers? */
static int read_padded(const char *text, unsigned char *addr)
{
	char plain[16] = "";
	int i;

	if (strlen(text) != 15)
		return 0;
	for (i = 0; i < 15; i += 4) {
		int zeros = strspn(text + i, "0");

		if (strspn(text + i, "0123456789") != 3)
			return 0;
		zeros = zeros > 2 ? 2 : zeros;
		strncat(plain, text + i + zeros, 4 - zeros);
	}
	return inet_pton(AF_INET, plain, addr) == 1;
}

/* Every address the C library writes is read as the same bytes. */
static void test_library(void)
{
	int i, b;

	for (i = 0; i < 200000; i++) {
		int ipv6 = random_below(2);
		unsigned char addr[16];
		struct kcuckoo_prefix key;
		char text[INET6_ADDRSTRLEN];

		for (b = 0; b < 16; b++)
			addr[b] = random_below(3) ? 0 : random_word();
		inet_ntop(ipv6 ? AF_INET6 : AF_INET, addr, text, sizeof(text));
		if (ipv6 && is_mapped(addr))
			continue;
		tap_require(!kcuckoo_prefix_parse(text, &key, NULL), "%s",
			    text);
		tap_require(key.family == family_of(ipv6), "%s", text);
		tap_require(key.plen == (ipv6 ? 128 : 32), "%s", text);
		tap_require(!memcmp(key.addr, addr, ipv6 ? 16 : 4), "%s", text);
	}
}

/* Texts a letter or three away from an address: accepted by both or neither. */
static void test_mutants(void)
{
	static const char letters[] = "0123456789abcdefABCDEFg:.:.:./ ";
	int i, accepted = 0;

	for (i = 0; i < 600000; i++) {
		const char *from = goods[random_below(TAP_COUNT(goods))].text;
		unsigned char addr4[4], addr6[16];
		struct kcuckoo_prefix key;
		int mutations, four, six, ret;
		size_t length;
		char text[64];

		strcpy(text, from);
		text[strcspn(text, "/")] = 0;
		for (mutations = random_below(4); mutations; mutations--) {
			size_t at = random_below(strlen(text) + 1);
			char letter = letters[random_below(sizeof(letters) - 1)];

			length = strlen(text);
			if (random_below(2) && at < length) {
				text[at] = letter;
			} else if (random_below(2) && at < length) {
				memmove(text + at, text + at + 1, length - at);
			} else if (length < 60) {
				memmove(text + at + 1, text + at,
					length - at + 1);
				text[at] = letter;
			}
		}
		if (strchr(text, '/'))
			continue;
		four = inet_pton(AF_INET, text, addr4) == 1 ||
		       read_padded(text, addr4);
		six = inet_pton(AF_INET6, text, addr6) == 1;
		if (six && is_mapped(addr6)) {
			four = 1;
			six = 0;
			memcpy(addr4, addr6 + 12, 4);
		}
		ret = kcuckoo_prefix_parse(text, &key, NULL);
		tap_require((ret == 0) == (four || six), "'%s': %d", text, ret);
		if (ret)
			continue;
		accepted++;
		tap_require(key.family == family_of(six), "'%s'", text);
		tap_require(!memcmp(key.addr, four ? addr4 : addr6,
				    four ? 4 : 16), "'%s'", text);
	}
	tap_require(accepted > 100000, "only %d were addresses", accepted);
}

static int bit_of(const unsigned char *addr, int bit)
{
	return addr[bit / 8] >> (7 - bit % 8) & 1;
}

/* Host bits: cleared exactly behind the prefix, and noticed when any was set. */
static void test_host_bits(void)
{
	int i, bit;

	for (i = 0; i < 100000; i++) {
		int ipv6 = random_below(2), most = ipv6 ? 128 : 32;
		int plen = random_below(most + 1), set = 0, b, ret;
		unsigned char addr[16];
		struct kcuckoo_prefix key;
		char text[64];

		for (b = 0; b < 16; b++)
			addr[b] = random_below(3) ? 0 : random_word();
		inet_ntop(ipv6 ? AF_INET6 : AF_INET, addr, text, sizeof(text));
		sprintf(text + strlen(text), "/%d", plen);
		if (ipv6 && is_mapped(addr))
			continue;
		for (bit = plen; bit < most; bit++)
			set |= bit_of(addr, bit);
		ret = kcuckoo_prefix_parse(text, &key, NULL);
		tap_require(ret == set, "%s: %d", text, ret);
		tap_require(key.plen == plen, "%s: /%d", text, key.plen);
		for (bit = 0; bit < most; bit++)
			tap_require(bit_of(key.addr, bit) ==
				    (bit < plen && bit_of(addr, bit)),
				    "%s bit %d", text, bit);
		for (bit = most; bit < 128; bit++)
			tap_require(!bit_of(key.addr, bit), "%s", text);
	}
}

/* What is written is read back as the same key. */
static void test_round_trip(void)
{
	int i, b;

	for (i = 0; i < 200000; i++) {
		struct kcuckoo_prefix key = { .family = 1 }, back;
		char text[KCUCKOO_PREFIX_TEXT];
		int most;

		key.family = family_of(random_below(2));
		most = key.family == KCUCKOO_FAMILY_IPV6 ? 128 : 32;
		key.plen = random_below(most + 1);
		for (b = 0; b < key.plen; b++)
			if (!random_below(3))
				key.addr[b / 8] |= 0x80 >> b % 8;
		if (is_mapped(key.addr))
			continue;
		tap_require(kcuckoo_prefix_format(&key, text) > 0, "%d", i);
		tap_require(!kcuckoo_prefix_parse(text, &back, NULL), "%s",
			    text);
		tap_require(!memcmp(&key, &back, sizeof(key)), "%s", text);
	}
}

/* Only text is translated: a mapped key is written as what it is. */
static void test_mapped(void)
{
	struct kcuckoo_prefix key = {
		.family = KCUCKOO_FAMILY_IPV6, .plen = 128,
		.addr = { [10] = 0xff, [11] = 0xff, [12] = 192, [14] = 2, [15] = 1 },
	}, back;
	char text[KCUCKOO_PREFIX_TEXT], ipv4[KCUCKOO_PREFIX_TEXT];
	int plen;

	for (plen = 96; plen <= 128; plen++) {
		sprintf(text, "::ffff:192.0.2.1/%d", plen);
		tap_require(kcuckoo_prefix_parse(text, &key, NULL) >= 0, "%s", text);
		tap_require(key.family == family_of(plen < 104), "%s", text);
		tap_require(key.plen == (plen < 104 ? plen : plen - 96), "%s", text);
		if (plen < 104)
			continue;
		sprintf(ipv4, "192.0.2.1/%d", plen - 96);
		tap_require(kcuckoo_prefix_parse(ipv4, &back, NULL) >= 0 &&
			    !memcmp(&back, &key, sizeof(key)), "%s", text);
	}
	key.family = KCUCKOO_FAMILY_IPV6;
	key.plen = 128;
	memset(key.addr, 0, 16);
	memcpy(key.addr + 10, "\xff\xff\xc0\0\2\1", 6);
	tap_require(kcuckoo_prefix_format(&key, text) > 0 &&
		    !strcmp(text, "::ffff:c000:201"), "%s", text);
}

static void test_no_key(void)
{
	struct kcuckoo_prefix key = { .family = 0 };
	char text[KCUCKOO_PREFIX_TEXT];

	tap_require(kcuckoo_prefix_format(&key, text) == -22, "family 0");
	key.family = KCUCKOO_FAMILY_BOTH;
	tap_require(kcuckoo_prefix_format(&key, text) == -22, "family 3");
	key.family = KCUCKOO_FAMILY_IPV4;
	key.plen = 33;
	tap_require(kcuckoo_prefix_format(&key, text) == -22, "/33");
	key.family = KCUCKOO_FAMILY_IPV6;
	key.plen = 129;
	tap_require(kcuckoo_prefix_format(&key, text) == -22, "/129");
}

static const struct tap_test tests[] = {
	{ "prefix.good: read and written in canonical form", test_good },
	{ "prefix.bad: refused with a reason", test_bad },
	{ "prefix.scan: ends where the prefix does", test_scan },
	{ "prefix.cut: nothing behind the text is read", test_cut },
	{ "prefix.library: reads what inet_ntop writes", test_library },
	{ "prefix.mutants: as strict as inet_pton", test_mutants },
	{ "prefix.host_bits: cleared and noticed", test_host_bits },
	{ "prefix.round_trip: written, read, the same", test_round_trip },
	{ "prefix.mapped: text is translated, keys are not", test_mapped },
	{ "prefix.no_key: what is none is not written", test_no_key },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
