/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command, in the caller's namespace.
 */
#ifndef KCUCKOO_XDP_COMMAND_H
#define KCUCKOO_XDP_COMMAND_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs it; @mode goes where @format has a "%s". Returns its exit status. */
static inline int command(const char *format, const char *mode)
{
	char line[200], text[300];

	snprintf(line, sizeof(line), format, mode);
	snprintf(text, sizeof(text), "kcuckoo -q %s", line);
	return system(text);
}

/* The packets that the only rule has matched, and their bytes. */
static inline long long matched(long long *bytes)
{
	FILE *pipe = popen("kcuckoo -j rules", "r");
	char line[1000], *at;
	long long packets = -1;

	while (pipe && fgets(line, sizeof(line), pipe)) {
		at = strstr(line, "\"packets\": ");
		if (at)
			packets = atoll(at + 11);
		at = strstr(line, "\"bytes\": ");
		if (at && bytes)
			*bytes = atoll(at + 9);
	}
	if (pipe)
		pclose(pipe);
	return packets;
}

#endif /* KCUCKOO_XDP_COMMAND_H */
