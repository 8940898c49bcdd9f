/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * refused_why() recognizes some kinds of texts that are not lists of keys, for input.c.
 */
#ifndef KCUCKOO_CLI_REFUSED_H
#define KCUCKOO_CLI_REFUSED_H

#include <stddef.h>

/*
 * Return: an error text if the first @length bytes of a text, at @text, have a line of a CSV
 * file of GeoIP, a rule of an ad blocker or statistics of an Internet registry; otherwise NULL.
 */
const char *refused_why(const char *text, size_t length);

#endif /* KCUCKOO_CLI_REFUSED_H */
