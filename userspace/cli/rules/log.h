/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions parse, compare and check the log settings of rules, and print errors
 * and warnings about them. A rule that has log settings logs the packets that it
 * matches.
 */
#ifndef KCUCKOO_CLI_RULES_LOG_H
#define KCUCKOO_CLI_RULES_LOG_H

#include "cli.h"

/*
 * Parse a limit of logged packets, such as "10/s". Return: the number of packets per
 * second, or 0 if @text is invalid.
 */
__u32 log_limit_scan(const char *text);

/*
 * Description of a valid limit for log_limit_scan() in error messages; %u is the
 * maximum.
 */
#define LOG_LIMIT_FORM	"a number of packets in a second from 1/s to %u/s"

/*
 * Check that the module can log packets and reset the counters of rules, as modules since
 * version 0.6.0 can. @what: subject of the error message: the option or parameter
 * that needs the feature. Return: 0, or -1 after an error message.
 */
int log_check_module(struct cli *cli, const char *what);

/* Copy the log settings of @rule to @arg, a request to attach the rule. */
void log_request(const struct kcuckoo_rule *rule, struct kcuckoo_ioc_attach *arg);

/*
 * Return: true if two rules have the same log settings. A limit of 0 is the default
 * limit.
 */
bool log_same(const struct kcuckoo_rule *a, const struct kcuckoo_rule *b);

/*
 * Print an error if the log settings of a rule are the cause of @ret, the negative
 * errno of the request to attach the rule. Return: -1; or 0 without a message for
 * another cause.
 */
int log_error(const struct kcuckoo_rule *rule, int ret);

/*
 * Warn about the first of the @count rules in @rules that logs nothing at present, see
 * @log_off of struct kcuckoo_rule.
 */
void log_warn_off(const struct kcuckoo_rule *rules, int count);

/*
 * Warn if @rule, which was just attached, has KCUCKOO_LOG_SYSLOG, and a rule of the same
 * filter logs nothing at present (@log_off of struct kcuckoo_rule).
 */
void log_report(struct cli *cli, const struct kcuckoo_rule *rule);

#endif /* KCUCKOO_CLI_RULES_LOG_H */
