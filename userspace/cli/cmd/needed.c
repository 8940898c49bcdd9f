// SPDX-License-Identifier: GPL-2.0-only
/*
 * needed_write() saves the addresses that this host needs, such as its own addresses and
 * the addresses of gateways.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/needed.h"
#include "fetch/files.h"
#include "message.h"
#include "rules/critical.h"

/*
 * Roles of addresses that are saved (enum role in rules/critical.h). The other roles
 * belong to constant addresses such as 0.0.0.0, to networks, and to addresses that are
 * already in the file of needed_path().
 */
#define ROLES_KEPT	(ROLE_LOCAL | ROLE_GATEWAY | ROLE_PEER | ROLE_RESOLVER | \
			 ROLE_DHCP)

int needed_path(const struct cli *cli, char path[FOLDERS_PATH])
{
	return state_path(cli, "needed", path);
}

/*
 * The time of a needed address in the file of needed_path() is updated if this time is more
 * than TIME_STEP seconds ago or in the future. So most runs of apply do not write the file.
 */
#define TIME_STEP	(24 * 3600)

static bool has_bytes(const char *path, const char *bytes, size_t length)
{
	FILE *file = fopen(path, "re");
	char *old = malloc(length + 1);
	bool equal = file && old && fread(old, 1, length + 1, file) == length &&
		     !memcmp(old, bytes, length);

	if (file)
		fclose(file);
	free(old);
	return equal;
}

/*
 * An address of this host gets no time: the next write of the file drops the address if this
 * host no longer has it. An address of another host gets the time at which this host last
 * needed it, at most TIME_STEP seconds too early. The address stays in the file for
 * CRITICAL_AGE_MAX seconds: a gateway can be down for a while, and only an apply in an SSH
 * connection can find the other end of this connection.
 */
static void write_line(FILE *stream, const struct critical *critical, time_t now)
{
	char address[KCUCKOO_PREFIX_TEXT];
	time_t seen = critical->seen;

	kcuckoo_prefix_format(&critical->key, address);
	if (critical->roles & ROLE_LOCAL) {
		fprintf(stream, "%s\n", address);
		return;
	}
	if (seen > now || (critical->roles & ROLES_KEPT && now - seen > TIME_STEP))
		seen = now;
	if (seen)
		fprintf(stream, "%s %lld\n", address, (long long)seen);
}

/*
 * @up: out: this host has an address that is neither a loopback nor a link-local address, so
 * the network is up.
 */
static char *lines_of(const struct criticals *criticals, size_t *length, bool *up)
{
	char *text;
	FILE *stream = open_memstream(&text, length);
	int i;

	*up = false;
	if (!stream)
		return NULL;
	for (i = 0; i < criticals->count; i++) {
		const struct critical *critical = &criticals->list[i];

		*up |= critical->roles & ROLE_LOCAL;
		if (critical->roles & (ROLES_KEPT | ROLE_EARLIER))
			write_line(stream, critical, time(NULL));
	}
	return fclose(stream) ? NULL : text;
}

static int replace(const struct cli *cli, const char *text, size_t length)
{
	char path[FOLDERS_PATH];
	int ret;

	if (needed_path(cli, path) || make_parents(path))
		return -1;
	if (has_bytes(path, text, length))
		return 0;
	ret = file_replace(path, text, length);
	return ret ? error("cannot write %s: %s", path, strerror(-ret)) : 0;
}

int needed_write(const struct cli *cli)
{
	struct criticals *criticals = malloc(sizeof(*criticals));
	char path[FOLDERS_PATH], *text = NULL;
	size_t length;
	bool up = false;
	int ret = needed_path(cli, path);

	if (criticals && !ret) {
		criticals_find(cli, criticals);
		criticals_add_file(criticals, path);
		text = lines_of(criticals, &length, &up);
	}
	if (!text && !ret)
		ret = error("not enough memory");
	else if (up)
		ret = replace(cli, text, length);
	free(text);
	free(criticals);
	return ret;
}
