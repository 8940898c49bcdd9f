// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions read a log file and append records to it.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <zlib.h>

#include "../message.h"
#include "log.h"

static_assert(sizeof(struct log_head) % LOG_UNIT == 0 &&
	      sizeof(struct record) % LOG_UNIT == 0,
	      "records begin and end with units");

static size_t bytes(uint32_t units)
{
	return (size_t)units * LOG_UNIT;
}

static uint64_t record_units(const struct record *record)
{
	uint64_t length = record->kind == RECORD_LINE ? record->length : 0;

	return LOG_RECORD_UNITS + (length + LOG_UNIT - 1) / LOG_UNIT;
}

static uint32_t head_check(const struct log *log)
{
	return crc32(0, log->map, sizeof(struct log_head));
}

static uint32_t record_check(const struct record *record, uint32_t before)
{
	return crc32(before, (const uint8_t *)record,
		     offsetof(struct record, check));
}

int log_create(const char *path, uint32_t bits, uint64_t capacity)
{
	struct log_head head = {
		.version = LOG_VERSION,
		.bits = bits,
		.capacity = capacity,
	};
	bool written;
	int fd;

	memcpy(head.magic, LOG_MAGIC, sizeof(head.magic));
	if (getrandom(head.identity, sizeof(head.identity), 0) !=
	    sizeof(head.identity))
		return error("no random bytes: %s", strerror(errno));
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 && errno == EEXIST)
		return 0;
	if (fd < 0)
		return error("%s: %s", path, strerror(errno));
	written = write(fd, &head, sizeof(head)) == sizeof(head);
	if (close(fd) || !written) {
		unlink(path);
		return error("%s: cannot write", path);
	}
	return 0;
}

static int read_head(struct log *log)
{
	const struct log_head *head = log_head(log);
	struct stat stat;

	if (fstat(log->fd, &stat))
		return error("%s: %s", log->path, strerror(errno));
	if ((uint64_t)stat.st_size < sizeof(*head) ||
	    memcmp(head->magic, LOG_MAGIC, sizeof(head->magic)))
		return error("%s: this is not a log", log->path);
	if (head->version != LOG_VERSION)
		return error("%s: this log is of another version, or of another kind of machine",
			     log->path);
	if ((uint64_t)stat.st_size > bytes(LOG_UNITS_MAX))
		return error("%s: a log has at most 64 GiB", log->path);
	log->end.end = stat.st_size / LOG_UNIT;
	return 0;
}

/*
 * Map the largest possible size of a log, so that the map also has records that are
 * appended later. A read after the end of the file raises SIGBUS, so log_record() checks
 * positions first. Checked positions stay valid, because only a process with the exclusive
 * lock truncates the file.
 */
int log_open(struct log *log, const char *path, bool change)
{
	void *map;

	memset(log, 0, sizeof(*log));
	log->path = path;
	log->fd = open(path, O_RDWR | O_CLOEXEC);
	if (log->fd < 0)
		return error("%s: %s", path, strerror(errno));
	map = mmap(NULL, bytes(LOG_UNITS_MAX), PROT_READ,
		   MAP_SHARED | MAP_NORESERVE, log->fd, 0);
	if (map == MAP_FAILED) {
		error("%s: %s", path, strerror(errno));
		close(log->fd);
		return -1;
	}
	log->map = map;
	if (flock(log->fd, change ? LOCK_EX : LOCK_SH))
		error("%s: %s", path, strerror(errno));
	else if (!read_head(log))
		return 0;
	log_close(log);
	return -1;
}

void log_close(struct log *log)
{
	munmap((void *)log->map, bytes(LOG_UNITS_MAX));
	close(log->fd);
}

int log_lock(struct log *log)
{
	if (flock(log->fd, LOCK_EX))
		return error("%s: %s", log->path, strerror(errno));
	return read_head(log);
}

const struct log_head *log_head(const struct log *log)
{
	return (const struct log_head *)log->map;
}

const struct record *log_record(const struct log *log, uint32_t unit)
{
	const struct record *record;

	if (unit < LOG_HEAD_UNITS || unit > log->end.end ||
	    log->end.end - unit < LOG_RECORD_UNITS)
		return NULL;
	record = (const struct record *)(log->map + bytes(unit));
	if (record->kind < RECORD_LINE || record->kind > RECORD_TOMBSTONE ||
	    record_units(record) > log->end.end - unit)
		return NULL;
	return record;
}

const void *log_line(const struct log *log, const struct record *record)
{
	const struct record *body = log_record(log, record->body);

	if (!body || body->kind != RECORD_LINE ||
	    body->length != record->length)
		return NULL;
	return body + 1;
}

bool log_trust(struct log *log, uint32_t last)
{
	const struct record *record = log_record(log, last);
	struct stat stat;

	if (fstat(log->fd, &stat) ||
	    (uint64_t)stat.st_size != bytes(log->end.end))
		return false;
	if (!last && log->end.end == LOG_HEAD_UNITS) {
		log->end.check = head_check(log);
	} else if (record && last + record_units(record) == log->end.end) {
		log->end.last = last;
		log->end.check = record->check;
	} else {
		return false;
	}
	return true;
}

uint32_t log_first(const struct log *log)
{
	return log->end.end > LOG_HEAD_UNITS ? LOG_HEAD_UNITS : 0;
}

uint32_t log_next(const struct log *log, uint32_t unit)
{
	const struct record *record = log_record(log, unit);
	uint32_t next = record ? unit + record_units(record) : 0;

	return next < log->end.end ? next : 0;
}

/*
 * The valid records end at @end. Cut off an incomplete record after them. Other bytes there
 * mean that the log is damaged.
 */
static int scan_stopped(struct log *log, const struct log_end *end)
{
	const struct record *record;
	uint64_t left = log->end.end - end->end;

	record = (const struct record *)(log->map + bytes(end->end));
	if (left >= LOG_RECORD_UNITS &&
	    (record_check(record, end->check) != record->check ||
	     record_units(record) <= left))
		return log_damaged(log, end->end);
	say("%s: the last record is incomplete, and is cut off",
	    log->path);
	return log_cut(log, end);
}

int log_scan(struct log *log)
{
	struct log_end end = {
		.end = LOG_HEAD_UNITS,
		.check = head_check(log),
	};
	const struct record *record;
	struct stat stat;

	while (end.end < log->end.end) {
		record = log_record(log, end.end);
		if (!record || record->previous >= end.end ||
		    record->body > end.end ||
		    record_check(record, end.check) != record->check)
			return scan_stopped(log, &end);
		end.last = end.end;
		end.check = record->check;
		end.end += record_units(record);
	}
	if (fstat(log->fd, &stat))
		return error("%s: %s", log->path, strerror(errno));
	if ((uint64_t)stat.st_size != bytes(end.end))
		return log_cut(log, &end);
	log->end = end;
	return 0;
}

/* Return: true; or false with errno set if a part of the record could not be written. */
static bool write_record(struct log *log, const struct record *record,
			 const void *line)
{
	static const uint8_t zeroes[LOG_UNIT];
	size_t length = record->kind == RECORD_LINE ? record->length : 0;
	size_t padding = -length % LOG_UNIT;
	struct iovec parts[] = {
		{ (void *)record, sizeof(*record) },
		{ (void *)line, length },
		{ (void *)zeroes, padding },
	};
	ssize_t written;

	written = pwritev(log->fd, parts, 3, bytes(log->end.end));
	if (written >= 0 &&
	    (size_t)written != sizeof(*record) + length + padding)
		errno = ENOSPC;
	return written >= 0 &&
	       (size_t)written == sizeof(*record) + length + padding;
}

int log_append(struct log *log, struct record *record, const void *line)
{
	const struct log_end before = log->end;
	uint64_t units = record_units(record);

	if (units > LOG_UNITS_MAX - before.end)
		return error("%s: a log has at most 64 GiB, and this one is full",
			     log->path);
	if (record->kind == RECORD_LINE)
		record->body = before.end;
	record->check = record_check(record, before.check);
	if (!write_record(log, record, line)) {
		error("%s: %s", log->path, strerror(errno));
		log_cut(log, &before);
		return -1;
	}
	log->end.last = before.end;
	log->end.check = record->check;
	log->end.end = before.end + units;
	return 0;
}

int log_damaged(const struct log *log, uint32_t unit)
{
	return error("%s: the log is damaged at byte %zu", log->path,
		     bytes(unit));
}

int log_cut(struct log *log, const struct log_end *end)
{
	if (ftruncate(log->fd, bytes(end->end)))
		return error("%s: %s", log->path, strerror(errno));
	log->end = *end;
	return 0;
}

int log_sync(struct log *log)
{
	if (fdatasync(log->fd))
		return error("%s: %s", log->path, strerror(errno));
	return 0;
}
