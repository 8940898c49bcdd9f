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
 * @visible: the bar is on the terminal
 * @label: name of the current step
 * @start: time at which the step began
 * @next: time of the next update
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

void progress_init(struct progress *progress, const struct cli *cli);

/* Begin a step of the work. */
void progress_begin(struct progress *progress, const char *label);

/*
 * Update the bar: @done of @total units of work are done, and @keys keys.
 * @total may be 0 if it is unknown.
 */
void progress_show(struct progress *progress, __u64 done, __u64 total,
		   __u64 keys);

/* Remove the bar from the terminal before a message is printed. */
void progress_clear(struct progress *progress);

#endif /* KCUCKOO_CLI_PROGRESS_H */
