// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions write and read lists in their canonical form, see canonical.h.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fetch/canonical.h"
#include "fetch/digest.h"
#include "fetch/files.h"

static const char copy_too_large[] = "has more than 1024 MiB";
static_assert(CANONICAL_BYTES_MAX == 1024ULL << 20, "copy_too_large has this number");

/* Number of keys that format_members() formats at once, and the size of their text in bytes. */
#define KEYS		1024
#define KEYS_TEXT	(KEYS * KCUCKOO_PREFIX_TEXT)

/* Size of a buffer for the first line, including the final zero. */
#define HEADER		(256 + CANONICAL_REASON)

/*
 * Write up to KEYS members of @set as text, from member number @first on. Return: the length
 * of the text in bytes; 0 if @first is after the last member.
 */
static size_t format_members(const struct keyset *set, size_t first, char *text)
{
	struct kcuckoo_prefix keys[KEYS];
	size_t count = keyset_read(set, first, keys, KEYS);
	size_t i, length = 0;

	for (i = 0; i < count; i++) {
		length += kcuckoo_prefix_format(&keys[i], text + length);
		text[length++] = '\n';
	}
	return length;
}

void canonical_describe(struct canonical *canonical, const char *name,
			const struct keyset *set, const char *reason)
{
	struct sha256_ctx context;
	char text[KEYS_TEXT];
	size_t first, length;

	memset(canonical, 0, sizeof(*canonical));
	snprintf(canonical->name, sizeof(canonical->name), "%s", name);
	snprintf(canonical->reason, sizeof(canonical->reason), "%s",
		 reason ? reason : "");
	canonical->members = keyset_count(set);
	sha256_init(&context);
	for (first = 0; (length = format_members(set, first, text)); first += KEYS) {
		canonical->bytes += length;
		sha256_update(&context, length, (const uint8_t *)text);
	}
	digest_end(&context, canonical->digest);
}

static int format_header(const struct canonical *canonical, char text[HEADER])
{
	return snprintf(text, HEADER,
			"# kcuckoo-list 1 %s members %llu bytes %llu sha256 %s%s%s\n",
			canonical->name, canonical->members, canonical->bytes,
			canonical->digest, *canonical->reason ? " refused " : "",
			canonical->reason);
}

static int write_members(int fd, const struct canonical *canonical,
			 const struct keyset *set)
{
	char header[HEADER], text[KEYS_TEXT];
	size_t first, length;
	int ret;

	ret = file_write(fd, header, format_header(canonical, header));
	for (first = 0; !ret && (length = format_members(set, first, text));
	     first += KEYS)
		ret = file_write(fd, text, length);
	return ret;
}

int canonical_write(int folder, const char *file, const struct canonical *canonical,
		    const struct keyset *set)
{
	struct file_update update;
	int ret;

	ret = file_begin(&update, folder, file);
	if (ret)
		return ret;
	return file_finish(&update, write_members(update.fd, canonical, set));
}

/* The line must equal the line that format_header() writes, byte for byte. */
static int parse_header(const char *text, int length, struct canonical *canonical)
{
	char header[HEADER];
	int end = 0;

	memset(canonical, 0, sizeof(*canonical));
	if (sscanf(text, "# kcuckoo-list 1 %31s members %llu bytes %llu sha256 %64[0-9a-f]%n",
		   canonical->name, &canonical->members, &canonical->bytes,
		   canonical->digest, &end) != 4 || !end)
		return -EBADMSG;
	if (!strncmp(text + end, " refused ", 9))
		snprintf(canonical->reason, sizeof(canonical->reason), "%.*s",
			 length - end - 10, text + end + 9);
	if (format_header(canonical, header) != length ||
	    memcmp(header, text, length))
		return -EBADMSG;
	return 0;
}

/* The functions check_*() return NULL, or the reason of a failure as a part of a sentence. */
static const char *check_file(const struct stat *st)
{
	const struct passwd *user;

	if (!S_ISREG(st->st_mode))
		return "is not a regular file";
	if (st->st_mode & 022)
		return "can be written by other users";
	if (st->st_uid && st->st_uid != geteuid()) {
		user = getpwnam(FILES_USER);
		if (!user || user->pw_uid != st->st_uid)
			return "belongs to an unexpected user";
	}
	if (st->st_size > (off_t)CANONICAL_BYTES_MAX)
		return copy_too_large;
	return NULL;
}

/* Compare the rest of the file, after its first line, with the first line. */
static const char *check_members(FILE *file, const struct canonical *canonical)
{
	char text[KEYS_TEXT], digest[DIGEST_TEXT], *at;
	struct sha256_ctx context;
	__u64 bytes = 0, lines = 0;
	size_t length;

	sha256_init(&context);
	while ((length = fread(text, 1, sizeof(text), file))) {
		sha256_update(&context, length, (const uint8_t *)text);
		bytes += length;
		for (at = text; (at = memchr(at, '\n', text + length - at)); at++)
			lines++;
	}
	digest_end(&context, digest);
	if (ferror(file))
		return "cannot be read";
	if (bytes != canonical->bytes)
		return "is damaged: its size is wrong";
	if (strcmp(digest, canonical->digest))
		return "is damaged: its digest is wrong";
	return lines != canonical->members ?
	       "is damaged: its number of members is wrong" : NULL;
}

/* @start: out: the position of the first member. */
static const char *check_content(FILE *file, const char *name,
				 struct canonical *canonical, long *start)
{
	char header[HEADER];

	if (!fgets(header, sizeof(header), file) ||
	    parse_header(header, strlen(header), canonical))
		return "is damaged: its first line is wrong";
	if (strcmp(canonical->name, name))
		return "is of another list";
	*start = strlen(header);
	return check_members(file, canonical);
}

/* Check the open file @fd, and set its position to the first member. */
static const char *check_all(int fd, const char *name, struct canonical *canonical,
			     time_t *confirmed)
{
	const char *reason;
	struct stat st;
	long start = 0;
	FILE *file;
	int copy;

	if (fstat(fd, &st))
		return "cannot be read";
	reason = check_file(&st);
	if (reason)
		return reason;
	if (confirmed)
		*confirmed = st.st_mtime;
	copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	file = copy < 0 ? NULL : fdopen(copy, "r");
	if (!file)
		return "cannot be read";
	reason = check_content(file, name, canonical, &start);
	fclose(file);
	if (!reason && lseek(fd, start, SEEK_SET) != start)
		reason = "cannot be read";
	return reason;
}

int canonical_open(int folder, const char *file, const char *name,
		   struct canonical *canonical, time_t *confirmed,
		   char why[CANONICAL_WHY])
{
	const char *reason;
	int fd, ret;

	/* O_NONBLOCK: if the file is a named pipe, open() would wait for a writer. */
	fd = openat(folder, file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		ret = -errno;
		snprintf(why, CANONICAL_WHY, "cannot be opened: %s",
			 ret == -ELOOP ? "it is a symbolic link" : strerror(-ret));
		return ret;
	}
	reason = check_all(fd, name, canonical, confirmed);
	if (!reason)
		return fd;
	snprintf(why, CANONICAL_WHY, "%s", reason);
	close(fd);
	return -EBADMSG;
}

int canonical_read(int fd, struct keyset *set)
{
	FILE *file = fdopen(fd, "r");
	struct kcuckoo_prefix key;
	char line[128];
	int ret = 0;

	if (!file) {
		close(fd);
		return -ENOMEM;
	}
	while (!ret && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = 0;
		ret = kcuckoo_prefix_parse(line, &key, NULL) ? -EBADMSG :
		      keyset_add(set, &key);
	}
	if (!ret && ferror(file))
		ret = -EIO;
	fclose(file);
	return ret;
}
