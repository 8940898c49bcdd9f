// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions keep the last body that a server sent for each URL in the cache, so that
 * servers need not send an unchanged list again.
 *
 * The body and its description are two files. The description has the digest of the body,
 * and the validators ETag and Last-Modified that the server sent. If the description is
 * missing, or the digest of the body differs, the next request has no validators, so that
 * the server sends the body again.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fetch/copy.h"
#include "fetch/digest.h"

/*
 * Number of hexadecimal digits of the digest of a URL that are in the names of the
 * files for the URL.
 */
#define ID_DIGITS	16

/* Size of a buffer for a description, in bytes. */
#define META		1024

static ssize_t read_meta(int folder, const char *file, char text[META])
{
	int fd = openat(folder, file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	ssize_t length;

	if (fd < 0)
		return -errno;
	length = read(fd, text, META - 1);
	close(fd);
	text[length > 0 ? length : 0] = 0;
	return length;
}

/*
 * Set @value to the text after @key, up to the end of the line; or to an empty text, if the
 * key is missing or the value is too long.
 */
static void read_value(const char *text, const char *key, char *value, size_t size)
{
	const char *at = strstr(text, key);
	size_t length;

	*value = 0;
	if (!at)
		return;
	at += strlen(key);
	length = strcspn(at, "\n");
	if (length < size)
		snprintf(value, size, "%.*s", (int)length, at);
}

static bool is_intact(int folder, const char *file, const char *digest)
{
	char found[DIGEST_TEXT] = "";
	unsigned long long size;
	int fd = openat(folder, file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return false;
	if (digest_file(fd, found, &size))
		*found = 0;
	close(fd);
	return *found && !strcmp(found, digest);
}

void cached_body_find(const struct state *state, const char *name, const char *url,
		      struct cached_body *cached)
{
	char digest[DIGEST_TEXT], text[META];

	memset(cached, 0, sizeof(*cached));
	digest_bytes(url, strlen(url), digest);
	snprintf(cached->body, sizeof(cached->body), "%s.%.*s.body", name, ID_DIGITS,
		 digest);
	snprintf(cached->meta, sizeof(cached->meta), "%s.%.*s.meta", name, ID_DIGITS,
		 digest);
	if (read_meta(state->cache, cached->meta, text) <= 0)
		return;
	read_value(text, "sha256 ", digest, sizeof(digest));
	if (!is_intact(state->cache, cached->body, digest))
		return;
	read_value(text, "\netag ", cached->etag, sizeof(cached->etag));
	read_value(text, "\nmodified ", cached->modified, sizeof(cached->modified));
}

int cached_body_begin(const struct state *state, const struct cached_body *cached,
		      struct file_update *update)
{
	return file_begin(update, state->cache, cached->body);
}

static int write_meta(const struct state *state, const struct cached_body *cached,
		      const char *digest, const struct download_result *result)
{
	struct file_update update;
	char text[META];
	int length, ret;

	length = snprintf(text, sizeof(text), "sha256 %s\netag %s\nmodified %s\n",
			  digest, result->etag, result->modified);
	ret = file_begin(&update, state->cache, cached->meta);
	if (ret)
		return ret;
	return file_finish(&update, file_write(update.fd, text, length));
}

int cached_body_finish(const struct state *state, struct cached_body *cached,
		       struct file_update *update, const struct download_result *result)
{
	unsigned long long size;
	char digest[DIGEST_TEXT];
	int ret;

	ret = digest_file(update->fd, digest, &size);
	if (!ret && size != result->size)
		ret = -EIO;
	ret = file_finish(update, ret);
	return ret ? ret : write_meta(state, cached, digest, result);
}
