// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists in JSON: documents, JSON lines, and sets that nft printed.
 */
#include "documents.h"
#include "input/document.h"

static void test_known(void)
{
	expect("{\"prefixes\": [{\"ip_prefix\": \"3.4.12.4/32\", \"region\": \"eu\"},\n"
	       " {\"ip_prefix\": \"3.5.140.0/22\"}],\n"
	       " \"ipv6_prefixes\": [{\"ipv6_prefix\": \"2600:1f14::/35\"}]}", "",
	       "3.4.12.4/32\n3.5.140.0/22\n2600:1f14::/35\n", 0);
	expect("{\"creationTime\": \"x\", \"prefixes\": [{\"ipv4Prefix\": \"8.8.4.0/24\"},"
	       "{\"ipv6Prefix\": \"2001:4860::/32\"}]}", "", "8.8.4.0/24\n2001:4860::/32\n", 0);
	expect("{\"values\": [{\"name\": \"A\", \"properties\": {\"addressPrefixes\":"
	       "[\"4.1.1.0/24\", \"2603:1::/48\"]}}]}", "", "4.1.1.0/24\n2603:1::/48\n", 0);
	expect("{\"result\": {\"ipv4_cidrs\": [\"173.245.48.0/20\"], \"ipv6_cidrs\":"
	       "[\"2400:cb00::/32\"]}}", "", "173.245.48.0/20\n2400:cb00::/32\n", 0);
	expect("{\"data\": [{\"ipAddress\": \"5.188.10.179\", \"abuseConfidenceScore\": 100}]}", "",
	       "5.188.10.179\n", 0);
	expect("[{\"ip_address\": \"1.2.3.4\", \"port\": 443, \"status\": \"online\"}]\n", "",
	       "1.2.3.4\n", 0);
	expect("[\"1.2.3.4\", \"2001:db8::/32\", \"1.2.3.5-1.2.3.9\"]", "",
	       "1.2.3.4\n2001:db8::/32\n1.2.3.5-1.2.3.9\n", 0);
	expect("\xef\xbb\xbf\r\n[\r\n\"1.2.3.4\"\r\n]\r\n", "", "1.2.3.4\n", 0);
	expect("[]", "", "", 0);
	expect("{}\n", "", "", 0);
}

/* An address takes the mask that another key of its object has. */
static void test_masks(void)
{
	expect("[{\"ip_address\": \"198.51.100.0\", \"mask\": 24},"
	       "{\"netmask\": \"255.255.255.0\", \"ip_address\": \"198.51.100.0\"},"
	       "{\"ip_prefix\": \"198.51.100.0\", \"prefix_len\": \"/24\"},"
	       "{\"ipv6_prefix\": \"2001:db8::\", \"prefixlen\": \"32\"},"
	       "{\"cidr\": [\"10.0.0.0\", \"10.1.0.0\"], \"mask_len\": 16}]", "",
	       "198.51.100.0/24\n198.51.100.0/255.255.255.0\n198.51.100.0/24\n2001:db8::/32\n"
	       "10.0.0.0/16\n10.1.0.0/16\n", 0);
	/* What is no mask of the address makes the entry bad. */
	expect("[{\"ip_address\": \"198.51.100.7\", \"netmask\": \"255.255.255.0\"},"
	       "{\"ip_address\": \"198.51.100.0\", \"prefix_length\": 33},"
	       "{\"ip_address\": \"198.51.100.0\", \"mask\": \"x\"},"
	       "{\"ip_address\": \"198.51.100.0\", \"mask\": [24]},"
	       "{\"ip_address\": \"2001:db8::\", \"mask\": \"255.255.255.0\"}]", "", "", 5);
	/* Values with a length of their own, and masks without a value. */
	expect("[{\"cidr\": \"198.51.100.0/24\", \"mask\": 24}, {\"cidr\": \"1.2.3.4-1.2.3.7\","
	       "\"mask\": \"255.255.255.252\"}, {\"cidr\": \"1.2.3.4\", \"mask\": null},"
	       "{\"mask\": 24, \"x\": {\"cidr\": \"1.2.3.4\", \"netmask\": \"\"}}]", "",
	       "198.51.100.0/24\n1.2.3.4-1.2.3.7\n1.2.3.4\n1.2.3.4\n", 0);
	/* An outer object can have the mask of all addresses in it. */
	expect("[{\"mask\": 24, \"x\": [{\"cidr\": [\"198.51.100.0\"]}, {\"cidr\": \"198.51.101.0\"},"
	       "{\"cidr\": \"1.2.3.0\", \"x\": {\"cidr\": \"1.2.4.1\"}}]}]", "",
	       "198.51.100.0/24\n198.51.101.0/24\n1.2.3.0/24\n", 1);
	/* Two that disagree. */
	expect("[{\"cidr\": \"10.0.0.0\", \"mask\": \"24\", \"netmask\": \"255.255.0.0\"},"
	       "{\"cidr\": \"10.1.0.0/16\", \"mask\": 24},"
	       "{\"cidr\": \"10.2.0.0-10.2.0.9\", \"mask\": 24},"
	       "{\"ip_address\": \"10.3.0.0\", \"mask\": 24, \"bits\": 16},"
	       "{\"ip_address\": \"10.4.0.0\", \"mask\": 16, \"netmask\": \"255.255.0.0\"}]", "",
	       "10.4.0.0/16\n", 4);
	tap_require(strstr(words, "masks or last addresses that disagree"), "%s", words);
}

/* Other keys with a mask or length, and the addresses of the two keys are one network. */
static void test_lengths(void)
{
	static const char * const names[] = {
		"cidr", "bits", "length", "prefix", "PREFIX", "Netmask", "NETMASK",
		"prefix-length", "Prefix Length", "prefixLength", "ipPrefixLength", "net_mask",
		"network_mask", "subnetMask", "mask-bits", "ipv4_netmask", "plen", "subnet",
		"netBits", "subnet_size", "Netmask (CIDR)", "network-prefix",
	};
	struct input input;
	char text[200];
	size_t i;

	for (i = 0; i < TAP_COUNT(names); i++) {
		sprintf(text, "{\"%s\": 24, \"network\": \"192.0.2.0\"}", names[i]);
		expect(text, "?key=network", "192.0.2.0/24\n", 0);
		sprintf(text, "{\"network\": \"192.0.2.0\", \"%s\": \"/24\"}", names[i]);
		expect(text, "?key=network", "192.0.2.0/24\n", 0);
		sprintf(text, "{\"network\": \"192.0.2.0\", \"%s\": \"255.255.255.0\"}", names[i]);
		expect(text, "?key=network", "192.0.2.0/255.255.255.0\n", 0);
		sprintf(text, "{\"network\": \"2001:db8::1\", \"%s\": 64}", names[i]);
		expect(text, "?key=network", "", 1);
		sprintf(text, "{\"network\": \"192.0.2.0\", \"%s\": null}", names[i]);
		expect(text, "?key=network", "192.0.2.0\n", 0);
	}
	/* These are no lengths of the address. */
	expect("[{\"network\": \"192.0.2.1\", \"prefix\": \"AS\", \"length\": true,"
	       "\"cidr\": \"192.0.2.0/24\"}, {\"network\": [\"192.0.2.1\"], \"length\": 1},"
	       "{\"length\": 1, \"x\": {\"network\": \"192.0.2.2\"}},"
	       "{\"network\": \"192.0.2.0/24\", \"length\": 256}]", "?key=network",
	       "192.0.2.1\n192.0.2.1\n192.0.2.2\n192.0.2.0/24\n", 0);
	/* An exception has a mask, too. */
	syntax.exceptions = true;
	expect("{\"except\": [{\"ip\": \"192.0.2.0\", \"netmask\": \"255.255.255.0\"},"
	       "{\"start\": \"192.0.3.0\", \"end\": \"192.0.3.255\"}]}", "",
	       "192.0.2.0/255.255.255.0\n192.0.3.0/24\n", 0);
	syntax.exceptions = false;
	/* A length under a key that can also have addresses. */
	expect("[{\"ip_address\": \"192.0.2.0\", \"cidr\": 24}, {\"cidr\": \"24\","
	       "\"ipAddress\": \"192.0.3.0\"}]", "", "192.0.2.0/24\n192.0.3.0/24\n", 0);
	expect("[{\"cidr\": 24}, {\"cidr\": \"24\"}]", "", "", 2);
	/* A text that is not an address is in the message. */
	expect("{\"mask\": 24, \"cidr\": \"192.0.2.0/24,\"}", "", "", 1);
	tap_require(strstr(words, "cidr: 192.0.2.0/24,"), "%s", words);
	/* What is combined is not left out. */
	tap_require(!run_text("{\"ipAddress\": \"192.0.2.0\", \"netmask\": \"255.255.255.0\","
			      "\"end\": \"192.0.2.255\"}", &input), "%s", words);
	tap_require(seen.count == 1 && !input.notes.others.total, "%llu others",
		    input.notes.others.total);
}

/* A number of addresses is a part of the key, unless its object also has a length. */
static void test_counts(void)
{
	expect("[{\"ip\": \"192.0.2.0\", \"num_ips\": 256}, "
	       "{\"ip\": \"192.0.2.5\", \"hosts\": \"9\"},"
	       "{\"ip\": \"192.0.2.0\", \"count\": 256}, {\"ip\": \"192.0.2.0\", \"size\": 512e0}]",
	       "?key=ip", "", 4);
	expect("[{\"ip\": \"192.0.2.7\", \"numIps\": 1}, {\"ip\": \"192.0.2.7\", \"count\": 256},"
	       "{\"ip\": \"192.0.2.0\", \"size\": 256, \"netmask\": 24},"
	       "{\"ip\": \"192.0.2.0/24\", \"num_addresses\": 256},"
	       "{\"ip\": \"192.0.2.8\", \"hosts\": [\"a\"], \"total\": null}]",
	       "?key=ip", "192.0.2.7\n192.0.2.7\n192.0.2.0/24\n192.0.2.0/24\n192.0.2.8\n", 0);
}

/* Another key says that the address is the first of a network. */
static void test_networks(void)
{
	expect("[{\"network\": \"192.0.2.0\", \"cidr\": \"192.0.2.0/24\"},"
	       "{\"network\": \"192.0.2.0\", \"ip_range\": \"192.0.2.0-192.0.2.9\"},"
	       "{\"Prefix\": \"2001:db8::/32\", \"network\": \"2001:db8::\"},"
	       "{\"network\": \"192.0.2.0\", \"subnet\": \"192.0.2.0/25\", \"netmask\": 24}]",
	       "?key=network", "", 4);
	tap_require(strstr(words, "name the other key with --json-key"), "%s", words);
	expect("[{\"network\": \"192.0.2.0\", \"subnet\": \"192.0.2.0/24\", \"netmask\": 24},"
	       "{\"network\": \"192.0.2.1\", \"cidr\": \"192.0.2.0/24\"},"
	       "{\"network\": \"192.0.2.0\", \"cidr\": \"192.0.2.0/32\"},"
	       "{\"network\": \"192.0.2.0\", \"note\": \"192.0.2.0/24\"},"
	       "{\"network\": \"192.0.2.0\", \"cidr\": \"198.51.100.0/24\"}]",
	       "?key=network", "192.0.2.0/24\n192.0.2.1\n192.0.2.0\n192.0.2.0\n192.0.2.0\n", 0);
	/* Both are used. */
	expect("{\"network\": \"192.0.2.0\", \"cidr\": \"192.0.2.0/24\"}", "?key=network,cidr",
	       "192.0.2.0\n192.0.2.0/24\n", 0);
}

static void test_ends(void)
{
	expect("[{\"cidr\": \"192.0.2.0\", \"broadcast\": \"192.0.2.255\"},"
	       "{\"cidr\": \"192.0.2.7\", \"broadcast\": \"192.0.2.255\"},"
	       "{\"cidr\": [\"192.0.2.0\", \"255.255.255.0\"]}]", "", "192.0.2.7\n192.0.2.0\n", 2);
	/* A network or range has the ends that other keys have. */
	expect("[{\"cidr\": \"192.0.2.0/24\", \"end_ip\": \"192.0.2.255\"},"
	       "{\"cidr\": \"192.0.2.0/24\", \"start_ip\": \"192.0.2.0\"},"
	       "{\"cidr\": \"192.0.2.4-192.0.2.9\", \"last_ip\": \"192.0.2.9\"},"
	       "{\"cidr\": \"192.0.2.0/24\", \"end\": \"2026-11-28\", \"from\": \"x\"},"
	       "{\"cidr\": \"192.0.2.0/24\", \"end_ip\": \"192.0.3.255\"},"
	       "{\"cidr\": \"192.0.2.4-192.0.2.9\", \"last_ip\": \"192.0.2.8\"},"
	       "{\"cidr\": \"192.0.2.0/24\", \"first_ip\": \"192.0.2.1\"},"
	       "{\"cidr\": \"192.0.2.0/24\", \"first_ip\": \"192.0.2.2\"}]", "",
	       "192.0.2.0/24\n192.0.2.0/24\n192.0.2.4-192.0.2.9\n192.0.2.0/24\n192.0.2.0/24\n", 3);
	static const char network[] = "{\"start\": \"192.0.2.0\", \"end\": \"192.0.2.255\"}";
	static const char range[] = "{\"from_ip\": \"192.0.2.1\", \"ip-to\": \"192.0.2.9\"}";

	expect(network, "?key=start", "192.0.2.0/24\n", 0);
	expect(network, "?key=start,end", "192.0.2.0/24\n", 0);
	expect(network, "?key=end", "", 1);
	expect("{\"startIp\": \"2001:db8::\", \"END_IP\": \"2001:db8::ff\"}", "?key=startIp",
	       "2001:db8::/120\n", 0);
	expect("{\"ip\": \"192.0.2.0\", \"ip_range_end\": \"192.0.2.255\"}", "?key=ip",
	       "192.0.2.0/24\n", 0);
	expect("{\"ip\": \"192.0.2.0\", \"end\": \"192.0.2.255\"}", "?key=ip,end", "192.0.2.0/24\n",
	       0);
	expect("{\"first\": \"192.0.2.0\", \"last\": \"192.0.2.255\", \"mask\": 24}", "?key=first",
	       "192.0.2.0/24\n", 0);
	/* Two addresses that are no network can be two hosts. */
	expect(range, "?key=from_ip", "", 1);
	tap_require(strstr(words, "use --ranges, or name both keys"), "%s", words);
	expect(range, "?key=from_ip,ip-to", "192.0.2.1-192.0.2.9\n", 0);
	syntax.ranges = true;
	expect(range, "?key=from_ip", "192.0.2.1-192.0.2.9\n", 0);
	syntax.ranges = false;
	/* Ends that disagree, are before the start, of another family, or no addresses. */
	expect("[{\"start\": \"192.0.2.0\", \"end\": \"192.0.2.255\", \"mask\": 25},"
	       "{\"start\": \"192.0.2.9\", \"end\": \"192.0.2.1\"},"
	       "{\"start\": \"192.0.2.9\", \"end\": \"::1\"},"
	       "{\"start\": \"192.0.2.9\", \"end\": \"x\"}, {\"start\": \"192.0.2.9\", \"end\": 7},"
	       "{\"start\": \"192.0.2.9\", \"end\": null}, {\"end\": \"192.0.2.8\"}]",
	       "?key=start,end", "192.0.2.9\n192.0.2.8\n", 6);
	/* An end of another kind, and the range around an address. */
	expect("[{\"ip_address\": \"192.0.2.1\", \"end\": \"2026-01-01\", \"to\": \"192.0.2.9\"},"
	       "{\"ip_address\": \"192.0.2.2\", \"start\": \"192.0.2.0\", \"end\": \"192.0.2.255\","
	       "\"x\": {\"cidr\": [\"192.0.2.3\", \"192.0.2.4\", \"192.0.2.5\"]}}]", "",
	       "192.0.2.1\n192.0.2.2\n192.0.2.3\n192.0.2.4\n192.0.2.5\n", 0);
}

/* A number that fits under a key such as "cidr_notation" is neither a length nor ignored. */
static void test_unsure(void)
{
	expect("[{\"cidr\": \"192.0.2.0\", \"cidr_notation\": 24},"
	       "{\"ip_prefix\": \"192.0.2.0\", \"prefixData\": \"24\"},"
	       "{\"cidr\": \"192.0.2.1\", \"cidr_notation\": 24},"
	       "{\"cidr\": \"192.0.2.0/24\", \"cidr_notation\": 23},"
	       "{\"cidr\": \"192.0.2.0\", \"cidr_count\": 24, \"cidr_name\": \"x\"}]", "",
	       "192.0.2.1\n192.0.2.0/24\n192.0.2.0\n", 2);
}

static void test_others(void)
{
	struct input input;
	struct cli cli = {};
	int saved;
	FILE *file;

	tap_require(!run_text("{\"server\": \"9.9.9.9\", \"cidr\": [\"1.2.3.4\", \"1.2.3.5\"], \"version\":"
			      "\"1.2.3\", \"dns\": {\"a\": [\"8.8.8.8\"]}}", &input), "%s", words);
	tap_require(!strcmp(seen.text, "1.2.3.4\n1.2.3.5\n"), "%s", seen.text);
	tap_require(input.notes.others.total == 2, "%llu", input.notes.others.total);
	file = catch_words(&saved);
	input_say_notes(&cli, "x", &input.notes);
	release_words(file, saved);
	tap_require(strstr(words, "2 addresses under other keys of JSON were left out: server (1), a (1)"),
		    "%s", words);
	refuse("{\"network\": [\"1.2.3.4\", \"::1\"], \"cidr\": \"1.2.3.5\"}", "", 1,
	       "network (2)", "--json-key");
	refuse("{\"a\": \"1.2.3.4\", \"b\": \"1.2.3.4\", \"c\": \"1.2.3.4\", \"d\": \"1.2.3.4\","
	       "\"e\": \"1.2.3.4\", \"f\": \"1.2.3.4\", \"\\u001bg\": \"1.2.3.4\"}", "", 1,
	       "f (1) and others", NULL);
	refuse("[[\"1.2.3.4\"]]", "", 1, "no key (1)", NULL);
}

/* These keys for JSON are refused. */
static void refuse_keys(const char *keys)
{
	struct input input;

	syntax.json_keys = keys;
	tap_require(run_text("{\"a\": \"1.1.1.1\"}", &input) == -1 && strstr(words, "has an empty JSON key, or a blank"),
		    "'%s': %s", keys, words);
	syntax.json_keys = NULL;
}

static void test_keys(void)
{
	static const char text[] =
		"{\"a\": \"1.1.1.1\", \"b\": [\"2.2.2.2\"], \"cidr\": \"3.3.3.3\"}";
	struct input input;

	expect(text, "?key=a", "1.1.1.1\n", 0);
	expect(text, "?key=b,a", "1.1.1.1\n2.2.2.2\n", 0);
	syntax.json_keys = "bb,b";
	expect(text, "", "2.2.2.2\n", 0);
	expect(text, "?key=cidr", "3.3.3.3\n", 0);
	syntax.json_keys = "x,y";
	tap_require(!run_text("{\"a\": \"1.1.1.1\", \"y\": []}", &input) && !seen.count, "%s", words);
	tap_require(input.notes.others.total == 1, "%llu", input.notes.others.total);
	/* None of the keys: the names are wrong, unless the list is empty. */
	refuse(text, "", 1, "no JSON object has a key in 'x,y'", "a (1), b (1), cidr (1)");
	expect("{\"a\": []}", "", "", 0);
	syntax.json_keys = NULL;
	/* An empty name can only be a mistake. */
	refuse_keys("a,,b");
	refuse_keys("a,");
	refuse_keys(",a");
	refuse_keys("a, b");
	refuse_keys("a ,b");
	refuse_keys("");
}

static void test_bad(void)
{
	struct input input;

	expect("[\"1.2.3.4\", \"1.2.3.300\", \"x\", \"\", 5, null, true, \"1.2.3.4:80\", \" ::1\"]",
	       "", "1.2.3.4\n", 7);
	tap_require(strstr(words, "list:1: an IPv4") || strstr(words, "list:1: a"), "%s", words);
	tap_require(strstr(words, "[1]: 1.2.3.300") && strstr(words, "in quotes: [4]"), "%s",
		    words);
	expect("{\"cidr\": 5, \"x\": 6, \"y\":\n {\"ipAddress\": \"1.2.3\\u0007\"}}", "", "", 2);
	tap_require(strstr(words, "y.ipAddress: 1.2.3\\x07"), "%s", words);
	tap_require(!run_text("[\"1.2.3.4\", \"bad\"]", &input) && input.lines == 2, "%llu lines",
		    input.lines);
}

static void test_where(void)
{
	static const char text[] =
		"{\"prefixes\": [{\"ip_prefix\": \"1.1.1.0/24\", \"service\": \"EC2\", \"n\": 7},"
		"{\"ip_prefix\": \"2.2.2.0/24\", \"service\": \"CLOUDFRONT\", \"tags\": [\"a\", \"b:c\"]},"
		"{\"service\": \"CLOUDFRONT\", \"on\": false, \"properties\": {\"addressPrefixes\": [\"3.3.3.3\"]}}]}";

	expect(text, "?where=service:CLOUDFRONT", "2.2.2.0/24\n3.3.3.3\n", 0);
	expect(text, "?where=n:7", "1.1.1.0/24\n", 0);
	expect(text, "?where=tags:b:c", "2.2.2.0/24\n", 0);
	expect(text, "?where=on:false", "3.3.3.3\n", 0);
	refuse(text, "?where=service:S3", 1, "no JSON object has service:S3", NULL);
	refuse(text, "?where=servant:EC2", 1, "no JSON object has the key 'servant'", NULL);
	expect("{\"service\": \"EC2\", \"list\": [{\"cidr\": \"1.1.1.1\"},"
	       "{\"service\": \"S3\", \"cidr\": \"2.2.2.2\"}]}", "?where=service:EC2", "1.1.1.1\n", 0);
	/* Addresses that the condition leaves out are not under other keys. */
	expect("[{\"k\": \"a\", \"cidr\": \"1.1.1.1\"}, {\"k\": \"b\", \"net\": [\"2.2.2.2\", \"::1\"]}]",
	       "?where=k:a", "1.1.1.1\n", 0);
}

static void test_query(void)
{
	static const char text[] = "[{\"a\": \"b\", \"cidr\": \"1.1.1.1\"}]";
	char name[100];
	struct input input;

	tap_require(run_query(text, "?where=a", &input) == -1 && strstr(words, "where=KEY:VALUE"),
		    "%s", words);
	tap_require(run_query(text, "?were=a:b", &input) == -1 && strstr(words, "'were'"), "%s",
		    words);
	refuse(text, "?set=x", 1, "'set' applies to the output of nft", NULL);
	/* A file with such a name is opened. */
	snprintf(name, sizeof(name), "%s?where=a:c", path);
	file_with(text, strlen(text));
	tap_require(!rename(path, name), "rename");
	tap_require(!run_query(text, "?where=a:c", &input), "%s", words);
	tap_require(!strcmp(seen.text, "1.1.1.1\n"), "%s", seen.text);
	unlink(name);
}

#define SPAMHAUS_1	"{\"cidr\":\"1.10.16.0/20\",\"sblid\":\"SBL256894\",\"rir\":\"apnic\"}\n"
#define SPAMHAUS_2	"{\"cidr\":\"2001:db8::/32\",\"sblid\":\"SBL434604\",\"rir\":\"ripe\"}\n"
#define METADATA(n) \
	"{\"type\":\"metadata\",\"timestamp\":1720000000,\"size\":1,\"records\":" #n "}\n"

static void test_spamhaus(void)
{
	expect(SPAMHAUS_1 SPAMHAUS_2 METADATA(2), "", "1.10.16.0/20\n2001:db8::/32\n", 0);
	tap_require(seen.last_number == 2, "line %llu", seen.last_number);
	expect(SPAMHAUS_1 SPAMHAUS_2 METADATA(2), "?where=rir:ripe", "2001:db8::/32\n", 0);
	expect(SPAMHAUS_1 METADATA(1) SPAMHAUS_2 METADATA(1), "", "1.10.16.0/20\n2001:db8::/32\n",
	       0);
	refuse(SPAMHAUS_1 SPAMHAUS_2 METADATA(3), "", 3, "2 entries", "3 records");
	refuse(SPAMHAUS_1 SPAMHAUS_2 METADATA(1), "", 3, "cut off", NULL);
	refuse(SPAMHAUS_1 SPAMHAUS_2, "", 2, "cut off", NULL);
	refuse(SPAMHAUS_1 METADATA(1) SPAMHAUS_2, "", 3, "cut off", NULL);
	/* In an array, as jq -s prints it. */
	expect("[" SPAMHAUS_1 "," SPAMHAUS_2 "," METADATA(2) "]", "", "1.10.16.0/20\n2001:db8::/32\n", 0);
	expect("{\"x\": [" SPAMHAUS_1 "," METADATA(1) "]}", "", "1.10.16.0/20\n", 0);
	refuse("[" SPAMHAUS_1 "," METADATA(5) "]", "", 1, "1 entries", "5 records");
	refuse("[" SPAMHAUS_1 "," SPAMHAUS_2 "]", "", 1, "cut off", NULL);
	refuse("{\"x\": [" SPAMHAUS_1 "," METADATA(2) "]}", "", 1, "cut off", NULL);
	refuse("[" METADATA(2) "]", "", 1, "cut off", NULL);
	expect("{\"m\": " METADATA(2) ", \"x\": [{\"cidr\": \"1.1.1.1\"}]}", "", "1.1.1.1\n", 0);
}

static void test_lines(void)
{
	size_t size = 3 << 20, at = 0;
	char *text = tap_zalloc(size + 100);
	struct input input;
	u64 count = 0;

	/* More than a document may have. */
	for (; at < size - 100; count++)
		at += sprintf(text + at, "{\"cidr\": \"10.%llu.%llu.0/24\"}%s\n", count / 256 % 256,
			      count % 256, count % 7 ? "" : "\n");
	tap_require(!run_bytes(text, at, &input), "%s", words);
	tap_require(seen.count == count && seen.last_number > count, "%llu of %llu", seen.count,
		    count);

	expect("\n{\"cidr\": \"1.1.1.1\"}\r\n\n{\"cidr\": \"bad\"}\n[\"2.2.2.2\"]", "",
	       "1.1.1.1\n2.2.2.2\n", 1);
	tap_require(strstr(words, "list:4: "), "%s", words);
	refuse("{\"cidr\": \"1.1.1.1\"}\n{\"cidr\": \"1.1.1.2\"\n", "", 2, "near", NULL);
	refuse("{\"cidr\": \"1.1.1.1\"}\nx\n", "", 2, "expected", NULL);
	refuse("{\"cidr\": \"1.1.1.1\"} {}\n", "", 1, "end of file expected", NULL);
}

/* Lines across the borders of the buffers. */
static void test_pipe(void)
{
	char *text, *keys, *json, *key;
	size_t length, at = 0;
	u64 count;

	text = many_lines(&length, &count, &keys);
	json = tap_zalloc(2 * length);
	text = strcpy(text, keys);
	for (key = strtok(text, "\n"); key; key = strtok(NULL, "\n"))
		at += sprintf(json + at, "[\"%s\"]\n", key);
	check_pipe(json, at, keys, count, "JSON lines");
}

static void test_malformed(void)
{
	char deep[6000];

	refuse("{\"cidr\": \"1.1.1.1\",\n\"cidr\": \"1.1.1.2\"}", "", 2, "duplicate", NULL);
	refuse("{\"cidr\": [\n\"1.1.1.1\"]\n}\n]", "", 4, "end of file expected", NULL);
	refuse("{\"cidr\": [\n\"1.1.1.1\",\nNaN]}", "", 3, "NaN", NULL);
	refuse("{\"cidr\": [\n\"1.1.1.1\", \"\xff\"]}", "", 2, "UTF-8", NULL);
	refuse("{\"cidr\": [\n\"1.1.1.1\\u0000\"]}", "", 2, "zero byte", NULL);
	refuse("{\"cidr\": [\n\"1.1.1.1\"", "", 2, "near end of file", NULL);
	refuse("{\"x\": 1e999}", "", 1, "overflow", NULL);
	refuse("{\"x\": 99999999999999999999}", "", 1, "too big", NULL);
	refuse("{\"\x1b\": \n\"\x1b\"}", "", 1, "control character 0x1b", NULL);
	tap_require(!strchr(words, 0x1b), "%s", words);
	memset(deep, '[', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = 0;
	refuse(deep, "", 1, "nested too deep", NULL);
}

/* A file that was not written to its end can have zero bytes there. */
static void test_zero(void)
{
	static const struct {
		const char *text;
		size_t size;
		const char *place;
	} texts[] = {
#define TEXT(text, place) { text, sizeof(text) - 1, place }
		TEXT("[\"1.1.1.1\"]\0", "list:1: "),
		TEXT("[\"1.1.1.1\"]\n\0\0\0\n", "list:2: "),
		TEXT("[\"1.1.1.1\"\n]\n\0\0", "list:3: "),
		TEXT("[\"1.1.1.1\",\n\0\"1.1.1.2\"]", "list:2: "),
		TEXT("[\"1.1.1.1\",\n\"1.1\0.1.2\"]", "list:2: "),
		TEXT("{\"cidr\": \"1.1.1.1\"}\n{\"cidr\": \"1.1.1.2\"}\0\n", "list:2: "),
#undef TEXT
	};
	struct input input;
	size_t i;

	for (i = 0; i < TAP_COUNT(texts); i++) {
		tap_require(run_bytes(texts[i].text, texts[i].size, &input) == -1, "%zu: taken", i);
		tap_require(strstr(words, texts[i].place) && strstr(words, "contains a zero byte"),
			    "%zu: %s", i, words);
	}
	/* The first error counts. */
	tap_require(run_bytes("[\"1.1.1.1\", x,\n\0]", 17, &input) == -1 &&
		    strstr(words, "list:1: ") && !strstr(words, "zero"), "%s", words);
}

/* Documents around the largest size, and one that takes much memory. */
static void test_limits(void)
{
	size_t size = 1 << 20, i;
	char *text = tap_zalloc(size + 200);
	struct input input;

	sprintf(text, "[\n\"1.2.3.4\"");
	i = strlen(text);
	memset(text + i, ' ', size - i - 1);
	text[size - 1] = ']';
	tap_require(!run_bytes(text, size, &input) && seen.count == 1, "%s", words);
	text[size - 1] = ' ';
	strcpy(text + size, "]");
	tap_require(run_bytes(text, size + 1, &input) == -1, "taken");
	tap_require(strstr(words, "at most 1 MiB") && strstr(words, "JSON lines"), "%s", words);
	text[1] = ' ';
	tap_require(run_bytes(text, size + 1, &input) == -1 && strstr(words, "at most 1 MiB"), "%s",
		    words);
	for (i = 1; i + 4 < size; i += 3)
		memcpy(text + i, "[],", 3);
	strcpy(text + i, "[]]");
	tap_require(run_bytes(text, i + 3, &input) == -1 && strstr(words, "16 MiB of memory"), "%s",
		    words);
	tap_require(!run_text("[\"1.2.3.4\"]", &input) && seen.count == 1, "%s", words);
}

#define ATTRIBUTE(type, ids, value) \
	"{\"type\": \"" type "\", \"to_ids\": " ids ", \"value\": \"" value "\"}"

static void test_misp(void)
{
	struct input input;

	expect("{\"Event\": {\"Attribute\": [" ATTRIBUTE("ip-src", "true", "1.1.1.1") ","
	       ATTRIBUTE("ip-dst", "true", "2.2.2.0/24") ","
	       ATTRIBUTE("ip-dst", "false", "8.8.8.8") ","
	       ATTRIBUTE("domain", "true", "example.com") "], \"Object\": [{\"Attribute\": ["
	       ATTRIBUTE("ip-src", "true", "::1") "]}]}}", "", "1.1.1.1\n2.2.2.0/24\n::1\n", 0);
	expect("[" ATTRIBUTE("ip-src|port", "true", "1.1.1.1|80") ","
	       ATTRIBUTE("ip-dst|port", "false", "1.1.1.1|80")
	       "]", "", "", 1);
	tap_require(strstr(words, "'ip-src|port' is for one port"), "%s", words);
	tap_require(!run_text("{\"response\": [" ATTRIBUTE("ip-src", "false", "1.1.1.1") "]}",
			      &input) &&
		    input.columns.skipped == 1 && !seen.count, "%s", words);
	expect("[{\"to_ids\": false, \"cidr\": \"1.1.1.1\", \"x\": [{\"cidr\": \"2.2.2.2\"}]}]", "",
	       "", 0);
	expect("[" ATTRIBUTE("ip-src", "false", "1.1.1.1") "]", "?key=value", "", 0);
	expect("[{\"type\": \"ip-src\", \"to_ids\": true, \"deleted\": true, \"value\": \"1.1.1.1\"}]",
	       "", "", 0);
	tap_require(!run_text("[" ATTRIBUTE("domain|ip", "true", "a.b|192.0.2.1") ","
			      ATTRIBUTE("domain|ip", "true", "a.b|2001:db8::1") ","
			      ATTRIBUTE("domain|ip", "false", "a.b|192.0.2.1") ","
			      ATTRIBUTE("ip-src", "true", "1.1.1.1") ","
			      ATTRIBUTE("ip-src", "true", "1.1.1.2") "]", &input) &&
		    input.notes.others.total == 2 && seen.count == 2, "%llu, %s",
		    input.notes.others.total, words);
	tap_require(!strcmp(input.notes.others.names[0], "domain|ip"), "%s",
		    input.notes.others.names[0]);
}

/* Other values of to_ids and deleted than true and false. */
static void test_to_ids(void)
{
	static const char * const never[] = {
		"0", "\"0\"", "\"false\"", "\"no\"", "\"\"", "null", "[true]", "{}", "0.0",
		"true, \"deleted\": 1", "true, \"deleted\": \"1\"", "1, \"deleted\": true",
	};
	static const char * const always[] = {
		"1", "\"1\"", "\"true\"", "\"True\"", "true, \"deleted\": 0",
		"true, \"deleted\": null",
	};
	static const char * const queries[] = { "", "?key=value" };
	char text[160];
	size_t i;

	for (i = 0; i < 2 * TAP_COUNT(never); i++) {
		sprintf(text, "[{\"type\": \"ip-src\", \"value\": \"1.1.1.1\", \"to_ids\": %s}]",
			never[i / 2]);
		expect(text, queries[i % 2], "", 0);
	}
	for (i = 0; i < 2 * TAP_COUNT(always); i++) {
		sprintf(text, "[{\"type\": \"ip-src\", \"value\": \"1.1.1.1\", \"to_ids\": %s}]",
			always[i / 2]);
		expect(text, queries[i % 2], "1.1.1.1\n", 0);
	}
}

static void test_named(void)
{
	refuse("{\"asn\":213,\"rir\":\"ripencc\",\"domain\":\"x\",\"cc\":\"HU\",\"asname\":\"X\"}\n"
	       "{\"asn\":214,\"rir\":\"ripencc\",\"domain\":\"x\",\"cc\":\"HU\",\"asname\":\"X\"}\n", "", 1,
	       "autonomous systems", "mmdb:FILE?asn=");
	refuse("{\"type\": \"bundle\", \"id\": \"bundle--1\", \"objects\": [{\"pattern\":"
	       "\"[ipv4-addr:value = '1.2.3.4']\"}]}", "", 1, "STIX", NULL);
}

/* These are not JSON: they are recognized among lists of lines. */
static void test_refused(void)
{
	struct input input;

	tap_require(run_text("network,geoname_id,registered_country_geoname_id\n"
			     "1.0.0.0/24,2077456,2077456\n", &input) == -1 &&
		    strstr(words, "GeoIP") && strstr(words, "mmdb:FILE?country=DE"), "%s", words);
	tap_require(run_text("network,autonomous_system_number,autonomous_system_organization\n"
			     "1.0.0.0/24,13335,X\n", &input) == -1 &&
		    strstr(words, "?asn="), "%s", words);
	tap_require(run_text("! Title: x\n||example.com^\n", &input) == -1 &&
		    strstr(words, "AdGuard") && strstr(words, path), "%s", words);
	tap_require(run_text("2|ripencc|20260822|2|19830705|20260821|+0200\n"
			     "ripencc|*|ipv4|*|1|summary\n"
			     "ripencc|DE|ipv4|192.0.2.0|256|20260822|allocated\n", &input) == -1 &&
		    strstr(words, "Internet registry"), "%s", words);
	tap_require(run_text("apnic|JP|ipv6|2001:db8::|32|20260822|allocated\n", &input) == -1 &&
		    strstr(words, "Internet registry"), "%s", words);
	expect("192.0.2.1|x|ipv4|\n", "", "192.0.2.1\n", 0);
	syntax.kind = SYNTAX_BYTES;
	tap_require(run_text("[Adblock Plus 2.0]\n", &input) == -1, "taken");
	tap_require(!run_text("example.com\n||\n", &input) && seen.count == 2, "%s", words);
	syntax.kind = SYNTAX_INET;
	expect("network,info\n1.0.0.0/24,geoname_id\n", "", "1.0.0.0/24\n", 1);
}

#define NFT(sets) "{\"nftables\": [{\"metainfo\": {\"version\": \"1.0.6\"}}, " sets "]}\n"
#define SET(name, rest) \
	"{\"set\": {\"family\": \"inet\", \"name\": \"" name "\", \"table\": \"t\"," rest "}}"

static void test_nft(void)
{
	static const char text[] = NFT(SET("bad", "\"type\": \"ipv4_addr\", \"elem\": [\"1.1.1.1\","
		"{\"prefix\": {\"addr\": \"2.2.2.0\", \"len\": 24}}, {\"range\": [\"3.3.3.3\", \"3.3.3.9\"]},"
		"{\"elem\": {\"val\": \"4.4.4.4\", \"timeout\": 3600, \"expires\": 60}},"
		"{\"elem\": {\"val\": {\"prefix\": {\"addr\": \"5.0.0.0\", \"len\": 8}}, \"comment\": \"x\"}}]"));

	expect(text, "", "1.1.1.1\n2.2.2.0/24\n3.3.3.3-3.3.3.9\n4.4.4.4\n5.0.0.0/8\n", 0);
	expect(NFT(SET("empty", "\"type\": \"ipv6_addr\"")), "", "", 0);
	refuse(NFT(SET("a", "\"type\": [\"ipv4_addr\", \"inet_service\"], \"elem\": []")), "", 1,
	       "'a' are concatenations", NULL);
	refuse(NFT(SET("a", "\"type\": \"inet_service\", \"elem\": [80]")), "", 1,
	       "type inet_service", NULL);
	refuse(NFT(SET("a", "\"type\": {\"typeof\": {\"concat\": []}}, \"elem\": []")), "", 1,
	       "'a' are concatenations", NULL);
	refuse(NFT(SET("a", "\"type\": \"ipv4_addr\", \"elem\": \"1.1.1.1\"")), "", 1,
	       "'elem' of the set 'a' is not an array", NULL);
	expect(NFT(SET("a", "\"type\": {\"typeof\": 1}, \"elem\": [{\"concat\": [\"1.1.1.1\", 80]}, 80,"
		       "{\"range\": [1, 2]}, {\"prefix\": {\"addr\": \"1.1.1.1\"}}]")), "", "", 4);
	tap_require(strstr(words, "concatenation, and an address alone would match more: elem[0]"),
		    "%s", words);
	refuse(NFT(SET("a", "\"elem\": []") "," SET("b", "\"elem\": [\"1.1.1.1\"]")), "", 1,
	       "inet t a, inet t b", "?set=NAME");
	expect(NFT(SET("a", "\"elem\": []") "," SET("b", "\"elem\": [\"1.1.1.1\"]")), "?set=b",
	       "1.1.1.1\n", 0);
	refuse(NFT(SET("a", "\"elem\": []") "," SET("a", "\"elem\": []")), "?set=a", 1,
	       "list set FAMILY", NULL);
	refuse(NFT(SET("a", "\"elem\": []")), "?set=c", 1, "no set 'c'", "inet t a");
	refuse(NFT("{\"chain\": {}}"), "", 1, "contains no set", NULL);
	/* Elements apart from their set. */
	refuse(NFT(SET("a", "\"type\": \"ipv4_addr\"") ","
		   "{\"element\": {\"family\": \"inet\", \"table\": \"t\", \"name\": \"a\","
		   "\"elem\": [\"192.0.2.1\"]}}"), "", 1, "the command 'element'", NULL);
	refuse(NFT("{\"add\": " SET("a", "\"elem\": [\"192.0.2.1\"]") "}"), "", 1, "the command 'add'",
	       NULL);
	refuse(NFT(SET("a", "\"elem\": [\"1.1.1.1\"]") ", {\"delete\": {\"element\": {}}}"), "", 1,
	       "the command 'delete'", NULL);
	/* Several documents are several sets. */
	refuse(NFT(SET("a", "\"elem\": [\"1.1.1.1\"]")) NFT(SET("b", "\"elem\": [\"1.1.1.2\"]")), "", 2,
	       "one document", NULL);
	refuse(NFT(SET("a", "\"elem\": [\"1.1.1.1\"]")) "[\"1.1.1.2\"]\n", "", 2, "one document", NULL);
	refuse("[\"1.1.1.2\"]\n" NFT(SET("a", "\"elem\": [\"1.1.1.1\"]")), "?set=a", 1, "'set'", NULL);
	refuse("[\"1.1.1.2\"]\n" NFT(SET("a", "\"elem\": [\"1.1.1.1\"]")), "", 2, "one document", NULL);
	refuse(text, "?where=a:b", 1, "'where' applies to other JSON", NULL);
}

/* What nft prints of statements and keys that decide whether an element matches a packet. */
static void test_statements(void)
{
	static const char * const statements[] = {
		"quota", "limit", "ct count", "last", "foo",
	};
	char text[512];
	size_t i;

	for (i = 0; i < sizeof(statements) / sizeof(*statements); i++) {
		snprintf(text, sizeof(text), NFT(SET("a", "\"type\": \"ipv4_addr\", \"elem\": [\"2.2.2.2\","
			 "{\"elem\": {\"val\": \"1.1.1.1\", \"%s\": {\"val\": 1}}}]")), statements[i]);
		expect(text, "", "2.2.2.2\n", 1);
		tap_require(strstr(words, "and an address alone would match more: elem[1]") &&
			    strstr(words, statements[i]), "%s", words);
		snprintf(text, sizeof(text), NFT(SET("a", "\"type\": \"ipv4_addr\", \"elem\": [\"1.1.1.1\"],"
			 "\"stmt\": [{\"counter\": null}, {\"%s\": {\"val\": 1}}]")), statements[i]);
		refuse(text, "", 1, "the set 'a' is more than a list of addresses", statements[i]);
		snprintf(text, sizeof(text), NFT(SET("a", "\"type\": \"ipv4_addr\", \"elem\": [\"1.1.1.1\"],"
			 "\"stmt\": [{\"counter\": null, \"%s\": 1}]")), statements[i]);
		refuse(text, "", 1, "the set 'a' is more than a list of addresses", NULL);
	}
	expect(NFT(SET("a", "\"elem\": [{\"elem\": {\"val\": \"1.1.1.1\", \"counter\": {\"packets\": 0}}}],"
		       "\"stmt\": [{\"counter\": null}]")), "", "1.1.1.1\n", 0);
	/* nft 1.0.6 prints only the first statement of an element. */
	refuse(NFT(SET("a", "\"elem\": [\"1.1.1.2\", {\"elem\": {\"val\": \"1.1.1.1\", \"counter\": {\"packets\": 0}}}]")),
	       "", 1, "elem[1] of the set 'a' has a counter and the set has none", NULL);
}

static void test_unknown(void)
{
	expect(NFT(SET("a", "\"type\": \"ipv4_addr\", \"handle\": 4, \"comment\": \"x\", \"policy\": \"memory\","
		       "\"size\": 9, \"flags\": [\"constant\", \"interval\", \"timeout\", \"dynamic\"],"
		       "\"timeout\": 60, \"gc-interval\": 1, \"auto-merge\": true, \"elem\": [\"1.1.1.1\"]")),
	       "", "1.1.1.1\n", 0);
	expect(NFT(SET("a", "\"flags\": \"interval\", \"elem\": [\"1.1.1.1\"]")), "", "1.1.1.1\n", 0);
	refuse(NFT(SET("a", "\"foo\": 1, \"elem\": [\"1.1.1.1\"]")), "", 1, "'a' is more than", "'foo'");
	refuse(NFT(SET("a", "\"flags\": [\"interval\", \"foo\"], \"elem\": [\"1.1.1.1\"]")), "", 1,
	       "'a' is more than", "its flags");
	refuse(NFT(SET("a", "\"flags\": \"foo\", \"elem\": [\"1.1.1.1\"]")), "", 1, "'a' is more than",
	       "its flags");
	refuse(NFT(SET("a", "\"flags\": 7, \"elem\": [\"1.1.1.1\"]")), "", 1, "'a' is more than",
	       "its flags");
	refuse(NFT(SET("a", "\"stmt\": {\"quota\": 1}, \"elem\": [\"1.1.1.1\"]")), "", 1,
	       "'a' is more than", NULL);
	expect(NFT(SET("a", "\"elem\": [{\"elem\": {\"val\": \"1.1.1.1\"}, \"foo\": 1},"
		       "{\"prefix\": {\"addr\": \"1.1.1.0\", \"len\": 24}, \"foo\": 1},"
		       "{\"prefix\": {\"addr\": \"1.1.1.0\", \"len\": 24, \"foo\": 1}},"
		       "{\"range\": [\"1.1.1.1\", \"1.1.1.2\"], \"foo\": 1}, \"*\"]")), "", "", 5);
	expect(NFT(SET("a", "\"elem\": [{\"elem\": {\"val\": \"1.1.1.1\", \"timeout\": \"1h\"}},"
		       "{\"elem\": {\"val\": \"1.1.1.1\", \"timeout\": -1}},"
		       "{\"elem\": {\"val\": \"1.1.1.1\", \"timeout\": 60, \"expires\": 1.5}}]")), "", "", 3);
	tap_require(strstr(words, "timeout of the element is not a number of seconds"), "%s", words);
}

static u32 timeouts[6];
static bool has_timeout[6];
static int timeout_count;

static int note_timeout(void *context, const struct line *line, const struct place *place)
{
	(void)context;
	(void)place;
	has_timeout[timeout_count] = line->has & LINE_TIMEOUT;
	timeouts[timeout_count++] = line->has & LINE_TIMEOUT ? line->timeout : 0;
	return 0;
}

/*
 * The remaining time counts, and an element that expires now does not stay for ever.
 * nft 1.1.1 prints "timeout never" as 18446744073709551, in sets with a timeout.
 */
static void test_timeouts(void)
{
	static char * const files[] = { path };
	static const char text[] = NFT(SET("a", "\"elem\": [\"1.1.1.1\","
		"{\"elem\": {\"val\": \"4.4.4.4\", \"timeout\": 3600, \"expires\": 60}},"
		"{\"elem\": {\"val\": \"4.4.4.5\", \"timeout\": 3600, \"expires\": 0}},"
		"{\"elem\": {\"val\": \"4.4.4.6\", \"timeout\": 3600}},"
		"{\"elem\": {\"val\": \"4.4.4.7\", \"timeout\": 18446744073709551}},"
		"{\"elem\": {\"val\": \"4.4.4.8\", \"timeout\": 315360001}}]"));
	struct input input;
	int i;

	for (i = 0; i < 2; i++) {
		file_with(text, strlen(text));
		input_init(&input, files, 1);
		input.syntax = syntax;
		input.syntax.timeouts = i;
		timeout_count = 0;
		tap_require(!input_run(&input, note_timeout, NULL) && timeout_count == 6, "%d",
			    timeout_count);
		tap_require(input.columns.timeouts == (i ? 0 : 3), "%llu",
			    input.columns.timeouts);
		tap_require(!has_timeout[0] && has_timeout[4] == i && has_timeout[5] == i &&
			    !timeouts[4] && !timeouts[5], "%u %u", timeouts[4], timeouts[5]);
		tap_require(!timeouts[0] && timeouts[1] == 60u * i && timeouts[2] == 1u * i &&
			    timeouts[3] == 3600u * i, "%u %u %u", timeouts[1], timeouts[2],
			    timeouts[3]);
	}
}

/* Lines that are no JSON are read as before. */
static void test_recognized(void)
{
	expect("[name]\n1.2.3.4\n", "", "1.2.3.4\n", 1);
	expect("[2001:db8::1]:80\n1.2.3.4\n", "", "1.2.3.4\n", 1);
	expect("{x\n1.2.3.4\n", "", "1.2.3.4\n", 1);
	refuse("[", "", 1, "near end of file", NULL);
}

static size_t allocations;

static void *count_memory(size_t size)
{
	allocations++;
	return malloc(size);
}

static ssize_t feed_once(void *context, void *to, size_t size)
{
	const char **text = context;
	size_t length = strlen(*text);

	tap_require(length <= size, "%zu bytes", size);
	memcpy(to, *text, length);
	*text += length;
	return length;
}

/*
 * Between documents, the caller's function allocates memory: formats -j would not see that
 * memory for its output is short.
 */
static void test_allocator(void)
{
	const char *text = "[\"1.2.3.4\"]";
	struct documents documents;
	json_t *document;

	json_set_alloc_funcs(count_memory, free);
	tap_require(!documents_begin(&documents, feed_once, &text), "begin");
	tap_require(documents_next(&documents, &document) == 1, "%s", documents.why);
	tap_require(!allocations, "%zu allocations for the document", allocations);
	json_decref(json_string("x"));
	tap_require(allocations, "the caller's function is not used");
	json_decref(document);
	documents_end(&documents);
	json_set_alloc_funcs(malloc, free);
}

static const struct tap_test tests[] = {
	{ "json.masks: an address takes the mask in another key of its object", test_masks },
	{ "json.lengths: keys for masks and lengths in all spellings", test_lengths },
	{ "json.counts: a number of addresses in another key is never ignored", test_counts },
	{ "json.networks: an address is not the network that another key has", test_networks },
	{ "json.ends: an address takes the end of its range", test_ends },
	{ "json.unsure: a number that may be a length makes an entry bad", test_unsure },
	{ "json.known: addresses under the keys of known lists", test_known },
	{ "json.others: other addresses are counted and named, and are not most", test_others },
	{ "json.keys: keys that the user names replace the known ones", test_keys },
	{ "json.bad: values that are no addresses, with their place", test_bad },
	{ "json.where: a condition selects objects and all within", test_where },
	{ "json.query: misspelled ones are refused, and a file of that name is opened",
	  test_query },
	{ "json.spamhaus: as many entries as the metadata has records", test_spamhaus },
	{ "json.lines: of any size, with their numbers", test_lines },
	{ "json.pipe: standard input in pieces of any size", test_pipe },
	{ "json.malformed: the error has file, line and reason", test_malformed },
	{ "json.zero: zero bytes after and in a document are named", test_zero },
	{ "json.limits: size and memory", test_limits },
	{ "json.allocator: other memory than that of documents is the caller's", test_allocator },
	{ "json.misp: only attributes to be blocked, and none for one port", test_misp },
	{ "json.to_ids: only attributes whose to_ids is true or 1", test_to_ids },
	{ "json.named: what are no lists of addresses are refused by name", test_named },
	{ "json.refused: tables of GeoIP and rules of ad blockers, by name", test_refused },
	{ "json.nft: elements of sets", test_nft },
	{ "json.statements: elements and sets of nft with limits are bad", test_statements },
	{ "json.unknown: sets and elements of nft with unknown keys are bad", test_unknown },
	{ "json.timeouts: elements keep their remaining time", test_timeouts },
	{ "json.recognized: only what can be JSON", test_recognized },
};

int main(int argc, char **argv)
{
	syntax.recognize = true;
	return lists_main(argc, argv, tests, TAP_COUNT(tests));
}
