/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions explain why a download failed, in sentences without the URL.
 */
#ifndef KCUCKOO_CLI_FAILURE_H
#define KCUCKOO_CLI_FAILURE_H

#include <stdbool.h>

#include "fetch/curl.h"

/*
 * Write why libcurl failed with @code to @why, a buffer of @size bytes. @handle
 * is the handle that failed, and @text the text that libcurl wrote.
 */
void failure_of_transfer(CURL *handle, CURLcode code, const char *text,
			 char *why, size_t size);

/* Write why an answer with the HTTP status @status is no list to @why. */
void failure_of_status(long status, char *why, size_t size);

/* Is the clock of this machine certainly wrong? */
bool failure_is_clock(void);

#endif /* KCUCKOO_CLI_FAILURE_H */
