// SPDX-License-Identifier: GPL-2.0-only
/*
 * This library replaces the clock of a program: it shows the number of seconds in the
 * variable CLOCK, as a machine does whose clock has no battery.
 */
#include <stdlib.h>
#include <time.h>

time_t time(time_t *to)
{
	time_t now = atoll(getenv("CLOCK"));

	if (to)
		*to = now;
	return now;
}
