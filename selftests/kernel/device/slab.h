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

#define SLAB_OURS	"/sys/kernel/slab/{kmalloc-*,radix_tree_node,net_namespace}/shrink"
#define SLAB_KINDS	400

/* So many more of a kind others may have meanwhile: 4 were seen. */
#define SLAB_OTHERS	40

/*
 * Once, on a busy machine, they had 161. So where few things come and go, as many more
 * do where there seems to be something left: it is left of these, too, if it is theirs.
 */
#define SLAB_TRIES	3

/* Kilobytes of the smallest block that is no object of slab, and counts as slab. */
#define SLAB_BLOCK	16

/* The group of who has memory for each processor counted. */
#define PERCPU_GROUP	"/sys/fs/cgroup/percpu"

/**
 * struct slab - objects of one kind
 * @name: the kind
 * @objects: how many there are: the least of several counts, as another processor may
 *	have taken some, and with them hundreds that are free
 */
struct slab {
	char name[32];
	long objects;
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
 * Has the processors give back what they have at hand of the kinds that match: it would
 * count as well. What is written is a buffer of the same size for the kernel, and must
 * not be one of the small ones, or it has some of those at hand again.
 */
static inline void slab_shrink(const char *pattern)
{
	char text[4000] = "1";
	glob_t files = {};
	size_t i;
	int fd;

	glob(pattern, GLOB_BRACE, NULL, &files);
	for (i = 0; i < files.gl_pathc; i++) {
		fd = open(files.gl_pathv[i], O_WRONLY | O_CLOEXEC);
		if (write(fd, text, sizeof(text)) < 0)
			fprintf(stderr, "# %s: %s\n", files.gl_pathv[i], strerror(errno));
		close(fd);
	}
	globfree(&files);
}

/* May the module have objects of a kind? Of others there are as many as processes need. */
static inline bool slab_is_ours(const char *name)
{
	return !strncmp(name, "kmalloc-", 8) || !strcmp(name, "radix_tree_node") ||
	       !strcmp(name, "net_namespace");
}

static inline struct slab *holding_find(struct holding *holding, const char *name)
{
	size_t i;

	for (i = 0; i < holding->count; i++)
		if (!strcmp(holding->slabs[i].name, name))
			return &holding->slabs[i];
	return NULL;
}

static inline void holding_take(struct holding *holding, const char *name, long objects)
{
	struct slab *slab = holding_find(holding, name);

	if (slab && objects < slab->objects)
		slab->objects = objects;
	if (slab || holding->count == SLAB_KINDS)
		return;
	slab = &holding->slabs[holding->count++];
	snprintf(slab->name, sizeof(slab->name), "%s", name);
	slab->objects = objects;
}

/*
 * Has the kernel free what it keeps for later, and counts the rest. The file is open
 * before: that takes small objects, too.
 */
static inline void holding_count(struct holding *holding)
{
	FILE *file = fopen("/proc/slabinfo", "r");
	char line[500], name[32];
	long objects;

	slab_write("/proc/sys/vm/drop_caches", "2");
	client_sleep(0.1);
	slab_shrink("/sys/kernel/slab/*/shrink");
	holding->memory = memory_now();
	slab_shrink(SLAB_OURS);
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%31s %ld", name, &objects) == 2 && slab_is_ours(name))
			holding_take(holding, name, objects);
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

	holding->count = 0;
	holding->memory = memory_rest();
	if (client_slow())
		return;
	holding_count(holding);
	for (i = 0; i < 20 && same < 2; i++) {
		before = holding_objects(holding);
		client_sleep(0.1);
		holding_count(holding);
		same = holding_objects(holding) < before ? 0 : same + 1;
	}
}

/* How many more of a kind there are than there may be, with @items things in between. */
static inline long slab_excess(const struct slab *before, const struct slab *now,
			       long items)
{
	const long most = items / 2 > SLAB_OTHERS ? items / 2 : SLAB_OTHERS;
	const long more = now->objects - (before ? before->objects : 0);

	if (more > most)
		fprintf(stderr, "# %ld more objects of %s\n", more, now->name);
	return more > most ? more - most : 0;
}

static inline long holding_excess(struct holding *before, const struct holding *now,
				  long items)
{
	long excess = 0;
	size_t i;

	for (i = 0; i < now->count; i++)
		excess += slab_excess(holding_find(before, now->slabs[i].name),
				      &now->slabs[i], items);
	return excess;
}

/*
 * Has none of @items things that came and went since @before left something behind? Of
 * no kind may there be more by half of their number, nor in all by half a block of each;
 * where they are few, others count more. Waits for that.
 *
 * A kernel with checks keeps freed objects for long; it looks for leaks itself.
 */
static inline bool holding_back(struct holding *before, long items)
{
	const long blocks = items * SLAB_BLOCK / 2;
	const long slab = blocks < 500 ? 500 : blocks < 3000 ? blocks : 3000;
	struct memory more;
	struct holding now;
	bool back = false;
	int i;

	if (client_slow())
		return memory_back(before->memory);
	for (i = 0; i < 10 && !back; i++) {
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
