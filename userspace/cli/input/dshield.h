/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions read the block list of DShield, a table whose columns are the first address,
 * the last address and the prefix length of a network.
 */
#ifndef KCUCKOO_CLI_DSHIELD_H
#define KCUCKOO_CLI_DSHIELD_H

#include <stdbool.h>
#include <stddef.h>

struct reader;

/* See @recognize and @line of struct layout_type. */
bool dshield_recognize(const char *text, size_t length);
int dshield_line(struct reader *reader, const char *text, size_t length);

#endif /* KCUCKOO_CLI_DSHIELD_H */
