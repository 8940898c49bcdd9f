/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions replace and remove folders that have only files, such as the copy
 * of the configuration that was applied last.
 */
#ifndef KCUCKOO_CLI_FOLDER_COPY_H
#define KCUCKOO_CLI_FOLDER_COPY_H

/*
 * Remove the folder @path, which has only files and empty folders; or the file @path.
 */
void folder_remove(const char *path);

/*
 * Replace the folder @to, which may be missing, by the folder @from. After a crash,
 * @to is the old or the new one. Return: 0 or a negative errno.
 */
int folder_replace(const char *from, const char *to);

/*
 * Create the folder @to with hard links to the files of the folder @from; without
 * files if @from is missing. Names that begin with a dot are left out. Remove what
 * @to had. Return: 0 or a negative errno.
 */
int folder_link(const char *from, const char *to);

#endif /* KCUCKOO_CLI_FOLDER_COPY_H */
