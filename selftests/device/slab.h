/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is left of each of very many things that come and go. Whatever is made and not
 * given back with each of them is an object of slab, or an area or pages: so it is the
 * objects that are counted, of each kind, after one half and after the other one.
 */
#ifndef KCUCKOO_SLAB_H
#define KCUCKOO_SLAB_H

#include "client.h"

#include <glob.h>

#define SLAB_KINDS	400

/*
 * So many more of a kind others may have meanwhile, beside those of a page that a
 * processor took: all of them count.
 */
#define SLAB_OTHERS	8

/* Kilobytes of the smallest block that is no object of slab, and counts as slab. */
#define SLAB_BLOCK	16

/* The group of who has memory for each processor counted. */
#define PERCPU_GROUP	"/sys/fs/cgroup/percpu"

/**
 * struct slab - objects of one kind
 * @name: the kind
 * @objects: how many there are
 * @together: how many the kernel gets at a time
 */
struct slab {
	char name[32];
	long objects;
	long together;
};

/**
 * struct holding - what the kernel holds
 * @memory: in all
 * @count: kinds of objects
 * @slabs: the kinds
 */
struct holding {
	struct memory memory;
	size_t count;
	struct slab slabs[SLAB_KINDS];
};

static inline int slab_write(const char *file, const char *what)
{
	int fd = open(file, O_WRONLY | O_CLOEXEC);
	int error = fd < 0 || write(fd, what, strlen(what)) < 0 ? -errno : 0;

	if (error)
		fprintf(stderr, "# %s: %s\n", file, strerror(-error));
	close(fd);
	return error;
}

/*
 * Has the kernel free what it keeps for later, and what it frees some seconds after a
 * grace period: the rest is in use.
 */
static inline void slab_shrink(void)
{
	glob_t files;
	size_t i;

	slab_write("/proc/sys/vm/drop_caches", "2");
	if (glob("/sys/kernel/slab/*/shrink", 0, NULL, &files))
		return;
	for (i = 0; i < files.gl_pathc; i++)
		slab_write(files.gl_pathv[i], "1");
	globfree(&files);
	client_sleep(0.1);
}

static inline void holding_now(struct holding *holding)
{
	struct slab *slab;
	char line[500];
	FILE *file;

	slab_shrink();
	file = fopen("/proc/slabinfo", "r");
	holding->memory = memory_now();
	holding->count = 0;
	while (file && holding->count < SLAB_KINDS && fgets(line, sizeof(line), file)) {
		slab = &holding->slabs[holding->count];
		holding->count += sscanf(line, "%31s %ld %*d %*d %ld", slab->name,
					 &slab->objects, &slab->together) == 3;
	}
	if (file)
		fclose(file);
}

static inline long holding_objects(const struct holding *holding)
{
	long objects = 0;
	size_t i;

	for (i = 0; i < holding->count; i++)
		objects += holding->slabs[i].objects;
	return objects;
}

/* What is held once all that was given up has been freed: it gets no less. */
static inline void holding_rest(struct holding *holding)
{
	int same = 0, i;
	long before;

	holding->memory = memory_rest();
	if (client_slow())
		return;
	holding_now(holding);
	for (i = 0; i < 20 && same < 2; i++) {
		before = holding_objects(holding);
		client_sleep(0.2);
		holding_now(holding);
		same = holding_objects(holding) < before ? 0 : same + 1;
	}
}

static inline long holding_find(const struct holding *holding, const char *name)
{
	size_t i;

	for (i = 0; i < holding->count && strcmp(holding->slabs[i].name, name); i++)
		;
	return i < holding->count ? holding->slabs[i].objects : 0;
}

/* May the module have objects of a kind? Of others there are as many as processes need. */
static inline bool slab_is_ours(const struct slab *slab)
{
	return !strncmp(slab->name, "kmalloc-", 8) ||
	       !strcmp(slab->name, "radix_tree_node") ||
	       !strcmp(slab->name, "net_namespace");
}

/* How many more of a kind there are than there may be, with @items things in between. */
static inline long slab_excess(const struct holding *before, const struct slab *now,
			       long items)
{
	const long others = now->together + SLAB_OTHERS;
	const long most = items / 2 > others ? items / 2 : others;
	const long more = now->objects - holding_find(before, now->name);

	if (more > most)
		fprintf(stderr, "# %ld more objects of %s\n", more, now->name);
	return more > most ? more - most : 0;
}

static inline long holding_excess(const struct holding *before, const struct holding *now,
				  long items)
{
	long excess = 0;
	size_t i;

	for (i = 0; i < now->count; i++)
		if (slab_is_ours(&now->slabs[i]))
			excess += slab_excess(before, &now->slabs[i], items);
	return excess;
}

/*
 * Has none of @items things that came and went since @before left something behind? Of
 * no kind may there be more by half of their number, nor in all by half a block of each;
 * where they are few, others count more. Waits for that.
 *
 * A kernel with checks keeps freed objects for long; it looks for leaks itself.
 */
static inline bool holding_back(const struct holding *before, long items)
{
	const long blocks = items * SLAB_BLOCK / 2;
	const long slab = blocks < 500 ? 500 : blocks < 3000 ? blocks : 3000;
	struct memory more;
	struct holding now;
	bool back = false;
	int i;

	if (client_slow())
		return memory_back(before->memory);
	for (i = 0; i < 3 && !back; i++) {
		holding_rest(&now);
		more.slab = now.memory.slab - before->memory.slab;
		more.percpu = now.memory.percpu - before->memory.percpu;
		more.vmalloc = now.memory.vmalloc - before->memory.vmalloc;
		back = now.count && !holding_excess(before, &now, items) &&
		       more.slab < slab && more.percpu <= 64 && more.vmalloc <= 0;
	}
	fprintf(stderr, "# %ld later: %ld kB of slab, %ld kB percpu, %ld areas more\n", items,
		more.slab, more.percpu, more.vmalloc);
	return back;
}

/*
 * Memory for each processor is charged to the group of whoever asks for it, to the
 * byte; of the machine's the kernel tells but the pages, and a page has hundreds of
 * counters. Puts the caller in a group of its own, which has none yet.
 */
static inline int percpu_begin(void)
{
	if (mkdir(PERCPU_GROUP, 0755) && errno != EEXIST)
		return -errno;
	return slab_write("/sys/fs/cgroup/cgroup.subtree_control", "+memory") ?:
	       slab_write(PERCPU_GROUP "/cgroup.procs", "0");
}

/* Bytes that the group was charged for, or -1. */
static inline long long percpu_bytes(void)
{
	FILE *file = fopen(PERCPU_GROUP "/memory.stat", "r");
	long long bytes = -1;
	char line[200];

	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "percpu %lld", &bytes);
	if (file)
		fclose(file);
	return bytes;
}

/* Does the group get to have @least to @most bytes? The kernel adds up every 2 seconds. */
static inline bool percpu_becomes(long long least, long long most)
{
	long long now = percpu_bytes();
	int i;

	for (i = 0; i < 300 && (now < least || now > most); i++) {
		client_sleep(0.1);
		now = percpu_bytes();
	}
	fprintf(stderr, "# %lld bytes for the processors\n", now);
	return now >= least && now <= most;
}

#endif /* KCUCKOO_SLAB_H */
