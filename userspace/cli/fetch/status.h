/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions read and write the results of the last attempts to fetch a
 * list, and compute when the next attempt is due.
 */
#ifndef KCUCKOO_CLI_STATUS_H
#define KCUCKOO_CLI_STATUS_H

#include <time.h>

#include "fetch/digest.h"
#include "fetch/list.h"

/**
 * struct list_status - results of the last attempts to fetch a list
 * @attempt: time of the last attempt, or 0
 * @complete: time of the last complete attempt, which fetched all parts and did not fail to
 *	write the new copy; or 0
 * @not_before: time before which the server wants no request, or 0
 * @failures: number of all attempts that failed, or whose copy a check refused
 * @why: why the last attempt failed, or why a check refused its copy; empty if the last
 *	attempt succeeded
 * @bad: number of bad lines of the last copy that was read
 * @source: status_source() of the list at the last attempt; empty in a status of
 *	version 0.5.0 and older
 */
struct list_status {
	time_t attempt;
	time_t complete;
	time_t not_before;
	__u32 failures;
	char why[CANONICAL_REASON];
	__u64 bad;
	char source[DIGEST_TEXT];
};

/**
 * status_source() - compute a digest of the URLs of a list and of the options to parse it
 * @list: the list
 * @text: out: the digest, which changes if a URL changes, or an option that determines
 *	which members are read from the list
 */
void status_source(const struct list *list, char text[DIGEST_TEXT]);

/**
 * status_read() - read the status of a list
 * @cache: descriptor of the folder of the cache
 * @name: name of the list
 * @status: out: the status; all fields are zero if the list has no status
 */
void status_read(int cache, const char *name, struct list_status *status);

/**
 * status_write() - write the status of a list
 * @cache: descriptor of the folder of the cache
 * @name: name of the list
 * @status: the status
 *
 * Return: 0 or a negative errno.
 */
int status_write(int cache, const char *name, const struct list_status *status);

/**
 * status_has_other_source() - find out whether the URLs or the syntax of a list have changed
 * @list: the list
 * @status: the status of the list, from status_read()
 *
 * Return: true if @source of @status is not empty and differs from status_source() of the
 * list.
 */
bool status_has_other_source(const struct list *list, const struct list_status *status);

/**
 * status_is_due() - find out whether it is time to fetch a list
 * @list: the list
 * @status: the status of the list, from status_read()
 * @confirmed: last time at which the last good copy was known to be up to date; 0 if
 *	the list has no usable copy, see list_good_time() in list.h
 * @server_only: ignore the refresh time of the list; the list is due unless the server
 *	wants no request yet
 *
 * A list is always due if status_has_other_source() returns true, because the last good
 * copy can be from other URLs.
 *
 * A list without a usable copy is also due if @why of @status is empty: the copy was lost, or
 * the list was never fetched. @not_before is ignored in this case, because a server permits
 * a client without a copy to send a request.
 *
 * Otherwise a list is not due before @not_before of @status. If the last attempt was
 * complete, the list is due when @refresh of @list has passed since the attempt, or since
 * @confirmed if that is later. After any other attempt, the list is due when an hour, or
 * @refresh if that is shorter, has passed since the attempt.
 *
 * Return: true if the list is due.
 */
bool status_is_due(const struct list *list, const struct list_status *status,
		   time_t confirmed, bool server_only);

#endif /* KCUCKOO_CLI_STATUS_H */
