// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file has the table of all verbs with their options and help, and prints
 * the help.
 */
#include <stdio.h>
#include <string.h>

#include "args.h"

/*
 * Options that several verbs have. LISTS: options that affect how files and byte
 * strings are read. KEYS: LISTS and the option -f. COLUMNS: options that affect
 * how the columns of lists are read.
 */
#define LISTS	(ARGS_HEX | ARGS_BINARY | ARGS_MEMBER | ARGS_JSON_KEY)
#define KEYS	(ARGS_FILE | LISTS)
#define COLUMNS	(ARGS_FORMAT | ARGS_COLUMN | ARGS_RANGES)

const struct verb verbs[] = {
	{ "create", verb_create, ARGS_EXIST, 1, -1,
	  "NAME [type inet|bytes] [capacity N] [fpr P | bits F] [WORD...] [--exist]",
	  "Create an empty filter: an exact one of IPv4 and IPv6 addresses and prefixes, or\n"
	  "one of fingerprints, which takes less memory and has false positives.\n"
	  "  type inet    keys are addresses and prefixes; the filter is exact unless fpr or\n"
	  "               bits is given\n"
	  "  type bytes   keys are byte strings, stored as fingerprints; needs capacity\n"
	  "  capacity N   at most N members; with fingerprints, tables with room for N\n"
	  "               members at first; 10K, 10M and 10G are 10^4, 10^7 and 10^10\n"
	  "  fpr P        fingerprints with a false positive rate of at most P: 0.001, 0.1%\n"
	  "  bits F       fingerprints of F bits, 1 to 32; the filter may grow, which\n"
	  "               raises its false positive rate\n"
	  "  fixed        never grow\n"
	  "  insert-only  keys cannot be deleted; a key that is added with several values\n"
	  "               takes one entry for each\n"
	  "  bucket B     entries per bucket: 1, 2, 4 (default) or 8\n"
	  "  semisort     save four bits in each bucket of four entries\n"
	  "  value BITS   keys have a value of BITS bits, 1 to 32\n"
	  "  timeout T    keys expire after T: 90 (seconds), 10m, 1h30m, 7d; with T 0, only\n"
	  "               keys that are added with a timeout of their own\n"
	  "  steps N      visit at most N buckets in search of a free entry, 2 to 1024\n"
	  "  hash H       jhash (default), or siphash if strangers choose the keys\n"
	  "  like NAME2   all parameters of another filter, so that both can be merged\n"
	  "  --exist      do nothing if such a filter exists; a filter of that name with\n"
	  "               other parameters is an error\n" },
	{ "load", verb_load, ARGS_STRICT | LISTS | ARGS_VALUE | ARGS_TIMEOUT |
			     COLUMNS | ARGS_ALLOW_EMPTY | ARGS_FORCE, 2, -1,
	  "NAME FILE... [--strict] [--force] [--allow-empty] [--format F] [--column C] [--ranges] [--value V] [--timeout T] [--member GLOB] [--json-key KEY] [--hex | --binary]",
	  "Add all addresses, prefixes and ranges of lists, or every line as a byte\n"
	  "string; - is standard input. Packed lists (gzip, zstd, xz, bzip2, lz4, tar, zip)\n"
	  "are unpacked, and UTF-16 is converted. A few bad lines are printed and skipped.\n"
	  "Nothing is changed if the lists have no key, or more than three bad lines that\n"
	  "make up more than a tenth of all lines. Output of 'kcuckoo list NAME' can be\n"
	  "loaded.\n"
	  "  --strict     change nothing if a line is bad, or a key is a member already\n"
	  "  --force      load the good lines, even if many lines are bad\n"
	  "  --allow-empty  a list without any key is no error\n"
	  "  --format F   the format of the lists, which 'kcuckoo formats' describes;\n"
	  "               otherwise dshield, hosts, ipfilter, ipset, json and p2p are\n"
	  "               recognized, and all other lists are of format list\n"
	  "  --column C   the column with the key in a table (CSV), by its number from 1 or by\n"
	  "               its name; first,last or 1,2 for the ends of a range\n"
	  "  --ranges     two addresses in columns are the first and last of a range\n"
	  "  --value V    value of keys whose line has none; '1.2.3.4 value 7' has one\n"
	  "  --timeout T  timeout of keys whose line has none; '1.2.3.4 timeout 2h' has one\n"
	  "  --member G   read only files that match G in tar and zip archives: '*.txt'\n"
	  "  --json-key K  keys of JSON with addresses, instead of known ones: net,prefix;\n"
	  "               FILE?where=KEY:VALUE and FILE?set=NAME select a part of JSON\n"
	  "  mmdb:FILE?country=DE,FR  take networks of countries from a database;\n"
	  "               ?asn=64500: of autonomous systems; ?value=country: all, with the\n"
	  "               number of the country as value\n"
	  "  --hex        byte strings are in hexadecimal\n"
	  "  --binary     byte strings are lines as they are: nothing is unpacked, and a\n"
	  "               carriage return at the end of a line belongs to the key\n" },
	{ "apply", verb_apply, LISTS | ARGS_VALUE | ARGS_TIMEOUT | COLUMNS |
			       ARGS_ALLOW_EMPTY | ARGS_FORCE | ARGS_APPLY |
			       ARGS_CHECK | ARGS_CONFIG, 0, -1,
	  "[NAME LIST...] [--check] [--config FOLDER] [--boot] [--device DEV] [--exclude LIST] [--optimize] [--dry-run] [--diff] [--min N] [--max-shrink P] [--max-grow P] [--wide] [--bogons] [--skip-own | --keep-own] [--yes] [--confirm T] [--force] [--allow-empty] [--format F] [--column C] [--ranges] [--value V] [--timeout T] [--member GLOB] [--json-key KEY] [--hex | --binary]",
	  "Make a filter equal to lists, in one step: add what is new, remove what is gone.\n"
	  "The filter is created if it does not exist. If anything fails, or a list looks\n"
	  "wrong, nothing is changed. The lists are read as with load.\n"
	  "  --exclude L  leave out the addresses of a list, also parts of wider prefixes\n"
	  "  --optimize   merge prefixes to the fewest that cover the same addresses\n"
	  "  --dry-run    change nothing; exit code 1: there is a difference\n"
	  "  --diff       print each key that is added (+), removed (-) or changed (~)\n"
	  "  --min N      refuse lists with fewer than N keys\n"
	  "  --max-shrink P  refuse to remove more than P percent of more than 100 members;\n"
	  "               default: 50\n"
	  "  --max-grow P refuse to grow by more than P percent; default: to more than twice\n"
	  "               the addresses and by more than 4 million of them\n"
	  "  --wide       permit networks wider than /6 (IPv6: /12), a tenth of all IPv4\n"
	  "               addresses, and any growth that --max-grow does not forbid\n"
	  "  --bogons     take addresses that the internet does not have, such as 10.0.0.0/8\n"
	  "  --skip-own   leave out addresses that this host needs: its own, its gateway, its\n"
	  "               name servers, the other end of SSH; without it, apply refuses such\n"
	  "               lists at a terminal, and leaves the addresses out elsewhere\n"
	  "  --keep-own   take the lists as they are\n"
	  "  --yes        replace a filter to which packets add members, and these members\n"
	  "  --confirm T  undo the change after the time T, unless 'kcuckoo confirm' follows\n"
	  "  --allow-empty  a list without any key is no error\n"
	  "  --force, --format F, --column C, --ranges, --value V, --timeout T, --member G,\n"
	  "  --json-key K, --hex, --binary  as with load\n"
	  "Without NAME: make filters and rules as the configuration says, kcuckoo.conf(5), and\n"
	  "remove those that only an earlier configuration has. A mistake in the configuration,\n"
	  "or a name that was taken by hand, changes nothing.\n"
	  "  --check      only read the configuration, and print a line for each filter and\n"
	  "               rule, or every mistake with its file and line. Nothing is changed;\n"
	  "               neither the module nor root is needed\n"
	  "  --config F   folder of the configuration, instead of /etc/kcuckoo\n"
	  "  --boot       if it has mistakes, apply the one that was applied last; restore\n"
	  "               filters with keep = yes\n"
	  "  --device D   only attach the rules of hook xdp to this device\n"
	  "Exit code 0: the filter is equal to the lists. 1: a difference (--dry-run), or without\n"
	  "NAME a list or filter that failed. 2: error.\n" },
	{ "add", verb_add, KEYS | ARGS_STRICT | ARGS_ABSENT | ARGS_VALUE |
			   ARGS_TIMEOUT | COLUMNS | ARGS_ALLOW_EMPTY, 1, -1,
	  "NAME KEY... [-f FILE] [--value V] [--timeout T] [--absent] [--strict] [--allow-empty] [--format F] [--column C] [--ranges] [--member GLOB] [--json-key KEY] [--hex | --binary]",
	  "Add addresses, prefixes or ranges, or byte strings.\n"
	  "  -f FILE      take keys from a list; - is standard input\n"
	  "  --value V    value of the keys\n"
	  "  --timeout T  the keys expire after T: 90 (seconds), 10m, 1h30m, 7d; with 0, -1\n"
	  "               or 'never' they do not expire\n"
	  "  --absent     leave members as they are: no new value and no new timeout\n"
	  "  --strict     change nothing if a key is a member already\n"
	  "  --allow-empty  files without any key are no error\n"
	  "  --format F, --column C, --ranges  how lists are read, as with load\n"
	  "  --member G   read only files that match G in tar and zip archives\n"
	  "  --json-key K  keys of JSON that have addresses, as with load\n"
	  "  --hex        byte strings are in hexadecimal\n"
	  "  --binary     lists are taken as they are, as in 'kcuckoo help load'\n" },
	{ "del", verb_del, KEYS | ARGS_STRICT | ARGS_VALUE | COLUMNS |
			   ARGS_COVERED | ARGS_EXACT, 1, -1,
	  "NAME KEY... [-f FILE] [--value V] [--covered] [--strict] [--exact] [--format F] [--column C] [--ranges] [--member GLOB] [--json-key KEY] [--hex | --binary]",
	  "Delete keys. A prefix is deleted as it was added; a warning names keys that\n"
	  "another member still covers. In a filter of fingerprints, name only keys that were\n"
	  "added: otherwise another key with the same fingerprint can be deleted.\n"
	  "  -f FILE    take keys from a list; - is standard input\n"
	  "  --value V  only keys that have this value; a value on a line of a list replaces\n"
	  "             it; required if a filter of fingerprints has values\n"
	  "  --covered  delete all members that lie inside the prefixes and ranges instead\n"
	  "  --strict   change nothing if a key is no member or, with --covered, if no member\n"
	  "             lies inside it\n"
	  "  --exact    ::ffff:1.2.3.4 is that IPv6 address, and not 1.2.3.4\n"
	  "  --format F, --column C, --ranges  how lists are read, as with load\n"
	  "  --member G  read only files that match G in tar and zip archives\n"
	  "  --json-key K  keys of JSON that have addresses, as with load\n"
	  "  --hex      byte strings are in hexadecimal\n"
	  "  --binary   lists are taken as they are, as in 'kcuckoo help load'\n" },
	{ "update", verb_update, KEYS | ARGS_STRICT | ARGS_VALUE | ARGS_OLD | COLUMNS, 1, -1,
	  "NAME KEY... --value V [--old V] [-f FILE] [--strict] [--format F] [--column C] [--ranges] [--member GLOB] [--json-key KEY] [--hex | --binary]",
	  "Give keys another value.\n"
	  "  --value V  the new value; in a list it may follow each key\n"
	  "  --old V    only keys that have this value; required for fingerprints\n"
	  "  -f FILE    take keys from a list; - is standard input\n"
	  "  --strict   change nothing if a key is no member\n"
	  "  --format F, --column C, --ranges  how lists are read, as with load\n"
	  "  --member G  read only files that match G in tar and zip archives\n"
	  "  --json-key K  keys of JSON that have addresses, as with load\n"
	  "  --hex      byte strings are in hexadecimal\n"
	  "  --binary   lists are taken as they are, as in 'kcuckoo help load'\n" },
	{ "test", verb_test, KEYS | ARGS_EXACT | ARGS_FORMAT | ARGS_COLUMN, 1, -1,
	  "NAME KEY... [-f FILE] [--exact] [--format F] [--column C] [--member GLOB] [--json-key KEY] [--hex | --binary]",
	  "Print \"1 KEY\" or \"0 KEY\" for each key, and its values where the filter has\n"
	  "values. An address or prefix is in the filter if one member covers all of it.\n"
	  "For an exact filter, a tab and the longest such member are printed, too.\n"
	  "  -f FILE     take keys from a list; - is standard input\n"
	  "  --exact     a key is in the filter only if it is itself a member;\n"
	  "              ::ffff:1.2.3.4 is that IPv6 address, and not 1.2.3.4\n"
	  "  --format F, --column C  how lists are read, as with load\n"
	  "  --member G  read only files that match G in tar and zip archives\n"
	  "  --json-key K  keys of JSON that have addresses, as with load\n"
	  "  --hex       byte strings are in hexadecimal\n"
	  "  --binary    lists are taken as they are, as in 'kcuckoo help load'\n"
	  "Exit code 0: all are in the filter. 1: some are not. 2: error.\n" },
	{ "formats", verb_formats, COLUMNS | ARGS_MEMBER | ARGS_JSON_KEY, 0, -1,
	  "[FILE...] [--format F] [--column C] [--ranges] [--member GLOB] [--json-key KEY]",
	  "Show how lists are read, without a filter: the format, the first 10 lines with\n"
	  "their keys or why they have none, and counts. Without FILE, list all formats.\n"
	  "  --format F, --column C, --ranges  how lists are read, as with load\n"
	  "  --member G  read only files that match G in tar and zip archives\n"
	  "  --json-key K  keys of JSON that have addresses, as with load\n" },
	{ "list", verb_list, 0, 0, 1,
	  "[NAME]",
	  "Print the names of all filters, those that the configuration has made with the\n"
	  "word managed; or the members of an exact filter, each with its value and its\n"
	  "remaining seconds, if any.\n" },
	{ "info", verb_info, 0, 1, 1,
	  "NAME",
	  "Show the parameters, members, memory and false positive rate of a filter.\n" },
	{ "attach", verb_attach, ARGS_EXIST | ARGS_WAIT, 1, -1,
	  "NAME [hook H] [family ipv4|ipv6|both] [match src|dst] [action drop|count|mark=N|mark=value] [log [group N] [limit N/s]] [allow NAME2] [dev DEV] [mode native|generic] [--wait] [--exist]",
	  "Drop, count or mark the packets whose address is in a filter.\n"
	  "  hook H      prerouting (before defragmentation), input, forward, output;\n"
	  "              ingress: packets that arrive at a device, after tc, before all else;\n"
	  "              xdp: packets that arrive at a device with Ethernet headers, before\n"
	  "              tc; only for the actions drop and count\n"
	  "  dev DEV     the device for hooks ingress and xdp; the rule is removed with it\n"
	  "  --wait      for hook ingress: the rule belongs to the name DEV. It waits until a\n"
	  "              device has the name, and returns with it. DEV can be a pattern: 'ppp*'\n"
	  "  mode        for hook xdp: 'native' runs in the driver of the device, 'generic'\n"
	  "              after it\n"
	  "  match       look up the source address, or the destination address\n"
	  "  mark=N      set the mark N on packets and let them pass\n"
	  "  mark=value  the same, with the value that the filter has for the address\n"
	  "  log         write a line to the kernel's log for each packet that is dropped or\n"
	  "              counted, or pass it to group N of NFLOG; at most 10/s, or limit N/s\n"
	  "  allow       let packets pass whose address is in another filter\n"
	  "  --exist     do nothing if the rule exists; a rule of this filter at the same hook\n"
	  "              that differs is an error\n"
	  "Default: hook prerouting family both match src action drop.\n"
	  "A rule whose filter does not exist waits for it, and matches nothing.\n" },
	{ "detach", verb_detach, ARGS_ALL, 0, -1,
	  "NAME [hook H] [family F] [match M] [dev DEV] [label L] | --all",
	  "Remove the rules of a filter that have the given hook, family, match, device and\n"
	  "label. A rule with a pattern is removed by its pattern: dev 'ppp*'.\n"
	  "With --all, remove the rules of all filters. While rules exist, the kernel module\n"
	  "cannot be unloaded.\n"
	  "  hook xdp  if another tool removed the program of a rule, the filter stays in use\n"
	  "            until this is called\n" },
	{ "rules", verb_rules, ARGS_ZERO, 0, -1,
	  "[--zero] [NAME...]",
	  "Show the rules, all or those of some filters: how many packets each matched, and\n"
	  "whether it waits for a filter or a device.\n"
	  "  --zero  show the rules, and begin to count from zero; no packet is lost\n" },
	{ "explain", verb_explain, ARGS_CONFIG, 1, 4,
	  "ADDRESS [src | dst] [dev DEV] [--config FOLDER]",
	  "Show which filters and members cover an address, the entries of lists that name\n"
	  "it, what each rule does with its packets, and what happens to them at each hook.\n"
	  "Nothing is changed.\n"
	  "  src, dst    packets from the address, or to it; by default from it, and to it if\n"
	  "              there are rules that look up destinations\n"
	  "  dev DEV     packets that arrive at this device\n"
	  "  --config    the configuration with the lists, instead of the one that was applied\n"
	  "              last\n"
	  "Exit code 0: a filter covers the address. 1: none does. 2: error.\n" },
	{ "reserve", verb_reserve, 0, 2, 4,
	  "NAME N [family ipv4|ipv6|both]",
	  "Make room for N more addresses of each family. This is needed only for the target\n"
	  "KCUCKOO of iptables, which adds addresses of packets and cannot enlarge a table.\n" },
	{ "flush", verb_flush, 0, 1, 1,
	  "NAME",
	  "Remove all members of a filter.\n" },
	{ "compact", verb_compact, 0, 1, 1,
	  "NAME",
	  "Give back the memory of deleted and expired members, and room that reserve made.\n" },
	{ "swap", verb_swap, 0, 2, 2,
	  "NAME NAME2",
	  "Exchange two filters in one step. Rules stay with the name: a rule of NAME then uses\n"
	  "the filter that was NAME2.\n" },
	{ "merge", verb_merge, 0, 2, 2,
	  "NAME NAME2",
	  "Add all members of NAME2 to NAME, in one step. Both must be exact, or one must have\n"
	  "been created with 'like' the other. Filters of addresses with fingerprints must also\n"
	  "have fpr or fixed: otherwise load may give them tables of different sizes.\n" },
	{ "intersect", verb_intersect, 0, 2, 2,
	  "NAME NAME2",
	  "Remove from NAME, in one step, all members that NAME2 does not have. Both must be\n"
	  "exact.\n" },
	{ "compare", verb_compare, 0, 2, 2,
	  "NAME NAME2",
	  "Compare two exact filters: print how many members are only in NAME, only in NAME2,\n"
	  "and in both.\n"
	  "Exit code 0: the same members. 1: a difference. 2: error.\n" },
	{ "save", verb_save, ARGS_ALL, 1, 2,
	  "NAME [FILE] | --all FOLDER",
	  "Write a snapshot of a filter, compressed and with checksums; - is standard\n"
	  "output, the default. It contains the secret of the filter's hash: keep it\n"
	  "private.\n"
	  "  --all FOLDER  write each filter to the file NAME.kcf in the folder\n" },
	{ "restore", verb_restore, ARGS_ALL | ARGS_REPLACE, 1, 3,
	  "FILE [as NAME] [--replace] | --all FOLDER [--replace]",
	  "Create a filter from a snapshot; - is standard input. A damaged snapshot changes\n"
	  "nothing.\n"
	  "  as NAME    give the filter another name\n"
	  "  --replace  replace a filter of that name, in one step\n"
	  "  --all FOLDER  restore each file NAME.kcf of the folder as the filter NAME; if\n"
	  "             one cannot be restored, the others are\n"
	  "Timeouts go on where the snapshot stopped them.\n" },
	{ "confirm", verb_confirm, 0, 0, -1,
	  "[within T NAME... | undo]",
	  "Keep a change that waits for its confirmation. A change that cuts you off is undone,\n"
	  "because you cannot confirm it.\n"
	  "  within T NAME...  unless 'kcuckoo confirm' follows within T, such as 120 or 2m,\n"
	  "                    bring the filters and their rules back to their present state,\n"
	  "                    even if the session ends before\n"
	  "  undo              do that now\n" },
	{ "rename", verb_rename, 0, 2, 2,
	  "NAME NEWNAME",
	  "Rename a filter. Rules that wait for the new name use it.\n" },
	{ "destroy", verb_destroy, ARGS_IF_EXISTS, 1, 1,
	  "NAME [--if-exists]",
	  "Destroy a filter. Its rules must be detached first.\n"
	  "  --if-exists  it is no error if no filter has that name\n" },
	{ "down", verb_down, ARGS_SAVE, 0, 0, "[--save]",
	  "Remove all filters and rules that a configuration made. What was made by hand\n"
	  "is listed, and stays.\n"
	  "  --save       before, save the members of filters with keep = yes; if that fails,\n"
	  "               nothing is removed\n" },
	{ "doctor", verb_doctor, ARGS_CONFIG, 0, 0, "[--config FOLDER]",
	  "Look for what keeps kcuckoo from working, and print for each finding the command that\n"
	  "mends it: module, kernel headers, Secure Boot, device, plugins, limits, rules, lists,\n"
	  "configuration, state, units. Nothing is changed. This works without root and without\n"
	  "the module, as far as it can.\n"
	  "Exit code 0: nothing to mend. 1: something to mend. 2: error.\n" },
	{ "feeds", verb_feeds, 0, 0, 1,
	  "[FOLDER]",
	  "List the public lists that 'feed = NAME' of the configuration can name, each with its\n"
	  "server and licence. FOLDER is another catalogue than the installed one.\n" },
	{ "fetch", verb_fetch, ARGS_NOW | ARGS_CONFIG, 0, -1,
	  "[LIST...] [--now] [--config FOLDER]",
	  "Download the lists of the configuration that have a url, over HTTPS, and check each\n"
	  "before it replaces the last good copy. A list that fails keeps this copy, and the\n"
	  "others go on. Without names, a list is fetched when its refresh time has come. As\n"
	  "root, this works as the user _kcuckoo, if there is one.\n"
	  "  --now     fetch the lists even if it is not time, or a server asked to wait\n"
	  "  --config  folder of the configuration, instead of /etc/kcuckoo\n"
	  "Exit code 0: no list failed. 1: a list failed or was refused; without names and --now,\n"
  "a list has no copy, has one older than 7 days, or was refused. 2: error.\n" },
	{ "accept", verb_accept, ARGS_CONFIG, 1, 1,
	  "LIST [--config FOLDER]",
	  "Take the copy of a list that 'kcuckoo fetch' has refused, for example because it is\n"
	  "much shorter than before.\n" },
	{ "status", verb_status, ARGS_CONFIG, 0, 0, "[--config FOLDER]",
	  "Print the state of the lists, filters and rules of the configuration.\n"
	  "Exit code 0: all is as the configuration says. 1: a rule waits for a device, a list\n"
	  "is stale, was refused or is missing, or the filters and rules differ from the\n"
	  "configuration. 2: error.\n" },
	{ "monitor", verb_monitor, 0, 0, -1, "[NAME...]",
	  "Print what happens to filters and rules, one line for each event, until it is\n"
	  "interrupted. With names: only the events of these filters and of their rules.\n" },
	{ "import", verb_import, ARGS_IMPORT, 0, 1,
	  "--from-ipset [FILE] [--rules FILE] | --from-nft [FILE] [--to FOLDER] [--skip]",
	  "Write a configuration, kcuckoo.conf(5), with the sets of another program and the\n"
	  "rules that drop packets by them. Neither the module nor root is needed, and no set\n"
	  "or rule is changed. FILE, or standard input, is what the program prints. If anything\n"
	  "cannot be taken over, it is named, and nothing is written.\n"
	  "  --from-ipset  the output of 'ipset save'\n"
	  "  --from-nft    the output of 'nft -j list ruleset'\n"
	  "  --rules FILE  the output of iptables-save or ip6tables-save, with the rules of the\n"
	  "                sets of ipset; can be given several times\n"
	  "  --to FOLDER   write import.conf and a list for each set to this folder, which\n"
	  "                exists; without it, print the configuration only. No file is replaced\n"
	  "  --skip        leave out what cannot be taken over, and list it in comments\n"
	  "Then check the configuration: kcuckoo apply --check --config FOLDER\n" },
	{ "stats", verb_stats, ARGS_PROMETHEUS | ARGS_CONFIG, 0, 1,
	  "[--prometheus [FILE] [--config FOLDER]]",
	  "Show the totals of all filters, the limits, and the version and features of the\n"
	  "module.\n"
	  "  --prometheus  write metrics of filters, rules, lists and the configuration, for\n"
	  "                Prometheus: to standard output, or at once to FILE\n" },
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
	fputs("\nSee 'kcuckoo help', 'kcuckoo help VERB' and kcuckoo(8).\n",
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
	     "  -v, --verbose      more messages on standard error\n"
	     "  -n, --netns NETNS  work on a network namespace, by name or path\n"
	     "  -h, --help         print this\n"
	     "  -V, --version      print the version\n"
	     "\nExit code: 0 yes or success, 1 only for \"no\" (test, compare, explain,\n"
	     "apply --dry-run, fetch, status, doctor), 2 for an error.\n"
	     "See 'kcuckoo help VERB' and kcuckoo(8).");
}
