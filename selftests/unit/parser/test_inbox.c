// SPDX-License-Identifier: GPL-2.0-only
/*
 * The inbox of crowdsec-bouncer, also after the worker was killed directly after read().
 */
#include <string.h>
#include <unistd.h>

#include "daemons/inbox.h"
#include "tap.h"

/* Write @length bytes of @text to a pipe, and read them into the inbox. */
static void receive(struct inbox *inbox, const char *text, size_t length)
{
	int ends[2];

	tap_require(!pipe(ends) && write(ends[1], text, length) == (ssize_t)length, "pipe");
	close(ends[1]);
	tap_require(inbox_read(inbox, ends[0]) == INBOX_DATA, "no input");
	close(ends[0]);
}

/* The next line is @text, and is then processed. */
static void next_is(struct inbox *inbox, const char *text)
{
	struct inbox_line line = { .number = 0 };

	tap_require(inbox_next(inbox, &line), "no line '%s'", text);
	tap_require(line.length == strlen(text) && !memcmp(line.text, text, line.length),
		    "'%.*s', not '%s'", (int)line.length, line.text, text);
	inbox_done(inbox, &line);
}

static void test_zeros(void)
{
	struct inbox *inbox = inbox_create();

	tap_require(inbox, "memory");
	receive(inbox, "a\0b\nc\0", 6);
	next_is(inbox, "a\1b");
	tap_require(inbox_pending(inbox) == 2, "%zu bytes", inbox_pending(inbox));
	receive(inbox, "d\n", 2);
	next_is(inbox, "c\1d");
	tap_require(!inbox_pending(inbox), "%zu bytes", inbox_pending(inbox));
}

static void test_killed(void)
{
	struct inbox *inbox = inbox_create();

	tap_require(inbox, "memory");
	receive(inbox, "first\n", 6);
	next_is(inbox, "first");
	/* The worker is killed after read() has stored these bytes. */
	memcpy(inbox->buffer[0] + 6, "second\ntwo\0half lines", 21);
	inbox_repair(inbox);
	tap_require(inbox_pending(inbox) == 21, "%zu bytes", inbox_pending(inbox));
	next_is(inbox, "second");
	receive(inbox, "\nfourth\n", 8);
	next_is(inbox, "two\1half lines");
	next_is(inbox, "fourth");
	tap_require(!inbox_pending(inbox), "%zu bytes", inbox_pending(inbox));
	/* An inbox without input stays empty. */
	inbox_repair(inbox);
	tap_require(!inbox_pending(inbox), "%zu bytes", inbox_pending(inbox));
}

static const struct tap_test tests[] = {
	{ "inbox.zeros: a zero byte in a line hides no other line", test_zeros },
	{ "inbox.killed: after a kill no line is lost or mixed with another one", test_killed },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
