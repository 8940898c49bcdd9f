// SPDX-License-Identifier: GPL-2.0-only
/*
 * Formats with ranges: DShield, ipfilter.dat and lists for peer-to-peer programs.
 */
#include "formats.h"

static void test_dshield(void)
{
	static const char text[] =
		"#\n# DShield.org Recommended Block List\n#\n"
		"Start\tEnd\tNetmask\tAttacks\tName\tCountry\temail\n"
		"198.51.100.0\t198.51.100.255\t24\t579\tEXAMPLE-NET\tZZ\tabuse@example.org\n"
		"203.0.113.0\t203.0.113.255\t255.255.255.0\t4\tOTHER-NET\tZZ\t\n";

	tap_require(recognized(text) == LAYOUT_DSHIELD, "not recognized");
	has_keys(-1, text, "198.51.100.0/24\n203.0.113.0/24\n", 0);
	tap_require(got.columns.skipped == 1, "%llu", got.columns.skipped);
	has_keys(LAYOUT_DSHIELD, text, "198.51.100.0/24\n203.0.113.0/24\n", 0);
	/* Names can contain anything. */
	has_keys(-1, "Start\tEnd\tNetmask\n198.51.100.0\t198.51.100.255\t24\t579\t192.0.2.1\tZZ\n"
		 "203.0.113.0\t203.0.113.255\t24\t5\tOK\tallow\taccept\n192.0.2.1 198.51.100.9\n"
		 "192.0.2.0 192.0.2.255 x 192.0.2.9\n",
		 "198.51.100.0/24\n203.0.113.0/24\n", 2);
	/* A named format takes nothing else. */
	/* A row that is cut off is no host; a network that was added is complete. */
	has_keys(-1, "Start\tEnd\tNetmask\n192.0.2.0\t192.0.2.255\t24\n198.51.100.0/24\n"
		 "198.51.100.0\t24\n192.0.2.0-192.0.2.9\n198.51.100.0\t5\n198.51.100.0",
		 "192.0.2.0/24\n198.51.100.0/24\n198.51.100.0/24\n192.0.2.0-192.0.2.9\n", 2);
	has_keys(LAYOUT_DSHIELD, "192.0.2.1\n192.0.2.0 192.0.2.255 7\n192.0.2.0\t192.0.2.255\t23\n"
		 "192.0.2.1\t192.0.2.9\t24\n", "", 4);
	tap_require(recognized("192.0.2.0\t192.0.2.255\t24\n") == LAYOUT_LIST, "no heading");
	tap_require(recognized("192.0.2.1\nStart End Netmask\n") == LAYOUT_LIST, "late heading");
}

static void test_ipfilter(void)
{
	static const char text[] =
		"# ipfilter\n000.000.000.000 - 000.255.255.255 , 000 , Bogon\n"
		"001.002.004.000 - 001.002.004.255 , 100 , China Internet, 2\n"
		"192.000.002.004 - 192.000.002.009 , 127 , allowed\n"
		"198.051.100.000 - 198.051.100.255 , 200 , allowed\r\n";

	tap_require(recognized(text) == LAYOUT_IPFILTER, "not recognized");
	has_keys(-1, text, "000.000.000.000 - 000.255.255.255\n"
		 "001.002.004.000 - 001.002.004.255\n", 0);
	tap_require(got.columns.allowed == 2, "%llu", got.columns.allowed);
	has_keys(LAYOUT_IPFILTER, text, "000.000.000.000 - 000.255.255.255\n"
		 "001.002.004.000 - 001.002.004.255\n", 0);
	has_keys(LAYOUT_IPFILTER, "192.0.2.1\n192.0.2.1 - 192.0.2.9\n"
		 "192.0.2.1 - 192.0.2.9 , x , y\n192.0.2.9 - 192.0.2.1 , 0 , y\n", "", 4);
	/* Names can contain anything. */
	has_keys(-1, "192.0.2.1 - 192.0.2.9 , 000 , 198.51.100.7 proxy\n"
		 "192.0.2.1 - 192.0.2.9 , 000 , allow , accept\n192.0.2.1 - 192.0.2.9 , 1 , OK\n"
		 "192.0.2.1 - 192.0.2.9 , 1 , x:198.51.100.1-198.51.100.9\n",
		 "192.0.2.1 - 192.0.2.9\n192.0.2.1 - 192.0.2.9\n192.0.2.1 - 192.0.2.9\n"
		 "192.0.2.1 - 192.0.2.9\n", 0);
	/* Each level from 127 on is allowed, and a level is alone in its column. */
	has_keys(LAYOUT_IPFILTER, "192.0.2.1 - 192.0.2.9 , 256 , x\n192.0.2.1-192.0.2.9,1000,x\n"
		 "192.0.2.1 - 192.0.2.9 , 0127 , x\n192.0.2.1 - 192.0.2.9 , 99999999999999999999\n"
		 "192.0.2.11 - 192.0.2.19 , 0126 , x\n", "192.0.2.11 - 192.0.2.19\n", 0);
	tap_require(got.columns.allowed == 4, "%llu", got.columns.allowed);
	has_keys(LAYOUT_IPFILTER, "192.0.2.1 - 192.0.2.9 , 200 x\n192.0.2.1 - 192.0.2.9 , 0 x , y\n",
		 "", 2);
	has_keys(-1, "192.0.2.1 - 192.0.2.9 , 0 , x\n192.0.2.1 - 192.0.2.9 , 1 x , y\n",
		 "192.0.2.1 - 192.0.2.9\n", 1);
	tap_require(recognized("192.0.2.1-192.0.2.9,64496,x\n") == LAYOUT_LIST, "not a level");
	tap_require(recognized("192.0.2.1-192.0.2.9,256,x\n") == LAYOUT_LIST, "not a level");
	/* A number without a name is not a level, and may be a count. */
	tap_require(recognized("192.0.2.1-192.0.2.9,99\n") == LAYOUT_LIST, "no name");
	tap_require(recognized("192.0.2.1 - 192.0.2.9 , 99 ,\n") == LAYOUT_LIST, "no name");
	tap_require(recognized("192.0.2.1-192.0.2.9;99;x\n") == LAYOUT_LIST, "semicolons");
	tap_require(recognized("192.0.2.1-192.0.2.9,99;x\n") == LAYOUT_LIST, "a semicolon");
	tap_require(recognized("192.0.2.1 99\n192.0.2.2 7\n") == LAYOUT_LIST, "blanks");
	tap_require(recognized("192.0.2.1-192.0.2.9,99,x\n") == LAYOUT_IPFILTER, "no blanks");
	/* Without the blanks of ipfilter.dat, the number can be an autonomous system. */
	tap_require(recognized("192.0.2.1-192.0.2.9,174,Cogent\n") == LAYOUT_LIST, "AS 174");
	has_keys(-1, "192.0.2.1-192.0.2.9,174,Cogent\n", "", 1);
	has_keys(LAYOUT_IPFILTER, "192.0.2.01 - 192.0.2.9 , 0 , y\n", "", 1);
	/* What is recognized keeps its meaning: other lines are those of a list. */
	has_keys(-1, "192.0.2.1 - 192.0.2.9 , 0 , y\n", "192.0.2.1 - 192.0.2.9\n", 0);
	tap_require(recognized("192.0.2.1 - 192.0.2.9 , 0 , y\n192.0.2.1\n") == LAYOUT_LIST,
		    "mixed");
}

static void test_p2p(void)
{
	static const char text[] =
		"# List distributed by example\n\nExample Org:198.51.100.0-198.51.100.255\n"
		"http://spam.example:203.0.113.7-203.0.113.7\n"
		"192.0.2.98 - relay, Inc:198.18.0.0-198.18.0.255\n";
	static const char keys[] = "198.51.100.0-198.51.100.255\n203.0.113.7-203.0.113.7\n"
				   "198.18.0.0-198.18.0.255\n";

	tap_require(recognized(text) == LAYOUT_P2P, "not recognized");
	has_keys(-1, text, keys, 0);
	has_keys(LAYOUT_P2P, text, keys, 0);
	/* Only who names the format says that all of this is a name. */
	has_keys(-1, "192.0.2.1 # see x:10.0.0.0-10.255.255.255\n", "192.0.2.1\n", 0);
	has_keys(-1, "192.0.2.1 x # y:10.0.0.0-10.255.255.255\n", "", 1);
	has_keys(LAYOUT_P2P, "192.0.2.1 x # y:10.0.0.0-10.255.255.255\n",
		 "10.0.0.0-10.255.255.255\n", 0);
	has_keys(LAYOUT_P2P, "192.0.2.1\n:192.0.2.1-192.0.2.9\nx:192.0.2.1\n"
		 "x:2001:db8::1-2001:db8::9\nx:192.0.2.9-192.0.2.1\nx:192.0.2.1-192.0.2.9 y\n",
		 "", 6);
	tap_require(recognized("x:192.0.2.1-192.0.2.9\n192.0.2.1\n") == LAYOUT_LIST, "mixed");
	/* What is recognized is what the format list reads. */
	tap_require(recognized("x: 192.0.2.1 - 192.0.2.9\n") == LAYOUT_LIST, "blanks");
	tap_require(recognized("192.0.2.1 # y:10.0.0.0-10.255.255.255\n") == LAYOUT_LIST,
		    "comment");
	/* A line whose key is written in two fields is not a name and a range. */
	has_keys(-1, "# my networks\n192.0.2.0 /24\n198.51.100.0 / 24\n",
		 "192.0.2.0/24\n198.51.100.0/24\n", 0);
	has_keys(-1, "192.0.2.0 /24 x:198.51.100.1-198.51.100.9\n",
		 "198.51.100.1-198.51.100.9\n", 0);
	tap_require(recognized("2001:db8:: /32\n") == LAYOUT_LIST, "a key in two fields");
	tap_require(recognized("1:2::1.2.3.4-1.2.3.9\n") == LAYOUT_LIST, "IPv6");
	has_keys(LAYOUT_P2P, "x: 192.0.2.1 - 192.0.2.9\n", "192.0.2.1 - 192.0.2.9\n", 0);
	has_keys(LAYOUT_P2P, "!x:192.0.2.1-192.0.2.9\n+x:192.0.2.1-192.0.2.9\n"
		 "@@x:192.0.2.1-192.0.2.9\nAllow:192.0.2.1-192.0.2.9\n"
		 "x@@y!+:192.0.2.1-192.0.2.9\n", "192.0.2.1-192.0.2.9\n", 4);
	has_keys(LAYOUT_P2P, "x:192.0.2.1-192.0.2.9\ry:192.0.2.11-192.0.2.19\r\n"
		 "z:192.0.2.21-192.0.2.29\r\n", "192.0.2.21-192.0.2.29\n", 1);
	has_keys(LAYOUT_DSHIELD, "Start\tEnd\tNetmask\r192.0.2.0\t192.0.2.255\t24\r", "", 1);
}

static void test_exceptions(void)
{
	syntax.exceptions = true;
	has_keys(LAYOUT_LIST, "192.0.2.0/24\n!192.0.2.7\n! 192.0.2.8-192.0.2.9 # x\n"
		 "198.51.100.1,allow\n198.51.100.2 nomatch\n",
		 "192.0.2.0/24\n192.0.2.7\n192.0.2.8-192.0.2.9\n198.51.100.1\n198.51.100.2\n", 0);
	tap_require(got.keys == 1 && got.columns.exceptions == 4, "%llu, %llu", got.keys,
		    got.columns.exceptions);
	has_keys(LAYOUT_LIST, "!\n!x\n!192.0.2.1x\n!192.0.2.1 192.0.2.9\n!192.0.2.1:80\n"
		 "!192.0.2.1 x:192.0.2.1-192.0.2.9\n+192.0.2.1\n@@192.0.2.1\nallow 192.0.2.1\n",
		 "", 9);
	has_keys(LAYOUT_LIST, "!x:192.0.2.1-192.0.2.9\n+x:192.0.2.1-192.0.2.9\n"
		 "@@x:192.0.2.1-192.0.2.9\n(allow):192.0.2.1-192.0.2.9\n",
		 "192.0.2.1-192.0.2.9\n192.0.2.1-192.0.2.9\n192.0.2.1-192.0.2.9\n"
		 "192.0.2.1-192.0.2.9\n", 0);
	tap_require(!got.keys && got.columns.exceptions == 4, "%llu", got.columns.exceptions);
	has_keys(LAYOUT_P2P, "!x:192.0.2.1-192.0.2.9\n @@x:192.0.2.1-192.0.2.9\n"
		 "allow:192.0.2.1-192.0.2.9\n",
		 "192.0.2.1-192.0.2.9\n192.0.2.1-192.0.2.9\n192.0.2.1-192.0.2.9\n", 0);
	tap_require(!got.keys && got.columns.exceptions == 3, "%llu", got.columns.exceptions);
	/* An exception for a part of the key is no exception for the whole key. */
	has_keys(LAYOUT_LIST, "198.51.100.0/24 !198.51.100.7\n198.51.100.0/24,x,!198.51.100.7#y\n"
		 "198.51.100.0/24 ; except mail servers\n198.51.100.0/24 5 - except mail\n"
		 "198.51.100.0/24,US,excluding 198.51.100.7\n"
		 "198.51.100.0/24 (except mail)\n", "", 6);
	has_keys(LAYOUT_LIST, "198.51.100.1 except\n198.51.100.2\texclude\tUS\n"
		 "198.51.100.3,except\n",
		 "198.51.100.1\n198.51.100.2\n198.51.100.3\n", 0);
	tap_require(!got.keys && got.columns.exceptions == 3, "%llu, %llu", got.keys,
		    got.columns.exceptions);
	syntax.exceptions = false;
	has_keys(LAYOUT_LIST, "192.0.2.0/24\n!192.0.2.7\n198.51.100.1,allow\n",
		 "192.0.2.0/24\n", 2);
}

static void test_row_numbers(void)
{
	has_keys(LAYOUT_ROW, "192.0.2.1 5\n192.0.2.2 5 192.0.2.3\n192.0.2.4 192.0.2.5 5 x\n"
		 "192.0.2.6 5 192.0.2.7 6\n192.0.2.8 x\n192.0.2.9\n198.51.100.0 24\n",
		 "192.0.2.1\n192.0.2.2\n192.0.2.3\n192.0.2.4\n192.0.2.5\n192.0.2.6\n192.0.2.7\n"
		 "192.0.2.8\n192.0.2.9\n198.51.100.0/24\n", 0);
	tap_require(got.columns.numbers == 4, "%llu", got.columns.numbers);
}

static const struct tap_test tests[] = {
	{ "peer.dshield: the block list of DShield is recognized by its heading",
	  test_dshield },
	{ "peer.ipfilter: ipfilter.dat: levels of 127 and above are allowed", test_ipfilter },
	{ "peer.p2p: NAME:FIRST-LAST: an address in the name is no key", test_p2p },
	{ "peer.row_numbers: the lines of rows with ignored numbers are counted",
	  test_row_numbers },
	{ "peer.exceptions: exceptions are no keys, and are collected on demand",
	  test_exceptions },
};

int main(int argc, char **argv)
{
	return lists_main(argc, argv, tests, TAP_COUNT(tests));
}
