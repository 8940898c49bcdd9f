// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: the table of verbs, and help from it
 */
#include <stdio.h>
#include <string.h>

#include "args.h"

const struct verb verbs[] = {
	{ "create", verb_create, 0, 1, -1,
	  "NAME [type inet] [capacity N] [bucket 1|2|4|8] [hash jhash]",
	  "Make an empty filter for IPv4 and IPv6 addresses and prefixes.\n"
	  "  capacity N  refuse more than N members; K, M and G are thousand, million\n"
	  "              and 10^9. Without it there is no limit: filters grow on demand\n"
	  "  bucket N    entries per bucket, 4 by default\n" },
	{ "load", verb_load, ARGS_STRICT, 2, -1,
	  "NAME FILE... [--strict]",
	  "Add all addresses, prefixes and ranges of lists, gzip and zstd included;\n"
	  "- is standard input. Bad lines are told and skipped.\n"
	  "  --strict  change nothing if a line is bad, or a key is there already\n" },
	{ "add", verb_add, ARGS_FILE | ARGS_STRICT, 1, -1,
	  "NAME KEY... [-f FILE] [--strict]",
	  "Add addresses, prefixes or ranges.\n"
	  "  -f FILE   take keys from a list; - is standard input\n"
	  "  --strict  change nothing if one is a member already\n" },
	{ "del", verb_del, ARGS_FILE | ARGS_STRICT, 1, -1,
	  "NAME KEY... [-f FILE] [--strict]",
	  "Delete addresses, prefixes or ranges, as they were added.\n"
	  "  -f FILE   take keys from a list; - is standard input\n"
	  "  --strict  change nothing if one is no member\n" },
	{ "test", verb_test, ARGS_FILE, 1, -1,
	  "NAME KEY... [-f FILE]",
	  "Print \"1 KEY\" or \"0 KEY\" for each key. An address is in when any member covers\n"
	  "it, as for a packet; a shorter prefix when it is a member itself.\n"
	  "Exit code 0: all are in. 1: some are not. 2: error.\n" },
	{ "list", verb_list, 0, 0, 1,
	  "[NAME]",
	  "Print the names of all filters, or the members of one.\n" },
	{ "info", verb_info, 0, 1, 1,
	  "NAME",
	  "Show what a filter is, holds and costs.\n" },
	{ "attach", verb_attach, 0, 1, -1,
	  "NAME [hook H] [family ipv4|ipv6|both] [match src|dst] [action drop|count]",
	  "Drop the packets whose address is in a filter, or only count them.\n"
	  "  hook H    prerouting (before connection tracking), input, forward or output\n"
	  "  match     look at the source address, or the destination\n"
	  "Without more words: hook prerouting family both match src action drop.\n" },
	{ "detach", verb_detach, ARGS_ALL, 0, -1,
	  "NAME [hook H] [family F] [match M] | --all",
	  "Remove all rules of a filter that fit, or all rules there are.\n" },
	{ "rules", verb_rules, 0, 0, 0,
	  "",
	  "Show all rules and how many packets they matched.\n" },
	{ "flush", verb_flush, 0, 1, 1,
	  "NAME",
	  "Remove all members of a filter.\n" },
	{ "swap", verb_swap, 0, 2, 2,
	  "NAME NAME2",
	  "Exchange two filters at once. Rules follow the name.\n" },
	{ "rename", verb_rename, 0, 2, 2,
	  "NAME NEWNAME",
	  "Give a filter another name.\n" },
	{ "destroy", verb_destroy, 0, 1, 1,
	  "NAME",
	  "Destroy a filter. It must be detached before.\n" },
	{ "stats", verb_stats, 0, 0, 0,
	  "",
	  "Show figures of all filters together, and the limits.\n" },
	{ NULL, NULL, 0, 0, 0, NULL, NULL }
};

static const char * const later_verbs[] = {
	"apply",
	"save",
	"restore",
	NULL
};

bool is_later_verb(const char *name)
{
	const char * const *later;

	for (later = later_verbs; *later; later++)
		if (!strcmp(*later, name))
			return true;
	return false;
}

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
	puts("\nLarge blocklists in the kernel: exact sets of IPv4 and IPv6 addresses and\n"
	     "prefixes that drop packets.\n");
	for (verb = verbs; verb->name; verb++)
		printf("  %s%s%s\n", verb->name, *verb->usage ? " " : "",
		       verb->usage);
	puts("\n  -j        data as JSON\n"
	     "  -q        no summaries and no progress on standard error\n"
	     "  -v        more words on standard error\n"
	     "  -n NETNS  work on a network namespace, by name or path\n"
	     "\nExit code: 0 yes or done, 1 only for \"no\" (test), 2 for every error.\n"
	     "'kcuckoo help VERB' says more, kcuckoo(8) says all.");
}
