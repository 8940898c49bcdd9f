// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions print errors, warnings, hints and summaries on standard error, and
 * prepare text for messages.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limit.h"
#include "message.h"

static void print_message(const char *prefix, const char *format, va_list args)
{
	/*
	 * Flush standard output first, so that output and messages appear in the right
	 * order if both streams go to one terminal.
	 */
	fflush(stdout);
	fprintf(stderr, "kcuckoo: %s", prefix);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

static char *captured;
static size_t captured_size;

void error_capture(char *buf, size_t size)
{
	captured = buf;
	captured_size = size;
	if (buf)
		*buf = 0;
}

int error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (!captured)
		print_message("", format, args);
	else if (!*captured)
		vsnprintf(captured, captured_size, format, args);
	va_end(args);
	return -1;
}

int hint(int ret, const char *format, ...)
{
	va_list args;

	if (captured)
		return ret;
	fputs("         ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return ret;
}

static bool warnings_muted;

void warn_mute(bool muted)
{
	warnings_muted = muted;
}

int warn(const char *format, ...)
{
	va_list args;

	if (warnings_muted)
		return 0;
	va_start(args, format);
	print_message("warning: ", format, args);
	va_end(args);
	return 0;
}

void say(const struct cli *cli, const char *format, ...)
{
	va_list args;

	if (cli->quiet)
		return;
	fflush(stdout);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

void say_managed(const struct cli *cli, const char *name,
		 const struct kcuckoo_ioc_info *info)
{
	if (info->info_flags & KCUCKOO_INFO_MANAGED)
		say(cli, "%s: a configuration manages this filter: if it has lists, the change is gone at the next 'kcuckoo apply'",
		    name);
}

const char *plural(__u64 count, const char *one, const char *many)
{
	return count == 1 ? one : many;
}

const char *local_time_text(time_t when, char *buf)
{
	struct tm tm;

	if (!localtime_r(&when, &tm) || !strftime(buf, LOCAL_TIME_TEXT, "%F %T", &tm))
		strcpy(buf, "an unknown time");
	return buf;
}

void say_host_bits(const struct cli *cli, const char *name, __u64 count)
{
	if (count)
		say(cli, "%s: host bits of %llu %s cleared", name, count,
		    plural(count, "key", "keys"));
}

void detail(const struct cli *cli, const char *format, ...)
{
	va_list args;

	if (!cli->verbose)
		return;
	va_start(args, format);
	print_message("", format, args);
	va_end(args);
}

/*
 * Return: the edit distance of two words of @la and @lb letters, see is_near(). The usual
 * algorithm computes a table with a row for each letter of @a. A row depends only on the
 * two rows before it, so this function stores only three rows.
 */
static size_t distance(const char *a, size_t la, const char *b, size_t lb)
{
	size_t rows[3][KCUCKOO_NAME_SIZE + 1];
	size_t i, j, best;

	for (j = 0; j <= lb; j++)
		rows[0][j] = j;
	for (i = 1; i <= la; i++) {
		size_t *now = rows[i % 3], *last = rows[(i + 2) % 3];
		size_t *before = rows[(i + 1) % 3];

		now[0] = i;
		for (j = 1; j <= lb; j++) {
			best = last[j - 1] + (a[i - 1] != b[j - 1]);
			if (last[j] + 1 < best)
				best = last[j] + 1;
			if (now[j - 1] + 1 < best)
				best = now[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
				best = before[j - 2] + 1;
			now[j] = best;
		}
	}
	return rows[la % 3][lb];
}

bool is_near(const char *word, const char *candidate)
{
	size_t la = strlen(word), lb = strlen(candidate);
	size_t allowed = (la < lb ? la : lb) > 4 ? 2 : 1;

	if (!la || la > KCUCKOO_NAME_SIZE || lb > KCUCKOO_NAME_SIZE)
		return false;
	return distance(word, la, candidate, lb) <= allowed;
}

char *near_filter(struct cli *cli, const char *name)
{
	struct kcuckoo_list_entry *entries;
	char *found = NULL;
	int i, count;

	count = kcuckoo_list(cli->handle, &entries);
	for (i = 0; i < count && !found; i++)
		if (is_near(name, (const char *)entries[i].name))
			found = strdup((const char *)entries[i].name);
	if (count >= 0)
		free(entries);
	return found;
}

static int no_filter_error(struct cli *cli, const char *name)
{
	char *similar = near_filter(cli, name);

	if (similar) {
		error("there is no filter '%s': did you mean '%s'?", name,
		      similar);
		hint(-1, "'kcuckoo list' shows all filters");
	} else {
		error("there is no filter '%s'", name);
		hint(-1, "'kcuckoo list' shows all filters, 'kcuckoo create %s' creates this one",
		     name);
	}
	free(similar);
	return -1;
}

static int hint_for(int ret)
{
	switch (-ret) {
	case ENOMEM:
		return hint(-1, "destroy unused filters, or add memory to the machine");
	case EPERM:
		return hint(-1, "run it as root (sudo)");
	case ENOTTY:
	case E2BIG:
		return hint(-1, "install the same version of the command and the module");
	default:
		return -1;
	}
}

bool is_valid_name(const char *name)
{
	static const char allowed[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:-";
	size_t length = strlen(name);

	return length && length < KCUCKOO_NAME_SIZE &&
	       strspn(name, allowed) == length;
}

int check_name(const char *name)
{
	char buf[160];

	if (is_valid_name(name))
		return 0;
	error("'%s' is not a valid filter name",
	      escape(name, strlen(name), buf, sizeof(buf)));
	return hint(-1, "a name has 1 to %d letters, digits and _ . : -",
		    KCUCKOO_NAME_SIZE - 1);
}

int filter_error(struct cli *cli, int ret, const char *name, const char *what)
{
	struct limit limit;

	if (ret == -ENOENT)
		return no_filter_error(cli, name);
	if (ret == -EINVAL && check_name(name))
		return -1;
	if (ret == -EDQUOT) {
		limit_of_filter(cli, name, &limit);
		error("cannot %s '%s': %s", what, name, limit.text);
		return limit_hint(&limit);
	}
	error("cannot %s '%s': %s", what, name, kcuckoo_strerror(ret));
	return hint_for(ret);
}

int stop_error(struct cli *cli, int ret, const char *name, const char *what,
	       __u64 done)
{
	if (ret == -ESTALE)
		return hint(error("cannot %s '%s': another program destroyed, renamed or replaced this filter",
				  what, name),
			    "some changes may be lost, or in another filter: run the command again");
	/*
	 * The text of kcuckoo_strerror() for ENOMEM ends with "no member was changed", which
	 * can be false if @done is not 0.
	 */
	if (ret == -ENOMEM && done)
		return error("cannot %s '%s': the kernel does not have enough memory for more",
			     what, name);
	return filter_error(cli, ret, name, what);
}

int plain_error(int ret, const char *what)
{
	error("cannot %s: %s", what, kcuckoo_strerror(ret));
	return hint_for(ret);
}

static int table_full_error(const char *name, const struct kcuckoo_ioc_info *info)
{
	error("'%s' is full: %llu of %llu entries are used, and no free entry was found",
	      name, info->table_entries_used, info->table_entries);
	if (info->fpr)
		hint(-1, "a filter with 'fpr' never grows: create one with a larger capacity, or");
	else if (info->create_flags & KCUCKOO_CREATE_FIXED)
		hint(-1, "a 'fixed' filter never grows: create one without 'fixed', or with a larger capacity, or");
	else
		hint(-1, "it cannot grow any more: create one with a larger capacity, or");
	return hint(-1, "with 'bits N' for an N above %d, and add all keys to it",
		    info->tag_bits);
}

static int full_error(const char *name, const struct kcuckoo_ioc_info *info)
{
	if (info->tag_bits && (info->type == KCUCKOO_TYPE_BYTES ||
			       info->members < info->capacity))
		return table_full_error(name, info);
	error("'%s' is full: it has %llu members and a capacity of %llu", name,
	      info->members, info->capacity);
	return limit_capacity_hint(name, info->info_flags & KCUCKOO_INFO_MANAGED);
}

int added_error(__u64 added, __u64 maybe_changed, __u64 count)
{
	if (maybe_changed)
		error("at most %llu %s given a new value or timeout", maybe_changed,
		      plural(maybe_changed, "member was", "members were"));
	else if (!added)
		return error("nothing was added");
	return error("%llu of %llu keys were added", added, count);
}

int add_error(struct cli *cli, int ret, const char *name, __u64 added,
	      __u64 maybe_changed, __u64 count)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };

	if (ret == -ENOSPC && !kcuckoo_info(cli->handle, name, &info))
		full_error(name, &info);
	else
		stop_error(cli, ret, name, "add to", added + maybe_changed);
	return added_error(added, maybe_changed, count);
}

int empty_error(bool bytes)
{
	return hint(error("the list contains no %s; nothing changed",
			  bytes ? "key" : "address"),
		    "did the download fail? With --allow-empty an empty list is not an error");
}

const char *escape(const char *text, size_t length, char *buf, size_t size)
{
	size_t i, at = 0;

	for (i = 0; i < length && at + 8 < size; i++) {
		unsigned char c = text[i];

		if (c == '\\')
			at += sprintf(buf + at, "\\\\");
		else if (c < 0x80 && isprint(c))
			buf[at++] = c;
		else
			at += sprintf(buf + at, "\\x%02x", c);
	}
	strcpy(buf + at, i < length ? "..." : "");
	return buf;
}

const char *human_bytes(__u64 bytes, char *buf, size_t size)
{
	static const char * const units[] = { "KiB", "MiB", "GiB", "TiB" };
	double value = bytes / 1024.0;
	int i = 0;

	if (bytes < 1024) {
		snprintf(buf, size, "%llu bytes", bytes);
		return buf;
	}
	while (value >= 1024 && i < 3) {
		value /= 1024;
		i++;
	}
	snprintf(buf, size, "%.*f %s", value < 10 ? 2 : 1, value, units[i]);
	return buf;
}
