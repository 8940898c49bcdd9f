/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header has the types, constants and functions that all files of the
 * command share.
 */
#ifndef KCUCKOO_CLI_H
#define KCUCKOO_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kcuckoo.h"

struct verb;

/* Exit codes. EXIT_NO is the answer "no" of some verbs, such as test, compare and status. */
enum {
	EXIT_YES	= 0,
	EXIT_NO		= 1,
	EXIT_ERROR	= 2,
};

/**
 * struct cli - state of the command
 * @handle: the open device /dev/kcuckoo; NULL before cli_open() or cli_open_loaded()
 * @verb: the verb that runs
 * @netns: argument of -n: name or path of a network namespace; or NULL
 * @json: -j: print data on standard output as JSON
 * @quiet: -q: print no summaries and no progress
 * @verbose: -v: print more messages on standard error
 */
struct cli {
	struct kcuckoo *handle;
	const struct verb *verb;
	const char *netns;
	bool json;
	bool quiet;
	bool verbose;
};

struct args;

/**
 * struct verb - a verb, such as "create": one row of the table in help.c
 * @name: name of the verb
 * @run: function of the verb. Return: an exit code, or -1 after an error
 *	message
 * @options: ARGS_* of the options that the verb has
 * @min_operands: minimum number of operands
 * @max_operands: maximum number of operands, or -1 for any number
 * @usage: one line with the options and operands of the verb
 * @help: help text, several lines
 */
struct verb {
	const char *name;
	int (*run)(struct cli *cli, const struct args *args);
	int options;
	int min_operands;
	int max_operands;
	const char *usage;
	const char *help;
};

/* The functions of the verbs, for @run of struct verb. */
int verb_accept(struct cli *cli, const struct args *args);
int verb_add(struct cli *cli, const struct args *args);
int verb_apply(struct cli *cli, const struct args *args);
int verb_attach(struct cli *cli, const struct args *args);
int verb_compact(struct cli *cli, const struct args *args);
int verb_compare(struct cli *cli, const struct args *args);
int verb_confirm(struct cli *cli, const struct args *args);
int verb_create(struct cli *cli, const struct args *args);
int verb_del(struct cli *cli, const struct args *args);
int verb_destroy(struct cli *cli, const struct args *args);
int verb_detach(struct cli *cli, const struct args *args);
int verb_doctor(struct cli *cli, const struct args *args);
int verb_down(struct cli *cli, const struct args *args);
int verb_explain(struct cli *cli, const struct args *args);
int verb_feeds(struct cli *cli, const struct args *args);
int verb_reserve(struct cli *cli, const struct args *args);
int verb_fetch(struct cli *cli, const struct args *args);
int verb_flush(struct cli *cli, const struct args *args);
int verb_formats(struct cli *cli, const struct args *args);
int verb_import(struct cli *cli, const struct args *args);
int verb_info(struct cli *cli, const struct args *args);
int verb_intersect(struct cli *cli, const struct args *args);
int verb_list(struct cli *cli, const struct args *args);
int verb_load(struct cli *cli, const struct args *args);
int verb_merge(struct cli *cli, const struct args *args);
int verb_monitor(struct cli *cli, const struct args *args);
int verb_rename(struct cli *cli, const struct args *args);
int verb_restore(struct cli *cli, const struct args *args);
int verb_rules(struct cli *cli, const struct args *args);
int verb_save(struct cli *cli, const struct args *args);
int verb_stats(struct cli *cli, const struct args *args);
int verb_status(struct cli *cli, const struct args *args);
int verb_swap(struct cli *cli, const struct args *args);
int verb_test(struct cli *cli, const struct args *args);
int verb_update(struct cli *cli, const struct args *args);

/*
 * cmd/device.c: open /dev/kcuckoo in the network namespace of the option -n, or in the
 * current network namespace without -n. Set @handle of @cli; main.c closes this handle.
 * Load the module if needed. Return: 0, or -1 after an error message.
 */
int cli_open(struct cli *cli);

/*
 * cmd/device.c: as cli_open(), but do not load the module. If the device cannot be opened,
 * print no message. @ret: out: 0, or the negative errno if the device cannot be opened.
 * Return: 0, or -1 after an error message about the namespace.
 */
int cli_open_loaded(struct cli *cli, int *ret);

/*
 * help.c: the table of the verbs, whose last row has the name NULL. verb_find() returns
 * NULL for an unknown name.
 *
 * usage_short() prints the names of all verbs to standard error. usage_full() prints the
 * help of the command, and usage_verb() the help of one verb, to standard output.
 * usage_verb() returns 0; or -1 without a message if the verb is unknown.
 */
extern const struct verb verbs[];
const struct verb *verb_find(const char *name);
void usage_short(void);
int usage_verb(const char *name);
void usage_full(void);

#endif /* KCUCKOO_CLI_H */
