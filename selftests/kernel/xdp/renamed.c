// SPDX-License-Identifier: GPL-2.0-only
/*
 * In the place of the C library's: after the first question the name is v1's.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <net/if.h>
#include <stdbool.h>

unsigned int if_nametoindex(const char *name)
{
	typeof(if_nametoindex) *next = dlsym(RTLD_NEXT, "if_nametoindex");
	static bool asked;

	if (asked)
		name = "v1";
	asked = true;
	return next(name);
}
