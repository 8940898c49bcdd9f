// SPDX-License-Identifier: GPL-2.0-only
/*
 * speed SUBJECT MEGABYTES SEED - Table 3 and Figures 5 to 8 of Fan et al.
 *
 * Fills a filter of this size step by step, looks keys up after every other
 * step and when it is full, then deletes all. A line for each measurement:
 *
 *	table3 SUBJECT items bits-of-memory seconds look-ups false-positives
 *	mix SUBJECT percent-of-positive-queries millions/s
 *	negative, positive, insert, erase SUBJECT occupancy millions/s
 *	end SUBJECT items-left keys-not-found-when-deleted
 */
#include <stdio.h>
#include <stdlib.h>

#include "subject.h"

#define STEPS		20
#define MOST_QUERIES	2097152U
#define RATE_QUERIES	8388608U

/* A filter, its keys, and the arrays from which keys are taken. */
struct course {
	struct subject subject;
	u64 keys;
	u64 count;
	u64 step;
	u64 *items;
	u64 *queries;
	u64 asked;
};

static void line(const struct course *course, const char *what, double where,
		 double value)
{
	printf("%s\t%s\t%.4f\t%.4f\n", what, course->subject.type->name, where,
	       value);
	fflush(stdout);
}

static double occupancy(const struct course *course)
{
	return (double)course->count / (double)course->subject.capacity;
}

/* Queries of which so many percent, here and there, are for present keys. */
static void choose(struct course *course, unsigned int percent)
{
	u64 i;

	for (i = 0; i < course->asked; i++)
		course->queries[i] =
			random_below(100) < percent ?
			bench_key(course->keys, random_below(course->count)) :
			bench_key(course->keys, FILLING_OTHERS + random_word() %
						FILLING_OTHERS);
}

/* Millions of look-ups per second. */
static double look_up(struct course *course, unsigned int percent)
{
	double seconds;
	u64 found;

	choose(course, percent);
	seconds = bench_clock();
	found = subject_contains(&course->subject, course->queries,
				 course->asked);
	seconds = bench_clock() - seconds;
	/* Of present keys all are found, or the filter is wrong. */
	if (percent == 100 && found < course->asked)
		exit(1);
	return (double)course->asked / seconds / 1e6;
}

/* The next step's worth of keys, from number @first on. */
static u64 take(struct course *course, u64 first, u64 last)
{
	u64 count = last - first < course->step ? last - first : course->step;
	u64 i;

	for (i = 0; i < count; i++)
		course->items[i] = bench_key(course->keys, first + i);
	return count;
}

/* Fills; returns the seconds that inserts took. */
static double insert(struct course *course)
{
	double total = 0;
	unsigned int i;

	for (i = 1; ; i++) {
		u64 count = take(course, course->count, ~0ULL);
		double seconds = bench_clock();
		u64 done = subject_insert(&course->subject, course->items, count);

		seconds = bench_clock() - seconds;
		total += seconds;
		course->count += done;
		/* The last step may be too short to tell anything. */
		if (done * 10 >= course->step)
			line(course, "insert", occupancy(course),
			     (double)done / seconds / 1e6);
		if (done < count)
			return total;
		if (i % 2)
			continue;
		line(course, "negative", occupancy(course), look_up(course, 0));
		line(course, "positive", occupancy(course),
		     look_up(course, 100));
	}
}

static u64 false_positives(struct course *course)
{
	u64 hits = 0;
	u64 done;
	u64 i;

	for (done = 0; done < RATE_QUERIES; done += MOST_QUERIES) {
		for (i = 0; i < MOST_QUERIES; i++)
			course->queries[i] = bench_key(course->keys,
						       FILLING_OTHERS + done + i);
		hits += subject_contains(&course->subject, course->queries,
					 MOST_QUERIES);
	}
	return hits;
}

static void erase(struct course *course)
{
	u64 items = course->count;
	u64 missed = 0;
	u64 first;

	for (first = 0; first < items; first += course->step) {
		u64 count = take(course, first, items);
		double seconds = bench_clock();
		u64 done = subject_erase(&course->subject, course->items, count);

		seconds = bench_clock() - seconds;
		missed += count - done;
		if (count * 10 >= course->step)
			line(course, "erase", occupancy(course),
			     (double)count / seconds / 1e6);
		course->count -= count;
	}
	printf("end\t%s\t%llu\t%llu\n", course->subject.type->name,
	       (unsigned long long)subject_entries(&course->subject),
	       (unsigned long long)missed);
}

int main(int argc, char **argv)
{
	struct course course = {};
	double seconds;
	unsigned int percent;

	if (argc != 4)
		return 2;
	bench_seed(strtoull(argv[3], NULL, 0));
	if (!subject_create(&course.subject, argv[1],
			    strtoull(argv[2], NULL, 0) << 20))
		return 1;
	course.keys = random_word();
	course.step = course.subject.capacity / STEPS;
	course.items = bench_memory(course.step * sizeof(u64));
	course.queries = bench_memory(MOST_QUERIES * sizeof(u64));
	course.asked = course.subject.capacity / 8;
	if (course.asked > MOST_QUERIES)
		course.asked = MOST_QUERIES;
	seconds = insert(&course);
	printf("table3\t%s\t%llu\t%llu\t%.3f\t%u\t%llu\n", argv[1],
	       (unsigned long long)course.count,
	       (unsigned long long)course.subject.bytes * 8, seconds,
	       RATE_QUERIES, (unsigned long long)false_positives(&course));
	for (percent = 0; percent <= 100; percent += 25)
		line(&course, "mix", percent, look_up(&course, percent));
	line(&course, "negative", occupancy(&course), look_up(&course, 0));
	line(&course, "positive", occupancy(&course), look_up(&course, 100));
	if (subject_erases(&course.subject))
		erase(&course);
	subject_free(&course.subject);
	free(course.items);
	free(course.queries);
	return 0;
}
