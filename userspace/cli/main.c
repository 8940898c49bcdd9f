// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file has main(), which parses the global options, finds the verb and
 * runs it.
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "json.h"
#include "keywords.h"
#include "message.h"

static const struct option options[] = {
	{ "json",	no_argument,		NULL, 'j' },
	{ "quiet",	no_argument,		NULL, 'q' },
	{ "verbose",	no_argument,		NULL, 'v' },
	{ "netns",	required_argument,	NULL, 'n' },
	{ "help",	no_argument,		NULL, 'h' },
	{ "version",	no_argument,		NULL, 'V' },
	{ NULL, 0, NULL, 0 }
};

static int unknown_verb(const char *name)
{
	const struct verb *verb;
	char buf[160];

	for (verb = verbs; verb->name; verb++) {
		if (is_near(name, verb->name)) {
			error("there is no verb '%s': did you mean '%s'?",
			      name, verb->name);
			return EXIT_ERROR;
		}
	}
	error("there is no verb '%s': 'kcuckoo help' lists all",
	      escape(name, strlen(name), buf, sizeof(buf)));
	return EXIT_ERROR;
}

static int run_help(int argc, char **argv)
{
	char buf[64];

	if (argc > 2) {
		error("'help' does not take '%s': kcuckoo help [VERB]",
		      escape(argv[2], strlen(argv[2]), buf, sizeof(buf)));
		return EXIT_ERROR;
	}
	/* 'help help' prints the same as 'help'. */
	if (argc > 1 && strcmp(argv[1], "help"))
		return usage_verb(argv[1]) ? unknown_verb(argv[1]) : EXIT_YES;
	usage_full();
	return EXIT_YES;
}

static int run_verb(struct cli *cli, int argc, char **argv)
{
	struct args args;
	int ret;

	if (!strcmp(argv[0], "help"))
		return run_help(argc, argv);
	cli->verb = verb_find(argv[0]);
	if (!cli->verb)
		return unknown_verb(argv[0]);

	ret = args_parse(cli, &args, argc, argv);
	if (!ret)
		ret = cli->verb->run(cli, &args);
	else if (ret > 0)
		ret = EXIT_YES;
	kcuckoo_close(cli->handle);
	args_free(&args);
	return ret < 0 ? EXIT_ERROR : ret;
}

static void option_error(const char *option)
{
	/*
	 * For a known option without an argument, getopt_long() fails only if a
	 * value is attached, as in "--json=x".
	 */
	if (optopt && strchr("jqvhV", optopt))
		error("option '%.*s' takes no value: see 'kcuckoo help'",
		      (int)strcspn(option, "="), option);
	else if (optopt)
		error("unknown option '-%c' before the verb: see 'kcuckoo help'",
		      optopt);
	else if (is_ambiguous(options, option))
		error("option '%s' is ambiguous: see 'kcuckoo help'",
		      option);
	else
		error("unknown option '%s' before the verb: see 'kcuckoo help'",
		      option);
}

/* Return: 0 to continue, or 1 + the exit code to end the command. */
static int global_option(struct cli *cli, int option, char **argv)
{
	switch (option) {
	case 'j':
		cli->json = true;
		return 0;
	case 'q':
		cli->quiet = true;
		return 0;
	case 'v':
		cli->verbose = true;
		return 0;
	case 'n':
		cli->netns = optarg;
		return 0;
	case 'h':
		usage_full();
		return 1 + EXIT_YES;
	case 'V':
		puts("kcuckoo " VERSION);
		return 1 + EXIT_YES;
	case ':':
		error("-n needs a network namespace");
		return 1 + EXIT_ERROR;
	default:
		option_error(argv[optind - 1]);
		return 1 + EXIT_ERROR;
	}
}

static int run(int argc, char **argv)
{
	struct cli cli = { .handle = NULL };
	int option, ret;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "+:jqvn:hV", options,
				     NULL)) != -1) {
		ret = global_option(&cli, option, argv);
		if (ret)
			return ret - 1;
	}
	if (optind == argc) {
		usage_short();
		return EXIT_ERROR;
	}
	return run_verb(&cli, argc - optind, argv + optind);
}

int main(int argc, char **argv)
{
	int ret;

	/*
	 * Write standard error in whole lines: standard output, or another process, can
	 * write to the same file.
	 */
	setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
	/*
	 * If the environment has the variable POSIXLY_CORRECT, getopt_long() treats
	 * options after the first operand as operands. The environment must not change
	 * the meaning of a command line.
	 */
	unsetenv("POSIXLY_CORRECT");
	json_init();
	ret = run(argc, argv);
	if (fflush(stdout) || ferror(stdout)) {
		error("cannot write to standard output");
		return EXIT_ERROR;
	}
	return ret;
}
