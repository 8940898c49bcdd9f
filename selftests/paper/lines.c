// SPDX-License-Identifier: GPL-2.0-only
/*
 * lines SUBJECT... - memory references of a look-up, counted
 *
 * Everything else is compiled with the compiler's instrumentation for data
 * races, which calls a function for each access to memory. The functions are
 * here, and note which cache lines of the filter are touched.
 *
 * A line per filter: its name, cache lines that a look-up of an absent key
 * touches on average, the same for a present key, items, bits of memory,
 * look-ups, false positives.
 */
#include <stdio.h>
#include <stdlib.h>

#include "subject.h"

#define BYTES		(3U << 20)
#define QUERIES		1000000
#define LINE_SHIFT	6
#define MOST_LINES	64

/* The memory to watch, and the lines of it that one look-up has touched. */
static uintptr_t begin;
static uintptr_t end;
static uintptr_t lines[MOST_LINES];
static unsigned int count;

static void touch(uintptr_t line)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (lines[i] == line)
			return;
	if (count < MOST_LINES)
		lines[count++] = line;
}

static void note(const void *address, uintptr_t bytes)
{
	uintptr_t at = (uintptr_t)address;
	uintptr_t line;

	if (at < begin || at >= end)
		return;
	for (line = at >> LINE_SHIFT; line <= (at + bytes - 1) >> LINE_SHIFT;
	     line++)
		touch(line);
}

/* What the compiler calls; names and arguments are its own. */
#define ACCESS(name, bytes)						\
	void __tsan_##name(void *address)				\
	{								\
		note(address, bytes);					\
	}

ACCESS(read1, 1)
ACCESS(read2, 2)
ACCESS(read4, 4)
ACCESS(read8, 8)
ACCESS(read16, 16)
ACCESS(unaligned_read2, 2)
ACCESS(unaligned_read4, 4)
ACCESS(unaligned_read8, 8)
ACCESS(unaligned_read16, 16)
ACCESS(write1, 1)
ACCESS(write2, 2)
ACCESS(write4, 4)
ACCESS(write8, 8)
ACCESS(write16, 16)
ACCESS(unaligned_write2, 2)
ACCESS(unaligned_write4, 4)
ACCESS(unaligned_write8, 8)
ACCESS(unaligned_write16, 16)
ACCESS(func_entry, 0)

void __tsan_init(void)
{
}

void __tsan_func_exit(void)
{
}

void __tsan_read_range(void *address, unsigned long bytes)
{
	note(address, bytes);
}

void __tsan_write_range(void *address, unsigned long bytes)
{
	note(address, bytes);
}

u64 __tsan_atomic64_load(const u64 *address, int order)
{
	(void)order;
	note(address, sizeof(*address));
	return *address;
}

void __tsan_atomic64_store(u64 *address, u64 value, int order)
{
	(void)order;
	*address = value;
}

/* Cache lines per look-up of the keys with numbers from @first on. */
static double measure(const struct subject *subject, u64 keys, u64 first,
		      u64 *found)
{
	u64 touched = 0;
	u64 i;

	*found = 0;
	for (i = 0; i < QUERIES; i++) {
		u64 key = bench_key(keys, first + i);

		count = 0;
		*found += subject_contains(subject, &key, 1);
		touched += count;
	}
	return (double)touched / QUERIES;
}

static void report(const char *name)
{
	struct subject subject;
	double negative, positive;
	u64 keys = random_word();
	u64 items, hits, found;
	u64 key;

	if (!subject_create(&subject, name, BYTES))
		exit(1);
	for (items = 0; ; items++) {
		key = bench_key(keys, items);
		if (!subject_insert(&subject, &key, 1))
			break;
	}
	begin = (uintptr_t)subject.memory;
	end = begin + subject.bytes;
	negative = measure(&subject, keys, FILLING_OTHERS, &hits);
	positive = measure(&subject, keys, items > QUERIES ? items - QUERIES : 0,
			   &found);
	begin = 0;
	end = 0;
	printf("lines\t%s\t%.3f\t%.3f\t%llu\t%llu\t%u\t%llu\n", name, negative,
	       positive, (unsigned long long)items,
	       (unsigned long long)subject.bytes * 8, QUERIES,
	       (unsigned long long)hits);
	subject_free(&subject);
}

int main(int argc, char **argv)
{
	int i;

	bench_seed(1);
	for (i = 1; i < argc; i++)
		report(argv[i]);
	return 0;
}
