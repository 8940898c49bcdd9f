// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hosts files: the names to block become byte strings, and no others.
 */
#include "formats.h"

static const char file[] =
	"# Title: hosts\r\n"
	"127.0.0.1 localhost\n127.0.0.1 localhost.localdomain\n127.0.0.1 local\n"
	"255.255.255.255 broadcasthost\n::1 ip6-localhost\nfe80::1%lo0 localhost\n"
	"ff02::1 ip6-allnodes\n0.0.0.0 0.0.0.0\n\n"
	"0.0.0.0 ads.example # banner\n127.0.0.1\ttrack.example\r\n"
	":: v6.example two.example#x\n192.0.2.7 nas.example\n";

static void test_names(void)
{
	static const char keys[] = "ads.example\ntrack.example\nv6.example\ntwo.example\n";

	has_keys(LAYOUT_HOSTS, file, keys, 0);
	tap_require(got.columns.skipped == 9, "%llu", got.columns.skipped);
	tap_require(got.lines == 12, "%llu lines", got.lines);
	has_keys(-1, file, keys, 0);
	has_keys(LAYOUT_HOSTS, "0.0.0.0\nads.example\n0.0.0.0 a/b\n0.0.0.0 good bad!\n0.0.0.0:80 x\n",
		 "", 5);
	has_keys(LAYOUT_HOSTS, "", "", 0);
}

static void test_recognized(void)
{
	tap_require(recognized(file) == LAYOUT_HOSTS, "not recognized");
	tap_require(recognized("0.0.0.0 a.example\n0.0.0.0 b.example\n") == LAYOUT_HOSTS, "two");
	/* These can be byte strings. */
	tap_require(recognized("0.0.0.0 a.example\n") == LAYOUT_LIST, "one line");
	tap_require(recognized("192.0.2.1 a.example\n192.0.2.2 b.example\n") == LAYOUT_LIST,
		    "names of hosts");
	tap_require(recognized("0.0.0.0 a.example\n0.0.0.0 b.example\nc.example\n") ==
		    LAYOUT_LIST, "mixed");
	has_keys(LAYOUT_LIST, "0.0.0.0 a.example\n0.0.0.0 b.example\n",
		 "0.0.0.0 a.example\n0.0.0.0 b.example\n", 0);
}

static void test_addresses(void)
{
	syntax.kind = SYNTAX_INET;
	/* A filter of addresses gets none of these. */
	has_keys(-1, "0.0.0.0 a.example\n0.0.0.0 b.example\n", "", 2);
	is_error(LAYOUT_HOSTS, "0.0.0.0 a.example\n", "'hosts' is for byte strings");
	syntax.kind = SYNTAX_BYTES;
	is_error(LAYOUT_IPSET, "add s 192.0.2.1\n", "'ipset' is for addresses");
	syntax.kind = SYNTAX_HEX;
	is_error(LAYOUT_HOSTS, "0.0.0.0 aa\n", "cannot be combined with --hex");
	has_keys(-1, "0a\n", "0a\n", 0);
	syntax.kind = SYNTAX_BYTES;
}

static const struct tap_test tests[] = {
	{ "hosts.names: the names to block are keys, those of the host are not", test_names },
	{ "hosts.recognized: only lines of a hosts file are recognized", test_recognized },
	{ "hosts.addresses: a filter of addresses takes no hosts file", test_addresses },
};

int main(int argc, char **argv)
{
	syntax.kind = SYNTAX_BYTES;
	return lists_main(argc, argv, tests, TAP_COUNT(tests));
}
