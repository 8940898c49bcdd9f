/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * apply_lists() makes a filter equal to lists, in one step.
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
 * @args: options of the command line that affect how the lists are read
 * @lists: the lists
 * @guards: limits for the keys
 * @own: what to do with addresses that this host needs
 * @earlier: a file of addresses that this host needed earlier; or NULL
 * @dry_run: change nothing
 * @diff: print the keys that change
 * @packets: replace the filter even if packets can add members to it
 * @confirm: undo the change after this number of seconds, unless it is confirmed;
 *	or 0
 * @managed: mark the name of a new filter as managed
 * @create: parameters of the filter if it is created or rebuilt; or NULL: those
 *	of the present filter, or those that the lists need
 * @rebuild: exchange the filter even if its members do not change, because
 *	@create has other parameters
 * @terse: print nothing if there is nothing to do
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

enum apply_outcome {
	APPLY_NOTHING,		/* the members are those that the lists have */
	APPLY_DIFFERENT,	/* a dry run found a difference */
	APPLY_CREATED,
	APPLY_REPLACED,
};

/**
 * struct apply - state of apply_lists()
 * @cli: state of the command
 * @options: what to do
 * @info: state of the present filter
 * @exists: a filter has the name
 * @wanted: the keys that the filter is to have
 * @own: keys that were left out or cut because this host needs their addresses
 * @members: the present members; empty unless they are needed
 * @known: @difference is known, because the filter stores its members
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

/*
 * Make the filter equal to the lists, and print what changed. @outcome: out: what
 * was done, or NULL. Return: an exit code, EXIT_NO if a dry run found a
 * difference; or -1 after an error message, and nothing has changed.
 */
int apply_lists(struct cli *cli, const struct apply_options *options,
		enum apply_outcome *outcome);

/*
 * apply_report.c: print the result, and for --diff the keys that changed.
 * Return: an exit code, or -1 after an error message.
 */
int apply_report(struct apply *apply);

#endif /* KCUCKOO_CLI_APPLY_H */
