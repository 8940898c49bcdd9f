/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Named tests that report by the Test Anything Protocol.
 *
 * A program has one table of tests and calls tap_main(). Each test begins with
 * a random state of its own, which depends on SEED and on the test's name only,
 * so one test alone does what it does among all. Memory from tap_zalloc() has
 * exactly the size asked for, and is freed when the test ends.
 */
#ifndef _SELFTESTS_CORE_TAP_H
#define _SELFTESTS_CORE_TAP_H

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>
#include <time.h>

#include <linux/types.h>

#include "random.h"

#define TAP_SEED	0x6b6375636b6f6fULL

#define TAP_COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/**
 * struct tap_test - a test
 * @name: what it shows, as part.claim
 * @run: does it; returns if it passed
 */
struct tap_test {
	const char *name;
	void (*run)(void);
};

/* Memory of the running test. */
struct tap_block {
	struct tap_block *next;
	void *memory;
};

static struct tap_block *tap_blocks;
static jmp_buf tap_end;
static bool tap_running;

/* Ends the running test, which failed; without one, the program. */
static inline noreturn void tap_stop(void)
{
	putchar('\n');
	fflush(stdout);
	if (!tap_running)
		abort();
	longjmp(tap_end, 1);
}

/* The test goes on only if a claim is true; the rest says what was seen. */
#define tap_require(claim, ...)						\
	do {								\
		if (__builtin_expect(!(claim), 0)) {			\
			printf("# %s:%d: not true: %s: ", __FILE__,	\
			       __LINE__, #claim);			\
			printf(__VA_ARGS__);				\
			tap_stop();					\
		}							\
	} while (0)

/* Zeroed memory of exactly that size, so that nothing lies behind it. */
static inline void *tap_zalloc(size_t size)
{
	struct tap_block *block;

	if (!size)
		return NULL;
	block = malloc(sizeof(*block));
	if (block)
		block->memory = calloc(1, size);
	if (!block || !block->memory) {
		perror("tap_zalloc");
		exit(2);
	}
	block->next = tap_blocks;
	tap_blocks = block;
	return block->memory;
}

/* Frees memory before the test ends. */
static inline void tap_free(void *memory)
{
	struct tap_block **link = &tap_blocks;
	struct tap_block *block;

	while (*link && (*link)->memory != memory)
		link = &(*link)->next;
	block = *link;
	if (!block)
		return;
	*link = block->next;
	free(block->memory);
	free(block);
}

static inline u64 tap_environment(const char *name, u64 otherwise)
{
	const char *value = getenv(name);

	return value && *value ? strtoull(value, NULL, 0) : otherwise;
}

static inline bool tap_run(const struct tap_test *test, u64 seed)
{
	const char *letter;
	bool passed;

	for (letter = test->name; *letter; letter++)
		seed = random_mix(seed + (unsigned char)*letter);
	random_seed(seed);
	tap_running = true;
	passed = !setjmp(tap_end);
	if (passed)
		test->run();
	tap_running = false;
	while (tap_blocks)
		tap_free(tap_blocks->memory);
	return passed;
}

static inline bool tap_wanted(const char *name, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (!strcmp(name, argv[i]))
			return true;
	return argc < 2;
}

/*
 * The program: -l lists the names of its tests; otherwise those that are named
 * are run, or all. Returns the exit status.
 */
static inline int tap_main(int argc, char **argv, const struct tap_test *tests,
			   size_t count)
{
	u64 seed = tap_environment("SEED", TAP_SEED);
	unsigned int number = 0;
	unsigned int failed = 0;
	bool list = argc == 2 && !strcmp(argv[1], "-l");
	size_t i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (i = 0; list && i < count; i++)
		puts(tests[i].name);
	if (list)
		return 0;
	for (i = 0; i < count; i++)
		number += tap_wanted(tests[i].name, argc, argv);
	printf("TAP version 13\n1..%u\n# SEED=0x%llx\n", number, seed);
	number = 0;
	for (i = 0; i < count; i++) {
		clock_t start = clock();
		bool passed;

		if (!tap_wanted(tests[i].name, argc, argv))
			continue;
		passed = tap_run(&tests[i], seed);
		failed += !passed;
		printf("%sok %u %s\n", passed ? "" : "not ", ++number,
		       tests[i].name);
		printf("# %.2f s\n",
		       (double)(clock() - start) / CLOCKS_PER_SEC);
	}
	return failed ? 1 : 0;
}

#endif /* _SELFTESTS_CORE_TAP_H */
