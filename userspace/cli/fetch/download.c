// SPDX-License-Identifier: GPL-2.0-only
/*
 * download() fetches one URL over HTTPS.
 *
 * download() does not unpack a compressed body; input/source.c unpacks the body later.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "fetch/curl.h"
#include "fetch/download.h"
#include "fetch/failure.h"
#include "fetch/files.h"

/* Maximum number of seconds for which a server can delay the next request. */
#define WAIT_MAX	(7 * 24 * 3600)

/**
 * struct transfer - a download in progress
 * @request: the request, with the URL
 * @result: the answer of the server so far
 * @handle: handle of libcurl
 * @headers: headers of the request
 * @status: HTTP status of the answer that is being received
 * @has_age: a Cache-Control header of this answer has "max-age"
 * @no_cache: a Cache-Control header of this answer has "no-cache" or "no-store"
 * @bytes: number of bytes of all bodies, including bodies of redirections and errors
 * @too_long: the bodies have more than DOWNLOAD_BYTES_MAX bytes
 * @error: negative errno if the body cannot be written, or 0
 * @text: error message of libcurl
 */
struct transfer {
	const struct download_request *request;
	struct download_result *result;
	CURL *handle;
	struct curl_slist *headers;
	long status;
	bool has_age;
	bool no_cache;
	__u64 bytes;
	bool too_long;
	int error;
	char text[CURL_ERROR_SIZE];
};

/*
 * Set @value to an empty text if the value of the header is too long, or has other bytes
 * than printable ASCII characters. Return: true if @line is the header @name.
 */
static bool header_value(const char *line, size_t length, const char *name,
			 char *value, size_t size)
{
	size_t i, skip = strlen(name);

	if (length <= skip || strncasecmp(line, name, skip) || line[skip] != ':')
		return false;
	for (line += skip + 1, length -= skip + 1;
	     length && strchr(" \t", *line); line++)
		length--;
	while (length && strchr(" \t\r\n", line[length - 1]))
		length--;
	*value = 0;
	if (length >= size)
		return true;
	for (i = 0; i < length; i++)
		if ((unsigned char)line[i] < ' ' || (unsigned char)line[i] >= 0x7f)
			return true;
	memcpy(value, line, length);
	value[length] = 0;
	return true;
}

static __u32 seconds_of(const char *text)
{
	/* strtoul() accepts a sign, and returns a large number for -1. */
	unsigned long seconds = isdigit((unsigned char)*text) ? strtoul(text, NULL, 10) : 0;

	return seconds > WAIT_MAX ? WAIT_MAX : seconds;
}

/*
 * The directives of all Cache-Control headers of an answer apply: "no-cache" or "no-store"
 * in any header makes @max_age 0, and otherwise the first "max-age" counts (RFC 9111,
 * section 4.2.1).
 */
static void on_cache_control(struct transfer *transfer, const char *value)
{
	const char *at = strcasestr(value, "max-age=");

	if (at && !transfer->has_age) {
		transfer->result->max_age = seconds_of(at + strlen("max-age="));
		transfer->has_age = true;
	}
	transfer->no_cache |= strcasestr(value, "no-cache") ||
			      strcasestr(value, "no-store");
	if (transfer->no_cache)
		transfer->result->max_age = 0;
}

/*
 * libcurl calls this function for each header line. After a redirection, only the values of
 * the last answer count, so each status line resets the values.
 */
static size_t on_header(char *line, size_t size, size_t count, void *context)
{
	struct transfer *transfer = context;
	struct download_result *result = transfer->result;
	size_t length = size * count;
	char value[128];

	if (length > 5 && !strncmp(line, "HTTP/", 5)) {
		const char *blank = memchr(line, ' ', length);

		transfer->status = blank ? strtol(blank, NULL, 10) : 0;
		transfer->has_age = false;
		transfer->no_cache = false;
		*result->etag = 0;
		*result->modified = 0;
		result->max_age = 0;
	} else if (header_value(line, length, "cache-control", value, sizeof(value))) {
		on_cache_control(transfer, value);
	} else if (!header_value(line, length, "etag", result->etag,
				 sizeof(result->etag))) {
		header_value(line, length, "last-modified", result->modified,
			     sizeof(result->modified));
	}
	return length;
}

/*
 * libcurl calls this function for each part of a body. The bodies of redirections and
 * errors count towards DOWNLOAD_BYTES_MAX, but are not written. Return: the number of
 * bytes; or 0 to let libcurl end the transfer.
 */
static size_t on_body(char *bytes, size_t size, size_t count, void *context)
{
	struct transfer *transfer = context;
	size_t length = size * count;

	transfer->bytes += length;
	if (transfer->bytes > DOWNLOAD_BYTES_MAX) {
		transfer->too_long = true;
		return 0;
	}
	if (transfer->status != 200)
		return length;
	transfer->error = file_write(transfer->request->fd, bytes, length);
	if (transfer->error)
		return 0;
	transfer->result->size += length;
	return length;
}

static int add_header(struct transfer *transfer, const char *name, const char *value)
{
	struct curl_slist *longer;
	char text[1024];

	if ((size_t)snprintf(text, sizeof(text), "%s%s", name, value) >= sizeof(text))
		return -EINVAL;
	longer = lib_curl_slist_append(transfer->headers, text);
	if (!longer)
		return -ENOMEM;
	transfer->headers = longer;
	return 0;
}

/*
 * Return: true if a credential is a header: a blank follows its first colon. libcurl
 * would send this header to each server to which the first server redirects, so
 * set_security() then disables redirections.
 */
static bool is_header(const char *credential)
{
	const char *colon = credential ? strchr(credential, ':') : NULL;

	return colon && colon[1] == ' ';
}

static int add_headers(struct transfer *transfer)
{
	const struct download_request *request = transfer->request;
	int ret;

	/* libcurl does not unpack gzip; input/source.c does, and limits the size. */
	ret = add_header(transfer, "Accept-Encoding: ", "gzip");
	if (!ret && *request->etag)
		ret = add_header(transfer, "If-None-Match: ", request->etag);
	if (!ret && *request->modified)
		ret = add_header(transfer, "If-Modified-Since: ", request->modified);
	if (!ret && is_header(request->credential))
		ret = add_header(transfer, "", request->credential);
	return ret;
}

static int option_errno(CURLcode code)
{
	if (!code)
		return 0;
	return code == CURLE_OUT_OF_MEMORY ? -ENOMEM : -EINVAL;
}

/* Set an option of libcurl, unless an earlier option failed. Value: 0, or a negative errno. */
#define SET(option, value) \
	(ret ? ret : option_errno(lib_curl_easy_setopt(transfer->handle, option, value)))

/* Allow only HTTPS, with a verified certificate. */
static int set_security(struct transfer *transfer)
{
	const char *credential = transfer->request->credential;
	const char *authorities = getenv("SSL_CERT_FILE");
	int ret = 0;

	/* libcurl applies CURLOPT_PROTOCOLS_STR to redirections, too. */
	ret = SET(CURLOPT_PROTOCOLS_STR, "https");
	ret = SET(CURLOPT_FOLLOWLOCATION, (long)!is_header(credential));
	ret = SET(CURLOPT_MAXREDIRS, (long)DOWNLOAD_REDIRECTS);
	ret = SET(CURLOPT_SSL_VERIFYPEER, 1L);
	ret = SET(CURLOPT_SSL_VERIFYHOST, 2L);
	ret = SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	/*
	 * Keep the fields of the certificate, because failure.c reads the dates of a
	 * rejected certificate.
	 */
	ret = SET(CURLOPT_CERTINFO, 1L);
	if (authorities && *authorities)
		ret = SET(CURLOPT_CAINFO, authorities);
	/*
	 * libcurl sends user and password only to the server of the URL, so
	 * redirections are harmless.
	 */
	if (credential && !is_header(credential))
		ret = SET(CURLOPT_USERPWD, credential);
	return ret;
}

static int set_limits(struct transfer *transfer)
{
	int ret = 0;

	ret = SET(CURLOPT_CONNECTTIMEOUT, (long)DOWNLOAD_CONNECT);
	ret = SET(CURLOPT_TIMEOUT, (long)DOWNLOAD_SECONDS);
	ret = SET(CURLOPT_LOW_SPEED_LIMIT, (long)DOWNLOAD_RATE);
	ret = SET(CURLOPT_LOW_SPEED_TIME, (long)DOWNLOAD_SLOW);
	ret = SET(CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)DOWNLOAD_BYTES_MAX);
	ret = SET(CURLOPT_NOSIGNAL, 1L);
	return ret;
}

static int set_options(struct transfer *transfer)
{
	int ret = add_headers(transfer);

	ret = SET(CURLOPT_URL, transfer->request->url);
	ret = SET(CURLOPT_USERAGENT, "kcuckoo/" VERSION);
	ret = SET(CURLOPT_HTTPHEADER, transfer->headers);
	ret = SET(CURLOPT_ERRORBUFFER, transfer->text);
	ret = SET(CURLOPT_HEADERFUNCTION, on_header);
	ret = SET(CURLOPT_HEADERDATA, transfer);
	ret = SET(CURLOPT_WRITEFUNCTION, on_body);
	ret = SET(CURLOPT_WRITEDATA, transfer);
	if (!ret)
		ret = set_security(transfer);
	return ret ? ret : set_limits(transfer);
}

static void explain(struct transfer *transfer, CURLcode code)
{
	char *why = transfer->result->why;

	if (transfer->too_long) {
		code = CURLE_FILESIZE_EXCEEDED;
	} else if (transfer->error) {
		snprintf(why, DOWNLOAD_WHY, "the copy in the cache cannot be written: %s",
			 strerror(-transfer->error));
		return;
	}
	failure_of_transfer(transfer->handle, code, transfer->text, why,
			    DOWNLOAD_WHY);
}

static void conclude(struct transfer *transfer)
{
	const struct download_request *request = transfer->request;
	struct download_result *result = transfer->result;
	bool conditional = *request->etag || *request->modified;
	curl_off_t wait = 0;

	lib_curl_easy_getinfo(transfer->handle, CURLINFO_RETRY_AFTER, &wait);
	if (wait > 0)
		result->retry_after = wait > WAIT_MAX ? WAIT_MAX : wait;
	if (transfer->status == 200)
		result->outcome = DOWNLOAD_BODY;
	else if (transfer->status == 304 && conditional)
		result->outcome = DOWNLOAD_UNCHANGED;
	else if (transfer->status == 304)
		snprintf(result->why, DOWNLOAD_WHY,
			 "the server answers with HTTP status 304 (not modified) to a request without a condition");
	else if (transfer->status >= 300 && transfer->status < 400 &&
		 is_header(request->credential))
		snprintf(result->why, DOWNLOAD_WHY,
			 "the server redirects, and no redirection is followed if the credential is a header");
	else
		failure_of_status(transfer->status, result->why, DOWNLOAD_WHY);
}

static void perform(struct transfer *transfer)
{
	int ret = set_options(transfer);
	CURLcode code;

	if (ret) {
		snprintf(transfer->result->why, DOWNLOAD_WHY, "%s", ret == -ENOMEM ?
			 "not enough memory" : "libcurl rejects an option of the transfer");
		return;
	}
	code = lib_curl_easy_perform(transfer->handle);
	if (code)
		explain(transfer, code);
	else
		conclude(transfer);
}

void download(const struct download_request *request,
	      struct download_result *result)
{
	struct transfer transfer = { .request = request, .result = result };

	memset(result, 0, sizeof(*result));
	result->outcome = DOWNLOAD_FAILED;
	transfer.handle = lib_curl_easy_init();
	if (transfer.handle)
		perform(&transfer);
	else
		snprintf(result->why, DOWNLOAD_WHY, "libcurl cannot be initialized");
	lib_curl_slist_free_all(transfer.headers);
	lib_curl_easy_cleanup(transfer.handle);
}
