/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions show a progress bar on standard error, if it is a terminal.
 */
#ifndef KCUCKOO_CLI_PROGRESS_H
#define KCUCKOO_CLI_PROGRESS_H

#include <time.h>

#include "cli.h"

/**
 * struct progress - state of a progress bar
 * @on: the bar is enabled
 * @visible: the bar is currently on the terminal
 * @label: name of the step that the bar shows
 * @start: time at which the step began, by clock_seconds()
 * @next: time before which the bar is not updated, by clock_seconds()
 */
struct progress {
	bool on;
	bool visible;
	const char *label;
	double start;
	double next;
};

/* Return: seconds of the monotonic clock. */
double clock_seconds(void);

/*
 * Prepare a progress bar. The bar is enabled unless the option -q is given, standard
 * error is not a terminal, or the variable TERM is unset or "dumb".
 */
void progress_init(struct progress *progress, const struct cli *cli);

/* Begin a step of the work, such as "reading". */
void progress_begin(struct progress *progress, const char *label);

/*
 * Update the bar, at most every 0.1 seconds, and not in the first 0.3 seconds after
 * progress_init(): @done of @total units of work are done, and @keys keys were processed
 * so far. @total is 0 if the amount of work is unknown.
 */
void progress_show(struct progress *progress, __u64 done, __u64 total,
		   __u64 keys);

/* Remove the bar from the terminal before a message is printed. */
void progress_clear(struct progress *progress);

#endif /* KCUCKOO_CLI_PROGRESS_H */
