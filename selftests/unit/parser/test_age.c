// SPDX-License-Identifier: GPL-2.0-only
/*
 * The age of a copy of a list has the meaning that the configuration says.
 */
#include "fetch/age.h"
#include "fetch/released.h"
#include "tap.h"

#define HOUR	3600
#define DAY	(24 * HOUR)

/* A time at which a copy can have been fetched. */
#define FETCHED	(CLOCK_RELEASED + 100 * DAY)

static void require_state(__u32 stale, __u32 expire, time_t age,
			  enum list_age expected)
{
	const struct list_limits limits = { stale, expire };
	enum list_age state = list_age_state(&limits, FETCHED, FETCHED + age);

	tap_require(state == expected, "stale %u, expire %u, age %lld: %s, not %s",
		    stale, expire, (long long)age, list_age_names[state],
		    list_age_names[expected]);
}

static void test_usual(void)
{
	require_state(2 * DAY, 0, 0, LIST_AGE_FRESH);
	require_state(2 * DAY, 0, 2 * DAY, LIST_AGE_FRESH);
	require_state(2 * DAY, 0, 2 * DAY + 1, LIST_AGE_STALE);
	require_state(2 * DAY, 0, 7 * DAY, LIST_AGE_STALE);
	require_state(2 * DAY, 0, 7 * DAY + 1, LIST_AGE_FAILED);
	require_state(2 * DAY, 0, 5000 * DAY, LIST_AGE_FAILED);
}

/* A list that is downloaded each month is no failure after a week. */
static void test_slow(void)
{
	require_state(90 * DAY, 0, 8 * DAY, LIST_AGE_FRESH);
	require_state(90 * DAY, 0, 90 * DAY, LIST_AGE_FRESH);
	require_state(90 * DAY, 0, 90 * DAY + 1, LIST_AGE_FAILED);
	require_state(0, 0, 5000 * DAY, LIST_AGE_FRESH);
}

static void test_expire(void)
{
	require_state(2 * DAY, 3 * DAY, 3 * DAY, LIST_AGE_STALE);
	require_state(2 * DAY, 3 * DAY, 3 * DAY + 1, LIST_AGE_EXPIRED);
	require_state(2 * DAY, 30 * DAY, 8 * DAY, LIST_AGE_FAILED);
	require_state(2 * DAY, 30 * DAY, 30 * DAY + 1, LIST_AGE_EXPIRED);
	require_state(0, DAY, DAY + 1, LIST_AGE_EXPIRED);
	require_state(UINT32_MAX, UINT32_MAX, 30 * DAY, LIST_AGE_FRESH);
}

static void test_clock(void)
{
	const struct list_limits limits = { 2 * DAY, 3 * DAY };

	/* The clock was set back, or is that of 1970. */
	require_state(2 * DAY, 3 * DAY, -1, LIST_AGE_FRESH);
	require_state(2 * DAY, 3 * DAY, -90 * DAY, LIST_AGE_FRESH);
	tap_require(list_age_state(&limits, FETCHED, 60) == LIST_AGE_FRESH,
		    "the present is 1970");
	/* The copy was written while the clock was that of 1970. */
	tap_require(list_age_state(&limits, 60, FETCHED) == LIST_AGE_STALE,
		    "the copy is of 1970");
	tap_require(list_age_state(&limits, 60, 30 * DAY) == LIST_AGE_FRESH,
		    "both are of 1970");
}

static void test_none(void)
{
	const struct list_limits limits = { 2 * DAY, 0 };

	tap_require(list_age_state(&limits, 0, FETCHED) == LIST_AGE_NONE,
		    "there is no copy");
}

static const struct tap_test tests[] = {
	{ "age.usual: a warning, then a failure after seven days", test_usual },
	{ "age.slow: no failure before the warning", test_slow },
	{ "age.expire: the list counts as empty", test_expire },
	{ "age.clock: a wrong clock empties no list", test_clock },
	{ "age.none: no copy", test_none },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
