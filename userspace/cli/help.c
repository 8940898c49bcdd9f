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
 * strings are read. COLUMNS: options that affect how the columns of lists are read.
 */
#define LISTS	(ARGS_HEX | ARGS_BINARY | ARGS_MEMBER | ARGS_JSON_KEY)
#define KEYS	(ARGS_FILE | LISTS)
#define COLUMNS	(ARGS_FORMAT | ARGS_COLUMN | ARGS_RANGES)

const struct verb verbs[] = {
	{ "create", verb_create, ARGS_EXIST, 1, -1,
	  "NAME [type inet|bytes] [capacity N] [fpr P | bits F] [WORD...] [--exist]",
	  "Create an empty filter. An exact filter stores IPv4 and IPv6 addresses and prefixes.\n"
	  "A filter of fingerprints takes less memory, and has false positives.\n"
	  "  type inet    keys are addresses and prefixes; the filter is exact unless fpr or\n"
	  "               bits is given\n"
	  "  type bytes   keys are byte strings, stored as fingerprints; needs capacity\n"
	  "  capacity N   an exact filter has at most N members; a filter of fingerprints has\n"
	  "               room for N keys before it first grows. The suffixes K, M and G stand\n"
	  "               for 1000, 1000000 and 1000000000\n"
	  "  fpr P        store fingerprints that are long enough for a false positive rate of\n"
	  "               at most P, such as 0.001 or 0.1%; the filter never grows\n"
	  "  bits F       store fingerprints of F bits, 1 to 32; the filter may grow, which\n"
	  "               raises its false positive rate\n"
	  "  fixed        the filter never grows\n"
	  "  insert-only  keys cannot be deleted; a key that is added with several values\n"
	  "               takes one entry for each value\n"
	  "  bucket B     entries per bucket: 1, 2, 4 (default) or 8\n"
	  "  semisort     sort the fingerprints of each bucket: this saves four bits in each\n"
	  "               bucket of four entries, and makes lookups slower\n"
	  "  value BITS   keys have a value of BITS bits, 1 to 32\n"
	  "  timeout T    keys expire after T: 90 (seconds), 10m, 1h30m, 7d; if T is 0, a key\n"
	  "               expires only if it is added with a timeout\n"
	  "  steps N      to add a key, visit at most N buckets in search of a free entry:\n"
	  "               2 to 1024 (default)\n"
	  "  hash H       jhash (default), or siphash if strangers choose the keys\n"
	  "  like NAME2   take all parameters of the filter NAME2, so that the two filters can\n"
	  "               be merged\n"
	  "  --exist      if a filter has this name already: do nothing if it has the given\n"
	  "               parameters, and fail if it has others\n" },
	{ "load", verb_load, ARGS_STRICT | LISTS | ARGS_VALUE | ARGS_TIMEOUT |
			     COLUMNS | ARGS_ALLOW_EMPTY | ARGS_FORCE, 2, -1,
	  "NAME FILE... [--strict] [--force] [--allow-empty] [--format F] [--column C] [--ranges] [--value V] [--timeout T] [--member GLOB] [--json-key KEY] [--hex | --binary]",
	  "Add all addresses, prefixes and ranges of lists. In a filter of byte strings, each\n"
	  "line is a key. Packed lists (gzip, zstd, xz, bzip2, lz4, tar, zip) are unpacked, and\n"
	  "UTF-16 is converted. The FILE - is standard input. A few bad lines are printed and\n"
	  "skipped. Nothing is changed if the lists have no key, or if they have many bad lines:\n"
	  "more than three, and also more than a tenth of all lines. The output of\n"
	  "'kcuckoo list NAME' can be loaded.\n"
	  "  --strict     change nothing if a line is bad, or if a key is a member already or\n"
	  "               is given twice\n"
	  "  --force      load the good lines, even if many lines are bad\n"
	  "  --allow-empty  a list without any key is not an error\n"
	  "  --format F   the format of the lists; 'kcuckoo formats' shows all formats. Without\n"
	  "               this option, dshield, hosts, ipfilter, ipset, json and p2p are\n"
	  "               recognized, and any other list is read in the format 'list'\n"
	  "  --column C   the lists are tables (CSV), and the keys are in the column C: its\n"
	  "               name, or its number (1 is the first); two columns, such as 1,2 or\n"
	  "               start,end, have the first and the last address of a range\n"
	  "  --ranges     two addresses in columns are always the first and the last address\n"
	  "               of a range\n"
	  "  --value V    the value of keys whose line has none; '1.2.3.4 value 7' has one\n"
	  "  --timeout T  the timeout of keys whose line has none; '1.2.3.4 timeout 2h' has one\n"
	  "  --member G   in tar and zip archives, read only files that match G, such as '*.txt'\n"
	  "  --json-key K  in JSON, read addresses under the keys K, such as net,prefix, instead\n"
	  "               of the usual keys\n"
	  "  FILE?where=KEY:VALUE  in JSON, read only addresses in objects whose key KEY has\n"
	  "               this VALUE\n"
	  "  FILE?set=NAME  in the output of ipset or nft, read only the set NAME\n"
	  "  mmdb:FILE?country=DE,FR  in a MaxMind database, read the networks of these countries\n"
	  "  mmdb:FILE?asn=64500  read the networks of this autonomous system\n"
	  "  mmdb:FILE?value=country  read the networks of all countries; the value of a network\n"
	  "               is the number of its country in ISO 3166-1\n"
	  "  --hex        byte strings are in hexadecimal\n"
	  "  --binary     lines are not changed: nothing is unpacked or converted, and a\n"
	  "               carriage return at the end of a line belongs to the byte string\n" },
	{ "apply", verb_apply, LISTS | ARGS_VALUE | ARGS_TIMEOUT | COLUMNS |
			       ARGS_ALLOW_EMPTY | ARGS_FORCE | ARGS_APPLY |
			       ARGS_CHECK | ARGS_CONFIG, 0, -1,
	  "[NAME LIST...] [--check] [--config FOLDER] [--boot] [--device DEV] [--exclude LIST] [--optimize] [--dry-run] [--diff] [--min N] [--max-shrink P] [--max-grow P] [--wide] [--bogons] [--skip-own | --keep-own] [--yes] [--confirm [T]] [--force] [--allow-empty] [--format F] [--column C] [--ranges] [--value V] [--timeout T] [--member GLOB] [--json-key KEY] [--hex | --binary]",
	  "Make a filter equal to lists, in one step: add what is new, remove what is gone.\n"
	  "The filter is created if it does not exist. If anything fails, or a list looks\n"
	  "wrong, nothing is changed. The lists are read as with load.\n"
	  "  --exclude L  leave out the addresses of the list L; a wider prefix is split, so\n"
	  "               that only these addresses are missing from it\n"
	  "  --optimize   replace the prefixes by the fewest that cover the same addresses\n"
	  "  --dry-run    change nothing; the exit code is 1 if there is a difference\n"
	  "  --diff       print each key that is added (+), removed (-) or changed (~)\n"
	  "  --min N      refuse lists with fewer than N keys\n"
	  "  --max-shrink P  refuse lists with more than P percent fewer keys than the filter\n"
	  "               has members; default: 50; no limit for a filter of up to 100 members\n"
	  "  --max-grow P refuse lists with more than P percent more keys or addresses than the\n"
	  "               filter has; by default, the addresses may double, or increase by 4\n"
	  "               million, whichever is more\n"
	  "  --wide       accept networks wider than /6 (IPv6: /12), more than a tenth of all\n"
	  "               IPv4 addresses, and any increase if --max-grow is not given\n"
	  "  --bogons     keep private and reserved addresses, such as 10.0.0.0/8; by default,\n"
	  "               they are left out\n"
	  "  --skip-own   leave out addresses that this host needs: its own, its gateway, name\n"
	  "               servers and DHCP server, and the other end of the SSH connection. By\n"
	  "               default, apply refuses lists with such addresses if standard error is\n"
	  "               a terminal; otherwise, for example under cron, it leaves them out\n"
	  "  --keep-own   keep addresses that this host needs\n"
	  "  --yes        replace a filter even if packets can add members to it; the members\n"
	  "               that they added and the entries that were reserved are lost\n"
	  "  --confirm [T]  undo the change after the time T, by default 120 (seconds), unless\n"
	  "               'kcuckoo confirm' follows\n"
	  "  --allow-empty  a list without any key is not an error\n"
	  "  --force, --format F, --column C, --ranges, --value V, --timeout T, --member G,\n"
	  "  --json-key K, --hex, --binary  as with load\n"
	  "Without NAME, make the filters and rules of the configuration, kcuckoo.conf(5), and\n"
	  "remove those that only an earlier configuration has. Nothing is changed if the\n"
	  "configuration has a mistake, or conflicts with a filter or rule that was made by hand.\n"
	  "  --check      only read the configuration, and print a line for each filter and\n"
	  "               rule, or every mistake with its file and line. Nothing is changed;\n"
	  "               neither the module nor root is needed\n"
	  "  --config F   folder of the configuration, instead of /etc/kcuckoo\n"
	  "  --boot       if the configuration has mistakes, apply the one that was applied last;\n"
	  "               also restore the saved members of filters with keep = yes\n"
	  "  --device D   only attach rules of hook xdp, and only to the device D, as in the\n"
	  "               configuration that is in effect\n"
	  "  --confirm [T]  undo the change of all filters and rules after the time T, unless\n"
	  "               'kcuckoo confirm' follows; a reboot before starts the old configuration\n"
	  "Exit code 0: the filter is equal to the lists, or all is as the configuration says.\n"
	  "1: with --dry-run, there is a difference; without NAME, a list or filter failed.\n"
	  "2: error.\n" },
	{ "add", verb_add, KEYS | ARGS_STRICT | ARGS_ABSENT | ARGS_VALUE |
			   ARGS_TIMEOUT | COLUMNS | ARGS_ALLOW_EMPTY, 1, -1,
	  "NAME KEY... [-f FILE] [--value V] [--timeout T] [--absent] [--strict] [--allow-empty] [--format F] [--column C] [--ranges] [--member GLOB] [--json-key KEY] [--hex | --binary]",
	  "Add addresses, prefixes or ranges, or byte strings.\n"
	  "  -f FILE      take keys from a list; - is standard input\n"
	  "  --value V    the value of the keys; a value on a line of a list takes precedence\n"
	  "  --timeout T  the keys expire after T: 90 (seconds), 10m, 1h30m, 7d; with 0, -1\n"
	  "               or 'never' they do not expire\n"
	  "  --absent     do not change the value or the timeout of keys that are members already\n"
	  "  --strict     change nothing if a key is a member already\n"
	  "  --allow-empty  files without any key are not an error\n"
	  "  --format F, --column C, --ranges  how lists are read, as with load\n"
	  "  --member G   in tar and zip archives, read only files that match G\n"
	  "  --json-key K  in JSON, read addresses under the keys K, as with load\n"
	  "  --hex        byte strings are in hexadecimal\n"
	  "  --binary     lines are not changed, as with load\n" },
	{ "del", verb_del, KEYS | ARGS_STRICT | ARGS_VALUE | COLUMNS |
			   ARGS_COVERED | ARGS_EXACT, 1, -1,
	  "NAME KEY... [-f FILE] [--value V] [--covered] [--strict] [--exact] [--format F] [--column C] [--ranges] [--member GLOB] [--json-key KEY] [--hex | --binary]",
	  "Delete keys. A member must be named as it was added: 192.0.2.1 does not delete\n"
	  "192.0.2.0/24. If another member still covers a key, a warning names that member. In a\n"
	  "filter of fingerprints, name only keys that were added: otherwise another key with the\n"
	  "same fingerprint can be deleted.\n"
	  "  -f FILE    take keys from a list; - is standard input\n"
	  "  --value V  delete a key only if it has this value; a value on a line of a list takes\n"
	  "             precedence; required if a filter of fingerprints has values\n"
	  "  --covered  delete all members that lie inside the given prefixes and ranges, which\n"
	  "             need not be members\n"
	  "  --strict   change nothing if a key is not a member or, with --covered, no member is\n"
	  "             inside it\n"
	  "  --exact    ::ffff:1.2.3.4 is read as that IPv6 address, not as 1.2.3.4\n"
	  "  --format F, --column C, --ranges  how lists are read, as with load\n"
	  "  --member G  in tar and zip archives, read only files that match G\n"
	  "  --json-key K  in JSON, read addresses under the keys K, as with load\n"
	  "  --hex      byte strings are in hexadecimal\n"
	  "  --binary   lines are not changed, as with load\n" },
	{ "update", verb_update, KEYS | ARGS_STRICT | ARGS_VALUE | ARGS_OLD | COLUMNS, 1, -1,
	  "NAME KEY... --value V [--old V] [-f FILE] [--strict] [--format F] [--column C] [--ranges] [--member GLOB] [--json-key KEY] [--hex | --binary]",
	  "Give keys another value.\n"
	  "  --value V  the new value; a value on a line of a list takes precedence\n"
	  "  --old V    change a key only if it has this value; required in a filter of\n"
	  "             fingerprints\n"
	  "  -f FILE    take keys from a list; - is standard input\n"
	  "  --strict   change nothing if a key is not a member\n"
	  "  --format F, --column C, --ranges  how lists are read, as with load\n"
	  "  --member G  in tar and zip archives, read only files that match G\n"
	  "  --json-key K  in JSON, read addresses under the keys K, as with load\n"
	  "  --hex      byte strings are in hexadecimal\n"
	  "  --binary   lines are not changed, as with load\n" },
	{ "test", verb_test, KEYS | ARGS_EXACT | ARGS_FORMAT | ARGS_COLUMN, 1, -1,
	  "NAME KEY... [-f FILE] [--exact] [--format F] [--column C] [--member GLOB] [--json-key KEY] [--hex | --binary]",
	  "Print \"1 KEY\" for a key that is in the filter, and \"0 KEY\" for a key that is not. An\n"
	  "address or prefix is in the filter if one member covers all of it. In an exact filter,\n"
	  "a tab and the longest member that covers the key follow the key. In a filter with\n"
	  "values, the value of the key comes last.\n"
	  "  -f FILE     take keys from a list; - is standard input\n"
	  "  --exact     a key is in the filter only if it is itself a member;\n"
	  "              ::ffff:1.2.3.4 is read as that IPv6 address, not as 1.2.3.4\n"
	  "  --format F, --column C  how lists are read, as with load\n"
	  "  --member G  in tar and zip archives, read only files that match G\n"
	  "  --json-key K  in JSON, read addresses under the keys K, as with load\n"
	  "  --hex       byte strings are in hexadecimal\n"
	  "  --binary    lines are not changed, as with load\n"
	  "Exit code 0: all keys are in the filter. 1: some are not. 2: error.\n" },
	{ "formats", verb_formats, COLUMNS | ARGS_MEMBER | ARGS_JSON_KEY, 0, -1,
	  "[FILE...] [--format F] [--column C] [--ranges] [--member GLOB] [--json-key KEY]",
	  "Show how lists are read; no filter is needed. For each list, print its format, its\n"
	  "first 10 lines, each with its key or the reason why it has none, and counts. Without\n"
	  "FILE, print all formats.\n"
	  "  --format F, --column C, --ranges  how lists are read, as with load\n"
	  "  --member G  in tar and zip archives, read only files that match G\n"
	  "  --json-key K  in JSON, read addresses under the keys K, as with load\n" },
	{ "list", verb_list, 0, 0, 1,
	  "[NAME]",
	  "Without NAME, print the names of all filters; the word 'managed' follows a name that\n"
	  "the configuration has made. With NAME, print the members of an exact filter, each with\n"
	  "its value and its remaining seconds, if the filter has values or timeouts.\n" },
	{ "info", verb_info, 0, 1, 1,
	  "NAME",
	  "Show the parameters of a filter, the number of its members, its memory and its false\n"
	  "positive rate.\n" },
	{ "attach", verb_attach, ARGS_EXIST | ARGS_WAIT, 1, -1,
	  "NAME [hook H] [family ipv4|ipv6|both] [match src|dst] [action drop|count|mark=N|mark=value] [log [group N] [limit N/s]] [allow NAME2] [dev DEV] [mode native|generic] [--wait] [--exist]",
	  "Drop, count or mark the packets whose address is in a filter.\n"
	  "  hook H      prerouting (before defragmentation), input, forward, output;\n"
	  "              ingress: packets that arrive at a device, directly after tc;\n"
	  "              xdp: packets that arrive at a device that has an Ethernet header, before\n"
	  "              tc; only with the actions drop and count\n"
	  "  dev DEV     the device for hooks ingress and xdp; the rule ends when the device is\n"
	  "              removed\n"
	  "  --wait      for hook ingress: the rule belongs to the name DEV, not to the device\n"
	  "              that has it now. The rule waits while no device has the name. DEV can\n"
	  "              be a pattern: 'ppp*'\n"
	  "  mode        for hook xdp: 'native' sees packets in the driver of the device,\n"
	  "              'generic' after the driver\n"
	  "  match       src: look up the source address; dst: look up the destination address\n"
	  "  mark=N      set the mark of packets to N, and let them pass\n"
	  "  mark=value  set the mark to the value of the address in the filter, and let the\n"
	  "              packet pass\n"
	  "  log         write a line to the kernel's log for each packet that is dropped or\n"
	  "              counted\n"
	  "  group N     with log: pass the packets to group N of NFLOG, and not to the\n"
	  "              kernel's log\n"
	  "  limit N/s   with log: log at most N packets in a second; default: 10\n"
	  "  allow       let packets pass whose address is in the filter NAME2, even if it is in\n"
	  "              the filter NAME, too\n"
	  "  --exist     do nothing if the filter already has such a rule; fail if it has one\n"
	  "              with the same hook, match and device that differs otherwise\n"
	  "Default: hook prerouting family both match src action drop.\n"
	  "If the filter does not exist, the rule matches nothing, and waits for the filter.\n" },
	{ "detach", verb_detach, ARGS_ALL, 0, -1,
	  "NAME [hook H] [family F] [match M] [dev DEV] [label L] | --all",
	  "Remove the rules of a filter that have the given hook, family, match, device and\n"
	  "label. A rule with a pattern is removed by its pattern: dev 'ppp*'.\n"
	  "With --all, remove the rules of all filters. While rules exist, the kernel module\n"
	  "cannot be unloaded.\n"
	  "  hook xdp  if another tool removed the XDP program of a rule, the device still keeps\n"
	  "            the filter in use: 'detach NAME hook xdp dev DEV' releases the filter\n" },
	{ "rules", verb_rules, ARGS_ZERO, 0, -1,
	  "[--zero] [NAME...]",
	  "Show all rules, or the rules of the filters NAME: how many packets and bytes each rule\n"
	  "matched, and whether it waits for a filter or a device.\n"
	  "  --zero  also set the counters to zero, in the same step: no packet is lost between\n"
	  "          two such calls. Counters of hook xdp cannot be set to zero\n" },
	{ "explain", verb_explain, ARGS_CONFIG, 1, 4,
	  "ADDRESS [src | dst] [dev DEV] [--config FOLDER]",
	  "Show which filters and members cover an address, which entries of lists cover it, what\n"
	  "each rule does with its packets, and what happens to them at each hook. Nothing is\n"
	  "changed.\n"
	  "  src, dst    explain packets from the address (src) or to it (dst); by default src,\n"
	  "              and also dst if a rule looks up destination addresses\n"
	  "  dev DEV     explain packets that arrive at this device, with the rules of the devices\n"
	  "              below it, such as the device of a VLAN or the ports of a bridge\n"
	  "  --config    folder of the configuration whose lists are searched; by default the\n"
	  "              lists of the configuration that was applied last\n"
	  "Exit code 0: a filter covers the address. 1: none does. 2: error.\n" },
	{ "reserve", verb_reserve, 0, 2, 4,
	  "NAME N [family ipv4|ipv6|both]",
	  "Reserve entries for N more addresses of each family. Only the target KCUCKOO of iptables\n"
	  "needs this: it adds addresses of packets, and cannot enlarge a table.\n" },
	{ "flush", verb_flush, 0, 1, 1,
	  "NAME",
	  "Remove all members of a filter.\n" },
	{ "compact", verb_compact, 0, 1, 1,
	  "NAME",
	  "Give back the memory of deleted and expired members, and the entries that\n"
	  "were reserved.\n" },
	{ "swap", verb_swap, 0, 2, 2,
	  "NAME NAME2",
	  "Exchange the filters of two names, in one step. A rule belongs to a name: after the\n"
	  "swap, the rules of NAME use the filter that was called NAME2 before.\n" },
	{ "merge", verb_merge, 0, 2, 2,
	  "NAME NAME2",
	  "Add all members of NAME2 to NAME, in one step. Both filters must be exact, or one must\n"
	  "have been created with 'like' the other. Two filters of addresses with fingerprints\n"
	  "must also have 'fpr' or 'fixed': otherwise the first load sets the size of their\n"
	  "tables, and tables of different sizes cannot be merged.\n" },
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
	  "Write a snapshot of a filter, compressed and with checksums. Without FILE, or if FILE\n"
	  "is -, it goes to standard output. A snapshot contains the secret of the filter's hash:\n"
	  "keep it private.\n"
	  "  --all FOLDER  write each filter to the file NAME.kcf in the folder\n" },
	{ "restore", verb_restore, ARGS_ALL | ARGS_REPLACE, 1, 3,
	  "FILE [as NAME] [--replace] | --all FOLDER [--replace]",
	  "Create a filter from a snapshot; - is standard input. If the snapshot is damaged,\n"
	  "nothing is changed. Timeouts continue from the remaining time that was saved.\n"
	  "  as NAME    give the filter another name\n"
	  "  --replace  if a filter of that name exists, replace it, in one step\n"
	  "  --all FOLDER  restore each file NAME.kcf of the folder as the filter NAME; if\n"
	  "             one cannot be restored, the others are\n" },
	{ "confirm", verb_confirm, 0, 0, -1,
	  "[within T NAME... | undo]",
	  "Keep a change that waits for its confirmation, of 'apply --confirm' or 'confirm\n"
	  "within'. If the change has cut you off, you cannot confirm it, and it is undone.\n"
	  "  within T NAME...  save the present state of these filters and of their rules, and\n"
	  "                    bring it back after T, such as 120 (seconds) or 2m, unless\n"
	  "                    'kcuckoo confirm' is called before. The state comes back even if\n"
	  "                    the session ends\n"
	  "  undo              bring the state back now\n" },
	{ "rename", verb_rename, 0, 2, 2,
	  "NAME NEWNAME",
	  "Rename a filter. Its rules must be detached first. Rules that wait for a filter of the\n"
	  "new name use it from then on.\n" },
	{ "destroy", verb_destroy, ARGS_IF_EXISTS, 1, 1,
	  "NAME [--if-exists]",
	  "Destroy a filter. Its rules must be detached first.\n"
	  "  --if-exists  it is not an error if no filter has that name\n" },
	{ "down", verb_down, ARGS_SAVE, 0, 0, "[--save]",
	  "Remove all filters and rules that a configuration made. Filters and rules that were\n"
	  "made by hand stay, and are listed. A filter that such a rule uses stays, too. If the\n"
	  "configuration waits for its confirmation, the earlier one is not restored.\n"
	  "  --save       first save the members of filters with keep = yes; if that fails,\n"
	  "               nothing is removed\n"
	  "Exit code 0: all was removed. 1: a rule that was made by hand still uses a filter.\n"
	  "2: error.\n" },
	{ "doctor", verb_doctor, ARGS_CONFIG, 0, 0, "[--config FOLDER]",
	  "Look for problems that keep kcuckoo from working, and print a command or advice\n"
	  "for each. The checks are of the module, kernel headers, Secure Boot, the device file,\n"
	  "plugins of iptables, limits, rules, the configuration, lists, saved state and units of\n"
	  "systemd. Nothing is changed. Without root or without the module, some checks print\n"
	  "'not checked'.\n"
	  "Exit code 0: no problems. 1: problems found. 2: error.\n" },
	{ "feeds", verb_feeds, 0, 0, 1,
	  "[FOLDER]",
	  "List the public lists that a configuration can name with 'feed = NAME', each with its\n"
	  "server and licence. With FOLDER, list the catalogue in this folder instead of the\n"
	  "installed catalogue.\n" },
	{ "fetch", verb_fetch, ARGS_NOW | ARGS_CONFIG, 0, -1,
	  "[LIST...] [--now] [--config FOLDER]",
	  "Download the lists of the configuration that have a url, over HTTPS. A new copy of a\n"
	  "list replaces the last good copy only if it passes all checks. If a list fails, the\n"
	  "other lists are still fetched. Without LIST, only the lists are fetched whose refresh\n"
	  "time has passed. Run by root, the command becomes the user _kcuckoo, if that user\n"
	  "exists.\n"
	  "  --now     fetch the lists even if they are not due, or if a server asked to wait\n"
	  "  --config  folder of the configuration, instead of /etc/kcuckoo\n"
	  "Exit code 0: no list failed. 1: a list failed or was refused; without names and --now,\n"
	  "a list has no copy, has one older than 7 days, or was refused. 2: error.\n" },
	{ "accept", verb_accept, ARGS_CONFIG, 1, 1,
	  "LIST [--config FOLDER]",
	  "Accept the copy of a list that 'kcuckoo fetch' has refused, for example because it is\n"
	  "much shorter than the last good copy. The refused copy becomes the last good copy.\n" },
	{ "status", verb_status, ARGS_CONFIG, 0, 0, "[--config FOLDER]",
	  "Print the state of the lists, filters and rules of the configuration.\n"
	  "Exit code 0: all is as the configuration says. 1: a rule waits for a device or cannot\n"
	  "match, a list is stale, was refused or is missing, or the filters and rules differ\n"
	  "from the configuration. 2: error.\n" },
	{ "monitor", verb_monitor, 0, 0, -1, "[NAME...]",
	  "Print a line for each event of filters and rules, until the command is interrupted.\n"
	  "With NAME, print only the events of these filters and of their rules.\n" },
	{ "import", verb_import, ARGS_IMPORT, 0, 1,
	  "--from-ipset [FILE] [--rules FILE] | --from-nft [FILE] [--to FOLDER] [--skip]",
	  "Write a configuration, kcuckoo.conf(5), with the sets of ipset or nft and the rules\n"
	  "that drop packets by them. Neither the module nor root is needed, and no set or rule\n"
	  "is changed. FILE, or standard input, has the output of the other program. If a set or\n"
	  "rule cannot be taken over, it is printed with the reason, and nothing is written.\n"
	  "  --from-ipset  the output of 'ipset save'\n"
	  "  --from-nft    the output of 'nft -j list ruleset'\n"
	  "  --rules FILE  the output of iptables-save or ip6tables-save, with the rules of the\n"
	  "                sets of ipset; can be given several times\n"
	  "  --to FOLDER   write import.conf and a list for each set to this folder, which must\n"
	  "                exist already; no file is replaced. Without this option, only print\n"
	  "                the configuration\n"
	  "  --skip        leave out what cannot be taken over, and list it in comments\n"
	  "Then check the configuration: kcuckoo apply --check --config FOLDER\n" },
	{ "stats", verb_stats, ARGS_PROMETHEUS | ARGS_CONFIG, 0, 1,
	  "[--prometheus [FILE] [--config FOLDER]]",
	  "Show the totals of all filters, the limits, and the version and features of the\n"
	  "module.\n"
	  "  --prometheus  write metrics of filters, rules, lists and the configuration, for\n"
	  "                Prometheus: to standard output, or to FILE, which is replaced in one\n"
	  "                step. A FILE that exists must be a regular file\n" },
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
	puts("\n  -j, --json         print data as JSON\n"
	     "  -q, --quiet        print no summaries and no progress on standard error\n"
	     "  -v, --verbose      print more messages on standard error\n"
	     "  -n, --netns NETNS  work on a network namespace, given by its name or path\n"
	     "  -h, --help         print this\n"
	     "  -V, --version      print the version\n"
	     "\nExit code 0: success, or \"yes\". 1: \"no\", only from test, compare, explain,\n"
	     "apply, down, fetch, status and doctor. 2: error.\n"
	     "See 'kcuckoo help VERB' and kcuckoo(8).");
}
