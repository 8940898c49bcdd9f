/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions replace files so that, after a crash or a power cut, each file has
 * its old or its new content.
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
 * @fd: descriptor of the temporary file with the new content, which is locked
 * @temporary: name of the temporary file
 */
struct file_update {
	int folder;
	const char *name;
	int fd;
	char temporary[256];
};

/**
 * file_begin() - begin to replace a file
 * @update: out: state of the replacement; the caller writes the new content to @fd of
 *	@update, and then calls file_finish()
 * @folder: descriptor of the folder of the file
 * @name: name of the file, which must stay valid until file_finish()
 *
 * Several processes can replace the same file at the same time: each has its own
 * temporary file, and the last file_finish() decides which content the file has. The name
 * of the first temporary file is .NAME.tmp, where NAME is @name, or the beginning of a
 * long @name; the names of other temporary files are .NAME.1.tmp, .NAME.2.tmp and so on.
 * A process that is killed leaves its temporary file, which a later file_begin() for @name
 * removes. The lock of a temporary file, which ends with its process, shows whether the
 * file is still needed.
 *
 * Return: 0; -EBUSY if too many temporary files exist; or another negative errno.
 */
int file_begin(struct file_update *update, int folder, const char *name);

/**
 * file_finish() - replace the file by the temporary file, and close the temporary file
 * @update: state of the replacement, from file_begin()
 * @ret: 0; or a negative errno to keep the old file and return @ret
 *
 * After success, the new content is on the disk. After an error, the file has its old
 * content, with one exception: if fsync() of the folder fails, which is the last step,
 * the file has its new content, but after a crash it can have its old content.
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
 * Several processes can call this function for the same file at the same time, see
 * file_begin(). For the content of the file after success or an error, see file_finish().
 *
 * Return: 0 or a negative errno.
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
