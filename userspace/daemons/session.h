/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session of crowdsec-bouncer is the life of the sender, the process that sends
 * decisions of CrowdSec. These functions record the state of the session in files below
 * /run/kcuckoo.
 *
 * After its start, crowdsec-custom-bouncer sends all active decisions once, and does
 * not mark the end of these first decisions. If crowdsec-custom-bouncer starts
 * crowdsec-bouncer again, it does not send the first decisions again. So the files have
 * the process id of the sender. Until the first decisions are complete, the files also
 * have the named keys: the keys that decisions of the sender have banned so far.
 *
 * If a crowdsec-bouncer ends before it has processed all decisions, the remaining
 * decisions are lost. In this case, a member that no decision has named may belong to a
 * lost decision. So crowdsec-bouncer removes no such member until another process sends
 * decisions.
 */
#ifndef KCUCKOO_DAEMONS_SESSION_H
#define KCUCKOO_DAEMONS_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "kcuckoo.h"

/**
 * struct session_sender - the process that sends decisions
 * @pid: process id of the sender
 * @start: start time of the sender, in clock ticks after the start of the machine;
 *	distinguishes two processes that had the same id one after the other. 0 if the
 *	time is unknown
 */
struct session_sender {
	pid_t pid;
	unsigned long long start;
};

/**
 * struct session - a session
 * @sender: the process that sends decisions
 * @filter: name of the filter, empty before the first session_begin()
 * @first: the first decisions are not complete yet
 * @lost: decisions were lost; @first is false then
 * @has_named_keys: the file of named keys had keys when this process opened it
 * @named: descriptor of the file of named keys, while @first is true
 */
struct session {
	struct session_sender sender;
	char filter[KCUCKOO_NAME_SIZE];
	bool first;
	bool lost;
	bool has_named_keys;
	int named;
};

/* Set @sender to the parent of the calling process. */
void session_sender(struct session_sender *sender);

/*
 * Open the file of the lock. The calling process and the processes that it starts later
 * share the lock. Return: 0, or -1 after a report.
 */
int session_open_lock(void);

/*
 * Wait until no other crowdsec-bouncer has the lock, and take the lock for all processes
 * that share it. They have the lock until the last of them ends. Return: 0, or -1 after a
 * report.
 */
int session_lock(void);

/*
 * Read the session of @sender from the files. If the files have no session of @sender,
 * start a new session. If the first decisions are not complete, record in the files that
 * decisions are lost, because this process can end before it calls session_begin(), which
 * records the real state. Return: 0, or -1 after a report.
 */
int session_open(struct session *session, const struct session_sender *sender);

/*
 * Begin a session with the filter @filter, or continue a session. If the session has used
 * another filter so far, its decisions are lost, because @filter lacks them. Report if
 * decisions were lost. Return: 0, or -1 if a file cannot be opened or written, after a
 * report.
 */
int session_begin(struct session *session, const char *filter);

/* Record that decisions of @sender were lost. Return: 0, or -1 after a report. */
int session_lose(const struct session_sender *sender);

/*
 * Append @count keys to the file of named keys, if @session->first is true. Return: 0,
 * or -1 after a report.
 */
int session_name(struct session *session, const struct kcuckoo_prefix *keys,
		 size_t count);

/*
 * Read the file of named keys, and sort the keys by session_order(). Return: an array
 * that the caller frees, with its number of elements in @count, or NULL after a report.
 */
struct kcuckoo_prefix *session_named(struct session *session, size_t *count);

/* Compare two struct kcuckoo_prefix, for qsort() and bsearch(). Return: as memcmp(). */
int session_order(const void *a, const void *b);

/*
 * Record that the first decisions are complete, and remove the file of named keys.
 * Return: 0, or -1 after a report.
 */
int session_complete(struct session *session);

#endif /* KCUCKOO_DAEMONS_SESSION_H */
