/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions keep the last good copies of lists that have files, in a folder of the
 * state, see cmd/folders.h. The format of a copy is that of fetch/canonical.h. The verb
 * fetch keeps the last good copies of lists that have a URL.
 */
#ifndef KCUCKOO_CLI_FILE_COPY_H
#define KCUCKOO_CLI_FILE_COPY_H

#include <time.h>

#include "conf/config.h"
#include "fetch/canonical.h"
#include "fetch/files.h"
#include "keys/guard.h"

/*
 * Names of folders for the argument @copies. apply --confirm uses the second folder until
 * the user confirms the change, see cmd/unconfirmed.h.
 */
#define FILE_COPIES		"files"
#define FILE_COPIES_UNCONFIRMED	"files.unconfirmed"

/**
 * struct file_copy - the last good copy of a list with files
 * @folder: descriptor of the folder of copies, or -1 if the folder is missing
 * @id: digits of a hash of the name of the list, the paths of its files, and the argument
 *	@all of file_copy_open(); the first line of the copy has @id instead of the name of
 *	the list
 * @file: name of the file of the copy, which begins with @id
 * @good: the first line of the copy; its @name is empty if file_copy_open() has read no
 *	copy
 * @confirmed: time at which the copy was written
 * @set: members of the copy
 */
struct file_copy {
	int folder;
	char id[KCUCKOO_NAME_SIZE];
	char file[FILE_NAME];
	struct canonical good;
	time_t confirmed;
	struct keyset set;
};

/*
 * Read the copy of @list to @copy, if the copy exists. If the copy is damaged or cannot be
 * read, warn, and treat the copy as missing. @all: the copy includes the bogons of @list.
 * If one filter keeps the bogons of a list and another filter leaves them out, the list has
 * two copies. Return: 0, or -1 after an error message. The caller calls file_copy_close()
 * in any case.
 */
int file_copy_open(const struct cli *cli, const char *copies,
		   const struct config_list *list, bool all, struct file_copy *copy);
void file_copy_close(struct file_copy *copy);

/* Return: true if file_copy_open() has read a copy. */
bool file_copy_exists(const struct file_copy *copy);

/* Return: true if file_copy_open() has read a copy, and its members are equal to @set. */
bool file_copy_equals(const struct file_copy *copy, const struct keyset *set);

/*
 * Write the members @set to the file of the copy, and create the folder @copies if it is
 * missing. Return: 0, or -1 after an error message.
 */
int file_copy_keep(const struct cli *cli, const char *copies, struct file_copy *copy,
		   const struct keyset *set);

/*
 * In the folder @copies, remove the copies of lists that no filter of @config uses. Return:
 * 0, or -1 after an error message.
 */
int file_copies_remove(const struct cli *cli, const char *copies,
		       const struct config *config);

#endif /* KCUCKOO_CLI_FILE_COPY_H */
