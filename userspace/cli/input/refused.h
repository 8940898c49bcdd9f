/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * refused_why() recognizes texts that look like lists of keys but are not, for input.c.
 */
#ifndef KCUCKOO_CLI_REFUSED_H
#define KCUCKOO_CLI_REFUSED_H

#include <stddef.h>

/*
 * Check the first @length bytes of a text, at @text. Return: an error text if the text
 * is not a list of keys; otherwise NULL.
 */
const char *refused_why(const char *text, size_t length);

#endif /* KCUCKOO_CLI_REFUSED_H */
