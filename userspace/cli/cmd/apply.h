/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * apply_lists() gives a filter the keys of lists as its members. A change replaces the whole
 * filter in one step: the kernel checks each packet either against all old members or
 * against all new members. The verb apply calls apply_lists() for lists of the command
 * line, and sources.c calls it for filters of the configuration.
 */
#ifndef KCUCKOO_CLI_APPLY_H
#define KCUCKOO_CLI_APPLY_H

#include "args.h"
#include "keys/difference.h"
#include "keys/staged.h"
#include "keys/wanted.h"
#include "rules/own.h"

/**
 * struct apply_options - arguments of apply_lists()
 * @name: name of the filter
 * @args: options of the command line that affect how lists are parsed, such as
 *	--timeout
 * @lists: names of the lists, and options for reading them
 * @guards: limits for the keys, see keys/guard.h
 * @own: what to do if a list has addresses that this host needs
 * @earlier: path of a file with addresses that this host needed earlier, or NULL; @own
 *	applies to these addresses, too
 * @dry_run: change nothing
 * @diff: print the keys that change
 * @despite_packets: replace the filter even if packets can add members to it; the members that
 *	packets have added are then lost, unless @convert is set
 * @confirm: number of seconds after which the change is undone unless the user
 *	confirms it; 0: never
 * @managed: a configuration makes the filter, so mark the name of a new filter; see also
 *	keeps_reserve() in apply.c
 * @create: parameters of a new filter, and with @rebuild also of an existing filter. If
 *	NULL, a new filter gets the parameters that the lists need
 * @rebuild: replace an existing filter by a filter with the parameters @create, even if
 *	no member changes
 * @convert: the wanted keys are the present members; each attempt reads them again
 * @terse: print no summary if the filter needs no change; with --diff, print the name of
 *	the filter before the keys that change
 */
struct apply_options {
	const char *name;
	const struct args *args;
	struct wanted_options lists;
	struct guards guards;
	enum critical_policy own;
	const char *earlier;
	bool dry_run;
	bool diff;
	bool despite_packets;
	__u32 confirm;
	bool managed;
	const struct kcuckoo_ioc_create *create;
	bool rebuild;
	bool convert;
	bool terse;
};

/* Results of apply_lists(). */
enum apply_outcome {
	APPLY_NOTHING,		/* no change, or a dry run in which only timeouts restart */
	APPLY_DIFFERENT,	/* a dry run found a difference */
	APPLY_CREATED,
	APPLY_REPLACED,		/* a new filter replaced the filter */
};

/**
 * struct apply - state of apply_lists()
 * @cli: state of the command
 * @options: arguments of apply_lists()
 * @info: state of the present filter; if no filter has the name, the parameters that
 *	determine how the lists are parsed
 * @exists: a filter with the name of @options exists
 * @wanted: the keys that the filter will have
 * @own: numbers of keys that were left out, or replaced by smaller prefixes, because
 *	this host needs their addresses
 * @members: with --diff, the present members; otherwise empty after compare()
 * @known: @difference is valid; false for an approximate filter
 * @difference: counts of keys by their change, see struct difference
 * @staged: the new filter, until it gets its name
 * @progress: progress bar
 * @outcome: the result
 * @start: time at which apply_lists() began, by clock_seconds()
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
 * @options: the filter, the lists and further options
 * @outcome: out, may be NULL: the result
 *
 * Creates the filter if it does not exist, and prints the changes. After an error the
 * filter is unchanged, with one exception: if only the report cannot be printed, the
 * change stays.
 *
 * Return: EXIT_YES; EXIT_NO if a dry run found a difference; or -1 after an error
 * message.
 */
int apply_lists(struct cli *cli, const struct apply_options *options,
		enum apply_outcome *outcome);

/**
 * apply_report() - print the result, and with --diff the keys that change
 * @apply: state of apply_lists() after the change, or after the comparison of a dry run
 *
 * The definition is in apply_report.c.
 *
 * Return: EXIT_YES; EXIT_NO if a dry run found a difference; or -1 after an error
 * message.
 */
int apply_report(struct apply *apply);

#endif /* KCUCKOO_CLI_APPLY_H */
