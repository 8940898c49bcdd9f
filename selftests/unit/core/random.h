/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random numbers that can be had again, and the limits that statistics of
 * random numbers keep to. Has nothing in common with the hash under test.
 */
#ifndef _SELFTESTS_CORE_RANDOM_H
#define _SELFTESTS_CORE_RANDOM_H

#include <math.h>

#include <linux/types.h>

static u64 random_state;

/* A bijection of words in which every bit of the result depends on all. */
static inline u64 random_mix(u64 word)
{
	word ^= word >> 32;
	word *= 0xd6e8feb86659fd93ULL;
	word ^= word >> 32;
	word *= 0xd6e8feb86659fd93ULL;
	return word ^ word >> 32;
}

static inline void random_seed(u64 seed)
{
	random_state = random_mix(seed);
}

/* 64 random bits. */
static inline u64 random_word(void)
{
	random_state += 0x9e3779b97f4a7c15ULL;
	return random_mix(random_state);
}

/* A random number below @range. */
static inline u64 random_below(u64 range)
{
	return (u64)(((__uint128_t)random_word() * range) >> 64);
}

/*
 * A random number of 1 to 64 bits, often one at the edges, where mistakes live.
 */
static inline u64 random_edge(unsigned int bits)
{
	u64 all = ~0ULL >> (64 - bits);

	switch (random_below(8)) {
	case 0:
		return 0;
	case 1:
		return 1;
	case 2:
		return all;
	case 3:
		return all - 1;
	case 4:
		return 1ULL << (bits - 1);
	default:
		return random_word() & all;
	}
}

/*
 * What the sum of squares of chi-square exceeds by chance only once in 10^9
 * times, by the approximation of Wilson and Hilferty, 1931.
 */
static inline double random_chi_square(double freedom)
{
	double part = 2 / (9 * freedom);
	double root = 1 - part + 6 * sqrt(part);

	return freedom * root * root * root;
}

/* Chi-square of counts that should all be equal. */
static inline double random_evenness(const u64 *counts, u64 cells)
{
	double sum = 0;
	double squares = 0;
	u64 i;

	for (i = 0; i < cells; i++)
		sum += (double)counts[i];
	for (i = 0; i < cells; i++) {
		double off = (double)counts[i] - sum / (double)cells;

		squares += off * off;
	}
	return squares * (double)cells / sum;
}

#endif /* _SELFTESTS_CORE_RANDOM_H */
