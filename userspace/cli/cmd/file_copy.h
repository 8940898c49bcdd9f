/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions keep the last good copy of a list with files, as fetch keeps
 * that of a list with a url, see fetch/canonical.h. A copy is in a folder of the
 * state. The name of its file is a hash of the name of the list and its paths.
 */
#ifndef KCUCKOO_CLI_FILE_COPY_H
#define KCUCKOO_CLI_FILE_COPY_H

#include <time.h>

#include "conf/config.h"
#include "fetch/canonical.h"
#include "fetch/files.h"
#include "keys/guard.h"

/*
 * The values of the argument @copies: the folder of the copies; and the folder that
 * apply --confirm uses until the change is confirmed, see cmd/unconfirmed.h.
 */
#define FILE_COPIES		"files"
#define FILE_COPIES_UNCONFIRMED	"files.unconfirmed"

/**
 * struct file_copy - the last good copy of a list with files
 * @folder: descriptor of the folder of copies, or -1 if it is missing
 * @id: the hash, which the first line of the copy has as the name of the list
 * @file: name of the file
 * @good: description of the copy; no name if there is none
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
 * Read the copy of @list, if there is one. If the copy is damaged, warn, and treat it as
 * missing. @all: @list keeps its bogons. A list that keeps its bogons for one filter and
 * not for another has two copies. Return: 0, or -1 after an error message. Call
 * file_copy_close() in any case.
 */
int file_copy_open(const struct cli *cli, const char *copies,
		   const struct config_list *list, bool all, struct file_copy *copy);
void file_copy_close(struct file_copy *copy);

/* Return: true if there is a copy. */
bool file_copy_exists(const struct file_copy *copy);

/* Return: true if there is a copy, and it has the members @set. */
bool file_copy_equals(const struct file_copy *copy, const struct keyset *set);

/* Make the copy equal to @set. Return: 0, or -1 after an error message. */
int file_copy_keep(const struct cli *cli, const char *copies, struct file_copy *copy,
		   const struct keyset *set);

/*
 * Remove the copies of lists that no filter of the configuration names any more. The
 * caller has applied the configuration. Return: 0, or -1 after an error message.
 */
int file_copies_remove(const struct cli *cli, const char *copies,
		       const struct config *config);

#endif /* KCUCKOO_CLI_FILE_COPY_H */
