// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions print messages on standard error, for logstore and urlblock.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "kcuckoo.h"
#include "message.h"

static void print_message(const char *format, va_list args)
{
	/* Keep the order of the output if both streams go to one terminal. */
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
	/* The text of kcuckoo_strerror() for ENXIO also names a missing network device. */
	if (ret == -ENXIO)
		return error("the module kcuckoo is not loaded: 'modprobe kcuckoo' loads it");
	return error("cannot open %s: %s", KCUCKOO_DEVICE,
		     kcuckoo_strerror(ret));
}
