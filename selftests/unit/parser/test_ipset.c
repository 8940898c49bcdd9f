// SPDX-License-Identifier: GPL-2.0-only
/*
 * Output of "ipset save": the entries of one set, and nothing that stands for less than
 * all packets of an address.
 */
#include "formats.h"

#define CREATE_IP	"create bad hash:ip family inet hashsize 1024 maxelem 65536 " \
			"bucketsize 12 initval 0x5b6f9a2c\n"
#define CREATE_NET	"create bad hash:net family inet hashsize 1024 maxelem 65536\n"

static void test_entries(void)
{
	has_keys(-1, CREATE_IP "add bad 192.0.2.1\nadd bad 192.0.2.2\n",
		 "192.0.2.1\n192.0.2.2\n", 0);
	tap_require(got.lines == 2, "%llu lines", got.lines);
	has_keys(-1, CREATE_NET "add bad 192.0.2.0/24\nadd bad 198.51.100.7\n",
		 "192.0.2.0/24\n198.51.100.7\n", 0);
	has_keys(-1, "create s hash:net family inet6 hashsize 1024 maxelem 65536\n"
		 "add s 2001:db8::/32\n", "2001:db8::/32\n", 0);
	has_keys(-1, "create s bitmap:ip range 192.0.2.0-192.0.2.255\nadd s 192.0.2.7\n",
		 "192.0.2.7\n", 0);
	/* Files for ipset restore, without a create line. */
	has_keys(-1, "add s 192.0.2.1 -exist\nadd s 192.0.2.4-192.0.2.9\n",
		 "192.0.2.1\n192.0.2.4-192.0.2.9\n", 0);
	has_keys(-1, "-N s hash:ip\n-A s 192.0.2.1\nCOMMIT\n", "192.0.2.1\n", 0);
	has_keys(LAYOUT_IPSET, CREATE_IP "add bad 192.0.2.1\ndel bad 192.0.2.1\n", "192.0.2.1\n",
		 1);
	has_keys(LAYOUT_IPSET, CREATE_IP "add bad\nadd bad x\nadd bad 192.0.2.1/33\n", "", 3);
	has_keys(LAYOUT_IPSET, "", "", 0);
	has_keys(LAYOUT_IPSET, "192.0.2.1\n", "", 1);
}

static void test_words(void)
{
	has_keys(-1, CREATE_IP "add bad 192.0.2.1 packets 7 bytes 420 comment \"a b 192.0.2.9\"\n"
		 "add bad 192.0.2.2 skbmark 0x1/0xff skbprio 1:2 skbqueue 3 comment \"\"\n",
		 "192.0.2.1\n192.0.2.2\n", 0);
	has_keys(-1, CREATE_IP "add bad 192.0.2.1 colour red\nadd bad 192.0.2.2 timeout\n"
		 "add bad 192.0.2.3 timeout x\nadd bad 192.0.2.4 comment \"timeout\n", "", 3 + 1);
}

static u32 timeouts[8];
static int kept;

static int keep_timeout(void *context, const struct line *line, const struct place *place)
{
	(void)context;
	(void)place;
	timeouts[kept++] = line->has & LINE_TIMEOUT ? line->timeout : ~0U;
	return 0;
}

static void test_timeouts(void)
{
	static const char text[] = "create s hash:ip timeout 600\nadd s 192.0.2.1 timeout 300\n"
				   "add s 192.0.2.2 timeout 0\nadd s 192.0.2.3\n";
	static char *files[1];
	struct input input;

	files[0] = file_with(text, strlen(text));
	input_init(&input, files, 1);
	input.syntax.recognize = true;
	input.syntax.timeouts = true;
	tap_require(!input_run(&input, keep_timeout, NULL), "error");
	/* An entry without a timeout has that of its set. */
	tap_require(kept == 3 && timeouts[0] == 300 && !timeouts[1] && timeouts[2] == 600,
		    "%d: %u %u %u", kept, timeouts[0], timeouts[1], timeouts[2]);
	tap_require(!input.columns.timeouts, "%llu lost", input.columns.timeouts);
	/* A filter that keeps keys for ever says so, but only of keys. */
	has_keys(-1, "create s hash:net\nadd s 192.0.2.1 timeout 300 nomatch\n", "", 1);
	tap_require(!got.columns.timeouts, "%llu lost", got.columns.timeouts);
	has_keys(-1, text, "192.0.2.1\n192.0.2.2\n192.0.2.3\n", 0);
	tap_require(got.columns.timeouts == 2, "%llu lost", got.columns.timeouts);
}

static void test_nomatch(void)
{
	static const char text[] = CREATE_NET "add bad 192.0.2.0/24\n"
				   "add bad 192.0.2.7 nomatch\n";

	has_keys(-1, text, "192.0.2.0/24\n", 1);
	syntax.exceptions = true;
	has_keys(-1, text, "192.0.2.0/24\n192.0.2.7\n", 0);
	tap_require(got.columns.exceptions == 1 && got.keys == 1, "%llu",
		    got.columns.exceptions);
	syntax.exceptions = false;
}

static void test_netmask(void)
{
	has_keys(-1, "create s hash:ip family inet netmask 24\nadd s 192.0.2.0\n",
		 "192.0.2.0/24\n", 0);
	has_keys(-1, "create s hash:ip netmask 24\nadd s 192.0.2.0-192.0.3.0\n", "", 1);
	has_keys(-1, "create s hash:ip netmask 32\nadd s 192.0.2.1\n", "192.0.2.1\n", 0);
	has_keys(-1, "create s hash:ip netmask 64\nadd s 192.0.2.1\n", "", 1);
	is_error(-1, "create s hash:ip bitmask 255.255.0.255\nadd s 192.0.2.0\n", "bitmask");
}

static void test_options(void)
{
	/* ipset accepts two dashes before an option. */
	has_keys(-1, "-N s iphash --hashsize 1024 --netmask 24\n-A s 192.0.2.0 --timeout 9\n",
		 "192.0.2.0/24\n", 0);
	has_keys(-1, "create s hash:ip family inet hashsize 64 maxelem 9 bucketsize 12 -exist\n"
		 "add s 192.0.2.1\n", "192.0.2.1\n", 0);
	has_keys(-1, "create s hash:ip initval 0x1 timeout 5 counters comment skbinfo forceadd\n"
		 "add s 192.0.2.1\n", "192.0.2.1\n", 0);
	has_keys(-1, "-N s ipmap --from 192.0.2.0 --to 192.0.2.9\n-A s 192.0.2.1\n",
		 "192.0.2.1\n", 0);
	is_error(-1, "create s hash:ip foobar 3\nadd s 192.0.2.1\n", "option 'foobar' is not known");
	is_error(-1, "create s hash:ip timeout\nadd s 192.0.2.1\n", "option 'timeout' has no value");
	is_error(-1, "create s hash:ip family x\nadd s 192.0.2.1\n", "family is not valid");
	is_error(-1, "create s hash:ip timeout x\nadd s 192.0.2.1\n", "timeout is not valid");
}

static void test_types(void)
{
	static const char * const types[] = {
		"hash:ip,port", "hash:net,port", "hash:ip,port,ip", "hash:net,iface",
		"hash:net,net", "hash:ip,mark", "hash:mac", "bitmap:port", "bitmap:ip,mac",
		"list:set", "hash:new",
	};
	char text[256];
	size_t i;

	for (i = 0; i < TAP_COUNT(types); i++) {
		sprintf(text, "create web %s family inet\nadd web 192.0.2.1,tcp:80\n"
			"add web 192.0.2.1\n", types[i]);
		is_error(-1, text, types[i]);
		tap_require(strstr(words, "'web'"), "%s", words);
		tap_require(!seen.count, "%s: %llu keys", types[i], seen.count);
	}
	/* Without its type, the entry shows that it is a pair. */
	has_keys(-1, "add web 192.0.2.1,tcp:80\nadd web 192.0.2.2\n", "192.0.2.2\n", 1);
}

static void test_sets(void)
{
	static const char text[] = "create a hash:ip\nadd a 192.0.2.1\n"
				   "create b hash:ip,port\nadd b 192.0.2.2,tcp:80\n"
				   "create c hash:net\nadd c 192.0.2.0/24\nadd b 192.0.2.3,80\n";
	static char name[128];
	static char *files[] = { name };
	struct input input;

	is_error(-1, text, "several sets: a, b, c; choose one");
	snprintf(name, sizeof(name), "%s?set=c", path);
	input_init(&input, files, 1);
	input.syntax.recognize = true;
	tap_require(!run_input(&input), "%s", words);
	tap_require(!strcmp(seen.text, "192.0.2.0/24\n"), "'%s'", seen.text);
	snprintf(name, sizeof(name), "ipset:%s?set=b", path);
	input_init(&input, files, 1);
	tap_require(run_input(&input) == -1 && strstr(words, "hash:ip,port"), "%s", words);
	snprintf(name, sizeof(name), "%s?set=d", path);
	input_init(&input, files, 1);
	input.syntax.recognize = true;
	tap_require(run_input(&input) == -1 && strstr(words, "no set 'd'"), "%s", words);
}

static void test_flush(void)
{
	has_keys(-1, "create s hash:ip\nflush s\nadd s 192.0.2.1\n", "192.0.2.1\n", 0);
	has_keys(-1, "add s 192.0.2.1\nflush t\n", "192.0.2.1\n", 0);
	has_keys(-1, "add s 192.0.2.1\nflush s\n", "192.0.2.1\n", 1);
	has_keys(-1, "add s 192.0.2.1\nflush\n", "192.0.2.1\n", 1);
	/* A file that is cut off. */
	has_keys(LAYOUT_IPSET, "create s hash:ip\nadd s 192.0.2.1\ncreate t", "192.0.2.1\n", 1);
	has_keys(LAYOUT_IPSET, "create s hash:ip\nadd s 192.0.2.1\nadd t", "192.0.2.1\n", 1);
	has_keys(LAYOUT_IPSET, "create s hash:ip\nadd s 192.0.2.1\nadd", "192.0.2.1\n", 1);
}

/* ipset restore fails at the second line "create" of a set. */
static void test_created_again(void)
{
	is_error(-1, "create s hash:ip,port\ncreate s hash:net\nadd s 192.0.2.1\n",
		 "the set 's' is created again");
	tap_require(strstr(words, "hash:ip,port and hash:net"), "%s", words);
	is_error(-1, "create s hash:net\nadd s 192.0.2.1\ncreate s hash:ip,port -exist\n",
		 "created again");
	is_error(-1, "create s hash:ip\ncreate s hash:ip netmask 24\nadd s 192.0.2.0\n",
		 "created again");
	is_error(-1, "create s hash:ip timeout 5\n-N s hash:ip\nadd s 192.0.2.0\n", "created again");
	is_error(-1, "create s hash:ip family inet6\ncreate s hash:ip\n", "created again");
	is_error(-1, "add s 192.0.2.0\ncreate s hash:ip netmask 24\n", "entries before the line");
	/* Two copies of a file, and other sets. */
	has_keys(-1, CREATE_IP "add bad 192.0.2.1\n" CREATE_IP "add bad 192.0.2.2\n",
		 "192.0.2.1\n192.0.2.2\n", 0);
	is_error(-1, "create s hash:ip\ncreate t hash:net\nadd s 192.0.2.1\n", "several sets: s, t");
}

static void test_recognized(void)
{
	tap_require(recognized(CREATE_IP) == LAYOUT_IPSET, "create");
	tap_require(recognized("# x\n\nadd s 192.0.2.1\n") == LAYOUT_IPSET, "add");
	tap_require(recognized("add s\n") == LAYOUT_LIST, "add without an entry");
	tap_require(recognized(CREATE_IP "192.0.2.1\n") == LAYOUT_LIST, "mixed");
	tap_require(recognized("192.0.2.1\nadd s 192.0.2.1\n") == LAYOUT_LIST, "mixed");
}

static const struct tap_test tests[] = {
	{ "ipset.entries: addresses, networks and ranges of a set are keys", test_entries },
	{ "ipset.words: comments and counters are ignored, unknown words are bad", test_words },
	{ "ipset.timeouts: a timeout is kept, or counted as lost", test_timeouts },
	{ "ipset.nomatch: nomatch is an exception", test_nomatch },
	{ "ipset.netmask: the netmask of a set is that of its entries", test_netmask },
	{ "ipset.options: options of a set are understood with two dashes, unknown ones refused",
	  test_options },
	{ "ipset.types: other types are refused by name", test_types },
	{ "ipset.sets: one of several sets has to be chosen", test_sets },
	{ "ipset.flush: a line that is cut off, or removes entries, is bad", test_flush },
	{ "ipset.again: a set that is created twice in different ways is refused",
	  test_created_again },
	{ "ipset.recognized: only a file of create and add lines is recognized",
	  test_recognized },
};

int main(int argc, char **argv)
{
	return lists_main(argc, argv, tests, TAP_COUNT(tests));
}
