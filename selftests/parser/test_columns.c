// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines of lists with more than a key: each is understood whole, or is bad.
 */
#include "line.h"
#include "tap.h"

static const struct form list;

/*
 * What lines of lists mean, as text: "bad", "" for a blank one, "allowed", or the key or
 * range, with # behind it where a number was ignored, and + where a second address was used.
 */
struct spelling {
	const char *line;
	const char *meaning;
};

static const struct spelling spellings[] = {
	/* Prefix lengths and masks. */
	{ "198.51.100.0/24", "198.51.100.0/24" },
	{ "198.51.100.0 /24", "198.51.100.0/24" },
	{ "198.51.100.0 / 24", "198.51.100.0/24" },
	{ "198.51.100.0\t/\t24\tx", "198.51.100.0/24" },
	{ "198.51.100.0 / 24,x", "198.51.100.0/24" },
	{ "198.51.100.0 / 33", "bad" },
	{ "198.51.100.0 / 024", "bad" },
	{ "198.51.100.0/ 24", "bad" },
	{ "198.51.100.7 / 24", "198.51.100.0/24" },
	{ "198.51.100.0/255.255.255.0", "198.51.100.0/24" },
	{ "198.51.100.0 / 255.255.255.0", "198.51.100.0/24" },
	{ "198.51.100.0 /255.255.255.0 x", "198.51.100.0/24" },
	{ "198.51.100.0/255.255.0.255", "bad" },
	{ "198.51.100.0/0.0.0.255", "bad" },
	{ "198.51.100.0/24/24", "bad" },
	{ "2001:db8:: / 32", "2001:db8::/32" },
	{ "2001:db8:: /129", "bad" },
	/* Ranges. */
	{ "192.0.2.4-192.0.2.9", "192.0.2.4-192.0.2.9" },
	{ "192.0.2.4 - 192.0.2.9", "192.0.2.4-192.0.2.9" },
	{ "192.0.2.4\342\200\223192.0.2.9", "192.0.2.4-192.0.2.9" },
	{ "192.0.2.4 \342\200\223 192.0.2.9", "192.0.2.4-192.0.2.9" },
	{ "192.0.2.4..192.0.2.9", "192.0.2.4-192.0.2.9" },
	{ "192.0.2.4 .. 192.0.2.9 x", "192.0.2.4-192.0.2.9" },
	{ "192.0.2.4->192.0.2.9", "192.0.2.4-192.0.2.9" },
	{ "192.0.2.4 -> 192.0.2.9", "192.0.2.4-192.0.2.9" },
	{ "192.0.2.4 to 192.0.2.9", "192.0.2.4-192.0.2.9" },
	{ "192.0.2.4\tto\t192.0.2.9", "192.0.2.4-192.0.2.9" },
	{ "2001:db8::1 to 2001:db8::9", "2001:db8::1-2001:db8::9" },
	{ "2001:db8::1..2001:db8::9", "2001:db8::1-2001:db8::9" },
	{ "2001:db8::1->2001:db8::9", "2001:db8::1-2001:db8::9" },
	{ "192.0.2.9 to 192.0.2.4", "bad" },
	{ "192.0.2.4...192.0.2.9", "bad" },
	{ "192.0.2.4..", "bad" },
	{ "192.0.2.4 ..", "192.0.2.4" },
	{ "192.0.2.4to192.0.2.9", "bad" },
	{ "192.0.2.4 to192.0.2.9", "192.0.2.4" },
	{ "192.0.2.4 TO 192.0.2.9", "bad" },
	{ "192.0.2.4 \342\200\224 192.0.2.9", "bad" },
	{ "192.0.2.4\342\200\224192.0.2.9", "bad" },
	{ "192.0.2.4 --> 192.0.2.9", "bad" },
	{ "192.0.2.4 until 192.0.2.9", "bad" },
	{ "192.0.2.4 and 192.0.2.9", "bad" },
	{ "192.0.2.4 = 192.0.2.9", "bad" },
	{ "192.0.2.4,-,192.0.2.9", "bad" },
	{ "192.0.2.4 - , 192.0.2.9", "bad" },
	{ "192.0.2.4 - - 192.0.2.9", "bad" },
	{ "192.0.2.4 - x 192.0.2.9", "bad" },
	{ "192.0.2.4 - 192.0.2.9 192.0.2.12", "bad" },
	{ "192.0.2.4 - 192.0.2.9 - 192.0.2.12", "bad" },
	{ "192.0.2.4 - 192.0.2.9:80", "bad" },
	{ "192.0.2.4 - 192.0.2.0/24", "bad" },
	{ "192.0.2.4-192.0.2.9 17", "192.0.2.4-192.0.2.9 #" },
	{ "192.0.2.4-192.0.2.9,AS64496,Example", "192.0.2.4-192.0.2.9" },
	/* Masks, wildcards and ends of a network in a column. */
	{ "198.51.100.0 255.255.255.0", "198.51.100.0/24 +" },
	{ "198.51.100.0,255.255.255.0", "198.51.100.0/24 +" },
	{ "198.51.100.0;255.255.255.0;x", "198.51.100.0/24 +" },
	{ "198.51.100.0|255.255.255.0", "198.51.100.0/24 +" },
	{ "198.51.100.0\t255.255.255.0\tx", "198.51.100.0/24 +" },
	{ "\"198.51.100.0\",\"255.255.255.0\"", "198.51.100.0/24 +" },
	{ "198.51.100.0 0.0.0.255", "198.51.100.0/24 +" },
	{ "198.51.100.0 , 0.0.0.255 , x", "198.51.100.0/24 +" },
	{ "198.51.100.0 255.255.255.0 24", "198.51.100.0/24 +" },
	{ "198.51.100.0 255.255.255.0 16", "bad" },
	{ "198.51.100.4 255.255.255.252", "198.51.100.4/30 +" },
	{ "198.51.100.7 255.255.255.0", "bad" },
	{ "198.51.100.7 0.0.0.255", "bad" },
	{ "198.51.100.7 0.0.0.0", "198.51.100.7 +" },
	{ "0.0.0.0 0.0.0.0", "bad" },
	{ "198.51.100.7 255.255.255.255", "bad" },
	{ "240.0.0.0 255.255.255.255", "bad" },
	{ "0.0.0.0,255.255.255.255", "bad" },
	{ "198.51.100.0 255.255.0.255", "bad" },
	{ "224.0.0.0 240.0.0.0", "224.0.0.0/4 +" },
	{ "192.0.0.0 192.0.0.0", "bad" },
	{ "10.0.0.0 255.0.0.0", "10.0.0.0/8 +" },
	{ "2001:db8:: ffff:ffff::", "2001:db8::/32 +" },
	{ "2001:db8:: ::ffff:ffff:ffff:ffff:ffff:ffff", "2001:db8::/32 +" },
	{ "198.51.100.0 198.51.100.255", "198.51.100.0/24 +" },
	{ "198.51.100.0\t198.51.100.255\t24\t579\tNET\tZZ", "198.51.100.0/24 +" },
	{ "198.51.100.0\t198.51.100.255\t255.255.255.0\tNET", "198.51.100.0/24 +" },
	{ "198.51.100.0\t198.51.100.255\t23", "bad" },
	{ "198.51.100.0\t198.51.100.255\t255.255.254.0", "bad" },
	{ "198.51.100.0\t198.51.100.255\t198.51.100.77", "bad" },
	{ "198.51.100.0\t198.51.100.255\t255.255.255.0\t192.0.2.1", "bad" },
	{ "198.51.100.0,198.51.100.255,579", "198.51.100.0/24 # +" },
	{ "198.51.100.0,198.51.100.255,5", "198.51.100.0/24 # +" },
	{ "\"1.0.0.0\",\"1.0.0.255\",\"AU\"", "1.0.0.0/24 +" },
	{ "\"1.0.0.0\",\"1.0.0.255\",\"AU, \"\"East\"\"\"", "1.0.0.0/24 +" },
	{ "\"1.0.0.0\", \"1.0.2.255\", \"AU\"", "bad" },
	{ "\"1.0.0.0/24\",\"AU\"", "1.0.0.0/24" },
	{ "\"1.0.0.0 - 1.0.0.9\";\"AU\"", "1.0.0.0-1.0.0.9" },
	{ "\"1.0.0.0 AU\"", "bad" },
	{ "\"1.0.0.0", "bad" },
	{ "\"1.0.0.0\"x", "bad" },
	{ "\"\"", "bad" },
	{ "\" 1.0.0.7 \",\"AU\"", "1.0.0.7" },
	{ "2001:db8::,2001:db8:ffff:ffff:ffff:ffff:ffff:ffff,32", "2001:db8::/32 +" },
	{ "192.0.2.7 192.0.2.7", "192.0.2.7 +" },
	{ "192.0.2.4,192.0.2.5", "192.0.2.4/31 +" },
	{ "192.0.2.7,192.0.2.9", "bad" },
	{ "192.0.2.7 192.0.2.9", "bad" },
	{ "192.0.2.9 192.0.2.7", "bad" },
	{ "192.0.2.7\t198.51.100.9", "bad" },
	{ "192.0.2.7|198.51.100.9", "bad" },
	{ "192.0.2.7;198.51.100.9", "bad" },
	{ "192.0.2.7;see 198.51.100.9", "bad" },
	{ "192.0.2.7 # see 198.51.100.9", "192.0.2.7" },
	{ "192.0.2.7,,198.51.100.9", "bad" },
	{ "198.51.100.0,,198.51.100.255", "bad" },
	{ "192.0.2.7 2001:db8::1", "bad" },
	{ "192.0.2.7,US,198.51.100.9", "bad" },
	{ "192.0.2.7 198.51.100.256", "bad" },
	{ "192.0.2.7 198.51.100.9:443", "bad" },
	{ "192.0.2.7,198.51.100.0/24", "bad" },
	{ "192.0.2.7,198.51.100.1-198.51.100.9", "bad" },
	{ "192.0.2.7,198.51.100.1\342\200\223198.51.100.9", "bad" },
	{ "192.0.2.7,198.51.100.1->198.51.100.9", "bad" },
	{ "198.51.100.0/24 255.255.255.0", "bad" },
	{ "198.51.100.0/24,198.51.100.255", "bad" },
	{ "192.0.2.1 192.0.2.2 192.0.2.3", "bad" },
	/* Numbers in a column. */
	{ "198.51.100.0 24", "198.51.100.0/24" },
	{ "198.51.100.0,24,Org", "198.51.100.0/24" },
	{ "198.51.100.0\t24\tOrg", "198.51.100.0/24" },
	{ "198.51.100.0;24", "198.51.100.0/24" },
	{ "198.51.100.0|24|Org", "198.51.100.0/24" },
	{ "\"198.51.100.0\",\"24\",\"Org\"", "198.51.100.0/24" },
	{ "198.51.100.0 32", "198.51.100.0" },
	{ "10.0.0.0 8", "10.0.0.0/8" },
	{ "10.0.0.0 7", "10.0.0.0 #" },
	{ "198.51.100.0 22", "198.51.100.0/22" },
	{ "198.51.100.0 20", "198.51.100.0 #" },
	{ "198.51.100.0 33", "198.51.100.0 #" },
	{ "198.51.100.0 024", "198.51.100.0 #" },
	{ "198.51.100.7 24", "198.51.100.7 #" },
	{ "198.51.100.7\t10", "198.51.100.7 #" },
	{ "198.51.100.7,1,2,3", "198.51.100.7 #" },
	{ "198.51.100.7 99999999999999999999", "198.51.100.7 #" },
	{ "198.51.100.0/24 24", "198.51.100.0/24 #" },
	{ "198.51.100.0/24,64496", "198.51.100.0/24 #" },
	{ "198.51.100.0,,24", "198.51.100.0 #" },
	{ "198.51.100.0 x 24", "198.51.100.0" },
	{ "198.51.100.0 24.0", "198.51.100.0" },
	{ "198.51.100.0 # 24", "198.51.100.0" },
	{ "198.51.100.0 24 16", "198.51.100.0/24" },
	{ "198.51.100.0 24 198.51.100.9", "bad" },
	{ "198.51.100.7 5 198.51.100.9", "bad" },
	{ "2001:db8:: 32", "2001:db8::/32" },
	{ "2001:db8::,48,x", "2001:db8::/48" },
	{ "2001:db8::1 64", "2001:db8::1 #" },
	{ "2001:db8:: 129", "2001:db8:: #" },
	{ "198.51.100.7 value 7", "198.51.100.7" },
	/* Words that are no addresses. */
	{ "198.51.100.7 host-198-51-100-7.example", "198.51.100.7" },
	{ "198.51.100.7 7.100.51.198.in-addr.arpa", "198.51.100.7" },
	{ "198.51.100.7 198.51.100.7.static.example", "198.51.100.7" },
	{ "198.51.100.7\t2026-08-22 12:30:45", "198.51.100.7" },
	{ "2001:db8::1 2026-08-22 12:30:45", "2001:db8::1" },
	{ "198.51.100.7 00:11:22:33:44:55", "198.51.100.7" },
	{ "198.51.100.7,nginx 1.18.0", "198.51.100.7" },
	{ "198.51.100.7 - - [10/Oct/2026:13:55:36] \"GET / HTTP/1.1\" 200", "198.51.100.7" },
	{ "198.51.100.7,http://bad.example//x,z", "198.51.100.7" },
	{ "198.51.100.7 10.0.19041.1", "bad" },
	/* Zero padding. */
	{ "001.002.003.004 - 001.002.003.255 , 000 , words", "1.2.3.4-1.2.3.255 #" },
	{ "001.002.003.004", "1.2.3.4" },
	{ "198.051.100.007", "198.51.100.7" },
	{ "198.051.100.7", "bad" },
	{ "198.51.100.07", "bad" },
	/* ipfilter.dat: levels from 127 on are allowed. */
	{ "001.002.003.004 - 001.002.003.255 , 126 , words", "1.2.3.4-1.2.3.255 #" },
	{ "001.002.003.004 - 001.002.003.255 , 127 , words", "allowed" },
	{ "001.002.003.004-001.002.003.255,200,words", "allowed" },
	{ "1.2.3.4 - 1.2.3.255 , 255", "allowed" },
	{ "1.2.3.4 - 1.2.3.255 , 256 , words", "1.2.3.4-1.2.3.255 #" },
	{ "1.2.3.4 - 1.2.3.255 200 words", "1.2.3.4-1.2.3.255 #" },
	{ "1.2.3.4 , 200 , words", "1.2.3.4 #" },
	/* p2p. */
	{ "Example Org:198.51.100.0-198.51.100.255", "198.51.100.0-198.51.100.255" },
	{ "http://spam.example:203.0.113.7-203.0.113.7", "203.0.113.7-203.0.113.7" },
	{ "192.0.2.99 open proxy:203.0.113.0-203.0.113.255", "203.0.113.0-203.0.113.255" },
	{ "192.0.2.98 - relay, Inc:198.18.0.0-198.18.0.255", "198.18.0.0-198.18.0.255" },
	{ "192.0.2.1 - 192.0.2.9, Inc:198.18.0.0-198.18.0.255", "198.18.0.0-198.18.0.255" },
	{ "192.0.2.99:203.0.113.0-203.0.113.255", "203.0.113.0-203.0.113.255" },
	{ "\"x\":203.0.113.0-203.0.113.255", "203.0.113.0-203.0.113.255" },
	{ ":203.0.113.0-203.0.113.255", "203.0.113.0-203.0.113.255" },
	{ "x:203.000.113.000-203.000.113.255\r", "203.0.113.0-203.0.113.255" },
	{ "x:203.0.113.255-203.0.113.0", "bad" },
	{ "x:203.0.113.0-203.0.113.255 y", "bad" },
	{ "x:203.0.113.0-203.0.113.256", "bad" },
	{ "192.0.2.99 proxy:203.0.113.0-203.0.113.256", "bad" },
	{ "192.0.2.99 proxy:203.0.113.0-203.0.113.255 y", "bad" },
	{ "192.0.2.99 proxy: 203.0.113.0 - 203.0.113.255", "bad" },
	{ "192.0.2.99 proxy #3:203.0.113.0-203.0.113.255", "bad" },
	{ "x:203.0.113.0/24-203.0.113.255", "bad" },
	{ "x:203.0.113.0", "bad" },
	{ "# x:203.0.113.0-203.0.113.255", "" },
	{ "192.0.2.9 # x:203.0.113.0-203.0.113.255", "192.0.2.9" },
	{ "1:2::1.2.3.4-1.2.3.9", "bad" },
	{ "x ::1.2.3.4-1.2.3.9", "bad" },
	{ "x::ffff:1.2.3.4-1.2.3.9", "bad" },
	{ "::1 x ::1.2.3.4-1.2.3.9", "bad" },
	/* Hosts files. */
	{ "127.0.0.1 localhost", "bad" },
	{ "127.0.1.1\tmachine.example machine", "bad" },
	{ "0.0.0.0 ads.example", "bad" },
	{ "0.0.0.0 ads.example # x", "bad" },
	{ ":: ads.example", "bad" },
	{ "::1 localhost", "bad" },
	{ "fe80::1%lo0 localhost", "bad" },
	{ "fe80::1 localhost", "bad" },
	{ "ff00::0 ip6-localnet", "bad" },
	{ "ff02::1 ip6-allnodes", "bad" },
	{ "198.51.100.7 ads.example", "198.51.100.7" },
	{ "2001:db8::1 host.example", "2001:db8::1" },
	{ "127.0.0.0/8 loopback", "127.0.0.0/8" },
	{ "0.0.0.0/8,this,network", "0.0.0.0/8" },
	{ "fe80::/10 link-local", "fe80::/10" },
	{ "127.0.0.1 # localhost", "127.0.0.1" },
	{ "127.0.0.1,localhost", "127.0.0.1" },
	{ "127.0.0.1", "127.0.0.1" },
	{ "0.0.0.0", "0.0.0.0" },
	{ "::1 value 7", "::1" },
	/* Ports and exceptions. */
	{ "198.51.100.7:80", "bad" },
	{ "[2001:db8::1]:443", "bad" },
	{ "198.51.100.7,tcp:80", "bad" },
	{ "198.51.100.0/24,udp:53,x", "bad" },
	{ "198.51.100.7 . 443", "bad" },
	{ "198.51.100.7|443", "bad" },
	{ "198.51.100.7|17", "198.51.100.7 #" },
	{ "198.51.100.7|443|x", "198.51.100.7 #" },
	{ "198.51.100.0/24 nomatch", "bad" },
	{ "198.51.100.0/24 timeout 300 nomatch", "bad" },
	{ "!198.51.100.7", "bad" },
	{ "+198.51.100.7", "bad" },
	{ "@@198.51.100.7", "bad" },
	{ "allow 198.51.100.7", "bad" },
	{ "198.51.100.7 allow", "bad" },
	{ "198.51.100.7,ACCEPT", "bad" },
	{ "198.51.100.7,US,permit,x", "bad" },
	{ "198.51.100.7 hosts that allow mail", "198.51.100.7" },
	{ "198.51.100.7 # allow", "198.51.100.7" },
	/* Addresses that IPv6 maps. */
	{ "::ffff:192.0.2.1", "192.0.2.1" },
	{ "::ffff:192.0.2.0/120", "192.0.2.0/24" },
	{ "::ffff:192.0.2.0 / 120", "192.0.2.0/24" },
	{ "::ffff:192.0.2.0 120", "192.0.2.0/24" },
	{ "::ffff:192.0.2.0 24", "192.0.2.0 #" },
	{ "::ffff:0:0/96", "::ffff:0:0/96" },
	{ "::ffff:0:0 96", "::ffff:0:0/96" },
	{ "::ffff:192.0.2.1-::ffff:192.0.2.9", "192.0.2.1-192.0.2.9" },
	{ "::ffff:192.0.2.1-192.0.2.9", "192.0.2.1-192.0.2.9" },
	{ "::ffff:10.0.0.0-::ffff:10.255.255.255", "10.0.0.0-10.255.255.255" },
	{ "::ffff:10.0.0.0-::ffff:11.255.255.255", "::ffff:a00:0-::ffff:bff:ffff" },
	{ "::ffff:11.0.0.0-::ffff:12.255.255.255", "11.0.0.0-12.255.255.255" },
	{ "::ffff:0:0-::ffff:ffff:ffff", "::ffff:0:0-::ffff:ffff:ffff" },
	{ "::-::ffff:1.2.3.4", "::-::ffff:102:304" },
	{ "::ffff:1.2.3.4-2001:db8::", "::ffff:102:304-2001:db8::" },
	{ "::ffff:192.0.2.0 ::ffff:192.0.2.255", "192.0.2.0/24 +" },
	{ "::ffff:192.0.2.0 255.255.255.0", "192.0.2.0/24 +" },
};

static const struct spelling ranges[] = {
	{ "192.0.2.7,192.0.2.9", "192.0.2.7-192.0.2.9 +" },
	{ "192.0.2.7\t192.0.2.9\tx", "192.0.2.7-192.0.2.9 +" },
	{ "\"192.0.2.7\",\"198.51.100.9\",\"AU\"", "192.0.2.7-198.51.100.9 +" },
	{ "192.0.2.7 192.0.2.7", "192.0.2.7 +" },
	{ "192.0.2.9 192.0.2.7", "bad" },
	{ "240.0.0.0,255.255.255.255", "240.0.0.0/4 +" },
	{ "192.0.0.0,192.0.0.0", "192.0.0.0 +" },
	{ "198.51.100.0 255.255.255.0", "bad" },
	{ "198.51.100.0 0.0.0.255", "198.51.100.0/24 +" },
	{ "198.51.100.0,198.51.101.9,24", "198.51.100.0-198.51.101.9 # +" },
	{ "198.51.100.0,198.51.100.255,24", "198.51.100.0/24 +" },
	{ "198.51.100.0\t198.51.100.255\t255.255.255.0", "198.51.100.0/24 +" },
	{ "192.0.2.7,192.0.2.9,192.0.2.11", "bad" },
	{ "192.0.2.7,x,192.0.2.9", "bad" },
	{ "192.0.2.0/24,192.0.2.255", "bad" },
	{ "192.0.2.7,2001:db8::", "bad" },
	{ "2001:db8::7,2001:db8::9", "2001:db8::7-2001:db8::9 +" },
	{ "192.0.2.7,US", "192.0.2.7" },
	{ "198.51.100.0,24", "198.51.100.0/24" },
};

static const struct spelling hostports[] = {
	{ "198.51.100.7:80", "198.51.100.7" },
	{ "198.51.100.7:80,x", "198.51.100.7" },
	{ "198.51.100.7", "198.51.100.7" },
	{ "[2001:db8::1]:443", "2001:db8::1" },
	{ "[2001:db8::1] x", "2001:db8::1" },
	{ "\"198.51.100.7:80\",\"x\"", "198.51.100.7" },
	{ "198.51.100.7|443", "198.51.100.7 #" },
	{ "198.51.100.0,24", "198.51.100.0 #" },
	{ "198.51.100.0/24", "198.51.100.0/24" },
	{ "198.51.100.0/24:80", "bad" },
	{ "2001:db8::1:443", "bad" },
	{ "2001:db8::1", "bad" },
	{ "[2001:db8::1:443", "bad" },
	{ "[2001:db8::1]443", "bad" },
	{ "[]", "bad" },
	{ "198.51.100.7:65536", "bad" },
	{ "198.51.100.7:", "bad" },
	{ "198.51.100.7:http", "bad" },
	{ "198.51.100.7:80:90", "bad" },
	{ "198.51.100.7:80 198.51.100.8:80", "bad" },
	{ "# x", "" },
};

static const struct spelling rows[] = {
	{ "192.0.2.1 192.0.2.2 192.0.2.3", "192.0.2.1 192.0.2.2 192.0.2.3" },
	{ "192.0.2.1,192.0.2.9", "192.0.2.1 192.0.2.9" },
	{ "AU,192.0.2.1,x,2001:db8::/32;y", "192.0.2.1 2001:db8::/32" },
	{ "198.51.100.0,24,203.0.113.0,24", "198.51.100.0/24 203.0.113.0/24" },
	{ "192.0.2.1-192.0.2.9 \"192.0.2.20 - 192.0.2.29\"",
	  "192.0.2.1-192.0.2.9 192.0.2.20-192.0.2.29" },
	{ "192.0.2.1 - 192.0.2.9 x 192.0.2.11", "192.0.2.1-192.0.2.9 192.0.2.11" },
	{ "192.0.2.1\342\200\223192.0.2.9", "192.0.2.1-192.0.2.9" },
	{ "192.0.2.1 # 192.0.2.2", "192.0.2.1" },
	{ "192.0.2.1 192.0.2.300 192.0.2.3", "192.0.2.1 bad" },
	{ "192.0.2.1 192.0.2.3:80", "192.0.2.1 bad" },
	{ "192.0.2.1 nomatch", "192.0.2.1 bad" },
	{ "x,y,z", "bad" },
	{ "0.0.0.0 ads.example", "bad" },
	{ "192.0.2.1 127.0.0.1 localhost", "192.0.2.1 bad" },
	{ "192.0.2.1,tcp:80", "bad" },
	{ "# 192.0.2.1", "" },
};

/* The meaning of a line, or of one key of a row. */
static int put_meaning(char *to, const struct line *line)
{
	char text[KCUCKOO_PREFIX_TEXT], last[KCUCKOO_PREFIX_TEXT];
	const char *number = line->has_number ? " #" : "";
	const char *second = line->has_second ? " +" : "";

	if (line->kind == LINE_BLANK)
		return sprintf(to, "%s", "");
	if (line->kind == LINE_ALLOWED)
		return sprintf(to, "allowed");
	if (line->kind == LINE_BAD)
		return sprintf(to, "bad");
	kcuckoo_prefix_format(&line->key, text);
	if (line->kind == LINE_KEY)
		return sprintf(to, "%s%s%s", text, number, second);
	kcuckoo_prefix_format(&line->last, last);
	return sprintf(to, "%s-%s%s%s", text, last, number, second);
}

static void check_line(const char *text, const char *meaning,
		       const struct form *form)
{
	size_t length = strlen(text);
	char *copy = tap_zalloc(length), found[512];
	struct line line;
	int at;

	/* In memory that ends right after the line. */
	memcpy(copy, text, length);
	line_parse(copy, length, form, &line);
	at = put_meaning(found, &line);
	while (form->layout == LAYOUT_ROW &&
	       line_parse_next(copy + length, form, &line)) {
		found[at++] = ' ';
		at += put_meaning(found + at, &line);
	}
	tap_require(!strcmp(found, meaning), "'%s': '%s', not '%s'; %s", text, found,
		    meaning, line.why ? line.why : "no reason");
	tap_free(copy);
}

/* Is it reported that a key was written as a mapped one? */
static void test_mapped(void)
{
	static const struct {
		const char *line;
		bool mapped;
	} cases[] = {
		{ "::ffff:192.0.2.1", true }, { "0:0:0:0:0:ffff:1.2.3.4 x", true },
		{ "::ffff:1.2.3.0/120", true }, { "::FFFF:102:300 120", true },
		{ "::ffff:1.2.3.4-::ffff:1.2.3.9", true }, { "1.2.3.4", false },
		{ "198.51.100.7/32", false }, { "001.002.003.004", false },
		{ "::ffff:0:0/96", false }, { "::1", false }, { "2001:db8::", false },
		{ "::ffff:0:0-::ffff:ffff:ffff", false },
		{ "::ffff:1.2.3.4 x:1.2.3.4-1.2.3.9", false },
	};
	struct line line;
	size_t i;

	for (i = 0; i < TAP_COUNT(cases); i++) {
		line_parse(cases[i].line, strlen(cases[i].line), &list, &line);
		tap_require(line.kind != LINE_BAD && line.mapped == cases[i].mapped,
			    "'%s'", cases[i].line);
	}
}

static void check_spellings(const struct spelling *spelling, size_t count,
			    const struct form *form)
{
	size_t i;

	for (i = 0; i < count; i++)
		check_line(spelling[i].line, spelling[i].meaning, form);
}

static void test_spellings(void)
{
	struct form form = { .layout = LAYOUT_LIST };

	check_spellings(spellings, TAP_COUNT(spellings), &form);
	form.ranges = true;
	check_spellings(ranges, TAP_COUNT(ranges), &form);
	form.ranges = false;
	form.layout = LAYOUT_HOSTPORT;
	check_spellings(hostports, TAP_COUNT(hostports), &form);
	form.layout = LAYOUT_ROW;
	check_spellings(rows, TAP_COUNT(rows), &form);
	form.layout = LAYOUT_LIST;
	form.exact = true;
	check_line("::ffff:192.0.2.1", "::ffff:c000:201", &form);
	check_line("::ffff:192.0.2.0/120", "::ffff:c000:200/120", &form);
	check_line("::ffff:192.0.2.1-::ffff:192.0.2.9",
		   "::ffff:c000:201-::ffff:c000:209", &form);
	check_line("::ffff:192.0.2.1-192.0.2.9", "bad", &form);
	check_line("192.0.2.1", "192.0.2.1", &form);
}

static const char * const separators[] = { " ", "\t", ",", ";", "|", " , ", "\",\"" };

static char *put_ipv4(char *to, u32 addr)
{
	sprintf(to, "%u.%u.%u.%u", addr >> 24, addr >> 16 & 255, addr >> 8 & 255,
		addr & 255);
	return to;
}

static u32 mask_of(int plen)
{
	return plen ? ~0U << (32 - plen) : 0;
}

/* One network in all its spellings, and with a slip in each. */
static void test_networks(void)
{
	char first[16], last[16], mask[16], wildcard[16], network[32], text[128];
	int i;

	for (i = 0; i < 20000; i++) {
		int plen = 8 + random_below(24);
		u32 addr = random_word() & mask_of(plen);
		const char *sign = separators[random_below(TAP_COUNT(separators))];
		const char *quote = *sign == '"' ? "\"" : "";

		addr |= 1U << (32 - plen);
		put_ipv4(first, addr);
		put_ipv4(last, addr | ~mask_of(plen));
		put_ipv4(mask, mask_of(plen));
		put_ipv4(wildcard, ~mask_of(plen));
		sprintf(network, "%s/%d", first, plen);
		check_line(network, network, &list);
		sprintf(text, "%s/%s", first, mask);
		check_line(text, network, &list);
		sprintf(text, "%s%s%s%d%s", quote, first, sign, plen, quote);
		/* A lone number behind | may be a port. */
		if (strcmp(sign, "|"))
			check_line(text, network, &list);
		strcat(network, " +");
		sprintf(text, "%s%s%s%s%s", quote, first, sign, wildcard, quote);
		check_line(text, network, &list);
		sprintf(text, "%s%s%s%s%s", quote, first, sign, last, quote);
		check_line(text, addr == (addr | ~mask_of(plen)) ||
			   addr + ~mask_of(plen) == ~0U ? "bad" : network, &list);
		sprintf(text, "%s%s%s%s%s%d%s", quote, first, sign, last, sign, plen,
			quote);
		check_line(text, addr + ~mask_of(plen) == ~0U ? "bad" : network, &list);
		sprintf(text, "%s%s%s%s%s%d%s", quote, first, sign, last, sign,
			plen == 31 ? 30 : plen + 1, quote);
		check_line(text, "bad", &list);
		if (addr == mask_of(plen))
			continue;
		sprintf(text, "%s%s%s%s%s", quote, first, sign, mask, quote);
		check_line(text, network, &list);
	}
}

/* Two hosts in columns are never more than these two, and with --ranges all between. */
static void test_hosts(void)
{
	static const struct form as_ranges = { .ranges = true };
	char first[16], second[16], text[64];
	struct line line;
	int i;

	for (i = 0; i < 100000; i++) {
		u32 a = random_word(), b = random_below(2) ? random_word() :
			a ^ random_below(64);
		const char *sign = separators[random_below(TAP_COUNT(separators) - 1)];
		bool network;

		sprintf(text, "%s%s%s", put_ipv4(first, a), sign, put_ipv4(second, b));
		line_parse(text, strlen(text), &list, &line);
		network = a <= b && !(a & (a ^ b)) && !((a ^ b) & ((a ^ b) + 1));
		tap_require((line.kind == LINE_KEY) == network, "'%s': kind %d", text,
			    line.kind);
		tap_require(line.kind != LINE_KEY || (a ^ b) ==
			    (line.key.plen == 32 ? 0 : ~0U >> line.key.plen), "'%s': /%d",
			    text, line.key.plen);
		line_parse(text, strlen(text), &as_ranges, &line);
		tap_require((line.kind == LINE_RANGE) == (a <= b && !network),
			    "'%s': kind %d", text, line.kind);
		tap_require((line.kind == LINE_KEY) == network, "'%s': kind %d", text,
			    line.kind);
	}
}

static const struct tap_test tests[] = {
	{ "columns.spellings: each line is understood whole, or is bad",
	  test_spellings },
	{ "columns.networks: a network in all its spellings", test_networks },
	{ "columns.mapped: a mapped key is noticed", test_mapped },
	{ "columns.hosts: two hosts are a range only where all are", test_hosts },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
