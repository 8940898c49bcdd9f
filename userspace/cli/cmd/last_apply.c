// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions store and read the result of the verb apply with a configuration: the time at
 * which apply ended, and whether apply succeeded.
 */
#include <stdio.h>
#include <string.h>

#include "cmd/folders.h"
#include "cmd/last_apply.h"
#include "fetch/files.h"
#include "message.h"

void last_apply_write(const struct cli *cli, bool success)
{
	char path[FOLDERS_PATH], text[64];
	int length, ret;

	if (run_path(cli, "apply", path) || make_parents(path))
		return;
	length = snprintf(text, sizeof(text), "time %lld\nsuccess %d\n",
			  (long long)time(NULL), success);
	ret = file_replace(path, text, length);
	if (ret)
		warn("the result cannot be written to %s: %s", path, strerror(-ret));
}

bool last_apply_read(const struct cli *cli, time_t *when, bool *success)
{
	char path[FOLDERS_PATH];
	long long seconds;
	FILE *file;
	int done, found;

	/* If has_folders() is false, run_path() prints an error. */
	if (!has_folders(cli) || run_path(cli, "apply", path))
		return false;
	file = fopen(path, "re");
	if (!file)
		return false;
	found = fscanf(file, "time %lld\nsuccess %d", &seconds, &done);
	fclose(file);
	if (found != 2)
		return false;
	*when = seconds;
	*success = done;
	return true;
}
