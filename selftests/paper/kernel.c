// SPDX-License-Identifier: GPL-2.0-only
/*
 * BUCKET-SIZE BITS SORTED CAPACITY RUNS LOOKUPS: the same, in the kernel
 * doubling BITS CAPACITY
 *
 * Makes filters of byte strings through /dev/kcuckoo, of a fixed size, and adds
 * 8-byte keys until the kernel says that there is no room; looks absent keys up,
 * asks again for the present ones, and deletes all. A line per run, as from fill:
 *
 *	kernel b f sorted places run entries memory-bytes look-ups
 *	false-positives members-not-found entries-after-deleting-all
 *
 * Or fills a filter that may grow, and tells how long the call took in which it
 * was doubled, and how long it took to add all keys to a new one twice as large:
 *
 *	kernel-doubling f entries seconds-of-the-call seconds-to-rebuild
 *	members-not-found
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <linux/kcuckoo.h>

#include "random.h"

#define BATCH	4096
#define OTHERS	0x4000000000000000ULL

static int device;
static u64 keys_of_run;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void call(unsigned long request, void *argument, const char *what)
{
	if (ioctl(device, request, argument))
		die(what);
}

static void set_name(__u8 *to, const char *name)
{
	memset(to, 0, KCUCKOO_NAME_SIZE);
	memcpy(to, name, strlen(name));
}

static void create(const char *name, u8 bucket_size, u8 bits, u32 flags,
		   u64 capacity)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.flags = flags,
		.type = KCUCKOO_TYPE_BYTES,
		.bucket_size = bucket_size,
		.tag_bits = bits,
		.capacity = capacity,
	};

	set_name(create.name, name);
	call(KCUCKOO_IOC_CREATE, &create, "create");
}

static void destroy(const char *name)
{
	struct kcuckoo_ioc_destroy destroy = { .size = sizeof(destroy) };

	set_name(destroy.name, name);
	call(KCUCKOO_IOC_DESTROY, &destroy, "destroy");
}

static struct kcuckoo_ioc_info info(const char *name)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };

	set_name(info.name, name);
	call(KCUCKOO_IOC_INFO, &info, "info");
	return info;
}

/* A batch of keys with numbers from @first on, and their lengths. */
static void batch(u64 keys[BATCH], __u16 lengths[BATCH], u64 first)
{
	unsigned int i;

	for (i = 0; i < BATCH; i++) {
		keys[i] = random_mix(keys_of_run + first + i);
		lengths[i] = sizeof(keys[i]);
	}
}

/* Adds keys; returns how many, fewer than asked for where there is no room. */
static u32 add(const char *name, u64 first, u32 count)
{
	static __u16 lengths[BATCH];
	static u64 keys[BATCH];
	struct kcuckoo_ioc_add add = {
		.size = sizeof(add),
		.keys = (uintptr_t)keys,
		.lengths = (uintptr_t)lengths,
		.count = count,
	};

	set_name(add.name, name);
	batch(keys, lengths, first);
	if (!ioctl(device, KCUCKOO_IOC_ADD, &add))
		return add.added;
	if (errno != ENOSPC)
		die("add");
	return 0;
}

static u64 fill(const char *name)
{
	u64 added = 0;
	u32 some;

	do {
		some = add(name, added, BATCH);
		added += some;
	} while (some == BATCH);
	return added;
}

static u64 present(const char *name, u64 first, u64 count)
{
	static __u16 lengths[BATCH];
	static u64 keys[BATCH];
	u64 found = 0;

	while (count) {
		struct kcuckoo_ioc_test test = {
			.size = sizeof(test),
			.keys = (uintptr_t)keys,
			.lengths = (uintptr_t)lengths,
			.count = count < BATCH ? (u32)count : BATCH,
		};

		set_name(test.name, name);
		batch(keys, lengths, first);
		call(KCUCKOO_IOC_TEST, &test, "test");
		found += test.present;
		first += test.done;
		count -= test.done;
	}
	return found;
}

static void delete(const char *name, u64 count)
{
	static __u16 lengths[BATCH];
	static u64 keys[BATCH];
	u64 first = 0;

	while (count) {
		struct kcuckoo_ioc_del del = {
			.size = sizeof(del),
			.keys = (uintptr_t)keys,
			.lengths = (uintptr_t)lengths,
			.count = count < BATCH ? (u32)count : BATCH,
		};

		set_name(del.name, name);
		batch(keys, lengths, first);
		call(KCUCKOO_IOC_DEL, &del, "delete");
		first += del.done;
		count -= del.done;
	}
}

static void measure(char **argv)
{
	u8 bucket_size = (u8)atoi(argv[0]);
	u8 bits = (u8)atoi(argv[1]);
	bool sorted = atoi(argv[2]);
	u64 lookups = strtoull(argv[5], NULL, 0);
	int runs = atoi(argv[4]);
	int i;

	for (i = 0; i < runs; i++) {
		u64 entries, hits, lost;
		struct kcuckoo_ioc_info full;

		keys_of_run = random_word();
		create("paper", bucket_size, bits, KCUCKOO_CREATE_FIXED |
		       (sorted ? KCUCKOO_CREATE_SORTED : 0),
		       strtoull(argv[3], NULL, 0));
		entries = fill("paper");
		full = info("paper");
		lost = entries - present("paper", 0, entries);
		hits = present("paper", OTHERS, lookups);
		delete("paper", entries);
		printf("kernel\t%u\t%u\t%u\t%llu\t%d\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\n",
		       bucket_size, bits, sorted, full.table_entries, i, full.table_entries_used,
		       full.memory_bytes, lookups, hits, lost,
		       info("paper").table_entries_used);
		destroy("paper");
	}
}

static void grow(char **argv)
{
	u8 bits = (u8)atoi(argv[0]);
	u64 capacity = strtoull(argv[1], NULL, 0);
	double doubled, rebuilt;
	u64 added = 0;
	u64 i;

	keys_of_run = random_word();
	create("paper", 4, bits, 0, capacity);
	/* Batches as long as there is surely room, then key by key. */
	for (; added + BATCH <= capacity; added += BATCH)
		add("paper", added, BATCH);
	do {
		doubled = now();
		added += add("paper", added, 1);
		doubled = now() - doubled;
	} while (!info("paper").growths);
	create("again", 4, bits, KCUCKOO_CREATE_FIXED, 2 * capacity);
	rebuilt = now();
	for (i = 0; i < added; i += BATCH)
		add("again", i, added - i < BATCH ? (u32)(added - i) : BATCH);
	rebuilt = now() - rebuilt;
	printf("kernel-doubling\t%u\t%llu\t%.4f\t%.4f\t%llu\n", bits, added,
	       doubled, rebuilt, added - present("paper", 0, added));
	destroy("paper");
	destroy("again");
}

int main(int argc, char **argv)
{
	device = open(KCUCKOO_DEVICE, O_RDWR | O_CLOEXEC);
	if (device < 0)
		die(KCUCKOO_DEVICE);
	random_seed((u64)time(NULL));
	if (argc == 4 && !strcmp(argv[1], "doubling"))
		grow(argv + 2);
	else if (argc == 7)
		measure(argv + 1);
	else
		return 2;
	return 0;
}
