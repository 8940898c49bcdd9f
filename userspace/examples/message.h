/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Examples: words for a person, on standard error
 */
#ifndef KCUCKOO_EXAMPLES_MESSAGE_H
#define KCUCKOO_EXAMPLES_MESSAGE_H

#define PRINTF(text, first)	__attribute__((format(printf, text, first)))

/* What went wrong. Return: -1, for callers to hand on. */
int error(const char *format, ...) PRINTF(1, 2);

/* What was done, or should be known. */
void say(const char *format, ...) PRINTF(1, 2);

/* The device cannot be opened: @ret is from kcuckoo_open(). Return: -1. */
int device_error(int ret);

#endif /* KCUCKOO_EXAMPLES_MESSAGE_H */
