// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions run in the parent of a child process that reads an untrusted file: an
 * archive for source.c, a database for database.c. In the comments below, "archive"
 * means both kinds of files.
 *
 * The child runs unarchive() or mmdb_read(). The child sends the names and contents of
 * files as frames (sandbox.h), and the frame FRAME_DONE at the end of the archive. If
 * FRAME_DONE is missing, the child ended early.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "input/extract.h"
#include "input/sandbox.h"
#include "input/unarchive.h"
#include "message.h"

/* Sizes in bytes of the buffers for data to the child (FED) and from the child (RECEIVED). */
#define FED		(64u << 10)
#define RECEIVED	(sizeof(struct frame) + FRAME_MAX)

/**
 * struct extractor - an archive that a child process reads
 * @child: id of the child process; 0 after the parent has waited for the child
 * @socket: socket to the child
 * @feed: function that reads the archive; NULL if nothing more is sent to the
 *	child
 * @context: first argument of @feed
 * @feed_failed: @feed returned -1
 * @fed_all: the parent has sent the whole archive, or the child reads the archive
 *	itself
 * @fed: buffer for bytes to send to the child
 * @fed_at: offset in @fed of the first byte that was not sent yet
 * @fed_end: offset in @fed of the end of the bytes in the buffer
 * @got: buffer for bytes from the child
 * @got_at: offset in @got of the first byte that was not used yet
 * @got_end: offset in @got of the end of the bytes in the buffer
 * @left: number of bytes of the current frame that were not read yet
 * @member: FRAME_MEMBER of the next file was received, and extract_next() has not
 *	returned this file yet
 * @done: FRAME_DONE was received
 * @name: name of the current file
 * @why: error text
 */
struct extractor {
	pid_t child;
	int socket;
	extract_feed feed;
	void *context;
	bool feed_failed;
	bool fed_all;
	unsigned char fed[FED];
	size_t fed_at;
	size_t fed_end;
	unsigned char got[RECEIVED];
	size_t got_at;
	size_t got_end;
	size_t left;
	bool member;
	bool done;
	char name[256];
	char why[640];
};

/*
 * Create a pair of sockets. Their descriptors are greater than 2 (standard error), because the
 * child replaces its standard descriptors. Return: 0, or -1 with errno set.
 */
static int make_sockets(int sockets[2])
{
	int low[2], i;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, low))
		return -1;
	for (i = 0; i < 2; i++) {
		sockets[i] = fcntl(low[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		close(low[i]);
	}
	if (sockets[0] >= 0 && sockets[1] >= 0)
		return 0;
	for (i = 0; i < 2; i++)
		if (sockets[i] >= 0)
			close(sockets[i]);
	return -1;
}

struct extractor *extract_start(extract_child child, const void *job,
				extract_feed feed, void *context)
{
	struct extractor *x = calloc(1, sizeof(*x));
	int sockets[2];

	if (!x)
		return NULL;
	if (make_sockets(sockets)) {
		free(x);
		return NULL;
	}
	x->feed = feed;
	x->fed_all = !feed;
	x->context = context;
	x->socket = sockets[0];
	x->child = fork();
	if (!x->child)
		child(job, sockets[1]);
	close(sockets[1]);
	if (x->child < 0) {
		close(x->socket);
		free(x);
		return NULL;
	}
	return x;
}

struct extractor *extract_begin(enum format format, const char *glob, int file,
				off_t start, extract_feed feed, void *context)
{
	struct archive_job job = {
		.format = format, .glob = glob, .file = file, .start = start,
	};

	return extract_start(unarchive, &job, feed, context);
}

/* Return: the wait status of the child, or 0 if the status is unknown. */
static int wait_child(struct extractor *x)
{
	int status = 0;

	while (waitpid(x->child, &status, 0) < 0) {
		if (errno == EINTR)
			continue;
		status = 0;
		break;
	}
	x->child = 0;
	return status;
}

void extract_end(struct extractor *x)
{
	if (!x)
		return;
	if (x->child) {
		kill(x->child, SIGKILL);
		wait_child(x);
	}
	close(x->socket);
	free(x);
}

const char *extract_why(const struct extractor *x)
{
	return x->feed_failed ? NULL : x->why;
}

static int fail(struct extractor *x, const char *why)
{
	snprintf(x->why, sizeof(x->why), "%s", why);
	return -1;
}

/* Set @why for a child that ended early and sent no error message. Return: -1. */
static int fail_silent(struct extractor *x)
{
	int status = wait_child(x);

	if (WIFSIGNALED(status))
		snprintf(x->why, sizeof(x->why),
			 "the process that reads it was killed by signal %d (%s)",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(x->why, sizeof(x->why),
			 "the process that reads it ended early");
	return -1;
}

static int send_some(struct extractor *x)
{
	ssize_t done = send(x->socket, x->fed + x->fed_at, x->fed_end - x->fed_at,
			    MSG_NOSIGNAL | MSG_DONTWAIT);

	if (done >= 0)
		x->fed_at += done;
	else if (errno == EPIPE || errno == ECONNRESET)
		/*
		 * The child has ended. Report no error yet: the child may have sent an error
		 * message, which receive_some() reads later.
		 */
		x->feed = NULL;
	else if (errno != EAGAIN && errno != EINTR)
		return fail(x, strerror(errno));
	return 0;
}

/* Read more bytes of the archive to @fed. At its end, shut down the direction to the child. */
static int fetch_feed(struct extractor *x)
{
	ssize_t done = x->feed(x->context, x->fed, sizeof(x->fed));

	if (done < 0) {
		x->feed_failed = true;
		return -1;
	}
	x->fed_at = 0;
	x->fed_end = done;
	if (!done) {
		x->feed = NULL;
		x->fed_all = true;
		shutdown(x->socket, SHUT_WR);
	}
	return 0;
}

/*
 * Receive bytes from the child without blocking. Return: a positive number if bytes were
 * received; 0 to try again; or -1 with @why set.
 */
static int receive_some(struct extractor *x)
{
	ssize_t done;

	if (x->got_at) {
		memmove(x->got, x->got + x->got_at, x->got_end - x->got_at);
		x->got_end -= x->got_at;
		x->got_at = 0;
	}
	done = recv(x->socket, x->got + x->got_end, sizeof(x->got) - x->got_end,
		    MSG_DONTWAIT);
	if (!done)
		return fail_silent(x);
	if (done > 0) {
		x->got_end += done;
		return 1;
	}
	if (errno == EAGAIN || errno == EINTR)
		return 0;
	return errno == ECONNRESET ? fail_silent(x) : fail(x, strerror(errno));
}

/*
 * Receive at least one byte from the child. Until a byte arrives, send the archive to the child.
 */
static int receive(struct extractor *x)
{
	struct pollfd poll_fd = { .fd = x->socket };
	int ret = 0;

	while (!ret) {
		if (x->feed && x->fed_at == x->fed_end && fetch_feed(x))
			return -1;
		poll_fd.events = x->feed ? POLLIN | POLLOUT : POLLIN;
		if (poll(&poll_fd, 1, -1) < 0) {
			if (errno == EINTR)
				continue;
			return fail(x, strerror(errno));
		}
		if (x->feed && poll_fd.revents & POLLOUT && send_some(x))
			return -1;
		if (poll_fd.revents & ~POLLOUT)
			ret = receive_some(x);
	}
	return ret < 0 ? -1 : 0;
}

/* Receive bytes until @got has at least @length bytes that were not used yet. */
static int need(struct extractor *x, size_t length)
{
	while (x->got_end - x->got_at < length)
		if (receive(x))
			return -1;
	return 0;
}

/*
 * Receive the next frame. Of a FRAME_DATA, receive only the header: extract_read() receives the
 * data.
 */
static int take_frame(struct extractor *x)
{
	struct frame frame;
	const char *text;
	char escaped[512];

	if (need(x, sizeof(frame)))
		return -1;
	memcpy(&frame, x->got + x->got_at, sizeof(frame));
	if (frame.length > FRAME_MAX || frame.kind > FRAME_ERROR)
		return fail(x, "the process that reads it sent invalid data");
	x->got_at += sizeof(frame);
	if (frame.kind == FRAME_DATA) {
		x->left = frame.length;
		return 0;
	}
	if (need(x, frame.length))
		return -1;
	text = (const char *)x->got + x->got_at;
	x->got_at += frame.length;
	switch (frame.kind) {
	case FRAME_MEMBER:
		escape(text, frame.length, x->name, sizeof(x->name));
		x->member = true;
		return 0;
	case FRAME_DONE:
		/*
		 * If this frame arrives before the parent has sent the whole archive, the child
		 * has not checked the whole archive.
		 */
		if (!x->fed_all)
			return fail(x, "the process that reads it ended early");
		x->done = true;
		return 0;
	default:
		return fail(x, escape(text, frame.length, escaped, sizeof(escaped)));
	}
}

int extract_next(struct extractor *x, const char **name)
{
	while (!x->member && !x->done)
		if (take_frame(x))
			return -1;
	if (x->done)
		return 0;
	x->member = false;
	*name = x->name;
	return 1;
}

ssize_t extract_read(struct extractor *x, void *to, size_t size)
{
	while (!x->left) {
		if (x->member || x->done)
			return 0;
		if (take_frame(x))
			return -1;
	}
	if (need(x, 1))
		return -1;
	if (size > x->left)
		size = x->left;
	if (size > x->got_end - x->got_at)
		size = x->got_end - x->got_at;
	memcpy(to, x->got + x->got_at, size);
	x->got_at += size;
	x->left -= size;
	return size;
}
