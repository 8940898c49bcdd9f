/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions of all test programs: calls of the device, keys, namespaces, memory and the
 * kernel's log. If a function has no other description, it returns 0 or a negative errno.
 */
#ifndef KCUCKOO_CLIENT_H
#define KCUCKOO_CLIENT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/kcuckoo.h>

#include "kselftest_harness.h"

/* The runner limits the time of each program, so a single test needs no shorter limit. */
#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT	3600

#define POISON	0xa5

static inline bool client_slow(void)
{
	const char *slow = getenv("KCUCKOO_SLOW");
	struct stat st;

	if (slow)
		return strcmp(slow, "0");
	return !stat("/sys/kernel/debug/kmemleak", &st) ||
	       !stat("/sys/kernel/debug/kcsan", &st);
}

/* Return: @count, or about a tenth of @count on a debug kernel, which is slower. */
static inline size_t client_scale(size_t count)
{
	return client_slow() ? count / 10 + 1 : count;
}

/* Return: the variable KCUCKOO_@what, which `make endurance` sets; or @otherwise. */
static inline size_t client_count(const char *what, size_t otherwise)
{
	char name[64];
	const char *count;

	snprintf(name, sizeof(name), "KCUCKOO_%s", what);
	count = getenv(name);
	return count ? strtoull(count, NULL, 10) : otherwise;
}

/* Return: a number of repetitions: @otherwise in `make soak`, else @briefly. */
static inline size_t client_soak(size_t briefly, size_t otherwise)
{
	return getenv("KCUCKOO_SOAK") ? otherwise : briefly;
}

/*
 * Return: a number of keys or repetitions: client_scale(@otherwise) on a debug kernel and in
 * `make soak`, else @briefly.
 */
static inline size_t client_sample(size_t briefly, size_t otherwise)
{
	return client_slow() ? client_scale(otherwise) : client_soak(briefly, otherwise);
}

/*
 * Call this function at the end of a fixture's teardown. If the test was too slow (@late),
 * it fails. If this is its only failure, print "late", so that the runner may try again.
 */
static inline void client_late(struct __test_metadata *_metadata, bool late)
{
	if (!late)
		return;
	if (_metadata->passed)
		fprintf(stderr, "# late\n");
	_metadata->passed = 0;
}

static inline double client_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static inline void client_sleep(double seconds)
{
	struct timespec left = {
		.tv_sec = seconds,
		.tv_nsec = (seconds - (long)seconds) * 1e9,
	};

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

/* Open the device in the caller's namespace; load the module if it is not loaded. */
static inline int client_open(void)
{
	int fd = open(KCUCKOO_DEVICE, O_RDWR | O_CLOEXEC);

	if (fd < 0 && (errno == ENOENT || errno == ENXIO || errno == ENODEV)) {
		if (system("modprobe kcuckoo"))
			return -ENODEV;
		fd = open(KCUCKOO_DEVICE, O_RDWR | O_CLOEXEC);
	}
	return fd < 0 ? -errno : fd;
}

static inline int call(int fd, unsigned long request, void *argument)
{
	return ioctl(fd, request, argument) ? -errno : 0;
}

static inline void set_name(__u8 *to, const char *from)
{
	size_t length = strlen(from);

	memset(to, 0, KCUCKOO_NAME_SIZE);
	memcpy(to, from, length < KCUCKOO_NAME_SIZE ? length : KCUCKOO_NAME_SIZE);
}

static inline int filter_create(int fd, const char *name, __u64 capacity)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_INET,
		.capacity = capacity,
	};

	set_name(create.name, name);
	return call(fd, KCUCKOO_IOC_CREATE, &create);
}

static inline int filter_create_like(int fd, const char *name, const char *like)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.flags = KCUCKOO_CREATE_LIKE,
	};

	set_name(create.name, name);
	set_name(create.like, like);
	return call(fd, KCUCKOO_IOC_CREATE, &create);
}

/* Call DESTROY, FLUSH or COMPACT, whose only parameter is a name. */
static inline int filter_do(int fd, unsigned long request, const char *name)
{
	struct kcuckoo_ioc_destroy named = { .size = sizeof(named) };

	set_name(named.name, name);
	return call(fd, request, &named);
}

static inline int filter_destroy(int fd, const char *name)
{
	return filter_do(fd, KCUCKOO_IOC_DESTROY, name);
}

static inline int filter_flush(int fd, const char *name)
{
	return filter_do(fd, KCUCKOO_IOC_FLUSH, name);
}

static inline int filter_compact(int fd, const char *name)
{
	return filter_do(fd, KCUCKOO_IOC_COMPACT, name);
}

/* Call an operation whose only parameters are two names, such as RENAME or SWAP. */
static inline int filter_pair(int fd, unsigned long request, const char *name,
			      const char *other)
{
	struct kcuckoo_ioc_rename pair = { .size = sizeof(pair) };

	set_name(pair.name, name);
	set_name(pair.new_name, other);
	return call(fd, request, &pair);
}

static inline int filter_rename(int fd, const char *name, const char *other)
{
	return filter_pair(fd, KCUCKOO_IOC_RENAME, name, other);
}

static inline int filter_swap(int fd, const char *name, const char *other)
{
	return filter_pair(fd, KCUCKOO_IOC_SWAP, name, other);
}

static inline int filter_replace(int fd, const char *name, const char *other)
{
	return filter_pair(fd, KCUCKOO_IOC_REPLACE, name, other);
}

static inline int filter_reserve(int fd, const char *name, int family, int plen,
				 __u64 count)
{
	struct kcuckoo_ioc_reserve reserve = {
		.size = sizeof(reserve),
		.family = family,
		.plen = plen,
		.count = count,
	};

	set_name(reserve.name, name);
	return call(fd, KCUCKOO_IOC_RESERVE, &reserve);
}

static inline int filter_info(int fd, const char *name, struct kcuckoo_ioc_info *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	set_name(info->name, name);
	return call(fd, KCUCKOO_IOC_INFO, info);
}

/* Return: the memory of a filter in bytes, or -1. */
static inline long long filter_bytes(int fd, const char *name)
{
	struct kcuckoo_ioc_info info;

	return filter_info(fd, name, &info) ? -1 : (long long)info.memory_bytes;
}

/* Return: the number of members of a filter, or a negative errno. */
static inline long long filter_entries(int fd, const char *name)
{
	struct kcuckoo_ioc_info info;
	int error = filter_info(fd, name, &info);

	return error ? error : (long long)info.members;
}

static inline int client_stats(int fd, struct kcuckoo_ioc_stats *stats)
{
	memset(stats, 0, sizeof(*stats));
	stats->size = sizeof(*stats);
	return call(fd, KCUCKOO_IOC_STATS, stats);
}

/*
 * The common first fields of the requests ADD, DEL and TEST. @hits is their field added,
 * deleted or present.
 */
struct batch {
	__u32 size;
	__u32 flags;
	__u8 name[KCUCKOO_NAME_SIZE];
	__aligned_u64 keys;
	__aligned_u64 results;
	__u32 count;
	__u32 done;
	__u32 hits;
	__u32 misses;
};

static_assert(sizeof(struct batch) == offsetof(struct kcuckoo_ioc_add, lengths), "add");
static_assert(sizeof(struct batch) == offsetof(struct kcuckoo_ioc_del, lengths), "del");
static_assert(sizeof(struct batch) == offsetof(struct kcuckoo_ioc_test, lengths), "test");

static inline struct batch batch_of(const char *name, const struct kcuckoo_prefix *keys,
				    __u8 *results, __u32 count)
{
	struct batch batch = {
		.size = sizeof(batch),
		.keys = (uintptr_t)keys,
		.results = (uintptr_t)results,
		.count = count,
	};

	set_name(batch.name, name);
	return batch;
}

/* Call @request for @count keys, in several calls. Return: the sum of @hits, or -errno. */
static inline long long batch_run(int fd, unsigned long request, __u32 flags,
				  const char *name, const struct kcuckoo_prefix *keys,
				  __u8 *results, size_t count)
{
	long long hits = 0;
	size_t place = 0;

	while (place < count) {
		size_t rest = count - place;
		struct batch batch = batch_of(name, keys + place,
					      results ? results + place : NULL,
					      rest < KCUCKOO_BATCH_MAX ? rest :
							KCUCKOO_BATCH_MAX);
		int error;

		batch.flags = flags;
		error = call(fd, request, &batch);
		if (error)
			return error;
		if (!batch.done || batch.done > batch.count)
			return -EPROTO;
		hits += batch.hits;
		place += batch.done;
	}
	return hits;
}

static inline long long keys_add(int fd, const char *name,
				 const struct kcuckoo_prefix *keys, size_t count)
{
	return batch_run(fd, KCUCKOO_IOC_ADD, 0, name, keys, NULL, count);
}

static inline long long keys_del(int fd, const char *name,
				 const struct kcuckoo_prefix *keys, size_t count)
{
	return batch_run(fd, KCUCKOO_IOC_DEL, 0, name, keys, NULL, count);
}

static inline long long keys_covered(int fd, const char *name,
				     const struct kcuckoo_prefix *keys, size_t count)
{
	return batch_run(fd, KCUCKOO_IOC_TEST, 0, name, keys, NULL, count);
}

static inline long long keys_members(int fd, const char *name,
				     const struct kcuckoo_prefix *keys, size_t count)
{
	return batch_run(fd, KCUCKOO_IOC_TEST, KCUCKOO_TEST_MEMBER, name, keys, NULL,
			 count);
}

/* Return: an IPv4 key. @address is in host byte order. */
static inline struct kcuckoo_prefix ipv4(__u32 address, __u8 plen)
{
	struct kcuckoo_prefix key = { .family = KCUCKOO_FAMILY_IPV4, .plen = plen };
	__be32 wire = htonl(plen ? address & (~0U << (32 - plen)) : 0);

	memcpy(key.addr, &wire, sizeof(wire));
	return key;
}

static inline void key_mask(struct kcuckoo_prefix *key)
{
	int byte = key->plen / 8;

	if (byte < 16)
		key->addr[byte] &= ~(0xff >> (key->plen % 8));
	while (++byte < 16)
		key->addr[byte] = 0;
}

/* Return: an IPv6 key. The halves of the address are in host byte order. */
static inline struct kcuckoo_prefix ipv6(__u64 high, __u64 low, __u8 plen)
{
	struct kcuckoo_prefix key = { .family = KCUCKOO_FAMILY_IPV6, .plen = plen };
	int i;

	for (i = 0; i < 8; i++) {
		key.addr[i] = high >> (56 - 8 * i);
		key.addr[8 + i] = low >> (56 - 8 * i);
	}
	key_mask(&key);
	return key;
}

/* Return: the key of a text such as "10.0.0.0/8" or "::1", with host bits cleared. */
static inline struct kcuckoo_prefix key_of(const char *text)
{
	struct kcuckoo_prefix key = { .family = KCUCKOO_FAMILY_IPV4, .plen = 32 };
	char address[64] = "";
	const char *slash = strchr(text, '/');

	memcpy(address, text, slash ? (size_t)(slash - text) : strlen(text));
	if (inet_pton(AF_INET, address, key.addr) != 1) {
		key.family = KCUCKOO_FAMILY_IPV6;
		key.plen = 128;
		if (inet_pton(AF_INET6, address, key.addr) != 1)
			abort();
	}
	if (slash)
		key.plen = atoi(slash + 1);
	key_mask(&key);
	return key;
}

static inline int key_compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct kcuckoo_prefix));
}

static inline void keys_sort(struct kcuckoo_prefix *keys, size_t count)
{
	qsort(keys, count, sizeof(*keys), key_compare);
}

/* Return: the next number of xorshift64*, which gives the same numbers in every run. */
static inline __u64 random_next(__u64 *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dULL;
}

/*
 * Walk the whole filter, in calls of @room keys. Set @members to the sorted members, in
 * memory that the caller frees. If @restarts is not NULL, count the restarts of the walk.
 * Return: the number of members, or a negative errno.
 */
static inline long long keys_walk(int fd, const char *name, __u32 room,
				  struct kcuckoo_prefix **members,
				  unsigned long *restarts)
{
	struct kcuckoo_ioc_walk walk = { .size = sizeof(walk), .count = room };
	struct kcuckoo_prefix *keys = NULL;
	size_t count = 0, space = 0;
	int error;

	*members = NULL;
	set_name(walk.name, name);
	do {
		if (space - count < room) {
			struct kcuckoo_prefix *more;

			space = 2 * space + room;
			more = realloc(keys, space * sizeof(*keys));
			if (!more) {
				free(keys);
				return -ENOMEM;
			}
			keys = more;
		}
		walk.keys = (uintptr_t)(keys + count);
		error = call(fd, KCUCKOO_IOC_WALK, &walk);
		if (!error && walk.done > room)
			error = -EPROTO;
		if (error) {
			free(keys);
			return error;
		}
		count += walk.done;
		if (walk.state == KCUCKOO_WALK_RESTART) {
			count = 0;
			if (restarts)
				(*restarts)++;
		}
	} while (walk.state != KCUCKOO_WALK_END);

	keys_sort(keys, count);
	*members = keys;
	return count;
}

static inline int rule_attach(int fd, const char *name, int hook, int family,
			      int match, int action)
{
	struct kcuckoo_ioc_attach attach = {
		.size = sizeof(attach),
		.hook = hook,
		.family = family,
		.match = match,
		.action = action,
	};

	set_name(attach.name, name);
	return call(fd, KCUCKOO_IOC_ATTACH, &attach);
}

/* Attach a rule of hook prerouting to @name, with the allow filter @allow. */
static inline int rule_attach_allow(int fd, const char *name, const char *allow)
{
	struct kcuckoo_ioc_attach attach = {
		.size = sizeof(attach),
		.hook = KCUCKOO_HOOK_PREROUTING,
		.family = KCUCKOO_FAMILY_BOTH,
	};

	set_name(attach.name, name);
	set_name(attach.allow, allow);
	return call(fd, KCUCKOO_IOC_ATTACH, &attach);
}

/* Get the number of a slot; also hold or release the slot, as @flags say. */
static inline int slot_request(int fd, const char *name, __u32 flags, __u32 ifindex,
			       __u32 *id)
{
	struct kcuckoo_ioc_slot slot = {
		.size = sizeof(slot),
		.flags = flags,
		.ifindex = ifindex,
	};
	int error;

	set_name(slot.name, name);
	error = call(fd, KCUCKOO_IOC_SLOT, &slot);
	if (id)
		*id = slot.id;
	return error;
}

/* Attach a rule of hook ingress to a device, for both families. */
static inline int rule_attach_dev(int fd, const char *name, const char *dev, int match,
				  int action)
{
	struct kcuckoo_ioc_attach attach = {
		.size = sizeof(attach),
		.hook = KCUCKOO_HOOK_INGRESS,
		.family = KCUCKOO_FAMILY_BOTH,
		.match = match,
		.action = action,
	};

	set_name(attach.name, name);
	strncpy((char *)attach.dev, dev, sizeof(attach.dev));
	return call(fd, KCUCKOO_IOC_ATTACH, &attach);
}

/* Detach all rules of a device. Return: the number of rules, or -errno. */
static inline int rule_detach_dev(int fd, const char *dev)
{
	struct kcuckoo_ioc_detach detach = {
		.size = sizeof(detach),
		.flags = KCUCKOO_DETACH_DEV,
	};
	int error;

	strncpy((char *)detach.dev, dev, sizeof(detach.dev));
	error = call(fd, KCUCKOO_IOC_DETACH, &detach);
	return error ? error : (int)detach.removed;
}

/* Detach all rules of @name, or all rules if @name is NULL. Return: their number, or -errno. */
static inline int rule_detach(int fd, const char *name)
{
	struct kcuckoo_ioc_detach detach = { .size = sizeof(detach) };
	int error;

	if (name) {
		detach.flags = KCUCKOO_DETACH_NAME;
		set_name(detach.name, name);
	}
	error = call(fd, KCUCKOO_IOC_DETACH, &detach);
	return error ? error : (int)detach.removed;
}

/* List at most @room rules of the namespace. Return: the number of all rules, or -errno. */
static inline int rule_list(int fd, struct kcuckoo_rule *rules, __u32 room)
{
	struct kcuckoo_ioc_rules list = {
		.size = sizeof(list),
		.rules = (uintptr_t)rules,
		.count = room,
		.rule_size = sizeof(*rules),
	};
	int error = call(fd, KCUCKOO_IOC_RULES, &list);

	return error ? error : (int)list.total;
}

/* List at most @room filters of the namespace. Return: the number of all, or -errno. */
static inline int filter_list(int fd, struct kcuckoo_list_entry *entries, __u32 room)
{
	struct kcuckoo_ioc_list list = {
		.size = sizeof(list),
		.entries = (uintptr_t)entries,
		.count = room,
	};
	int error = call(fd, KCUCKOO_IOC_LIST, &list);

	return error ? error : (int)list.total;
}

/* Remove all rules and filters of the namespace. */
static inline void client_clear(int fd)
{
	struct kcuckoo_list_entry entry;
	char name[KCUCKOO_NAME_SIZE + 1] = "";

	rule_detach(fd, NULL);
	while (filter_list(fd, &entry, 1) > 0) {
		memcpy(name, entry.name, KCUCKOO_NAME_SIZE);
		if (filter_destroy(fd, name))
			return;
	}
}

/* Open the kernel's log at its end, for log_complaints(). Return: a descriptor. */
static inline int log_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

/*
 * Print the lines of the kernel's log after log_open() that report an error or name the
 * module. Return: the number of these lines.
 */
static inline int log_complaints(int fd)
{
	static const char * const words[] = {
		"kcuckoo", "BUG", "WARNING", "Oops", "Call Trace", "KASAN", "UBSAN",
		"rcu_sched", "self-detected", "blocked for more", "lockdep",
		"general protection", "unable to handle", "refcount_t", "leak",
	};
	char record[8192];
	int complaints = 0;
	ssize_t length;
	size_t i;

	for (;;) {
		length = read(fd, record, sizeof(record) - 1);
		if (length < 0 && errno == EPIPE)
			continue;
		if (length <= 0)
			return complaints;
		record[length] = '\0';
		for (i = 0; i < ARRAY_SIZE(words); i++) {
			if (!strstr(record, words[i]))
				continue;
			fprintf(stderr, "# kernel: %s", record);
			complaints++;
			break;
		}
	}
}

/**
 * struct client - a test's own namespace
 * @fd: descriptor of the device
 * @log: descriptor of the kernel's log, from log_open()
 * @space: descriptor that keeps the namespace if the test leaves it
 */
struct client {
	int fd;
	int log;
	int space;
};

static inline int client_begin(struct client *client)
{
	if (unshare(CLONE_NEWNET))
		return -errno;
	client->fd = client_open();
	if (client->fd < 0)
		return client->fd;
	client->log = log_open();
	client->space = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	return client->log < 0 || client->space < 0 ? -ENODEV : 0;
}

/* Close all. Return: the result of log_complaints(). */
static inline int client_end(struct client *client)
{
	int complaints = log_complaints(client->log);

	close(client->log);
	close(client->space);
	close(client->fd);
	return complaints;
}

/*
 * Attach rules of other tables to all hooks, in a new namespace that has no traffic and
 * exists until the process ends. The kernel patches its own code when the first rule of a
 * hook is attached in any namespace, and when the last rule is detached. An emulated
 * processor sometimes executes an incomplete patch (the kernel dies of an int3, for example
 * in ip_local_deliver()). With these rules, tests that attach and detach under traffic cause
 * no patch.
 */
static inline int hooks_hold(void)
{
	static const char * const variants[] = { "iptables", "ip6tables" };
	static const char * const rules[] = {
		"-t raw -A PREROUTING", "-A INPUT", "-A FORWARD", "-A OUTPUT",
	};
	int home = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	char command[100];
	size_t i, j;

	if (home < 0 || unshare(CLONE_NEWNET))
		return -errno;
	for (i = 0; i < ARRAY_SIZE(variants); i++) {
		for (j = 0; j < ARRAY_SIZE(rules); j++) {
			snprintf(command, sizeof(command), "%s -w %s -j ACCEPT",
				 variants[i], rules[j]);
			if (system(command))
				return -EPROTO;
		}
	}
	if (system("nft -f - <<END\n"
		   "add table netdev t\n"
		   "add chain netdev t c { type filter hook ingress device lo priority 0; }\n"
		   "END\n"))
		return -EPROTO;
	/* This descriptor is never closed. */
	if (open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC) < 0 ||
	    setns(home, CLONE_NEWNET))
		return -errno;
	return close(home);
}

/* Return: the kilobytes in the line @name of /proc/meminfo, for example "Percpu"; or -1. */
static inline long memory_line(const char *name)
{
	FILE *file = fopen("/proc/meminfo", "r");
	char line[200];
	long value = -1;

	while (file && fgets(line, sizeof(line), file)) {
		if (!strncmp(line, name, strlen(name)) && line[strlen(name)] == ':')
			value = atol(line + strlen(name) + 1);
	}
	if (file)
		fclose(file);
	return value;
}

/**
 * struct memory - memory that the kernel has allocated
 * @slab: slab memory that cannot be reclaimed, in kilobytes
 * @percpu: per-CPU memory, in kilobytes
 * @vmalloc: number of vmalloc areas of this module
 */
struct memory {
	long slab;
	long percpu;
	long vmalloc;
};

/*
 * Return: true if the module allocated the area in a line of /proc/vmallocinfo. After the
 * module was unloaded, the line has an address instead of a name. The area with the code
 * of the module belongs to the kernel.
 */
static inline bool area_is_ours(const char *line)
{
	unsigned long long caller;

	/* Areas from the start of user-mode Linux also have no name, and have lower addresses. */
	if (sscanf(line, "%*s %*s 0x%llx", &caller) == 1)
		return caller > UINT32_MAX;
	return strstr(line, "[kcuckoo]") && !strstr(line, "module");
}

static inline struct memory memory_now(void)
{
	struct memory memory = {};
	char line[500];
	FILE *file;

	memory.slab = memory_line("SUnreclaim");
	memory.percpu = memory_line("Percpu");
	file = fopen("/proc/vmallocinfo", "r");
	while (file && fgets(line, sizeof(line), file))
		memory.vmalloc += area_is_ours(line);
	if (file)
		fclose(file);
	return memory;
}

/* Wait at most 60 seconds until the module has no area. Return: the memory then. */
static inline struct memory memory_rest(void)
{
	struct memory now = memory_now();
	int i;

	for (i = 0; i < 300 && now.vmalloc; i++) {
		client_sleep(0.2);
		now = memory_now();
	}
	return now;
}

/*
 * Wait at most 60 seconds until the memory is at most @before plus a margin for the caches
 * of the kernel. Return: true if it is. The margin is larger on a kernel with checks, which
 * keeps freed objects for a long time, and detects leaks itself.
 */
static inline bool memory_back(struct memory before)
{
	const long slab = client_slow() ? 65536 : 3000, percpu = client_slow() ? 1024 : 64;
	struct memory now;
	bool back = false;
	int i;

	for (i = 0; i < 300 && !back; i++) {
		if (i)
			client_sleep(0.2);
		now = memory_now();
		back = now.vmalloc <= before.vmalloc &&
		       now.percpu <= before.percpu + percpu &&
		       now.slab <= before.slab + slab;
	}
	fprintf(stderr, "# slab %ld -> %ld kB, percpu %ld -> %ld kB, areas %ld -> %ld\n",
		before.slab, now.slab, before.percpu, now.percpu, before.vmalloc,
		now.vmalloc);
	return back;
}

/* fd_send() and fd_receive() pass a descriptor to another process. */
static inline int fd_send(int socket, int fd)
{
	char space[CMSG_SPACE(sizeof(int))] = "";
	char byte = 0;
	struct iovec data = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr message = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = space,
		.msg_controllen = sizeof(space),
	};
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	return sendmsg(socket, &message, 0) == 1 ? 0 : -errno;
}

static inline int fd_receive(int socket)
{
	char space[CMSG_SPACE(sizeof(int))] = "";
	char byte;
	struct iovec data = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr message = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = space,
		.msg_controllen = sizeof(space),
	};
	struct cmsghdr *head;
	int fd;

	if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1)
		return -EPIPE;
	head = CMSG_FIRSTHDR(&message);
	if (!head || head->cmsg_type != SCM_RIGHTS)
		return -EPROTO;
	memcpy(&fd, CMSG_DATA(head), sizeof(fd));
	return fd;
}

/* Set a parameter of the loaded module. Return: 0 or -1. */
static inline int parameter_set(const char *parameter, unsigned long long value)
{
	char path[100], text[32];
	bool written;
	int fd;

	snprintf(path, sizeof(path), "/sys/module/kcuckoo/parameters/%s", parameter);
	snprintf(text, sizeof(text), "%llu", value);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	close(fd);
	return written ? 0 : -1;
}

#endif /* KCUCKOO_CLIENT_H */
