// SPDX-License-Identifier: GPL-2.0-only
/*
 * claims_read() finds the number of entries that a list claims to have. It also rejects
 * web pages, and lists that are too large after they were unpacked.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fetch/claims.h"
#include "input/format.h"
#include "input/setting.h"
#include "input/source.h"

/*
 * Size of the buffer for the start of a line, in bytes. find_number() searches only
 * this part of a line.
 */
#define LINE		2048

/**
 * struct scan - a list that is being read
 * @source: the list
 * @claims: the number of entries that the list claims to have
 * @line: start of the current line, with a final zero
 * @length: number of bytes in @line
 * @total: number of unpacked bytes that were read so far
 * @texts: number of texts that were read so far: the list itself, or each file of an
 *	archive
 */
struct scan {
	struct source source;
	struct claims *claims;
	char line[LINE];
	size_t length;
	__u64 total;
	int texts;
};

/* Find the number in a comment "# Entries : N". */
static bool find_number(const char *line, __u64 *number)
{
	static const char word[] = "# Entries";
	const char *at = strstr(line, word);
	char *end;

	if (!at)
		return false;
	at += strlen(word);
	at += strspn(at, " \t");
	if (*at++ != ':')
		return false;
	at += strspn(at, " \t");
	*number = strtoull(at, &end, 10);
	return end != at;
}

static void take_line(struct scan *scan)
{
	const char *line = scan->line;
	__u64 number;

	scan->line[scan->length] = 0;
	scan->length = 0;
	if (*line != '#' || !find_number(line, &number))
		return;
	scan->claims->given = true;
	scan->claims->entries += number;
}

static void take_bytes(struct scan *scan, const char *bytes, size_t length)
{
	while (length) {
		const char *newline = memchr(bytes, '\n', length);
		size_t part = newline ? (size_t)(newline - bytes) : length;
		size_t available = LINE - 1 - scan->length;

		memcpy(scan->line + scan->length, bytes, part < available ? part : available);
		scan->length += part < available ? part : available;
		if (newline) {
			take_line(scan);
			part++;
		}
		bytes += part;
		length -= part;
	}
}

static const char *scan_text(struct scan *scan)
{
	char bytes[16384];
	bool first = true;
	ssize_t done;

	while ((done = source_read(&scan->source, bytes, sizeof(bytes))) > 0) {
		if (first && format_page((unsigned char *)bytes, done))
			return "the server sent a web page (HTML) instead of a list";
		first = false;
		scan->total += done;
		if (scan->total > CLAIMS_UNPACKED_MAX) {
			snprintf(scan->source.why, sizeof(scan->source.why),
				 "the list unpacks to more than %llu MiB",
				 CLAIMS_UNPACKED_MAX >> 20);
			return scan->source.why;
		}
		take_bytes(scan, bytes, done);
	}
	take_line(scan);
	scan->texts++;
	return done < 0 ? scan->source.why : NULL;
}

static const char *scan_all(struct scan *scan)
{
	const char *why = NULL;
	int ret = 0;

	while (!why && (ret = source_next(&scan->source)) > 0)
		why = scan_text(scan);
	return ret < 0 ? scan->source.why : why;
}

int claims_read(const char *path, const struct syntax *syntax,
		struct claims *claims, char why[CLAIMS_WHY])
{
	struct scan *scan = calloc(1, sizeof(*scan));
	char setting[SETTING_TEXT];
	const char *reason;

	memset(claims, 0, sizeof(*claims));
	if (!scan) {
		snprintf(why, CLAIMS_WHY, "there is not enough memory");
		return -1;
	}
	scan->claims = claims;
	reason = source_open(&scan->source, path, syntax) ? scan->source.why :
		 scan_all(scan);
	if (reason)
		snprintf(why, CLAIMS_WHY, "%.*s", CLAIMS_WHY - 1,
			 setting_text(syntax, reason, setting));
	claims->empty = !scan->total;
	/*
	 * In an archive of several files, each number is the number of entries of one
	 * file, and not of the whole list: ignore these numbers.
	 */
	if (scan->texts != 1)
		claims->given = false;
	source_close(&scan->source);
	free(scan);
	return reason ? -1 : 0;
}
