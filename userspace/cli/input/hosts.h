/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions read hosts files, whose lines have an address such as 0.0.0.0 and names of
 * hosts to block. The names become byte strings.
 */
#ifndef KCUCKOO_CLI_HOSTS_H
#define KCUCKOO_CLI_HOSTS_H

#include <stdbool.h>
#include <stddef.h>

struct reader;

/* See @recognize and @line of struct layout_type. */
bool hosts_recognize(const char *text, size_t length);
int hosts_line(struct reader *reader, const char *text, size_t length);

#endif /* KCUCKOO_CLI_HOSTS_H */
