/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * steps_run() does the steps of a plan.
 */
#ifndef KCUCKOO_CLI_STEPS_H
#define KCUCKOO_CLI_STEPS_H

#include "cmd/present.h"
#include "cmd/sources.h"

/**
 * struct steps - what steps_run() does
 * @sources: for the filters that have lists
 * @own: rules of hook xdp that a configuration made, kept up to date
 * @broken: out: number of steps that failed, except those of lists
 */
struct steps {
	struct sources sources;
	struct own_xdps own;
	size_t broken;
};

/*
 * Do the steps in their order. If one fails, do the others. Print what was
 * changed, and errors, which are counted.
 */
void steps_run(struct steps *steps, const struct plan *plan);

/* Attach a rule. Return: 0, or -1 after an error message. */
int steps_attach(struct steps *steps, const struct present_rule *rule);

/*
 * Print the notes of a plan: conflicts as errors, and what else was made by hand
 * as details. Return: 0, or -1 if there is a conflict.
 */
int steps_notes(const struct cli *cli, const struct plan *plan);

#endif /* KCUCKOO_CLI_STEPS_H */
