// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions show a progress bar on standard error, if it is a terminal.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "progress.h"

#define INTERVAL	0.1	/* seconds between two updates */
#define DELAY	0.3	/* seconds before the bar appears */
#define WIDTH		24	/* characters of the bar */

double clock_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

void progress_init(struct progress *progress, const struct cli *cli)
{
	const char *term = getenv("TERM");

	memset(progress, 0, sizeof(*progress));
	progress->on = !cli->quiet && isatty(STDERR_FILENO) &&
		       term && strcmp(term, "dumb");
	progress->next = clock_seconds() + DELAY;
}

void progress_begin(struct progress *progress, const char *label)
{
	progress->label = label;
	progress->start = clock_seconds();
}

static void draw(struct progress *progress, double share, __u64 keys,
		 double elapsed)
{
	char bar[WIDTH + 1];
	int full = share * WIDTH;

	memset(bar, '-', WIDTH);
	memset(bar, '#', full);
	bar[WIDTH] = 0;
	fprintf(stderr, "\r%-8s %s %3d %%  %llu keys, %.0f/s",
		progress->label, bar, (int)(share * 100), keys,
		elapsed > 0 ? keys / elapsed : 0);
	if (share > 0.02)
		fprintf(stderr, ", %.0f s left",
			elapsed / share * (1 - share));
	fputs("\033[K", stderr);
	fflush(stderr);
	progress->visible = true;
}

void progress_show(struct progress *progress, __u64 done, __u64 total,
		   __u64 keys)
{
	double now;

	if (!progress->on)
		return;
	now = clock_seconds();
	if (now < progress->next)
		return;
	progress->next = now + INTERVAL;
	if (total && done <= total) {
		draw(progress, (double)done / total, keys,
		     now - progress->start);
		return;
	}
	fprintf(stderr, "\r%-8s %llu keys, %.0f/s\033[K",
		progress->label, keys, keys / (now - progress->start));
	fflush(stderr);
	progress->visible = true;
}

void progress_clear(struct progress *progress)
{
	if (progress->visible)
		fputs("\r\033[K", stderr);
	fflush(stderr);
	progress->visible = false;
}
