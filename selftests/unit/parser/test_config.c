// SPDX-License-Identifier: GPL-2.0-only
/*
 * Configurations: what good ones mean, and the file and line of each mistake in
 * bad ones.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/layout.h"
#include "conf/config.h"
#include "rules/xdp.h"
#include "tap.h"

static char folder[64];
static char feeds[512];
static char own_feeds[80];
static char words[16384];
static struct config config;

/* Write a file of the configuration. */
static void put_bytes(const char *name, const char *text, size_t length)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	tap_require(fd >= 0, "%s: %s", path, strerror(errno));
	tap_require(write(fd, text, length) == (ssize_t)length, "%s", path);
	close(fd);
}

static void put(const char *name, const char *text)
{
	put_bytes(name, text, strlen(text));
}

/* Remove all files of a folder. */
static void empty(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	while ((entry = readdir(dir)))
		unlinkat(dirfd(dir), entry->d_name,
			 entry->d_type == DT_DIR ? AT_REMOVEDIR : 0);
	closedir(dir);
}

/* Read the configuration; what is said ends up in @words. Return: the result. */
static int read_config(void)
{
	FILE *file = tmpfile();
	int saved = dup(STDERR_FILENO), ret;
	size_t length;

	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	config_free(&config);
	ret = config_read(&config, folder, feeds);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	length = fread(words, 1, sizeof(words) - 1, file);
	words[length] = 0;
	fclose(file);
	return ret;
}

/* The configuration has one file, a.conf. */
static int read_text(const char *text)
{
	empty(folder);
	put("a.conf", text);
	return read_config();
}

/*
 * Are the messages the lines of @expected? A line that begins with a digit stands
 * for an error of that line of a.conf, and PLACE for the name of this file.
 */
static void expect_words(const char *expected, const char *what)
{
	static char all[sizeof(words)];
	bool start = true;
	size_t at = 0;

	for (; *expected; expected++) {
		if (start && *expected >= '0' && *expected <= '9')
			at += sprintf(all + at, "kcuckoo: %s/a.conf:", folder);
		start = *expected == '\n';
		if (!strncmp(expected, "PLACE", 5)) {
			at += sprintf(all + at, "%s/a.conf:", folder);
			expected += 4;
		} else {
			all[at++] = *expected;
		}
	}
	strcpy(all + at, at ? "\n" : "");
	tap_require(!strcmp(words, all), "%s\n# is said:\n%s# and not:\n%s", what,
		    words, all);
}

#define L	"[list l]\nfile = /l\n"
#define F	"[filter f]\nlist = /l\n"
#define NO_NAME	" is not a valid name: a name has 1 to 31 letters, digits and _ . : - "	\
		"and does not begin with a dot"
#define TEN	"aaaaaaaaaa"
#define FIFTY	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

/* @text: the file; @expected: all that is said. */
static const struct {
	const char *text;
	const char *expected;
} bad[] = {
	/* Lines. */
	{ "[list l\nfile = /l\n", "1: the section '[list l' has no ']'" },
	{ "[list l]\nfile = /l\n[list m\nfile = /l\n", "3: the section '[list m' has no ']'" },
	{ "[list l] # drop\nfile = /l\n",
	  "1: '# drop' follows the ']' of a section: a comment has a line of its own" },
	{ "url = https://a/b\n", "1: the key 'url' is before the first section" },
	{ "# x\n\n[list l]\nfile\n",
	  "4: 'file' is neither a section nor KEY = VALUE" },
	{ "[list l]\nfile: /l\n", "2: 'file: /l' is neither a section nor KEY = VALUE" },
	{ "[list l]\nurl: https://a/?b=c\n",
	  "2: 'url: https://a/?b' is not a key: keys have small letters and -" },
	{ "[list l]\nFile = /l\n", "2: 'File ' is not a key: keys have small letters and -" },
	{ "[list l]\n= /l\n", "2: '' is not a key: keys have small letters and -" },
	{ "[list l]\nfile =\n", "2: 'file' has no value" },
	{ "[list l]\nfile = /l # mine\n",
	  "2: '# mine' follows a value: a comment has a line of its own" },
	{ "[list l]\nfile = /l ; mine\n",
	  "2: '; mine' follows a value: a comment has a line of its own" },
	{ "[list l]\nfile = /l\t#mine\n",
	  "2: '#mine' follows a value: a comment has a line of its own" },
	{ "[list l]\nfile = \"/l\"\n",
	  "2: the value of 'file' has quotation marks: write it without them" },
	{ "[list l]\nurl = https://" FIFTY FIFTY "/" FIFTY FIFTY TEN TEN TEN "\n",
	  "2: the line has more than 198 bytes" },
	{ "[list l]\n" TEN TEN "=" FIFTY FIFTY FIFTY FIFTY "\n[list m]\nfile = /m\nx=y\n",
	  "2: the line has more than 198 bytes\n"
	  "5: unknown key 'x': see kcuckoo.conf(5)" },
	{ "[list l]\r\nfile = /l\r\n",
	  "1: the line ends in a carriage return: convert the file, for example with dos2unix" },
	{ "\xef\xbb\xbf[list l]\nfile = /l\n",
	  "1: the file begins with a byte order mark: save it without one" },
	{ "[list l]\nfile = /l\x1b[2J\n", "2: the line has the control character \\x1b" },
	{ "[list l]\nfile = /l\xc2\xa0\n",
	  "2: the byte \\xc2 is not ASCII, which is allowed only in comments" },

	/* Sections and keys. */
	{ "[lists l]\nfile = /l\n",
	  "1: a section begins with [list NAME], [filter NAME] or [rule NAME], not '[lists'" },
	{ "[feed l]\nurl = https://a/b\n",
	  "1: a section begins with [list NAME], [filter NAME] or [rule NAME], not '[feed'" },
	{ "[filter-bad]\n",
	  "1: a section begins with [list NAME], [filter NAME] or [rule NAME], not '[filter-bad'" },
	{ "[rule:wan]\n",
	  "1: a section begins with [list NAME], [filter NAME] or [rule NAME], not '[rule:wan'" },
	{ "[list.drop]\n",
	  "1: a section begins with [list NAME], [filter NAME] or [rule NAME], not '[list.drop'" },
	{ "[list2 x]\n",
	  "1: a section begins with [list NAME], [filter NAME] or [rule NAME], not '[list2'" },
	{ "[filter/bad]\n",
	  "1: a section begins with [list NAME], [filter NAME] or [rule NAME], not '[filter/bad'" },
	{ "[List x]\n",
	  "1: a section begins with [list NAME], [filter NAME] or [rule NAME], not '[List'" },
	{ "[list]\nfile = /l\n", "1: a [list] needs a name: [list NAME]" },
	{ "[list a b]\nfile = /l\n",
	  "1: 'a b'" NO_NAME },
	{ "[list ../passwd]\nfile = /l\n",
	  "1: '../passwd'" NO_NAME },
	{ "[filter " TEN TEN TEN "aa]\n",
	  "1: '" TEN TEN TEN "aa'" NO_NAME },
	{ "[list l]\nfile = /l\nwidht = yes\n",
	  "3: unknown key 'widht': see kcuckoo.conf(5)" },
	{ "[list l]\nfiel = /l\n", "2: a [list] has no key 'fiel': did you mean 'file'?" },
	{ "[filter f]\nurl = https://a/b\n",
	  "2: a [filter] has no key 'url': see kcuckoo.conf(5)" },
	{ "[list l]\nfile = /l\nmin = 5\nmin = 6\n", "4: 'min' was given twice" },

	/* Values. */
	{ "[list l]\nurl = http://a/b\n",
	  "2: url 'http://a/b' is not encrypted: lists are fetched only from https://" },
	{ "[list l]\nurl = ftp://a/b\n", "2: url 'ftp://a/b' does not begin with https://" },
	{ "[list l]\nurl = https:///b\n", "2: 'https:///b' is not a URL" },
	{ "[list l]\nurl = https://u:p@a/b\n",
	  "2: the url has a password: put it into a file, see 'credential'" },
	{ "[list l]\nfile = l.txt\n",
	  "2: file 'l.txt' is not an absolute path, such as /etc/kcuckoo/mine.txt or mmdb:/PATH?QUERY"
	},
	{ "[list l]\nfile = /l\nwide = maybe\n",
	  "3: wide 'maybe' is not one of: yes, no" },
	{ "[list l]\nfile = /l\nmin = many\n",
	  "3: min 'many' is not a number from 0 to 17179869184" },
	{ "[list l]\nfile = /l\nmax-shrink = half\n",
	  "3: max-shrink 'half' is not a percentage, such as 50%" },
	{ "[list l]\nurl = https://a/b\nrefresh = daily\n",
	  "3: refresh 'daily': a time is a number of seconds, or for example 10m, 1h30m, 7d, 1y or never"
	},
	{ "[list l]\nfile = /l\ncredential = ../x\n",
	  "3: '../x'" NO_NAME },
	{ "[filter f]\nhash = md5\n", "2: hash 'md5' is not one of: jhash, siphash" },
	{ "[filter f]\ntype = int\n",
	  "2: type 'int': did you mean 'inet'? Possible words: inet, bytes"
	},
	{ "[filter f]\nvalue = 33\n", "2: value '33' is not a number from 1 to 32" },
	{ "[filter f]\nfpr = 2\n", "2: fpr '2': a probability is less than 1" },
	{ "[filter f]\nlist = a b\n",
	  "2: list 'a b' is not one name: write one line for each list" },
	{ "[filter f]\nlist = etc/l\n", "2: list 'etc/l' is neither a name nor an absolute path" },
	{ F "[rule r]\nfilter = f\naction = reject\n",
	  "5: action 'reject' is not one of: drop, count, mark=N, mark=value" },
	{ F "[rule r]\nfilter = f\nmark = -1\n",
	  "5: mark '-1' is neither 'value' nor a number from 0 to 4294967295" },
	{ F "[rule r]\nfilter = f\nmark = 1\naction = drop\n",
	  "6: 'action' and 'mark' cannot be combined: 'mark' is an action" },
	{ F "[rule r]\nfilter = f\nlog = yes\nlog-limit = 10\n",
	  "6: log-limit '10' is not a number of packets in a second from 1/s to 10000/s" },
	{ F "[rule r]\nfilter = f\nlog = yes\nlog-limit = 10001/s\n",
	  "6: log-limit '10001/s' is not a number of packets in a second from 1/s to 10000/s" },
	{ F "[rule r]\nfilter = f f\n", "4: filter 'f' was given twice" },
	{ F "[rule r]\nfilter = f\nhook = ingress\ndev = ppp*0\n",
	  "6: dev 'ppp*0': only the last character may be an asterisk" },
	{ F "[rule r]\nfilter = f\nhook = ingress\ndev = " TEN "abcdef\n",
	  "6: dev '" TEN "abcdef' is not a valid name of a network device" },

	/* What sections say about each other. */
	{ "[list l]\n", "1: [list l] has none of the keys 'url', 'file' and 'feed'" },
	{ "[list l]\nfile = /l\nurl = https://a/b\n",
	  "1: [list l] has several of 'url', 'file' and 'feed'" },
	{ L "refresh = 1h\n", "1: [list l]: 'refresh' is only for lists with 'url' or 'feed'" },
	{ "[list l]\nurl = https://a/b\nrefresh = 30m\n",
	  "1: [list l]: refresh is at least 3600 seconds, unless refresh-min is less" },
	{ "[list l]\nurl = https://a/b\nformat = hosts\n",
	  "1: [list l]: a list of format 'hosts' cannot be downloaded, only read from a file" },
	{ "[list l]\nurl = https://a/b\nformat = mmdb\n",
	  "1: [list l]: a list of format 'mmdb' cannot be downloaded, only read from a file" },
	{ "[list l]\nurl = https://a/b\ncolumn = 10000\n",
	  "3: column '10000' is not a number from 1 to 9999" },
	{ "[list l]\nurl = https://a/b\ncolumn = 1,x\n",
	  "3: column 'x' is not a number from 1 to 9999" },
	{ "[list l]\nurl = https://a/b\ncolumn = 2,2\n",
	  "3: column '2,2' names one column twice" },
	{ "[list l]\nurl = https://a/b\nformat = p2p\ncolumn = 2\n",
	  "1: [list l]: 'column' is for format 'csv', and not for 'p2p'" },
	{ "[list l]\nurl = https://a/b\nformat = list\njson-key = hooks\n",
	  "1: [list l]: 'json-key' and 'where' are for format 'json', and not for 'list'" },
	{ "[list l]\nurl = https://a/b\nrefresh-min = 1\nrefresh = 10\n",
	  "1: [list l]: refresh-min is at least 60 seconds" },
	{ "[list l]\nurl = https://a/b\nstale = 2h\n", "1: [list l]: stale is less than refresh" },
	{ "[list l]\nurl = https://a/b\nexpire = 1d\n",
	  "1: [list l]: expire is less than stale: the list would be empty before a warning" },
	{ "[list l]\nfeed = nodrop\n",
	  "1: [list l]: there is no feed 'nodrop': 'kcuckoo feeds' shows all" },
	{ "[list l]\nfeed = tset-drop\n",
	  "1: [list l]: there is no feed 'tset-drop': did you mean 'test-drop'?" },
	{ L "[filter f]\nlist = m\n", "4: there is no [list m]: did you mean 'l'?" },
	{ "[filter f]\nlist = drop\n", "2: there is no [list drop]" },
	{ L "[filter f]\nlist = l\nlist = l\n", "5: list 'l' is already in PLACE4" },
	{ L "[filter f]\nlist = l\nexclude = l\n",
	  "5: 'l' is excluded here, and a list of the filter in PLACE4" },
	{ "[filter f]\nexclude = /e\n",
	  "1: [filter f]: 'exclude' needs a 'list' from which addresses are excluded" },
	{ "[filter f]\nfpr = 0.1\nbits = 8\n",
	  "1: [filter f]: 'fpr' and 'bits' cannot be combined: 'fpr' sets the bits" },
	{ "[filter f]\nfpr = 0.1\ntimeout = 1h\n",
	  "1: [filter f]: fingerprints do not expire: 'timeout' excludes fpr, bits and type bytes"
	},
	{ "[filter f]\ntype = bytes\n", "1: [filter f]: a filter of byte strings needs 'capacity'"
	},
	{ F "[rule r]\nhook = input\n", "3: [rule r] has no 'filter'" },
	{ F "[rule r]\nfilter = drop\n",
	  "4: there is no [filter drop]: a section without a list is enough for a filter of other programs"
	},
	{ F "[rule r]\nfilter = g\n", "4: there is no [filter g]: did you mean 'f'?" },
	{ F "[rule r]\nfilter = f\nallow = f\n",
	  "4: [rule r]: a rule of 'f' that allows 'f' would never match" },
	{ F "[rule r]\nfilter = f\nallow = never\n",
	  "3: there is no [filter never]: a section without a list is enough for a filter of other programs"
	},
	{ F "[rule r]\nfilter = f\nhook = ingress\n", "3: [rule r]: hook ingress needs a 'dev'" },
	{ F "[rule r]\nfilter = f\nhook = ingress\ndev = eth0 lo\n",
	  "6: [rule r]: 'lo' is a loopback device or a VRF, whose packets are never dropped" },
	{ F "[rule r]\nfilter = f\nhook = xdp\ndev = lo\n",
	  "6: [rule r]: 'lo' is a loopback device or a VRF, whose packets are never dropped" },
	{ F "[rule r]\nfilter = f\nhook = input\ndev = eth0\n",
	  "6: [rule r]: hook input has no device: dev is for hooks ingress and xdp" },
	{ F "[rule r]\nfilter = f\nhook = xdp\ndev = eth0\nmark = 1\n",
	  "3: [rule r]: hook xdp has only the actions drop and count" },
	{ F "[rule r]\nfilter = f\nhook = xdp\ndev = eth0\nlog = yes\n",
	  "3: [rule r]: hook xdp does not log: an XDP program cannot call the loggers" },
	{ F "[rule r]\nfilter = f\nlog = yes\nmark = 1\n",
	  "3: [rule r]: log is for the actions drop and count" },
	{ F "[rule r]\nfilter = f\nlog = no\nlog-group = 0\n",
	  "3: [rule r]: log-group needs log = yes" },
	{ F "[rule r]\nfilter = f\nlog-limit = 1/s\n",
	  "3: [rule r]: log-limit needs log = yes" },
	{ F "[filter g]\n[rule r]\nfilter = f g\nhook = xdp\ndev = eth0\n",
	  "5: [rule r]: a device can have one rule of hook xdp, so 'filter' has one name" },
	{ F "[filter g]\n[rule r]\nfilter = f\nhook = xdp\ndev = eth0 eth1\n"
	  "[rule s]\nfilter = g\nhook = xdp\ndev = eth1\n",
	  "8: [rule s]: 'eth1' can have one rule of hook xdp, and [rule r] in PLACE4 is one" },
	{ F "[filter g]\n[rule r]\nfilter = f\nhook = xdp\ndev = eth*\n"
	  "[rule s]\nfilter = g\nhook = xdp\ndev = ppp0 eth1\n",
	  "8: [rule s]: 'eth1' can have one rule of hook xdp, and [rule r] in PLACE4 is one" },
	{ F "[filter g]\n[rule r]\nfilter = f\nhook = xdp\ndev = eth[0-3]\n"
	  "[rule s]\nfilter = g\nhook = xdp\ndev = eth[4-7] e*\n",
	  "8: [rule s]: 'eth[0-3]' can have one rule of hook xdp, and [rule r] in PLACE4 is one"
	},
	{ F "[filter g]\n[rule r]\nfilter = f\nhook = xdp\ndev = eth[1]\n"
	  "[rule s]\nfilter = g\nhook = xdp\ndev = eth[1]\n",
	  "8: [rule s]: 'eth[1]' can have one rule of hook xdp, and [rule r] in PLACE4 is one"
	},
	{ F "[rule r]\nfilter = f\nmode = native\n", "3: [rule r]: mode is only for hook xdp" },
	{ F "[rule r]\nfilter = f\nmark = value\n",
	  "4: [rule r]: the filter 'f' has no values for the mark: see 'value'" },
	{ "[list l]\nurl = https://a/b\n[filter f]\nvalue = 8\nlist = l\n"
	  "[rule r]\nfilter = f\nmark = value\n",
	  "7: [rule r]: the lists of 'f' are downloaded, which leaves no values for the mark" },
	{ "[list l]\nurl = https://a/b\n[filter f]\ntype = bytes\ncapacity = 1K\nlist = l\n",
	  "3: [filter f]: only addresses can be downloaded, and the filter has byte strings" },
	{ L "format = hosts\n[filter f]\nlist = l\n",
	  "4: [filter f]: the list 'l' has format 'hosts', which is for byte strings, and the filter has addresses" },
	{ L "format = json\n[filter f]\ntype = bytes\ncapacity = 1K\nlist = l\n",
	  "4: [filter f]: the list 'l' has format 'json', which is for addresses, and the filter has byte strings" },
	{ L "format = hosts\n[list m]\nfile = /m\n[filter f]\nlist = m\nexclude = l\n",
	  "6: [filter f]: the list 'l' has format 'hosts', which is for byte strings, and the filter has addresses" },
	{ L "format = mmdb\n",
	  "2: [list l]: a database has nearly all addresses: name a country (/l?country=DE) or an autonomous system (/l?asn=64500)" },
	{ "[list l]\nfile = /l.mmdb?country=DE\nformat = csv\n",
	  "2: [list l]: format 'csv' cannot read /l.mmdb, a file whose name ends with '.mmdb'" },
	{ "[list l]\nfile = /a.txt\nfile = /l.mmdb.gz?country=DE\nformat = mmdb\n",
	  "2: [list l]: a database has nearly all addresses: name a country (/a.txt?country=DE) or an autonomous system (/a.txt?asn=64500)\n"
	  "2: [list l]: format 'mmdb' cannot read /a.txt, a file whose name ends with '.txt'\n"
	  "3: [list l]: format 'mmdb' cannot read /l.mmdb.gz, a file whose name ends with '.gz'" },
	{ "[list l]\nfile = /l.JSON.xz\nformat = csv\n",
	  "2: [list l]: format 'csv' cannot read /l.JSON, a file whose name ends with '.json'" },
	{ "[list l]\nfile = /l.csv\nformat = json\n",
	  "2: [list l]: format 'json' cannot read /l.csv, a file whose name ends with '.csv'" },
	{ L "ranges = yes\nformat = json\n",
	  "1: [list l]: 'ranges' is for formats 'list', 'hostport' and 'csv', and not for 'json'" },
	{ L "ranges = yes\njson-key = x\n",
	  "1: [list l]: 'ranges' is for formats 'list', 'hostport' and 'csv', and not for 'json'" },
	{ "[filter f]\ntype = bytes\ncapacity = 1K\n[rule r]\nfilter = f\n",
	  "5: [rule r]: 'f' has byte strings: rules need a filter of addresses" },
	{ L "bogons = yes\n[filter f]\nlist = l\n[rule r]\nfilter = f\n",
	  "7: [rule r]: the list 'l' has bogons = yes, so the rule needs a 'dev'" },
	{ F "[rule r]\nfilter = f\n[rule s]\nfilter = f\nfamily = ipv4\n",
	  "5: [rule s] has the same filter 'f', hook, match and family as [rule r] in PLACE3" },
	{ F "[rule r]\nfilter = f\nhook = ingress\ndev = a b\n"
	  "[rule s]\nfilter = f\nhook = ingress\ndev = b c\n",
	  "7: [rule s] has the same filter 'f', hook, match and family as [rule r] in PLACE3" },

	/* All mistakes are reported. */
	{ "[list l\nfile = /l\n[filter f]\nhash = x\n[rule r]\nhook = y\n",
	  "1: the section '[list l' has no ']'\n"
	  "4: hash 'x' is not one of: jhash, siphash\n"
	  "6: hook 'y' is not one of: prerouting, input, forward, output, ingress, xdp" },
	{ "[list l]\nfile = /l\n[list l]\nfile = /m\n", "3: [list l] is already in PLACE1" },
};

static void test_bad(void)
{
	size_t i;

	for (i = 0; i < TAP_COUNT(bad); i++) {
		tap_require(read_text(bad[i].text) == -1, "'%s'", bad[i].text);
		expect_words(bad[i].expected, bad[i].text);
	}
}

/* Bytes that no text has. */
static void test_binary(void)
{
	static const char zero[] = "[list l]\nfile = /l\0/m\nx = y\n";
	static const char wide[] = "\xff\xfe[\0l\0";

	empty(folder);
	put_bytes("a.conf", zero, sizeof(zero) - 1);
	tap_require(read_config() == -1, "no error");
	expect_words("2: the line has a NUL byte: the file must be text in ASCII or UTF-8",
		     "NUL");
	put_bytes("a.conf", wide, sizeof(wide) - 1);
	tap_require(read_config() == -1, "no error");
	expect_words("1: the line has a NUL byte: the file must be text in ASCII or UTF-8",
		     "UTF-16");
}

static const char example[] =
	"# A comment\n"
	"    [list drop]\n"
	"    url     = https://www.spamhaus.org/drop/drop_v4.json\n"
	"    url     = https://www.spamhaus.org/drop/drop_v6.json\n"
	"    min     = 500\n"
	"    max-shrink = 20%\n"
	"    ; another comment \xc3\xa9\n"
	"    [filter bad]\n"
	"    list    = drop\n"
	"\tlist=/etc/kcuckoo/mine.txt\n"
	"    exclude = /etc/kcuckoo/never.txt\n"
	"    [filter bans]\n"
	"    timeout = 1h\n"
	"    keep    = yes\n"
	"    hash    = siphash\n"
	"\n"
	"    [rule wan]\n"
	"    filter  = bad bans\n"
	"    hook    = ingress\n"
	"    dev     = eth0\tppp* \t\n"
	"    dev     = wlan0\n"
	"    action  = mark=7";

static void check_drop(const struct config_list *list)
{
	tap_require(list && list->urls.count == 2 && !list->files.count &&
		    list->used, "sources");
	tap_require(!strcmp(list->urls.items[1].text,
			    "https://www.spamhaus.org/drop/drop_v6.json"), "%s",
		    list->urls.items[1].text);
	tap_require(list->urls.items[1].place.line == 4 && list->place.line == 2,
		    "places");
	tap_require(list->min == 500 && list->max_shrink == 20 &&
		    list->max_grow == 100, "guards");
	tap_require(list->refresh == 86400 && list->stale == 3 * 86400 &&
		    !list->expire && list->refresh_min == 3600, "times");
	tap_require(!list->wide && !list->bogons && list->layout == -1 &&
		    !list->format && !list->credential, "defaults");
}

static void check_filters(void)
{
	const struct config_filter *filter = config_filter(&config, "bad");

	tap_require(filter && filter->lists.count == 2 &&
		    filter->excludes.count == 1 && !filter->keep, "bad");
	tap_require(filter->lists.items[0].list == config_list(&config, "drop"),
		    "drop");
	tap_require(!*filter->lists.items[1].list->name &&
		    !strcmp(filter->lists.items[1].list->files.items[0].text,
			    "/etc/kcuckoo/mine.txt") &&
		    filter->lists.items[1].list->max_shrink == 50, "mine");
	tap_require(filter->create.type == KCUCKOO_TYPE_INET &&
		    filter->create.capacity == KCUCKOO_CAPACITY_MAX &&
		    !filter->create.flags, "parameters");
	filter = config_filter(&config, "bans");
	tap_require(filter && !filter->lists.count && filter->keep &&
		    filter->create.timeout == 3600 &&
		    filter->create.flags == KCUCKOO_CREATE_TIMEOUT &&
		    filter->create.hash == KCUCKOO_HASH_SIPHASH, "bans");
}

static void test_good(void)
{
	const struct config_rule *rule;

	tap_require(!read_text(example), "%s", words);
	tap_require(!*words, "%s", words);
	tap_require(config.list_count == 3 && config.filter_count == 2 &&
		    config.rule_count == 1 && config.file_count == 1, "counts");
	check_drop(config_list(&config, "drop"));
	check_filters();
	rule = config_rule(&config, "wan");
	tap_require(rule && rule->filters.count == 2 && rule->devs.count == 3 &&
		    !strcmp(rule->filters.items[1].text, "bans") &&
		    !strcmp(rule->devs.items[1].text, "ppp*") &&
		    !strcmp(rule->devs.items[2].text, "wlan0"), "names");
	tap_require(rule->hook == KCUCKOO_HOOK_INGRESS &&
		    rule->family == KCUCKOO_FAMILY_BOTH &&
		    rule->match == KCUCKOO_MATCH_SRC &&
		    rule->action == KCUCKOO_ACTION_MARK && rule->mark == 7 &&
		    rule->mode == XDP_MODE_ANY && !*rule->allow, "fields");
	tap_require(!config_list(&config, "") && !config_list(&config, "mine"),
		    "a list without a name is found");
}

static void test_columns(void)
{
	const struct config_list *list;

	tap_require(!read_text("[list l]\nfile = /l\ncolumn = 3\n[list m]\nfile = /m\n"
			       "ranges = yes\ncolumn = 1,9999\n"), "%s", words);
	list = config_list(&config, "l");
	tap_require(list->column == 3 && !list->column_last, "one");
	list = config_list(&config, "m");
	tap_require(list->column == 1 && list->column_last == 9999, "two");
}

/* The longest line is taken whole, and the last one needs no newline. */
static void test_longest(void)
{
	static const char start[] = "[list l]\nurl=https://a/";
	char text[sizeof(start) + CONFIG_LINE_MAX];
	size_t length = strlen("url=https://a/");
	const struct config_list *list;

	strcpy(text, start);
	memset(text + sizeof(start) - 1, 'x', CONFIG_LINE_MAX - length);
	text[sizeof(start) - 1 + CONFIG_LINE_MAX - length] = 0;
	tap_require(!read_text(text), "%s", words);
	list = config_list(&config, "l");
	tap_require(!strcmp(list->urls.items[0].text, strchr(text, '=') + 1),
		    "'%s'", list->urls.items[0].text);
}

/* More of everything than an array has room for at first. */
static void test_much(void)
{
	char text[8192], *at = text;
	int i;

	for (i = 0; i < 50; i++)
		at += sprintf(at, "[list l%d]\nfile = /l%d\n[filter f%d]\nlist = l%d\n", i,
			      i, i, i);
	for (i = 0; i < 49; i++)
		at += sprintf(at, "list = l%d\n", i);
	at += sprintf(at, "[rule r]\nhook = ingress\n");
	for (i = 0; i < 50; i++)
		at += sprintf(at, "filter = f%d\ndev = d%d\n", i, i);
	tap_require(!read_text(text), "%s", words);
	tap_require(config.list_count == 50 && config.filter_count == 50, "sections");
	tap_require(config_filter(&config, "f49")->lists.count == 50, "lists");
	tap_require(config_rule(&config, "r")->filters.count == 50 &&
		    config_rule(&config, "r")->devs.count == 50, "words");
	for (i = 0; i < 50; i++) {
		char name[16];

		sprintf(name, "l%d", i);
		tap_require(config_list(&config, name)->files.count == 1, "%s", name);
	}
}

/* Files are read in the order of their names; copies of editors are not read. */
static void test_files(void)
{
	static const char * const copies[] = {
		"a.conf~", ".b.conf", "c.conf.bak", "d.conf.dpkg-old",
		"e.conf.dpkg-dist", "README", "f.config", ".conf",
	};
	char expected[256];
	size_t i;

	empty(folder);
	for (i = 0; i < TAP_COUNT(copies); i++)
		put(copies[i], "[broken\n");
	tap_require(read_config() == -1, "no error");
	snprintf(expected, sizeof(expected),
		 "kcuckoo: the folder %s has no file whose name ends in .conf\n"
		 "         kcuckoo.conf(5) shows how to write a configuration", folder);
	expect_words(expected, "no file");
	put("b.conf", "[rule r]\nfilter = f\n[list l]\nfile = /l\n");
	put("10.conf", "[filter f]\nlist = l\n");
	put("Z.conf", "# nothing\n");
	tap_require(!read_config(), "%s", words);
	tap_require(!*words, "%s", words);
	tap_require(config.file_count == 3 && strstr(config.files[0].path, "/10.conf") &&
		    strstr(config.files[1].path, "/Z.conf") &&
		    strstr(config.files[2].path, "/b.conf"), "order");
	put("c.conf", "\n[filter f]\n");
	tap_require(read_config() == -1, "no error");
	snprintf(expected, sizeof(expected),
		 "kcuckoo: %s/c.conf:2: [filter f] is already in %s/10.conf:1",
		 folder, folder);
	expect_words(expected, "two files");
}

static void test_no_files(void)
{
	char expected[256], path[128];

	empty(folder);
	snprintf(path, sizeof(path), "%s/d.conf", folder);
	tap_require(!mkdir(path, 0700), "%s", path);
	tap_require(read_config() == -1, "no error");
	snprintf(expected, sizeof(expected), "kcuckoo: %s: it is not a regular file",
		 path);
	expect_words(expected, "a folder");
	rmdir(path);
	tap_require(!mkfifo(path, 0600), "%s", path);
	tap_require(read_config() == -1, "no error");
	expect_words(expected, "a pipe");
	empty(folder);
}

/* After twenty errors nothing more is said. */
static void test_many(void)
{
	char text[1024] = "[list l]\n";
	const char *at = words;
	int i, lines = 0;

	for (i = 0; i < 30; i++)
		strcat(text, "x = y\n");
	tap_require(read_text(text) == -1, "no error");
	for (; (at = strchr(at, '\n')); at++)
		lines++;
	tap_require(lines == CONFIG_ERRORS_MAX + 1, "%d lines:\n%s", lines, words);
	tap_require(strstr(words, "a.conf:21: unknown") &&
		    !strstr(words, "a.conf:22:"), "%s", words);
	tap_require(strstr(words, "the rest is not checked after 20 errors"), "%s",
		    words);
}

/* What a list takes from its feed, and what it sets itself. */
static void test_feed(void)
{
	const struct config_list *list;

	tap_require(!read_text("[list l]\nfeed = test-drop\nmin = 7\n[list m]\n"
			       "feed = test-drop\nrefresh = 2d\n[filter f]\n"
			       "list = l\nlist = m\n"), "%s", words);
	tap_require(!*words, "%s", words);
	list = config_list(&config, "l");
	tap_require(list->urls.count == 2 &&
		    !strcmp(list->urls.items[1].text, "https://b/2"), "urls");
	tap_require(list->refresh == 43200 && list->min == 7 &&
		    list->stale == 2 * 86400 && list->layout == LAYOUT_JSON &&
		    !strcmp(list->format, "json") &&
		    !strcmp(list->where, "a:b"), "fields");
	list = config_list(&config, "m");
	tap_require(list->refresh == 172800 && list->min == 100, "fields");
	tap_require(!read_text("[list l]\nfeed = test-drop\nrefresh = 1h\n"
			       "[filter f]\nlist = l\n"), "%s", words);
	tap_require(strstr(words,
			   "a.conf:1: [list l]: refresh is less than 43200 s, the refresh of"),
		    "%s", words);
}

static void test_unused(void)
{
	char expected[128];

	tap_require(!read_text(L), "%s", words);
	snprintf(expected, sizeof(expected),
		 "kcuckoo: warning: %s/a.conf:1: no filter uses [list l]", folder);
	expect_words(expected, "unused");
}

/* Expire counts where a filter blocks, and is ignored for lists that spare addresses. */
static void test_expire(void)
{
	static const char list[] = "[list l]\nurl = https://a/l\nexpire = 9d\n";
	static const char blocks[] = "[filter f]\nlist = l\n[rule r]\nfilter = f\n";
	static const char allows[] =
		"[filter f]\nlist = l\n[filter g]\n[rule r]\nfilter = g\nallow = f\n";
	static const char excludes[] = "[filter f]\nlist = /a\nexclude = l\n";
	char text[256];

	snprintf(text, sizeof(text), "%s%s", list, blocks);
	tap_require(!read_text(text) && !*words, "%s", words);
	tap_require(config_list(&config, "l")->expire == 9 * 86400, "no expire");
	snprintf(text, sizeof(text), "%s%s", list, allows);
	tap_require(!read_text(text) && strstr(words, "a.conf:1: [list l]: expire is ignored"),
		    "%s", words);
	tap_require(!config_list(&config, "l")->expire, "a list that is allowed expires");
	snprintf(text, sizeof(text), "%s%s", list, excludes);
	tap_require(!read_text(text) && strstr(words, "a.conf:1: [list l]: expire is ignored"),
		    "%s", words);
	tap_require(!config_list(&config, "l")->expire, "a list that is excluded expires");
}

/* Read a file below userspace/. Return: its text, for the running test. */
static char *read_source(const char *name)
{
	char path[512], *text = tap_zalloc(65536);
	FILE *file;

	snprintf(path, sizeof(path), "%s/../%s", config_feeds_folder(), name);
	file = fopen(path, "r");
	tap_require(file, "%s", path);
	tap_require(fread(text, 1, 65535, file) > 0, "%s", path);
	fclose(file);
	return text;
}

/* The catalogue has what it promises, and a list can have each feed. */
static void test_catalogue(void)
{
	struct config catalogue = { .errors = 0 };
	char text[256];
	size_t i;

	tap_require(!config_read_feeds(&catalogue, config_feeds_folder()),
		    "%u errors", catalogue.errors);
	tap_require(catalogue.feed_count >= 20, "%zu", catalogue.feed_count);
	for (i = 0; i < catalogue.feed_count; i++) {
		const struct config_list *feed = catalogue.feeds[i], *list;

		empty(folder);
		snprintf(text, sizeof(text), "[list l]\nfeed = %s\n[filter f]\nlist = l\n",
			 feed->name);
		put("a.conf", text);
		config_free(&config);
		tap_require(!config_read(&config, folder, config_feeds_folder()),
			    "%s", feed->name);
		list = config_list(&config, "l");
		tap_require(list->urls.count == feed->urls.count &&
			    list->min == feed->min && list->refresh >= 3600 &&
			    strlen(feed->about) < 80, "%s", feed->name);
	}
	config_free(&catalogue);
}

static void test_feed_keys(void)
{
	struct config catalogue = { .errors = 0 };

	empty(folder);
	put("a.conf", "[feed f]\nurl = https://a/b\nabout = x\nrefresh = 1d\nmin = 1\n");
	tap_require(config_read_feeds(&catalogue, folder) == -1, "no licence");
	config_free(&catalogue);
	put("a.conf", "[list f]\nurl = https://a/b\n");
	tap_require(config_read_feeds(&catalogue, folder) == -1, "a list");
	config_free(&catalogue);
}

/* The example is good as it is, and with all that it has as a comment. */
static void test_example(void)
{
	char *text = read_source("packaging/example.conf"), *at;

	tap_require(strstr(text, "feed = spamhaus-drop"), "%s", text);
	memcpy(strstr(text, "spamhaus-drop"), "test-drop    ", 13);
	tap_require(!read_text(text) && !*words, "%s", words);
	for (at = text; (at = strstr(at, "\n#")); at++)
		if (at[2] != ' ' && at[2] != '\n')
			at[1] = ' ';
	tap_require(!read_text(text) && !*words, "%s", words);
	tap_require(config_list(&config, "partner")->max_shrink == 30 &&
		    config_filter(&config, "bad")->lists.count == 3, "partner");
}

/* Each example of the manual page that has a section is good. */
static void test_manual(void)
{
	char *page = read_source("man/kcuckoo.conf.5"), *at, *end;
	int count = 0;

	snprintf(feeds, sizeof(feeds), "%s", config_feeds_folder());
	for (at = page; (at = strstr(at, "\n.Bd")); at = end) {
		at = strchr(at + 1, '\n');
		end = strstr(at, "\n.Ed");
		tap_require(end, "no end");
		*end++ = 0;
		if (!strchr(at, '[') || !strstr(at, "[rule"))
			continue;
		tap_require(!read_text(at) && !*words, "%s\n# %s", at, words);
		count++;
	}
	strcpy(feeds, own_feeds);
	tap_require(count == 3, "%d", count);
}

static const struct tap_test tests[] = {
	{ "config.bad: each mistake is reported with its file and line", test_bad },
	{ "config.binary: a file that is no text is refused", test_binary },
	{ "config.good: the example means what it says", test_good },
	{ "config.columns: a list can have one column or two", test_columns },
	{ "config.longest: the longest line is read whole", test_longest },
	{ "config.much: arrays grow", test_much },
	{ "config.files: files are read in order, copies are not", test_files },
	{ "config.no_files: only regular files are read", test_no_files },
	{ "config.many: twenty errors are enough", test_many },
	{ "config.feed: a list takes what its feed has", test_feed },
	{ "config.catalogue: each feed of the catalogue can be a list", test_catalogue },
	{ "config.feed_keys: a feed without a licence is refused", test_feed_keys },
	{ "config.example: the example is good", test_example },
	{ "config.manual: the examples of the manual are good", test_manual },
	{ "config.expire: a list that spares addresses does not expire", test_expire },
	{ "config.unused: a list that no filter uses is a warning", test_unused },
};

int main(int argc, char **argv)
{
	char path[128];
	FILE *file;
	int ret;

	strcpy(folder, "/tmp/kcuckoo-config-XXXXXX");
	strcpy(own_feeds, "/tmp/kcuckoo-feeds-XXXXXX");
	if (!mkdtemp(folder) || !mkdtemp(own_feeds)) {
		perror(folder);
		return 2;
	}
	strcpy(feeds, own_feeds);
	snprintf(path, sizeof(path), "%s/test.conf", feeds);
	file = fopen(path, "w");
	fputs("[feed test-drop]\nurl = https://a/1\nurl = https://b/2\nlicence = free\n"
	      "about = a test\nrefresh = 12h\nmin = 100\nformat = json\n"
	      "where = a:b\n", file);
	fclose(file);
	ret = tap_main(argc, argv, tests, TAP_COUNT(tests));
	config_free(&config);
	empty(folder);
	empty(own_feeds);
	rmdir(folder);
	rmdir(own_feeds);
	return ret;
}
