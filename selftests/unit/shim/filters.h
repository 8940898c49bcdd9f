/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel gives the filters of kmod/ beyond what the core takes, for a process of
 * any kind: all but its locks and its clock, which a program has in a header of its own.
 * That includes this one; the compiler includes it before everything, and headers of the
 * kernel's names are empty (../../harness/filters.sh).
 *
 * Sequence counts are written as the kernel's are, with the fences that its barriers
 * are on processors of any kind. When readers hold nothing is for the program to know,
 * so rcu_read_lock() is nothing, as in kernels that do not preempt.
 */
#ifndef _SHIM_FILTERS_H
#define _SHIM_FILTERS_H

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <linux/compiler.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/types.h>

#define U32_MAX			UINT32_MAX
#define __rcu
#define __acquires(lock)
#define __releases(lock)
#define noinline		__attribute__((__noinline__))

#define min(x, y)		min_t(__typeof__(x), x, y)
#define max(x, y) __extension__({	\
	__typeof__(x) max_x = (x);	\
	__typeof__(x) max_y = (y);	\
	max_x > max_y ? max_x : max_y;	\
})
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof(*(array)))
#define container_of(pointer, type, member) \
	((type *)((char *)(pointer) - offsetof(type, member)))

static inline unsigned int __fls(unsigned long word)
{
	return 63 - __builtin_clzl(word);
}

static inline unsigned int __ffs(unsigned long word)
{
	return __builtin_ctzl(word);
}

static inline u64 mul_u64_u64_div_u64(u64 a, u64 mul, u64 div)
{
	return (u128)a * mul / div;
}

static inline void memzero_explicit(void *memory, size_t bytes)
{
	explicit_bzero(memory, bytes);
}

u64 get_random_u64(void);

/* Memory that is no filter's. */
#define SZ_64K			(64U << 10)
#define kzalloc(bytes, flags)	calloc(1, bytes)
#define kvzalloc(bytes, flags)	calloc(1, bytes)
#define kvfree(memory)		free(memory)
#define kfree_sensitive(memory)	free(memory)

/* CRC-32, without the complements at its ends. */
static inline u32 crc32_le(u32 sum, const void *memory, size_t bytes)
{
	const u8 *byte = memory;
	unsigned int i;

	for (; bytes; bytes--) {
		sum ^= *byte++;
		for (i = 0; i < 8; i++)
			sum = sum >> 1 ^ (sum & 1 ? 0xedb88320U : 0);
	}
	return sum;
}

/* Errors as pointers. */
#define ERR_PTR(error)		((void *)(long)(error))
#define PTR_ERR(pointer)	((long)(pointer))
#define ERR_CAST(pointer)	((void *)(pointer))

static inline bool IS_ERR(const void *pointer)
{
	return (unsigned long)pointer >= (unsigned long)-4095L;
}

/* Counts. */
typedef struct {
	int count;
} refcount_t;

typedef struct {
	s64 count;
} atomic64_t;

#define ATOMIC64_INIT(value)	{ .count = (value) }

static inline s64 atomic64_inc_return(atomic64_t *number)
{
	return __atomic_add_fetch(&number->count, 1, __ATOMIC_SEQ_CST);
}

static inline void refcount_set(refcount_t *refs, int count)
{
	WRITE_ONCE(refs->count, count);
}

static inline void refcount_inc(refcount_t *refs)
{
	__atomic_add_fetch(&refs->count, 1, __ATOMIC_RELAXED);
}

static inline bool refcount_inc_not_zero(refcount_t *refs)
{
	int count = READ_ONCE(refs->count);

	while (count && !__atomic_compare_exchange_n(&refs->count, &count, count + 1,
						     false, __ATOMIC_RELAXED,
						     __ATOMIC_RELAXED))
		;
	return count;
}

static inline bool refcount_dec_and_test(refcount_t *refs)
{
	return !__atomic_sub_fetch(&refs->count, 1, __ATOMIC_ACQ_REL);
}

/* Sequence counts. */
typedef struct {
	unsigned int sequence;
} seqcount_spinlock_t;

#define seqcount_spinlock_init(seq, lock) ((seq)->sequence = 0)

static inline unsigned int read_seqcount_begin(const seqcount_spinlock_t *seq)
{
	unsigned int sequence;

	while ((sequence = __atomic_load_n(&seq->sequence, __ATOMIC_ACQUIRE)) & 1)
		sched_yield();
	return sequence;
}

static inline unsigned int raw_seqcount_begin(const seqcount_spinlock_t *seq)
{
	return __atomic_load_n(&seq->sequence, __ATOMIC_ACQUIRE) & ~1U;
}

static inline bool read_seqcount_retry(const seqcount_spinlock_t *seq,
				       unsigned int start)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return READ_ONCE(seq->sequence) != start;
}

static inline void write_seqcount_begin(seqcount_spinlock_t *seq)
{
	WRITE_ONCE(seq->sequence, seq->sequence + 1);
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

static inline void write_seqcount_end(seqcount_spinlock_t *seq)
{
	__atomic_thread_fence(__ATOMIC_RELEASE);
	WRITE_ONCE(seq->sequence, seq->sequence + 1);
}

/* RCU. */
#define rcu_read_lock()		((void)0)
#define rcu_read_unlock()	((void)0)
#define rcu_dereference(pointer) __atomic_load_n(&(pointer), __ATOMIC_ACQUIRE)
#define rcu_dereference_check(pointer, held) rcu_dereference(pointer)
#define rcu_dereference_protected(pointer, held) __extension__({	\
	assert(held);						\
	READ_ONCE(pointer);					\
})
#define rcu_access_pointer(pointer) READ_ONCE(pointer)
#define rcu_assign_pointer(pointer, to) \
	__atomic_store_n(&(pointer), to, __ATOMIC_RELEASE)
#define RCU_INIT_POINTER(pointer, to) WRITE_ONCE(pointer, to)

/* Subscribers to events, which none is here. */
struct list_head {
	struct list_head *next;
};

#define list_for_each_entry(at, list, member)	for (at = NULL; at;)
#define list_for_each_entry_rcu(at, list, member) for (at = NULL; at;)
#define list_empty(list)		((void)(list), true)
#define list_add_tail_rcu(entry, list)	((void)(entry))
#define list_del_rcu(entry)		((void)(entry))
#define ktime_get_boottime_ns()		0

/**
 * struct work_struct - something to be done later
 * @work: what
 * @next: in the list of what waits for readers
 * @when: all readers have to have got so far
 */
struct work_struct {
	void (*work)(struct work_struct *work);
	struct work_struct *next;
	u64 when;
};

typedef void (*work_func_t)(struct work_struct *work);

struct rcu_work {
	struct work_struct work;
};

/**
 * struct delayed_work - something to be done at a time
 * @work: what
 * @queued: it is to be done
 * @due: when, in seconds
 */
struct delayed_work {
	struct work_struct work;
	bool queued;
	u64 due;
};

#define to_rcu_work(pointer)	container_of(pointer, struct rcu_work, work)
#define to_delayed_work(pointer) container_of(pointer, struct delayed_work, work)
#define INIT_DELAYED_WORK(delayed, function) ((delayed)->work.work = (function))
#define cancel_delayed_work_sync(delayed) ((delayed)->queued = false)

/* The limits of packets, which none has here. */
struct ratelimit_state {
	int left;
};

#define __ratelimit(state)	((state)->left-- > 0)
#ifndef jiffies
#define jiffies			1UL
#endif
#define time_after(a, b)	((long)((b) - (a)) < 0)

/* Tracepoints that nobody looks at. */
#define TP_PROTO(...)		__VA_ARGS__
#define TRACE_EVENT(name, prototype, ...) \
	static inline void trace_##name(prototype) {}

#endif /* _SHIM_FILTERS_H */
