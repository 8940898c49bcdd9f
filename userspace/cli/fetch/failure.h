/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions explain why a download failed, in sentences without the URL,
 * for download.c.
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

/* Write to @why that an answer with the HTTP status @status has no list. */
void failure_of_status(long status, char *why, size_t size);

/* Return: true if the clock of this machine is certainly wrong. */
bool failure_is_clock(void);

#endif /* KCUCKOO_CLI_FAILURE_H */
