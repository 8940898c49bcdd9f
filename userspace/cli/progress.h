/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: a progress bar, on standard error where that is a terminal
 */
#ifndef KCUCKOO_CLI_PROGRESS_H
#define KCUCKOO_CLI_PROGRESS_H

#include <time.h>

#include "cli.h"

/**
 * struct progress - a bar that may or may not be there
 * @on: somebody is looking
 * @visible: something stands on the line
 * @label: what is being done
 * @start: since when
 * @next: not again before
 */
struct progress {
	bool on;
	bool visible;
	const char *label;
	double start;
	double next;
};

/* Seconds since some moment, never going back. */
double clock_seconds(void);

void progress_init(struct progress *progress, const struct cli *cli);

/* Another part of the work begins. */
void progress_begin(struct progress *progress, const char *label);

/* @done of @total units of work are done, @keys keys so far. Total may be 0. */
void progress_show(struct progress *progress, __u64 done, __u64 total,
		   __u64 keys);

/* Clear the line, for words that are to stay. */
void progress_clear(struct progress *progress);

#endif /* KCUCKOO_CLI_PROGRESS_H */
