/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions print messages to the system log and on standard error, for
 * both backends (crowdsec.c and sshguard.c).
 *
 * crowdsec-custom-bouncer connects the standard error of its program to /dev/null, so
 * messages of crowdsec-bouncer reach only the system log.
 */
#ifndef KCUCKOO_DAEMONS_REPORT_H
#define KCUCKOO_DAEMONS_REPORT_H

#include <stdint.h>
#include <time.h>

#define PRINTF(text, first)	__attribute__((format(printf, text, first)))

/* Open the system log with the name @name, a string that must outlive all reports. */
void report_open(const char *name);

/* Report an error. Return: -1, for callers to return. */
int report_error(const char *format, ...) PRINTF(1, 2);

/* Report a fact that is not an error. */
void report_notice(const char *format, ...) PRINTF(1, 2);

/* Maximum number of errors of one kind that are reported in a period. */
#define REPORT_BURST	10

/**
 * struct report_limit - a limit on the number of reports of one kind
 * @what: name of the errors that are reported, in the plural
 * @begin: one plus the second of the monotonic clock in which the present period
 *	began; 0 if no period has begun
 * @count: number of errors in the present period, reported or only counted
 */
struct report_limit {
	const char *what;
	time_t begin;
	uint64_t count;
};

/*
 * Report an error, but at most REPORT_BURST errors with the same @limit in a period of
 * one minute. Further errors in the period are only counted. The period begins with its
 * first error.
 */
void report_limited(struct report_limit *limit, const char *format, ...)
	PRINTF(2, 3);

/*
 * If the period is over, or @end is nonzero, report the number of errors that
 * report_limited() only counted, and end the period.
 */
void report_suppressed(struct report_limit *limit, int end);

#endif /* KCUCKOO_DAEMONS_REPORT_H */
