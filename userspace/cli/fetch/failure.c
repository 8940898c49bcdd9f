// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions explain why a download failed, in sentences without the URL.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "fetch/download.h"
#include "fetch/failure.h"
#include "fetch/released.h"

bool failure_is_clock(void)
{
	return time(NULL) < CLOCK_RELEASED;
}

/*
 * Find the certificate field @field, whose value is a time. Ignore the case of names, which
 * differs between versions of libcurl. Return: false if the certificate has no such field.
 */
static bool read_date(const struct curl_slist *fields, const char *field,
		      time_t *when, const char **text)
{
	size_t length = strlen(field);
	struct tm tm;

	for (; fields; fields = fields->next) {
		memset(&tm, 0, sizeof(tm));
		if (strncasecmp(fields->data, field, length) ||
		    fields->data[length] != ':' ||
		    !strptime(fields->data + length + 1, "%Y-%m-%d %H:%M:%S", &tm))
			continue;
		*when = timegm(&tm);
		*text = fields->data + length + 1;
		return true;
	}
	return false;
}

/* Return: true if the certificate has expired or is not valid yet, with @why set. */
static bool explain_period(const struct curl_slist *fields, char *why, size_t size)
{
	time_t now = time(NULL), when;
	const char *text;

	if (read_date(fields, "Expire date", &when, &text) && when < now) {
		snprintf(why, size, "the certificate of the server expired on %.10s",
			 text);
		return true;
	}
	if (read_date(fields, "Start date", &when, &text) && when > now) {
		snprintf(why, size,
			 "the certificate of the server is not valid before %.10s: is the clock right?",
			 text);
		return true;
	}
	return false;
}

static void explain_certificate(CURL *handle, const char *text, char *why,
				size_t size)
{
	struct curl_certinfo *chain = NULL;
	int i;

	if (failure_is_clock()) {
		snprintf(why, size,
			 "the clock of this machine is wrong: it shows a time before the release of kcuckoo %s",
			 VERSION);
		return;
	}
	lib_curl_easy_getinfo(handle, CURLINFO_CERTINFO, &chain);
	for (i = 0; chain && i < chain->num_of_certs; i++)
		if (explain_period(chain->certinfo[i], why, size))
			return;
	if (strstr(text, "does not match"))
		snprintf(why, size, "the certificate of the server is for another host name");
	else
		snprintf(why, size,
			 "the certificate of the server is not signed by an authority that this machine trusts");
}

static const char *sentence_of(CURLcode code)
{
	switch (code) {
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_RESOLVE_PROXY:
		return "the name of the server cannot be resolved";
	case CURLE_COULDNT_CONNECT:
		return "the server cannot be reached";
	case CURLE_PARTIAL_FILE:
		return "the answer is cut off before its end";
	case CURLE_GOT_NOTHING:
		return "the server closed the connection without an answer";
	case CURLE_SEND_ERROR:
	case CURLE_RECV_ERROR:
	case CURLE_HTTP2:
	case CURLE_HTTP2_STREAM:
		return "the connection broke before the end of the answer";
	case CURLE_TOO_MANY_REDIRECTS:
		return "the server redirects too often";
	case CURLE_UNSUPPORTED_PROTOCOL:
		return "the URL, or a URL that the server redirects to, is not of https";
	case CURLE_SSL_CACERT_BADFILE:
		return "the certificates of authorities cannot be read (package ca-certificates)";
	case CURLE_WEIRD_SERVER_REPLY:
		return "the server does not answer with HTTP";
	case CURLE_URL_MALFORMAT:
		return "the URL is not valid";
	case CURLE_SSL_CONNECT_ERROR:
		return "the TLS handshake with the server failed";
	case CURLE_OUT_OF_MEMORY:
		return "not enough memory";
	default:
		return NULL;
	}
}

void failure_of_transfer(CURL *handle, CURLcode code, const char *text,
			 char *why, size_t size)
{
	const char *sentence = sentence_of(code);

	if (code == CURLE_PEER_FAILED_VERIFICATION)
		explain_certificate(handle, text, why, size);
	else if (code == CURLE_OPERATION_TIMEDOUT && strstr(text, "too slow"))
		snprintf(why, size, "the server sends less than %d bytes per second",
			 DOWNLOAD_RATE);
	else if (code == CURLE_OPERATION_TIMEDOUT)
		snprintf(why, size,
			 "the server does not answer, or its answer takes more than %d s",
			 DOWNLOAD_SECONDS);
	else if (code == CURLE_UNSUPPORTED_PROTOCOL && strstr(text, "HTTP/0.9"))
		snprintf(why, size, "the server does not answer with HTTP");
	else if (code == CURLE_FILESIZE_EXCEEDED)
		snprintf(why, size, "the answer has more than %llu MiB",
			 DOWNLOAD_BYTES_MAX >> 20);
	else if (sentence)
		snprintf(why, size, "%s", sentence);
	else
		snprintf(why, size, "the transfer failed (%s)",
			 lib_curl_easy_strerror(code));
}

void failure_of_status(long status, char *why, size_t size)
{
	static const struct {
		long status;
		const char *text;
	} texts[] = {
		{ 204, "no content" },
		{ 206, "a part of the list" },
		{ 400, "bad request" },
		{ 401, "a credential is needed" },
		{ 403, "forbidden" },
		{ 404, "not found" },
		{ 410, "removed permanently" },
		{ 429, "too many requests" },
		{ 500, "an error of the server" },
		{ 502, "an error of the server" },
		{ 503, "the server is overloaded" },
	};
	const char *text = status >= 500 ? "an error of the server" : "no list";
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (texts[i].status == status)
			text = texts[i].text;
	snprintf(why, size, "the server answers with HTTP status %ld (%s)", status,
		 text);
}
