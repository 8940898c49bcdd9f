// SPDX-License-Identifier: GPL-2.0-only
/*
 * unarchive() reads an archive with libarchive. extract.c runs the function in a child
 * process.
 *
 * The archive is untrusted input, and the command usually runs as root. So the child
 * process is a sandbox (sandbox.h).
 *
 * The child process loads libarchive with dlopen(). If the command were linked
 * with libarchive, the libraries that libarchive needs would make each start of
 * the command several times slower.
 */
#define _GNU_SOURCE
#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <errno.h>
#include <fnmatch.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/sandbox.h"
#include "input/unarchive.h"

/* The name of the library since version 3.0. */
#define LIBRARY		"libarchive.so.13"

/* Sizes in bytes of a buffer for data (BUFFER), and of a block of a tar archive. */
#define BUFFER		FRAME_MAX
#define TAR_BLOCK	512

/* Maximum number of files that the error message of an unmatched --member names. */
#define NAMED		8

/* Size in bytes of a buffer for the path of the target of a link. */
#define LINK_PATH	8192

/*
 * Sizes in bytes at the end of a zip archive: the end record, the comment in this record
 * (maximum), and the locator of the zip64 end record, which archives of more than 4 GiB have.
 */
#define ZIP_END		22
#define ZIP_COMMENT	65535
#define ZIP64_LOCATOR	20

/* The functions of libarchive that this file uses. */
#define FUNCTIONS(X)				\
	X(archive_read_new)			\
	X(archive_read_support_filter_xz)	\
	X(archive_read_support_filter_bzip2)	\
	X(archive_read_support_filter_lz4)	\
	X(archive_read_support_format_raw)	\
	X(archive_read_support_format_empty)	\
	X(archive_read_support_format_tar)	\
	X(archive_read_support_format_zip_seekable) \
	X(archive_read_set_read_callback)	\
	X(archive_read_set_seek_callback)	\
	X(archive_read_set_callback_data)	\
	X(archive_read_open1)			\
	X(archive_read_next_header)		\
	X(archive_read_header_position)		\
	X(archive_read_data)			\
	X(archive_errno)			\
	X(archive_error_string)			\
	X(archive_set_error)			\
	X(archive_filter_count)			\
	X(archive_filter_bytes)			\
	X(archive_entry_pathname)		\
	X(archive_entry_filetype)		\
	X(archive_entry_hardlink)		\
	X(archive_entry_symlink)		\
	X(archive_entry_size)			\
	X(archive_entry_is_encrypted)

#define DECLARE(name) static __typeof__(name) *lib_##name;
FUNCTIONS(DECLARE)

/**
 * struct stream - a source of bytes for libarchive
 * @read: function that reads more bytes. Return: the number of bytes; 0 at the end; or
 *	-1
 * @archive: the archive that @read unpacks; NULL if @read reads from the parent
 * @total: number of bytes that stream_more() returned so far
 * @zeros: number of zero bytes at the end of the bytes that stream_more() returned so
 *	far
 * @head: bytes that were read to recognize the format
 * @head_length: number of bytes in @head that were not used yet
 * @ended: no bytes follow the bytes that stream_more() returned so far
 * @buffer: the bytes that stream_more() returned last
 */
struct stream {
	ssize_t (*read)(struct stream *stream, void *to, size_t size);
	struct archive *archive;
	__u64 total;
	__u64 zeros;
	unsigned char head[FORMAT_MAGIC];
	size_t head_length;
	bool ended;
	unsigned char buffer[BUFFER];
};

/*
 * The job of this process. @packed: bytes of the archive. @inner: unpacked bytes of a packed
 * file, which can be a tar archive.
 */
static const struct archive_job *job;
static struct stream packed, inner;

/* Position of the next read in a zip archive, and size of the archive, in bytes. */
static off_t zip_at, zip_size;

/*
 * Variables for the error message if the pattern of --member matches no file. @names:
 * names of the first NAMED files in a tar or zip archive. @files: number of all files.
 * @chosen: number of files that the pattern matches.
 */
static char names[512];
static unsigned int files, chosen;

static void __attribute__((noreturn)) fail_archive(struct archive *archive)
{
	const char *why = lib_archive_error_string(archive);

	if (lib_archive_errno(archive) == ENOMEM)
		sandbox_fail("unpacking it takes more than %llu MiB of memory",
			     ARCHIVE_MEMORY >> 20);
	sandbox_fail("it is damaged or truncated (%s)", why ? why : "no reason is known");
}

static void load_library(void)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		sandbox_fail("unpacking it needs libarchive (%s)", dlerror());
#define LOAD(name)							\
	lib_##name = dlsym(library, #name);				\
	if (!lib_##name)						\
		sandbox_fail("unpacking it needs a newer libarchive: "		\
			     "the installed version lacks %s()", #name);
	FUNCTIONS(LOAD)
#undef LOAD
}

/* Read packed bytes from the parent. Standard output is the socket to the parent. */
static ssize_t read_socket(struct stream *stream, void *to, size_t size)
{
	ssize_t done;

	(void)stream;
	do {
		done = read(STDOUT_FILENO, to, size);
	} while (done < 0 && errno == EINTR);
	return done;
}

static void count_unpacked(__u64 *unpacked, size_t count)
{
	*unpacked += count;
	if (*unpacked > ARCHIVE_UNPACKED)
		sandbox_fail("it unpacks to more than %llu MiB", ARCHIVE_UNPACKED >> 20);
}

/* Read unpacked bytes of a packed file, which libarchive treats as an archive of one file. */
static ssize_t read_archive(struct stream *stream, void *to, size_t size)
{
	static __u64 unpacked;
	ssize_t done = lib_archive_read_data(stream->archive, to, size);

	if (done < 0)
		fail_archive(stream->archive);
	count_unpacked(&unpacked, done);
	return done;
}

/* Read the next bytes of a stream to its buffer. Return: the number of bytes, 0 at the end. */
static size_t stream_more(struct stream *stream)
{
	size_t length = stream->head_length, zeros = 0;
	ssize_t done;

	if (length) {
		memcpy(stream->buffer, stream->head, length);
		stream->head_length = 0;
	} else if (!stream->ended) {
		done = stream->read(stream, stream->buffer, sizeof(stream->buffer));
		if (done < 0)
			sandbox_fail("cannot read the packed data: %s", strerror(errno));
		length = done;
	}
	stream->ended = !length;
	while (zeros < length && !stream->buffer[length - 1 - zeros])
		zeros++;
	stream->zeros = zeros == length ? stream->zeros + zeros : zeros;
	stream->total += length;
	return length;
}

static la_ssize_t on_read(struct archive *archive, void *context, const void **bytes)
{
	struct stream *stream = context;

	(void)archive;
	*bytes = stream->buffer;
	return stream_more(stream);
}

/* Recognize the format of a stream by its first bytes, which stay in @head for stream_more(). */
static enum format look_ahead(struct stream *stream, const char **name)
{
	ssize_t done;

	do {
		done = stream->read(stream, stream->head + stream->head_length,
				    sizeof(stream->head) - stream->head_length);
		if (done < 0)
			sandbox_fail("cannot read the packed data: %s", strerror(errno));
		stream->head_length += done;
	} while (done && stream->head_length < sizeof(stream->head));
	return format_of(stream->head, stream->head_length, name);
}

static struct archive *new_archive(void)
{
	struct archive *archive = lib_archive_read_new();

	if (!archive)
		sandbox_fail("unpacking it takes more than %llu MiB of memory",
			     ARCHIVE_MEMORY >> 20);
	return archive;
}

static void open_stream(struct archive *archive, struct stream *stream)
{
	lib_archive_read_set_read_callback(archive, on_read);
	lib_archive_read_set_callback_data(archive, stream);
	if (lib_archive_read_open1(archive) != ARCHIVE_OK)
		fail_archive(archive);
}

/* Send a file as frames, unless the file has no content. */
static void send_file(struct archive *archive, const char *name)
{
	static unsigned char buffer[BUFFER];
	static __u64 unpacked;
	bool begun = false;
	ssize_t done;

	if (strlen(name) > FRAME_MAX)
		sandbox_fail("the name of a file in it has more than %u bytes", FRAME_MAX);
	while ((done = lib_archive_read_data(archive, buffer, sizeof(buffer))) > 0) {
		count_unpacked(&unpacked, done);
		if (!begun)
			sandbox_send(FRAME_MEMBER, name, strlen(name));
		begun = true;
		sandbox_send(FRAME_DATA, buffer, done);
	}
	if (done < 0)
		fail_archive(archive);
}

/*
 * Check that libarchive has used all bytes of a stream except zeros at the end. @used: number of
 * bytes that libarchive has used; for a tar archive, the offset of the blocks of zeros at its
 * end. @what: name of the used data, for the error message.
 */
static void check_rest(struct stream *stream, __u64 used, const char *what)
{
	while (stream_more(stream))
		;
	if (stream->total - used > stream->zeros)
		sandbox_fail("other data follows the %s", what);
}

static void record_name(const char *name)
{
	size_t at = strlen(names);

	files++;
	if (files > NAMED)
		return;
	snprintf(names + at, sizeof(names) - at, "%s%.60s", at ? ", " : "", name);
}

/* Return: true if the pattern of --member matches @name, with or without a "./" at its start. */
static bool is_chosen(const char *name)
{
	return !job->glob || !fnmatch(job->glob, name, 0) ||
	       (!strncmp(name, "./", 2) && !fnmatch(job->glob, name + 2, 0));
}

/*
 * Set @path to the path of the target of the symbolic link @link, without the components "." and
 * "..". A target that is not absolute is relative to the folder of the link. Return: false if
 * the target is outside the archive.
 */
static bool resolve(const char *link, const char *target, char path[LINK_PATH])
{
	static char joined[LINK_PATH];
	const char *slash = strrchr(link, '/'), *root = "";
	size_t start, length;
	char *part, *rest;

	if (*target == '/' && *link != '/')
		return false;
	if (*link == '/')
		root = "/";
	else if (!strncmp(link, "./", 2))
		root = "./";
	snprintf(joined, sizeof(joined), "%.*s%s",
		 *target == '/' || !slash ? 0 : (int)(slash + 1 - link), link, target);
	start = sprintf(path, "%s", root);
	length = start;
	for (part = strtok_r(joined, "/", &rest); part; part = strtok_r(NULL, "/", &rest)) {
		if (!strcmp(part, "."))
			continue;
		if (strcmp(part, "..")) {
			length += sprintf(path + length, "%s/", part);
		} else if (length > start) {
			do {
				length--;
			} while (length > start && path[length - 1] != '/');
		} else if (*root != '/') {
			return false;
		}
	}
	path[length > start ? length - 1 : length] = 0;
	return true;
}

/*
 * Check the target of a link that the pattern of --member matches. The user wants the target, so
 * the pattern must match the target, too. The target of a hard link is a path in the archive.
 */
static void check_target(const char *name, const char *target, bool is_symbolic)
{
	static char path[LINK_PATH];

	if (is_symbolic) {
		if (strlen(name) + strlen(target) + 4 > sizeof(path))
			sandbox_fail("the target of the link '%s' in it is too long", name);
		if (!resolve(name, target, path))
			sandbox_fail("'%s' in it is a link to '%s', which is outside the archive",
				     name, target);
		target = path;
	}
	if (!is_chosen(target))
		sandbox_fail("'%s' in it is a link to '%s', which --member leaves out", name,
			     target);
}

static void skip_member(struct archive_entry *entry, const char *name, int type)
{
	const char *target = lib_archive_entry_hardlink(entry);

	/*
	 * In a zip archive, one damaged byte can turn a file into a directory or a symbolic
	 * link. The directory then has content. The target of the link is then the content of
	 * the file, which usually has several lines.
	 */
	if (type == AE_IFDIR && lib_archive_entry_size(entry) > 0)
		sandbox_fail("it is damaged: the directory '%s' in it has content", name);
	if (type == AE_IFLNK) {
		target = lib_archive_entry_symlink(entry);
		if (target && strchr(target, '\n'))
			sandbox_fail("it is damaged: the target of the link '%s' in it contains a line break",
				     name);
	}
	if (type != AE_IFDIR && job->glob && target && is_chosen(name))
		check_target(name, target, type == AE_IFLNK);
}

static void take_member(struct archive *archive, struct archive_entry *entry)
{
	const char *name = lib_archive_entry_pathname(entry);
	int type = lib_archive_entry_filetype(entry);

	if (!name && job->glob)
		sandbox_fail("--member cannot be applied: a file in it has no valid name");
	if (!name)
		name = "";
	if (type == AE_IFDIR || type == AE_IFLNK || lib_archive_entry_hardlink(entry)) {
		skip_member(entry, name, type);
		return;
	}
	record_name(name);
	if (!is_chosen(name))
		return;
	chosen++;
	if (type != AE_IFREG)
		sandbox_fail("'%s' in it is a device or another special file", name);
	if (lib_archive_entry_is_encrypted(entry))
		sandbox_fail("'%s' in it is encrypted: decrypt it first", name);
	send_file(archive, strncmp(name, "./", 2) ? name : name + 2);
}

/*
 * Return: true if the warning is about a name that libarchive cannot convert to UTF-8, for
 * example the name of a file or a user. Such a file is read in spite of the warning.
 */
static bool is_about_name(struct archive *archive)
{
	const char *why = lib_archive_error_string(archive);

	return why && strstr(why, "converted");
}

static void take_members(struct archive *archive)
{
	struct archive_entry *entry;
	int ret;

	while ((ret = lib_archive_read_next_header(archive, &entry)) != ARCHIVE_EOF) {
		if (ret != ARCHIVE_OK && !(ret == ARCHIVE_WARN && is_about_name(archive)))
			fail_archive(archive);
		take_member(archive, entry);
	}
	if (!files)
		sandbox_fail("the archive contains no file");
	if (!chosen)
		sandbox_fail("no file in it matches --member %s: there %s %s%s", job->glob,
			     files == 1 ? "is" : "are", names, files > NAMED ? " and others" : "");
}

/* Read a tar archive. Without a block of zeros at its end, the archive may be truncated. */
static void read_tar(struct stream *stream)
{
	struct archive *archive = new_archive();
	__u64 end;

	lib_archive_read_support_format_tar(archive);
	open_stream(archive, stream);
	take_members(archive);
	end = lib_archive_read_header_position(archive);
	check_rest(stream, end, "tar archive");
	if (stream->total < end + TAR_BLOCK)
		sandbox_fail("it is truncated: the end of the tar archive is missing");
}

/* Read a packed file, which can be a packed tar archive. */
static void read_filtered(int (*add_filter)(struct archive *))
{
	struct archive *archive = new_archive();
	struct archive_entry *entry;
	enum format format;
	const char *name;
	int ret;

	if (add_filter(archive) != ARCHIVE_OK)
		sandbox_fail("this libarchive cannot unpack %s", format_name(job->format));
	lib_archive_read_support_format_raw(archive);
	lib_archive_read_support_format_empty(archive);
	open_stream(archive, &packed);
	ret = lib_archive_read_next_header(archive, &entry);
	/*
	 * The count includes the filter that only reads the packed bytes. With a count of 1,
	 * libarchive does not unpack the file, and would return the packed bytes as content.
	 */
	if (lib_archive_filter_count(archive) < 2)
		sandbox_fail("it is damaged or truncated: its first bytes are invalid");
	if (lib_archive_filter_count(archive) > 2)
		sandbox_fail("it contains data that is packed twice: unpack it first");
	if ((ret != ARCHIVE_OK && ret != ARCHIVE_EOF) || lib_archive_errno(archive))
		fail_archive(archive);
	inner.read = read_archive;
	inner.archive = archive;
	inner.ended = ret == ARCHIVE_EOF;
	format = inner.ended ? FORMAT_TEXT : look_ahead(&inner, &name);
	if (format == FORMAT_TAR) {
		read_tar(&inner);
	} else if (job->glob) {
		sandbox_fail("--member applies to tar and zip archives, and the input is neither");
	} else {
		size_t length;

		sandbox_send(FRAME_MEMBER, "", 0);
		while ((length = stream_more(&inner)))
			sandbox_send(FRAME_DATA, inner.buffer, length);
	}
	check_rest(&packed, lib_archive_filter_bytes(archive, -1), "packed data");
}

static ssize_t zip_read(void *to, size_t size, off_t at)
{
	ssize_t done;

	do {
		done = pread(job->file, to, size, job->start + at);
	} while (done < 0 && errno == EINTR);
	if (done < 0)
		sandbox_fail("cannot read the packed data: %s", strerror(errno));
	return done;
}

static la_ssize_t on_zip_read(struct archive *archive, void *context, const void **bytes)
{
	ssize_t done = zip_read(packed.buffer, sizeof(packed.buffer), zip_at);

	(void)archive;
	(void)context;
	*bytes = packed.buffer;
	zip_at += done;
	return done;
}

static la_int64_t on_zip_seek(struct archive *archive, void *context, la_int64_t offset,
			      int whence)
{
	la_int64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? zip_at : zip_size;

	(void)context;
	if (base + offset < 0 || base + offset > zip_size) {
		lib_archive_set_error(archive, EINVAL, "it refers to data that is missing");
		return ARCHIVE_FATAL;
	}
	zip_at = base + offset;
	return zip_at;
}

/* Return: the little-endian number of @bytes bytes at @at. */
static __u32 little(const unsigned char *at, int bytes)
{
	__u32 number = 0;

	while (bytes--)
		number = number << 8 | at[bytes];
	return number;
}

/*
 * Check that the end record of a zip archive is at the end of the file, and that the directory
 * of the archive directly precedes this record. libarchive searches for the record backwards,
 * and would ignore data after the record, or the first of two concatenated archives.
 */
static void check_zip_end(void)
{
	static unsigned char tail[ZIP_COMMENT + ZIP_END];
	off_t from = zip_size > (off_t)sizeof(tail) ? zip_size - (off_t)sizeof(tail) : 0;
	size_t length = 0, at;
	ssize_t done;
	__u64 size, offset;

	while ((done = zip_read(tail + length, sizeof(tail) - length, from + length)) > 0)
		length += done;
	for (at = length < ZIP_END ? 0 : length - ZIP_END + 1; at--;)
		if (little(tail + at, 4) == 0x06054b50 &&
		    at + ZIP_END + little(tail + at + 20, 2) == length)
			break;
	if (at + 1 == 0)
		sandbox_fail("it is truncated, or other data follows the end of the zip archive");
	/* libarchive reports an archive without files as damaged. */
	if (!little(tail + at + 10, 2))
		sandbox_fail("the archive contains no file");
	size = little(tail + at + 12, 4);
	offset = little(tail + at + 16, 4);
	/*
	 * An archive of more than 4 GiB has the offset of its directory in the zip64 end record,
	 * which this function does not read.
	 */
	if (at >= ZIP64_LOCATOR && little(tail + at - ZIP64_LOCATOR, 4) == 0x07064b50)
		return;
	if (offset + size != from + at)
		sandbox_fail("it is damaged, or several zip archives follow each other");
}

static void read_zip(void)
{
	struct archive *archive = new_archive();
	struct stat st;

	if (fstat(job->file, &st))
		sandbox_fail("cannot read the packed data: %s", strerror(errno));
	zip_size = st.st_size - job->start;
	check_zip_end();
	lib_archive_read_support_format_zip_seekable(archive);
	lib_archive_read_set_read_callback(archive, on_zip_read);
	lib_archive_read_set_callback_data(archive, NULL);
	lib_archive_read_set_seek_callback(archive, on_zip_seek);
	if (lib_archive_read_open1(archive) != ARCHIVE_OK)
		fail_archive(archive);
	take_members(archive);
}

void unarchive(const void *given, int socket)
{
	static struct archive_job mine;

	mine = *(const struct archive_job *)given;
	job = &mine;
	sandbox_begin(socket, mine.file);
	if (mine.file >= 0)
		mine.file = STDIN_FILENO;
	sandbox_limit(ARCHIVE_MEMORY);
	load_library();
	/* Let libarchive read file names as UTF-8 in every locale of the user. */
	setlocale(LC_CTYPE, "C.UTF-8");
	sandbox_enter();
	packed.read = read_socket;
	switch (job->format) {
	case FORMAT_XZ:
		read_filtered(lib_archive_read_support_filter_xz);
		break;
	case FORMAT_BZIP2:
		read_filtered(lib_archive_read_support_filter_bzip2);
		break;
	case FORMAT_LZ4:
		read_filtered(lib_archive_read_support_filter_lz4);
		break;
	case FORMAT_TAR:
		read_tar(&packed);
		break;
	default:
		read_zip();
		break;
	}
	sandbox_end();
}
