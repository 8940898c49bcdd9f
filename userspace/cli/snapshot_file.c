// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions save filters to snapshot files, and open snapshot files for
 * restore.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "snapshot_file.h"

int snapshot_write(struct cli *cli, const char *name, int fd, const char *file)
{
	const char *why;
	int ret = kcuckoo_save(cli->handle, name, fd, &why);

	if (ret && why)
		return error("cannot write %s: %s", file, why);
	return ret ? filter_error(cli, ret, name, "save") : 0;
}

/*
 * A snapshot is secret: if @file exists, it must be a regular file, and only its owner may
 * have access to it.
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

static int open_folder(const char *file)
{
	char *copy = strdup(file);
	int fd;

	if (!copy)
		return -1;
	fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(copy);
	return fd;
}

/* Sync the folder of @file: a rename is on the disk only after its folder was synced. */
static int sync_folder(const char *file)
{
	int fd = open_folder(file), ret = -1;

	if (fd >= 0) {
		ret = fsync(fd);
		close(fd);
	}
	return ret;
}

/*
 * The path of the temporary file that save_named() writes, or NULL, for the signal
 * handler.
 */
static const char *volatile unfinished;

static void remove_unfinished(int number)
{
	const char *file = unfinished;

	if (file)
		unlink(file);
	/*
	 * The kernel delivers this signal when the handler returns. SA_RESETHAND
	 * has restored the default action, so the signal ends the process.
	 */
	raise(number);
}

/*
 * Create a temporary file and a signal handler that removes the file. The file will
 * contain the secret of the hash of a filter, so the file must not stay if SIGTERM or a
 * similar signal ends the process. @temp_path ends with XXXXXX, which is replaced.
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

/* For file systems without O_TMPFILE: the temporary file has a name from the start. */
static int save_named(struct cli *cli, const char *name, const char *file)
{
	char *temp_path;
	int fd, ret;

	if (asprintf(&temp_path, "%s.XXXXXX", file) < 0)
		return error("not enough memory");
	fd = make_unfinished(temp_path);
	if (fd < 0) {
		ret = error("cannot write a temporary file for %s: %s", file,
			    strerror(errno));
	} else {
		ret = snapshot_write(cli, name, fd, file);
		if (!ret && (fsync(fd) || rename(temp_path, file)))
			ret = error("cannot write %s: %s", file, strerror(errno));
		close(fd);
		if (ret)
			unlink(temp_path);
	}
	unfinished = NULL;
	free(temp_path);
	return ret;
}

static int link_file(int fd, const char *path)
{
	char source[32];

	/* AT_EMPTY_PATH needs a capability; the path in /proc does not. */
	if (!linkat(fd, "", AT_FDCWD, path, AT_EMPTY_PATH))
		return 0;
	if (errno == EEXIST)
		return -1;
	snprintf(source, sizeof(source), "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

/*
 * Give the file @fd, which has no name, the name @file. linkat() does not replace a file,
 * so give @fd the name @temp_path first, then rename it. The caller holds the lock of the
 * folder.
 */
static int replace_by(int fd, const char *file, const char *temp_path)
{
	int ret, why;

	unlink(temp_path);
	ret = link_file(fd, temp_path);
	if (!ret)
		ret = rename(temp_path, file);
	/* The file has the secret of the filter: do not leave it after a failure. */
	why = errno;
	if (ret)
		unlink(temp_path);
	errno = why;
	return ret;
}

/*
 * Sync the file @fd, and give it the name @file. Other processes can save to @file at the
 * same time, with the same temporary name, so lock the folder.
 */
static int finish_unnamed(int fd, const char *file)
{
	const char *slash = strrchr(file, '/');
	int length = slash ? slash + 1 - file : 0, folder, ret = -1;
	sigset_t all, before;
	char *temp_path;

	if (asprintf(&temp_path, "%.*s.%s.tmp", length, file, file + length) < 0)
		return -1;
	folder = open_folder(file);
	if (folder >= 0 && !fsync(fd) && !flock(folder, LOCK_EX)) {
		/* A signal that ends the process must not leave the temporary name. */
		sigfillset(&all);
		sigprocmask(SIG_BLOCK, &all, &before);
		ret = replace_by(fd, file, temp_path);
		sigprocmask(SIG_SETMASK, &before, NULL);
	}
	if (folder >= 0)
		close(folder);
	free(temp_path);
	return ret;
}

/* Return: 0; 1 if the file system does not support O_TMPFILE; or -1 after an error message. */
static int save_unnamed(struct cli *cli, const char *name, const char *file)
{
	char *copy = strdup(file);
	int fd, ret;

	if (!copy)
		return error("not enough memory");
	fd = open(dirname(copy), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	free(copy);
	if (fd < 0)
		return errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL ?
		       1 : error("cannot write a temporary file for %s: %s", file,
				 strerror(errno));
	ret = snapshot_write(cli, name, fd, file);
	if (!ret && finish_unnamed(fd, file))
		ret = error("cannot write %s: %s", file, strerror(errno));
	close(fd);
	return ret;
}

int snapshot_save(struct cli *cli, const char *name, const char *file)
{
	int ret;

	if (check_file(file))
		return -1;
	ret = save_unnamed(cli, name, file);
	if (ret > 0)
		ret = save_named(cli, name, file);
	if (!ret && sync_folder(file))
		ret = error("cannot write the folder of %s: %s", file,
			    strerror(errno));
	return ret;
}

int snapshot_open(const char *file, int flags)
{
	int fd = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC | flags);
	struct stat st;

	if (fd < 0 && errno == ENOENT)
		return -ENOENT;
	if (fd < 0 || fstat(fd, &st)) {
		int ret = -errno;

		error("cannot read %s: %s", file, strerror(errno));
		if (fd >= 0)
			close(fd);
		return ret;
	}
	if (S_ISREG(st.st_mode))
		return fd;
	close(fd);
	error("cannot read %s: it is not a regular file", file);
	return -EINVAL;
}

bool snapshot_has_other_version(int ret, const char *why)
{
	/* For an intact snapshot that the module refuses, the library sets no text. */
	return ret == -EBADMSG && (!why || strstr(why, "format version"));
}

const char *snapshot_error_text(int ret, const char *why)
{
	if (why)
		return why;
	return ret == -EBADMSG ? "the module does not read its format version" :
				 kcuckoo_strerror(ret);
}
