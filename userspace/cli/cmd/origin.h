/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * origins_find() finds the entries of lists that cover an address, for the verb explain.
 * origins_find() searches the files of a list, or the last good copy of a list with a url.
 */
#ifndef KCUCKOO_CLI_ORIGIN_H
#define KCUCKOO_CLI_ORIGIN_H

#include "conf/config.h"

/* Maximum number of entries in @items of struct origins. */
#define ORIGINS_MAX	100

/**
 * struct origin - an entry of a list that covers the address
 * @list: name of the section [list]; or path of the file, if the list has no section
 * @file: file that has the entry, which can be a file in an archive
 * @line: number of the line that has the entry, from 1. For a JSON document,
 *	number of the line at which the document begins. For a database, number
 *	of the entry
 * @entry: number of the entry in a JSON document, or 0
 * @text: text of the line, or of the entry
 * @exception: the filter leaves out the addresses of the entry
 */
struct origin {
	char *list;
	char *file;
	__u64 line;
	__u64 entry;
	char *text;
	bool exception;
};

/**
 * struct origin_gap - a file or last good copy that was not searched completely
 * @list: the list, in the form of @list of struct origin
 * @why: the reason
 */
struct origin_gap {
	char *list;
	char *why;
};

/**
 * struct origins - result of origins_find() for a filter and an address
 * @unread: the configuration that made the filter cannot be read, so origins_find() was
 *	not called
 * @known: the configuration was read, and has lists for the filter
 * @searched: number of files and last good copies that were searched completely
 * @items: the entries that cover the address, at most ORIGINS_MAX
 * @count: number of elements of @items
 * @more: number of further entries, which are not in @items
 * @gaps: files and last good copies that were not searched completely
 * @gap_count: number of elements of @gaps
 */
struct origins {
	bool unread;
	bool known;
	int searched;
	struct origin *items;
	size_t count;
	__u64 more;
	struct origin_gap *gaps;
	size_t gap_count;
};

/*
 * Search the lists of a filter for entries that cover @address. @filter: section of the
 * filter in the configuration; or NULL if the configuration has no such section. Return:
 * 0, or -1 after an error message. The caller calls origins_free() even after an error.
 */
int origins_find(const struct cli *cli, const struct config_filter *filter,
		 const struct kcuckoo_prefix *address, struct origins *origins);

/* Free the arrays @items and @gaps of @origins, and the texts in these arrays. */
void origins_free(struct origins *origins);

#endif /* KCUCKOO_CLI_ORIGIN_H */
