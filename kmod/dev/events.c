// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implements the queue of events of a descriptor: subscribe, read() and poll().
 *
 * A queue is a ring of records (struct kcuckoo_event). All memory of a queue is allocated
 * when the descriptor subscribes, so code that emits an event (an emitter) allocates no
 * memory. If the ring is full, the queue only counts the event, in a record of type
 * KCUCKOO_EVENT_LOST; one element of the ring is kept free for this record. When the
 * namespace ends, the ring is freed; the rest of the queue is freed when the descriptor is
 * closed.
 *
 * Readers hold a mutex while they copy records to user memory, so that each record is read
 * once, and in order. A reader first copies the oldest record (the head), and removes this
 * record later. The record must not change in between, so an emitter never adds the count
 * of a further event to the head.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "dev/device.h"
#include "net/event.h"

static_assert(sizeof(struct kcuckoo_event) == KCUCKOO_EVENT_SIZE_MIN);

/* The set of all types of events: the bit 1 << enum kcuckoo_event_type for each type. */
#define KCUCKOO_EVENTS_ALL	((2ULL << KCUCKOO_EVENT_ACTIVE) - 1)

/**
 * struct kcuckoo_event_queue - the events of a descriptor
 * @subscriber: receives the events
 * @cleanup: frees the ring and wakes the readers when the namespace ends
 * @net: the object of the namespace; the descriptor has a reference
 * @event_size: number of bytes that read() returns for each event, constant
 * @read_mutex: held while records are copied to user memory; taken before @lock
 * @wait: wait queue of the readers that wait for an event
 * @lock: protects @seq, @head, @used, @ring and the records
 * @seq: number of the last event that got a record or was lost
 * @head: index of the oldest record in @ring
 * @used: number of records in @ring; also read without @lock
 * @capacity: number of elements of @ring, constant. The last free element is for a record
 *	of KCUCKOO_EVENT_LOST
 * @ring: the records; NULL once the namespace has ended
 * @rcu: frees the queue after a grace period, because emitters find the queue under RCU
 */
struct kcuckoo_event_queue {
	struct kcuckoo_subscriber subscriber;
	struct kcuckoo_cleanup cleanup;
	struct kcuckoo_net *net;
	u32 event_size;
	struct mutex read_mutex;	/* to read; taken before @lock */
	wait_queue_head_t wait;
	spinlock_t lock;	/* seq, head, used, ring and the records */
	u64 seq;
	unsigned int head;
	unsigned int used;
	unsigned int capacity;
	struct kcuckoo_event *ring;
	struct rcu_head rcu;
};

/* Returns the record that is @number records after the head. */
static struct kcuckoo_event *kcuckoo_queue_at(struct kcuckoo_event_queue *queue,
					      unsigned int number)
{
	return &queue->ring[(queue->head + number) % queue->capacity];
}

/* Appends a record, and numbers it. The ring must have a free element. */
static void kcuckoo_queue_append(struct kcuckoo_event_queue *queue,
				 const struct kcuckoo_event *event)
{
	struct kcuckoo_event *record = kcuckoo_queue_at(queue, queue->used);

	*record = *event;
	record->seq = ++queue->seq;
	WRITE_ONCE(queue->used, queue->used + 1);
}

/*
 * Counts a lost event in the newest record if this record is a KCUCKOO_EVENT_LOST, else in
 * a new record of this type.
 */
static void kcuckoo_queue_lose(struct kcuckoo_event_queue *queue,
			       const struct kcuckoo_event *event)
{
	struct kcuckoo_event lost = {
		.type = KCUCKOO_EVENT_LOST,
		.time = event->time,
		.count = 1,
	};
	struct kcuckoo_event *newest = kcuckoo_queue_at(queue, queue->used - 1);

	if (newest->type != KCUCKOO_EVENT_LOST) {
		kcuckoo_queue_append(queue, &lost);
		return;
	}
	newest->seq = ++queue->seq;
	newest->time = event->time;
	newest->count++;
}

/*
 * Adds the count of a KCUCKOO_EVENT_FULL or KCUCKOO_EVENT_REFUSED to the newest record if
 * that record has the same type, flags, name, filter and error, and is not at the head.
 * Returns false if the event needs a record of its own.
 */
static bool kcuckoo_queue_merge(struct kcuckoo_event_queue *queue,
				const struct kcuckoo_event *event)
{
	struct kcuckoo_event *newest;

	if ((event->type != KCUCKOO_EVENT_FULL &&
	     event->type != KCUCKOO_EVENT_REFUSED) || queue->used < 2)
		return false;
	newest = kcuckoo_queue_at(queue, queue->used - 1);
	if (newest->type != event->type || newest->flags != event->flags ||
	    newest->error != event->error ||
	    newest->filter_id != event->filter_id ||
	    memcmp(newest->name, event->name, KCUCKOO_NAME_SIZE))
		return false;
	newest->time = event->time;
	newest->members = event->members;
	newest->count += event->count;
	return true;
}

static void kcuckoo_queue_receive(struct kcuckoo_subscriber *subscriber,
				  const struct kcuckoo_event *event)
{
	struct kcuckoo_event_queue *queue;

	queue = container_of(subscriber, struct kcuckoo_event_queue, subscriber);
	spin_lock(&queue->lock);
	if (queue->ring && !kcuckoo_queue_merge(queue, event)) {
		if (queue->used < queue->capacity - 1)
			kcuckoo_queue_append(queue, event);
		else
			kcuckoo_queue_lose(queue, event);
	}
	spin_unlock(&queue->lock);
	wake_up_interruptible(&queue->wait);
}

/*
 * Frees the records. Needs no grace period, because records are accessed only under
 * @queue->lock. Events that arrive later are dropped.
 */
static void kcuckoo_queue_free_ring(struct kcuckoo_event_queue *queue)
{
	struct kcuckoo_event *ring;

	spin_lock(&queue->lock);
	ring = queue->ring;
	queue->ring = NULL;
	WRITE_ONCE(queue->used, 0);
	spin_unlock(&queue->lock);
	kvfree(ring);
}

/*
 * Frees the records and wakes the readers when the namespace ends. At this time
 * kcuckoo_net_dead() already returns true, so read() and poll() report the end.
 */
static void kcuckoo_queue_release(struct kcuckoo_cleanup *cleanup)
{
	struct kcuckoo_event_queue *queue;

	queue = container_of(cleanup, struct kcuckoo_event_queue, cleanup);
	kcuckoo_queue_free_ring(queue);
	wake_up_all(&queue->wait);
}

static bool kcuckoo_subscribe_valid(const struct kcuckoo_ioc_subscribe *arg)
{
	return !arg->flags && !(arg->types & ~KCUCKOO_EVENTS_ALL) &&
	       arg->event_size >= KCUCKOO_EVENT_SIZE_MIN &&
	       arg->event_size <= KCUCKOO_EVENT_SIZE_MAX &&
	       IS_ALIGNED(arg->event_size, 8) &&
	       (!arg->length || (arg->length >= KCUCKOO_QUEUE_MIN &&
				 arg->length <= KCUCKOO_QUEUE_MAX));
}

static struct kcuckoo_event_queue *
kcuckoo_queue_create(struct kcuckoo_net *net,
		     const struct kcuckoo_ioc_subscribe *arg)
{
	unsigned int capacity = (arg->length ?: KCUCKOO_QUEUE_DEFAULT) + 1;
	struct kcuckoo_event_queue *queue;

	queue = kzalloc(sizeof(*queue), GFP_KERNEL_ACCOUNT);
	if (!queue)
		return NULL;
	queue->ring = kvcalloc(capacity, sizeof(*queue->ring), GFP_KERNEL_ACCOUNT);
	if (!queue->ring) {
		kfree(queue);
		return NULL;
	}
	INIT_LIST_HEAD(&queue->subscriber.list);
	queue->subscriber.types = arg->types ?: KCUCKOO_EVENTS_ALL;
	queue->subscriber.receive = kcuckoo_queue_receive;
	queue->cleanup.release = kcuckoo_queue_release;
	queue->net = net;
	queue->event_size = arg->event_size;
	mutex_init(&queue->read_mutex);
	init_waitqueue_head(&queue->wait);
	spin_lock_init(&queue->lock);
	queue->capacity = capacity;
	kcuckoo_net_add_cleanup(net, &queue->cleanup);
	return queue;
}

/*
 * Ends the subscription of a queue, and frees the queue after a grace period. Until
 * then the queue can still receive events, and drops them.
 */
static void kcuckoo_queue_free(struct kcuckoo_event_queue *queue)
{
	kcuckoo_net_unsubscribe(queue->net, &queue->subscriber);
	kcuckoo_net_del_cleanup(queue->net, &queue->cleanup);
	kcuckoo_queue_free_ring(queue);
	mutex_destroy(&queue->read_mutex);
	kfree_rcu(queue, rcu);
}

/**
 * kcuckoo_ioc_subscribe() - subscribe to events (KCUCKOO_IOC_SUBSCRIBE)
 * @descriptor: the descriptor
 * @arg: struct kcuckoo_ioc_subscribe
 *
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
 */
int kcuckoo_ioc_subscribe(struct kcuckoo_descriptor *descriptor,
			  union kcuckoo_argument *arg)
{
	struct kcuckoo_net *net = descriptor->net;
	struct kcuckoo_event_queue *queue;
	int err;

	if (!kcuckoo_subscribe_valid(&arg->subscribe))
		return -EINVAL;
	if (READ_ONCE(descriptor->events))
		return -EEXIST;
	queue = kcuckoo_queue_create(net, &arg->subscribe);
	if (!queue)
		return -ENOMEM;
	err = kcuckoo_net_subscribe(net, &queue->subscriber);
	/*
	 * cmpxchg() orders the initialization of the queue before the read in
	 * kcuckoo_events_of().
	 */
	if (!err && cmpxchg(&descriptor->events, NULL, queue))
		err = -EEXIST;
	if (err)
		kcuckoo_queue_free(queue);
	return err;
}

/**
 * kcuckoo_events_end() - end the subscription of a descriptor that is closed
 * @descriptor: the descriptor
 */
void kcuckoo_events_end(struct kcuckoo_descriptor *descriptor)
{
	if (descriptor->events)
		kcuckoo_queue_free(descriptor->events);
}

/* Returns the queue of a descriptor, or NULL if the descriptor has not subscribed. */
static struct kcuckoo_event_queue *
kcuckoo_events_of(struct kcuckoo_descriptor *descriptor)
{
	/* Pairs with cmpxchg() in kcuckoo_ioc_subscribe(). */
	return smp_load_acquire(&descriptor->events);
}

static bool kcuckoo_queue_ready(const struct kcuckoo_event_queue *queue)
{
	return READ_ONCE(queue->used) || kcuckoo_net_dead(queue->net);
}

static bool kcuckoo_queue_peek(struct kcuckoo_event_queue *queue,
			       struct kcuckoo_event *event)
{
	bool some;

	spin_lock(&queue->lock);
	some = queue->used;
	if (some)
		*event = *kcuckoo_queue_at(queue, 0);
	spin_unlock(&queue->lock);
	return some;
}

/* Removes the oldest record, unless the end of the namespace has removed all records. */
static void kcuckoo_queue_drop(struct kcuckoo_event_queue *queue)
{
	spin_lock(&queue->lock);
	if (queue->used) {
		queue->head = (queue->head + 1) % queue->capacity;
		WRITE_ONCE(queue->used, queue->used - 1);
	}
	spin_unlock(&queue->lock);
}

/*
 * Moves whole records to user memory, as many as fit into @size bytes. The caller holds
 * read_mutex. Returns the number of bytes, 0 if the queue is empty, or -EFAULT if not even
 * the first record could be copied.
 */
static ssize_t kcuckoo_queue_copy(struct kcuckoo_event_queue *queue,
				  u8 __user *buffer, size_t size)
{
	u32 known = min_t(u32, queue->event_size, sizeof(struct kcuckoo_event));
	struct kcuckoo_event event;
	size_t done = 0;

	while (size - done >= queue->event_size &&
	       kcuckoo_queue_peek(queue, &event)) {
		if (copy_to_user(buffer + done, &event, known) ||
		    clear_user(buffer + done + known,
			       queue->event_size - known))
			return done ?: -EFAULT;
		kcuckoo_queue_drop(queue);
		done += queue->event_size;
	}
	return done;
}

/*
 * Releases read_mutex after a read, and wakes the readers if records are left. The
 * wake-up is necessary because an event can wake another reader during the read. That
 * reader finds read_mutex locked, and returns -EAGAIN.
 */
static void kcuckoo_queue_unlock(struct kcuckoo_event_queue *queue)
{
	mutex_unlock(&queue->read_mutex);
	/*
	 * Reads @used after the unlock. If a reader was woken after @used grew, and
	 * still found the mutex locked, this read sees the new value of @used.
	 */
	smp_mb();
	if (READ_ONCE(queue->used))
		wake_up_interruptible(&queue->wait);
}

/*
 * Moves records to user memory without waiting. Returns the number of bytes; -EAGAIN if
 * the queue is empty or another reader holds read_mutex; -EFAULT; or -ENODEV if the
 * namespace is ending or has ended.
 */
static ssize_t kcuckoo_queue_try_read(struct kcuckoo_event_queue *queue,
				      u8 __user *buffer, size_t size)
{
	ssize_t ret = -ENODEV;

	if (!mutex_trylock(&queue->read_mutex))
		return -EAGAIN;
	if (!kcuckoo_net_dead(queue->net))
		ret = kcuckoo_queue_copy(queue, buffer, size);
	kcuckoo_queue_unlock(queue);
	return ret ?: -EAGAIN;
}

/*
 * Waits for an event, and moves records to user memory. Returns the number of bytes, 0
 * if another reader has read all records, or a negative errno.
 */
static ssize_t kcuckoo_queue_read(struct kcuckoo_event_queue *queue,
				  u8 __user *buffer, size_t size)
{
	ssize_t ret;

	if (wait_event_interruptible(queue->wait, kcuckoo_queue_ready(queue)) ||
	    mutex_lock_interruptible(&queue->read_mutex))
		return -ERESTARTSYS;
	if (kcuckoo_net_dead(queue->net))
		ret = -ENODEV;
	else
		ret = kcuckoo_queue_copy(queue, buffer, size);
	kcuckoo_queue_unlock(queue);
	return ret;
}

/**
 * kcuckoo_events_read() - read events
 * @descriptor: the descriptor
 * @buffer: user memory
 * @size: size of @buffer in bytes
 * @nonblock: true if the function must not wait
 *
 * Return: the number of bytes of the events that were read; -EINVAL if the descriptor has
 * not subscribed or @size is too small for one event; -EAGAIN if @nonblock is true, and
 * the queue is empty or another thread is reading it; -EFAULT; -ERESTARTSYS on a signal;
 * or -ENODEV if the namespace is ending or has ended.
 */
ssize_t kcuckoo_events_read(struct kcuckoo_descriptor *descriptor,
			    u8 __user *buffer, size_t size, bool nonblock)
{
	struct kcuckoo_event_queue *queue = kcuckoo_events_of(descriptor);
	ssize_t ret;

	if (!queue || size < queue->event_size)
		return -EINVAL;
	if (nonblock)
		return kcuckoo_queue_try_read(queue, buffer, size);
	/* Waits again if another reader has read all records. */
	do
		ret = kcuckoo_queue_read(queue, buffer, size);
	while (!ret);
	return ret;
}

/**
 * kcuckoo_events_poll() - check whether a descriptor has events
 * @descriptor: the descriptor
 * @file: the open file of @descriptor
 * @table: argument of poll_wait()
 *
 * Return: EPOLLIN and EPOLLRDNORM if the queue has events, 0 if the queue is empty; EPOLLERR
 * and EPOLLHUP if the namespace is ending or has ended; EPOLLERR if the descriptor has not
 * subscribed.
 */
__poll_t kcuckoo_events_poll(struct kcuckoo_descriptor *descriptor,
			     struct file *file, poll_table *table)
{
	struct kcuckoo_event_queue *queue = kcuckoo_events_of(descriptor);

	if (!queue)
		return EPOLLERR;
	poll_wait(file, &queue->wait, table);
	if (kcuckoo_net_dead(queue->net))
		return EPOLLERR | EPOLLHUP;
	return READ_ONCE(queue->used) ? EPOLLIN | EPOLLRDNORM : 0;
}
