// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb save writes a filter to a snapshot file, and the verb restore
 * creates a filter from a snapshot file.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "json.h"
#include "keys/staged.h"
#include "keywords.h"
#include "message.h"
#include "rules/lockout.h"
#include "snapshot_file.h"

/* In a folder of snapshots, the file of the filter NAME is NAME.kcf. */
#define SUFFIX		".kcf"

static int save_into(struct cli *cli, const char *name, const char *folder)
{
	char *file;
	int ret;

	if (asprintf(&file, "%s/%s" SUFFIX, folder, name) < 0)
		return error("not enough memory");
	ret = snapshot_save(cli, name, file);
	free(file);
	return ret;
}

static int save_all(struct cli *cli, const char *folder)
{
	struct kcuckoo_list_entry *entries;
	int count, saved = 0, i;

	count = kcuckoo_list(cli->handle, &entries);
	if (count < 0)
		return plain_error(count, "list filters");
	for (i = 0; i < count; i++)
		saved += !save_into(cli, (char *)entries[i].name, folder);
	free(entries);
	say(cli, "saved %d %s to %s", saved, plural(saved, "filter", "filters"),
	    folder);
	return saved < count ? -1 : EXIT_YES;
}

int verb_save(struct cli *cli, const struct args *args)
{
	const char *file = args->operand_count > 1 ? args->operands[1] : "-";
	const char *name = args->operands[0];
	bool all = args->given & ARGS_ALL;

	if (all && args->operand_count > 1)
		return error("with --all, save takes only a folder: kcuckoo save --all FOLDER");
	if (!all && !strcmp(file, "-") && isatty(STDOUT_FILENO))
		return hint(error("a snapshot cannot be written to a terminal"),
			    "name a file: kcuckoo save %s FILE", name);
	if (cli_open(cli))
		return -1;
	if (all)
		return save_all(cli, name);
	if (strcmp(file, "-"))
		return snapshot_save(cli, name, file) ? -1 : EXIT_YES;
	return snapshot_write(cli, name, STDOUT_FILENO, "standard output") ? -1 :
								     EXIT_YES;
}

static int restore_error(struct cli *cli, const char *file, const char *name,
			 int ret, const char *why)
{
	if (why || ret == -EBADMSG)
		return error("cannot restore from %s: %s; nothing was changed",
			     file, snapshot_error_text(ret, why));
	/*
	 * Check the name before printing it: a name from a snapshot can contain any
	 * bytes.
	 */
	if (check_name(name))
		return -1;
	if (ret == -EEXIST)
		return hint(error("there is a filter '%s' already", name),
			    "--replace replaces it by the snapshot, 'as NAME' gives the snapshot another name");
	if (ret == -EINVAL && !staged_supported(cli))
		return hint(error("cannot replace '%s': the module is too old", name),
			    "install the same version of the command and the module");
	if (ret == -EINVAL)
		return hint(error("the snapshot cannot replace '%s'", name),
			    "they have different types: one holds addresses, the other byte strings");
	return filter_error(cli, ret, name, "restore");
}

/**
 * struct restored - a filter that restore creates
 * @name: in: name for the filter, or "" for the name in the snapshot; out: name of the
 *	filter
 * @info: out: parameters and state of the filter
 */
struct restored {
	char name[KCUCKOO_NAME_SIZE];
	struct kcuckoo_ioc_info info;
};

/* @file: name of the file, for messages. */
static int restore_from(struct cli *cli, bool replace, int fd, const char *file,
			struct restored *to)
{
	const char *why;
	int ret;

	ret = kcuckoo_restore(cli->handle, to->name,
			      replace ? KCUCKOO_RESTORE_REPLACE : 0, fd, &why);
	if (ret)
		return restore_error(cli, file, to->name, ret, why);
	to->info = (struct kcuckoo_ioc_info){ .size = sizeof(to->info) };
	ret = kcuckoo_info(cli->handle, to->name, &to->info);
	if (ret)
		return filter_error(cli, ret, to->name, "read the state of");
	say(cli, "restored %s: %llu %s", to->name, to->info.members,
	    plural(to->info.members, "member", "members"));
	say_managed(cli, to->name, &to->info);
	if (to->info.rules)
		lockout_check_filter(cli, to->name,
				     MEMBERS_ADDED | MEMBERS_REMOVED, NULL);
	return 0;
}

static int restore_file(struct cli *cli, bool replace, const char *file,
			struct restored *to)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return error("cannot read %s: %s", file, strerror(errno));
	ret = restore_from(cli, replace, fd, file, to);
	close(fd);
	return ret;
}

/* Unlike restore_file(), accept only a regular file. */
static int restore_entry(struct cli *cli, bool replace, const char *file,
			 struct restored *to)
{
	int fd = snapshot_open(file, 0), ret;

	if (fd < 0)
		return fd == -ENOENT ? error("cannot read %s: %s", file,
					     strerror(ENOENT)) : -1;
	ret = restore_from(cli, replace, fd, file, to);
	close(fd);
	return ret;
}

static int restore_out_of(struct cli *cli, bool replace, const char *folder,
			  const char *entry, struct restored *to)
{
	size_t length = strlen(entry) - strlen(SUFFIX);
	char *file;
	int ret;

	if (asprintf(&file, "%s/%s", folder, entry) < 0)
		return error("not enough memory");
	if (length >= sizeof(to->name)) {
		ret = error("cannot restore from %s: the name is too long for a filter",
			    file);
	} else {
		memcpy(to->name, entry, length);
		to->name[length] = 0;
		ret = check_name(to->name);
	}
	if (!ret)
		ret = restore_entry(cli, replace, file, to);
	free(file);
	return ret;
}

static int is_snapshot(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > strlen(SUFFIX) &&
	       !strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX);
}

static int restore_all(struct cli *cli, bool replace, const char *folder)
{
	struct json_stream stream;
	struct dirent **entries;
	struct restored to;
	int count, failed = 0, i;

	count = scandir(folder, &entries, is_snapshot, alphasort);
	if (count < 0)
		return error("cannot read %s: %s", folder, strerror(errno));
	if (cli->json)
		json_stream_begin(&stream);
	for (i = 0; i < count; i++) {
		if (restore_out_of(cli, replace, folder, entries[i]->d_name, &to))
			failed++;
		else if (cli->json &&
			 json_stream_element(&stream, json_of_info(to.name, &to.info)))
			failed++;
		free(entries[i]);
	}
	free(entries);
	if (cli->json)
		json_stream_end(&stream);
	if (failed)
		return error("%d of %d snapshots of %s could not be restored",
			     failed, count, folder);
	return EXIT_YES;
}

static int check_restore(struct cli *cli, const struct args *args)
{
	if (args->given & ARGS_ALL && args->operand_count > 1)
		return error("with --all, restore takes only a folder: kcuckoo restore --all FOLDER");
	if (args->operand_count > 1 && strcmp(args->operands[1], "as"))
		return error("unknown argument '%s' for 'restore': kcuckoo restore %s",
			     args->operands[1], cli->verb->usage);
	if (args->operand_count == 2)
		return error("'as' needs a name");
	return args->operand_count > 2 ? check_name(args->operands[2]) : 0;
}

int verb_restore(struct cli *cli, const struct args *args)
{
	bool replace = args->given & ARGS_REPLACE;
	const char *file = args->operands[0];
	struct restored to = { .name = "" };
	int ret;

	if (check_restore(cli, args) || cli_open(cli))
		return -1;
	if (args->given & ARGS_ALL)
		return restore_all(cli, replace, file);
	if (args->operand_count > 2)
		strcpy(to.name, args->operands[2]);
	if (strcmp(file, "-"))
		ret = restore_file(cli, replace, file, &to);
	else
		ret = restore_from(cli, replace, STDIN_FILENO, "standard input",
				   &to);
	if (ret || !cli->json)
		return ret;
	return json_print(json_of_info(to.name, &to.info));
}
