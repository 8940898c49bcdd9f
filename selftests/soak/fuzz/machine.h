/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What runs steps: the memory that calls are given, the thread that changes it
 * under them, faults, and what a worker knows from one step to the next.
 */
#ifndef _SELFTESTS_FUZZ_MACHINE_H
#define _SELFTESTS_FUZZ_MACHINE_H

#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <zlib.h>

#include "coverage.h"
#include "step.h"

#define DESCRIPTORS	3
#define IMAGE_MAX	0x100000
#define ERRNOS		256

/**
 * struct worker - a process that runs steps
 * @descriptors: two of its own namespace, one of the other worker's
 * @space: its own namespace
 * @tap: a network device of it
 * @fail: its fail-nth, or -1
 * @rooms: memory that arguments are in, and point to
 * @changing: what the thread that changes bytes has to do; a futex
 * @cursor: where the last walk ended
 * @offset: where the last transfer ended
 * @image: a snapshot
 * @image_size: its bytes
 * @verbose: tell what each step returned
 * @calls: how many there were
 * @faults: how many of these failed for an injected fault
 * @errnos: how often each of them was returned
 * @broken: a call broke its contract
 */
struct worker {
	int descriptors[DESCRIPTORS];
	int space;
	int tap;
	int fail;
	__u8 *rooms[ROOMS];
	__u32 changing;
	struct kcuckoo_cursor cursor;
	__u64 offset;
	__u8 *image;
	__u64 image_size;
	bool verbose;
	unsigned long *calls;
	unsigned long *faults;
	unsigned long *errnos;
	bool broken;
};

/* All that <linux/kcuckoo.h> promises. */
static const int documented[] = {
	0, ENOTTY, E2BIG, EINVAL, EOPNOTSUPP, ENOENT, EEXIST, EBUSY, ENOSPC, ENOMEM,
	EDQUOT, EPERM, EFAULT, EINTR, ENODEV, ENXIO, EBADMSG, EPROTONOSUPPORT,
};

static inline bool errno_documented(int error)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(documented); i++)
		if (documented[i] == error)
			return true;
	return false;
}

/*
 * Rooms are far from all else that the process has: a pointer to one of them, a byte or
 * two of which were changed, is a pointer to nothing, and no call can write to what this
 * program itself counts with.
 */
#define ROOMS_BEGIN	0x30a0000000ULL

/* A room with a hole behind it. */
static inline __u8 *room_make(unsigned int number)
{
	const size_t size = ROOM_SIZE + 4096;
	void *place = (void *)(uintptr_t)(ROOMS_BEGIN + number * size);
	__u8 *room = mmap(place, size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE | MAP_FIXED_NOREPLACE,
			  -1, 0);

	if (room == MAP_FAILED || mprotect(room + ROOM_SIZE, 4096, PROT_NONE))
		abort();
	return room;
}

static inline void futex(__u32 *word, int operation, __u32 value)
{
	syscall(SYS_futex, word, operation, value, NULL, NULL, 0);
}

/* What the thread that changes bytes does: nothing, or it goes on, or comes to rest. */
enum changing { CHANGING_NOT, CHANGING, CHANGING_ENDS };

/* Changes between two looks at whether to go on. */
#define CHANGES	16

/* Changes bytes of what a call is reading or writing. */
static inline void rooms_change(struct worker *worker, __u64 *state)
{
	unsigned int i;

	for (i = 0; i < CHANGES; i++) {
		__u64 random = random_next(state);
		__u8 *room = worker->rooms[random % ROOM_READ_ONLY];
		size_t place = random % ROOM_READ_ONLY == ROOM_ARGUMENT ?
			       ROOM_SIZE - 1 - (random >> 8) % 256 :
			       (random >> 8) % 1024;

		__atomic_store_n(room + place, random >> 32, __ATOMIC_RELAXED);
	}
}

static inline void changing_set(struct worker *worker, enum changing changing)
{
	__atomic_store_n(&worker->changing, changing, __ATOMIC_RELEASE);
	futex(&worker->changing, FUTEX_WAKE_PRIVATE, 1);
}

/* On a single processor the caller has to come to its turn, too. */
static inline void *worker_change(void *data)
{
	bool alone = sysconf(_SC_NPROCESSORS_ONLN) == 1;
	struct worker *worker = data;
	__u64 state = 1;

	for (;;) {
		while (!__atomic_load_n(&worker->changing, __ATOMIC_ACQUIRE))
			futex(&worker->changing, FUTEX_WAIT_PRIVATE, CHANGING_NOT);
		do {
			rooms_change(worker, &state);
			if (alone)
				client_sleep(0.00001);
		} while (__atomic_load_n(&worker->changing, __ATOMIC_ACQUIRE) == CHANGING);
		changing_set(worker, CHANGING_NOT);
	}
	return NULL;
}

/* What comes later is not changed any more. */
static inline void worker_rest(struct worker *worker)
{
	changing_set(worker, CHANGING_ENDS);
	while (__atomic_load_n(&worker->changing, __ATOMIC_ACQUIRE))
		futex(&worker->changing, FUTEX_WAIT_PRIVATE, CHANGING_ENDS);
}

static inline void fault_file(const char *folder, const char *name, const char *value)
{
	char path[100];
	int fd;

	snprintf(path, sizeof(path), "/sys/kernel/debug/%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd >= 0 && write(fd, value, strlen(value)) < 0)
		fprintf(stderr, "# %s: %s\n", path, strerror(errno));
	close(fd);
}

/* For all processes: that fail-nth has any allocation and any copy fail. */
static inline void faults_allow(void)
{
	fault_file("failslab", "ignore-gfp-wait", "N");
	fault_file("fail_page_alloc", "ignore-gfp-wait", "N");
	fault_file("fail_page_alloc", "ignore-gfp-highmem", "N");
	fault_file("fail_page_alloc", "min-order", "0");
	fault_file("fail_usercopy", "times", "-1");
}

static inline void worker_begin(struct worker *worker)
{
	pthread_t thread;
	int i;

	for (i = 0; i < ROOMS; i++)
		worker->rooms[i] = room_make(i);
	if (mprotect(worker->rooms[ROOM_READ_ONLY], ROOM_SIZE, PROT_READ))
		abort();
	worker->image = malloc(IMAGE_MAX);
	worker->fail = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (!worker->image || mlockall(MCL_CURRENT) ||
	    pthread_create(&thread, NULL, worker_change, worker))
		abort();
}

/* The 1st to 64th allocation or user copy fails, or none. */
static inline void fault_arm(struct worker *worker, __u8 byte)
{
	char text[8];
	int length;

	if (byte < 192 || worker->fail < 0)
		return;
	length = snprintf(text, sizeof(text), "%d", byte - 191);
	if (pwrite(worker->fail, text, length, 0) < 0)
		abort();
}

/* Reading what is left, and ending it, are user copies, too. */
static inline void fault_disarm(struct worker *worker, __u8 byte)
{
	char text[20] = "";

	if (byte < 192 || worker->fail < 0)
		return;
	if (pread(worker->fail, text, sizeof(text) - 1, 0) > 0 && !atoi(text))
		__atomic_fetch_add(worker->faults, 1, __ATOMIC_RELAXED);
	while (pwrite(worker->fail, "0", 1, 0) != 1)
		;
}

/* The call itself; every one goes through here. */
static inline int worker_call(struct worker *worker, const struct step *step,
			      unsigned long request, void *argument)
{
	int fd = worker->descriptors[step->descriptor < STEP_HOSTILE ?
				     step->descriptor & 1 : 2];
	/* Who holds a name that nobody knows could not be asked to let it go. */
	bool changing = step->place >= STEP_CHANGING &&
			step->place < STEP_HOSTILE && request != KCUCKOO_IOC_SLOT;
	int error;

	if (changing)
		changing_set(worker, CHANGING);
	fault_arm(worker, step->fault);
	error = ioctl(fd, request, argument) ? errno : 0;
	fault_disarm(worker, step->fault);
	if (changing)
		worker_rest(worker);

	__atomic_fetch_add(worker->calls, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&worker->errnos[error % ERRNOS], 1, __ATOMIC_RELAXED);
	if (!errno_documented(error)) {
		printf("# request %lx returns %s, which is not in the contract\n",
		       request, strerror(error));
		worker->broken = true;
	}
	return error;
}

/* Fills what arguments point to: keys for addresses and strings alike. */
static inline void rooms_fill(struct worker *worker, __u8 keys, unsigned int count)
{
	static const __u8 plens[] = { 32, 128, 24, 64, 8, 0, 17, 127 };
	struct kcuckoo_prefix *prefixes = (void *)worker->rooms[ROOM_KEYS];
	__u16 *lengths = (void *)worker->rooms[ROOM_LENGTHS];
	__u32 *values = (void *)worker->rooms[ROOM_VALUES];
	__u32 *old_values = (void *)worker->rooms[ROOM_OLD_VALUES];
	__u32 *timeouts = (void *)worker->rooms[ROOM_TIMEOUTS];
	unsigned int i;

	for (i = 0; i < count; i++) {
		unsigned int form = keys & 8 ? i % 8 : keys % 8;
		__u64 place = i + (keys >> 4) * 64;

		prefixes[i] = form % 2 ? ipv6(0x20010db8ULL << 32 | place << 8, place,
					      plens[form]) :
					 ipv4(0x0a000000 + place * 0x10301, plens[form]);
		lengths[i] = keys & 8 ? place * 7 % 40 : 24;
		values[i] = keys & 4 ? place : place % 2;
		old_values[i] = values[i];
		timeouts[i] = keys & 2 ? place : 1;
	}
	/* Something that is wrong. */
	if (keys >= STEP_HOSTILE && count) {
		prefixes[count - 1].addr[keys % 16] ^= 0x81;
		prefixes[count / 2].plen = keys;
		lengths[count / 2] = KCUCKOO_BYTES_MAX + (keys & 1);
		timeouts[count - 1] = KCUCKOO_TIMEOUT_MAX + 1;
		values[count / 2] = ~0U;
	}
}

static inline __u64 address(struct worker *worker, enum room room, bool optional,
			    __u8 byte)
{
	__u64 good = (uintptr_t)worker->rooms[room];

	if (byte < STEP_HOSTILE)
		return optional && byte % 4 != 3 ? 0 : good;
	switch (byte - STEP_HOSTILE) {
	case 0: return 0;
	case 1: return good + ROOM_SIZE - 1;	/* ends in the hole */
	case 2: return good + ROOM_SIZE - 24;
	case 3: return good + ROOM_SIZE - 100;
	case 4: return good + ROOM_SIZE - 4096;
	case 5: return good + ROOM_SIZE;
	case 6: return good + 1;
	case 7: return (uintptr_t)worker->rooms[ROOM_READ_ONLY];
	case 8: return (uintptr_t)worker->rooms[ROOM_ARGUMENT] + ROOM_SIZE - 64;
	case 9: return 0xffff888000000000ULL;	/* the kernel's */
	case 10: return 0xffffffff81000000ULL;
	case 11: return 0x0000800000000000ULL;	/* nobody's */
	case 12: return 0x00007ffffffff000ULL;
	case 13: return ~0ULL - 7;
	case 14: return good + ROOM_SIZE - 3;
	default: return 8;
	}
}

static inline __u64 field_value(struct worker *worker, const struct step *step,
				const struct field *field, __u8 byte)
{
	switch (field->kind) {
	case KIND_COUNT:
		return byte < STEP_HOSTILE ? byte + 1 : hostile[byte - STEP_HOSTILE];
	case KIND_CURSOR:
		if (byte < 160)
			return field->offset % 16 ? worker->cursor.position :
						    worker->cursor.move_seq;
		return byte < 200 ? 0 : hostile[byte % 16];
	case KIND_OFFSET:
		return byte < 120 ? worker->offset : byte < 200 ? 0 : hostile[byte % 16];
	case KIND_KEYS: return address(worker, ROOM_KEYS, false, byte);
	case KIND_LENGTHS: return address(worker, ROOM_LENGTHS, false, byte);
	case KIND_VALUES: return address(worker, ROOM_VALUES, true, byte);
	case KIND_OLD_VALUES: return address(worker, ROOM_OLD_VALUES, true, byte);
	case KIND_TIMEOUTS: return address(worker, ROOM_TIMEOUTS, true, byte);
	case KIND_RESULTS: return address(worker, ROOM_RESULTS, true, byte);
	case KIND_OUTPUT: return address(worker, ROOM_OUTPUT, false, byte);
	default: return pick(field->kind, byte);
	}
}

static inline void field_fill(struct worker *worker, const struct step *step,
			      const struct field *field, __u8 byte, __u8 *argument)
{
	__u8 *to = argument + field->offset;
	__u64 value;

	switch (field->kind) {
	case KIND_NAME:
		step_name(to, step->names[0]);
		return;
	case KIND_OTHER:
		step_name(to, step->names[1]);
		return;
	case KIND_OPTIONAL:
		if (byte % 2)
			step_name(to, step->names[1]);
		return;
	case KIND_DEVICE:
		if (byte % 4 == 3)
			strcpy((char *)to, byte < 160 ? "tap0" : "lo");
		if (byte >= STEP_HOSTILE)
			memset(to, byte, KCUCKOO_DEV_SIZE);
		return;
	}
	value = field_value(worker, step, field, byte);
	memcpy(to, &value, field->width);
}

/* The size that the argument says it has. */
static inline __u32 step_size(const struct step *step, size_t size)
{
	switch (step->size < STEP_HOSTILE ? 0 : step->size) {
	case 0: return size;
	case 240: return 0;
	case 241: return 4;
	case 242: return 7;
	case 243: return 40;
	case 244: return size - 1;
	case 245: return size - 8;
	case 246: return size - 16;
	case 247: return size + 8;
	case 248: return size + 1;
	case 249: return 4095;
	case 250: return 4096;
	case 251: return 4097;
	case 252: return 0x80000000;
	default: return ~0U;
	}
}

/* Puts the argument where its end is that of its room, or somewhere worse. */
static inline void *argument_place(struct worker *worker, const struct step *step,
				   const __u8 *argument, size_t size, __u32 told)
{
	__u8 *room = worker->rooms[ROOM_ARGUMENT];
	size_t length = told > size && told <= 4096 ? told : size;
	__u8 *place = room + ROOM_SIZE - length;

	memset(place + size, 0, length - size);
	memcpy(place, argument, size);
	/* A tail that nobody knows. */
	if (length > size && step->size & 1)
		room[ROOM_SIZE - 1] = 1;
	if (step->place < STEP_HOSTILE)
		return place;
	switch (step->place - STEP_HOSTILE) {
	case 0: return NULL;
	case 1: return room + ROOM_SIZE - 2;
	case 2: return room + ROOM_SIZE - 4;
	case 3: return memmove(room + ROOM_SIZE - size / 2, argument, size / 2);
	case 4: return memmove(place - 3, argument, size);
	case 5: return (void *)0xffff888000000000ULL;
	case 6: return (void *)0x0000800000000000ULL;
	case 7: return worker->rooms[ROOM_READ_ONLY];
	default: return place;
	}
}

/* What later steps can go on with. */
static inline void step_learn(struct worker *worker, unsigned long request,
			      const void *argument)
{
	const struct kcuckoo_ioc_walk *walk = argument;
	const struct kcuckoo_ioc_save *save = argument;

	if (request == KCUCKOO_IOC_WALK)
		worker->cursor = walk->cursor;
	if (request == KCUCKOO_IOC_SAVE || request == KCUCKOO_IOC_RESTORE)
		worker->offset = save->offset + save->done;
}

/* In a batch: no more is done than was asked for. */
static inline void step_check(struct worker *worker, const struct step *step,
			      unsigned long request, const void *argument)
{
	const struct batch *batch = argument;

	if (request != KCUCKOO_IOC_ADD && request != KCUCKOO_IOC_DEL &&
	    request != KCUCKOO_IOC_TEST && request != KCUCKOO_IOC_UPDATE)
		return;
	if (step->place >= STEP_CHANGING || step->size >= STEP_HOSTILE)
		return;
	if (batch->done > batch->count || batch->hits > batch->done ||
	    (batch->count && !batch->done)) {
		printf("# request %lx: %u of %u done, %u hits\n", request, batch->done,
		       batch->count, batch->hits);
		worker->broken = true;
	}
}

static inline int step_call(struct worker *worker, const struct step *step,
			    const struct operation *operation)
{
	__u8 argument[512] = {};
	__u32 told = step_size(step, operation->size);
	const struct field *field;
	unsigned int value = 0;
	void *place;
	int error;

	/* Calls with keys have their count in front of them. */
	if (operation->fields[3].kind == KIND_KEYS)
		rooms_fill(worker, step->keys, step->values[2] < STEP_HOSTILE ?
			   step->values[2] + 1 : 64);
	for (field = operation->fields; field->width; field++)
		field_fill(worker, step, field, step->values[value++ % STEP_VALUES],
			   argument);
	memcpy(argument, &told, sizeof(told));
	place = argument_place(worker, step, argument, operation->size, told);
	error = worker_call(worker, step, operation->request, place);
	if (!error && place > (void *)worker->rooms[ROOM_ARGUMENT]) {
		step_learn(worker, operation->request, place);
		step_check(worker, step, operation->request, place);
	}
	return error;
}

#endif /* _SELFTESTS_FUZZ_MACHINE_H */
