/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * apply_lists() gives a filter the keys of lists as its members. It replaces the
 * whole filter in one step: each packet is checked either against all old members
 * or against all new ones. The verb apply calls apply_lists() for lists of the
 * command line, and sources.c calls it for lists of the configuration.
 */
#ifndef KCUCKOO_CLI_APPLY_H
#define KCUCKOO_CLI_APPLY_H

#include "args.h"
#include "keys/difference.h"
#include "keys/staged.h"
#include "keys/wanted.h"
#include "rules/own.h"

/**
 * struct apply_options - what apply_lists() does
 * @name: name of the filter
 * @args: options that affect how the lists are read
 * @lists: the lists
 * @guards: limits on the number of keys, and on the number of addresses that the
 *	keys cover
 * @own: what to do with addresses that this host needs
 * @earlier: path of a file with addresses that this host needed earlier, which @own
 *	treats like those that the host needs now; or NULL
 * @dry_run: change nothing
 * @diff: print the keys that change
 * @packets: replace the filter even if packets can add members to it, which are then
 *	lost
 * @confirm: number of seconds after which the change is undone unless the user
 *	confirms it; 0: never
 * @managed: mark the name of a new filter as managed, that is, made by a
 *	configuration
 * @create: parameters of the filter if it is created or rebuilt. If NULL, an
 *	existing filter keeps its parameters, and a new one gets parameters that
 *	the lists need
 * @rebuild: replace the filter even if its members do not change, because
 *	@create has other parameters
 * @terse: print nothing if the filter needs no change
 */
struct apply_options {
	const char *name;
	const struct args *args;
	struct wanted_options lists;
	struct guards guards;
	enum own_policy own;
	const char *earlier;
	bool dry_run;
	bool diff;
	bool packets;
	__u32 confirm;
	bool managed;
	const struct kcuckoo_ioc_create *create;
	bool rebuild;
	bool terse;
};

/* What apply_lists() did. */
enum apply_outcome {
	APPLY_NOTHING,		/* the members are equal to the lists */
	APPLY_DIFFERENT,	/* a dry run found a difference */
	APPLY_CREATED,		/* the filter did not exist */
	APPLY_REPLACED,		/* a new filter has the name of the old one */
};

/**
 * struct apply - state of apply_lists()
 * @cli: state of the command
 * @options: arguments of apply_lists()
 * @info: state of the present filter
 * @exists: a filter has the name
 * @wanted: the keys that the filter will have
 * @own: keys that were left out or cut because this host needs their addresses
 * @members: with --diff, the present members; otherwise empty after compare()
 * @known: @difference is set, because the filter stores its members
 * @difference: how the members change
 * @staged: the new filter
 * @progress: progress bar
 * @outcome: what was done
 * @start: time at which the verb began
 */
struct apply {
	struct cli *cli;
	const struct apply_options *options;
	struct kcuckoo_ioc_info info;
	bool exists;
	struct wanted wanted;
	struct exclusion own;
	struct keyset members;
	bool known;
	struct difference difference;
	struct staged staged;
	struct progress progress;
	enum apply_outcome outcome;
	double start;
};

/**
 * apply_lists() - give a filter the keys of lists as its members
 * @cli: state of the command, after cli_open()
 * @options: the filter, the lists and what to do
 * @outcome: out: what was done; or NULL
 *
 * Creates the filter if it does not exist, and prints what changed. After an error
 * the filter is unchanged, except if only the report of a change could not be
 * printed.
 *
 * Return: EXIT_YES; EXIT_NO if a dry run found a difference; or -1 after an error
 * message.
 */
int apply_lists(struct cli *cli, const struct apply_options *options,
		enum apply_outcome *outcome);

/**
 * apply_report() - print the result, and with --diff the keys that changed
 * @apply: state of apply_lists() after the change
 *
 * This function is in apply_report.c.
 *
 * Return: EXIT_YES; EXIT_NO if a dry run found a difference; or -1 after an error
 * message.
 */
int apply_report(struct apply *apply);

#endif /* KCUCKOO_CLI_APPLY_H */
