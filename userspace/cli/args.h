/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: the options and words behind a verb
 */
#ifndef KCUCKOO_CLI_ARGS_H
#define KCUCKOO_CLI_ARGS_H

#include "cli.h"

/* Options that a verb may have. */
#define ARGS_FILE	1		/* -f FILE, any number of times */
#define ARGS_STRICT	2		/* --strict */
#define ARGS_ALL	4		/* --all */

/**
 * struct args - what stood behind the verb
 * @words: all that is no option, in order
 * @word_count: how many
 * @files: arguments of -f, in order
 * @file_count: how many
 * @strict: --strict was there
 * @all: --all was there
 */
struct args {
	char **words;
	int word_count;
	char **files;
	int file_count;
	bool strict;
	bool all;
};

/*
 * Sort the arguments of cli->verb, argv[0] being the verb itself. Return: 0; a
 * positive number when help was asked for and given; -1, told. End with
 * args_free() in any case.
 */
int args_parse(struct cli *cli, struct args *args, int argc, char **argv);
void args_free(struct args *args);

#endif /* KCUCKOO_CLI_ARGS_H */
