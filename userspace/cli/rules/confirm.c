// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions undo a change that is not confirmed in time.
 *
 * While a change waits for its confirmation, the folder PENDING has the state before
 * the change. The file "id" in the folder has the number of the change, and the time at
 * which the change is undone. The file "netns" has the network namespace of the change,
 * because all namespaces share the folder. Under the lock of lock_state(), a process
 * creates the file "kept" or "undone", keeps or undoes the change, and removes the
 * folder. If the process is killed, the file "kept" or "undone" shows the next process
 * whether to keep or to undo the change. A timer starts the command 'kcuckoo confirm
 * undo NUMBER', which does nothing unless the folder PENDING has the change NUMBER.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "delayed.h"
#include "message.h"
#include "rules/before.h"
#include "rules/confirm.h"

/*
 * PENDING is the folder of the change that waits for its confirmation. A saved state is
 * in the folder UNFINISHED before it is complete, and while it is being removed.
 */
#define STATE		"/run/kcuckoo"
#define PENDING		CONFIRM_FOLDER
#define UNFINISHED	STATE "/confirm.new"
#define ID_FILE		"/id"
#define NETNS_FILE	"/netns"
#define KEPT		PENDING "/kept"
#define UNDONE		PENDING "/undone"
#define OWN_NETNS	"/proc/self/ns/net"

/*
 * Size of a buffer for the number of a change as text: 16 hexadecimal digits and the
 * final zero.
 */
#define ID_TEXT		17

static int lock_state(void)
{
	int fd;

	if (mkdir(STATE, 0755) && errno != EEXIST)
		return error("cannot create %s: %s", STATE, strerror(errno));
	fd = open(STATE, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || flock(fd, LOCK_EX)) {
		error("cannot lock %s: %s", STATE, strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	return fd;
}

static int remove_folder(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;

	if (!folder)
		return errno == ENOENT ? 0 : -1;
	while ((entry = readdir(folder)))
		unlinkat(dirfd(folder), entry->d_name, 0);
	closedir(folder);
	return rmdir(path);
}

static int make_id(char id[ID_TEXT])
{
	uint64_t number;

	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		return error("cannot get a random number: %s", strerror(errno));
	snprintf(id, ID_TEXT, "%016llx", (unsigned long long)number);
	return 0;
}

static int write_id(const char *folder, const char *id, unsigned int seconds)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "%s" ID_FILE, folder);
	file = fopen(path, "we");
	if (file)
		fprintf(file, "%s %lld\n", id, (long long)time(NULL) + seconds);
	if (!file || fclose(file))
		return error("cannot write %s: %s", path, strerror(errno));
	return 0;
}

/*
 * Return: the argument of -n in a form that is valid in any working directory, or NULL
 * without -n.
 */
static const char *netns_argument(const struct cli *cli, char buf[PATH_MAX])
{
	if (cli->netns && strchr(cli->netns, '/') && realpath(cli->netns, buf))
		return buf;
	return cli->netns;
}

/*
 * Write the device and inode of the network namespace of this process, and the argument
 * of -n with which a command enters this namespace.
 */
static int write_netns(const struct cli *cli, const char *folder)
{
	char path[64], buf[PATH_MAX];
	struct stat own;
	FILE *file;

	if (stat(OWN_NETNS, &own))
		return error("cannot read " OWN_NETNS ": %s", strerror(errno));
	snprintf(path, sizeof(path), "%s" NETNS_FILE, folder);
	file = fopen(path, "we");
	if (file)
		fprintf(file, "%llu %llu %s", (unsigned long long)own.st_dev,
			(unsigned long long)own.st_ino,
			netns_argument(cli, buf) ?: "");
	if (!file || fclose(file))
		return error("cannot write %s: %s", path, strerror(errno));
	return 0;
}

/**
 * struct waiting_netns - the network namespace of the change that waits for its
 *	confirmation
 * @dev: device number of the file of the namespace
 * @ino: inode number of the file of the namespace
 * @name: argument of -n of the command that made the change, or empty
 */
struct waiting_netns {
	unsigned long long dev;
	unsigned long long ino;
	char name[PATH_MAX];
};

/*
 * Return: 0; 1 if an earlier version of this program made the change, without the file
 * "netns"; or -1 after an error message.
 */
static int read_netns(struct waiting_netns *netns)
{
	FILE *file = fopen(PENDING NETNS_FILE, "re");
	int found;

	*netns->name = 0;
	if (!file && errno == ENOENT)
		return 1;
	if (!file)
		return error("cannot read " PENDING NETNS_FILE ": %s", strerror(errno));
	found = fscanf(file, "%llu %llu", &netns->dev, &netns->ino);
	if (found == 2 && fgetc(file) == ' ')
		netns->name[fread(netns->name, 1, sizeof(netns->name) - 1, file)] = 0;
	fclose(file);
	return found == 2 ? 0 : error(PENDING NETNS_FILE " is damaged");
}

/*
 * Write the arguments "-n NAME " of a command to @buf, or an empty text if @netns has no
 * name.
 */
static const char *netns_words(const struct waiting_netns *netns, char *buf, size_t size)
{
	char name[256];

	*buf = 0;
	if (*netns->name)
		snprintf(buf, size, "-n %s ", escape(netns->name, strlen(netns->name),
						     name, sizeof(name)));
	return buf;
}

/*
 * Check that this process is in the network namespace of the change, because another
 * namespace can have other filters with the same names. Return: 0, also if the namespace
 * of the change is unknown; or -1 after an error message.
 */
static int check_netns(void)
{
	struct waiting_netns netns;
	int ret = read_netns(&netns);
	char words[300], name[256];
	struct stat own;

	if (ret)
		return ret > 0 ? 0 : -1;
	if (stat(OWN_NETNS, &own))
		return error("cannot read " OWN_NETNS ": %s", strerror(errno));
	if (own.st_dev == netns.dev && own.st_ino == netns.ino)
		return 0;
	if (!*netns.name)
		return hint(error("the change was made in another network namespace"),
			    "'kcuckoo confirm undo' in that namespace undoes it");
	return hint(error("the change was made in namespace %s",
			  escape(netns.name, strlen(netns.name), name, sizeof(name))),
		    "'kcuckoo %sconfirm undo' undoes it",
		    netns_words(&netns, words, sizeof(words)));
}

static int waits_error(void)
{
	struct waiting_netns netns;
	char words[300];

	if (read_netns(&netns) < 0)
		return -1;
	return hint(error("another change waits for its confirmation"),
		    "'kcuckoo confirm' keeps it, 'kcuckoo %sconfirm undo' undoes it",
		    netns_words(&netns, words, sizeof(words)));
}

static bool read_id(char id[ID_TEXT])
{
	FILE *file = fopen(PENDING ID_FILE, "re");
	bool found = false;

	if (file) {
		found = fgets(id, ID_TEXT, file);
		fclose(file);
	}
	return found;
}

bool confirm_waits(time_t *until)
{
	FILE *file = fopen(PENDING ID_FILE, "re");
	struct waiting_netns netns;
	long long when = -1;
	struct stat own;

	*until = -1;
	/*
	 * Only root is allowed to read files in the folder PENDING. If the kernel
	 * denies access, the folder exists, so a change waits.
	 */
	if (!file)
		return errno == EACCES;
	if (fscanf(file, "%*s %lld", &when) == 1)
		*until = when;
	fclose(file);
	return read_netns(&netns) || stat(OWN_NETNS, &own) ||
	       (own.st_dev == netns.dev && own.st_ino == netns.ino);
}

static void name_unit(char *buf, size_t size, const char *id)
{
	snprintf(buf, size, "kcuckoo-confirm-%s", id);
}

/*
 * Return: true if this process is in the network namespace of process 1, where units of
 * systemd run.
 */
static bool is_first_netns(void)
{
	struct stat own, first;

	return !stat("/proc/self/ns/net", &own) &&
	       !stat("/proc/1/ns/net", &first) && own.st_ino == first.st_ino;
}

static int start_undo(struct cli *cli, unsigned int seconds, char *id)
{
	char command[PATH_MAX], netns[PATH_MAX], unit[64];
	char *argv[8] = { command };
	int count = 1;
	ssize_t length;

	length = readlink("/proc/self/exe", command, sizeof(command) - 1);
	if (length < 0)
		return error("cannot find this program: %s", strerror(errno));
	command[length] = 0;
	if (cli->netns) {
		argv[count++] = "-n";
		argv[count++] = (char *)netns_argument(cli, netns);
	}
	argv[count++] = "confirm";
	argv[count++] = "undo";
	argv[count] = id;
	name_unit(unit, sizeof(unit), id);
	/*
	 * With -n, the timer need not be in the namespace: the started program enters
	 * the namespace itself.
	 */
	return delayed_start(is_first_netns() ? unit : NULL, seconds, cli->netns, argv);
}

/* The caller holds the lock of lock_state(). */
static int arm_locked(struct cli *cli, const struct confirm_change *change)
{
	char id[ID_TEXT], unit[64];

	if (read_id(id))
		return waits_error();
	if (remove_folder(UNFINISHED) || remove_folder(PENDING) ||
	    mkdir(UNFINISHED, 0700))
		return error("cannot create %s: %s", UNFINISHED, strerror(errno));
	if (before_save(cli, UNFINISHED, change->filters, change->count) ||
	    (change->save && change->save(change->context, UNFINISHED)) ||
	    make_id(id) || write_id(UNFINISHED, id, change->seconds) ||
	    write_netns(cli, UNFINISHED))
		return -1;
	/*
	 * Start the timer before the folder gets the name PENDING. If this process is
	 * killed between the two steps, no change waits, and the timer has nothing to
	 * undo. If the timer expires between the two steps, the program that the timer
	 * starts waits for the lock.
	 */
	if (start_undo(cli, change->seconds, id))
		return -1;
	if (!rename(UNFINISHED, PENDING))
		return 0;
	error("cannot create %s: %s", PENDING, strerror(errno));
	name_unit(unit, sizeof(unit), id);
	delayed_stop(unit);
	return -1;
}

int confirm_arm(struct cli *cli, const struct confirm_change *change)
{
	int fd = lock_state(), ret;

	if (fd < 0)
		return -1;
	ret = arm_locked(cli, change);
	if (ret)
		remove_folder(UNFINISHED);
	close(fd);
	return ret;
}

static int decide(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		return error("cannot write %s: %s", path, strerror(errno));
	close(fd);
	return 0;
}

static bool is_decided(const char *path)
{
	return !access(path, F_OK);
}

/* If this process is killed, PENDING either has all of its files or does not exist. */
static int remove_pending(void)
{
	if (remove_folder(UNFINISHED) || rename(PENDING, UNFINISHED))
		return error("cannot remove %s: %s", PENDING, strerror(errno));
	remove_folder(UNFINISHED);
	return 0;
}

static void stop_timer(const char *id)
{
	char unit[64];

	name_unit(unit, sizeof(unit), id);
	delayed_stop(unit);
}

static int keep_locked(const char *id, const struct confirm_end *end)
{
	if (is_decided(UNDONE))
		return hint(error("a process was killed while it undid the change"),
			    "'kcuckoo confirm undo' undoes the rest");
	if (decide(KEPT) || (end && end->keep(PENDING)) || remove_pending())
		return -1;
	stop_timer(id);
	return 0;
}

int confirm_keep(const struct confirm_end *end)
{
	int fd = lock_state(), ret = 1;
	char id[ID_TEXT];

	if (fd < 0)
		return -1;
	if (read_id(id))
		ret = keep_locked(id, end);
	close(fd);
	return ret;
}

int confirm_drop(void)
{
	int fd = lock_state(), ret = 0;
	char id[ID_TEXT];

	if (fd < 0)
		return -1;
	if (read_id(id)) {
		ret = remove_pending();
		stop_timer(id);
	}
	close(fd);
	return ret;
}

/*
 * The caller holds the lock of lock_state(). After an error, the user can still keep the
 * change.
 */
static int undo_locked(struct cli *cli, const struct confirm_end *end)
{
	if (check_netns() || decide(UNDONE))
		return -1;
	if (!before_restore(cli, PENDING) && !(end && end->undo(PENDING)))
		return remove_pending();
	unlink(UNDONE);
	return -1;
}

int confirm_undo(struct cli *cli, const char *id, const struct confirm_end *end)
{
	int fd = lock_state(), ret = 1;
	char found[ID_TEXT];

	if (fd < 0)
		return -1;
	if (!read_id(found) || (id && strcmp(id, found)))
		ret = 1;
	else if (is_decided(KEPT))
		ret = keep_locked(found, end) ? -1 : 1;
	else
		ret = undo_locked(cli, end);
	/* The program that the timer starts passes @id; without @id the timer can still run. */
	if (!ret && !id)
		stop_timer(found);
	close(fd);
	return ret;
}
