// SPDX-License-Identifier: GPL-2.0-only
/*
 * libbloom ROUNDS KILOBYTES... - what libbloom's Bloom filters do a second
 *
 * Filters of these sizes, for as many keys as the tables of batch.c hold at 95 %.
 * All keys are added, then others are looked up; there is neither deletion nor a
 * batch. A line for each size, millions/s, medians, by processor time:
 *
 *	bloom KILOBYTES look-ups adds
 */
#include <bloom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "filling.h"

#define QUERIES		1048576U
#define ROUNDS_MOST	99

static int compare(const void *a, const void *b)
{
	double difference = *(const double *)a - *(const double *)b;

	return (difference > 0) - (difference < 0);
}

/* Keys are the numbers from @first on. Returns millions a second. */
static double add(struct bloom *bloom, u64 keys, u64 count)
{
	double seconds = bench_clock();
	u64 i;

	for (i = 0; i < count; i++) {
		u64 key = bench_key(keys, i);

		bloom_add(bloom, &key, sizeof(key));
	}
	return (double)count / (bench_clock() - seconds) / 1e6;
}

static double look_up(struct bloom *bloom, u64 keys)
{
	double seconds = bench_clock();
	u64 found = 0;
	u64 i;

	for (i = 0; i < QUERIES; i++) {
		u64 key = bench_key(keys, FILLING_OTHERS + i);

		found += bloom_check(bloom, &key, sizeof(key)) == 1;
	}
	/* A few in a thousand are false positives. */
	if (found > QUERIES / 50)
		exit(1);
	return QUERIES / (bench_clock() - seconds) / 1e6;
}

static void size(u64 kilobytes, unsigned int rounds)
{
	double bits = (double)(kilobytes << 13);
	double entries = bits / 12 * 0.95;
	double samples[ROUNDS_MOST];
	u64 keys = random_word();
	struct bloom bloom;
	unsigned int round;
	double added;

	if (bloom_init(&bloom, (int)entries,
		       exp(-bits / entries * M_LN2 * M_LN2)))
		exit(1);
	added = add(&bloom, keys, (u64)entries);
	for (round = 0; round < rounds; round++)
		samples[round] = look_up(&bloom, keys);
	qsort(samples, rounds, sizeof(*samples), compare);
	printf("bloom\t%llu\t%.2f\t%.2f\n", (unsigned long long)kilobytes,
	       samples[rounds / 2], added);
	fflush(stdout);
	bloom_free(&bloom);
}

int main(int argc, char **argv)
{
	unsigned int rounds = argc < 3 ? 0 : (unsigned int)atoi(argv[1]);
	int n;

	if (rounds < 1 || rounds > ROUNDS_MOST) {
		fprintf(stderr, "usage: libbloom ROUNDS KILOBYTES...\n");
		return 2;
	}
	bench_seed(rounds);
	for (n = 2; n < argc; n++)
		size(strtoull(argv[n], NULL, 0), rounds);
	return 0;
}
