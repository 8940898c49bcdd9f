// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: the options and words behind a verb
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "message.h"
#include "words.h"

enum {
	OPTION_STRICT = 256,
	OPTION_ALL,
	OPTION_LATER,
	OPTION_GLOBAL,
};

static const struct option options[] = {
	{ "strict",	no_argument,		NULL, OPTION_STRICT },
	{ "all",	no_argument,		NULL, OPTION_ALL },
	{ "help",	no_argument,		NULL, 'h' },
	{ "json",	no_argument,		NULL, OPTION_GLOBAL },
	{ "quiet",	no_argument,		NULL, OPTION_GLOBAL },
	{ "verbose",	no_argument,		NULL, OPTION_GLOBAL },
	{ "netns",	optional_argument,	NULL, OPTION_GLOBAL },
	{ "value",	optional_argument,	NULL, OPTION_LATER },
	{ "timeout",	optional_argument,	NULL, OPTION_LATER },
	{ "hex",	no_argument,		NULL, OPTION_LATER },
	{ "diff",	no_argument,		NULL, OPTION_LATER },
	{ NULL, 0, NULL, 0 }
};

static int not_here(const struct cli *cli, const char *option)
{
	return error("'%s' has no option %s: see 'kcuckoo help %s'",
		     cli->verb->name, option, cli->verb->name);
}

static int unknown_option(const struct cli *cli, const char *option)
{
	error("unknown option '%s': see 'kcuckoo help %s'", option,
	      cli->verb->name);
	return hint(-1, "what stands behind '--' is no option");
}

static int parse_option(struct cli *cli, struct args *args, int option,
			int index, char **argv)
{
	switch (option) {
	case 'f':
		if (!(cli->verb->options & ARGS_FILE))
			return not_here(cli, "-f");
		args->files[args->file_count++] = optarg;
		return 0;
	case OPTION_STRICT:
		if (!(cli->verb->options & ARGS_STRICT))
			return not_here(cli, "--strict");
		args->strict = true;
		return 0;
	case OPTION_ALL:
		if (!(cli->verb->options & ARGS_ALL))
			return not_here(cli, "--all");
		args->all = true;
		return 0;
	case 'h':
		usage_verb(cli->verb->name);
		return 1;
	case OPTION_LATER:
		return error("this version does not have the option --%s yet",
			     options[index].name);
	case OPTION_GLOBAL:
		return error("--%s stands before the verb: kcuckoo --%s %s ...",
			     options[index].name, options[index].name,
			     cli->verb->name);
	case 'j':
	case 'q':
	case 'v':
	case 'n':
		return error("-%c stands before the verb: kcuckoo -%c %s ...",
			     option, option, cli->verb->name);
	case ':':
		return error("-%c needs a file behind it, or '-' for standard input",
			     optopt);
	default:
		if (optopt && optopt < OPTION_STRICT)
			return unknown_option(cli, (char []){ '-', optopt, 0 });
		return unknown_option(cli, argv[optind - 1]);
	}
}

int args_parse(struct cli *cli, struct args *args, int argc, char **argv)
{
	const struct verb *verb = cli->verb;
	int option, index, ret;

	memset(args, 0, sizeof(*args));
	args->files = calloc(argc + 1, sizeof(*args->files));
	if (!args->files)
		return error("not enough memory");

	opterr = 0;
	optind = 0;	/* begin anew, and look behind words for options */
	while ((option = getopt_long(argc, argv, ":f:hjqvn", options,
				     &index)) != -1) {
		ret = parse_option(cli, args, option, index, argv);
		if (ret)
			return ret;
	}
	args->words = argv + optind;
	args->word_count = argc - optind;

	if (args->word_count < verb->least)
		return error("'%s' needs more: kcuckoo %s %s", verb->name,
			     verb->name, verb->usage);
	if (verb->most >= 0 && args->word_count > verb->most)
		return error("'%s' does not take '%s': kcuckoo %s %s",
			     verb->name, args->words[verb->most], verb->name,
			     verb->usage);
	return 0;
}

void args_free(struct args *args)
{
	free(args->files);
}
