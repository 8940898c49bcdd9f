/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions replace files so that, after a crash or a power cut, each file has
 * its old or its new content. The verb fetch calls these functions for lists, and other
 * verbs call file_replace().
 */
#ifndef KCUCKOO_CLI_FILES_H
#define KCUCKOO_CLI_FILES_H

#include <stddef.h>

/* Name of the user that fetches lists and owns their files, if this user exists. */
#define FILES_USER	"_kcuckoo"

/* Size of a buffer for the name of a file of a list, without its folder, in bytes. */
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

/**
 * file_begin() - begin to replace a file
 * @update: out: state of the replacement; the caller writes the new content to @fd of
 *	@update, and then calls file_finish()
 * @folder: descriptor of the folder of the file
 * @name: name of the file, which must stay valid until file_finish()
 *
 * The temporary file always has the name .NAME.tmp, where NAME is @name. So processes
 * that were killed leave at most one temporary file for @name, and the next
 * file_begin() for @name removes this file.
 *
 * Context: the caller makes sure that no other process replaces the file at the same
 * time.
 *
 * Return: 0 or a negative errno.
 */
int file_begin(struct file_update *update, int folder, const char *name);

/**
 * file_finish() - replace the file by the temporary file, and close the temporary file
 * @update: state of the replacement, from file_begin()
 * @ret: 0; or a negative errno to keep the old file and return @ret
 *
 * After success, the new content is on the disk.
 *
 * Return: 0 or a negative errno.
 */
int file_finish(struct file_update *update, int ret);

/**
 * file_replace() - replace a file by bytes in memory
 * @path: path of the file
 * @bytes: the new content
 * @length: number of bytes
 *
 * After success, the new content is on the disk.
 *
 * Context: the caller makes sure that no other process replaces the file at the same
 * time.
 *
 * Return: 0; -ENAMETOOLONG if the name without the folder has FILE_NAME bytes or more;
 * or another negative errno.
 */
int file_replace(const char *path, const void *bytes, size_t length);

/**
 * file_write() - write all bytes to a descriptor
 * @fd: the descriptor
 * @bytes: the bytes
 * @length: number of bytes
 *
 * Return: 0 or a negative errno.
 */
int file_write(int fd, const void *bytes, size_t length);

/**
 * file_remove() - remove a file, if it exists
 * @folder: descriptor of the folder of the file
 * @name: name of the file
 *
 * After success, the removal is on the disk.
 *
 * Return: 0, also if the file does not exist; or a negative errno.
 */
int file_remove(int folder, const char *name);

#endif /* KCUCKOO_CLI_FILES_H */
