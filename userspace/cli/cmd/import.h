/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The verb import writes a configuration with the sets and rules of ipset,
 * iptables or nft. import.c has the verb, import_ipset.c, import_nft.c and
 * import_iptables.c read what these programs print, and import_write.c writes the
 * files.
 */
#ifndef KCUCKOO_CLI_IMPORT_H
#define KCUCKOO_CLI_IMPORT_H

#include <stdio.h>

#include "args.h"
#include "keys/collection.h"
#include "message.h"

/* Size of a buffer for a place: the line of a file, or a rule or set of nft. */
#define IMPORT_PLACE	1024

/* Size of a buffer for the name of a set of another program. */
#define IMPORT_NAME	256

/**
 * struct import_set - a set that becomes a filter
 * @set: name of the set in its program
 * @table: table of nft, as "FAMILY TABLE"; or empty
 * @name: name of the filter
 * @place: where the set stands
 * @family: KCUCKOO_FAMILY_* of its entries
 * @timed: entries can expire
 * @timeout: seconds after which entries expire; 0: never, unless they have a
 *	timeout of their own
 * @packets: packets add entries
 * @keys: the entries
 * @bogons: number of entries that include private or reserved addresses
 * @wide: some entries, or all together, have more addresses than a list may have
 */
struct import_set {
	char set[IMPORT_NAME];
	char table[IMPORT_NAME];
	char name[KCUCKOO_NAME_SIZE];
	char place[IMPORT_PLACE];
	int family;
	bool timed;
	__u32 timeout;
	bool packets;
	struct collection keys;
	__u64 bogons;
	bool wide;
};

/**
 * struct import_rule - a rule that drops packets whose address is in a set
 * @set: index of the set
 * @hook: enum kcuckoo_hook
 * @match: enum kcuckoo_match
 * @dev: name of the device for KCUCKOO_HOOK_INGRESS, or empty
 * @written: the rule is in a section that was written
 */
struct import_rule {
	int set;
	int hook;
	int match;
	char dev[KCUCKOO_DEV_SIZE];
	bool written;
};

/**
 * struct import_left - something that cannot be taken over
 * @place: where it stands
 * @why: the reason
 */
struct import_left {
	char *place;
	char *why;
};

/**
 * struct import - state of the verb import
 * @cli: state of the command
 * @args: the command line
 * @source: name of the file that is read, in messages
 * @sets: the sets
 * @set_count: number of sets
 * @rules: the rules
 * @rule_count: number of rules
 * @left: what cannot be taken over
 * @left_count: number of these things
 */
struct import {
	struct cli *cli;
	const struct args *args;
	const char *source;
	struct import_set **sets;
	int set_count;
	struct import_rule *rules;
	int rule_count;
	struct import_left *left;
	int left_count;
};

/*
 * Record that the thing at @place cannot be taken over, because of a reason that
 * @format describes. Return: 0, or -1 after an error message.
 */
int import_leave(struct import *import, const char *place, const char *format, ...)
	PRINTF(3, 4);

/*
 * Add an empty set. Return: the set, which the caller fills; or NULL after an
 * error message.
 */
struct import_set *import_add_set(struct import *import);

/* Remove the set that was added last. */
void import_drop_set(struct import *import);

/* Return: the index of the set @set in @table, or -1. */
int import_find_set(const struct import *import, const char *table, const char *set);

/*
 * Add a rule, unless there is the same one. Return: 0, or -1 after an error
 * message.
 */
int import_add_rule(struct import *import, const struct import_rule *rule);

/*
 * Read the entries of the set from a list, as FORMAT:FILE?OPTION=VALUE. @lines: the
 * lines of the list are those of the source. Return: 0; 1 if an entry cannot be taken
 * over, which was recorded with import_leave(); or -1 after an error message.
 */
int import_read_keys(struct import *import, struct import_set *set, const char *list,
		     bool lines);

/* Read all sets. Return: 0, or -1 after an error message. */
int import_ipset(struct import *import, FILE *file);
int import_nft(struct import *import, FILE *file);

/* Read the rules of iptables-save that use sets. Return: as import_ipset(). */
int import_iptables(struct import *import, FILE *file);

/* Write all files, or print the configuration. Return: as import_ipset(). */
int import_write(struct import *import);

#endif /* KCUCKOO_CLI_IMPORT_H */
