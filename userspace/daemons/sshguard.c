// SPDX-License-Identifier: GPL-2.0-only
/*
 * sshg-fw-kcuckoo, a backend of sshguard, keeps blocked addresses in a filter.
 *
 * sshguard sends a command on each line of standard input: "block ADDRESS KIND LENGTH",
 * "release ADDRESS KIND LENGTH", "flush" or "flushonexit". KIND is 4 for IPv4 and 6 for
 * IPv6, and LENGTH is a prefix length. After its start, sshguard sends all blocked
 * addresses again, so this program empties the filter when it starts.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemons/ban_filter.h"
#include "daemons/inbox.h"
#include "message.h"

#define NAME		"sshg-fw-kcuckoo"
#define SETTINGS	"/etc/kcuckoo/sshguard.conf"
#define FILTER		"sshguard"

/* Size of a buffer for a line with a final zero, in bytes. Commands have less than 80 bytes. */
#define LINE_MAX	1024

/**
 * struct backend - state of this program
 * @filter: the filter
 * @inbox: the input
 * @flush_on_exit: remove all members when the program ends
 * @bad: limit on the number of reports of bad lines
 */
struct backend {
	struct ban_filter filter;
	struct inbox *inbox;
	bool flush_on_exit;
	struct report_limit bad;
};

/* Seconds between two checks for the end of a period of report_limited(). */
static const struct timespec check = { .tv_sec = 60 };

/* Nonzero after a signal that asks the program to end. */
static volatile sig_atomic_t ended;

static void end(int number)
{
	(void)number;
	ended = 1;
}

/*
 * Install a handler for the signals that end the program, and block these signals. They
 * are unblocked only while process() waits for input, and while ban_filter.c waits for
 * its next attempt to make changes.
 */
static void catch_signals(void)
{
	const struct sigaction action = { .sa_handler = end };
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

/*
 * parse_operands(), change() and process_line() return NULL, or a text that explains what
 * is wrong with the line.
 */
static const char *parse_operands(const char *operands,
				  struct kcuckoo_prefix *key)
{
	char address[48], kind[3], length[4], more, text[64];
	const char *why = NULL;
	int count;

	count = sscanf(operands, "%47s %2s %3s %c", address, kind, length,
		       &more);
	if (count != 3 || strchr(address, '/'))
		return "the operands are not ADDRESS 4|6 LENGTH";
	snprintf(text, sizeof(text), "%s/%s", address, length);
	if (kcuckoo_prefix_parse(text, key, &why) < 0)
		return why ? why : "it is not an address";
	if (strcmp(kind, strchr(address, ':') ? "6" : "4"))
		return "the address is not of the named family";
	return NULL;
}

static const char *change(struct backend *backend, bool add,
			  const char *operands)
{
	struct ban_filter *filter = &backend->filter;
	struct kcuckoo_prefix key;
	const char *why = parse_operands(operands, &key);

	if (why)
		return why;
	if (add && guard_is_wide(&key))
		return BAN_WIDE;
	if (ban_filter_is_full(filter, add))
		ban_filter_apply(filter);
	if (add)
		ban_filter_add(filter, &key, 0);
	else
		ban_filter_del(filter, &key);
	return NULL;
}

static const char *process_line(struct backend *backend, const char *line)
{
	if (!strncmp(line, "block ", 6))
		return change(backend, true, line + 6);
	if (!strncmp(line, "release ", 8))
		return change(backend, false, line + 8);
	if (!strcmp(line, "flush"))
		ban_filter_flush(&backend->filter);
	else if (!strcmp(line, "flushonexit"))
		backend->flush_on_exit = true;
	else
		return "it is not a command of sshguard";
	return NULL;
}

static void process_lines(struct backend *backend)
{
	struct inbox_line line = { .number = 0 };
	char text[LINE_MAX], escaped[160];
	const char *why;

	while (inbox_next(backend->inbox, &line)) {
		if (!line.too_long && line.length < sizeof(text)) {
			memcpy(text, line.text, line.length);
			text[line.length] = 0;
			why = process_line(backend, text);
		} else {
			why = "the line is too long";
		}
		if (why)
			report_limited(&backend->bad, "line %llu: %s: %s",
				       (unsigned long long)line.number, why,
				       escape(line.text, line.length, escaped,
					      sizeof(escaped)));
	}
	ban_filter_apply(&backend->filter);
	if (line.number)
		inbox_done(backend->inbox, &line);
}

static int process(struct backend *backend)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	sigset_t none;

	sigemptyset(&none);
	while (!ended) {
		process_lines(backend);
		report_suppressed(&backend->bad, 0);
		report_suppressed(&backend->filter.failed, 0);
		if (ppoll(&input, 1, &check, &none) <= 0)
			continue;
		switch (inbox_read(backend->inbox, STDIN_FILENO)) {
		case INBOX_DATA:
			break;
		case INBOX_END:
			return 0;
		case INBOX_ERROR:
			return report_error("cannot read commands: %s",
					    strerror(errno));
		}
	}
	return 0;
}

int main(int argc, char *argv[])
{
	static struct backend backend = { .bad = { .what = "bad lines" } };
	int ret;

	(void)argv;
	report_open(NAME);
	if (argc > 1) {
		report_error("takes no arguments: sshguard starts it as its BACKEND");
		return EXIT_FAILURE;
	}
	backend.inbox = inbox_create();
	if (!backend.inbox) {
		report_error("not enough memory");
		return EXIT_FAILURE;
	}
	if (settings_read(&backend.filter.settings, SETTINGS, FILTER))
		return EXIT_FAILURE;
	ret = ban_filter_open(&backend.filter, false, true);
	if (ret)
		return ret < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
	catch_signals();
	ban_filter_flush(&backend.filter);
	ret = process(&backend);
	if (backend.flush_on_exit)
		ban_filter_flush(&backend.filter);
	report_suppressed(&backend.bad, 1);
	report_suppressed(&backend.filter.failed, 1);
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}
