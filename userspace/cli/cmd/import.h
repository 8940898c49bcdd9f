/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The verb import writes a configuration with the sets and rules of ipset,
 * iptables or nft. import.c has the verb and what the other files share.
 * import_ipset.c, import_nft.c and import_iptables.c read the output of these
 * programs. import_write.c writes the files of the configuration.
 *
 * A set is taken over if a filter can replace it, and a rule if a rule of kcuckoo
 * can. import_leave() records every other set and rule, with the reason.
 */
#ifndef KCUCKOO_CLI_IMPORT_H
#define KCUCKOO_CLI_IMPORT_H

#include <stdio.h>

#include "args.h"
#include "keys/collection.h"
#include "message.h"

/*
 * Size of a buffer for a place, which messages name: FILE:LINE, or a rule or set
 * of nft.
 */
#define IMPORT_PLACE	1024

/* Size of a buffer for the name of a set of another program. */
#define IMPORT_NAME	256

/**
 * struct import_set - a set that becomes a filter
 * @set: name of the set in its program
 * @table: table of nft, as "FAMILY TABLE"; or empty
 * @name: name of the filter
 * @place: where the source has the set
 * @family: KCUCKOO_FAMILY_* of its entries
 * @timed: entries can expire
 * @timeout: seconds after which an entry without its own timeout expires; 0:
 *	never
 * @packets: packets add entries to the set
 * @keys: the entries
 * @bogons: number of entries that include private or reserved addresses
 * @wide: an entry, or all entries together, cover more addresses than apply
 *	accepts from a list without "wide = yes"
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
 * @set: index of the set in @sets of struct import
 * @hook: enum kcuckoo_hook
 * @match: enum kcuckoo_match
 * @dev: name of the device for KCUCKOO_HOOK_INGRESS, or empty
 * @written: import_write() has written the rule to a section
 */
struct import_rule {
	int set;
	int hook;
	int match;
	char dev[KCUCKOO_DEV_SIZE];
	bool written;
};

/**
 * struct import_left - a set or rule that cannot be taken over
 * @place: where the source has it
 * @why: the reason
 */
struct import_left {
	char *place;
	char *why;
};

/**
 * struct import - state of the verb import
 * @cli: state of the command
 * @args: options and operands of the verb
 * @source: name of the file that is being read, for messages
 * @sets: the sets
 * @set_count: number of sets
 * @rules: the rules
 * @rule_count: number of rules
 * @left: sets and rules that cannot be taken over
 * @left_count: number of @left
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
 * Record that the set or rule at @place cannot be taken over. @format: the reason,
 * with its arguments. Return: 0, or -1 after an error message.
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

/*
 * Return: the index of the set with the name @set in its program, or -1. @table:
 * its table of nft; empty for a set of ipset.
 */
int import_find_set(const struct import *import, const char *table, const char *set);

/*
 * Add a rule, unless the same rule was added before. Return: 0, or -1 after an
 * error message.
 */
int import_add_rule(struct import *import, const struct import_rule *rule);

/*
 * Read the entries of a set. @list: the file that has them, with its format, as
 * FORMAT:FILE?OPTION=VALUE. @lines: this file has the same lines as the source, so
 * messages can name them. Return: 0; 1 if an entry cannot be taken over, after
 * import_leave() for the set; or -1 after an error message.
 */
int import_read_keys(struct import *import, struct import_set *set, const char *list,
		     bool lines);

/*
 * Read the output of ipset or nft: all sets, and for nft all rules. Return: 0, or
 * -1 after an error message.
 */
int import_ipset(struct import *import, FILE *file);
int import_nft(struct import *import, FILE *file);

/*
 * Read the output of iptables-save: all rules that use sets. Return: 0, or -1 after
 * an error message.
 */
int import_iptables(struct import *import, FILE *file);

/*
 * Return: true if apply can read the members of the filter from a list. It cannot if
 * entries of the set expire, or if packets add entries.
 */
bool import_has_list(const struct import_set *set);

/*
 * Write all files, or print the configuration if the user gave no folder. Return:
 * an exit code, or -1 after an error message.
 */
int import_write(struct import *import);

#endif /* KCUCKOO_CLI_IMPORT_H */
