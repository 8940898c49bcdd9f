/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sources_apply() makes a filter of the configuration equal to its lists.
 */
#ifndef KCUCKOO_CLI_SOURCES_H
#define KCUCKOO_CLI_SOURCES_H

#include "args.h"
#include "conf/plan.h"

/**
 * struct sources - what sources_apply() does for the steps of a plan
 * @cli: state of the command
 * @args: options of the verb apply
 * @config: the configuration
 * @applied: the configuration that was applied last, which may be empty; NULL if
 *	it is unknown
 * @earlier: a file of addresses that this host needed earlier; or NULL
 * @changed: out: a filter was created or changed, or a dry run found that
 * @failed: out: number of lists and filters that failed
 */
struct sources {
	struct cli *cli;
	const struct args *args;
	const struct config *config;
	const struct config *applied;
	const char *earlier;
	bool changed;
	size_t failed;
};

/*
 * Do the step PLAN_PUBLISH, PLAN_UPDATE, PLAN_EXCHANGE or PLAN_CONVERT. If a list
 * cannot be used, an existing filter keeps its members, and a new one gets those
 * of the other lists. Print what was changed, and errors, which are counted.
 */
void sources_apply(struct sources *sources, const struct plan_step *step);

#endif /* KCUCKOO_CLI_SOURCES_H */
