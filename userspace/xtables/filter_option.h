/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions parse and print the arguments of the options --match-filter, --add
 * and --del, for libxt_kcuckoo.c and libxt_KCUCKOO.c. The first argument is the name of a
 * filter. The second argument is "src" or "dst", for the source or destination address of
 * the packet.
 */
#ifndef KCUCKOO_XTABLES_FILTER_OPTION_H
#define KCUCKOO_XTABLES_FILTER_OPTION_H

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <xtables.h>

#include <linux/netfilter/xt_kcuckoo.h>

static inline int is_filter_name(const char *name)
{
	size_t i, length = strlen(name);

	if (!length || length >= KCUCKOO_NAME_SIZE)
		return 0;
	for (i = 0; i < length; i++)
		if (!isascii(name[i]) ||
		    (!isalnum(name[i]) && !strchr("_.:-", name[i])))
			return 0;
	return 1;
}

/*
 * Parse the arguments of @option: optarg, and the next word of the command line. Return:
 * XT_KCUCKOO_DST for "dst", 0 for "src". If the arguments are invalid, print an error
 * and exit.
 */
static inline __u32 filter_option_parse(char **argv, const char *option,
					__u8 name[KCUCKOO_NAME_SIZE])
{
	const char *address = argv[optind];

	if (!is_filter_name(optarg))
		xtables_error(PARAMETER_PROBLEM,
			      "%s: '%s' is not a valid filter name: 1 to 31 letters, digits and the characters _ . : -",
			      option, optarg);
	if (!address || *address == '-' || *address == '!')
		xtables_error(PARAMETER_PROBLEM,
			      "%s %s needs 'src' or 'dst' after it: the packet's source or destination address",
			      option, optarg);
	if (strcmp(address, "src") && strcmp(address, "dst"))
		xtables_error(PARAMETER_PROBLEM,
			      "%s %s: '%s' is neither 'src' nor 'dst'", option,
			      optarg, address);
	optind++;
	memset(name, 0, KCUCKOO_NAME_SIZE);
	memcpy(name, optarg, strlen(optarg));
	return strcmp(address, "dst") ? 0 : XT_KCUCKOO_DST;
}

static inline void filter_option_print(const char *option, const __u8 *name,
				       __u32 flags)
{
	printf(" %s %.*s %s", option, KCUCKOO_NAME_SIZE, (const char *)name,
	       flags & XT_KCUCKOO_DST ? "dst" : "src");
}

#endif /* KCUCKOO_XTABLES_FILTER_OPTION_H */
