// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replacing of files: a file always has the complete content of one of the processes that
 * replace the file, also if they overlap or are killed.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fetch/files.h"
#include "tap.h"

/* Name of a file. */
#define NAME	"k.prom"

static char path[] = "/tmp/files.XXXXXX";
static int folder;

static void begin(struct file_update *update, const char *name)
{
	int ret = file_begin(update, folder, name);

	tap_require(!ret, "file_begin() returned %d", ret);
}

static void write_text(struct file_update *update, const char *text)
{
	tap_require(!file_write(update->fd, text, strlen(text)), "cannot write");
}

static void finish(struct file_update *update)
{
	int ret = file_finish(update, 0);

	tap_require(!ret, "file_finish() returned %d", ret);
}

static void require_content(const char *name, const char *text)
{
	char buffer[64] = "";
	int fd = openat(folder, name, O_RDONLY);

	tap_require(fd >= 0, "no file %s", name);
	tap_require(read(fd, buffer, sizeof(buffer) - 1) >= 0, "cannot read");
	close(fd);
	tap_require(!strcmp(buffer, text), "'%s', not '%s'", buffer, text);
}

/* Remove all files. Return: their number. */
static int remove_all(void)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	int count = 0;

	while (dir && (entry = readdir(dir)))
		count += !unlinkat(folder, entry->d_name, 0);
	if (dir)
		closedir(dir);
	return count;
}

static bool exists(const char *name)
{
	return !faccessat(folder, name, F_OK, AT_SYMLINK_NOFOLLOW);
}

static void test_overlap(void)
{
	struct file_update first, second, third;

	begin(&first, NAME);
	write_text(&first, "first");
	begin(&second, NAME);
	write_text(&second, "second ");
	finish(&first);
	require_content(NAME, "first");
	begin(&third, NAME);
	write_text(&second, "file");
	finish(&second);
	require_content(NAME, "second file");
	tap_require(file_finish(&third, -EIO) == -EIO, "no error");
	require_content(NAME, "second file");
	tap_require(remove_all() == 1, "a temporary file remains");
}

/* Let a process begin to replace a file, and be killed. */
static void kill_writer(const char *name)
{
	struct file_update update;
	pid_t pid = fork();
	int status;

	if (!pid) {
		if (!file_begin(&update, folder, name) && !file_write(update.fd, "half", 4))
			raise(SIGKILL);
		_exit(1);
	}
	tap_require(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status),
		    "the process did not die");
}

static void test_killed(void)
{
	struct file_update update;

	kill_writer(NAME);
	tap_require(exists("." NAME ".tmp") && !exists(NAME), "no leftover");
	begin(&update, NAME);
	kill_writer(NAME);
	tap_require(exists("." NAME ".1.tmp"), "no second leftover");
	write_text(&update, "new");
	finish(&update);
	require_content(NAME, "new");
	kill_writer(NAME);
	begin(&update, NAME);
	kill_writer(NAME);
	kill_writer(NAME);
	tap_require(exists("." NAME ".1.tmp") && !exists("." NAME ".2.tmp"),
		    "leftovers accumulate");
	tap_require(file_finish(&update, -EIO) == -EIO, "no error");
	tap_require(remove_all() == 2, "a temporary file remains");
}

static void test_long(void)
{
	struct file_update one, other;
	char name[256], same[256];

	memset(name, 'n', 255);
	name[255] = 0;
	strcpy(same, name);
	same[254] = 'm';
	begin(&one, name);
	begin(&other, same);
	write_text(&one, "one");
	write_text(&other, "other");
	finish(&other);
	finish(&one);
	require_content(name, "one");
	require_content(same, "other");
	tap_require(remove_all() == 2, "a temporary file remains");
}

static void test_foreign(void)
{
	struct file_update update;

	/* A pipe must not make file_begin() wait, and a link must not be followed. */
	tap_require(!mkfifoat(folder, "." NAME ".tmp", 0600), "no pipe");
	begin(&update, NAME);
	write_text(&update, "new");
	finish(&update);
	tap_require(!symlinkat("other", folder, "." NAME ".tmp"), "no link");
	begin(&update, NAME);
	finish(&update);
	require_content(NAME, "");
	tap_require(!exists("other"), "the target of the link exists");
	remove_all();
}

static void test_many(void)
{
	struct file_update updates[64], update;
	int i, count, ret = 0;

	for (count = 0; count < 64 && !ret; count += !ret)
		ret = file_begin(&updates[count], folder, NAME);
	tap_require(ret == -EBUSY && count > 8, "%d after %d", ret, count);
	for (i = 0; i < count; i++)
		finish(&updates[i]);
	begin(&update, NAME);
	finish(&update);
	tap_require(remove_all() == 1, "a temporary file remains");
}

static const struct tap_test tests[] = {
	{ "files.overlap: calls that overlap leave the complete content of the last one",
	  test_overlap },
	{ "files.killed: a later call removes the temporary file of a killed process",
	  test_killed },
	{ "files.long: a name can have 255 bytes", test_long },
	{ "files.foreign: a pipe or link with the temporary name does no harm", test_foreign },
	{ "files.many: too many calls at the same time are an error, and not damage",
	  test_many },
};

int main(int argc, char **argv)
{
	int ret;

	if (!mkdtemp(path))
		return 2;
	folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return 2;
	ret = tap_main(argc, argv, tests, TAP_COUNT(tests));
	remove_all();
	close(folder);
	rmdir(path);
	return ret;
}
