/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * duration_scan() parses durations, for the command and for the iptables target
 * KCUCKOO. The plugin of iptables links duration.c alone, so duration.c does not
 * depend on other files of the command.
 */
#ifndef KCUCKOO_CLI_DURATION_H
#define KCUCKOO_CLI_DURATION_H

#include <linux/types.h>
#include <stddef.h>

/* The text that duration_scan() returns for more than KCUCKOO_TIMEOUT_MAX seconds. */
extern const char duration_too_long[];

/*
 * Parse the @length bytes at @text as a duration: one number of seconds, or
 * numbers with the units y (365 days), w, d, h, m, s, ms, us and ns, the longest
 * unit first. Each of these numbers can have a fraction. A number of seconds can
 * also be a hexadecimal integer after 0x. Set @seconds to the duration, rounded
 * up, or to 0 for "never" and -1. Return: NULL, or the text of an error.
 */
const char *duration_scan(const char *text, size_t length, __u32 *seconds);

#endif /* KCUCKOO_CLI_DURATION_H */
