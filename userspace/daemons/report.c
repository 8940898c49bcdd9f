// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions print messages to the system log and on standard error, for
 * both backends (crowdsec.c and sshguard.c).
 */
#include <stdarg.h>
#include <stdio.h>
#include <syslog.h>

#include "daemons/report.h"

/* Length of a period of report_limited(), in seconds. */
#define PERIOD	60

void report_open(const char *name)
{
	openlog(name, LOG_PID | LOG_PERROR, LOG_DAEMON);
}

int report_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsyslog(LOG_ERR, format, args);
	va_end(args);
	return -1;
}

void report_notice(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsyslog(LOG_NOTICE, format, args);
	va_end(args);
}

/* Return: one plus the seconds of the monotonic clock, because @begin is 0 without a period. */
static time_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + 1;
}

void report_suppressed(struct report_limit *limit, int end)
{
	if (!limit->begin || (!end && now() - limit->begin < PERIOD))
		return;
	if (limit->count > REPORT_BURST)
		report_error("%llu more %s were not reported",
			     (unsigned long long)(limit->count - REPORT_BURST),
			     limit->what);
	limit->begin = 0;
	limit->count = 0;
}

void report_limited(struct report_limit *limit, const char *format, ...)
{
	va_list args;

	report_suppressed(limit, 0);
	if (!limit->begin)
		limit->begin = now();
	if (++limit->count > REPORT_BURST)
		return;
	va_start(args, format);
	vsyslog(LOG_ERR, format, args);
	va_end(args);
}
