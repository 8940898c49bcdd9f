/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * refused_why() recognizes some kinds of texts that are not lists of keys, for input.c.
 */
#ifndef KCUCKOO_CLI_REFUSED_H
#define KCUCKOO_CLI_REFUSED_H

#include <stddef.h>

/*
 * Look in the first @length bytes of a text, at @text, for lines of three kinds of files:
 * CSV files of GeoIP, rules of ad blockers, and statistics of Internet registries.
 * Return: an error text if the bytes have a line of one of these kinds; otherwise NULL.
 */
const char *refused_why(const char *text, size_t length);

#endif /* KCUCKOO_CLI_REFUSED_H */
