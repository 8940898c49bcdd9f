/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a thread's calls reach in the module, as CONFIG_KCOV tells it: the places
 * in the code, and which one came after which. All processes of a run share what
 * has been reached.
 */
#ifndef _SELFTESTS_FUZZ_COVERAGE_H
#define _SELFTESTS_FUZZ_COVERAGE_H

#include <linux/kcov.h>

/* Places of one call that are kept. */
#define COVERAGE_TRACE		0x20000

/* A module is smaller than that, in bytes. */
#define COVERAGE_PLACES		0x100000
#define COVERAGE_EDGES		0x40000

/**
 * struct coverage - what has been reached
 * @places: a bit for each address modulo COVERAGE_PLACES
 * @edges: a bit for each pair of addresses, by a hash
 * @place_count: bits set in @places
 * @edge_count: bits set in @edges
 */
struct coverage {
	__u64 places[COVERAGE_PLACES / 64];
	__u64 edges[COVERAGE_EDGES / 64];
	unsigned int place_count;
	unsigned int edge_count;
};

/* The trace of this thread: a count, and addresses. */
static unsigned long *coverage_trace;

static inline int coverage_begin(void)
{
	int fd = open("/sys/kernel/debug/kcov", O_RDWR | O_CLOEXEC);

	if (fd < 0 || ioctl(fd, KCOV_INIT_TRACE, COVERAGE_TRACE))
		return -errno;
	coverage_trace = mmap(NULL, COVERAGE_TRACE * sizeof(*coverage_trace),
			      PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (coverage_trace == MAP_FAILED || ioctl(fd, KCOV_ENABLE, KCOV_TRACE_PC))
		return -errno;
	return 0;
}

/* From here on a call is traced. */
static inline void coverage_reset(void)
{
	__atomic_store_n(coverage_trace, 0, __ATOMIC_RELAXED);
}

/* Sets a bit; is it new? */
static inline bool coverage_set(__u64 *bits, unsigned int bit)
{
	__u64 mask = 1ULL << (bit % 64);

	if (bits[bit / 64] & mask)
		return false;
	return !(__atomic_fetch_or(&bits[bit / 64], mask, __ATOMIC_RELAXED) & mask);
}

/* Adds the trace; returns how much of it is new. Without edges, places alone. */
static inline unsigned int coverage_add(struct coverage *coverage, bool edges)
{
	unsigned long count = __atomic_load_n(coverage_trace, __ATOMIC_RELAXED);
	unsigned int new_places = 0, new_edges = 0;
	unsigned long i, last = 0;

	for (i = 1; i <= count && i < COVERAGE_TRACE; i++) {
		unsigned long place = coverage_trace[i];

		new_places += coverage_set(coverage->places, place % COVERAGE_PLACES);
		if (edges)
			new_edges += coverage_set(coverage->edges,
						  (place ^ last * 0x9e3779b1) % COVERAGE_EDGES);
		last = place;
	}
	__atomic_fetch_add(&coverage->place_count, new_places, __ATOMIC_RELAXED);
	__atomic_fetch_add(&coverage->edge_count, new_edges, __ATOMIC_RELAXED);
	return new_places + new_edges;
}

#endif /* _SELFTESTS_FUZZ_COVERAGE_H */
