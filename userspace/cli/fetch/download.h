/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * download() fetches one URL over HTTPS, for list.c.
 */
#ifndef KCUCKOO_CLI_DOWNLOAD_H
#define KCUCKOO_CLI_DOWNLOAD_H

#include "cli.h"

/*
 * Limits of a transfer: DOWNLOAD_BYTES_MAX bytes of all bodies, DOWNLOAD_SECONDS
 * seconds in total, DOWNLOAD_CONNECT seconds for the connection, and DOWNLOAD_REDIRECTS
 * redirections. A transfer also fails if the server sends less than DOWNLOAD_RATE bytes
 * per second for DOWNLOAD_SLOW seconds. Tests set smaller values of DOWNLOAD_BYTES_MAX,
 * DOWNLOAD_SECONDS and DOWNLOAD_SLOW.
 */
#ifndef DOWNLOAD_BYTES_MAX
#define DOWNLOAD_BYTES_MAX	(512ULL << 20)
#endif
#ifndef DOWNLOAD_SECONDS
#define DOWNLOAD_SECONDS	1800
#endif
#ifndef DOWNLOAD_SLOW
#define DOWNLOAD_SLOW		60
#endif
#define DOWNLOAD_RATE		100
#define DOWNLOAD_CONNECT	30
#define DOWNLOAD_REDIRECTS	5

/*
 * Sizes of buffers in bytes: for the validators ETag and Last-Modified, and for the
 * reason of a failure.
 */
#define DOWNLOAD_ETAG		256
#define DOWNLOAD_DATE		64
#define DOWNLOAD_WHY		256

/**
 * struct download_request - a URL to fetch, and the copy that the caller already has
 * @url: the URL
 * @credential: "Name: value" for a header, "user:password" for basic
 *	authentication, or NULL
 * @etag: entity tag of the copy that the caller has, or empty
 * @modified: date of modification of this copy, or empty
 * @fd: descriptor to which download() writes the body
 */
struct download_request {
	const char *url;
	const char *credential;
	const char *etag;
	const char *modified;
	int fd;
};

enum download_outcome {
	DOWNLOAD_BODY,		/* the body was written */
	DOWNLOAD_UNCHANGED,	/* the copy of the caller is up to date */
	DOWNLOAD_FAILED,	/* the transfer failed, for the reason in @why of the result */
};

/**
 * struct download_result - the answer of a server, or the reason of a failure
 * @outcome: enum download_outcome
 * @size: number of bytes that download() wrote to @fd of the request
 * @etag: entity tag of the body, or empty
 * @modified: date of modification of the body, or empty
 * @max_age: seconds for which the answer is fresh, from the header Cache-Control; or 0
 * @retry_after: seconds to wait before the next request, from the header Retry-After;
 *	or 0
 * @why: reason of a failure as a part of a sentence, without the URL; empty after
 *	success
 */
struct download_result {
	enum download_outcome outcome;
	__u64 size;
	char etag[DOWNLOAD_ETAG];
	char modified[DOWNLOAD_DATE];
	__u32 max_age;
	__u32 retry_after;
	char why[DOWNLOAD_WHY];
};

/**
 * download() - fetch a URL over HTTPS
 * @request: the request, with the URL
 * @result: out: the answer of the server, or the reason of a failure
 *
 * The certificate of the server is always verified, also after a redirection. @why of
 * @result never contains a URL, because a URL can contain a secret.
 *
 * Context: curl_load() has returned 0.
 */
void download(const struct download_request *request,
	      struct download_result *result);

#endif /* KCUCKOO_CLI_DOWNLOAD_H */
