/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Faults: of one system call the 1st, 2nd, 3rd... allocation or copy of user
 * memory is made to fail.
 */
#ifndef KCUCKOO_FAULT_H
#define KCUCKOO_FAULT_H

#include "client.h"

#include <malloc.h>

/*
 * What is made to fail: slab objects and pages, or copies of user memory. And what a
 * limit of the module refuses.
 */
enum fault_kind { FAULT_MEMORY, FAULT_COPY, FAULT_LIMIT, FAULT_KINDS };

static const char * const fault_names[FAULT_KINDS] = { "memory", "copy", "limit" };

/* What a call says then, if it did not do its work in spite of it. */
static const int fault_errors[FAULT_KINDS] = { -ENOMEM, -EFAULT, -EDQUOT };

/* Failed copies are counted by the kernel: down from here. */
#define FAULT_TIMES	"1000000000"

/**
 * struct fault - what is known about faults
 * @nth: descriptor of the thread's fail-nth
 * @left: how many copies may still fail
 * @target: number of the allocation or copy that fails, from the next call on; or 0
 * @hit: it failed
 * @kind: of which kind it was
 * @error: what the last call returned
 */
static struct fault {
	int nth;
	long left;
	unsigned int target;
	bool hit;
	enum fault_kind kind;
	int error;
} fault;

/* All faults of the program; tests are processes of their own. */
static unsigned long *fault_total;

static pid_t fault_program;

__attribute__((constructor)) static void fault_count_begin(void)
{
	fault_program = getpid();
	fault_total = mmap(NULL, FAULT_KINDS * sizeof(*fault_total), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (fault_total == MAP_FAILED)
		abort();
}

__attribute__((destructor)) static void fault_count_end(void)
{
	if (getpid() != fault_program)
		return;
	printf("# faults: %lu (%lu of memory, %lu of copies)\n",
	       fault_total[FAULT_MEMORY] + fault_total[FAULT_COPY],
	       fault_total[FAULT_MEMORY], fault_total[FAULT_COPY]);
	printf("# refusals: %lu (limits)\n", fault_total[FAULT_LIMIT]);
}

static inline bool fault_available(void)
{
	return !access("/proc/thread-self/fail-nth", W_OK);
}

/* How thorough: 1 is for every day. */
static inline unsigned int fault_rounds(void)
{
	const char *rounds = getenv("KCUCKOO_FAULT_ROUNDS");

	return rounds && atoi(rounds) > 0 ? atoi(rounds) : 1;
}

static inline int fault_write(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC), error;

	if (fd < 0)
		return -errno;
	error = write(fd, value, strlen(value)) < 0 ? -errno : 0;
	close(fd);
	return error;
}

static inline int fault_set(const char *folder, const char *name, const char *value)
{
	char path[100];

	snprintf(path, sizeof(path), "/sys/kernel/debug/%s/%s", folder, name);
	return fault_write(path, value);
}

/* How many copies may still fail; a descriptor can be read but once. */
static inline long fault_left(void)
{
	int fd = open("/sys/kernel/debug/fail_usercopy/times", O_RDONLY | O_CLOEXEC);
	char text[32] = "";
	ssize_t length = read(fd, text, sizeof(text) - 1);

	close(fd);
	return length > 0 ? atol(text) : -1;
}

/* Of this thread; GFP_KERNEL and single pages fail, too. */
static inline int fault_begin(void)
{
	int error;

	error = fault_set("failslab", "ignore-gfp-wait", "N") ?:
		fault_set("fail_page_alloc", "ignore-gfp-wait", "N") ?:
		fault_set("fail_page_alloc", "ignore-gfp-highmem", "N") ?:
		fault_set("fail_page_alloc", "min-order", "0") ?:
		fault_set("fail_usercopy", "times", FAULT_TIMES);
	fault.left = fault_left();
	if (!error && fault.left < 0)
		error = -ENODEV;
	fault.nth = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (!error && fault.nth < 0)
		error = -errno;
	/* Memory is kept: pages that come and go take a kernel with checks long. */
	mallopt(M_MMAP_THRESHOLD, 1 << 26);
	mallopt(M_TRIM_THRESHOLD, 1 << 26);
	mallopt(M_TOP_PAD, 1 << 20);
	/* No page of the program is missing while a call is under way. */
	if (!error && mlockall(MCL_CURRENT | MCL_FUTURE))
		error = -errno;
	return error;
}

/* Which allocation or copy of the calls that follow is to fail; 0: none. */
static inline void fault_aim(unsigned int target)
{
	fault.target = target;
	fault.hit = false;
}

static inline void fault_arm(void)
{
	char text[20];

	if (!fault.target)
		return;
	snprintf(text, sizeof(text), "%u", fault.target);
	if (pwrite(fault.nth, text, strlen(text), 0) < 0)
		abort();
}

/*
 * Reading what is left, and ending it, are copies of user memory themselves: so it is
 * the next one that fails where nothing can be read. What is left is for the next call.
 */
static inline void fault_disarm(void)
{
	char text[20] = "";
	long left;

	if (!fault.target)
		return;
	fault.target = pread(fault.nth, text, sizeof(text) - 1, 0) > 0 ? atoi(text) : 1;
	fault.hit = !fault.target;
	while (pwrite(fault.nth, "0", 1, 0) != 1)
		;
	left = fault_left();
	if (fault.hit) {
		fault.kind = left == fault.left ? FAULT_MEMORY : FAULT_COPY;
		fault_total[fault.kind]++;
	}
	fault.left = left;
}

/* call(), with the fault. */
static inline int fault_call(int fd, unsigned long request, void *argument)
{
	fault_arm();
	fault.error = ioctl(fd, request, argument) ? -errno : 0;
	fault_disarm();
	return fault.error;
}

/* Does all work that works in a new namespace? */
static inline int works(void)
{
	struct kcuckoo_prefix key = ipv4(0x0a000001, 32);
	int fd = client_open();
	int error = fd < 0 ? fd : filter_create(fd, "new", 100) ?:
		    rule_attach(fd, "new", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_BOTH,
				KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_COUNT);

	if (!error && (keys_add(fd, "new", &key, 1) != 1 || keys_covered(fd, "new", &key, 1) != 1))
		error = -EPROTO;
	if (fd >= 0) {
		client_clear(fd);
		close(fd);
	}
	return error;
}

#endif /* KCUCKOO_FAULT_H */
