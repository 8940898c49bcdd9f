/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sources_apply() makes a filter of the configuration equal to its lists. steps.c calls
 * sources_apply().
 */
#ifndef KCUCKOO_CLI_SOURCES_H
#define KCUCKOO_CLI_SOURCES_H

#include "args.h"
#include "conf/plan.h"

/**
 * struct sources - arguments and results of sources_apply()
 * @cli: state of the command
 * @args: options of the verb apply
 * @config: the configuration
 * @applied: the configuration that was applied last, which can be empty; NULL if that
 *	configuration is unknown
 * @copies: folder of the last good copies of lists with files, see cmd/file_copy.h
 * @earlier: path of the file of addresses that this host needed earlier; or NULL
 * @changed: out: a filter was created or changed, or would be without --dry-run
 * @failed: out: number of lists and filters that failed
 */
struct sources {
	struct cli *cli;
	const struct args *args;
	const struct config *config;
	const struct config *applied;
	const char *copies;
	const char *earlier;
	bool changed;
	size_t failed;
};

/*
 * Do a step of kind PLAN_PUBLISH, PLAN_UPDATE, PLAN_EXCHANGE or PLAN_CONVERT. If a list
 * cannot be used, an existing filter keeps its members, and a new filter gets the members
 * of the other lists. If a list was never fetched, an existing filter keeps its members,
 * and also gets the keys of the other lists. Print the changes and errors; add the number
 * of errors to @failed.
 */
void sources_apply(struct sources *sources, const struct plan_step *step);

#endif /* KCUCKOO_CLI_SOURCES_H */
