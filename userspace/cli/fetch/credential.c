// SPDX-License-Identifier: GPL-2.0-only
/*
 * credential_read() reads a secret that a server needs.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fetch/credential.h"

/* Folder of the credentials that systemd does not pass to the service. */
#define FOLDER		"/etc/kcuckoo/credentials"

/*
 * Permissions that a file must not have: OTHERS_OWN in FOLDER, OTHERS_SYSTEMD in the folder
 * CREDENTIALS_DIRECTORY. There, systemd gives the user of the service access to files by an
 * access control list. stat() then returns the mask of that list as the permissions of the
 * group, so OTHERS_SYSTEMD permits the group to read the file.
 */
#define OTHERS_OWN	077
#define OTHERS_SYSTEMD	037

/* @others: out: the permissions that the file must not have. */
static int open_file(const char *name, mode_t *others)
{
	const char *folder = getenv("CREDENTIALS_DIRECTORY");
	char path[PATH_MAX];
	int fd = -1;

	*others = OTHERS_SYSTEMD;
	if (folder && snprintf(path, sizeof(path), "%s/kcuckoo_%s", folder, name) <
	    (int)sizeof(path))
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0)
		return fd;
	*others = OTHERS_OWN;
	snprintf(path, sizeof(path), FOLDER "/%s", name);
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static const char *check_file(int fd, mode_t others)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return "is not a regular file";
	return st.st_mode & others ? "can be read by other users: chmod 600" : NULL;
}

static const char *read_line(int fd, char *text, size_t size)
{
	ssize_t length = read(fd, text, size);
	size_t line;

	if (length < 0)
		return "cannot be read";
	if ((size_t)length == size)
		return "is too long";
	text[length] = 0;
	line = strcspn(text, "\r\n");
	if (!line || text[line + strspn(text + line, "\r\n")] ||
	    strlen(text) != (size_t)length)
		return "must have one line";
	text[line] = 0;
	return strchr(text, ':') ? NULL :
	       "must be 'user:password', or a header 'Name: value'";
}

const char *credential_read(const char *name, char *text, size_t size)
{
	const char *why;
	mode_t others;
	int fd;

	if (strchr(name, '/'))
		return "has a name with a slash";
	fd = open_file(name, &others);
	if (fd < 0)
		return errno == ENOENT ? "does not exist" : "cannot be opened";
	why = check_file(fd, others);
	if (!why)
		why = read_line(fd, text, size);
	close(fd);
	return why;
}
