// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions read and write the results of the last attempts to fetch a
 * list, and compute when the next attempt is due.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fetch/status.h"

/* Maximum size of a status file, in bytes. */
#define STATUS		1024

/*
 * Seconds after which a list is due again if the last attempt was not complete. If
 * @refresh of the list is shorter, the list is due after @refresh.
 */
#define RETRY		3600

/*
 * Maximum number of seconds for which a status can forbid requests: a day more than
 * the 7 days to which download.c limits the wait that a server sets. status_is_due()
 * ignores a longer wait: either the status is damaged, or the clock was wrong when the
 * status was written.
 */
#define WAIT_MAX	(8 * 24 * 3600)

static void digest_text(struct sha256_ctx *context, const char *text)
{
	/*
	 * Hash the final zero, too, to separate the texts. Hash NULL differently from
	 * an empty text.
	 */
	if (text)
		sha256_update(context, strlen(text) + 1, (const uint8_t *)text);
	else
		sha256_update(context, 2, (const uint8_t *)"\xff");
}

void status_source(const struct list *list, char text[DIGEST_TEXT])
{
	const struct syntax *syntax = &list->syntax;
	char options[64];
	struct sha256_ctx context;
	int i;

	sha256_init(&context);
	for (i = 0; i < list->url_count; i++)
		digest_text(&context, list->urls[i]);
	snprintf(options, sizeof(options), "%d %d %d %d", syntax->recognize,
		 syntax->recognize ? 0 : (int)syntax->layout, syntax->ranges,
		 list->bogons);
	digest_text(&context, options);
	digest_text(&context, syntax->column);
	digest_text(&context, syntax->member);
	digest_text(&context, syntax->json_keys);
	digest_text(&context, syntax->json_where);
	digest_end(&context, text);
}

void status_read(int cache, const char *name, struct list_status *status)
{
	char file[FILE_NAME], text[STATUS];
	long long attempt, complete, not_before;
	unsigned int failures;
	ssize_t length;
	int fd, end = 0;

	memset(status, 0, sizeof(*status));
	fd = openat(cache, state_file(name, "status", file),
		    O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return;
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[length > 0 ? length : 0] = 0;
	/*
	 * The text from "why" to the end of the line is the reason why the attempt
	 * failed; %n stores the position after "why".
	 */
	if (sscanf(text, "attempt %lld\ncomplete %lld\nnot-before %lld\nfailures %u\nwhy%n",
		   &attempt, &complete, &not_before, &failures, &end) != 4 ||
	    text[end] != ' ')
		return;
	status->attempt = attempt;
	status->complete = complete;
	status->not_before = not_before;
	status->failures = failures;
	snprintf(status->why, sizeof(status->why), "%.*s",
		 (int)strcspn(text + end + 1, "\n"), text + end + 1);
	/* A status of version 0.5.0 has neither a number of bad lines nor a source. */
	if (sscanf(text + end + 1 + strlen(status->why), "\nbad %llu\nsource %64[0-9a-f]",
		   &status->bad, status->source) < 2)
		*status->source = 0;
}

int status_write(int cache, const char *name, const struct list_status *status)
{
	char file[FILE_NAME], text[STATUS];
	struct file_update update;
	int length, ret;

	length = snprintf(text, sizeof(text),
			  "attempt %lld\ncomplete %lld\nnot-before %lld\nfailures %u\nwhy %s\nbad %llu\nsource %s\n",
			  (long long)status->attempt, (long long)status->complete,
			  (long long)status->not_before, status->failures,
			  status->why, status->bad, status->source);
	ret = file_begin(&update, cache, state_file(name, "status", file));
	if (ret)
		return ret;
	return file_finish(&update, file_write(update.fd, text, length));
}

/* Count a @since after @now as passed: the clock was wrong when @since was written. */
static bool has_passed(time_t now, time_t since, __u32 seconds)
{
	return since > now || now - since >= (time_t)seconds;
}

bool status_has_other_source(const struct list *list, const struct list_status *status)
{
	char source[DIGEST_TEXT];

	status_source(list, source);
	return *status->source && strcmp(status->source, source);
}

bool status_is_due(const struct list *list, const struct list_status *status,
		   time_t confirmed, bool server_only)
{
	__u32 retry = list->refresh < RETRY ? list->refresh : RETRY;
	time_t now = time(NULL);

	if (status_has_other_source(list, status) || (!confirmed && !*status->why))
		return true;
	if (status->not_before > now && status->not_before - now <= WAIT_MAX)
		return false;
	if (server_only)
		return true;
	/*
	 * If @attempt and @complete differ, the last attempt was not complete.
	 * @attempt can be before @complete, because the clock can be set back.
	 */
	if (status->attempt != status->complete)
		return has_passed(now, status->attempt, retry);
	return has_passed(now, status->complete > confirmed ? status->complete :
			  confirmed, list->refresh);
}
