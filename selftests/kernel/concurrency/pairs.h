/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which of the things that threads do were under way together. A thing has a number,
 * and so has a thread, which tells when it begins one and when that has ended.
 */
#ifndef KCUCKOO_PAIRS_H
#define KCUCKOO_PAIRS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define PAIRS_THINGS	64
#define PAIRS_THREADS	16

/* What each thread is doing: the thing's number plus one; 0 is nothing. */
static atomic_size_t doing[PAIRS_THREADS];

static atomic_bool met[PAIRS_THINGS][PAIRS_THINGS];

/* What others have begun and not ended is under way together with it. */
static inline void pairs_begin(int thread, size_t thing)
{
	size_t other;
	int i;

	atomic_store(&doing[thread], thing + 1);
	for (i = 0; i < PAIRS_THREADS; i++) {
		other = atomic_load(&doing[i]);
		if (i == thread || !other)
			continue;
		atomic_store(&met[thing][other - 1], true);
		atomic_store(&met[other - 1][thing], true);
	}
}

static inline void pairs_end(int thread)
{
	atomic_store(&doing[thread], 0);
}

/* Would a thing, begun now, meet one that it has not met before? */
static inline bool pairs_new(size_t thing)
{
	size_t other;
	int i;

	for (i = 0; i < PAIRS_THREADS; i++) {
		other = atomic_load(&doing[i]);
		if (other && !atomic_load(&met[thing][other - 1]))
			return true;
	}
	return false;
}

#endif /* KCUCKOO_PAIRS_H */
