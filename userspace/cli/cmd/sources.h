/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sources_apply() gives a filter of the configuration the keys of its lists as members.
 * For a filter without lists, sources_apply() can change the parameters of the filter.
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
 * @copies: name of the folder of the last good copies of lists with files, see
 *	cmd/file_copy.h
 * @earlier: path of the file of addresses that this host needed earlier, see
 *	cmd/needed.h; or NULL
 * @changed: set to true if a filter was created or changed, or if a dry run found a
 *	difference; steps_run() also sets @changed for its other steps, such as steps of rules
 * @failed: number of errors of lists and filters; sources_apply() increments @failed
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
 * Do a step of kind PLAN_PUBLISH, PLAN_UPDATE, PLAN_EXCHANGE or PLAN_CONVERT (conf/plan.h).
 * If a list cannot be used, the result depends on the filter:
 *
 * - An existing filter does not change. But if a list, other than an excluded list, was never
 *   fetched, the filter keeps its members, and also gets the keys of the other lists.
 * - A new filter gets the keys of the other lists. But if an excluded list, whose addresses
 *   the filter leaves out, cannot be used, the new filter has no members.
 * - A new allow filter is not created.
 */
void sources_apply(struct sources *sources, const struct plan_step *step);

#endif /* KCUCKOO_CLI_SOURCES_H */
