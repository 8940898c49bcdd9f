// SPDX-License-Identifier: GPL-2.0-only
/*
 * Entries of lists in JSON that must not be blocked, or are not in force.
 */
#include "documents.h"

/* Entries that a document allows are no keys. */
static void test_allowed(void)
{
	static const char text[] =
		"[{\"ipAddress\": \"192.0.2.1\", \"isWhitelisted\": true},"
		"{\"ipAddress\": \"192.0.2.2\", \"isWhitelisted\": false, \"type\": \"scan\"},"
		"{\"ipAddress\": \"192.0.2.3\", \"isWhitelisted\": null, \"allow\": \"no\"},"
		"{\"cidr\": \"192.0.2.4\", \"Action\": \"ALLOW\"},"
		"{\"list\": \"whitelist\", \"cidr\": [\"192.0.2.5\"]},"
		"{\"allowed\": 1, \"x\": {\"cidr\": \"192.0.2.6\"}},"
		"{\"policy\": \"permit\", \"mask\": 24, \"cidr\": \"198.51.100.0\"},"
		"{\"allow\": {\"cidr\": [\"192.0.2.7\"]}, \"deny\": {\"cidr\": \"192.0.2.8\"}},"
		"{\"mode\": \"block\", \"cidr\": \"192.0.2.9\"}]";
	static const char keys[] = "192.0.2.2\n192.0.2.3\n192.0.2.8\n192.0.2.9\n";
	struct input input;

	expect(text, "", keys, 6);
	syntax.exceptions = true;
	tap_require(!run_query(text, "", &input), "%s", words);
	tap_require(!input.bad && input.keys == 4 && input.columns.exceptions == 6,
		    "%llu bad, %llu keys, %llu exceptions", input.bad, input.keys,
		    input.columns.exceptions);
	syntax.exceptions = false;
	/* The user can choose these entries. */
	expect(text, "?where=Action:ALLOW", "192.0.2.4\n", 0);
}

/* Words in the object of an address have the meaning that they have in a column of a table. */
static void test_texts(void)
{
	expect("[{\"cidr\": \"192.0.2.1\", \"status\": \"Whitelisted\"},"
	       "{\"cidr\": \"192.0.2.2\", \"classification\": \"benign\"},"
	       "{\"cidr\": \"192.0.2.3\", \"RuleAction\": \"allow\"},"
	       "{\"tags\": [\"x\", \"whitelist\"], \"cidr\": [\"192.0.2.4\"]},"
	       "{\"cidr\": \"192.0.2.5\", \"note\": \"CDN, do not block\"},"
	       "{\"cidr\": \"192.0.2.6\", \"negated\": \"1\"},"
	       "{\"cidr\": \"192.0.2.7\", \"event\": \"unban\"},"
	       "{\"cidr\": \"192.0.2.8\", \"state\": \"inactive\"},"
	       "{\"cidr\": \"192.0.2.9\", \"status\": \"hosts that allow mail\"},"
	       "{\"cidr\": \"192.0.2.10\", \"meta\": {\"status\": \"accepted\"}}]", "",
	       "192.0.2.9\n192.0.2.10\n", 8);
	expect("[{\"cidr\": \"192.0.2.1\", \"status\": \"false positive\"},"
	       "{\"cidr\": \"192.0.2.2\", \"reputation\": \"Good\"},"
	       "{\"cidr\": \"192.0.2.3\", \"status\": \"no longer listed\"},"
	       "{\"cidr\": \"192.0.2.4\", \"set\": \"whitelisted_by_admin\"},"
	       "{\"cidr\": \"192.0.2.5\", \"org\": \"Good Hosting\"}]", "", "192.0.2.5\n", 4);
	/* A text far above an address says nothing about it. */
	expect("{\"status\": \"accepted\", \"data\": [{\"cidr\": \"192.0.2.1\"}]}", "",
	       "192.0.2.1\n", 0);
	expect("[{\"cidr\": \"192.0.2.1\", \"malicious\": false},"
	       "{\"cidr\": \"192.0.2.2\", \"isBlocked\": 0},"
	       "{\"cidr\": \"192.0.2.3\", \"blocked\": false},"
	       "{\"cidr\": \"192.0.2.4\", \"blocked\": 0},"
	       "{\"cidr\": \"192.0.2.5\", \"block\": \"no\", \"listed\": true}]", "",
	       "192.0.2.4\n", 0);
	/* Addresses that are keys of objects are not left out in silence. */
	refuse("{\"192.0.2.0\": 24, \"192.0.2.1\": {\"x\": 1}}", "", 1, "the keys themselves (2)",
	       NULL);
}

/* Entries that are not in force, such as decisions of CrowdSec that are simulated, are skipped. */
static void test_off(void)
{
	expect("[{\"cidr\": \"192.0.2.1\", \"simulated\": true},"
	       "{\"cidr\": \"192.0.2.2\", \"simulated\": false},"
	       "{\"cidr\": \"192.0.2.3\", \"is_active\": 0},"
	       "{\"cidr\": \"192.0.2.4\", \"enabled\": \"No\"},"
	       "{\"cidr\": \"192.0.2.5\", \"active\": \"\", \"expired\": null},"
	       "{\"cidr\": \"192.0.2.6\", \"active\": true, \"expired\": \"2030-01-01\"},"
	       "{\"revoked\": 1, \"x\": [{\"cidr\": \"192.0.2.7\"}]}]", "",
	       "192.0.2.2\n192.0.2.5\n192.0.2.6\n", 0);
	expect("[{\"cidr\": \"192.0.2.1\", \"enabled\": false}]", "?where=enabled:false",
	       "192.0.2.1\n", 0);
}

/* Addresses under a key such as "except" are exceptions, and never left out. */
static void test_exceptions(void)
{
	static const char kubernetes[] = "{\"ipBlock\": {\"cidr\": \"172.17.0.0/16\","
					 "\"except\": [\"172.17.1.0/24\"]}}";
	struct input input;

	expect(kubernetes, "", "172.17.0.0/16\n", 1);
	tap_require(strstr(words, "172.17.1.0/24"), "%s", words);
	expect("{\"cidr\": \"192.0.2.0/24\", \"exclude\": \"192.0.2.7/32\"}", "",
	       "192.0.2.0/24\n", 1);
	expect("{\"allow\": \"192.0.2.7\", \"ip_prefix\": \"192.0.2.0/24\"}", "", "192.0.2.0/24\n",
	       1);
	expect("{\"allow\": [\"192.0.2.7\"], \"cidr\": [\"192.0.2.8\"]}", "", "192.0.2.8\n", 1);
	expect("{\"cidr\": [\"192.0.2.0/24\", {\"except\": \"192.0.2.7\"}]}", "", "192.0.2.0/24\n",
	       1);
	expect("{\"cidr\": \"2001:db8::/32\", \"Except\": {\"x\": [{\"y\": \"2001:db8::1\"}]}}", "",
	       "2001:db8::/32\n", 1);
	/* Ranges and texts that should be addresses; flags and names are not. */
	expect("{\"cidr\": \"192.0.2.0/24\", \"excludes\": [\"192.0.2.1-192.0.2.9\","
	       "\"192.0.2.300\", \"192.0.2.7, 192.0.2.8\", \"no\","
	       "\"US\", \"2026-01-01\", true, 7, null]}", "",
	       "192.0.2.0/24\n", 3);
	syntax.exceptions = true;
	tap_require(!run_query(kubernetes, "", &input), "%s", words);
	tap_require(!input.bad && input.keys == 1 && input.columns.exceptions == 1,
		    "%llu bad, %llu keys, %llu exceptions", input.bad, input.keys,
		    input.columns.exceptions);
	syntax.exceptions = false;
	/* The user can choose them, and the condition and MISP leave them out. */
	expect("{\"allow\": [\"192.0.2.7\"], \"cidr\": \"192.0.2.8\"}", "?key=allow", "192.0.2.7\n",
	       0);
	expect("[{\"s\": \"a\", \"cidr\": \"192.0.2.8\"},"
	       "{\"s\": \"b\", \"except\": \"192.0.2.7\"},"
	       "{\"to_ids\": false, \"except\": \"192.0.2.7\", \"s\": \"a\"}]", "?where=s:a",
	       "192.0.2.8\n", 0);
	/* They do not hide that most addresses are under other keys. */
	refuse("{\"except\": [\"192.0.2.7\"], \"net\": \"192.0.2.8\"}", "", 1, "net (1)", NULL);
}

/* The words for exceptions, in all spellings, as keys and as values. */
static void test_spellings(void)
{
	static const char * const exceptions[] = {
		"allow", "ALLOW", "allow_list", "ip-allow-list", "allowList", "IPAllowList",
		"ipallowlist", "allowedIPs", "exceptions", "excluded_cidrs", "excludedCidrs",
		"EXCLUDED-CIDRS", "Exclusions", "safelist", "safe_list", "trusted",
		"trusted_networks", "whitelist", "white-list", "WhiteList", "permitted",
		"exemptions", "ignoreip", "removed",
	};
	static const char * const others[] = {
		"deny", "blocklist", "not_allowed", "disallowed", "untrusted", "NotTrusted",
		"shallow", "exclusive", "trust_score", "list", "", "-",
	};
	static const char * const flags[] = {
		"isWhitelisted", "is_whitelisted", "IS-ALLOWED", "allow_listed", "trusted",
		"Safelisted", "excluded", "isException", "false_positive", "do_not_block",
		"neverBan", "on_whitelist", "is_in_allowlist", "isBenign",
	};
	static const char * const yes[] = {
		"1", "1.0", "\"t\"", "\"Y\"", "\"on\"", "\"x\"", "\"1.0\"",
	};
	static const char * const kinds[] = {
		"ALLOW", "allow_list", "ip-allow-list", "Allow list", "exceptions", "trusted",
		"Safe-List", "excluded",
	};
	char text[200];
	size_t i;

	for (i = 0; i < TAP_COUNT(exceptions); i++) {
		sprintf(text, "{\"%s\": {\"cidr\": \"192.0.2.7\"}}", exceptions[i]);
		expect(text, "", "", 1);
	}
	for (i = 0; i < TAP_COUNT(others); i++) {
		sprintf(text, "{\"%s\": {\"cidr\": \"192.0.2.7\"}}", others[i]);
		expect(text, "", "192.0.2.7\n", 0);
	}
	for (i = 0; i < TAP_COUNT(flags); i++) {
		sprintf(text, "{\"%s\": true, \"cidr\": \"192.0.2.7\"}", flags[i]);
		expect(text, "", "", 1);
	}
	for (i = 0; i < TAP_COUNT(yes); i++) {
		sprintf(text, "{\"whitelisted\": %s, \"cidr\": \"192.0.2.7\"}", yes[i]);
		expect(text, "", "", 1);
	}
	for (i = 0; i < TAP_COUNT(kinds); i++) {
		sprintf(text, "{\"List\": \"%s\", \"cidr\": \"192.0.2.7\"}", kinds[i]);
		expect(text, "", "", 1);
	}
	expect("[{\"allowed_ports\": 80, \"trusted_reports\": 4, \"type\": \"not allowed here\","
	       "\"exceptions\": 3, \"cidr\": \"192.0.2.7\"}]", "", "192.0.2.7\n", 0);
}

static const struct tap_test tests[] = {
	{ "flags.allowed: entries that a document allows are exceptions", test_allowed },
	{ "flags.texts: words in an object mean what they mean in a table", test_texts },
	{ "flags.off: entries that are not in force are skipped", test_off },
	{ "flags.exceptions: addresses under a key such as except are exceptions",
	  test_exceptions },
	{ "flags.spellings: words for exceptions in all spellings", test_spellings },
};

int main(int argc, char **argv)
{
	syntax.recognize = true;
	return lists_main(argc, argv, tests, TAP_COUNT(tests));
}
