// SPDX-License-Identifier: GPL-2.0-only
/*
 * A call that waits for its caller's memory, which may be for ever, keeps no
 * namespace from ending: the kernel ends them one after the other. Nor does it keep
 * from ending who waits for it. It says that its namespace is gone, and not what is
 * left of it.
 */

#include "client.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>

#define PAGE	4096

/**
 * struct waiter - a call that waits for a page
 * @home: the test's own namespace
 * @faults: tells of accesses to the page
 * @page: the page, which is not there
 * @bytes: what it has once it is there
 * @fd: descriptor of another namespace
 * @request: the call, where its argument is what waits
 * @error: what the call returned
 */
struct waiter {
	int home;
	int faults;
	__u8 *page;
	__u8 bytes[PAGE];
	int fd;
	unsigned long request;
	int error;
};

FIXTURE(waiting)
{
	struct client client;
	struct waiter waiter;
};

/* A page that is there when the test says so. */
static int page_withhold(struct waiter *waiter)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };

	waiter->faults = syscall(__NR_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	waiter->page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	range.range.start = (uintptr_t)waiter->page;
	range.range.len = PAGE;
	if (waiter->faults < 0 || waiter->page == MAP_FAILED ||
	    ioctl(waiter->faults, UFFDIO_API, &api) ||
	    ioctl(waiter->faults, UFFDIO_REGISTER, &range))
		return -errno;
	return 0;
}

static int page_give(struct waiter *waiter)
{
	struct uffdio_copy copy = {
		.dst = (uintptr_t)waiter->page,
		.src = (uintptr_t)waiter->bytes,
		.len = PAGE,
	};

	return ioctl(waiter->faults, UFFDIO_COPY, &copy);
}

/* Until somebody accesses the page. */
static bool page_wanted(struct waiter *waiter)
{
	struct pollfd wait = { .fd = waiter->faults, .events = POLLIN };

	return poll(&wait, 1, 60000) == 1;
}

FIXTURE_SETUP(waiting)
{
	ASSERT_EQ(0, client_begin(&self->client));
	self->waiter.home = self->client.space;
	ASSERT_EQ(0, page_withhold(&self->waiter));
}

FIXTURE_TEARDOWN(waiting)
{
	EXPECT_EQ(0, client_end(&self->client));
}

/* Goes to a new namespace, with a filter; a descriptor of it, or -1. */
static int go_elsewhere(void)
{
	int fd = unshare(CLONE_NEWNET) ? -1 : client_open();

	return fd < 0 || filter_create(fd, "a", 1000) ? -1 : fd;
}

/* Comes back from there, where nobody is any more. */
static int come_back(struct waiter *waiter)
{
	return setns(waiter->home, CLONE_NEWNET);
}

/* Until the descriptor's namespace has begun to end. */
static bool ended(int fd)
{
	struct kcuckoo_ioc_stats stats;
	double end = client_clock() + 60;

	while (client_stats(fd, &stats) != -ENODEV && client_clock() < end)
		client_sleep(0.01);
	return client_stats(fd, &stats) == -ENODEV;
}

static void *save(void *argument)
{
	struct waiter *waiter = argument;
	struct kcuckoo_ioc_save request = {
		.size = sizeof(request),
		.buffer = (uintptr_t)waiter->page,
		.length = PAGE,
	};

	set_name(request.name, "a");
	waiter->error = come_back(waiter) ? -errno :
					    call(waiter->fd, KCUCKOO_IOC_SAVE, &request);
	return NULL;
}

static void *restore(void *argument)
{
	struct waiter *waiter = argument;
	struct kcuckoo_ioc_restore request = {
		.size = sizeof(request),
		.buffer = (uintptr_t)waiter->page,
		.length = PAGE,
		.total = 2 * PAGE,
	};

	set_name(request.name, "b");
	waiter->error = come_back(waiter) ? -errno :
					    call(waiter->fd, KCUCKOO_IOC_RESTORE, &request);
	return NULL;
}

/* While the call waits, its namespace ends, and then another one. */
static void wait_in(struct __test_metadata *_metadata, struct waiter *waiter,
		    void *(*request)(void *))
{
	pthread_t thread;
	int other;

	waiter->fd = go_elsewhere();
	ASSERT_LE(0, waiter->fd);
	ASSERT_EQ(0, pthread_create(&thread, NULL, request, waiter));
	EXPECT_TRUE(page_wanted(waiter));
	ASSERT_EQ(0, come_back(waiter));
	EXPECT_TRUE(ended(waiter->fd));
	other = go_elsewhere();
	ASSERT_LE(0, other);
	ASSERT_EQ(0, come_back(waiter));
	EXPECT_TRUE(ended(other));
	EXPECT_EQ(0, close(other));
	EXPECT_EQ(0, page_give(waiter));
	EXPECT_EQ(0, pthread_join(thread, NULL));
	EXPECT_EQ(0, close(waiter->fd));
}

TEST_F(waiting, save)
{
	wait_in(_metadata, &self->waiter, save);
	EXPECT_EQ(-ENODEV, self->waiter.error);
}

/* Whatever there is to say about the snapshot. */
TEST_F(waiting, restore)
{
	wait_in(_metadata, &self->waiter, restore);
	EXPECT_EQ(-ENODEV, self->waiter.error);
}

static void *ask(void *argument)
{
	struct waiter *waiter = argument;

	waiter->error = come_back(waiter) ? -errno :
					    call(waiter->fd, waiter->request, waiter->page);
	return NULL;
}

/* The call has been let in when its namespace ends, and looks for something after. */
static void ask_late(struct __test_metadata *_metadata, struct waiter *waiter,
		     unsigned long request, const void *argument, size_t size)
{
	waiter->request = request;
	memcpy(waiter->bytes, argument, size);
	wait_in(_metadata, waiter, ask);
	EXPECT_EQ(-ENODEV, waiter->error);
	EXPECT_EQ(0, memcmp(waiter->page, argument, size));
}

TEST_F(waiting, list)
{
	struct kcuckoo_ioc_list list = { .size = sizeof(list) };

	ask_late(_metadata, &self->waiter, KCUCKOO_IOC_LIST, &list, sizeof(list));
}

TEST_F(waiting, rules)
{
	struct kcuckoo_ioc_rules rules = { .size = sizeof(rules) };

	ask_late(_metadata, &self->waiter, KCUCKOO_IOC_RULES, &rules, sizeof(rules));
}

TEST_F(waiting, stats)
{
	struct kcuckoo_ioc_stats stats = { .size = sizeof(stats) };

	ask_late(_metadata, &self->waiter, KCUCKOO_IOC_STATS, &stats, sizeof(stats));
}

TEST_F(waiting, slot)
{
	struct kcuckoo_ioc_slot slot = { .size = sizeof(slot) };

	set_name(slot.name, "a");
	ask_late(_metadata, &self->waiter, KCUCKOO_IOC_SLOT, &slot, sizeof(slot));
}

/* Until a process sleeps in the kernel, and signals alone do not wake it. */
static bool asleep(pid_t process)
{
	double end = client_clock() + 60;
	char path[64], line[256], state = '?';

	snprintf(path, sizeof(path), "/proc/%d/stat", process);
	while (state != 'D' && client_clock() < end) {
		FILE *file = fopen(path, "r");

		if (file && fgets(line, sizeof(line), file))
			sscanf(strrchr(line, ')'), ") %c", &state);
		if (file)
			fclose(file);
		client_sleep(0.01);
	}
	return state == 'D';
}

/* Until a process has ended. */
static bool gone(pid_t process)
{
	double end = client_clock() + 20;
	pid_t ended = 0;

	while (!ended && client_clock() < end) {
		ended = waitpid(process, NULL, WNOHANG);
		client_sleep(0.01);
	}
	return ended == process;
}

/* Who waits for such a call on the same descriptor can be killed meanwhile. */
static void kill_next(struct __test_metadata *_metadata, struct waiter *waiter,
		      void *(*request)(void *))
{
	pthread_t thread;
	pid_t child;
	bool ended;

	waiter->fd = go_elsewhere();
	ASSERT_LE(0, waiter->fd);
	ASSERT_EQ(0, pthread_create(&thread, NULL, save, waiter));
	EXPECT_TRUE(page_wanted(waiter));
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		request(waiter);
		_exit(0);
	}
	EXPECT_TRUE(asleep(child));
	EXPECT_EQ(0, kill(child, SIGKILL));
	ended = gone(child);
	EXPECT_TRUE(ended);
	EXPECT_EQ(0, page_give(waiter));
	EXPECT_EQ(0, pthread_join(thread, NULL));
	EXPECT_EQ(0, waiter->error);
	if (!ended)
		waitpid(child, NULL, 0);
	ASSERT_EQ(0, come_back(waiter));
	EXPECT_EQ(0, close(waiter->fd));
}

TEST_F(waiting, next_save_is_killed)
{
	kill_next(_metadata, &self->waiter, save);
}

TEST_F(waiting, next_restore_is_killed)
{
	kill_next(_metadata, &self->waiter, restore);
}

TEST_HARNESS_MAIN
