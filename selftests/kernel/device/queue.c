// SPDX-License-Identifier: GPL-2.0-only
/*
 * The queue of events of a descriptor: subscriptions, what a full queue loses, how readers
 * wait, who gets no events, and descriptors that are closed while events come.
 */

#include "event.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/time.h>

FIXTURE(queue)
{
	struct client client;
	int events;
};

FIXTURE_SETUP(queue)
{
	ASSERT_EQ(0, client_begin(&self->client));
	self->events = subscriber(0, 0);
	ASSERT_LE(0, self->events);
}

FIXTURE_TEARDOWN(queue)
{
	close(self->events);
	EXPECT_EQ(0, client_end(&self->client));
}

TEST_F(queue, malformed_subscriptions)
{
	const struct kcuckoo_ioc_subscribe valid = {
		.size = sizeof(valid),
		.event_size = sizeof(struct kcuckoo_event),
	};
	struct kcuckoo_ioc_subscribe arg = valid;
	int fd = client_open(), bit;
	__u32 size;

	ASSERT_LE(0, fd);
	for (bit = 0; bit < 32; bit++) {
		arg.flags = 1U << bit;
		EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_SUBSCRIBE, &arg));
	}
	arg = valid;
	for (bit = KCUCKOO_EVENT_ACTIVE + 1; bit < 64; bit++) {
		arg.types = 1ULL << bit | 2;
		EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_SUBSCRIBE, &arg))
			TH_LOG("bit %d", bit);
	}
	arg = valid;
	for (size = 0; size <= KCUCKOO_EVENT_SIZE_MAX + 8; size++) {
		if (size >= KCUCKOO_EVENT_SIZE_MIN && size <= KCUCKOO_EVENT_SIZE_MAX &&
		    !(size % 8))
			continue;
		arg.event_size = size;
		EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_SUBSCRIBE, &arg))
			TH_LOG("size %u", size);
	}
	arg = valid;
	arg.length = KCUCKOO_QUEUE_MIN - 1;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_SUBSCRIBE, &arg));
	arg.length = KCUCKOO_QUEUE_MAX + 1;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_SUBSCRIBE, &arg));
	arg.length = ~0U;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_SUBSCRIBE, &arg));
	for (size = 0; size < sizeof(arg); size++) {
		arg = valid;
		arg.size = size;
		EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_SUBSCRIBE, &arg));
	}
	EXPECT_EQ(-EFAULT, call(fd, KCUCKOO_IOC_SUBSCRIBE, NULL));
	/* Not one of them has subscribed. */
	arg = valid;
	arg.length = KCUCKOO_QUEUE_MAX;
	EXPECT_EQ(0, call(fd, KCUCKOO_IOC_SUBSCRIBE, &arg));
	EXPECT_EQ(-EEXIST, call(fd, KCUCKOO_IOC_SUBSCRIBE, &arg));
	close(fd);
}

TEST_F(queue, without_a_subscription)
{
	struct kcuckoo_event event;
	int fd = client_open();

	ASSERT_LE(0, fd);
	EXPECT_EQ(-EINVAL, next(fd, &event));
	EXPECT_EQ(POLLERR, polled(fd, 0));
	ASSERT_EQ(0, subscribe(fd, 0, 0));
	EXPECT_EQ(0, polled(fd, 0));
	close(fd);
	EXPECT_EQ(-EAGAIN, next(self->events, &event));
}

/* @count pairs of events. */
static bool noise(int fd, unsigned int count)
{
	bool fine = true;

	while (fine && count--)
		fine = !filter_create(fd, "n", CAPACITY) && !filter_destroy(fd, "n");
	return fine;
}

TEST_F(queue, lost)
{
	int fd = self->client.fd, in, round, i;
	const int lengths[] = { KCUCKOO_QUEUE_MIN, 3, 8 };
	struct kcuckoo_event event;
	__u64 seq;

	for (round = 0; round < ARRAY_SIZE(lengths); round++) {
		in = subscriber(0, lengths[round]);
		ASSERT_LE(0, in);
		seq = 0;
		for (i = 0; i < 3; i++) {
			int j;

			ASSERT_TRUE(noise(fd, 20));
			for (j = 0; j < lengths[round]; j++) {
				ASSERT_EQ(j % 2 ? KCUCKOO_EVENT_DESTROYED :
						  KCUCKOO_EVENT_CREATED,
					  next(in, &event));
				EXPECT_EQ(++seq, event.seq);
			}
			ASSERT_EQ(KCUCKOO_EVENT_LOST, next(in, &event));
			EXPECT_EQ(40 - lengths[round], event.count);
			seq += event.count;
			EXPECT_EQ(seq, event.seq);
			EXPECT_EQ(0, event.name[0]);
			EXPECT_EQ(-EAGAIN, next(in, &event));
		}
		close(in);
	}
}

/* A record is read while the queue is full: what is lost then is counted, too. */
TEST_F(queue, lost_while_read)
{
	int fd = self->client.fd, in = subscriber(0, 4);
	struct kcuckoo_event event;
	__u64 seq = 0, total = 0;

	ASSERT_LE(0, in);
	while (total < 200) {
		ASSERT_TRUE(noise(fd, 5));
		ASSERT_LE(0, next(in, &event));
		if (event.type == KCUCKOO_EVENT_LOST)
			seq += event.count;
		else
			seq++;
		EXPECT_EQ(seq, event.seq);
		total++;
	}
	while (next(in, &event) >= 0) {
		seq += event.type == KCUCKOO_EVENT_LOST ? event.count : 1;
		EXPECT_EQ(seq, event.seq);
	}
	EXPECT_EQ(200 * 10, seq);
	close(in);
}

/* Failures of the same kind share a record, unless it is the next to be read. */
TEST_F(queue, counted_together)
{
	int fd = self->client.fd, in = self->events, failed = 0, i;
	struct kcuckoo_event event;

	ASSERT_EQ(0, filter_create(fd, "a", 1));
	ASSERT_EQ(0, filter_create(fd, "b", 1));
	ASSERT_EQ(1, add(fd, "a", 0, 1));
	ASSERT_EQ(1, add(fd, "b", 0, 1));
	drain(in);
	for (i = 0; i < 10; i++)
		failed += add(fd, "a", 1, 1) == -ENOSPC;
	for (i = 0; i < 5; i++)
		failed += add(fd, "b", 1, 1) == -ENOSPC;
	ASSERT_EQ(15, failed);
	ASSERT_EQ(KCUCKOO_EVENT_FULL, next(in, &event));
	EXPECT_EQ(1, event.count);
	ASSERT_EQ(KCUCKOO_EVENT_FULL, next(in, &event));
	EXPECT_EQ(9, event.count);
	EXPECT_TRUE(named(&event, "a", ""));
	ASSERT_EQ(KCUCKOO_EVENT_FULL, next(in, &event));
	EXPECT_EQ(5, event.count);
	EXPECT_TRUE(named(&event, "b", ""));
	EXPECT_EQ(-EAGAIN, next(in, &event));
}

/* Whole records only, in the size of the reader. */
TEST_F(queue, sizes)
{
	struct kcuckoo_ioc_subscribe arg = {
		.size = sizeof(arg),
		.event_size = KCUCKOO_EVENT_SIZE_MAX,
	};
	static __u8 buffer[3 * KCUCKOO_EVENT_SIZE_MAX];
	int fd = self->client.fd, in = self->events, wide = client_open(), set = 0, i;
	const struct kcuckoo_event *event = (void *)buffer;
	struct kcuckoo_event one;
	void *wall = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, wall);
	ASSERT_LE(0, wide);
	ASSERT_EQ(0, call(wide, KCUCKOO_IOC_SUBSCRIBE, &arg));
	ASSERT_TRUE(noise(fd, 2));
	EXPECT_EQ(-1, read(in, buffer, sizeof(one) - 1));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, read(in, buffer, 0));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, read(in, wall, sizeof(one)));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(3 * sizeof(one), read(in, buffer, 4 * sizeof(one) - 1));
	EXPECT_EQ(1, event[0].seq);
	EXPECT_EQ(3, event[2].seq);
	EXPECT_EQ(sizeof(one), read(in, buffer, sizeof(buffer)));
	EXPECT_EQ(4, event->seq);
	EXPECT_EQ(-EAGAIN, next(in, &one));

	memset(buffer, POISON, sizeof(buffer));
	EXPECT_EQ(-1, read(wide, buffer, KCUCKOO_EVENT_SIZE_MAX - 8));
	EXPECT_EQ(2 * KCUCKOO_EVENT_SIZE_MAX,
		  read(wide, buffer, 3 * KCUCKOO_EVENT_SIZE_MAX - 1));
	event = (void *)(buffer + KCUCKOO_EVENT_SIZE_MAX);
	EXPECT_EQ(KCUCKOO_EVENT_DESTROYED, event->type);
	EXPECT_EQ(2, event->seq);
	for (i = sizeof(one); i < KCUCKOO_EVENT_SIZE_MAX; i++)
		set += buffer[KCUCKOO_EVENT_SIZE_MAX + i] != 0;
	EXPECT_EQ(0, set);
	EXPECT_EQ(POISON, buffer[2 * KCUCKOO_EVENT_SIZE_MAX]);
	close(wide);
}

/* The subscriptions of a namespace are limited; a closed descriptor makes room. */
TEST_F(queue, too_many)
{
	int fds[KCUCKOO_SUBSCRIBERS_MAX], received = 0, i, more;
	struct kcuckoo_event event;

	fds[0] = self->events;
	for (i = 1; i < KCUCKOO_SUBSCRIBERS_MAX; i++) {
		fds[i] = subscriber(0, 2);
		ASSERT_LE(0, fds[i]);
	}
	EXPECT_EQ(-EDQUOT, subscriber(0, 0));
	/* One that was refused can try again, and one that has subscribed need not. */
	more = client_open();
	ASSERT_LE(0, more);
	EXPECT_EQ(-EDQUOT, subscribe(more, 0, 0));
	EXPECT_EQ(-EINVAL, next(more, &event));
	EXPECT_EQ(-EEXIST, subscribe(fds[1], 0, 0));
	close(fds[1]);
	fds[1] = more;
	EXPECT_EQ(0, subscribe(more, 0, 0));
	ASSERT_TRUE(noise(self->client.fd, 1));
	for (i = 0; i < KCUCKOO_SUBSCRIBERS_MAX; i++)
		received += next(fds[i], &event) == KCUCKOO_EVENT_CREATED;
	EXPECT_EQ(KCUCKOO_SUBSCRIBERS_MAX, received);
	for (i = 1; i < KCUCKOO_SUBSCRIBERS_MAX; i++)
		close(fds[i]);
}

static void *make_later(void *arg)
{
	client_sleep(0.3);
	filter_create(*(int *)arg, "late", CAPACITY);
	return NULL;
}

TEST_F(queue, waits)
{
	int fd = self->client.fd, in = self->events;
	struct kcuckoo_event event;
	pthread_t maker;

	EXPECT_EQ(0, polled(in, 0));
	ASSERT_EQ(0, pthread_create(&maker, NULL, make_later, &fd));
	EXPECT_EQ(POLLIN, polled(in, PATIENCE));
	pthread_join(maker, NULL);
	ASSERT_EQ(KCUCKOO_EVENT_CREATED, next(in, &event));
	EXPECT_EQ(0, polled(in, 0));

	ASSERT_EQ(0, filter_destroy(fd, "late"));
	ASSERT_EQ(KCUCKOO_EVENT_DESTROYED, next(in, &event));
	ASSERT_EQ(0, fcntl(in, F_SETFL, O_RDWR));
	ASSERT_EQ(0, pthread_create(&maker, NULL, make_later, &fd));
	EXPECT_EQ(KCUCKOO_EVENT_CREATED, next(in, &event));
	EXPECT_TRUE(named(&event, "late", ""));
	pthread_join(maker, NULL);
}

/* A read that leaves events wakes other readers: one may not have got to read before. */
TEST_F(queue, wakes_other_readers)
{
	struct epoll_event ready = { .events = EPOLLIN | EPOLLET };
	int fd = self->client.fd, in = self->events;
	int poller = epoll_create1(EPOLL_CLOEXEC);
	struct kcuckoo_event event;

	ASSERT_LE(0, poller);
	ASSERT_EQ(0, epoll_ctl(poller, EPOLL_CTL_ADD, in, &ready));
	ASSERT_EQ(0, filter_create(fd, "a", CAPACITY));
	ASSERT_EQ(0, filter_destroy(fd, "a"));
	EXPECT_EQ(1, epoll_wait(poller, &ready, 1, 0));
	EXPECT_EQ(0, epoll_wait(poller, &ready, 1, 0));
	EXPECT_EQ(KCUCKOO_EVENT_CREATED, next(in, &event));
	EXPECT_EQ(1, epoll_wait(poller, &ready, 1, 0));
	EXPECT_EQ(EPOLLIN, ready.events);
	EXPECT_EQ(KCUCKOO_EVENT_DESTROYED, next(in, &event));
	EXPECT_EQ(0, epoll_wait(poller, &ready, 1, 0));
	close(poller);
}

static void nothing(int number)
{
}

/* A signal ends a read that waits. */
TEST_F(queue, interrupted)
{
	struct sigaction action = { .sa_handler = nothing };
	struct itimerval often = {
		.it_interval = { .tv_usec = 100000 },
		.it_value = { .tv_usec = 100000 },
	};
	struct kcuckoo_event event;

	ASSERT_EQ(0, sigaction(SIGALRM, &action, NULL));
	ASSERT_EQ(0, fcntl(self->events, F_SETFL, O_RDWR));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &often, NULL));
	EXPECT_EQ(-EINTR, next(self->events, &event));
	memset(&often, 0, sizeof(often));
	setitimer(ITIMER_REAL, &often, NULL);
}

TEST_F(queue, other_namespaces)
{
	struct kcuckoo_event event;
	int fd, in;

	ASSERT_EQ(0, unshare(CLONE_NEWNET));
	fd = client_open();
	in = subscriber(0, 0);
	ASSERT_LE(0, fd);
	ASSERT_LE(0, in);
	ASSERT_TRUE(noise(fd, 3));
	EXPECT_EQ(-EAGAIN, next(self->events, &event));
	ASSERT_EQ(0, filter_create(self->client.fd, "a", CAPACITY));
	EXPECT_EQ(KCUCKOO_EVENT_CREATED, next(self->events, &event));
	EXPECT_TRUE(named(&event, "a", ""));
	EXPECT_EQ(KCUCKOO_EVENT_CREATED, next(in, &event));
	EXPECT_TRUE(named(&event, "n", ""));
	EXPECT_EQ(0, setns(self->client.space, CLONE_NEWNET));
	close(in);
	close(fd);
}

/* A process gives descriptors of its namespace away and ends, and its namespace with it. */
static int give(int socket)
{
	int fds[2], i;

	if (unshare(CLONE_NEWNET))
		return 1;
	for (i = 0; i < 2; i++) {
		fds[i] = client_open();
		if (fds[i] < 0 || subscribe(fds[i], 0, 0) || fd_send(socket, fds[i]))
			return 2;
	}
	return noise(fds[0], 1) ? 0 : 3;
}

static void *read_one(void *arg)
{
	struct kcuckoo_event event;
	int fd = *(int *)arg, ret;

	do
		ret = next(fd, &event);
	while (ret > 0);
	return (void *)(long)ret;
}

TEST_F(queue, end_of_the_namespace)
{
	int sockets[2], fds[2], status, got;
	struct kcuckoo_event event;
	pthread_t reader;
	void *result;
	pid_t child;

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	child = fork();
	if (!child)
		_exit(give(sockets[1]));
	fds[0] = fd_receive(sockets[0]);
	fds[1] = fd_receive(sockets[0]);
	ASSERT_LE(0, fds[0]);
	ASSERT_LE(0, fds[1]);
	ASSERT_EQ(0, pthread_create(&reader, NULL, read_one, &fds[0]));
	ASSERT_EQ(child, waitpid(child, &status, 0));
	ASSERT_EQ(0, status);
	pthread_join(reader, &result);
	EXPECT_EQ(-ENODEV, (long)result);
	do
		got = polled(fds[1], PATIENCE);
	while (got == POLLIN);
	EXPECT_EQ(POLLERR | POLLHUP, got);
	EXPECT_EQ(-ENODEV, next(fds[1], &event));
	close(fds[0]);
	close(fds[1]);
	close(sockets[0]);
	close(sockets[1]);
}

TEST_F(queue, needs_the_capability)
{
	struct kcuckoo_event event;
	int status;
	pid_t child;

	ASSERT_TRUE(noise(self->client.fd, 1));
	child = fork();
	if (!child)
		_exit(setresuid(65534, 65534, 65534) ||
		      next(self->events, &event) != -EPERM);
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(KCUCKOO_EVENT_CREATED, next(self->events, &event));
}

#define READERS		3

struct fire {
	int fd;
	int shared;
	atomic_bool end;
	atomic_int failures;
	atomic_ulong events;
};

/* Subscribes, reads a little, and closes, again and again. */
static void *come_and_go(void *arg)
{
	struct fire *fire = arg;
	struct kcuckoo_event event;
	unsigned int i;
	int in, ret;

	while (!fire->end) {
		in = subscriber(0, KCUCKOO_QUEUE_MIN);
		if (in < 0) {
			fire->failures++;
			return NULL;
		}
		for (i = 0; i < 20; i++) {
			ret = next(in, &event);
			if (ret >= 0)
				fire->events++;
			else if (ret != -EAGAIN)
				fire->failures++;
		}
		close(in);
	}
	return NULL;
}

/* Reads from a descriptor that others read, too. */
static void *read_shared(void *arg)
{
	struct fire *fire = arg;
	struct kcuckoo_event event;
	__u64 last = 0;
	int ret;

	while (!fire->end) {
		ret = next(fire->shared, &event);
		if (ret == -EAGAIN) {
			polled(fire->shared, 20);
			continue;
		}
		if (ret < 0 || event.seq <= last)
			fire->failures++;
		last = event.seq;
		fire->events++;
	}
	return NULL;
}

TEST_F(queue, close_under_fire)
{
	struct fire fire = { .fd = self->client.fd, .shared = self->events };
	size_t rounds = client_sample(400, 3000), i;
	pthread_t threads[2 * READERS];

	ASSERT_EQ(0, filter_create(fire.fd, "a", 1));
	ASSERT_EQ(1, add(fire.fd, "a", 0, 1));
	for (i = 0; i < READERS; i++) {
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, come_and_go, &fire));
		ASSERT_EQ(0, pthread_create(&threads[READERS + i], NULL, read_shared,
					    &fire));
	}
	for (i = 0; i < rounds; i++) {
		EXPECT_TRUE(noise(fire.fd, 1));
		EXPECT_EQ(-ENOSPC, add(fire.fd, "a", 1, 1));
		EXPECT_EQ(0, rule_attach(fire.fd, "a", i % 4, KCUCKOO_FAMILY_IPV4, 0, 0));
		EXPECT_EQ(1, rule_detach(fire.fd, "a"));
	}
	fire.end = true;
	for (i = 0; i < ARRAY_SIZE(threads); i++)
		pthread_join(threads[i], NULL);
	EXPECT_EQ(0, fire.failures);
	EXPECT_LT(0, fire.events);
	fprintf(stderr, "# %lu events\n", fire.events);
}

TEST_HARNESS_MAIN
