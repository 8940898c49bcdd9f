// SPDX-License-Identifier: GPL-2.0-only
/*
 * This plugin lets iptables, ip6tables and their nft variants use the target KCUCKOO,
 * which adds an address of a packet to a filter, or deletes it from a filter.
 */
#include <fcntl.h>
#include <getopt.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../cli/duration.h"
#include "filter_option.h"

enum {
	OPTION_ADD = 1,
	OPTION_DEL,
	OPTION_TIMEOUT,
	OPTION_LIMIT,
};

static const struct option kcuckoo_options[] = {
	{ "add", required_argument, NULL, OPTION_ADD },
	{ "del", required_argument, NULL, OPTION_DEL },
	{ "timeout", required_argument, NULL, OPTION_TIMEOUT },
	{ "limit", required_argument, NULL, OPTION_LIMIT },
	{ NULL, 0, NULL, 0 },
};

static void kcuckoo_help(void)
{
	printf("KCUCKOO target options:\n"
	       "  --add NAME src|dst   add the packet's source or destination address to the\n"
	       "                       filter NAME, which must be exact and created with\n"
	       "                       'hash siphash'; 'kcuckoo reserve NAME N' grows it\n"
	       "  --del NAME src|dst   delete the address from the filter NAME\n"
	       "  --timeout T          with --add: the address expires after T: 90, 10m, 2h;\n"
	       "                       0, never: no expiry (default: the filter's timeout)\n"
	       "  --limit N            with --add: change at most N members per second (%d)\n"
	       "The packet always continues to the next rule. See kcuckoo(8).\n",
	       XT_KCUCKOO_LIMIT_DEFAULT);
}

static void kcuckoo_init(struct xt_entry_target *target)
{
	struct xt_kcuckoo_tginfo *info = (void *)target->data;

	info->limit = XT_KCUCKOO_LIMIT_DEFAULT;
}

static __u32 parse_number(const char *option, __u32 min, __u32 max)
{
	unsigned int number;

	if (!xtables_strtoui(optarg, NULL, &number, min, max))
		xtables_error(PARAMETER_PROBLEM,
			      "%s: '%s' is not a number from %u to %u", option,
			      optarg, min, max);
	return number;
}

static __u32 parse_time(const char *option)
{
	const char *why;
	__u32 seconds;

	why = duration_scan(optarg, strlen(optarg), &seconds);
	if (why)
		xtables_error(PARAMETER_PROBLEM, "%s '%s': %s", option, optarg,
			      why);
	return seconds;
}

static void parse_filter(char **argv, const char *option,
			 struct xt_kcuckoo_tginfo *info, __u32 flag)
{
	if (info->flags & (XT_KCUCKOO_ADD | XT_KCUCKOO_DEL))
		xtables_error(PARAMETER_PROBLEM,
			      "-j KCUCKOO takes one --add or one --del: use another rule for the other");
	info->flags |= flag | filter_option_parse(argv, option, info->name);
}

static int kcuckoo_parse(int c, char **argv, int invert, unsigned int *flags,
			 const void *entry, struct xt_entry_target **target)
{
	struct xt_kcuckoo_tginfo *info = (void *)(*target)->data;

	(void)entry;
	if (c < OPTION_ADD || c > OPTION_LIMIT)
		return 0;
	if (invert)
		xtables_error(PARAMETER_PROBLEM,
			      "the options of -j KCUCKOO take no '!'");
	if (*flags & 1U << c)
		xtables_error(PARAMETER_PROBLEM,
			      "an option of -j KCUCKOO was given twice: --%s",
			      kcuckoo_options[c - 1].name);
	switch (c) {
	case OPTION_ADD:
		parse_filter(argv, "--add", info, XT_KCUCKOO_ADD);
		break;
	case OPTION_DEL:
		parse_filter(argv, "--del", info, XT_KCUCKOO_DEL);
		info->limit = 0;
		break;
	case OPTION_TIMEOUT:
		info->timeout = parse_time("--timeout");
		info->flags |= XT_KCUCKOO_TIMEOUT;
		break;
	case OPTION_LIMIT:
		info->limit = parse_number("--limit", 1, XT_KCUCKOO_LIMIT_MAX);
	}
	*flags |= 1U << c;
	return 1;
}

static int read_filter(const struct xt_kcuckoo_tginfo *info,
		       struct kcuckoo_ioc_info *filter)
{
	int fd = open("/dev/kcuckoo", O_RDWR | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return -1;
	memset(filter, 0, sizeof(*filter));
	filter->size = sizeof(*filter);
	memcpy(filter->name, info->name, sizeof(filter->name));
	ret = ioctl(fd, KCUCKOO_IOC_INFO, filter);
	close(fd);
	return ret;
}

/* Only a warning, because a suitable filter can get this name later. */
static void warn_unfit(const struct xt_kcuckoo_tginfo *info)
{
	struct kcuckoo_ioc_info filter;

	if (read_filter(info, &filter))
		return;
	if (filter.type != KCUCKOO_TYPE_INET || filter.tag_bits ||
	    filter.hash != KCUCKOO_HASH_SIPHASH)
		fprintf(stderr,
			"Warning: packets cannot add to the filter '%s': it is not an exact filter of addresses that was created with 'hash siphash'\n",
			(const char *)info->name);
	else if (info->timeout && !(filter.create_flags & KCUCKOO_CREATE_TIMEOUT))
		fprintf(stderr,
			"Warning: packets cannot add to the filter '%s' with a timeout: the filter was created without 'timeout'\n",
			(const char *)info->name);
}

static void kcuckoo_check(struct xt_fcheck_call *call)
{
	const struct xt_kcuckoo_tginfo *info = call->data;
	unsigned int flags = call->xflags;

	if (!(flags & (1U << OPTION_ADD | 1U << OPTION_DEL)))
		xtables_error(PARAMETER_PROBLEM,
			      "-j KCUCKOO needs --add NAME src|dst or --del NAME src|dst");
	if (flags & 1U << OPTION_DEL &&
	    flags & (1U << OPTION_TIMEOUT | 1U << OPTION_LIMIT))
		xtables_error(PARAMETER_PROBLEM,
			      "--timeout and --limit are for --add, not for --del");
	if (info->flags & XT_KCUCKOO_ADD)
		warn_unfit(info);
}

/* @lead: text before each option: "--" to save the rule, "" to list the rule. */
static void print_options(const struct xt_entry_target *target,
			  const char *lead)
{
	const struct xt_kcuckoo_tginfo *info = (const void *)target->data;
	char option[8];

	snprintf(option, sizeof(option), "%s%s", lead,
		 info->flags & XT_KCUCKOO_ADD ? "add" : "del");
	filter_option_print(option, info->name, info->flags);
	if (info->flags & XT_KCUCKOO_TIMEOUT)
		printf(" %stimeout %u", lead, info->timeout);
	if (info->flags & XT_KCUCKOO_ADD &&
	    info->limit != XT_KCUCKOO_LIMIT_DEFAULT)
		printf(" %slimit %u", lead, info->limit);
}

static void kcuckoo_print(const void *ip, const struct xt_entry_target *target,
			  int numeric)
{
	(void)ip;
	(void)numeric;
	printf(" KCUCKOO");
	print_options(target, "");
}

static void kcuckoo_save(const void *ip, const struct xt_entry_target *target)
{
	(void)ip;
	print_options(target, "--");
}

static struct xtables_target kcuckoo_target = {
	.version	= XTABLES_VERSION,
	.name		= "KCUCKOO",
	.family		= NFPROTO_UNSPEC,
	.size		= XT_ALIGN(sizeof(struct xt_kcuckoo_tginfo)),
	.userspacesize	= offsetof(struct xt_kcuckoo_tginfo, adder),
	.init		= kcuckoo_init,
	.help		= kcuckoo_help,
	.parse		= kcuckoo_parse,
	.x6_fcheck	= kcuckoo_check,
	.print		= kcuckoo_print,
	.save		= kcuckoo_save,
	.extra_opts	= kcuckoo_options,
};

static void __attribute__((constructor)) kcuckoo_register(void)
{
	xtables_register_target(&kcuckoo_target);
}
