/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions find the entries of lists that cover an address.
 */
#ifndef KCUCKOO_CLI_ORIGIN_H
#define KCUCKOO_CLI_ORIGIN_H

#include "conf/config.h"

/* Maximum number of entries of one filter that are kept. */
#define ORIGINS_MAX	100

/**
 * struct origin - an entry of a list that covers the address
 * @list: name of the list, or of the file if the list has no section
 * @file: file of the entry, which may be a file of an archive
 * @line: number of its line, from 1; of an entry of a document, the number of the
 *	line at which the document begins; of a database, the number of the entry
 * @entry: number of the entry in a document, or 0
 * @text: the line as it stands, or the entry
 * @exception: addresses of the entry are left out of the filter
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
 * struct origin_gap - a list of which a part was not searched
 * @list: name of the list or file
 * @why: the reason
 */
struct origin_gap {
	char *list;
	char *why;
};

/**
 * struct origins - the entries of all lists of a filter that cover an address
 * @unread: the configuration that made the filter cannot be read
 * @known: the configuration that was applied has lists for the filter
 * @searched: number of files and last good copies that were searched whole
 * @items: the first ORIGINS_MAX entries
 * @count: number of @items
 * @more: number of further entries
 * @gaps: lists of which a part could not be searched
 * @gap_count: number of these lists
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
 * Search the lists of a filter for entries that cover @address. @filter: the
 * section of the configuration that was applied, or NULL. Return: 0, or -1 after
 * an error message. The caller ends with origins_free() in any case.
 */
int origins_find(const struct cli *cli, const struct config_filter *filter,
		 const struct kcuckoo_prefix *address, struct origins *origins);
void origins_free(struct origins *origins);

#endif /* KCUCKOO_CLI_ORIGIN_H */
