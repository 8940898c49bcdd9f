// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables of comma-separated values: one key in each row, in the column that was named.
 */
#include "formats.h"

static void with_column(const char *column, const char *text, const char *keys, u64 bad)
{
	syntax.column = column;
	has_keys(-1, text, keys, bad);
	syntax.column = NULL;
}

static void is_refused(const char *column, const char *text, const char *why)
{
	syntax.column = column;
	is_error(-1, text, why);
	syntax.column = NULL;
}

static void test_number(void)
{
	with_column("2", "US,192.0.2.1,x\nDE,198.51.100.0/24,y\n",
		    "192.0.2.1\n198.51.100.0/24\n", 0);
	with_column("1", "192.0.2.1;198.51.100.1;3\n", "192.0.2.1\n", 0);
	with_column("3", "a\tb\t192.0.2.1\r\n\r\n", "192.0.2.1\n", 0);
	with_column("2", "a||b\na|192.0.2.1|b\n", "192.0.2.1\n", 1);
	with_column("4", "a,b,192.0.2.1\n", "", 1);
	with_column("2", "a,192.0.2.1 x,\na,192.0.2.1:80,\na,192.0.2.300,\n", "", 3);
	is_refused("0", "192.0.2.1\n", "not the number of a column");
	is_refused("1,", "192.0.2.1,x\n", "not the number of a column");
	is_refused("10000", "192.0.2.1,x\n",
		   "not the number of a column, or of two, from 1 to 9999");
	is_refused("1,4294967298", "192.0.2.1,x\n", "not the number of a column");
}

/* Write a row of @number columns: @first, columns with an x, and @last. Return: its end. */
static char *far_row(char *at, int number, const char *first, const char *last)
{
	at += sprintf(at, "%s", first);
	while (--number > 1)
		at += sprintf(at, ",x");
	return at + sprintf(at, ",%s\n", last);
}

/* Columns with large numbers are read as others are, and never another one instead. */
static void test_far(void)
{
	static const int numbers[] = { 63, 64, 65, 255, 256, 257, 9999 };
	static char text[50000];
	char number[16], why[64];
	size_t i;

	for (i = 0; i < TAP_COUNT(numbers); i++) {
		sprintf(number, "%d", numbers[i]);
		far_row(text, numbers[i], "x", "192.0.2.1");
		with_column(number, text, "192.0.2.1\n", 0);
		far_row(text, numbers[i] - 1, "x", "192.0.2.1");
		with_column(number, text, "", 1);
		far_row(far_row(text, numbers[i], "ip", "mask"), numbers[i], "192.0.2.0", "24");
		sprintf(why, "column %d has the mask", numbers[i]);
		is_refused("ip", text, why);
	}
}

static void test_heading(void)
{
	with_column("2", "id,ip\n1,192.0.2.1\n2,192.0.2.2\n", "192.0.2.1\n192.0.2.2\n", 0);
	tap_require(got.columns.skipped == 1, "%llu", got.columns.skipped);
	tap_require(got.lines == 2, "%llu lines", got.lines);
	/* A bad address is no heading. */
	with_column("2", "1,192.0.2.300\n2,192.0.2.2\n", "192.0.2.2\n", 1);
	with_column("2", "1,fe80::g\n2,192.0.2.2\n", "192.0.2.2\n", 1);
	/* A title further down is a bad row. */
	with_column("2", "1,192.0.2.1\nid,ip\n", "192.0.2.1\n", 1);
	with_column("IP", "id,\"ip\" , x\n1,192.0.2.1,y\n", "192.0.2.1\n", 0);
	with_column("dst ip", "# feed\n#\n# first_seen,dst ip\n1,192.0.2.1\n",
		    "192.0.2.1\n", 0);
	is_refused("src", "id,ip\n1,192.0.2.1\n", ":1: no heading has the column 'src'");
	is_refused("src", "1,192.0.2.1\n", "no heading has the column 'src'");
}

static void test_guess(void)
{
	has_keys(LAYOUT_CSV, "country,ip_address\nUS,192.0.2.1\n", "192.0.2.1\n", 0);
	has_keys(LAYOUT_CSV, "network,country\n192.0.2.0/24,US\n", "192.0.2.0/24\n", 0);
	has_keys(LAYOUT_CSV, "192.0.2.0/24,US\n192.0.2.7,DE\n", "192.0.2.0/24\n192.0.2.7\n", 0);
	/* A name of one of several addresses is that of the key if it is the only one. */
	has_keys(LAYOUT_CSV, "RemoteAddress,Action\n192.0.2.1,Block\n", "192.0.2.1\n", 0);
	has_keys(LAYOUT_CSV, "email address,host\nx,192.0.2.1\n", "192.0.2.1\n", 0);
	has_keys(LAYOUT_CSV, "reporter_ip,ip\n,192.0.2.1\n198.51.100.1,192.0.2.2\n",
		 "192.0.2.1\n", 1);
	has_keys(LAYOUT_CSV, "scanner ip,cidr\n198.51.100.1,192.0.2.0/24\n,192.0.2.0/24\n",
		 "192.0.2.0/24\n", 1);
	is_error(LAYOUT_CSV, "victim_ip,bad_host_ip\n192.0.2.1,192.0.2.2\n", "--column");
	is_error(LAYOUT_CSV, "when,sorted by ip\n1,192.0.2.2\n", "--column");
	/* Two such names, or none: the user has to choose. */
	is_error(LAYOUT_CSV, "src_ip,dst_ip\n192.0.2.1,192.0.2.2\n", "--column");
	is_error(LAYOUT_CSV, "source,when\n192.0.2.1,5\n", "--column");
	has_keys(LAYOUT_CSV, "", "", 0);
	has_keys(LAYOUT_CSV, "# x\n\n", "", 0);
}

static void test_quotes(void)
{
	with_column("2", "\"a,b\",\"192.0.2.1\"\n", "192.0.2.1\n", 0);
	with_column("2", "\"a\"\"b\", \" 192.0.2.1 \" ,c\n", "192.0.2.1\n", 0);
	with_column("2", "\"a\"b,192.0.2.1\n", "", 1);
	/* A column over several lines must not show its lines as rows. */
	with_column("2", "a,192.0.2.1,\"note\nx,192.0.2.9,y\nz\",b\nc,192.0.2.2,d\n",
		    "192.0.2.2\n", 3);
	with_column("1", "192.0.2.1,\"open\n192.0.2.2,x\n192.0.2.3,x", "", 3);
}

/* Bytes that no line of text has make a row bad. */
static void test_broken(void)
{
	static const char zero[] = "192.0.2.1,x\n192.0.2.2,a\0b\n192.0.2.3,x\n";

	syntax.recognize = false;
	syntax.layout = LAYOUT_CSV;
	run_bytes(zero, sizeof(zero) - 1, &got);
	tap_require(!strcmp(seen.text, "192.0.2.1\n192.0.2.3\n") && got.bad == 1, "'%s': %s",
		    seen.text, words);
	has_keys(LAYOUT_CSV, "192.0.2.1,x\r192.0.2.2,y\r192.0.2.3,z\r", "", 1);
	has_keys(LAYOUT_CSV, "ip,note\r192.0.2.1,x\r192.0.2.2,y\r", "", 1);
	tap_require(!got.columns.skipped, "the file is no heading");
	has_keys(LAYOUT_CSV, "192.0.2.1,x\r\n192.0.2.2,y\r\n", "192.0.2.1\n192.0.2.2\n", 0);
	/* A quoted column stays open after such a line. */
	has_keys(LAYOUT_CSV, "192.0.2.1,\"a\rb\n192.0.2.9,x\nc\"\n192.0.2.2,y\n",
		 "192.0.2.2\n", 3);
}

/* It is unknown whether a quoted column goes on after a line that is too long to read. */
static void test_long(void)
{
	static const char next[] = "\n192.0.2.9,x\"\n";
	static char text[INPUT_LINE + 64] = "192.0.2.1,\"";
	size_t length = strlen(text);

	memset(text + length, 'a', INPUT_LINE);
	length += INPUT_LINE;
	memcpy(text + length, next, sizeof(next));
	syntax.recognize = false;
	syntax.layout = LAYOUT_CSV;
	tap_require(run_bytes(text, length + strlen(next), &got), "'%s'", seen.text);
	tap_require(!*seen.text && strstr(words, ":1: the line is too long, so it is unknown"),
		    "'%s': %s", seen.text, words);
}

static void test_ranges(void)
{
	with_column("2,3", "x,192.0.2.4,192.0.2.9\n", "192.0.2.4-192.0.2.9\n", 0);
	tap_require(got.ranges == 1, "%llu ranges", got.ranges);
	with_column("last,first", "first,last\n192.0.2.9,192.0.2.4\n",
		    "192.0.2.4-192.0.2.9\n", 0);
	with_column("1,2", "192.0.2.9,192.0.2.4\n192.0.2.9,\n192.0.2.0/24,192.0.3.0\n", "", 3);
	with_column("1,2", "192.0.2.1,2001:db8::1\n", "", 1);
	/* A mask is no end of a range of millions of addresses. */
	with_column("1,2", "192.0.2.0,255.255.255.0\n", "", 1);
	with_column("first,last", "first,last\n10.0.0.0,255.0.0.0\n", "", 1);
	with_column("1,2", "2001:db8::,ffff:ffff::\n", "", 1);
	with_column("1,2", "192.0.2.0,0.0.0.255\n192.0.2.0,192.0.2.255\n",
		    "192.0.2.0/24\n192.0.2.0/24\n", 0);
	with_column("1,2", "240.0.0.0,255.255.255.255\n", "240.0.0.0/4\n", 0);
	with_column("1,2", "192.0.2.1-192.0.2.9,192.0.2.20\n192.0.2.1,192.0.2.7-192.0.2.9\n",
		    "", 2);
	syntax.ranges = true;
	with_column("first", "id,first,last\n7,192.0.2.4,192.0.2.9\n",
		    "192.0.2.4-192.0.2.9\n", 0);
	has_keys(LAYOUT_CSV, "192.0.2.0,255.255.255.0\n192.0.2.4,192.0.2.9\n",
		 "192.0.2.4-192.0.2.9\n", 1);
	syntax.ranges = false;
}

/* A column that makes the key larger is never ignored. */
static void test_sizes(void)
{
	static const char * const titled[] = {
		"network,netmask\n198.51.100.0,255.255.255.0\n", "198.51.100.0/24\n",
		"subnet,prefixlen,note\n198.51.100.0,24,x\n", "198.51.100.0/24\n",
		"subnet,note,Prefix_Length\n198.51.100.0,x,/24\n", "198.51.100.0/24\n",
		"# network,mask\n198.51.100.0,255.255.255.0\n", "198.51.100.0/24\n",
		"network,mask\n2001:db8::,ffff:ffff::\n", "2001:db8::/32\n",
		"mask,score,ip\n255.255.255.0,24,198.51.100.0\n", "198.51.100.0/24\n",
		"ip,cidr\n198.51.100.0,24\n198.51.100.7,/32\n", "198.51.100.0/24\n198.51.100.7\n",
		"address,asn,prefix\n198.51.100.0,64500,24\n", "198.51.100.0/24\n",
	};
	static const char * const unclear[] = {
		"id,end,ip\n1,198.51.100.9,198.51.100.4\n",
		"ip,last_ip\n198.51.100.4,198.51.100.9\n",
		"ip,length\n198.51.100.0,24\n",
		"ip,netmask,end_ip\n198.51.100.0,24,\n",
		"ip,prefix,subnet\n198.51.100.0,24,\n",
	};
	size_t i;

	for (i = 0; i < TAP_COUNT(titled); i += 2)
		has_keys(LAYOUT_CSV, titled[i], titled[i + 1], 0);
	for (i = 0; i < TAP_COUNT(unclear); i++)
		is_error(LAYOUT_CSV, unclear[i], "reads both");
	is_error(LAYOUT_CSV, "ip,cidr\n198.51.100.7,198.51.100.0/24\n", "columns 1 and 2");
	is_error(LAYOUT_CSV, "cidr,prefix\n198.51.100.0,24\n", "columns 1 and 2");
	has_keys(LAYOUT_CSV, "ip,cidr\n198.51.100.7,N/A\n198.51.100.8,AS64500\n", "", 2);
	/* Bits of the address after the length. */
	has_keys(LAYOUT_CSV, "ip,netmask\n198.51.100.7,24\n198.51.100.7,255.255.255.0\n", "", 2);
	with_column("network,netmask", titled[0], "198.51.100.0/24\n", 0);
	with_column("1,2", titled[2], "198.51.100.0/24\n", 0);
	with_column("1,3", titled[4], "198.51.100.0/24\n", 0);
	with_column("ip,last_ip", unclear[1], "198.51.100.4-198.51.100.9\n", 0);
	with_column("1,2", titled[8], "2001:db8::/32\n", 0);
	with_column("1,2", "ip,mask\n192.0.2.1,255.255.255.255\n192.0.2.0,0.0.0.255\n"
		    "192.0.2.1,255.255.255.0\n192.0.2.0,192.0.2.255\n192.0.2.1,x\n192.0.2.1,24\n",
		    "192.0.2.1\n192.0.2.0/24\n", 4);
	/* Titles that are for something else, and cells that are no sizes. */
	has_keys(LAYOUT_CSV, "ip,score,last\n192.0.2.0,24,2026-11-27\n", "192.0.2.0\n", 0);
	with_column("src", "src,dst,end\n192.0.2.1,198.51.100.1,\n", "192.0.2.1\n", 0);
	has_keys(LAYOUT_CSV, "ip,mask\n192.0.2.0/24,255.255.255.0\n", "192.0.2.0/24\n", 0);
	has_keys(LAYOUT_CSV, "ip,x,y\n192.0.2.0,z,255.255.255.0\n192.0.2.0,255.255.255.0,z\n"
		 "192.0.2.7,z,255.255.255.0\n192.0.2.7,z,255.255.255.255\n", "192.0.2.7\n", 3);
	with_column("src", "src,dst\n192.0.2.0,192.0.2.255\n192.0.2.7,192.0.2.7\n",
		    "192.0.2.7\n", 1);
	/* Without a heading, columns have the meaning that they have in lists. */
	has_keys(LAYOUT_CSV, "198.51.100.0,24,x\n198.51.100.0,255.255.255.0,x\n2001:db8::,32\n"
		 "198.51.100.7,24,x\n\"198.51.100.0\",\"/24\"\n198.51.100.0,198.51.100.255,24\n",
		 "198.51.100.0/24\n198.51.100.0/24\n2001:db8::/32\n198.51.100.7\n"
		 "198.51.100.0/24\n198.51.100.0/24\n", 0);
	tap_require(got.columns.seconds == 2 && got.columns.numbers == 1, "%llu, %llu",
		    got.columns.seconds, got.columns.numbers);
	has_keys(LAYOUT_CSV, "198.51.100.7,198.51.100.9\n198.51.100.7,/24\n"
		 "198.51.100.0,198.51.100.255,25\n198.51.100.7,255.255.255.0\n"
		 "198.51.100.7,x,255.255.255.0\n", "", 5);
	has_keys(LAYOUT_CSV, "198.51.100.0,'24'\n198.51.100.0,x,/24\n198.51.100.0,x,netmask=24\n"
		 "198.51.100.0,x,(24)\n", "198.51.100.0\n", 3);
	with_column("2", "a,198.51.100.0,24\na,198.51.100.0,255.255.255.0\n"
		    "a,198.51.100.0,198.51.100.255\na,198.51.100.7,203.0.113.9\n",
		    "198.51.100.0/24\n198.51.100.0/24\n198.51.100.7\n", 1);
}

/* A column with the title of a mask, a length or a last address is understood, or bad. */
static void test_titled(void)
{
	static const char * const bad[] = {
		"network,netmask\n192.0.2.0,0xffffff00\n",
		"network,netmask\n192.0.2.0,ffffff00\n",
		"network,netmask\n192.0.2.0,4294967040\n",
		"network,netmask\n192.0.2.0,24.0\n",
		"network;NETMASK\n192.0.2.0;\"24.0\"\n",
		"network,netmask\n2001:db8::,32.0\n",
		"ip,netmask\n192.0.2.0,40\n",
		"ip,netmask\n192.0.2.0,n/a\n",
		"ip,x,netmask\n192.0.2.0,,/x\n",
		"ip,prefixlen\n192.0.2.0,\"24 bits\"\n",
		"ip,prefixlen\n2001:db8::,129\n",
		"ip,end\n192.0.2.0,3221226000\n",
		"ip,end\n192.0.2.0,0xc0000210\n",
		"ip,end\n2001:db8::,42540766411282592856903984951653826561\n",
		"ip,end_ip\n192.0.2.0,77\n",
		"ip,bits\n192.0.2.0,24.0\n",
		"ip,wildcard\n192.0.2.0,0x000000ff\n",
		"ip,netmask\n192.0.2.0,192.0.2.0/24\n",
		"ip,end_ip\n192.0.2.0,192.0.2.255/32\n",
	};
	size_t i;

	for (i = 0; i < TAP_COUNT(bad); i++)
		has_keys(LAYOUT_CSV, bad[i], "", 1);
	for (i = 0; i < TAP_COUNT(bad); i++)
		with_column("1", bad[i], "", 1);
	/* An empty column says nothing, as in a list. */
	has_keys(LAYOUT_CSV, "ip,netmask,end_ip\n192.0.2.0,,\n192.0.2.1,\"\",\n",
		 "192.0.2.0\n192.0.2.1\n", 0);
	/* The network around a key makes the key no larger. */
	with_column("ip", "ip,cidr\n192.0.2.7,192.0.2.0/24\n", "192.0.2.7\n", 0);
	with_column("ip", "ip,cidr,prefix\n192.0.2.0,192.0.2.0/24,\n192.0.2.0,,192.0.2.0/24\n",
		    "", 2);
	with_column("ip", "ip,range,network\n192.0.2.0,192.0.2.0-192.0.2.9,\n"
		    "192.0.2.0,,192.0.2.0/24\n192.0.2.9,,192.0.2.0/24\n", "192.0.2.9\n", 2);
	with_column("ip", "ip,subnet\n192.0.2.7,192.0.2.0\n", "192.0.2.7\n", 0);
	is_refused("ip", "ip,subnet\n192.0.2.0,255.255.255.0\n", "column 2 has the mask");
	/* The length of a packet, the bits of a TLS key, times. */
	with_column("ip", "ip,length,bits,last,end\n"
		    "192.0.2.7,24,2048,2026-11-27,1795694400\n2001:db8::7,76,x,y,1795694400\n",
		    "192.0.2.7\n2001:db8::7\n", 0);
	tap_require(got.columns.numbers == 2, "%llu", got.columns.numbers);
	/* As in a list, a number directly after the key is counted. */
	has_keys(LAYOUT_CSV, "ip,score,hits\n192.0.2.0,24,7\n192.0.2.1,x,7\n",
		 "192.0.2.0\n192.0.2.1\n", 0);
	tap_require(got.columns.numbers == 1, "%llu", got.columns.numbers);
}

/* A number of addresses is a part of the key: the first address alone is not the network. */
static void test_counts(void)
{
	static const char * const titles[] = {
		"num_ips", "hosts", "addresses", "ip_count", "Number of addresses", "IPs",
		"total hosts", "host-count", "usable_hosts", "range count",
	};
	char text[160];
	size_t i;

	for (i = 0; i < TAP_COUNT(titles); i++) {
		sprintf(text, "ip,x,%s\n192.0.2.0,y,256\n192.0.2.5,y,100\n192.0.2.7,y,1\n"
			"192.0.2.64,y,\n192.0.2.0,y,\"1,024\"\n192.0.2.0,y,256.0\n", titles[i]);
		has_keys(LAYOUT_CSV, text, "192.0.2.7\n192.0.2.64\n", 4);
		with_column("ip", text, "192.0.2.7\n192.0.2.64\n", 4);
	}
	/* These titles are also for sizes and counts of other things. */
	has_keys(LAYOUT_CSV, "ip,count\n192.0.2.0,256\n198.51.0.0,768\n192.0.2.7,256\n"
		 "192.0.2.4,4\n192.0.2.0,77\n192.0.2.0/24,256\n192.0.2.9,x\n2001:db8::,1024\n",
		 "192.0.2.7\n192.0.2.4\n192.0.2.0\n192.0.2.0/24\n192.0.2.9\n", 3);
	has_keys(LAYOUT_CSV, "ip,size\n192.0.2.0,256\n192.0.2.0,256.0\n192.0.2.7,512\n",
		 "192.0.2.7\n", 2);
	has_keys(LAYOUT_CSV, "ip,block_size\n192.0.2.0,256\n192.0.2.4,100\n", "", 2);
	/* The address as a number is not a number of addresses. */
	has_keys(LAYOUT_CSV, "ip,ip_number\n192.0.2.0,3221225984\n", "192.0.2.0\n", 0);
	/* Records of a registry have no heading. */
	with_column("2", "ipv4|192.0.2.0|256\nipv4|192.0.2.7|1\n", "192.0.2.7\n", 1);
	is_error(-1, "ipv4|192.0.2.0|256\n", "statistics file");
	is_error(-1, "# x\nDE|ipv4|192.0.2.0|256|20260822\n", "statistics file");
}

/* Rows that are misread can follow a long licence, or many other rows. */
static void test_late(void)
{
	static char text[16384];
	char *at = text;
	int i;

	for (i = 0; i < 100; i++)
		at += sprintf(at, "# line %d of the licence, which permits, in all, copies\n", i);
	at += sprintf(at, "# ip,port\n");
	for (i = 0; i < 250; i++)
		at += sprintf(at, "198.51.100.%d,443\n", i + 1);
	read_as(-1, text);
	sprintf(at, "192.0.2.0,24\n");
	is_error(-1, text, "it is a table with titles");
}

/* A list is no table: where a title has a meaning that a list would ignore, it is refused. */
static void test_lists(void)
{
	static const char * const tables[] = {
		"ip,port\n192.0.2.0,24\n",
		"host,port,x\n192.0.2.9,80,\n",
		"sep=,\nhost,dport,x\n192.0.2.0,24\n",
		"ip\tport\tnote\n192.0.2.0\t24\t\n",
		"ip,num_ips\n192.0.2.0,256\n",
		"ip;netmask\n\n192.0.2.0;255.255.255.0\n",
		"ip,note,prefix_len\n192.0.2.0,x,24\n",
		"host,whitelisted\n192.0.2.1,true\n",
		"\xef\xbb\xbf\"IP\";\"Is whitelisted\"\n192.0.2.1;true\n",
		"My list\nip,to_ids\n---,---\n192.0.2.1,0\n",
		"# list of 2026-11-28, with networks\n# ip, whitelisted\n192.0.2.1,true\n",
		"# host,whitelisted\n192.0.2.1,true\n",
		"# ip,whitelisted,comment\n192.0.2.1,true,\n",
		"# ip,whitelisted\n192.0.2.1,true # office, Berlin\n",
		"# ip,port\n192.0.2.0,24 # ssh, telnet\n",
		"ip,7d_hits,whitelisted\n192.0.2.1,12,true\n",
		"; ip,whitelisted\n192.0.2.1,true\n",
		"# ip,country,whitelisted\n# ip, optional, see readme\n192.0.2.1,DE,true\n",
		"ip,whitelisted\nlocalhost,true\n192.0.2.1,true\n",
		"# start_ip,num_ips\n192.0.2.0,256\n",
		"ip;allowed (yes, no)\n192.0.2.1;yes\n",
		"whitelisted_ip,reason\n192.0.2.1,customer\n",
		"src_ip,dst_ip\n192.0.2.2,192.0.2.3\n",
		"# ip,port\n192.0.2.7,80\n192.0.2.0,24\n",
		"#ip;num_ips\n192.0.2.0;256\n",
		/* Titles that are for one of several addresses, or for none that is known. */
		"# victim_ip,attacker_ip\n192.0.2.0,192.0.2.255\n",
		"# Source, Destination\n192.0.2.0, 192.0.2.255\n",
		"# host,port\n192.0.2.0,24\n",
		"# ioc,on_whitelist\n192.0.2.1,true\n",
		"# who,whitelisted\n192.0.2.1,0\n",
		"# what,to_ids,x\n192.0.2.1,0,\n",
		"# use, see readme, permitted\n# ip,allowed\n192.0.2.1,true\n",
		"# ip,simulated\n192.0.2.1,true\n",
	}, * const blanks[] = {
		"ip port\n192.0.2.0 24\n",
		"# ip count\r\n192.0.2.0\t24\r\n",
		"# IP    hits\n192.0.2.9    7\n192.0.2.0    24\n",
		"# address whitelisted\n192.0.2.1 true\n",
		"host allowed reason\n192.0.2.1 no x\n",
		"# victim attacker\n192.0.2.0 192.0.2.255\n",
		"# ip num_ips\n192.0.2.0 256\n",
		"ip note mask\n192.0.2.0 x 24\n",
	}, * const lists[] = {
		"# Redistribution, use, permitted\n192.0.2.1,a,b\n192.0.2.2,a,permitted use\n",
		"# The IP, its port\n192.0.2.0,24\n",
		"# one, two, permitted\n192.0.2.1,true\n",
		"# ip mask\n192.0.2.0 255.255.255.0\n198.51.100.0 24\n",
		"# first last\n192.0.2.0 192.0.2.255\n",
		"# ip list\n192.0.2.0 24\n",
		"# network blocks\n192.0.2.0 24\n",
		"# IP addresses of scanners\n192.0.2.0 24 x y\n",
		"# ip country\n192.0.2.1 DE\n",
		"# host count\n192.0.2.1 24\n",
		"# ip: one\n192.0.2.0 24\n",
		"# hosts to block\n192.0.2.0 24 x\n",

		"ip\n192.0.2.1\n",
		"ip address list\n192.0.2.1\n",
		"192.0.2.1,DE\n192.0.2.2,DE\n",
		"192.0.2.1,80\nip,whitelisted\n",
		"192.0.2.1,ip\n192.0.2.2,whitelisted\n",
		"host,country\n192.0.2.1,DE\n",
		"# ip, network, range\n192.0.2.1\n192.0.2.2\n",
		"# Updated daily, whitelisted hosts are removed\n192.0.2.1,ssh\n192.0.2.2 # x\n",
		"# ip,port\n192.0.2.0,80\n192.0.2.9,24\n",
		"# ip, prefix\n192.0.2.0,24\n",
		"# network, note\n192.0.2.0/24,24\n",
		"# IP\tnumber of (black)lists\n#\n192.0.2.1\t10\n",
		"; ip, allowed\n192.0.2.1 ; SBL1\n",
		"ip,whitelisted\n192.0.2.1\n",
		"# list, x\nFoo, Removed:192.0.2.0-192.0.2.9\n198.51.100.0/24\n",
		"fc00::/7 ; unique local\n2001:db8::/32 ; 6\n",
		"!192.0.2.1,x\n198.51.100.1,4\n",
		"# cidr;hosts;country\n192.0.2.0/24;256;DE\n",
		"# ip, allowed\n192.0.2.1 # x, y\n",
	};
	size_t i;

	for (i = 0; i < TAP_COUNT(tables); i++)
		is_error(-1, tables[i], "it is a table with titles: --format csv reads it");
	for (i = 0; i < TAP_COUNT(blanks); i++)
		is_error(-1, blanks[i], "it is a table with titles and without commas");
	for (i = 0; i < TAP_COUNT(lists); i++)
		read_as(-1, lists[i]);
	test_late();
	/* The user can insist. */
	has_keys(LAYOUT_LIST, tables[0], "192.0.2.0/24\n", 1);
	has_keys(LAYOUT_CSV, tables[0], "192.0.2.0\n", 0);
	with_column("1", tables[1], "192.0.2.9\n", 0);
	/* Every line of a list of byte strings is one. */
	syntax.kind = SYNTAX_BYTES;
	has_keys(-1, tables[0], "ip,port\n192.0.2.0,24\n", 0);
	syntax.kind = SYNTAX_INET;
}

/* A row is bad if another column has an address: which one is the key is unknown. */
static void test_second_keys(void)
{
	has_keys(LAYOUT_CSV, "remote_addr,network,asn\n192.0.2.7,192.0.2.0/24,64500\n"
		 "x,198.51.100.0/24,64500\n", "198.51.100.0/24\n", 1);
	has_keys(LAYOUT_CSV, "network,other\n192.0.2.0/24,2001:db8::/32\n192.0.2.0/24,\n"
		 "192.0.2.1-192.0.2.9,198.51.100.1\n", "192.0.2.0/24\n", 2);
	/* A mask of something else is none of the address. */
	is_error(LAYOUT_CSV, "ip,tos_mask\n192.0.2.0,24\n", "reads both");
	has_keys(LAYOUT_CSV, "network,mask,broadcast\n192.0.2.0/24,255.255.255.0,192.0.2.255\n",
		 "192.0.2.0/24\n", 0);
	with_column("network", "ip,network\n192.0.2.7,192.0.2.0/24\n", "192.0.2.0/24\n", 0);
}

static void test_titles(void)
{
	static const char * const sizes[] = {
		"Netmask (CIDR)", "Prefix-Length", "net_bits", "len", "length", "subnet_size",
		"PREFIX LEN", "Mask-Bits", "Sub-Net Mask", "CIDR", "prefix.length",
		"subnet", "ip_cidr", "ipv4-bits",
	};
	static const char * const ends[] = {
		"end_ip_address", "last_addr", "End-IP", "Range End", "IP_To", "stop_address",
		"lastIPv4Address", "end_inet",
	};
	char text[128];
	size_t i;

	for (i = 0; i < TAP_COUNT(sizes); i++) {
		sprintf(text, "id,\"ip\",\"%s\"\n7,192.0.2.0,24\n", sizes[i]);
		is_refused("ip", text, "column 3 has the mask");
	}
	for (i = 0; i < TAP_COUNT(ends); i++) {
		sprintf(text, "first,%s\n192.0.2.0,192.0.2.77\n", ends[i]);
		is_refused("first", text, "column 2 has the mask");
	}
	with_column("src-ip", "id,Src_IP\n1,192.0.2.1\n", "192.0.2.1\n", 0);
	has_keys(LAYOUT_CSV, "id,IP-Address\n1,192.0.2.1\n", "192.0.2.1\n", 0);
	/* Another address is an error of the row, unless the user chose the column. */
	has_keys(LAYOUT_CSV, "ip,x\n192.0.2.0,192.0.2.77\n", "", 1);
	has_keys(LAYOUT_CSV, "ip,x,seen\n192.0.2.0,,2001:db8::1\n", "", 1);
	has_keys(LAYOUT_CSV, "192.0.2.7,x,198.51.100.7\n", "", 1);
	has_keys(LAYOUT_CSV, "ip,x,y\n192.0.2.7,192.0.2.7,198.51.100.7.example\n",
		 "192.0.2.7\n", 0);
	with_column("ip", "ip,x\n192.0.2.1,192.0.2.77\n", "192.0.2.1\n", 0);
	with_column("start", "start,x,y\n192.0.2.1,a,192.0.2.77\n", "", 1);
}

/* The heading of the table takes precedence over a comment. */
static void test_comment(void)
{
	has_keys(LAYOUT_CSV, "# Bad hosts; generated daily, network\nip,seen_by\n192.0.2.2,x\n",
		 "192.0.2.2\n", 0);
	with_column("ip", "# listed,ip\nip,reporter\n192.0.2.2,198.51.100.1\n",
		    "192.0.2.2\n", 0);
	has_keys(LAYOUT_CSV, "# id,ip\nid,ip\n1,192.0.2.2\n", "192.0.2.2\n", 0);
	is_error(LAYOUT_CSV, "# listed,ip\nsource,when\n192.0.2.1,198.51.100.1\n", "--column");
	is_error(LAYOUT_CSV, "# id,ip\n# ip,seen\n192.0.2.1,198.51.100.1\n", "several comments");
	is_error(LAYOUT_CSV, "# daily, bad, network\n192.0.2.1,198.51.100.1\n",
		 "names column 3 of 3, but the row has 2");
	has_keys(LAYOUT_CSV, "# ip\n192.0.2.1;DE\n", "192.0.2.1\n", 0);
	has_keys(LAYOUT_CSV, "# ip,country,region\n192.0.2.1,DE\n", "192.0.2.1\n", 0);
	/* A row is no heading, whatever words it has. */
	has_keys(LAYOUT_CSV, "192.0.2.1,network\n192.0.2.2,x\n", "192.0.2.1\n192.0.2.2\n", 0);
}

static void test_twice(void)
{
	is_error(LAYOUT_CSV, "id,ip,IP\n1,192.0.2.1,192.0.2.2\n", "columns 2 and 3");
	is_error(LAYOUT_CSV, "id,ip,ip\n1,192.0.2.1,192.0.2.2\n", "columns 2 and 3");
	is_error(LAYOUT_CSV, "src_ip,x,dst_ip\n192.0.2.1,,192.0.2.2\n", "columns 1 and 3");
	is_refused("ip", "id,ip,ip\n1,192.0.2.1,192.0.2.2\n", "columns 2 and 3");
	is_error(LAYOUT_CSV, "# ip, network, whitelisted\n192.0.2.1,x,true\n", "two titles");
	has_keys(LAYOUT_CSV, "# ip,whitelisted\n# network\n192.0.2.1,1\n", "", 1);
	is_refused("ip", "# id,ip,I-P\n1,192.0.2.1,192.0.2.2\n", "no heading has the column");
	is_refused("ip,mask", "ip,Mask,mask\n192.0.2.0,24,24\n", "columns 2 and 3");
	is_refused("2,2", "1,192.0.2.1\n", "names column 2 twice");
	is_refused("ip,IP", "id,ip\n1,192.0.2.1\n", "names column 2 twice");
	with_column("2", "id,ip,ip\n1,192.0.2.1,x\n", "192.0.2.1\n", 0);
}

/* Columns that say by their titles that a key is not for blocking. */
static void test_flags(void)
{
	static const char misp[] = "type,value,comment,to_ids,date\nip-src,192.0.2.1,,1,x\n"
				   "ip-src,192.0.2.2,,0,x\nip-src,192.0.2.3,,False,x\n"
				   "ip-src,192.0.2.4,,,x\n";

	with_column("ip", "ip,isWhitelisted\n192.0.2.9,True\n192.0.2.8,False\n192.0.2.7,\n",
		    "192.0.2.8\n192.0.2.7\n", 1);
	has_keys(LAYOUT_CSV, "ip,whitelisted\n192.0.2.9,1\n192.0.2.8,0\n", "192.0.2.8\n", 1);
	has_keys(LAYOUT_CSV, "Is Allowed;ip\n\"yes\";192.0.2.9\n010;192.0.2.8\n", "", 2);
	has_keys(LAYOUT_CSV, "ip,allowed\n2001:db8::1,TRUE\n2001:db8::/32,true\n", "", 2);
	/* The words are the same as in JSON. */
	has_keys(LAYOUT_CSV, "ip,on_whitelist\n192.0.2.1,ja\n192.0.2.2,no\n", "192.0.2.2\n", 1);
	has_keys(LAYOUT_CSV, "ip,whitelisted\n192.0.2.1,yes.\n192.0.2.2,12:00:00\n", "", 2);
	/* Databases and spreadsheets write other words; what is unknown is no 'no'. */
	has_keys(LAYOUT_CSV, "ip,whitelisted\n192.0.2.1,t\n192.0.2.2,on\n192.0.2.3,x\n"
		 "192.0.2.4,wahr\n192.0.2.5,2026-11-28\n192.0.2.6,1.0\n192.0.2.7,f\n192.0.2.8,-\n",
		 "192.0.2.7\n192.0.2.8\n", 6);
	has_keys(LAYOUT_CSV, "ip,ignored,deleted\n192.0.2.1,true,\n192.0.2.2,,1\n192.0.2.3,,0\n",
		 "192.0.2.3\n", 2);
	/* A comma in a remark without quotes must not move the flag. */
	has_keys(LAYOUT_CSV, "ip,reason,whitelisted\n192.0.2.1,scan, probe,true\n"
		 "192.0.2.2,scan,,\n", "192.0.2.2\n", 1);
	has_keys(LAYOUT_CSV, "ip,False Positive\n192.0.2.9,1\n192.0.2.8,0\n", "192.0.2.8\n", 1);
	syntax.exceptions = true;
	has_keys(LAYOUT_CSV, "ip,allowed\n192.0.2.9,true\n", "192.0.2.9\n", 0);
	tap_require(got.columns.exceptions == 1 && !got.keys, "%llu", got.columns.exceptions);
	syntax.exceptions = false;
	has_keys(LAYOUT_CSV, "ip,action\n192.0.2.1,permit ip any\n192.0.2.2,Allow all\n"
		 "192.0.2.3,allow-list\n192.0.2.4,not allowed\n192.0.2.5,deny all\n"
		 "192.0.2.6,Allow List\n",
		 "192.0.2.4\n192.0.2.5\n", 4);
	has_keys(LAYOUT_CSV, "ip,note\n192.0.2.1,allow mail relay\n192.0.2.2,released\n",
		 "192.0.2.1\n", 1);
	with_column("value", misp, "192.0.2.1\n", 0);
	tap_require(got.columns.skipped == 4 && got.lines == 4, "%llu of %llu",
		    got.columns.skipped, got.lines);
	with_column("value", "value,to_ids\n192.0.2.1,maybe\n", "", 1);
}

/* What spreadsheets and CrowdSec write. */
static void test_exports(void)
{
	has_keys(LAYOUT_CSV, "\xef\xbb\xbfsep=;\r\nIP;Note\r\n192.0.2.1;x\r\n", "192.0.2.1\n", 0);
	has_keys(LAYOUT_CSV, "sep=\t\nNote\tIP\nx\t192.0.2.1\n", "192.0.2.1\n", 0);
	has_keys(LAYOUT_CSV, "ip,x\n192.0.2.1,y\nsep=,\n", "192.0.2.1\n", 1);
	has_keys(LAYOUT_CSV, "id,source,ip,reason,action,country,as,events_count,expiration,"
		 "simulated,alert_id\n"
		 "1,crowdsec,Ip:192.0.2.1,crowdsecurity/ssh-bf,ban,FR,64500 X,6,3h59m,false,1\n"
		 "2,crowdsec,Range:198.51.100.0/24,x,ban,FR,64500 X,6,3h59m,false,1\n"
		 "3,crowdsec,Ip:2001:db8::1,x,ban,FR,64500 X,6,3h59m,true,1\n"
		 "4,crowdsec,Country:FR,x,ban,FR,64500 X,6,3h59m,false,1\n",
		 "192.0.2.1\n198.51.100.0/24\n", 1);
}

/* A number after the key is a column only if its title says so, and a length only if sure. */
static void test_unknown_titles(void)
{
	static const char * const lengths[] = { "CIDR notation", "prefix_x", "cidr data" };
	static const char * const numbers[] = {
		"port", "dst_port", "dstport", "Abuse Confidence Score", "totalReports", "ASN",
		"last seen",
	};
	static const char * const empty[] = { "-", "None", "NULL", "\\N" };
	char text[200];
	size_t i;

	for (i = 0; i < TAP_COUNT(lengths); i++) {
		sprintf(text, "ip,x,%s\n192.0.2.0,,24\n", lengths[i]);
		is_error(LAYOUT_CSV, text, "column 3 has the mask");
	}
	for (i = 0; i < TAP_COUNT(numbers); i++) {
		sprintf(text, "ip,%s\n192.0.2.0,24\n", numbers[i]);
		has_keys(LAYOUT_CSV, text, "192.0.2.0\n", 0);
	}
	for (i = 0; i < TAP_COUNT(empty); i++) {
		sprintf(text, "ip,mask,end_ip\n192.0.2.1,%s,%s\n", empty[i], empty[i]);
		has_keys(LAYOUT_CSV, text, "192.0.2.1\n", 0);
	}
	has_keys(LAYOUT_CSV, "ip,/,x\n192.0.2.0,24,\n192.0.2.1,24,\n192.0.2.0,7,24\n",
		 "192.0.2.1\n192.0.2.0\n", 1);
	with_column("ip", "ip,foo\n192.0.2.0,24\n", "192.0.2.0\n", 0);
	/* The message names the columns to choose. */
	is_error(LAYOUT_CSV, "cc,start_ip,end_ip\nUS,192.0.2.0,192.0.2.9\n",
		 "--column 2,3 reads both");
	has_keys(LAYOUT_CSV, "prefix,Max Prefix Length\n192.0.2.0/23,24\n", "192.0.2.0/23\n", 0);
}

/* A row that lacks a column whose title has a meaning is bad: it can be cut off. */
static void test_short_rows(void)
{
	has_keys(LAYOUT_CSV, "ip,mask,note\n192.0.2.0,255.255.255.0\n192.0.2.0\n192.0.2.1,,\n",
		 "192.0.2.0/24\n192.0.2.1\n", 1);
	has_keys(LAYOUT_CSV, "ip,note,whitelisted\n192.0.2.1,x\n192.0.2.2,x,\n", "192.0.2.2\n", 1);
	has_keys(LAYOUT_CSV, "ip,cidr\n192.0.2.0\n", "", 1);
	has_keys(LAYOUT_CSV, "ip,last_ip\n192.0.2.0\n", "", 1);
	has_keys(LAYOUT_CSV, "network,num_ips\n192.0.2.0/24\n", "", 1);
	has_keys(LAYOUT_CSV, "ip,note,size,end\n192.0.2.1\n192.0.2.2,x\n",
		 "192.0.2.1\n192.0.2.2\n", 0);
}

/* A heading between rows repeats the first one, or is an error. */
static void test_second_heading(void)
{
	static const char other[] = "another heading follows rows";

	has_keys(LAYOUT_CSV, "ip,mask\n192.0.2.0,24\nIP,Mask\n192.0.3.0,24\n",
		 "192.0.2.0/24\n192.0.3.0/24\n", 0);
	tap_require(got.columns.skipped == 2 && got.lines == 2, "%llu, %llu", got.columns.skipped,
		    got.lines);
	has_keys(LAYOUT_CSV, "# ip,x\n192.0.2.1,a\n# ip,y\n192.0.2.2,b\n# a,b\n# ip\n192.0.2.3,c\n",
		 "192.0.2.1\n192.0.2.2\n192.0.2.3\n", 0);
	is_error(LAYOUT_CSV, "ip,x\n192.0.2.1,a\nx,ip\na,192.0.2.2\n", other);
	tap_require(strstr(words, ":3: "), "%s", words);
	is_error(LAYOUT_CSV, "ip,x\n192.0.2.1,a\nip,whitelisted\n192.0.2.2,true\n", other);
	is_error(LAYOUT_CSV, "ip,whitelisted\n192.0.2.1,0\nip,banned\n192.0.2.2,true\n", other);
	is_error(LAYOUT_CSV, "192.0.2.1,80\n# ip,whitelisted\n192.0.2.2,true\n", other);
	is_error(LAYOUT_CSV, "192.0.2.1,80\nip,cidr\n192.0.2.0,24\n", other);
	is_error(LAYOUT_CSV, "ip,port\n192.0.2.1,80\nstart_ip,end_ip\n192.0.2.0,192.0.2.9\n",
		 other);
	/* Rows that are bad, and prose, are no headings. */
	has_keys(LAYOUT_CSV, "ip,x\n192.0.2.1,a\nlocalhost,b\nx.example,host\n", "192.0.2.1\n", 2);
	has_keys(LAYOUT_CSV, "ip,x\n192.0.2.1,a\n# an ip, a mask, and an end\n"
		 "# 192.0.2.2,whitelisted\n# mask,count\n192.0.2.3,b\n",
		 "192.0.2.1\n192.0.2.3\n", 0);
}

/* A network has the end and the mask that other columns have. */
static void test_disagree(void)
{
	has_keys(LAYOUT_CSV, "network,end_ip\n192.0.2.0/24,192.0.2.255\n192.0.2.0/24,192.0.3.255\n"
		 "192.0.2.0/24,\n192.0.2.4-192.0.2.9,192.0.2.9\n192.0.2.4-192.0.2.9,192.0.2.8\n",
		 "192.0.2.0/24\n192.0.2.0/24\n192.0.2.4-192.0.2.9\n", 2);
	has_keys(LAYOUT_CSV, "network,netmask\n192.0.2.0/24,255.255.255.0\n192.0.2.0/24,24\n"
		 "192.0.2.0/24,0.0.0.255\n192.0.2.0/24,/24\n192.0.2.0/24,255.255.0.0\n"
		 "192.0.2.0/24,16\n"
		 "192.0.2.0/32,255.255.255.255\n192.0.2.0/32,0.0.0.0\n192.0.2.0-192.0.2.255,24\n"
		 "192.0.2.0-192.0.2.9,24\n",
		 "192.0.2.0/24\n192.0.2.0/24\n192.0.2.0/24\n192.0.2.0/24\n192.0.2.0/32\n"
		 "192.0.2.0/32\n192.0.2.0-192.0.2.255\n", 3);
	has_keys(LAYOUT_CSV, "network,start_ip,end_ip\n192.0.2.0/24,192.0.2.0,192.0.2.255\n"
		 "192.0.2.0/24,192.0.2.1,192.0.2.254\n192.0.2.0/24,192.0.2.2,192.0.2.255\n"
		 "2001:db8::/32,2001:db8::,2001:db8:ffff:ffff:ffff:ffff:ffff:ffff\n",
		 "192.0.2.0/24\n192.0.2.0/24\n2001:db8::/32\n", 1);
	has_keys(LAYOUT_CSV, "ASN,IP Prefix,Max Length\nAS64500,192.0.2.0/23,24\n",
		 "192.0.2.0/23\n", 0);
	has_keys(LAYOUT_CSV, "network,length,size\n192.0.2.0/24,1500,99999\n", "192.0.2.0/24\n", 0);
	with_column("network", "network,end_ip\n192.0.2.0/24,192.0.3.255\n", "", 1);
}

/* Titles and remarks that forbid to block the key, and rows that are not in force. */
static void test_forbidden(void)
{
	static const char * const titles[] = {
		"do_not_block", "Do Not Ban", "dontBlock", "don't block", "never_block", "no-drop",
		"noblock", "is_not_malicious", "in_whitelist", "On Allowlist", "benign",
	}, * const remarks[] = {
		"do not block", "DO-NOT-BAN", "CDN - do not block", "dont_drop", "never block this",
		"noblock", "not_malicious", "benign",
	}, * const others[] = {
		"not blocked yet", "no", "blocked", "Do block", "down", "nodes", "node, never seen",
	};
	char text[200];
	size_t i;

	for (i = 0; i < TAP_COUNT(titles); i++) {
		sprintf(text, "ip,%s\n192.0.2.1,1\n192.0.2.2,0\n", titles[i]);
		has_keys(LAYOUT_CSV, text, "192.0.2.2\n", 1);
	}
	for (i = 0; i < TAP_COUNT(remarks); i++) {
		sprintf(text, "ip,note\n192.0.2.1,%s\n192.0.2.2,x\n", remarks[i]);
		has_keys(LAYOUT_CSV, text, "192.0.2.2\n", 1);
		sprintf(text, "192.0.2.1,%s\n192.0.2.2\t%s\n", remarks[i], remarks[i]);
		has_keys(LAYOUT_LIST, text, "", 2);
	}
	for (i = 0; i < TAP_COUNT(others); i++) {
		sprintf(text, "ip,note\n192.0.2.1,\"%s\"\n", others[i]);
		has_keys(LAYOUT_CSV, text, "192.0.2.1\n", 0);
	}
	syntax.exceptions = true;
	has_keys(LAYOUT_LIST, "192.0.2.1 do not block\n192.0.2.2 not an address\n",
		 "192.0.2.1\n", 1);
	tap_require(got.columns.exceptions == 1, "%llu", got.columns.exceptions);
	syntax.exceptions = false;
	has_keys(LAYOUT_LIST, "192.0.2.1 Cloudflare: do not block\n192.0.2.2 seen, never blocked\n",
		 "192.0.2.2\n", 1);
	has_keys(LAYOUT_CSV, "ip,simulated,expired,active\n192.0.2.1,true,,\n192.0.2.2,false,1,1\n"
		 "192.0.2.3,0,0,0\n192.0.2.4,0,0,1\n192.0.2.5,0,2026-11-28,no\n192.0.2.6,,,\n",
		 "192.0.2.4\n192.0.2.6\n", 0);
	tap_require(got.columns.skipped == 5, "%llu", got.columns.skipped);
	has_keys(LAYOUT_CSV, "ip,malicious,blocked\n192.0.2.1,0,\n192.0.2.2,1,no\n192.0.2.3,1,0\n",
		 "192.0.2.3\n", 0);
}

/* No advice names the format that the list already has. */
static void test_port(void)
{
	has_keys(LAYOUT_HOSTPORT, "192.0.2.0/24:80\n[2001:db8::/32]:80\n", "", 2);
	tap_require(!strstr(words, "--format hostport"), "%s", words);
	has_keys(LAYOUT_LIST, "192.0.2.0/24:80\n", "", 1);
}

/* Only ipfilter.dat has levels: elsewhere the number can be an autonomous system. */
static void test_levels(void)
{
	static const char text[] = "192.0.2.0-192.0.2.255,174,Cogent\n"
				   "198.51.100.0-198.51.100.255,64500,X\n"
				   "203.0.113.0-203.0.113.255,99,Y\n";

	has_keys(-1, text, "198.51.100.0-198.51.100.255\n203.0.113.0-203.0.113.255\n", 1);
	tap_require(!got.columns.allowed && strstr(words, "--format ipfilter"), "%s", words);
	has_keys(LAYOUT_IPFILTER, text, "203.0.113.0-203.0.113.255\n", 0);
	tap_require(got.columns.allowed == 2, "%llu", got.columns.allowed);
	has_keys(LAYOUT_CSV, text, "192.0.2.0-192.0.2.255\n198.51.100.0-198.51.100.255\n"
		 "203.0.113.0-203.0.113.255\n", 0);
}

static void test_exceptions(void)
{
	static const char text[] = "ip,action\n192.0.2.1,block\n192.0.2.2,allow\n";

	with_column("ip", text, "192.0.2.1\n", 1);
	/* A word that negates the row makes it bad. */
	with_column("ip", "ip,state\n192.0.2.1,active\n192.0.2.2,removed\n", "192.0.2.1\n", 1);
	/* A state is no exception. */
	has_keys(LAYOUT_CSV, "1.2.3.4,US,OK\n1.2.3.5,OK\n1.2.3.6,OK,US\n",
		 "1.2.3.4\n1.2.3.5\n1.2.3.6\n", 0);
	syntax.exceptions = true;
	with_column("ip", text, "192.0.2.1\n192.0.2.2\n", 0);
	tap_require(got.columns.exceptions == 1 && got.keys == 1, "%llu, %llu keys",
		    got.columns.exceptions, got.keys);
	with_column("ip", "ip,note\n198.51.100.0/24,!198.51.100.7\n", "", 1);
	syntax.exceptions = false;
}

/* As in JSON, the addresses in a column with such a title must not be blocked. */
static void test_excepted(void)
{
	static const char * const titles[] = {
		"except", "Exclude", "excluded_cidrs", "allow list", "whitelist", "exemptions",
		"trusted_ip", "ignoreRange", "not blocked,bypass",
	};
	char text[200];
	size_t i;

	for (i = 0; i < TAP_COUNT(titles); i++) {
		sprintf(text, "network,%s%s\n192.0.2.0/24,%s192.0.2.7\n"
			"198.51.100.1,%s\n203.0.113.1,%s2001:db8::/64\n",
			titles[i], strchr(titles[i], ',') ? "" : ",x",
			strchr(titles[i], ',') ? "x," : "", strchr(titles[i], ',') ? "x," : "",
			strchr(titles[i], ',') ? "x," : "");
		has_keys(LAYOUT_CSV, text, "198.51.100.1\n", 2);
		syntax.exceptions = true;
		has_keys(LAYOUT_CSV, text, "192.0.2.7\n192.0.2.0/24\n198.51.100.1\n"
			 "2001:db8::/64\n203.0.113.1\n", 0);
		tap_require(got.keys == 3 && got.columns.exceptions == 2, "%llu, %llu", got.keys,
			    got.columns.exceptions);
		with_column("1", text, "192.0.2.7\n192.0.2.0/24\n198.51.100.1\n"
			    "2001:db8::/64\n203.0.113.1\n", 0);
		syntax.exceptions = false;
	}
	syntax.exceptions = true;
	has_keys(LAYOUT_CSV, "network,exclude_start,exclude_end\n"
		 "192.0.2.0/24,192.0.2.4,192.0.2.9\n", "", 1);
	/* What is not understood makes the row bad; names and flags are no addresses. */
	has_keys(LAYOUT_CSV, "ip,except\n192.0.2.0/24,192.0.2.7 192.0.2.8\n"
		 "192.0.2.0/24,192.0.2.300\n"
		 "192.0.2.0/24,(192.0.2.7)\n192.0.2.0/24,host=192.0.2.7\n192.0.2.9,mail.example\n"
		 "192.0.2.10,no\n", "192.0.2.9\n192.0.2.10\n", 4);
	/* The user chose the column. */
	with_column("except", "ip,except\n192.0.2.1,198.51.100.7\n", "198.51.100.7\n", 0);
	tap_require(got.keys == 1, "%llu", got.keys);
	syntax.exceptions = false;
}

static void test_bytes(void)
{
	syntax.kind = SYNTAX_BYTES;
	with_column("url", "# id,dateadded,url\n\"1\",\"x\",\"http://a.example/?q=1,2\"\n",
		    "http://a.example/?q=1,2\n", 0);
	with_column("2", "1,\"say \"\"x\"\"\"\n", "say \"x\"\n", 0);
	with_column("2", "1,\n", "", 1);
	syntax.kind = SYNTAX_INET;
}

static const struct tap_test tests[] = {
	{ "csv.number: a column is chosen by its number", test_number },
	{ "csv.far: a column with a large number is chosen, and its title counts", test_far },
	{ "csv.heading: a heading is no row, and names the columns", test_heading },
	{ "csv.guess: a column with a usual name is found, two of them are an error",
	  test_guess },
	{ "csv.lists: a table is refused as a list if a title has a meaning", test_lists },
	{ "csv.second_keys: an address in another column makes a row bad", test_second_keys },
	{ "csv.long: after a line that is too long nothing is read", test_long },
	{ "csv.quotes: columns in quotes may hold separators, and never hide a row",
	  test_quotes },
	{ "csv.broken: a carriage return or zero byte in a row makes it bad", test_broken },
	{ "csv.ranges: two columns are the ends of a range", test_ranges },
	{ "csv.sizes: a mask, length or last address in another column is never ignored",
	  test_sizes },
	{ "csv.titled: a column with the title of a mask, length or last address is understood or bad",
	  test_titled },
	{ "csv.counts: a number of addresses in another column is never ignored", test_counts },
	{ "csv.titles: titles are compared without regard to case, signs and blanks", test_titles },
	{ "csv.comment: the heading takes precedence over a comment", test_comment },
	{ "csv.twice: columns that are named twice are an error", test_twice },
	{ "csv.flags: a key whose columns say that it is harmless is no key", test_flags },
	{ "csv.unknown: a number under an unknown title is no length, or bad",
	  test_unknown_titles },
	{ "csv.exports: what spreadsheets and CrowdSec write", test_exports },
	{ "csv.short: a row without a column that has a meaning is bad", test_short_rows },
	{ "csv.again: a second heading is the first one, or is refused", test_second_heading },
	{ "csv.disagree: a network and its end or mask in other columns agree", test_disagree },
	{ "csv.forbidden: a key that must not be blocked, or is not in force", test_forbidden },
	{ "csv.port: a network with a port is bad, without advice to read ports", test_port },
	{ "csv.levels: a number after a range is a level only in ipfilter.dat", test_levels },
	{ "csv.exceptions: a column with 'allow' makes an exception", test_exceptions },
	{ "csv.excepted: an address in a column such as 'except' is an exception", test_excepted },
	{ "csv.bytes: a column of a table can be a byte string", test_bytes },
};

int main(int argc, char **argv)
{
	return lists_main(argc, argv, tests, TAP_COUNT(tests));
}
