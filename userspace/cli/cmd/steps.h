/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * steps_run() does the steps of a plan, see conf/plan.h. The caller holds the lock of
 * changes_lock().
 */
#ifndef KCUCKOO_CLI_STEPS_H
#define KCUCKOO_CLI_STEPS_H

#include "cmd/present.h"
#include "cmd/sources.h"

/**
 * struct steps - arguments and results of steps_run()
 * @sources: arguments and results of sources_apply(), for steps that read lists
 * @own: rules of the file xdp, see cmd/present.h; steps_run() adds and removes rules
 * @present: the filters and rules from which the plan was made
 * @broken: number of errors that are not counted in @failed of @sources; steps_run()
 *	increments @broken
 */
struct steps {
	struct sources sources;
	struct own_xdps own;
	const struct present *present;
	size_t broken;
};

/*
 * Do the steps in their order. If a step fails, continue with the next steps. But after a
 * failure of a new rule, a new filter or a list of a new filter, stop before the first step
 * that removes an old rule or filter: the new rules and filters possibly replace the old
 * ones. With --dry-run, change nothing, and print the changes that the steps would make.
 */
void steps_run(struct steps *steps, const struct plan *plan);

/* Attach a rule of any hook. Return: 0, or -1 after an error message. */
int steps_attach(struct steps *steps, const struct present_rule *rule);

/* Print an error for each conflict of a plan. Return: 0, or -1 if the plan has a conflict. */
int steps_conflicts(const struct plan *plan);

/*
 * Print the notes of a plan: conflicts as errors; with -v, also the filters and rules
 * that were made by hand and stay. Return: 0, or -1 if the plan has a conflict.
 */
int steps_notes(const struct cli *cli, const struct plan *plan);

#endif /* KCUCKOO_CLI_STEPS_H */
