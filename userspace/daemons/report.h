/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions print messages to the system log and on standard error, for
 * both backends.
 *
 * crowdsec-custom-bouncer connects the standard error of its program to
 * /dev/null, so only the system log has these messages then.
 */
#ifndef KCUCKOO_DAEMONS_REPORT_H
#define KCUCKOO_DAEMONS_REPORT_H

#include <stdint.h>
#include <time.h>

#define PRINTF(text, first)	__attribute__((format(printf, text, first)))

/* Begin to report as the program @name, a string that outlives all reports. */
void report_open(const char *name);

/* Report an error. Return: -1, for callers to return. */
int report_error(const char *format, ...) PRINTF(1, 2);

/* Report a fact that is no error. */
void report_notice(const char *format, ...) PRINTF(1, 2);

/* Maximum number of errors of one kind that are reported in a period. */
#define REPORT_BURST	10

/**
 * struct report_limit - a limit on the number of reports of one kind
 * @what: what is reported, in the plural
 * @begin: when the present period began, in seconds of the monotonic clock; 0
 *	before the first report
 * @count: number of reports in the present period
 */
struct report_limit {
	const char *what;
	time_t begin;
	uint64_t count;
};

/*
 * Report an error if no more than REPORT_BURST of its kind were reported in the
 * last minute. The other ones are counted.
 */
void report_limited(struct report_limit *limit, const char *format, ...)
	PRINTF(2, 3);

/*
 * Report the number of errors that report_limited() counted only, and end the
 * period, if it is over or @end is nonzero.
 */
void report_rest(struct report_limit *limit, int end);

#endif /* KCUCKOO_DAEMONS_REPORT_H */
