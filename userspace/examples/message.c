// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions print messages on standard error, for both examples.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "kcuckoo.h"
#include "message.h"

static void print_message(const char *format, va_list args)
{
	/* Keep the order if both streams are one terminal. */
	fflush(stdout);
	fprintf(stderr, "%s: ", program_invocation_short_name);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

int error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message(format, args);
	va_end(args);
	return -1;
}

void say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message(format, args);
	va_end(args);
}

int device_error(int ret)
{
	/*
	 * The text of the library for this error can also mean a network
	 * device.
	 */
	if (ret == -ENXIO)
		return error("the module kcuckoo is not loaded: 'modprobe kcuckoo' loads it");
	return error("cannot open %s: %s", KCUCKOO_DEVICE,
		     kcuckoo_strerror(ret));
}
