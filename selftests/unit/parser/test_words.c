// SPDX-License-Identifier: GPL-2.0-only
/*
 * Words and numbers after an address that change what its line means.
 */
#include "formats.h"

/* The text of a line, and its key; "bad" for none. */
struct meaning {
	const char *text;
	const char *key;
};

static const struct meaning words_after[] = {
	{ "198.51.100.7 whitelist-entry", "bad" }, { "198.51.100.7,x,whitelisted_by_admin", "bad" },
	{ "198.51.100.7,allow_list", "bad" }, { "198.51.100.7 ip-safelist", "bad" },
	{ "198.51.100.7,white list", "bad" }, { "198.51.100.7 x white list", "198.51.100.7" },
	{ "198.51.100.7,not-whitelisted,x", "198.51.100.7" },
	{ "198.51.100.7,whitelist.example.com", "198.51.100.7" },
	{ "198.51.100.7 blocklist", "198.51.100.7" }, { "198.51.100.7,listed", "198.51.100.7" },
	{ "198.51.100.7,false positive", "bad" }, { "198.51.100.7 False-Positive # x", "bad" },
	{ "198.51.100.7,x,known good,y", "bad" }, { "198.51.100.7\tx\tNo longer listed", "bad" },
	{ "198.51.100.7 x,not listed", "bad" }, { "198.51.100.7,clean", "bad" },
	{ "198.51.100.7,low false positive rate", "198.51.100.7" },
	{ "198.51.100.7,false positive rate low", "198.51.100.7" },
	{ "198.51.100.7 Good Hosting", "198.51.100.7" }, { "198.51.100.7 safe", "bad" },
	{ "198.51.100.7\tClean Pipes Ltd\tUS", "198.51.100.7" }, { "198.51.100.7,x,skip", "bad" },
	{ "198.51.100.7 tcp dport 22", "bad" }, { "198.51.100.7 -p tcp --dport 22 -j DROP", "bad" },
	{ "198.51.100.7 ssh brute force port 22", "198.51.100.7" },
};

static const struct meaning lengths[] = {
	{ "198.51.100.0 24/8", "bad" }, { "198.51.100.0,24/32", "bad" },
	{ "198.51.100.7 24/8", "198.51.100.7" }, { "198.51.100.0 24/11/2026", "198.51.100.0" },
	{ "198.51.100.0 24b", "bad" }, { "198.51.100.0,24B", "bad" },
	{ "198.51.100.0 (24b)", "bad" }, { "198.51.100.7 24b", "198.51.100.7" },
	{ "198.51.100.0 24b7", "198.51.100.0" }, { "2001:db8:: 64b", "bad" },
	{ "198.51.100.0 : 24", "bad" }, { "198.51.100.0 = 24", "bad" },
	{ "198.51.100.0 \\ 24", "bad" }, { "198.51.100.0 :: 24,x", "bad" },
	{ "198.51.100.0 _ 24 # x", "bad" }, { "198.51.100.0 * 24", "bad" },
	{ "198.51.100.7 : 24", "198.51.100.7" }, { "198.51.100.0 : 2400", "198.51.100.0" },
	{ "198.51.100.0 : 24 attacks", "198.51.100.0" }, { "198.51.100.0 x : 24", "198.51.100.0" },
};

static const struct meaning rows[] = {
	/* Rules for a port or another destination, and networks of all addresses. */
	{ "-A INPUT -s 192.0.2.0/24 -p tcp --dport 22 -j DROP", "bad" },
	{ "ip saddr 192.0.2.1 tcp dport 22 drop", "bad" },
	{ "deny tcp host 192.0.2.1 any eq 22", "bad" },
	{ "block in quick from 192.0.2.1 to any port 22", "bad" },
	{ "block in quick from 192.0.2.1 to any port = ssh", "bad" },
	{ "DROP tcp -- 192.0.2.1 anywhere tcp dpt:ssh", "bad" },
	{ "22/tcp DENY IN 192.0.2.1", "bad" }, { "22/tcp (v6) DENY IN 2001:db8::1", "bad" },
	{ "-A INPUT -s 192.0.2.1/32 -d 198.51.100.7/32 -j DROP", "bad" },
	{ "ip daddr 192.0.2.1 drop", "bad" }, { "--destination 192.0.2.1", "bad" },
	{ "192.0.2.0/24 via 198.51.100.7 dev eth0", "bad" },
	{ "192.0.2.0/24 gateway 198.51.100.7", "bad" },
	{ "DROP all -- 192.0.2.1 0.0.0.0/0", "bad" }, { "x ::/0 y", "bad" },
	{ "0.0.0.0/0", "0.0.0.0/0" }, { "::/0 # x", "::/0" },
	{ "Ban 192.0.2.1 via smtp, port scan", "192.0.2.1" },
	{ "attack on port ssh from 192.0.2.1", "192.0.2.1" },
	{ "-A INPUT -s 192.0.2.1/32 -j DROP", "192.0.2.1/32" },
	{ "Require ip 192.0.2.1", "bad" }, { "inactive: 192.0.2.1;", "bad" },
};

static void check(int layout, const struct meaning *meanings, size_t count)
{
	char text[200], keys[200];
	size_t i;
	bool bad;

	for (i = 0; i < count; i++) {
		bad = !strcmp(meanings[i].key, "bad");
		sprintf(text, "%s\n", meanings[i].text);
		sprintf(keys, "%s\n", meanings[i].key);
		has_keys(layout, text, bad ? "" : keys, bad);
	}
}

static void test_words(void)
{
	check(LAYOUT_LIST, words_after, TAP_COUNT(words_after));
}

static void test_lengths(void)
{
	check(LAYOUT_LIST, lengths, TAP_COUNT(lengths));
}

static void test_rows(void)
{
	check(LAYOUT_ROW, rows, TAP_COUNT(rows));
}

static const struct tap_test tests[] = {
	{ "words.exceptions: words that allow or negate, and remarks that do not", test_words },
	{ "words.lengths: a length in another form is no remark", test_lengths },
	{ "words.rows: a rule for a port or another address makes a row bad", test_rows },
};

int main(int argc, char **argv)
{
	return lists_main(argc, argv, tests, TAP_COUNT(tests));
}
