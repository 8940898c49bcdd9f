/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This function recognizes texts that look like lists of keys and are not.
 */
#ifndef KCUCKOO_CLI_REFUSED_H
#define KCUCKOO_CLI_REFUSED_H

#include <stddef.h>

/*
 * Return: the text of the error for a text that begins with the @length bytes at
 * @text and cannot be a list, or NULL.
 */
const char *refused_why(const char *text, size_t length);

#endif /* KCUCKOO_CLI_REFUSED_H */
