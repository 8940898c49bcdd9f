// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb save writes a filter to a snapshot file, and the verb restore
 * creates a filter from one.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "args.h"
#include "json.h"
#include "keywords.h"
#include "message.h"
#include "rules/lockout.h"

/*
 * Write a snapshot to @fd. @file: name of the file in messages. Return: 0, or
 * -1 after an error message.
 */
static int save_to(struct cli *cli, const char *name, int fd, const char *file)
{
	const char *why;
	int ret = kcuckoo_save(cli->handle, name, fd, &why);

	if (ret && why)
		return error("cannot write %s: %s", file, why);
	return ret ? filter_error(cli, ret, name, "save") : 0;
}

/*
 * Check that save may replace the file, if it exists. A snapshot is secret, so
 * the file must be a regular file to which only its owner has access. Devices
 * and links are not replaced. Return: 0, or -1 after an error message.
 */
static int check_file(const char *file)
{
	struct stat st;

	if (lstat(file, &st)) {
		if (errno == ENOENT)
			return 0;
		return error("cannot write %s: %s", file, strerror(errno));
	}
	if (!S_ISREG(st.st_mode))
		return hint(error("%s exists, and is not a regular file", file),
			    "write to standard output: kcuckoo save NAME - > %s",
			    file);
	if (st.st_mode & 0077)
		return hint(error("%s exists, and others have access to it", file),
			    "a snapshot is secret: remove that file, or 'chmod 600 %s'",
			    file);
	return 0;
}

/*
 * Sync the folder of a file, so that the new name is on the disk, too. Return:
 * 0, or -1 with errno set.
 */
static int sync_folder(const char *file)
{
	char *copy = strdup(file);
	int fd, ret = -1;

	if (!copy)
		return -1;
	fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		ret = fsync(fd);
		close(fd);
	}
	free(copy);
	return ret;
}

/*
 * The path of the temporary file that save writes, or NULL. A function call
 * follows each assignment, so that the compiler writes the value to memory for
 * the signal handler.
 */
static const char *unfinished;

static void remove_unfinished(int number)
{
	const char *file = unfinished;

	if (file)
		unlink(file);
	/*
	 * The signal is delivered when this handler returns, and ends the
	 * process as usual.
	 */
	raise(number);
}

/*
 * Create a temporary file with mode 0600. @temp_path ends with XXXXXX, which is
 * replaced. The file will contain the secret of the hash: if SIGTERM or a
 * similar signal ends the process, a handler removes the file. Return: the
 * descriptor of the file, or -1 with errno set.
 */
static int make_unfinished(char *temp_path)
{
	static const int numbers[] = {
		SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2,
		SIGXFSZ, SIGXCPU, SIGVTALRM, SIGPROF, SIGPOLL,
	};
	const int count = sizeof(numbers) / sizeof(*numbers);
	struct sigaction old, action = {
		.sa_handler = remove_unfinished,
		.sa_flags = SA_RESETHAND,
	};
	sigset_t before;
	int i, fd;

	for (i = 0; i < count; i++)
		sigaddset(&action.sa_mask, numbers[i]);
	/*
	 * Block signals until the file exists, so that the handler removes only
	 * a file that this process created.
	 */
	sigprocmask(SIG_BLOCK, &action.sa_mask, &before);
	fd = mkostemp(temp_path, O_CLOEXEC);
	unfinished = fd < 0 ? NULL : temp_path;
	for (i = 0; i < count; i++)
		/* Do not handle a signal that is ignored, as under nohup. */
		if (!sigaction(numbers[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return fd;
}

static int save_to_temp(struct cli *cli, const char *name, const char *file,
			char *temp_path)
{
	int fd = make_unfinished(temp_path), ret;

	if (fd < 0)
		return error("cannot write a temporary file for %s: %s", file,
			     strerror(errno));
	ret = save_to(cli, name, fd, file);
	if (!ret && (fsync(fd) || rename(temp_path, file)))
		ret = error("cannot write %s: %s", file, strerror(errno));
	close(fd);
	if (ret)
		unlink(temp_path);
	unfinished = NULL;
	if (!ret && sync_folder(file))
		ret = error("cannot write the folder of %s: %s", file,
			    strerror(errno));
	return ret;
}

/*
 * Save to a temporary file, and rename it to @file when the snapshot is
 * complete. Return: 0, or -1 after an error message.
 */
static int save_file(struct cli *cli, const char *name, const char *file)
{
	char *temp_path;
	int ret;

	if (check_file(file))
		return -1;
	if (asprintf(&temp_path, "%s.XXXXXX", file) < 0)
		return error("not enough memory");
	ret = save_to_temp(cli, name, file, temp_path);
	free(temp_path);
	return ret;
}

int verb_save(struct cli *cli, const struct args *args)
{
	const char *file = args->operand_count > 1 ? args->operands[1] : "-";
	const char *name = args->operands[0];

	if (!strcmp(file, "-") && isatty(STDOUT_FILENO))
		return hint(error("a snapshot cannot be written to a terminal"),
			    "name a file: kcuckoo save %s FILE", name);
	if (cli_open(cli))
		return -1;
	if (strcmp(file, "-"))
		return save_file(cli, name, file) ? -1 : EXIT_YES;
	return save_to(cli, name, STDOUT_FILENO, "standard output") ? -1 :
								     EXIT_YES;
}

static int restore_error(struct cli *cli, const char *file, const char *name,
			 int ret, const char *why)
{
	if (why || ret == -EBADMSG)
		return error("cannot restore from %s: %s; nothing was changed",
			     file, why ? why : kcuckoo_strerror(ret));
	/*
	 * Check the name before it is printed: if it comes from the snapshot,
	 * it may contain any bytes.
	 */
	if (check_name(name))
		return -1;
	if (ret == -EEXIST)
		return hint(error("there is a filter '%s' already", name),
			    "--replace replaces it by the snapshot, 'as NAME' gives the snapshot another name");
	if (ret == -EINVAL)
		return hint(error("the snapshot cannot replace '%s'", name),
			    "one holds addresses, the other byte strings");
	return filter_error(cli, ret, name, "restore");
}

static int restore_from(struct cli *cli, const struct args *args, int fd,
			const char *file)
{
	bool replace = args->given & ARGS_REPLACE;
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	char name[KCUCKOO_NAME_SIZE] = "";
	const char *why;
	int ret;

	if (args->operand_count > 1)
		strcpy(name, args->operands[2]);
	ret = kcuckoo_restore(cli->handle, name,
			      replace ? KCUCKOO_RESTORE_REPLACE : 0, fd, &why);
	if (ret)
		return restore_error(cli, file, name, ret, why);
	ret = kcuckoo_info(cli->handle, name, &info);
	if (ret)
		return filter_error(cli, ret, name, "read the state of");
	say(cli, "restored %s: %llu %s", name, info.members,
	    plural(info.members, "member", "members"));
	if (info.rules)
		lockout_check_filter(cli, name, MEMBERS_ADDED | MEMBERS_REMOVED,
				     NULL);
	return cli->json ? json_print(json_of_info(name, &info)) : EXIT_YES;
}

int verb_restore(struct cli *cli, const struct args *args)
{
	const char *file = args->operands[0];
	bool standard = !strcmp(file, "-");
	int fd, ret;

	if (args->operand_count > 1 && strcmp(args->operands[1], "as"))
		return error("restore does not know '%s': kcuckoo restore %s",
			     args->operands[1], cli->verb->usage);
	if (args->operand_count == 2)
		return error("'as' needs a name");
	if (args->operand_count > 2 && check_name(args->operands[2]))
		return -1;
	fd = standard ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return error("cannot read %s: %s", file, strerror(errno));
	ret = cli_open(cli);
	if (!ret)
		ret = restore_from(cli, args, fd,
				   standard ? "standard input" : file);
	if (!standard)
		close(fd);
	return ret;
}
