// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: the table of verbs, and help
 */
#include <stdio.h>
#include <string.h>

#include "args.h"

#define LISTS	(ARGS_HEX | ARGS_BINARY | ARGS_MEMBER)
#define KEYS	(ARGS_FILE | LISTS)
#define COLUMNS	(ARGS_FORMAT | ARGS_RANGES)

const struct verb verbs[] = {
	{ "create", verb_create, ARGS_EXIST, 1, -1,
	  "NAME [type inet|bytes] [capacity N] [fpr P | bits F] [WORD...] [--exist]",
	  "Make an empty filter: exact, of IPv4 and IPv6 addresses and prefixes, or by\n"
	  "fingerprints, which take less memory and are sometimes wrong.\n"
	  "  type inet    keys are addresses and prefixes; exact without fpr and bits\n"
	  "  type bytes   keys are byte strings; needs capacity, and has fingerprints\n"
	  "  capacity N   refuse more than N members (of byte strings: N always fit);\n"
	  "               K, M and G are thousand, million and 10^9\n"
	  "  fpr P        fingerprints, wrong with a probability of P at most: 0.001, 0.1%\n"
	  "  bits F       fingerprints of F bits, 1 to 32; the filter may grow, and its\n"
	  "               rate with it\n"
	  "  fixed        never grow\n"
	  "  insert-only  keys are never deleted, and take one entry for each value\n"
	  "  bucket B     entries per bucket: 1, 2, 4 (default) or 8\n"
	  "  semisort     four bits less per bucket of four\n"
	  "  value BITS   keys have a value of so many bits, 1 to 32\n"
	  "  timeout T    keys expire after T: 90, 10m, 1h30m, 7d; 0: only if they say so\n"
	  "  steps N      visit at most N buckets in search of a free entry, 2 to 1024\n"
	  "  hash H       siphash where strangers choose the keys\n"
	  "  like NAME2   like another filter in everything, so that they can be merged\n"
	  "  --exist      do nothing if there is such a filter; another one of that name\n"
	  "               is an error\n" },
	{ "load", verb_load, ARGS_STRICT | LISTS | ARGS_VALUE | ARGS_TIMEOUT |
			     COLUMNS | ARGS_ALLOW_EMPTY | ARGS_FORCE, 2, -1,
	  "NAME FILE... [--strict] [--force] [--allow-empty] [--format F] [--ranges] [--value V] [--timeout T] [--member GLOB] [--hex | --binary]",
	  "Add all addresses, prefixes and ranges of lists, or every line as a byte\n"
	  "string; - is standard input. Packed lists (gzip, zstd, xz, bzip2, lz4, tar, zip)\n"
	  "are unpacked, and UTF-16 is converted. A few bad lines are named and skipped. A\n"
	  "list without any key, or with more than three bad lines that are more than one in\n"
	  "ten, changes nothing. What 'kcuckoo list NAME' prints can be loaded.\n"
	  "  --strict     change nothing if a line is bad, or a key is there already\n"
	  "  --force      load what is good, however many lines are bad\n"
	  "  --allow-empty  a list without any key is no error\n"
	  "  --format F   list: an address, network or range, then other columns;\n"
	  "               hostport: a port follows the address; row: any number of\n"
	  "               addresses on a line\n"
	  "  --ranges     two addresses in columns are the ends of a range\n"
	  "  --value V    value of keys that have none on their line: 1.2.3.4 value 7\n"
	  "  --timeout T  the same for timeouts: 1.2.3.4 timeout 2h\n"
	  "  --member G   of tar and zip archives, read only the files that fit G: '*.txt'\n"
	  "  --hex        byte strings are in hexadecimal\n"
	  "  --binary     byte strings are lines as they are: nothing is unpacked, and a\n"
	  "               carriage return at the end of a line belongs to the key\n" },
	{ "add", verb_add, KEYS | ARGS_STRICT | ARGS_ABSENT | ARGS_VALUE |
			   ARGS_TIMEOUT | COLUMNS | ARGS_ALLOW_EMPTY, 1, -1,
	  "NAME KEY... [-f FILE] [--value V] [--timeout T] [--absent] [--strict] [--allow-empty] [--format F] [--ranges] [--member GLOB] [--hex | --binary]",
	  "Add addresses, prefixes or ranges, or byte strings.\n"
	  "  -f FILE      take keys from a list; - is standard input\n"
	  "  --value V    value of the keys\n"
	  "  --timeout T  they expire after T: 90, 10m, 1h30m, 7d; 0, -1, never: they stay\n"
	  "  --absent     leave members as they are: neither new value nor new timeout\n"
	  "  --strict     change nothing if one is a member already\n"
	  "  --allow-empty  files without any key are no error\n"
	  "  --format F, --ranges  how lists are read, as with load\n"
	  "  --member G   of tar and zip archives, read only the files that fit G\n"
	  "  --hex        byte strings are in hexadecimal\n"
	  "  --binary     lists are taken as they are, as in 'kcuckoo help load'\n" },
	{ "del", verb_del, KEYS | ARGS_STRICT | ARGS_VALUE | COLUMNS |
			   ARGS_COVERED | ARGS_EXACT, 1, -1,
	  "NAME KEY... [-f FILE] [--value V] [--covered] [--strict] [--exact] [--format F] [--ranges] [--member GLOB] [--hex | --binary]",
	  "Delete keys, as they were added, and say which of them a member still covers.\n"
	  "Where keys have fingerprints, delete only what was added: another key could\n"
	  "have the same one.\n"
	  "  -f FILE    take keys from a list; - is standard input\n"
	  "  --value V  only keys that have this value, or that of their line in a list;\n"
	  "             fingerprints with values need it\n"
	  "  --covered  all members that lie inside the prefixes and ranges, instead\n"
	  "  --strict   change nothing if one is no member, or covers none\n"
	  "  --exact    ::ffff:1.2.3.4 is that IPv6 address, and not 1.2.3.4\n"
	  "  --format F, --ranges  how lists are read, as with load\n"
	  "  --member G  of tar and zip archives, read only the files that fit G\n"
	  "  --hex      byte strings are in hexadecimal\n"
	  "  --binary   lists are taken as they are, as in 'kcuckoo help load'\n" },
	{ "update", verb_update, KEYS | ARGS_STRICT | ARGS_VALUE | ARGS_OLD | COLUMNS, 1, -1,
	  "NAME KEY... --value V [--old V] [-f FILE] [--strict] [--format F] [--ranges] [--member GLOB] [--hex | --binary]",
	  "Give keys another value.\n"
	  "  --value V  the new value; in a list it may stand behind each key\n"
	  "  --old V    only keys that have this value; fingerprints need it\n"
	  "  -f FILE    take keys from a list; - is standard input\n"
	  "  --strict   change nothing if one is no member\n"
	  "  --format F, --ranges  how lists are read, as with load\n"
	  "  --member G  of tar and zip archives, read only the files that fit G\n"
	  "  --hex      byte strings are in hexadecimal\n"
	  "  --binary   lists are taken as they are, as in 'kcuckoo help load'\n" },
	{ "test", verb_test, KEYS | ARGS_EXACT | ARGS_FORMAT, 1, -1,
	  "NAME KEY... [-f FILE] [--exact] [--format F] [--member GLOB] [--hex | --binary]",
	  "Print \"1 KEY\" or \"0 KEY\" for each key, and its values where the filter has\n"
	  "values. An address or prefix is in when any one member covers all of it, as for\n"
	  "a packet; an exact filter names the longest such member, after a tab.\n"
	  "  -f FILE     take keys from a list; - is standard input\n"
	  "  --exact     only what is a member itself is in; ::ffff:1.2.3.4 is that IPv6\n"
	  "              address, and not 1.2.3.4\n"
	  "  --format F  how lists are read, as with load\n"
	  "  --member G  of tar and zip archives, read only the files that fit G\n"
	  "  --hex       byte strings are in hexadecimal\n"
	  "  --binary    lists are taken as they are, as in 'kcuckoo help load'\n"
	  "Exit code 0: all are in. 1: some are not. 2: error.\n" },
	{ "list", verb_list, 0, 0, 1,
	  "[NAME]",
	  "Print the names of all filters, or the members of an exact one, with value and\n"
	  "seconds left where it has these.\n" },
	{ "info", verb_info, 0, 1, 1,
	  "NAME",
	  "Show what a filter is, holds and costs, and how often it is wrong.\n" },
	{ "attach", verb_attach, ARGS_EXIST, 1, -1,
	  "NAME [hook H] [family ipv4|ipv6|both] [match src|dst] [action drop|count|mark=N|mark=value] [allow NAME2] [dev DEV] [mode native|generic] [--exist]",
	  "Drop the packets whose address is in a filter, count or mark them.\n"
	  "  hook H      prerouting (before defragmentation), input, forward, output;\n"
	  "              ingress: as packets come from a device, before all else; or\n"
	  "              xdp: before they are packets, to drop or count them, on devices\n"
	  "              with an Ethernet header\n"
	  "  dev DEV     the device, of hooks ingress and xdp; the rule ends with it\n"
	  "  mode        of hook xdp: in the driver of the device, or behind it\n"
	  "  match       look at the source address, or the destination\n"
	  "  mark=N      give packets the mark N and let them pass\n"
	  "  mark=value  the same with the value of the address\n"
	  "  allow       not those whose address is in another filter\n"
	  "  --exist     do nothing if the rule exists; another one in its place is an error\n"
	  "Without more words: hook prerouting family both match src action drop.\n"
	  "A rule whose filter does not exist waits for it, and matches nothing.\n" },
	{ "detach", verb_detach, ARGS_ALL, 0, -1,
	  "NAME [hook H] [family F] [match M] [dev DEV] | --all",
	  "Remove all rules of a filter that fit, or all rules there are. Rules keep the\n"
	  "kernel module from being unloaded.\n"
	  "  hook xdp  also lets go of the filter where a program was taken off otherwise\n" },
	{ "rules", verb_rules, 0, 0, 0,
	  "",
	  "Show all rules, how many packets they matched, and which wait for a filter.\n" },
	{ "reserve", verb_reserve, 0, 2, 4,
	  "NAME N [family ipv4|ipv6|both]",
	  "Make room for N more full addresses of each family, for packets that add\n"
	  "theirs by the target KCUCKOO of iptables: they never make a table larger.\n" },
	{ "flush", verb_flush, 0, 1, 1,
	  "NAME",
	  "Remove all members of a filter.\n" },
	{ "compact", verb_compact, 0, 1, 1,
	  "NAME",
	  "Give back memory that members who left need no more, and room that reserve made.\n" },
	{ "swap", verb_swap, 0, 2, 2,
	  "NAME NAME2",
	  "Exchange two filters at once. Rules follow the name.\n" },
	{ "merge", verb_merge, 0, 2, 2,
	  "NAME NAME2",
	  "Add all members of NAME2 to NAME, at once: of two exact filters, or of two with\n"
	  "fingerprints that were created one like the other; those of addresses with fpr\n"
	  "or fixed, or else load makes their tables too different.\n" },
	{ "intersect", verb_intersect, 0, 2, 2,
	  "NAME NAME2",
	  "Leave in NAME, which is exact, only what is a member of NAME2 too, at once.\n" },
	{ "compare", verb_compare, 0, 2, 2,
	  "NAME NAME2",
	  "Print how many members two exact filters have alone and together.\n"
	  "Exit code 0: the same members. 1: others. 2: error.\n" },
	{ "save", verb_save, 0, 1, 2,
	  "NAME [FILE]",
	  "Write a snapshot of a filter, packed and with checksums; - is standard output,\n"
	  "and the default. It holds the secret of the filter's hash: keep it private.\n" },
	{ "restore", verb_restore, ARGS_REPLACE, 1, 3,
	  "FILE [as NAME] [--replace]",
	  "Make a filter from a snapshot; - is standard input. A damaged one changes\n"
	  "nothing.\n"
	  "  as NAME    under another name than it had\n"
	  "  --replace  in the place of a filter of that name, at once\n" },
	{ "rename", verb_rename, 0, 2, 2,
	  "NAME NEWNAME",
	  "Give a filter another name. Rules that wait for that name use it.\n" },
	{ "destroy", verb_destroy, ARGS_IF_EXISTS, 1, 1,
	  "NAME [--if-exists]",
	  "Destroy a filter. It must be detached before.\n"
	  "  --if-exists  no filter of that name is no error\n" },
	{ "stats", verb_stats, 0, 0, 0,
	  "",
	  "Show figures of all filters together, the limits, and the version and features\n"
	  "of the module.\n" },
	{ NULL, NULL, 0, 0, 0, NULL, NULL }
};

const struct verb *verb_find(const char *name)
{
	const struct verb *verb;

	for (verb = verbs; verb->name; verb++)
		if (!strcmp(verb->name, name))
			return verb;
	return NULL;
}

static const char usage[] =
	"usage: kcuckoo [-j] [-q] [-v] [-n NETNS] VERB [ARGUMENTS]\n";

void usage_short(void)
{
	const struct verb *verb;

	fputs(usage, stderr);
	for (verb = verbs; verb->name; verb++)
		fprintf(stderr, "%s %s", verb == verbs ? "verbs:" : "",
			verb->name);
	fputs("\n'kcuckoo help' and 'kcuckoo help VERB' say more, kcuckoo(8) says all.\n",
	      stderr);
}

int usage_verb(const char *name)
{
	const struct verb *verb = verb_find(name);

	if (!verb)
		return -1;
	printf("kcuckoo %s %s\n\n%s", verb->name, verb->usage, verb->help);
	return 0;
}

void usage_full(void)
{
	const struct verb *verb;

	fputs(usage, stdout);
	puts("\nCuckoo filters in the kernel: large blocklists of IPv4 and IPv6 addresses and\n"
	     "prefixes that drop packets, and sets of byte strings.\n");
	for (verb = verbs; verb->name; verb++)
		printf("  %s%s%s\n", verb->name, *verb->usage ? " " : "",
		       verb->usage);
	puts("\n  -j, --json         data as JSON\n"
	     "  -q, --quiet        no summaries and no progress on standard error\n"
	     "  -v, --verbose      more words on standard error\n"
	     "  -n, --netns NETNS  work on a network namespace, by name or path\n"
	     "  -h, --help         print this\n"
	     "  -V, --version      print the version\n"
	     "\nExit code: 0 yes or done, 1 only for \"no\" (test, compare), 2 for every error.\n"
	     "'kcuckoo help VERB' says more, kcuckoo(8) says all.");
}
