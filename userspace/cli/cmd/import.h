/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The verb import writes a configuration with the sets and rules of ipset, iptables or
 * nft. import.c has the verb, and the functions that the other files share.
 * import_ipset.c, import_nft.c and import_iptables.c read the output of these programs.
 * import_write.c writes the files of the configuration.
 *
 * The verb takes over a set as a section [filter], and a rule as a section [rule].
 * import_reject() records a set or rule that cannot be taken over, with the reason.
 */
#ifndef KCUCKOO_CLI_IMPORT_H
#define KCUCKOO_CLI_IMPORT_H

#include <stdio.h>

#include "args.h"
#include "keys/collection.h"
#include "message.h"

/*
 * Size of a buffer for a place: the text with which messages name a line as FILE:LINE,
 * or a set or rule of nft.
 */
#define IMPORT_PLACE	1024

/* Size of a buffer for the name of a set of another program. */
#define IMPORT_NAME	256

/**
 * struct import_set - a set that becomes a filter
 * @set: name of the set in ipset or nft
 * @table: table of nft that has the set, as "FAMILY TABLE"; or empty
 * @name: name of the filter
 * @place: place of the set, for messages
 * @family: KCUCKOO_FAMILY_* of the entries
 * @timed: entries can expire
 * @timeout: seconds after which an entry without its own timeout expires; 0: such an
 *	entry never expires
 * @packets: packets add entries to the set, or remove entries
 * @keys: the entries
 * @bogons: number of entries that include bogons
 * @wide: one entry covers, or all entries together cover, more addresses than apply
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
 * @place: place of the rule, for messages
 * @after_nat: the rule looks up the destination at hook output after NAT can have changed
 *	the destination; a rule of kcuckoo runs before NAT
 * @written: import_write() has written the rule to a section
 */
struct import_rule {
	int set;
	int hook;
	int match;
	char dev[KCUCKOO_DEV_SIZE];
	char place[IMPORT_PLACE];
	bool after_nat;
	bool written;
};

/**
 * struct import_rejected - a set or rule that cannot be taken over completely
 * @place: place of the set or rule, for messages
 * @why: the reason
 */
struct import_rejected {
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
 * @nat: place of the first rule so far that can change destinations at hook output; or
 *	empty
 * @rejected: sets and rules that cannot be taken over completely
 * @rejected_count: number of elements of @rejected
 */
struct import {
	struct cli *cli;
	const struct args *args;
	const char *source;
	struct import_set **sets;
	int set_count;
	struct import_rule *rules;
	int rule_count;
	char nat[IMPORT_PLACE];
	struct import_rejected *rejected;
	int rejected_count;
};

/**
 * import_reject() - record that a set or rule cannot be taken over
 * @import: state of the verb
 * @place: place of the set or rule, for messages
 * @format: the reason, in the format of printf()
 * @...: arguments of @format
 *
 * Return: 0, or -1 after an error message.
 */
int import_reject(struct import *import, const char *place, const char *format, ...)
	PRINTF(3, 4);

/**
 * import_add_set() - add an empty set
 * @import: state of the verb
 *
 * Return: the set, whose fields the caller sets; or NULL after an error message.
 */
struct import_set *import_add_set(struct import *import);

/**
 * import_drop_set() - remove the set that was added last
 * @import: state of the verb
 */
void import_drop_set(struct import *import);

/**
 * import_find_set() - find a set by its name in ipset or nft
 * @import: state of the verb
 * @table: table of nft that has the set, as "FAMILY TABLE"; empty for a set of ipset
 * @set: name of the set
 *
 * Return: the index of the set in @sets of struct import, or -1.
 */
int import_find_set(const struct import *import, const char *table, const char *set);

/**
 * import_add_rule() - add a rule, unless an equal rule was added before
 * @import: state of the verb
 * @rule: the rule, which is copied
 *
 * Two rules are equal if @set, @hook, @match and @dev are equal. If an equal rule was added
 * before, and @after_nat of @rule is false, set @after_nat of the equal rule to false.
 *
 * Return: 0, or -1 after an error message.
 */
int import_add_rule(struct import *import, const struct import_rule *rule);

/**
 * import_has_rule_without_dev() - find out whether a rule for all devices uses a set
 * @import: state of the verb
 * @set: index of the set
 *
 * Return: true if a rule without a device uses the set.
 */
bool import_has_rule_without_dev(const struct import *import, int set);

/**
 * import_read_keys() - read the entries of a set
 * @import: state of the verb
 * @set: the set that gets the entries
 * @list: the file with the entries, and its format, as FORMAT:FILE?OPTION=VALUE
 * @lines: the lines of the file have the same numbers as the lines of the source, so that
 *	messages can name these numbers
 *
 * If the file cannot be read, or an entry cannot be taken over, this function calls
 * import_reject() for the whole set.
 *
 * Return: 0; 1 after import_reject(); or -1 after an error message.
 */
int import_read_keys(struct import *import, struct import_set *set, const char *list,
		     bool lines);

/**
 * import_ipset() - take over the sets in the output of "ipset save"
 * @import: state of the verb
 * @file: the output of "ipset save"
 *
 * Return: 0, or -1 after an error message.
 */
int import_ipset(struct import *import, FILE *file);

/**
 * import_nft() - take over the sets and rules in the output of "nft -j list ruleset"
 * @import: state of the verb
 * @file: the output of "nft -j list ruleset"
 *
 * Return: 0, or -1 after an error message.
 */
int import_nft(struct import *import, FILE *file);

/**
 * import_iptables() - take over rules that use sets, from the output of iptables-save
 * @import: state of the verb, with the sets of import_ipset()
 * @file: the output of iptables-save or ip6tables-save
 *
 * Return: 0, or -1 after an error message.
 */
int import_iptables(struct import *import, FILE *file);

/**
 * import_has_list() - find out whether the filter of a set gets its members from a
 * list
 * @set: the set
 *
 * Return: true if the verb apply reads the members from a list; false if entries of the
 * set can expire, or if packets add or remove entries.
 */
bool import_has_list(const struct import_set *set);

/**
 * import_write() - write the files of the configuration
 * @import: state of the verb, with all sets and rules
 *
 * If the user gave no folder, this function prints the configuration instead, and writes
 * no list.
 *
 * Return: EXIT_YES, or -1 after an error message.
 */
int import_write(struct import *import);

#endif /* KCUCKOO_CLI_IMPORT_H */
