/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions read lists for peer-to-peer programs: lists with lines NAME:FIRST-LAST, and
 * ipfilter.dat, which has lines "FIRST - LAST , LEVEL , NAME". Programs block a range of
 * ipfilter.dat only if its level, a number, is below 127, see columns_check_level().
 */
#ifndef KCUCKOO_CLI_PEER_H
#define KCUCKOO_CLI_PEER_H

#include <stdbool.h>
#include <stddef.h>

struct reader;

/* See @recognize and @line of struct layout_type. */
bool ipfilter_recognize(const char *text, size_t length);
int ipfilter_line(struct reader *reader, const char *text, size_t length);
bool p2p_recognize(const char *text, size_t length);
int p2p_line(struct reader *reader, const char *text, size_t length);

#endif /* KCUCKOO_CLI_PEER_H */
