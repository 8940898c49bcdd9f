/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * steps_run() does the steps of a plan. The verbs apply and down call it while
 * they hold the lock of changes_lock().
 */
#ifndef KCUCKOO_CLI_STEPS_H
#define KCUCKOO_CLI_STEPS_H

#include "cmd/present.h"
#include "cmd/sources.h"

/**
 * struct steps - arguments and results of steps_run()
 * @sources: arguments and results of sources_apply(), for steps that read lists
 * @own: rules of the file xdp; steps_run() adds and removes rules
 * @present: the filters and rules from which the plan was made
 * @broken: out: number of steps that failed, except steps that read lists
 */
struct steps {
	struct sources sources;
	struct own_xdps own;
	const struct present *present;
	size_t broken;
};

/*
 * Do the steps in their order. If a step fails, continue with the next steps. But if a
 * new rule or a list of a new filter fails, do not remove old rules and filters, because
 * the new rules and filters possibly replace them. Print the changes and errors; count
 * the errors in @broken, or in @failed of @sources.
 */
void steps_run(struct steps *steps, const struct plan *plan);

/* Attach a rule of any hook. Return: 0, or -1 after an error message. */
int steps_attach(struct steps *steps, const struct present_rule *rule);

/*
 * Print the notes of a plan: conflicts as errors; with -v, also other filters
 * and rules that were made by hand. Return: 0, or -1 if the plan has a
 * conflict.
 */
int steps_notes(const struct cli *cli, const struct plan *plan);

#endif /* KCUCKOO_CLI_STEPS_H */
