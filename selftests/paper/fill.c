// SPDX-License-Identifier: GPL-2.0-only
/*
 * fill [OPTION]... - fill tables, tell how far they fill and how often they lie
 *
 *	-r search|kicks|kicks0	rule for making room (search)
 *	-k jhash|siphash	hash (jhash)
 *	-b N -f N -s -m N	entries per bucket (4), bits of a fingerprint (12),
 *				semi-sorted, number of buckets (32768)
 *	-n N			runs (1)
 *	-l N			stop at this load, in percent (100)
 *	-q N			look-ups of absent keys (0)
 *	-x N			seed (1)
 *
 * A line per run: the word fill, rule, hash, b, f, 1 if semi-sorted, m, run,
 * entries, bits of memory, look-ups, false positives, seconds to fill, 1 if an
 * insert failed, present keys that were looked up and not found.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filling.h"

/* Keys that are looked up again. */
#define MEMBERS		1000000

/**
 * struct options - what to do
 * @params: parameters of the table
 * @rule: rule for making room
 * @strong: siphash, not jhash
 * @runs: runs
 * @load: most percent to fill
 * @lookups: look-ups of absent keys
 * @seed: of all random numbers
 */
struct options {
	struct kcuckoo_table_params params;
	const char *rule;
	bool strong;
	unsigned int runs;
	unsigned int load;
	u64 lookups;
	u64 seed;
};

static void option(struct options *options, int name, const char *value)
{
	u64 number = value ? strtoull(value, NULL, 0) : 0;

	switch (name) {
	case 'r':
		options->rule = value;
		break;
	case 'k':
		options->strong = !strcmp(value, "siphash");
		break;
	case 'b':
		options->params.bucket_shift = (u8)__builtin_ctzll(number);
		break;
	case 'f':
		options->params.tag_bits = (u8)number;
		break;
	case 's':
		options->params.sorted = true;
		break;
	case 'm':
		options->params.nbuckets = (u32)number;
		break;
	case 'n':
		options->runs = (unsigned int)number;
		break;
	case 'l':
		options->load = (unsigned int)number;
		break;
	case 'q':
		options->lookups = number;
		break;
	case 'x':
		options->seed = number;
		break;
	default:
		exit(2);
	}
}

static void run(const struct options *options, unsigned int number)
{
	const struct kcuckoo_table_params *params = &options->params;
	struct filling filling;
	u64 entries, members, most, hits, lost;
	double seconds;

	bench_seed(options->seed * 1000003 + number);
	if (!filling_create(&filling, params, strcmp(options->rule, "search"),
			    options->strong))
		exit(1);
	filling.zero = !strcmp(options->rule, "kicks0");
	most = kcuckoo_table_places(&filling.table) * options->load / 100;
	seconds = bench_clock();
	entries = filling_fill(&filling, most);
	seconds = bench_clock() - seconds;
	members = entries < MEMBERS ? entries : MEMBERS;
	lost = members - filling_count(&filling, 0, members);
	hits = filling_count(&filling, FILLING_OTHERS, options->lookups);
	printf("fill\t%s\t%s\t%u\t%u\t%u\t%u\t%u\t%llu\t%llu\t%llu\t%llu\t%.3f\t%u\t%llu\n",
	       options->rule, options->strong ? "siphash" : "jhash",
	       1U << params->bucket_shift, params->tag_bits,
	       params->sorted, params->nbuckets, number,
	       (unsigned long long)entries,
	       (unsigned long long)filling_bits(&filling),
	       (unsigned long long)options->lookups, (unsigned long long)hits,
	       seconds, entries < most, (unsigned long long)lost);
	fflush(stdout);
	filling_free(&filling);
}

int main(int argc, char **argv)
{
	struct options options = {
		.params = {
			.nbuckets = 1U << 15,
			.bucket_shift = 2,
			.tag_bits = 12,
		},
		.rule = "search",
		.runs = 1,
		.load = 100,
		.seed = 1,
	};
	unsigned int i;
	int name;

	while ((name = getopt(argc, argv, "r:k:b:f:sm:n:l:q:x:")) != -1)
		option(&options, name, optarg);
	for (i = 0; i < options.runs; i++)
		run(&options, i);
	return 0;
}
