/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: parse durations
 *
 * It does not depend on the command, because the iptables target uses it, too.
 */
#ifndef KCUCKOO_CLI_DURATION_H
#define KCUCKOO_CLI_DURATION_H

#include <linux/types.h>
#include <stddef.h>

/*
 * Read all of @length bytes as a time: seconds, or numbers with the units y (365
 * days), w, d, h, m, s, ms, us and ns, in this order; each number may have a
 * fraction. Round up to whole seconds. "never" and -1 are 0. Return: NULL, or what
 * is wrong.
 */
const char *duration_scan(const char *text, size_t length, __u32 *seconds);

#endif /* KCUCKOO_CLI_DURATION_H */
