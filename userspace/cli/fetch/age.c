// SPDX-License-Identifier: GPL-2.0-only
/*
 * list_age_state() finds out whether the last good copy of a list is fresh, stale,
 * failed, expired or missing.
 */
#include "fetch/age.h"
#include "fetch/released.h"

const char * const list_age_names[] = {
	[LIST_AGE_FRESH] = "fresh",
	[LIST_AGE_STALE] = "stale",
	[LIST_AGE_FAILED] = "failed",
	[LIST_AGE_EXPIRED] = "expired",
	[LIST_AGE_NONE] = "none",
};

enum list_age list_age_state(const struct list_limits *limits, time_t confirmed,
			     time_t now)
{
	time_t age = now - confirmed;

	if (!confirmed)
		return LIST_AGE_NONE;
	if (confirmed < CLOCK_RELEASED)
		return now < CLOCK_RELEASED ? LIST_AGE_FRESH : LIST_AGE_STALE;
	if (limits->expire && age > (time_t)limits->expire)
		return LIST_AGE_EXPIRED;
	if (!limits->stale || age <= (time_t)limits->stale)
		return LIST_AGE_FRESH;
	return age > AGE_FAILED ? LIST_AGE_FAILED : LIST_AGE_STALE;
}
