/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions are for rules that log the packets that they match.
 */
#ifndef KCUCKOO_CLI_RULES_LOG_H
#define KCUCKOO_CLI_RULES_LOG_H

#include "cli.h"

/*
 * Parse a limit, such as 10/s. Return: the number of packets in a second, or 0
 * for a text that is no limit.
 */
__u32 log_limit_scan(const char *text);

/* The form of a limit, for messages; with the maximum as its argument. */
#define LOG_LIMIT_FORM	"a number of packets in a second from 1/s to %u/s"

/*
 * Check that the module has logs, and zeroes counters. @what needs it. Return:
 * 0, or -1 after an error message.
 */
int log_check_module(struct cli *cli, const char *what);

/* Copy where @rule logs to a request to attach it. */
void log_request(const struct kcuckoo_rule *rule, struct kcuckoo_ioc_attach *arg);

/* Return: true if two rules log in the same way. */
bool log_same(const struct kcuckoo_rule *a, const struct kcuckoo_rule *b);

/*
 * Print an error if the log of a rule is the cause of the negative errno @ret.
 * Return: -1, or 0 without a message for another cause.
 */
int log_error(const struct kcuckoo_rule *rule, int ret);

/*
 * Warn about each of @count rules that logs nothing, because it is in another
 * network namespace than the first.
 */
void log_warn_off(const struct kcuckoo_rule *rules, int count);

/* The same for the rule that was attached as @rule. */
void log_report(struct cli *cli, const struct kcuckoo_rule *rule);

#endif /* KCUCKOO_CLI_RULES_LOG_H */
