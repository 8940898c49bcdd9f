// SPDX-License-Identifier: GPL-2.0-only
/*
 * A session of crowdsec-bouncer is the life of the sender, the process that sends
 * decisions of CrowdSec. These functions record the state of the session in files below
 * /run/kcuckoo.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemons/report.h"
#include "daemons/session.h"

#define FOLDER	"/run/kcuckoo"
#define STATE	FOLDER "/crowdsec-bouncer"
#define NEW	FOLDER "/crowdsec-bouncer.new"
#define NAMED	FOLDER "/crowdsec-bouncer.named"
#define LOCK	FOLDER "/crowdsec-bouncer.lock"

/* Words in the file STATE for the phases of a session. */
#define PHASE_FIRST	"first"		/* the first decisions are not complete yet */
#define PHASE_COMPLETE	"complete"	/* the first decisions are complete */
#define PHASE_LOST	"lost"		/* decisions were lost */

/*
 * Text in STATE instead of the name of the filter, after decisions were lost. No filter
 * can have this name.
 */
#define NO_FILTER	"*"

/*
 * Number of the field with the start of the process in /proc/PID/stat. The field after
 * the name of the program has number 1.
 */
#define START_FIELD	20

static int file_error(const char *path)
{
	return report_error("%s: %s", path, strerror(errno));
}

void session_sender(struct session_sender *sender)
{
	char path[40], line[1024] = "", *at;
	FILE *file;
	int i;

	sender->pid = getppid();
	sender->start = 0;
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)sender->pid);
	file = fopen(path, "re");
	if (!file)
		return;
	/* The name of the program, in parentheses, can have blanks. */
	at = fgets(line, sizeof(line), file) ? strrchr(line, ')') : NULL;
	for (i = 0; at && i < START_FIELD; i++)
		at = strchr(at + 1, ' ');
	if (at)
		sender->start = strtoull(at, NULL, 10);
	fclose(file);
}

/* Descriptor of the file LOCK, or -1. */
static int lock = -1;

int session_open_lock(void)
{
	if (mkdir(FOLDER, 0755) && errno != EEXIST)
		return file_error(FOLDER);
	lock = open(LOCK, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	return lock < 0 ? file_error(LOCK) : 0;
}

int session_lock(void)
{
	if (lock < 0)
		return -1;
	while (flock(lock, LOCK_EX))
		if (errno != EINTR)
			return file_error(LOCK);
	return 0;
}

/* Return: false if the file is missing or invalid. */
static bool read_state(struct session *last)
{
	FILE *file = fopen(STATE, "re");
	char phase[16] = "";
	int pid, count;

	if (!file)
		return false;
	count = fscanf(file, "%d %llu %15s %31s", &pid, &last->sender.start,
		       phase, last->filter);
	fclose(file);
	last->sender.pid = pid;
	last->lost = !strcmp(phase, PHASE_LOST);
	last->first = !last->lost && strcmp(phase, PHASE_COMPLETE);
	return count == 4;
}

static int write_state(const struct session_sender *sender, const char *phase,
		       const char *filter)
{
	FILE *file = fopen(NEW, "we");

	if (!file)
		return file_error(NEW);
	fprintf(file, "%d %llu %s %s\n", (int)sender->pid, sender->start, phase,
		filter);
	if (ferror(file) | fclose(file) || rename(NEW, STATE))
		return file_error(STATE);
	return 0;
}

/*
 * Remove an incomplete key from the end of the file of named keys. Otherwise keys that are
 * appended later would be read from wrong offsets. Return: the size of the file, or -1 with
 * errno set.
 */
static off_t drop_incomplete_key(const struct session *session)
{
	struct stat status;
	off_t incomplete;

	if (fstat(session->named, &status))
		return -1;
	incomplete = status.st_size % sizeof(struct kcuckoo_prefix);
	if (incomplete && ftruncate(session->named, status.st_size - incomplete))
		return -1;
	return status.st_size - incomplete;
}

/*
 * The file of named keys ends with an incomplete key if the last process was killed during
 * a write. No key is lost: the inbox still has the lines of that write, so the next worker
 * names all of their keys again.
 */
static int open_named(struct session *session, int flags)
{
	off_t size = -1;

	session->named = open(NAMED, O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND |
			      flags, 0600);
	if (session->named >= 0)
		size = drop_incomplete_key(session);
	if (size < 0)
		return file_error(NAMED);
	session->has_named_keys = size;
	return 0;
}

int session_open(struct session *session, const struct session_sender *sender)
{
	memset(session, 0, sizeof(*session));
	if (!read_state(session) || !sender->start ||
	    session->sender.pid != sender->pid ||
	    session->sender.start != sender->start)
		*session = (struct session){ .sender = *sender, .first = true };
	return session->first ? session_lose(sender) : 0;
}

int session_begin(struct session *session, const char *filter)
{
	bool new = !*session->filter;

	/* The decisions that were sent earlier are in the earlier filter, not in @filter. */
	if (!new && strcmp(session->filter, filter)) {
		session->first = false;
		session->lost = true;
	}
	strcpy(session->filter, filter);
	if (session->lost) {
		report_error("decisions were lost: restart crowdsec-custom-bouncer, so that it sends all of them again");
		return session_lose(&session->sender);
	}
	if (!session->first)
		return 0;
	if (open_named(session, new ? O_TRUNC : 0))
		return -1;
	return write_state(&session->sender, PHASE_FIRST, filter);
}

int session_lose(const struct session_sender *sender)
{
	return write_state(sender, PHASE_LOST, NO_FILTER);
}

int session_name(struct session *session, const struct kcuckoo_prefix *keys,
		 size_t count)
{
	size_t size = count * sizeof(*keys);
	const char *at = (const char *)keys;
	ssize_t done = 0;
	int ret;

	/* After a short write, the next write returns the error. */
	while (session->first && size && done >= 0) {
		done = write(session->named, at, size);
		if (done > 0) {
			at += done;
			size -= done;
		}
	}
	if (done >= 0)
		return 0;
	ret = file_error(NAMED);
	drop_incomplete_key(session);
	return ret;
}

int session_order(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct kcuckoo_prefix));
}

struct kcuckoo_prefix *session_named(struct session *session, size_t *count)
{
	struct kcuckoo_prefix *keys = NULL;
	struct stat status;
	ssize_t done = -1;

	if (!fstat(session->named, &status))
		keys = malloc(status.st_size + 1);
	if (keys)
		done = pread(session->named, keys, status.st_size, 0);
	if (done < 0 || done != status.st_size) {
		file_error(NAMED);
		free(keys);
		return NULL;
	}
	*count = done / sizeof(*keys);
	qsort(keys, *count, sizeof(*keys), session_order);
	return keys;
}

int session_complete(struct session *session)
{
	session->first = false;
	if (write_state(&session->sender, PHASE_COMPLETE, session->filter))
		return -1;
	close(session->named);
	unlink(NAMED);
	return 0;
}
