// SPDX-License-Identifier: GPL-2.0-only
/*
 * Print how many thousand cycles a second this processor's counter makes: that of an
 * emulated processor is the same one.
 *
 * The time is read between two readings of the counter. Of many such pairs the closest
 * is taken, in which nothing else has come between.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

#define PAIRS		100
#define INTERVAL	(50 * 1000 * 1000)	/* nanoseconds */

struct instant {
	uint64_t cycles;
	uint64_t nanoseconds;
};

static struct instant now(void)
{
	uint64_t closest = UINT64_MAX;
	struct instant instant = { 0 };
	int i;

	for (i = 0; i < PAIRS; i++) {
		struct timespec time;
		uint64_t before, apart;

		before = __rdtsc();
		clock_gettime(CLOCK_MONOTONIC, &time);
		apart = __rdtsc() - before;
		if (apart >= closest)
			continue;
		closest = apart;
		instant.cycles = before + apart / 2;
		instant.nanoseconds = time.tv_sec * 1000000000ull + time.tv_nsec;
	}
	return instant;
}

int main(void)
{
	const struct timespec interval = { .tv_nsec = INTERVAL };
	struct instant first, last;

	first = now();
	nanosleep(&interval, NULL);
	last = now();
	printf("%.0f\n", (last.cycles - first.cycles) * 1e6 /
			 (last.nanoseconds - first.nanoseconds));
	return 0;
}
