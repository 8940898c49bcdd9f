// SPDX-License-Identifier: GPL-2.0-only
/*
 * list_fetch() fetches a list, checks it, and makes it the last good copy.
 *
 * list_fetch() first fetches all parts to the cache. Then it reads the parts from the
 * cache, even if no part has changed, because the configuration of the list can have
 * changed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fetch/copy.h"
#include "fetch/list.h"
#include "fetch/parts.h"
#include "fetch/status.h"
#include "message.h"

/**
 * struct fetch - a list that is being fetched
 * @state: the folders of lists
 * @list: the list
 * @report: the result
 * @status: results of this and earlier attempts to fetch the list
 * @parts: the members of the new copy
 * @good: members of the last good copy
 */
struct fetch {
	const struct state *state;
	const struct list *list;
	struct list_report *report;
	struct list_status status;
	struct parts parts;
	struct keyset good;
};

static int fail(struct fetch *fetch, const char *format, ...) PRINTF(2, 3);

/* @format: the reason why no new copy was read. Return: -1. */
static int fail(struct fetch *fetch, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(fetch->report->why, sizeof(fetch->report->why), format, args);
	va_end(args);
	fetch->report->outcome = LIST_FAILED;
	return -1;
}

/* Record the time before which the server wants no further request. */
static void delay_next_request(struct fetch *fetch, const struct download_result *result)
{
	const __u32 day = 24 * 3600;
	__u32 refresh = fetch->list->refresh > day ? fetch->list->refresh : day;
	/*
	 * A server can have a max-age of a year for all its files, which is too long
	 * for a list. So max-age delays the next request by at most a day, or by at
	 * most the refresh time of the list if this time is longer than a day.
	 */
	__u32 wait = result->max_age < refresh ? result->max_age : refresh;
	time_t until;

	if (result->retry_after > wait)
		wait = result->retry_after;
	until = fetch->status.attempt + wait;
	if (wait && until > fetch->status.not_before)
		fetch->status.not_before = until;
}

/* Fetch the URL with number @i, counted from 0, to the cache. */
static int fetch_part(struct fetch *fetch, int i)
{
	const struct list *list = fetch->list;
	struct download_result result;
	struct download_request request = { .url = list->urls[i] };
	struct file_update update;
	struct cached_body cached;
	int ret;

	cached_body_find(fetch->state, list->name, request.url, &cached);
	ret = cached_body_begin(fetch->state, &cached, &update);
	if (ret)
		return fail(fetch, "the cache cannot be written: %s", strerror(-ret));
	request.credential = *list->credential ? list->credential : NULL;
	request.etag = cached.etag;
	request.modified = cached.modified;
	request.fd = update.fd;
	download(&request, &result);
	delay_next_request(fetch, &result);
	if (result.outcome == DOWNLOAD_BODY) {
		ret = cached_body_finish(fetch->state, &cached, &update, &result);
		return ret ? fail(fetch, "the cache cannot be written: %s",
				  strerror(-ret)) : 0;
	}
	file_finish(&update, -ECANCELED);
	if (result.outcome == DOWNLOAD_UNCHANGED)
		return 0;
	return list->url_count == 1 ? fail(fetch, "%s", result.why) :
	       fail(fetch, "url %d of %d: %s", i + 1, list->url_count, result.why);
}

static int read_parts(struct fetch *fetch)
{
	int i;

	for (i = 0; i < fetch->list->url_count; i++)
		if (fetch_part(fetch, i))
			return -1;
	fetch->status.complete = fetch->status.attempt;
	return parts_read(&fetch->parts, fetch->state) ?
	       fail(fetch, "%s", fetch->parts.why) : 0;
}

/*
 * If the last good copy is damaged or cannot be opened, warn, and continue as if the list
 * had no such copy: the new copy then has to pass only the checks that do not compare the
 * two copies.
 */
static int read_good(struct fetch *fetch)
{
	struct list_report *report = fetch->report;
	const char *name = fetch->list->name;
	char file[FILE_NAME], why[CANONICAL_WHY];
	int fd, ret = 0;

	fd = canonical_open(fetch->state->lists, state_file(name, "list", file), name,
			    &report->good, &report->confirmed, why);
	if (fd >= 0)
		ret = canonical_read(fd, &fetch->good);
	if (fd == -ENOENT || (fd >= 0 && !ret))
		return 0;
	if (ret == -ENOMEM)
		return error("not enough memory");
	warn("list %s: the last good copy %s", name, fd < 0 ? why : "is damaged");
	memset(&report->good, 0, sizeof(report->good));
	report->confirmed = 0;
	keyset_clear(&fetch->good);
	return 0;
}

static void check_size(struct fetch *fetch)
{
	const struct guards *guards = &fetch->list->guards;
	char why[CANONICAL_REASON];

	if (guard_check_list(guards, &fetch->good, &fetch->parts.set, why,
			     sizeof(why)))
		parts_refuse(&fetch->parts, "%s", why);
}

static int write_error(const char *name, int ret)
{
	return error("list %s: its state cannot be written: %s", name,
		     strerror(-ret));
}

/*
 * Record that the list is up to date: set the modification time of the file to the
 * present. If this fails, because the file belongs to another user, write the file again.
 */
static int touch(int folder, const char *file, const struct canonical *canonical,
		 const struct keyset *set)
{
	if (!utimensat(folder, file, NULL, AT_SYMLINK_NOFOLLOW))
		return 0;
	return canonical_write(folder, file, canonical, set);
}

/* Do not write the refused copy if the file already has the same members and reason. */
static int store_refused(struct fetch *fetch)
{
	struct canonical *next = &fetch->report->next, stored;
	const char *name = fetch->list->name;
	char file[FILE_NAME], why[CANONICAL_WHY];
	int fd, lists = fetch->state->lists;

	fetch->report->outcome = LIST_REFUSED;
	memcpy(fetch->report->why, fetch->parts.refused,
	       sizeof(fetch->report->why));
	canonical_describe(next, name, &fetch->parts.set,
			   fetch->parts.refused);
	fd = canonical_open(lists, state_file(name, "refused", file), name, &stored,
			    NULL, why);
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && !strcmp(stored.digest, next->digest) &&
	    !strcmp(stored.reason, next->reason))
		return 0;
	return canonical_write(lists, file, next, &fetch->parts.set);
}

static int store_good(struct fetch *fetch)
{
	struct list_report *report = fetch->report;
	const char *name = fetch->list->name;
	int ret, lists = fetch->state->lists;
	char file[FILE_NAME];
	bool same;

	canonical_describe(&report->next, name, &fetch->parts.set, NULL);
	same = *report->good.name && !strcmp(report->good.digest, report->next.digest);
	report->outcome = same ? LIST_UNCHANGED : LIST_UPDATED;
	state_file(name, "list", file);
	ret = same ? touch(lists, file, &report->next, &fetch->parts.set) :
	      canonical_write(lists, file, &report->next, &fetch->parts.set);
	return ret ? ret : file_remove(lists, state_file(name, "refused", file));
}

static int store(struct fetch *fetch)
{
	const char *name = fetch->list->name;
	int ret;

	check_size(fetch);
	ret = *fetch->parts.refused ? store_refused(fetch) : store_good(fetch);
	return ret ? write_error(name, ret) : 0;
}

time_t list_good_time(const struct state *state, const char *name)
{
	char file[FILE_NAME], why[CANONICAL_WHY];
	struct canonical canonical;
	time_t confirmed;
	int fd;

	fd = canonical_open(state->lists, state_file(name, "list", file), name, &canonical,
			    &confirmed, why);
	if (fd < 0)
		return 0;
	close(fd);
	return confirmed;
}

const char *list_refused_word(const char *reason)
{
	/*
	 * Each element has a part of a reason that parts.c or guard_check_list()
	 * writes, and the word for this reason.
	 */
	static const char * const words[][2] = {
		{ "fewer than min", "min" },
		{ " % fewer", "shrink" },
		{ "addresses, the last good copy", "grow" },
		{ "more than a tenth of all", "database" },
		{ "cut off or damaged", "damaged" },
		{ "is too wide", "wide" },
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strstr(reason, words[i][0]))
			return words[i][1];
	return "other";
}

/*
 * Remove a refused copy of other URLs or of another syntax: the verb accept must not make
 * it the last good copy.
 */
static int remove_other(struct fetch *fetch)
{
	const char *name = fetch->list->name;
	char file[FILE_NAME];
	int ret = 0;

	/* Without a source, the URLs of the copy are unknown: the status is missing or old. */
	if (!*fetch->status.source || status_has_other_source(fetch->list, &fetch->status))
		ret = file_remove(fetch->state->lists, state_file(name, "refused", file));
	return ret ? write_error(name, ret) : 0;
}

static int run(struct fetch *fetch)
{
	struct list_status *status = &fetch->status;
	int cache = fetch->state->cache;
	time_t complete;
	int ret = 0;

	status_read(cache, fetch->list->name, status);
	complete = status->complete;
	status->attempt = time(NULL);
	status->not_before = 0;
	if (remove_other(fetch) || read_good(fetch))
		return -1;
	status_source(fetch->list, status->source);
	if (!read_parts(fetch))
		ret = store(fetch);
	if (ret || *fetch->report->why)
		status->failures++;
	memcpy(status->why, fetch->report->why, sizeof(status->why));
	if (ret) {
		/* Count the attempt as incomplete, see struct list_status. */
		status->complete = complete;
		/* The server limits only clients that have the list. */
		status->not_before = 0;
		strcpy(status->why, "the new copy cannot be written");
	}
	/*
	 * If this attempt read no new copy, keep the number of bad lines of the last
	 * copy that was read.
	 */
	if (*fetch->report->next.name)
		status->bad = fetch->report->notes.bad;
	if (status_write(cache, fetch->list->name, status))
		warn("list %s: its status cannot be written to the cache",
		     fetch->list->name);
	return ret;
}

int list_fetch(const struct state *state, const struct list *list,
	       struct list_report *report)
{
	struct fetch fetch = { .state = state, .list = list, .report = report };
	int ret;

	memset(report, 0, sizeof(*report));
	parts_init(&fetch.parts, list, &report->notes);
	keyset_init(&fetch.good);
	ret = run(&fetch);
	parts_free(&fetch.parts);
	keyset_free(&fetch.good);
	return ret;
}
