/* SPDX-License-Identifier: GPL-2.0-only */
/* These functions read the output of "ipset save", as a list and for the verb import. */
#ifndef KCUCKOO_CLI_IPSET_H
#define KCUCKOO_CLI_IPSET_H

#include <stdbool.h>
#include <stddef.h>

struct reader;

/* Size in bytes of a buffer for the name or type of a set, including the zero byte. */
#define IPSET_NAME	32

/* Size in bytes of a buffer for the reason why a set cannot be read. */
#define IPSET_WHY	96

/**
 * struct ipset - state of the reader for one text
 * @name: name of the set that is read: the set that the user chose, or else the first
 *	set of the text
 * @known: @name is set, because a line of the set was found
 * @begun: an earlier line has an entry of the set
 * @created: an earlier line "create" has the type and the options of the set
 * @inet6: the entries of the set are IPv6
 * @netmask: prefix length of the entries of the set, or 0 if the set has no netmask
 * @timeout: seconds until entries without a timeout of their own expire, or 0 for
 *	never
 * @why: reason why the set cannot be read, or empty
 * @type: type of the set
 * @others: names of the other sets of the text if the user chose no set, as in ", A, B,"
 */
struct ipset {
	char name[IPSET_NAME];
	bool known;
	bool begun;
	bool created;
	bool inet6;
	int netmask;
	unsigned int timeout;
	char why[IPSET_WHY];
	char type[IPSET_NAME];
	char others[160];
};

/**
 * struct ipset_create - a line "create SET TYPE OPTION..."
 * @name: name of the set
 * @type: type of the set
 * @inet6: the entries of the set are IPv6
 * @netmask: prefix length of the entries, or 0 if the set has no netmask
 * @timed: the entries can expire
 * @timeout: seconds until entries without a timeout of their own expire, or 0 for
 *	never
 * @skbinfo: the entries can have marks and priorities for packets
 * @why: reason why the entries cannot be read, or empty
 */
struct ipset_create {
	char name[IPSET_NAME];
	char type[IPSET_NAME];
	bool inet6;
	int netmask;
	bool timed;
	unsigned int timeout;
	bool skbinfo;
	char why[IPSET_WHY];
};

/*
 * Return: true if a line changes no set: a blank line, a comment, or the line "COMMIT".
 */
bool ipset_is_ignored(const char *text, size_t length);

/* Parse a line "create SET TYPE ..." into @create. Return: false for another line. */
bool ipset_scan_create(const char *text, size_t length, struct ipset_create *create);

/*
 * Parse a line "add SET ENTRY ...", and write the name of the set to @name. @entry:
 * buffer of @size bytes for the entry, or NULL. Return: false for another line.
 */
bool ipset_scan_add(const char *text, size_t length, char name[IPSET_NAME], char *entry,
		    size_t size);

/* See @options, @recognize, @line and @end of struct layout_type. */
extern const char * const ipset_options[];
bool ipset_recognize(const char *text, size_t length);
int ipset_line(struct reader *reader, const char *text, size_t length);
int ipset_end(struct reader *reader);

#endif /* KCUCKOO_CLI_IPSET_H */
