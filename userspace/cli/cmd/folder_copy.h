/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions replace, duplicate and remove folders that have only files, such as the
 * copy of the configuration that was applied last.
 */
#ifndef KCUCKOO_CLI_FOLDER_COPY_H
#define KCUCKOO_CLI_FOLDER_COPY_H

/*
 * Remove the file or folder @path. A subfolder that is not empty stays, and so does @path.
 * Ignore errors.
 */
void folder_remove(const char *path);

/*
 * Replace the folder @to by the folder @from; @to is allowed to be missing. After a crash,
 * @to is the old or the new folder. On a file system that cannot exchange two folders, @to
 * can also be missing or incomplete after a crash. Return: 0 or a negative errno.
 */
int folder_replace(const char *from, const char *to);

/*
 * Remove the folder @to, and create it again with hard links to the files of the folder
 * @from. Leave out files whose names begin with a dot. If @from is missing, @to has no
 * files. Return: 0 or a negative errno.
 */
int folder_link(const char *from, const char *to);

#endif /* KCUCKOO_CLI_FOLDER_COPY_H */
