// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions fetch a list, check it, and make it the last good copy.
 *
 * All parts are fetched to the cache first. Then they are read from there, also
 * if no part has changed, because the configuration of the list can have
 * changed. The new copy is written only if it differs.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fetch/claims.h"
#include "fetch/copy.h"
#include "fetch/list.h"
#include "fetch/status.h"
#include "input/input.h"
#include "keys/difference.h"
#include "keys/range.h"
#include "message.h"

/* Maximum number of keys of a list, which limits the memory of this process. */
#define KEYS_MAX	(20u << 20)

/* A list with more bad lines is refused, if also one line in ten is bad. */
#define MANY_BAD	3

/**
 * struct fetch - a list that is being fetched
 * @state: the folders
 * @list: the list
 * @report: the result
 * @status: results of the last attempts
 * @set: members of the new copy
 * @good: members of the last good copy
 * @why: reason why a check refuses the new copy, or empty
 */
struct fetch {
	const struct state *state;
	const struct list *list;
	struct list_report *report;
	struct list_status status;
	struct keyset set;
	struct keyset good;
	char why[CANONICAL_REASON];
};

static int fail(struct fetch *fetch, const char *format, ...) PRINTF(2, 3);
static void refuse(struct fetch *fetch, const char *format, ...) PRINTF(2, 3);

/* Note why there is no new copy. Return: -1. */
static int fail(struct fetch *fetch, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(fetch->report->why, sizeof(fetch->report->why), format, args);
	va_end(args);
	fetch->report->outcome = LIST_FAILED;
	return -1;
}

/* Note why a check refuses the new copy. The first reason stays. */
static void refuse(struct fetch *fetch, const char *format, ...)
{
	va_list args;

	if (*fetch->why)
		return;
	va_start(args, format);
	vsnprintf(fetch->why, sizeof(fetch->why), format, args);
	va_end(args);
}

/* Take what a server says about later requests. */
static void take_times(struct fetch *fetch, const struct download_result *result)
{
	const __u32 day = 24 * 3600;
	__u32 refresh = fetch->list->refresh > day ? fetch->list->refresh : day;
	/*
	 * A server that calls its answer fresh for a year is not about lists:
	 * max-age can only prevent requests that are more frequent than daily.
	 */
	__u32 wait = result->max_age < refresh ? result->max_age : refresh;
	time_t until;

	if (result->retry_after > wait)
		wait = result->retry_after;
	until = fetch->status.attempt + wait;
	if (wait && until > fetch->status.not_before)
		fetch->status.not_before = until;
}

/* Fetch the URL with number @i to the cache. Return: 0, or -1 with @why set. */
static int fetch_part(struct fetch *fetch, int i)
{
	const struct list *list = fetch->list;
	struct download_result result;
	struct download_request request = { .url = list->urls[i] };
	struct file_update update;
	struct copy copy;
	int ret;

	copy_find(fetch->state, list->name, request.url, &copy);
	ret = copy_begin(fetch->state, &copy, &update);
	if (ret)
		return fail(fetch, "the cache cannot be written: %s", strerror(-ret));
	request.credential = *list->credential ? list->credential : NULL;
	request.etag = copy.etag;
	request.modified = copy.modified;
	request.fd = update.fd;
	download(&request, &result);
	take_times(fetch, &result);
	if (result.outcome == DOWNLOAD_BODY) {
		ret = copy_finish(fetch->state, &copy, &update, &result);
		return ret ? fail(fetch, "the cache cannot be written: %s",
				  strerror(-ret)) : 0;
	}
	file_finish(&update, -ECANCELED);
	if (result.outcome == DOWNLOAD_UNCHANGED)
		return 0;
	return list->url_count == 1 ? fail(fetch, "%s", result.why) :
	       fail(fetch, "url %d of %d: %s", i + 1, list->url_count, result.why);
}

static int take_key(void *context, const struct line *line,
		    const struct place *place)
{
	struct kcuckoo_prefix prefixes[RANGE_PREFIXES_MAX];
	struct fetch *fetch = context;
	int i, count = 1;

	(void)place;
	prefixes[0] = line->key;
	if (line->kind == LINE_RANGE)
		count = range_split(&line->key, &line->last, prefixes);
	for (i = 0; i < count; i++)
		if (keyset_add(&fetch->set, &prefixes[i]))
			return fail(fetch, "there is not enough memory for its members");
	if (keyset_count(&fetch->set) > KEYS_MAX)
		return fail(fetch, "it has more than %u members", KEYS_MAX);
	return 0;
}

/* Compare the keys of a part with what the part says about itself. */
static void check_claims(struct fetch *fetch, const struct claims *claims,
			 const struct input *input)
{
	__u64 found = input->keys + input->bad;

	if (claims->given && claims->entries != found)
		refuse(fetch, "it is cut off or damaged: it announces %llu entries and has %llu",
		       claims->entries, found);
}

/* Read the part with number @i from the cache. Return: 0, or -1 with @why set. */
static int read_part(struct fetch *fetch, int i)
{
	const struct list *list = fetch->list;
	char path[sizeof(fetch->state->cache_path) + FILE_NAME];
	char *file = path;
	struct claims claims;
	struct input input;
	struct copy copy;
	char why[CLAIMS_WHY];

	copy_find(fetch->state, list->name, list->urls[i], &copy);
	snprintf(path, sizeof(path), "%s/%s", fetch->state->cache_path, copy.body);
	if (claims_read(path, &list->syntax, &claims, why))
		return fail(fetch, "%s", why);
	input_init(&input, &file, 1);
	input.syntax = list->syntax;
	input.silent = true;
	if (input_run(&input, take_key, fetch))
		return *fetch->report->why ? -1 :
		       fail(fetch, "the copy in the cache cannot be read");
	if (input.bad && !input.keys)
		return fail(fetch, "what the server sent is no list: all %llu lines are bad",
			    input.lines);
	if (input.bad > MANY_BAD && input.bad > input.lines / 10)
		return fail(fetch, "%llu of %llu lines are bad: is it a list of another format?",
			    input.bad, input.lines);
	check_claims(fetch, &claims, &input);
	return 0;
}

static int read_parts(struct fetch *fetch)
{
	int i;

	for (i = 0; i < fetch->list->url_count; i++)
		if (fetch_part(fetch, i))
			return -1;
	fetch->status.complete = fetch->status.attempt;
	for (i = 0; i < fetch->list->url_count; i++)
		if (read_part(fetch, i))
			return -1;
	if (!keyset_count(&fetch->set))
		return fail(fetch, "what the server sent has no address");
	keyset_sort(&fetch->set);
	keyset_unify(&fetch->set);
	return 0;
}

/*
 * Read the last good copy. A damaged one counts as none: the new copy then only
 * has to pass the checks that need no earlier one.
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
	struct measure now, next;

	measure_set(&fetch->good, &now);
	measure_set(&fetch->set, &next);
	switch (guard_check(guards, &now, &next)) {
	case GUARD_TOO_FEW:
		refuse(fetch, "it has %llu members, fewer than min = %llu",
		       next.keys, guards->min);
		break;
	case GUARD_SHRUNK:
		refuse(fetch,
		       "it has %llu members, the last good copy has %llu: more than %llu %% fewer",
		       next.keys, now.keys, guards->max_shrink);
		break;
	case GUARD_GROWN:
		refuse(fetch,
		       "it has %llu members and covers %llu IPv4 addresses, the last good copy %llu and %llu: that is too many more",
		       next.keys, next.covered.ipv4, now.keys, now.covered.ipv4);
		break;
	case GUARD_TOO_LARGE:
		refuse(fetch,
		       "it covers %llu IPv4 addresses, more than a tenth of all: is it a database?",
		       next.covered.ipv4);
		break;
	case GUARD_PASSED:
		break;
	}
}

/* Look for a member that is too wide, except in networks that never are blocked. */
static int check_wide(struct fetch *fetch)
{
	struct keyset bogons, outermost;
	char text[KCUCKOO_PREFIX_TEXT];
	struct kcuckoo_prefix key;
	int ret;

	keyset_init(&bogons);
	keyset_init(&outermost);
	ret = guard_add_bogons(&bogons);
	keyset_sort(&bogons);
	if (!ret)
		ret = keyset_outermost(&bogons, &outermost);
	if (!ret && guard_find_wide(&fetch->set, &outermost, &key)) {
		kcuckoo_prefix_format(&key, text);
		refuse(fetch, "its member %s is too wide; wide = yes permits it", text);
	}
	keyset_free(&bogons);
	keyset_free(&outermost);
	return ret ? error("not enough memory") : 0;
}

/* Print an error for a file of the state that cannot be written. Return: -1. */
static int write_error(const char *name, int ret)
{
	return error("list %s: its state cannot be written: %s", name,
		     strerror(-ret));
}

/*
 * The list is up to date: set the time of the file to the present. A file that
 * belongs to another user is written again.
 */
static int touch(int folder, const char *file, const struct canonical *canonical,
		 const struct keyset *set)
{
	if (!utimensat(folder, file, NULL, AT_SYMLINK_NOFOLLOW))
		return 0;
	return canonical_write(folder, file, canonical, set);
}

/* Keep a copy that was refused, unless it is the one that is kept already. */
static int keep_refused(struct fetch *fetch)
{
	struct canonical *next = &fetch->report->next, kept;
	const char *name = fetch->list->name;
	char file[FILE_NAME], why[CANONICAL_WHY];
	int fd, lists = fetch->state->lists;

	fetch->report->outcome = LIST_REFUSED;
	memcpy(fetch->report->why, fetch->why, sizeof(fetch->why));
	canonical_describe(next, name, &fetch->set, fetch->why);
	fd = canonical_open(lists, state_file(name, "refused", file), name, &kept,
			    NULL, why);
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && !strcmp(kept.digest, next->digest) &&
	    !strcmp(kept.reason, next->reason))
		return 0;
	return canonical_write(lists, file, next, &fetch->set);
}

/* Make the new copy the last good one. */
static int keep_good(struct fetch *fetch)
{
	struct list_report *report = fetch->report;
	const char *name = fetch->list->name;
	int ret, lists = fetch->state->lists;
	char file[FILE_NAME];
	bool same;

	canonical_describe(&report->next, name, &fetch->set, NULL);
	same = *report->good.name && !strcmp(report->good.digest, report->next.digest);
	report->outcome = same ? LIST_UNCHANGED : LIST_UPDATED;
	state_file(name, "list", file);
	ret = same ? touch(lists, file, &report->next, &fetch->set) :
	      canonical_write(lists, file, &report->next, &fetch->set);
	return ret ? ret : file_remove(lists, state_file(name, "refused", file));
}

/* Check the new copy, and keep it. Return: 0, or -1 after an error message. */
static int keep(struct fetch *fetch)
{
	const char *name = fetch->list->name;
	int ret;

	check_size(fetch);
	if (!fetch->list->guards.wide && check_wide(fetch))
		return -1;
	ret = *fetch->why ? keep_refused(fetch) : keep_good(fetch);
	return ret ? write_error(name, ret) : 0;
}

static int run(struct fetch *fetch)
{
	struct list_status *status = &fetch->status;
	int cache = fetch->state->cache;
	int ret = 0;

	status_read(cache, fetch->list->name, status);
	status->attempt = time(NULL);
	status->not_before = 0;
	if (read_good(fetch))
		return -1;
	if (!read_parts(fetch))
		ret = keep(fetch);
	if (*fetch->report->why)
		status->failures++;
	else
		status->failures = 0;
	memcpy(status->why, fetch->report->why, sizeof(status->why));
	if (!ret && status_write(cache, fetch->list->name, status))
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
	keyset_init(&fetch.set);
	keyset_init(&fetch.good);
	ret = run(&fetch);
	keyset_free(&fetch.set);
	keyset_free(&fetch.good);
	return ret;
}
