// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: the bytes of a file or of standard input, unpacked
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source.h"
#include "unpack.h"

#define RAW_SIZE	(256 << 10)

static_assert(sizeof(off_t) == 8, "lists may be longer than 2 GB on every machine");

static int fail(struct source *source, const char *why)
{
	snprintf(source->why, sizeof(source->why), "%s", why);
	return -1;
}

static const char *spool_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : "/tmp";
}

/* Not every filesystem makes files without a name. Return: as spool_open(). */
static int spool_open_named(const char *folder)
{
	char *path;
	int fd;

	if (asprintf(&path, "%s/kcuckoo.XXXXXX", folder) < 0)
		return -ENOMEM;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		fd = -errno;
	else
		unlink(path);
	free(path);
	return fd;
}

/* A file without a name, gone when this process is. Return: it, or -errno. */
static int spool_open(void)
{
	const char *folder = spool_folder();
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	switch (errno) {
	case EOPNOTSUPP:
	case EISDIR:
	case EINVAL:
		return spool_open_named(folder);
	default:
		return -errno;
	}
}

static void spool_begin(struct source *source)
{
	source->spool = spool_open();
	if (source->spool < 0)
		source->spool_error = -source->spool;
	else
		/* A file that may not become as long is an error of write(), too. */
		signal(SIGXFSZ, SIG_IGN);
}

/* Until somebody asks for a second look, it does not matter if this fails. */
static void spool_write(struct source *source, size_t length)
{
	size_t at = source->raw_end;
	size_t end = at + length;

	while (at < end && !source->spool_error) {
		ssize_t done = write(source->spool, source->raw + at, end - at);

		if (done >= 0)
			at += done;
		else if (errno != EINTR)
			source->spool_error = errno;
	}
}

int source_open(struct source *source, const char *path, bool again)
{
	bool standard = !strcmp(path, "-");
	struct stat st;

	memset(source, 0, sizeof(*source));
	source->spool = -1;
	source->name = standard ? "standard input" : path;
	source->fd = standard ? STDIN_FILENO :
		     open(path, O_RDONLY | O_CLOEXEC);
	if (source->fd < 0 || fstat(source->fd, &st))
		return fail(source, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return fail(source, strerror(EISDIR));
	if (S_ISREG(st.st_mode)) {
		source->start = lseek(source->fd, 0, SEEK_CUR);
		source->total = st.st_size - source->start;
		posix_fadvise(source->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	} else if (again) {
		spool_begin(source);
	}
	source->raw = malloc(RAW_SIZE);
	return source->raw ? 0 : fail(source, strerror(ENOMEM));
}

void source_close(struct source *source)
{
	unpack_end(source->unpacker);
	free(source->raw);
	if (source->spool >= 0)
		close(source->spool);
	if (source->fd > STDIN_FILENO)
		close(source->fd);
	source->fd = -1;
}

/* Read more packed bytes. Return: how many, 0 at the end, -1 with @why set. */
static ssize_t raw_fill(struct source *source)
{
	ssize_t done;

	if (source->raw_at == source->raw_end) {
		source->raw_at = 0;
		source->raw_end = 0;
	}
	do {
		done = read(source->fd, source->raw + source->raw_end,
			    RAW_SIZE - source->raw_end);
	} while (done < 0 && errno == EINTR);
	if (done < 0)
		return fail(source, strerror(errno));
	if (source->spool >= 0)
		spool_write(source, done);
	source->raw_end += done;
	source->consumed += done;
	return done;
}

static int begin(struct source *source)
{
	const char *why;
	ssize_t done;

	do {
		done = raw_fill(source);
		if (done < 0)
			return -1;
	} while (done && source->raw_end < UNPACK_MAGIC);
	source->begun = true;
	if (unpack_begin(&source->unpacker, source->raw, source->raw_end,
			 &why))
		return fail(source, why);
	return 0;
}

static ssize_t read_packed(struct source *source, void *to, size_t size)
{
	size_t used, written = 0;
	bool last = false;
	const char *why;

	while (!written && !last) {
		if (source->raw_at == source->raw_end) {
			ssize_t done = raw_fill(source);

			if (done < 0)
				return -1;
			last = !done;
		}
		used = source->raw_end - source->raw_at;
		written = size;
		if (unpack(source->unpacker, source->raw + source->raw_at,
			   &used, to, &written, last, &why))
			return fail(source, why);
		source->raw_at += used;
	}
	return written;
}

static ssize_t read_plain(struct source *source, void *to, size_t size)
{
	size_t there = source->raw_end - source->raw_at;

	if (!there) {
		ssize_t done = raw_fill(source);

		if (done <= 0)
			return done;
		there = done;
	}
	if (there > size)
		there = size;
	memcpy(to, source->raw + source->raw_at, there);
	source->raw_at += there;
	return there;
}

bool source_is_pipe(const struct source *source)
{
	return source->fd == STDIN_FILENO || source->spool >= 0 ||
	       source->spool_error || source->is_spool;
}

ssize_t source_read(struct source *source, void *to, size_t size)
{
	if (!source->begun && begin(source))
		return -1;
	return source->unpacker ? read_packed(source, to, size) :
				  read_plain(source, to, size);
}

int source_check_rewind(struct source *source)
{
	const char *what = "it cannot be kept";

	switch (source->spool_error) {
	case 0:
		return 0;
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
		what = "there is no room for it";
		break;
	}
	snprintf(source->why, sizeof(source->why),
		 "%s in a temporary file in %.100s (%s): set TMPDIR", what,
		 spool_folder(), strerror(source->spool_error));
	return -1;
}

/* What came through a pipe is read from the spool from now on. */
static void use_spool(struct source *source)
{
	if (source->fd > STDIN_FILENO)
		close(source->fd);
	source->fd = source->spool;
	source->spool = -1;
	source->is_spool = true;
	source->start = 0;
}

int source_rewind(struct source *source)
{
	if (source_check_rewind(source))
		return -1;
	if (source->spool >= 0)
		use_spool(source);
	if (lseek(source->fd, source->start, SEEK_SET) < 0)
		return fail(source, strerror(errno));
	unpack_end(source->unpacker);
	source->unpacker = NULL;
	source->raw_at = 0;
	source->raw_end = 0;
	source->consumed = 0;
	source->begun = false;
	return 0;
}
