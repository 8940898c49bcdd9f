/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions print messages on standard error, for logstore and urlblock.
 */
#ifndef KCUCKOO_EXAMPLES_MESSAGE_H
#define KCUCKOO_EXAMPLES_MESSAGE_H

#define PRINTF(text, first)	__attribute__((format(printf, text, first)))

/* Print an error. Return: -1, for callers to return. */
int error(const char *format, ...) PRINTF(1, 2);

/* Print a message. */
void say(const char *format, ...) PRINTF(1, 2);

/* Report that the device cannot be opened. @ret: from kcuckoo_open(). Return: -1. */
int device_error(int ret);

#endif /* KCUCKOO_EXAMPLES_MESSAGE_H */
