/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions explain why a download failed, in sentences without the URL,
 * for download.c.
 */
#ifndef KCUCKOO_CLI_FAILURE_H
#define KCUCKOO_CLI_FAILURE_H

#include <stdbool.h>

#include "fetch/curl.h"

/**
 * failure_of_transfer() - explain an error of libcurl
 * @handle: handle of libcurl that failed
 * @code: the error
 * @text: error message of libcurl
 * @why: out: the explanation
 * @size: size of @why in bytes
 */
void failure_of_transfer(CURL *handle, CURLcode code, const char *text,
			 char *why, size_t size);

/**
 * failure_of_status() - explain an HTTP status other than 200
 * @status: HTTP status of the answer
 * @why: out: the explanation
 * @size: size of @why in bytes
 */
void failure_of_status(long status, char *why, size_t size);

/**
 * failure_is_clock() - find out whether the clock of this machine is certainly wrong
 *
 * Return: true if the clock shows a time before the release of this version.
 */
bool failure_is_clock(void);

#endif /* KCUCKOO_CLI_FAILURE_H */
