/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The writer in tests in which others look a filter up while it changes: what it
 * has to do before the test may end, and whether its calls succeeded.
 */
#ifndef KCUCKOO_CHANGES_H
#define KCUCKOO_CHANGES_H

#include "crew.h"

/* Calls that failed, also those of the other threads. */
static atomic_ullong failures;

/* How often the writer has done all that it does, if it counts that. */
static atomic_ullong rounds;

/* The minimum that the writer has to do; growths and moves are those of "a". */
static __u64 min_growths, min_moves, min_rounds;
static int device;

/* Resets all of the above at the beginning of a test. */
static inline void changes_begin(int fd)
{
	device = fd;
	min_growths = 0;
	min_moves = 0;
	min_rounds = 0;
	atomic_store(&rounds, 0);
	atomic_store(&failures, 0);
	atomic_store(&working, true);
}

/* Has the writer done what it has to do? */
static inline bool changes_enough(void)
{
	struct kcuckoo_ioc_info info;

	return atomic_load(&rounds) >= min_rounds && !filter_info(device, "a", &info) &&
	       info.growths >= min_growths && info.moves >= min_moves;
}

/* Ends the work of all threads if a call of the writer failed. */
static inline void check(long long result)
{
	if (result >= 0)
		return;
	fprintf(stderr, "# a call of the writer failed: %lld\n", result);
	atomic_fetch_add(&failures, 1);
	atomic_store(&working, false);
}

/* Adds in small steps, so that tables fill, search and grow; deletes; compacts. */
static inline void changes_grow_and_shrink(int fd)
{
	size_t i, step = 500;

	while (atomic_load(&working)) {
		for (i = 0; i < PASSING && atomic_load(&working); i += step)
			check(keys_add(fd, "a", passing + i, step));
		for (i = 0; i < PASSING && atomic_load(&working); i += step)
			check(keys_del(fd, "a", passing + i, step));
		check(filter_compact(fd, "a"));
	}
}

/* Requires one more growth and one more move than there were until now. */
static inline int changes_want_growth(int fd)
{
	struct kcuckoo_ioc_info info;
	int error = filter_info(fd, "a", &info);

	min_growths = info.growths + 1;
	min_moves = info.moves + 1;
	return error;
}

#endif /* KCUCKOO_CHANGES_H */
