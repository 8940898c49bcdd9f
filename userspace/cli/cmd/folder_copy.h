/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions replace, link and remove folders that have only files, such as the
 * copy of the configuration that was applied last.
 */
#ifndef KCUCKOO_CLI_FOLDER_COPY_H
#define KCUCKOO_CLI_FOLDER_COPY_H

/*
 * Remove the file or folder @path. The folder may have only files and empty folders.
 * Errors are ignored.
 */
void folder_remove(const char *path);

/*
 * Replace the folder @to, which may be missing, by the folder @from. If the system
 * crashes, @to is the old or the new folder afterwards. Return: 0 or a negative errno.
 */
int folder_replace(const char *from, const char *to);

/*
 * Remove the folder @to, and create it again with hard links to the files of the folder
 * @from. Leave out files whose names begin with a dot. If @from is missing, @to has no
 * files. Return: 0 or a negative errno.
 */
int folder_link(const char *from, const char *to);

#endif /* KCUCKOO_CLI_FOLDER_COPY_H */
