// SPDX-License-Identifier: GPL-2.0-only
/*
 * This plugin lets iptables, ip6tables and their nft variants use the match kcuckoo,
 * which matches packets whose address is in a filter.
 */
#include <getopt.h>

#include "filter_option.h"

enum {
	OPTION_FILTER = 1,
};

static const struct option kcuckoo_options[] = {
	{ "match-filter", required_argument, NULL, OPTION_FILTER },
	{ NULL, 0, NULL, 0 },
};

static void kcuckoo_help(void)
{
	puts("kcuckoo match options:\n"
	     "[!] --match-filter NAME src|dst   the packet's source or destination address is\n"
	     "                                  in the filter NAME (not in it). While no\n"
	     "                                  filter of addresses has that name, no packet\n"
	     "                                  matches, with or without '!'. See kcuckoo(8)");
}

static int kcuckoo_parse(int c, char **argv, int invert, unsigned int *flags,
			 const void *entry, struct xt_entry_match **match)
{
	struct xt_kcuckoo_mtinfo *info = (void *)(*match)->data;

	(void)entry;
	if (c != OPTION_FILTER)
		return 0;
	if (*flags)
		xtables_error(PARAMETER_PROBLEM,
			      "--match-filter was given twice: begin the second with another '-m kcuckoo'");
	info->flags = filter_option_parse(argv, "--match-filter", info->name);
	if (invert)
		info->flags |= XT_KCUCKOO_INVERT;
	*flags = 1;
	return 1;
}

static void kcuckoo_check(unsigned int flags)
{
	if (!flags)
		xtables_error(PARAMETER_PROBLEM,
			      "-m kcuckoo needs --match-filter NAME src|dst");
}

static void print_options(const struct xt_entry_match *match,
			  const char *option)
{
	const struct xt_kcuckoo_mtinfo *info = (const void *)match->data;

	if (info->flags & XT_KCUCKOO_INVERT)
		printf(" !");
	filter_option_print(option, info->name, info->flags);
}

static void kcuckoo_print(const void *ip, const struct xt_entry_match *match,
			  int numeric)
{
	(void)ip;
	(void)numeric;
	print_options(match, "match-filter");
}

static void kcuckoo_save(const void *ip, const struct xt_entry_match *match)
{
	(void)ip;
	print_options(match, "--match-filter");
}

static struct xtables_match kcuckoo_match = {
	.version	= XTABLES_VERSION,
	.name		= "kcuckoo",
	.family		= NFPROTO_UNSPEC,
	.size		= XT_ALIGN(sizeof(struct xt_kcuckoo_mtinfo)),
	.userspacesize	= offsetof(struct xt_kcuckoo_mtinfo, slot),
	.help		= kcuckoo_help,
	.parse		= kcuckoo_parse,
	.final_check	= kcuckoo_check,
	.print		= kcuckoo_print,
	.save		= kcuckoo_save,
	.extra_opts	= kcuckoo_options,
};

static void __attribute__((constructor)) kcuckoo_register(void)
{
	xtables_register_match(&kcuckoo_match);
}
