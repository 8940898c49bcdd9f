/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which of a call's allocations were the module's own, and which of these failed: the
 * kernel's tracing tells.
 */
#ifndef KCUCKOO_OWN_H
#define KCUCKOO_OWN_H

#include "fault.h"

#define EVENTS	"tracing/events/kmem"
#define TRACE	"/sys/kernel/debug/tracing/trace"

/* Own allocations that there is room for. */
#define OWN_MAX	32

/**
 * struct own - what a call asked for
 * @before: how many allocations came before the module's
 * @count: how many the module made
 * @failed: which of these failed, from 1; 0 if none of them did
 */
static struct own {
	unsigned int before;
	unsigned int count;
	unsigned int failed;
} own;

/*
 * From here on what this process allocates is traced; @filter tells of what, as the
 * kernel has it, or is "0" for all.
 */
static inline int own_begin(const char *filter)
{
	char self[20];

	snprintf(self, sizeof(self), "%d", getpid());
	return fault_set("tracing", "set_event_pid", self) ?:
	       fault_set(EVENTS "/kmalloc", "filter", filter) ?:
	       fault_set(EVENTS "/kmem_cache_alloc", "filter", filter) ?:
	       fault_set(EVENTS "/kmalloc", "enable", "1") ?:
	       fault_set(EVENTS "/kmem_cache_alloc", "enable", "1");
}

static inline void own_end(void)
{
	fault_set(EVENTS "/kmalloc", "enable", "0");
	fault_set(EVENTS "/kmem_cache_alloc", "enable", "0");
	fault_set(EVENTS "/kmalloc", "filter", "0");
	fault_set(EVENTS "/kmem_cache_alloc", "filter", "0");
}

/* Before the call. */
static inline int own_forget(void)
{
	return fault_set("tracing", "trace", "");
}

/*
 * Where a module could not be loaded, and is gone when the trace is read, its functions
 * have no names any more.
 */
static inline void own_line(const char *line, const char *first)
{
	if (strstr(line, "kcuckoo]") || strstr(line, "call_site=0x")) {
		own.count++;
		if (strstr(line, "ptr=0000000000000000"))
			own.failed = own.count;
	} else if (first && strstr(line, first)) {
		own.before = 0;
	}
	if (!own.count)
		own.before++;
}

/* After it; @first is found in the line of its first allocation, where that is known. */
static inline void own_read(const char *first)
{
	FILE *trace = fopen(TRACE, "r");
	char line[400];

	memset(&own, 0, sizeof(own));
	while (trace && fgets(line, sizeof(line), trace))
		own_line(line, first);
	if (trace)
		fclose(trace);
}

/* The one that failed is one of those that were seen to fail. */
static inline void own_seen(unsigned int *seen)
{
	if (own.failed && own.failed <= OWN_MAX)
		*seen |= 1u << (own.failed - 1);
}

/* All of as many. */
static inline unsigned int own_all(unsigned int count)
{
	return count < OWN_MAX ? (1u << count) - 1 : ~0u;
}

#endif /* KCUCKOO_OWN_H */
