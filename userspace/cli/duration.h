/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This function parses durations, for the command and for the iptables target
 * KCUCKOO.
 *
 * duration.c does not depend on the rest of the command, because the plugin of
 * iptables links it.
 */
#ifndef KCUCKOO_CLI_DURATION_H
#define KCUCKOO_CLI_DURATION_H

#include <linux/types.h>
#include <stddef.h>

/*
 * The text that duration_scan() returns for more than KCUCKOO_TIMEOUT_MAX
 * seconds.
 */
extern const char duration_too_long[];

/*
 * Parse the @length bytes at @text as a duration: one number of seconds, or
 * numbers with the units y (365 days), w, d, h, m, s, ms, us and ns, in this
 * order. Each number may have a fraction. Set @seconds to the duration, rounded
 * up, or to 0 for "never" and -1. Return: NULL, or the text of an error.
 */
const char *duration_scan(const char *text, size_t length, __u32 *seconds);

#endif /* KCUCKOO_CLI_DURATION_H */
