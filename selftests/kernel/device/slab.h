/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions detect small leaks: a test makes and removes very many things, and
 * compares the memory of the kernel before and after. The leak of one thing is an object of
 * slab, a vmalloc area or pages. So the functions count the objects of each kind.
 */
#ifndef KCUCKOO_SLAB_H
#define KCUCKOO_SLAB_H

#include "client.h"

#include <glob.h>
#include <sys/utsname.h>

#define SLAB_OURS	"/sys/kernel/slab/{kmalloc-*,radix_tree_node,net_namespace}/shrink"
#define SLAB_KINDS	400

/*
 * Number of objects of one kind that other users of the kernel may add during the test: 4
 * were seen.
 */
#define SLAB_OTHERS	40

/*
 * Maximum number of tries. On a busy machine, other users once added 161 objects. So a
 * test that seems to find a leak makes the same number of things again: only a leak of the
 * module appears in each try.
 */
#define SLAB_TRIES	3

/* Size in KB of the smallest allocation that is not a slab object, but counts as slab. */
#define SLAB_BLOCK	16

/* The cgroup in which a test counts its per-CPU memory. */
#define PERCPU_GROUP	"/sys/fs/cgroup/percpu"

/**
 * struct slab - objects of one kind
 * @name: name of the kind
 * @objects: number of objects, the minimum of several counts: while another processor
 *	holds a slab, its free objects, which can be hundreds, count as used
 */
struct slab {
	char name[32];
	long objects;
};

/**
 * struct holding - the memory that the kernel holds
 * @memory: total
 * @count: number of elements of @slabs
 * @slabs: objects of each kind
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
 * Make the kernel free the caches that each processor has of the kinds that match @pattern,
 * because objects in the caches count as used. The write allocates a kernel buffer of its
 * size, so write a large text: a small buffer would fill a cache of small objects again.
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

/*
 * Return: true if the module can have objects of the kind @name. The number of objects of
 * other kinds depends on the processes.
 */
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
 * Make the kernel free its caches, and count the remaining objects. Open the file first,
 * because opening it also allocates small objects.
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

/* Count until two counts in sequence find no fewer objects: pending frees are then done. */
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

/*
 * Return: the number of objects of a kind above the limit, after @items things were made and
 * removed between @before and @now.
 */
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
 * Return: true if none of @items things that were made and removed since @before left
 * memory behind. No kind may have more than @items / 2 more objects, and the slab memory
 * must be less than @items / 2 blocks larger. Both limits have a minimum, because the
 * memory of other users matters more if @items is small. Wait until the limits are kept.
 *
 * A kernel with checks keeps freed objects for a long time, and detects leaks itself.
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
 * Move the caller to a new cgroup, which has no per-CPU memory yet. The kernel charges
 * per-CPU memory to the cgroup of the caller, in bytes. For the whole machine it reports
 * only pages, and a page has hundreds of counters.
 */
static inline int percpu_begin(void)
{
	if (mkdir(PERCPU_GROUP, 0755) && errno != EEXIST)
		return -errno;
	return slab_write("/sys/fs/cgroup/cgroup.subtree_control", "+memory") ?:
	       slab_write(PERCPU_GROUP "/cgroup.procs", "0");
}

/*
 * Return: true if the kernel counts each byte that is charged to a cgroup. Before Linux
 * 5.13, a processor adds its bytes to the total only when they exceed 128 KB.
 */
static inline bool percpu_is_exact(void)
{
	struct utsname kernel;
	int major, minor;

	return uname(&kernel) || sscanf(kernel.release, "%d.%d", &major, &minor) != 2 ||
	       major > 5 || (major == 5 && minor >= 13);
}

/* Return: the bytes of per-CPU memory that are charged to the cgroup, or -1. */
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

/*
 * Wait until the cgroup has @least to @most bytes, at most 30 seconds: the kernel updates
 * the number every 2 seconds. Return: true if it has.
 */
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
