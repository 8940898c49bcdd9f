// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions read a file or standard input, unpack packed (compressed) data and archives,
 * and convert UTF-16 to UTF-8. In this folder, the file or standard input is called a source.
 *
 * A byte passes through up to four buffers of struct source: @raw has the bytes that were read
 * from the file descriptor, @front has the first bytes of the input once gzip or zstd is
 * unpacked, @text.in has bytes of the current file, and @text.out has UTF-8.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "input/extract.h"
#include "input/source.h"
#include "input/unpack.h"
#include "input/utf16.h"
#include "tempfile.h"

/* Size in bytes of the buffer @raw of struct source. */
#define RAW_SIZE	(256 << 10)

static_assert(sizeof(off_t) == 8, "off_t must have 64 bits: lists can be longer than 2 GiB");

/* Copy the error text @why to @source. Return: -1. */
static int fail(struct source *source, const char *why)
{
	snprintf(source->why, sizeof(source->why), "%s", why);
	return -1;
}

/* Return: true if the file is /dev/null, which is an empty list. */
static bool is_null(const struct stat *st)
{
	return S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 3);
}

int source_open(struct source *source, const char *path,
		const struct syntax *syntax)
{
	bool standard = !strcmp(path, "-");
	/* Do not wait for a writer of a named pipe, which is not a regular file. */
	int flags = syntax->configured ? O_NONBLOCK : 0;
	struct stat st;

	memset(source, 0, sizeof(*source));
	source->name = standard ? "standard input" : path;
	source->label = source->name;
	source->syntax = syntax;
	source->fd = standard ? STDIN_FILENO :
		     open(path, O_RDONLY | O_CLOEXEC | flags);
	if (source->fd < 0 || fstat(source->fd, &st))
		return fail(source, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return fail(source, strerror(EISDIR));
	if (syntax->configured && !S_ISREG(st.st_mode) && !is_null(&st))
		return fail(source, "it is not a regular file");
	if (S_ISREG(st.st_mode)) {
		source->start = lseek(source->fd, 0, SEEK_CUR);
		source->total = st.st_size - source->start;
		posix_fadvise(source->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	}
	source->raw = malloc(RAW_SIZE);
	return source->raw ? 0 : fail(source, strerror(ENOMEM));
}

void source_close(struct source *source)
{
	extract_end(source->extractor);
	unpack_end(source->unpacker);
	free(source->raw);
	if (source->fd > STDIN_FILENO)
		close(source->fd);
	source->fd = -1;
}

static ssize_t raw_fill(struct source *source)
{
	ssize_t done;

	/* Do not read again after the end: a terminal would wait for more input. */
	if (source->raw_ended)
		return 0;
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
	source->raw_ended = !done;
	source->raw_end += done;
	source->consumed += done;
	return done;
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
	size_t available = source->raw_end - source->raw_at;

	if (!available) {
		ssize_t done = raw_fill(source);

		if (done <= 0)
			return done;
		available = done;
	}
	if (available > size)
		available = size;
	memcpy(to, source->raw + source->raw_at, available);
	source->raw_at += available;
	return available;
}

static ssize_t read_stream(struct source *source, void *to, size_t size)
{
	return source->unpacker ? read_packed(source, to, size) :
				  read_plain(source, to, size);
}

/* Read the bytes in @front, and then the rest of the input. */
static ssize_t read_front(void *context, void *to, size_t size)
{
	struct source *source = context;
	size_t available = source->front_end - source->front_at;

	if (!available)
		return read_stream(source, to, size);
	if (size > available)
		size = available;
	memcpy(to, source->front + source->front_at, size);
	source->front_at += size;
	return size;
}

static ssize_t read_file(struct source *source, void *to, size_t size)
{
	const char *why;
	ssize_t done;

	if (!source->extractor)
		return read_front(source, to, size);
	done = extract_read(source->extractor, to, size);
	why = done < 0 ? extract_why(source->extractor) : NULL;
	return why ? fail(source, why) : done;
}

/*
 * Store an error text: the format @format, whose name is @name, is not supported here. Return:
 * -1.
 */
static int refuse(struct source *source, enum format format, const char *name)
{
	bool unpacked = source->extractor || source->unpacker;
	bool bytes = source->syntax->kind == SYNTAX_BYTES && !source->syntax->configured;
	const char *how = format_is_packed(format) ? "unpack it first" :
						     "convert it first";

	if (source->label != source->name) {
		unpacked = false;
		how = "choose other files with --member";
	}
	snprintf(source->why, sizeof(source->why), "it is %s%s, not a list: %s%s", name,
		 unpacked ? " in a packed file" : "", how,
		 bytes ? "; --binary reads its lines unchanged" : "");
	return -1;
}

/* Read the first bytes of the input, and prepare to unpack gzip or zstd. */
static int begin_stream(struct source *source)
{
	enum format format;
	const char *name;
	ssize_t done;

	do {
		done = raw_fill(source);
		if (done < 0)
			return -1;
	} while (done && source->raw_end < FORMAT_MAGIC);
	if (source->syntax->kind == SYNTAX_BINARY)
		return 0;
	format = format_of(source->raw, source->raw_end, &name);
	if (format == FORMAT_GZIP || format == FORMAT_ZSTD) {
		source->unpacker = unpack_begin(format);
		if (!source->unpacker)
			return fail(source, strerror(ENOMEM));
		source->formats |= 1 << format;
	}
	return 0;
}

static int fill_front(struct source *source)
{
	ssize_t done;

	source->front_at = 0;
	source->front_end = 0;
	do {
		done = read_stream(source, source->front + source->front_end,
				   sizeof(source->front) - source->front_end);
		if (done < 0)
			return -1;
		source->front_end += done;
	} while (done && source->front_end < sizeof(source->front));
	return 0;
}

/* Write @length bytes to a file. Return: 0, or -1 with errno set. */
static int write_all(int fd, const unsigned char *at, size_t length)
{
	const unsigned char *end = at + length;

	while (at < end) {
		ssize_t done = write(fd, at, end - at);

		if (done < 0 && errno != EINTR)
			return -1;
		if (done > 0)
			at += done;
	}
	return 0;
}

/*
 * Copy the whole input to the file @fd. Return: 0; -1, and an error text in @why, if
 * the input cannot be read; or a positive errno if the file cannot be written.
 */
static int copy_all(struct source *source, int fd)
{
	ssize_t done;

	if (write_all(fd, source->front, source->front_end))
		return errno;
	do {
		if (write_all(fd, source->raw + source->raw_at,
			      source->raw_end - source->raw_at))
			return errno;
		source->raw_at = source->raw_end;
		done = raw_fill(source);
	} while (done > 0);
	return done;
}

/*
 * Copy a zip archive from a pipe to a temporary file: libarchive must seek to the directory at
 * the end of the archive, and a pipe cannot seek.
 */
static int replace_pipe(struct source *source)
{
	int fd = tempfile_open();
	int ret = fd < 0 ? -fd : copy_all(source, fd);

	if (ret > 0)
		tempfile_why(ret, source->why, sizeof(source->why));
	if (ret && fd >= 0)
		close(fd);
	if (ret)
		return -1;
	if (source->fd > STDIN_FILENO)
		close(source->fd);
	source->fd = fd;
	source->start = 0;
	return 0;
}

static int begin_archive(struct source *source, enum format format)
{
	source->formats |= 1 << format;
	if (format == FORMAT_ZIP) {
		if (!source->total && replace_pipe(source))
			return -1;
		source->extractor = extract_begin(FORMAT_ZIP,
						  source->syntax->member, source->fd,
						  source->start, NULL, NULL);
	} else {
		source->extractor = extract_begin(format,
						  source->syntax->member, -1, 0,
						  read_front, source);
	}
	return source->extractor ? 0 : fail(source, strerror(errno));
}

/*
 * Reject a packed file in which one byte of the magic number is damaged. Without this check, the
 * file would count as text, and some of its lines as keys.
 */
static int check_damage(struct source *source)
{
	const char *name = format_damaged(source->front, source->front_end);

	if (!name)
		return 0;
	snprintf(source->why, sizeof(source->why),
		 "it is damaged: one of its first bytes differs from those of %s", name);
	return -1;
}

/* Recognize the format of the input, and prepare to read the input. */
static int begin(struct source *source)
{
	enum format format;
	const char *name;

	source->begun = true;
	if (begin_stream(source) || fill_front(source))
		return -1;
	if (source->syntax->kind == SYNTAX_BINARY)
		return 0;
	format = format_of(source->front, source->front_end, &name);
	switch (format) {
	case FORMAT_XZ:
	case FORMAT_BZIP2:
	case FORMAT_LZ4:
	case FORMAT_ZIP:
		if (source->unpacker)
			return refuse(source, format, name);
		return begin_archive(source, format);
	case FORMAT_TAR:
		return begin_archive(source, format);
	default:
		if (source->syntax->member)
			return fail(source,
				    "--member applies to tar and zip archives, and the input is neither");
		return check_damage(source);
	}
}

/* Read the first bytes of the current file, for check_text(). */
static int begin_text(struct source *source)
{
	struct text *text = &source->text;
	ssize_t done;

	memset(text, 0, sizeof(*text));
	do {
		done = read_file(source, text->in + text->in_end,
				 FORMAT_MAGIC - text->in_end);
		if (done < 0)
			return -1;
		text->in_end += done;
	} while (done && text->in_end < FORMAT_MAGIC);
	text->ended = !done;
	return 0;
}

/*
 * Recognize the format of the current file, and skip a byte order mark. A file that is neither
 * UTF-16 nor other text is an error.
 */
static int check_text(struct source *source)
{
	bool addresses = source->syntax->kind == SYNTAX_INET;
	struct text *text = &source->text;
	const char *name;

	text->format = format_of(text->in, text->in_end, &name);
	if (text->format == FORMAT_TEXT && !addresses)
		/*
		 * Any line can be a byte string, so this function must recognize a web page. In
		 * a list of addresses, most lines of a web page are bad lines.
		 */
		name = format_page(text->in, text->in_end);
	if (name && text->format != FORMAT_UTF16LE && text->format != FORMAT_UTF16BE)
		return refuse(source, text->format, name);
	if (name)
		text->in_at = 2;
	else if (text->in_end >= 3 && !memcmp(text->in, "\xef\xbb\xbf", 3))
		text->in_at = 3;
	text->offset = text->in_at;
	source->formats |= 1 << text->format;
	return 0;
}

int source_next(struct source *source)
{
	const char *why, *name = "";
	bool first = !source->begun;
	int ret = first;

	if (first && begin(source))
		return -1;
	source->label = source->name;
	if (source->extractor) {
		ret = extract_next(source->extractor, &name);
		why = ret < 0 ? extract_why(source->extractor) : NULL;
		if (why)
			return fail(source, why);
	}
	if (ret <= 0)
		return ret;
	if (*name) {
		snprintf(source->member, sizeof(source->member), "%.200s(%s)",
			 source->name, name);
		source->label = source->member;
		source->files++;
		if (!(source->formats & 1 << FORMAT_ZIP))
			source->formats |= 1 << FORMAT_TAR;
	}
	if (begin_text(source))
		return -1;
	if (source->syntax->kind != SYNTAX_BINARY && check_text(source))
		return -1;
	return 1;
}

static int convert(struct source *source)
{
	struct text *text = &source->text;
	size_t length = text->in_end - text->in_at, used;
	ssize_t done;

	memmove(text->in, text->in + text->in_at, length);
	text->in_at = 0;
	text->in_end = length;
	if (!text->ended) {
		done = read_file(source, text->in + length, sizeof(text->in) - length);
		if (done < 0)
			return -1;
		text->in_end += done;
		text->ended = !done;
	}
	used = utf16_decode(text->in, text->in_end, text->format == FORMAT_UTF16BE,
			    text->out, &text->out_end);
	text->out_at = 0;
	text->in_at = used;
	text->offset += used;
	/*
	 * Let the caller use the converted bytes first. The next call reports damaged bytes
	 * after them.
	 */
	if (used || (text->in_end < UTF16_CHAR_MAX && !text->ended) ||
	    !text->in_end)
		return 0;
	snprintf(source->why, sizeof(source->why), "the UTF-16 text is %s at byte %llu",
		 text->in_end < UTF16_CHAR_MAX ? "truncated" : "damaged",
		 text->offset);
	return -1;
}

static ssize_t read_utf16(struct source *source, char *to, size_t size)
{
	struct text *text = &source->text;

	while (text->out_at == text->out_end) {
		if (text->ended && text->in_at == text->in_end)
			return 0;
		if (convert(source))
			return -1;
	}
	if (size > text->out_end - text->out_at)
		size = text->out_end - text->out_at;
	memcpy(to, text->out + text->out_at, size);
	text->out_at += size;
	return size;
}

ssize_t source_read(struct source *source, void *to, size_t size)
{
	struct text *text = &source->text;

	if (text->format != FORMAT_TEXT)
		return read_utf16(source, to, size);
	if (text->in_at == text->in_end)
		return text->ended ? 0 : read_file(source, to, size);
	if (size > text->in_end - text->in_at)
		size = text->in_end - text->in_at;
	memcpy(to, text->in + text->in_at, size);
	text->in_at += size;
	return size;
}
