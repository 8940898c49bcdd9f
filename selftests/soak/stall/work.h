/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The largest pieces of work there are, and how large: KCUCKOO_STALL_KEYS keys,
 * filters of KCUCKOO_STALL_BYTES bytes.
 */
#ifndef KCUCKOO_WORK_H
#define KCUCKOO_WORK_H

#include "client.h"

/* What IPv4 addresses take in a table that was made for as many: 17 bits. */
#define MEMBERS_OF(bytes)	((bytes) / 17 * 8)

static inline size_t size_from(const char *name, size_t otherwise)
{
	const char *value = getenv(name);

	return value ? strtoull(value, NULL, 0) : otherwise;
}

static inline size_t work_keys(void)
{
	return size_from("KCUCKOO_STALL_KEYS", client_scale(1 << 19));
}

static inline size_t work_bytes(void)
{
	return size_from("KCUCKOO_STALL_BYTES", client_scale(32 << 20));
}

/* So many different addresses, in no order. */
static inline struct kcuckoo_prefix *work_addresses(size_t count)
{
	struct kcuckoo_prefix *keys = calloc(count, sizeof(*keys));
	size_t i;

	for (i = 0; keys && i < count; i++)
		keys[i] = ipv4(i * 2654435761U, 32);
	return keys;
}

/* Filters may be as large as this work makes them. */
static inline int work_allow(void)
{
	return system("echo 8589934592 >/sys/module/kcuckoo/parameters/max_bytes");
}

/* Room for @bytes of addresses in "large", all of it empty but for one place. */
static inline int work_large(int fd, size_t bytes)
{
	struct kcuckoo_prefix key = ipv4(0x0a000001, 32);
	int error = filter_create(fd, "large", KCUCKOO_CAPACITY_MAX) ?:
		    filter_reserve(fd, "large", KCUCKOO_FAMILY_IPV4, 32,
				   MEMBERS_OF(bytes));

	return error ?: keys_add(fd, "large", &key, 1) == 1 ? 0 : -EPROTO;
}

/* Until all that was destroyed has been freed, too. */
static inline int work_freed(int fd)
{
	struct kcuckoo_ioc_stats stats;
	double end = client_clock() + 100;
	int error;

	do {
		client_sleep(0.001);
		error = client_stats(fd, &stats);
	} while (!error && stats.memory_bytes && client_clock() < end);
	return error ? error : stats.memory_bytes ? -ETIME : 0;
}

/**
 * struct spent - what the first processor spent so far, in seconds
 * @busy: by its own ticks, in hundredths. While a busy host keeps the whole machine
 *	waiting there are none, so this is what the machine did itself; but for what it
 *	does without interrupts, which the module never does
 * @idle: with nothing to do, by the clock
 */
struct spent {
	double busy;
	double idle;
};

static inline struct spent spent_now(void)
{
	unsigned long long user, nice, system, idle, wait, irq, softirq;
	FILE *file = fopen("/proc/stat", "r");
	struct spent spent = {};
	char line[300];

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "cpu0 %llu %llu %llu %llu %llu %llu %llu", &user, &nice,
			   &system, &idle, &wait, &irq, &softirq) != 7)
			continue;
		spent.busy = (user + nice + system + irq + softirq) / 100.0;
		spent.idle = (idle + wait) / 100.0;
	}
	if (file)
		fclose(file);
	return spent;
}

/* Switches it on or off, where there is one. */
static inline int work_second_processor(int on)
{
	int fd = open("/sys/devices/system/cpu/cpu1/online", O_WRONLY | O_CLOEXEC);
	int error = fd >= 0 && write(fd, on ? "1" : "0", 1) != 1;

	close(fd);
	return error;
}

/* Everything on one processor: emulated ones take turns, a tenth of a second each. */
static inline void work_on_one_processor(void)
{
	cpu_set_t first;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	sched_setaffinity(0, sizeof(first), &first);
	if (work_second_processor(0))
		fprintf(stderr, "# the other processor stays\n");
}

#endif /* KCUCKOO_WORK_H */
