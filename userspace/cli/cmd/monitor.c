// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb monitor prints the events of the module, which report changes of filters and
 * rules of the namespace. The verb runs until SIGINT or SIGTERM arrives, the reader of its
 * output has closed the pipe, or the namespace has ended.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "args.h"
#include "cmd/event.h"
#include "keywords.h"
#include "json.h"
#include "message.h"

#define TIME_TEXT	32		/* size of the buffer of time_text(), in bytes */
#define NANOSECONDS	1000000000LL	/* nanoseconds in a second */

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
	(void)number;
	interrupted = 1;
}

/*
 * @waiting: out: signal mask for waits for an event or for standard output. SIGINT and
 * SIGTERM end the command only during such a wait. A signal that the caller of the command
 * ignores stays ignored.
 */
static void signals_prepare(sigset_t *waiting)
{
	static const int numbers[] = { SIGINT, SIGTERM };
	struct sigaction action = { .sa_handler = interrupt }, old;
	sigset_t block;
	size_t i;

	sigemptyset(&block);
	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		sigaction(numbers[i], NULL, &old);
		if (old.sa_handler == SIG_IGN)
			continue;
		sigaction(numbers[i], &action, NULL);
		sigaddset(&block, numbers[i]);
	}
	sigprocmask(SIG_BLOCK, &block, waiting);
	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		sigdelset(waiting, numbers[i]);
}

static __s64 clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * NANOSECONDS + now.tv_nsec;
}

/*
 * The time of the event is in nanoseconds since boot, so subtract the age of the event from
 * the present time.
 */
static const char *time_text(const struct kcuckoo_event *event, char *buf)
{
	__s64 age = clock_ns(CLOCK_BOOTTIME) - (__s64)event->time;
	time_t seconds = (clock_ns(CLOCK_REALTIME) - age) / NANOSECONDS;
	struct tm local;

	localtime_r(&seconds, &local);
	strftime(buf, TIME_TEXT, "%Y-%m-%dT%H:%M:%S%z", &local);
	return buf;
}

static bool is_wanted(const struct args *args, const struct kcuckoo_event *event)
{
	int i;

	if (!args->operand_count || event->type == KCUCKOO_EVENT_LOST)
		return true;
	for (i = 0; i < args->operand_count; i++)
		if (!strcmp(args->operands[i], (const char *)event->name) ||
		    !strcmp(args->operands[i], (const char *)event->other))
			return true;
	return false;
}

/* Return: 0; 1 if standard output has failed; or -1 after an error message. */
static int print_event(const struct cli *cli, const struct kcuckoo_event *event)
{
	char when[TIME_TEXT], buf[EVENT_TEXT];

	time_text(event, when);
	if (cli->json) {
		if (json_print_line(json_of_event(event, when)))
			return -1;
	} else {
		printf("%s %s\n", when, event_text(event, buf));
	}
	/* main() prints an error if standard output fails. */
	return fflush(stdout) ? 1 : 0;
}

/*
 * If ppoll() returns at once, no pending signal is delivered, so unblock the signals for a
 * moment after ppoll(). Return: false if a signal has arrived, or the reader of the output
 * has closed the pipe.
 */
static bool wait_for_output(const sigset_t *waiting)
{
	struct pollfd output = { .fd = STDOUT_FILENO, .events = POLLOUT };
	sigset_t blocked;
	int ret;

	do {
		ret = ppoll(&output, 1, NULL, waiting);
	} while (ret < 0 && errno == EINTR && !interrupted);
	sigprocmask(SIG_SETMASK, waiting, &blocked);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	return !interrupted && !(output.revents & ~POLLOUT);
}

/*
 * Return: 0; 1 if a signal has arrived, the reader of the output has closed the pipe, or
 * standard output has failed; or -1 after an error message.
 */
static int print_events(const struct cli *cli, const struct args *args,
			const sigset_t *waiting)
{
	struct kcuckoo_event event;
	int ret;

	while (!(ret = kcuckoo_read_event(cli->handle, &event))) {
		/*
		 * print_event() has flushed stdout, so the command writes nothing when it
		 * exits, and cannot block.
		 */
		if (!wait_for_output(waiting))
			return 1;
		if (is_wanted(args, &event))
			ret = print_event(cli, &event);
		if (ret)
			return ret;
	}
	return ret == -EAGAIN ? 0 : plain_error(ret, "read events");
}

static int follow(const struct cli *cli, const struct args *args,
		  const sigset_t *waiting)
{
	struct pollfd fds[] = {
		{ .fd = kcuckoo_fd(cli->handle), .events = POLLIN },
		{ .fd = STDOUT_FILENO },
	};
	int ret = 0;

	while (!ret && !interrupted) {
		ret = ppoll(fds, 2, NULL, waiting);
		if (ret < 0 && errno != EINTR)
			return error("cannot wait for events: %s", strerror(errno));
		/* fds[1] requests no events, so @revents shows an error or a hang-up. */
		if (ret > 0 && fds[1].revents)
			return EXIT_YES;
		ret = ret > 0 ? print_events(cli, args, waiting) : 0;
	}
	return ret < 0 ? -1 : EXIT_YES;
}

static int subscribe(const struct cli *cli)
{
	struct kcuckoo_ioc_stats stats = { .size = sizeof(stats) };
	int ret = kcuckoo_subscribe(cli->handle, 0, 0);
	char version[VERSION_TEXT];

	if (!ret && fcntl(kcuckoo_fd(cli->handle), F_SETFL, O_NONBLOCK))
		ret = -errno;
	if (!ret)
		return 0;
	if (ret == -EDQUOT)
		return hint(error("cannot get events: %d programs get events of this namespace, and the limit is %d",
				  KCUCKOO_SUBSCRIBERS_MAX, KCUCKOO_SUBSCRIBERS_MAX),
			    "this limit is fixed: end one of them, such as another 'kcuckoo monitor'");
	if (ret != -ENOTTY)
		return plain_error(ret, "get events");
	kcuckoo_stats(cli->handle, &stats);
	return hint(error("monitor needs version 0.6.0 of the module, but the loaded version is %s",
			  version_text(stats.version, version)),
		    "install the same version of the command and the module");
}

/*
 * After opening the device, return to the namespace in which the command was started: a
 * process in a namespace keeps the namespace alive. The descriptor of the device does not
 * keep the namespace alive, and reports its end.
 */
static int open_from_outside(struct cli *cli)
{
	int ret, start = cli->netns ? open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC) : -1;

	ret = cli_open(cli);
	/*
	 * setns() can fail, for example if the command has CAP_SYS_ADMIN only in a user
	 * namespace that does not own the first namespace. Events arrive nevertheless.
	 */
	if (!ret && cli->netns && (start < 0 || setns(start, CLONE_NEWNET)))
		detail(cli, "cannot leave namespace '%s': its end will not be noticed",
		       cli->netns);
	if (start >= 0)
		close(start);
	return ret;
}

int verb_monitor(struct cli *cli, const struct args *args)
{
	sigset_t waiting;
	int i;

	for (i = 0; i < args->operand_count; i++)
		if (check_name(args->operands[i]))
			return -1;
	if (open_from_outside(cli))
		return -1;
	signals_prepare(&waiting);
	if (subscribe(cli))
		return -1;
	detail(cli, "waiting for events");
	return follow(cli, args, &waiting);
}
