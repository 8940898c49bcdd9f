/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions replace files so that a crash or a power cut leaves the old
 * or the new content, for the lists of the verb fetch and for files of other
 * verbs.
 */
#ifndef KCUCKOO_CLI_FILES_H
#define KCUCKOO_CLI_FILES_H

#include <stddef.h>

/* The user that fetches lists, if this user exists. */
#define FILES_USER	"_kcuckoo"

/* Size of a buffer for the name of a file of a list, without its folder. */
#define FILE_NAME	64

/**
 * struct file_update - a file that is being replaced
 * @folder: descriptor of the folder of the file
 * @name: name of the file
 * @fd: descriptor of the temporary file with the new content
 */
struct file_update {
	int folder;
	const char *name;
	int fd;
};

/*
 * Begin to replace the file @name in the folder @folder. The caller writes the
 * new content to @fd of @update, and calls file_finish(). The temporary file
 * always has the same name, so a process that was killed leaves at most one
 * such file, and the next update replaces it. The caller makes sure that no
 * other process replaces the file at the same time. Return: 0 or a negative
 * errno.
 */
int file_begin(struct file_update *update, int folder, const char *name);

/*
 * Replace the file, and return when the new content is on the disk. If @ret is
 * a negative errno, keep the old file instead, and return @ret. Return: 0 or a
 * negative errno.
 */
int file_finish(struct file_update *update, int ret);

/*
 * Replace the content of the file @path by @length bytes, with file_begin() and
 * file_finish(). Return: 0 or a negative errno.
 */
int file_replace(const char *path, const void *bytes, size_t length);

/* Write all bytes. Return: 0 or a negative errno. */
int file_write(int fd, const void *bytes, size_t length);

/* Remove the file @name, if it exists. Return: 0 or a negative errno. */
int file_remove(int folder, const char *name);

#endif /* KCUCKOO_CLI_FILES_H */
