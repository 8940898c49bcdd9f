/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The session of crowdsec-bouncer: the life of the process that sends decisions.
 *
 * That process, crowdsec-custom-bouncer, sends all active decisions once, after
 * its start and without a mark. It sends nothing again if it starts another
 * crowdsec-bouncer. So files below /run/kcuckoo keep which process it is, and,
 * until the first decisions are complete, all keys that it has named.
 *
 * If a crowdsec-bouncer ends with decisions that it did not process, they are
 * lost. Members that are not named may then be bans that were, so the session
 * removes none of them until another process sends decisions.
 */
#ifndef KCUCKOO_DAEMONS_SESSION_H
#define KCUCKOO_DAEMONS_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "kcuckoo.h"

/**
 * struct session_sender - the process that sends decisions
 * @pid: its number
 * @start: when it started, in clock ticks after the start of the machine; two
 *	processes with the same number differ in it. 0 if it is unknown
 */
struct session_sender {
	pid_t pid;
	unsigned long long start;
};

/**
 * struct session - a session
 * @sender: the process that sends decisions
 * @filter: name of the filter, empty before the first session_begin()
 * @first: the first decisions are not complete
 * @lost: decisions were lost; @first is false then
 * @heard: keys were named before this process began
 * @named: descriptor of the file of the keys that were named, while @first is
 *	true
 */
struct session {
	struct session_sender sender;
	char filter[KCUCKOO_NAME_SIZE];
	bool first;
	bool lost;
	bool heard;
	int named;
};

/* Set @sender to the parent of the calling process. */
void session_sender(struct session_sender *sender);

/*
 * Wait until no other process has a session. The lock ends with the process.
 * Return: 0, or -1 after a report.
 */
int session_lock(void);

/*
 * Open the session of @sender. If its first decisions are not complete, they
 * count as lost in the files until session_begin(), since this process may end
 * before it. Return: 0, or -1 after a report.
 */
int session_open(struct session *session, const struct session_sender *sender);

/*
 * Begin or continue a session with the filter @filter. Report if decisions were
 * lost. Return: 0, or -1 after a report.
 */
int session_begin(struct session *session, const char *filter);

/* The decisions of @sender were lost. Return: 0, or -1 after a report. */
int session_lose(const struct session_sender *sender);

/*
 * Keep @count keys that were named, while @session->first is true. Return: 0, or
 * -1 after a report.
 */
int session_name(struct session *session, const struct kcuckoo_prefix *keys,
		 size_t count);

/*
 * Read the keys that were named, sorted by session_order(). Return: an array
 * that the caller frees, with its number of elements in @count, or NULL after a
 * report.
 */
struct kcuckoo_prefix *session_named(struct session *session, size_t *count);

/* Compare two keys, for qsort() and bsearch(). */
int session_order(const void *a, const void *b);

/* The first decisions are complete. Return: 0, or -1 after a report. */
int session_complete(struct session *session);

#endif /* KCUCKOO_DAEMONS_SESSION_H */
