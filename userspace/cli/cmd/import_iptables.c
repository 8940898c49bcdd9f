// SPDX-License-Identifier: GPL-2.0-only
/*
 * import_iptables() takes over rules that use sets of ipset, from the output of iptables-save
 * or ip6tables-save. import.c calls import_iptables() after the sets were read.
 *
 * import_iptables() takes over only a rule that drops the packets whose address is in a set,
 * and that has no other condition. If an earlier rule of the same chain can accept packets,
 * import_iptables() does not take over the rule: a rule of kcuckoo at the same hook would
 * also drop these packets.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/import.h"
#include "conf/texts.h"

/* Maximum number of words of a rule. */
#define WORDS		256

/**
 * struct chain_state - a chain of a table
 * @name: name of the chain
 * @accepts: place of the first rule so far that can accept packets; or empty
 */
struct chain_state {
	char name[64];
	char accepts[IMPORT_PLACE];
};

/**
 * struct saved - state of import_iptables()
 * @import: state of the verb
 * @line: number of the present line
 * @table: name of the present table; or empty between tables
 * @has_table: the file has a table
 * @family: KCUCKOO_FAMILY_* of the packets that the rules see; or 0 if no comment of the
 *	file shows the family
 * @chains: chains of the present table that have rules
 * @chain_count: number of chains
 */
struct saved {
	struct import *import;
	unsigned long line;
	char table[32];
	bool has_table;
	int family;
	struct chain_state *chains;
	int chain_count;
};

/**
 * struct rule_words - the parsed words of a rule
 * @chain: name of the chain that has the rule
 * @set: name of the set in which the rule looks up addresses, or NULL
 * @roles: the word after @set, such as "src" or "src,dst": which addresses of a packet
 *	the rule looks up
 * @target: target of the rule, or NULL
 * @changed: for the target SET, name of the set to which it adds entries, and name of the
 *	set from which it removes entries; each can be NULL
 * @mapped: for the target SET, name of the set in which it looks up addresses, or NULL
 * @other: the first word of a condition other than the look-up, or NULL
 */
struct rule_words {
	const char *chain;
	const char *set;
	const char *roles;
	const char *target;
	const char *changed[2];
	const char *mapped;
	const char *other;
};

/*
 * A word in quotes can have blanks, and quotes after a backslash. Return: the number of
 * words; or -1 if the line has more than WORDS words, or a quote is missing.
 */
static int split(char *at, char *words[WORDS])
{
	int count = 0;

	for (at += strspn(at, " \t"); *at; at += strspn(at, " \t")) {
		char *to = at;
		bool quoted = *at == '"';

		if (count == WORDS)
			return -1;
		words[count++] = at;
		for (at += quoted; *at && (quoted ? *at != '"' : !strchr(" \t", *at)); at++) {
			at += *at == '\\' && at[1];
			*to++ = *at;
		}
		if (quoted && *at++ != '"')
			return -1;
		at += *at != 0;
		*to = 0;
	}
	return count;
}

/*
 * --set is the old name of --match-set. Other matches of iptables have an option --set, too,
 * so --set counts only if the last -m before it is "-m set".
 */
static bool is_match_set(char *const *words, int at)
{
	int i;

	if (strcmp(words[at], "--set"))
		return !strcmp(words[at], "--match-set");
	for (i = at - 2; i > 0; i--)
		if (!strcmp(words[i], "-m"))
			return !strcmp(words[i + 1], "set");
	return false;
}

/* Options that are no condition of a rule. @left: number of words from @word to the end. */
static bool is_harmless(char *const *word, int left)
{
	return left > 1 &&
	       ((!strcmp(word[0], "-m") &&
		 (!strcmp(word[1], "set") || !strcmp(word[1], "comment"))) ||
		!strcmp(word[0], "--comment"));
}

/* Return: the field of @rule for the name of the set that follows @option; or NULL. */
static const char **set_of_option(struct rule_words *rule, const char *option)
{
	if (!rule->target || strcmp(rule->target, "SET"))
		return NULL;
	if (!strcmp(option, "--add-set"))
		return &rule->changed[0];
	if (!strcmp(option, "--del-set"))
		return &rule->changed[1];
	return strcmp(option, "--map-set") ? NULL : &rule->mapped;
}

static void read_words(struct rule_words *rule, char *const *words, int count)
{
	const char **set;
	int i;

	*rule = (struct rule_words){ .chain = count > 1 ? words[1] : "" };
	for (i = 2; i < count; i++) {
		set = set_of_option(rule, words[i]);
		if (is_harmless(words + i, count - i)) {
			i++;
		} else if (i + 1 < count && is_match_set(words, i) && !rule->set) {
			rule->set = words[++i];
			rule->roles = ++i < count ? words[i] : "";
		} else if (i + 1 < count && !rule->target &&
			   (!strcmp(words[i], "-j") || !strcmp(words[i], "-g"))) {
			rule->target = words[++i];
		} else if (i + 1 < count && set && !*set) {
			*set = words[++i];
		} else if (!rule->other) {
			rule->other = words[i];
		}
	}
}

/*
 * Return: true if the target of a rule can end the chain for a packet without dropping
 * the packet. The targets in @others cannot do this. All other targets count as targets
 * that can, such as ACCEPT, RETURN and user-defined chains.
 */
static bool can_accept(const struct rule_words *rule)
{
	static const char * const others[] = {
		"DROP", "REJECT", "LOG", "NFLOG", "MARK", "CONNMARK", "SET", "TRACE",
		"NOTRACK", "CT", "TCPMSS", "TTL", "DSCP", "TOS", "CLASSIFY", "KCUCKOO",
	};
	size_t i;

	for (i = 0; rule->target && i < sizeof(others) / sizeof(*others); i++)
		if (!strcmp(rule->target, others[i]))
			return false;
	return rule->target;
}

static struct chain_state *find_chain(struct saved *saved, const char *name)
{
	struct chain_state *chain;
	int i;

	for (i = 0; i < saved->chain_count; i++)
		if (!strcmp(saved->chains[i].name, name))
			return &saved->chains[i];
	chain = array_grow(saved->chains, saved->chain_count, sizeof(*chain));
	if (!chain)
		return NULL;
	saved->chains = chain;
	chain += saved->chain_count++;
	snprintf(chain->name, sizeof(chain->name), "%s", name);
	*chain->accepts = 0;
	return chain;
}

static int hook_of(const char *chain)
{
	if (!strcmp(chain, "PREROUTING"))
		return KCUCKOO_HOOK_PREROUTING;
	if (!strcmp(chain, "INPUT"))
		return KCUCKOO_HOOK_INPUT;
	if (!strcmp(chain, "FORWARD"))
		return KCUCKOO_HOOK_FORWARD;
	return strcmp(chain, "OUTPUT") ? -1 : KCUCKOO_HOOK_OUTPUT;
}

/* Set @packets of the changed sets, so that their filters get no lists in the configuration. */
static int reject_change(struct import *import, const struct rule_words *words,
			 const char *place)
{
	int i, ret = 0;

	for (i = 0; !ret && i < 2; i++) {
		const char *set = words->changed[i];
		int index = set ? import_find_set(import, "", set) : -1;

		if (index >= 0) {
			import->sets[index]->packets = true;
			ret = import_reject(import, place,
					    "it changes the set %s: see KCUCKOO in kcuckoo(8)",
					    set);
		} else if (set) {
			ret = import_reject(import, place, "its set %s is not taken over", set);
		}
	}
	return ret;
}

/* Set @after_nat of @rule. Return: NULL, or why the rule cannot be taken over. */
static const char *compare_addresses(const struct saved *saved, struct import_rule *rule)
{
	static const char * const tables[] = {
		"raw", "mangle", "nat", "filter", "security",
	};
	const int family = saved->import->sets[rule->set]->family;
	size_t i;

	for (i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		if (!strcmp(saved->table, tables[i]))
			break;
	if (i == sizeof(tables) / sizeof(*tables))
		return "its table is not known";
	if (!strcmp(saved->table, "nat"))
		return "rules of the table nat see only the first packet of each connection";
	if (saved->family && saved->family != family)
		return "its set has addresses of another family";
	/* At hook output, NAT of destinations runs after the tables raw and mangle. */
	rule->after_nat = rule->hook == KCUCKOO_HOOK_OUTPUT &&
			  rule->match == KCUCKOO_MATCH_DST &&
			  strcmp(saved->table, "raw") && strcmp(saved->table, "mangle");
	return NULL;
}

static int add_rule(struct saved *saved, const struct rule_words *words,
		    const struct chain_state *chain, const char *place)
{
	struct import *import = saved->import;
	const char *set = words->set ? words->set : words->mapped;
	struct import_rule rule = {
		.set = import_find_set(import, "", set),
		.hook = hook_of(words->chain),
	};
	const char *why;

	snprintf(rule.place, sizeof(rule.place), "%s", place);
	if (rule.set < 0)
		return import_reject(import, place, "its set %s is not taken over", set);
	if (!words->target || strcmp(words->target, "DROP"))
		return import_reject(import, place, "its target is %s%s, and a rule of kcuckoo drops packets",
				     words->target ? words->target : "missing",
				     words->mapped ? " --map-set" : "");
	if (words->other)
		return import_reject(import, place, "it has a further condition, '%s': use '-m kcuckoo --match-filter %s' in this rule",
				     words->other, set);
	if (strcmp(words->roles, "src") && strcmp(words->roles, "dst"))
		return import_reject(import, place, "it matches '%s', and not src or dst",
				     words->roles);
	if (rule.hook < 0)
		return import_reject(import, place, "its chain is not attached to a hook");
	if (*chain->accepts)
		return import_reject(import, place, "the rule of %s can let packets pass before it",
				     chain->accepts);
	rule.match = strcmp(words->roles, "src") ? KCUCKOO_MATCH_DST : KCUCKOO_MATCH_SRC;
	why = compare_addresses(saved, &rule);
	return why ? import_reject(import, place, "%s", why) :
	       import_add_rule(import, &rule);
}

/* iptables-save prints a comment instead of the rules that it cannot print. */
static int parse_comment(struct saved *saved, const char *line, const char *place)
{
	char text[128];

	if (strstr(line, "is incompatible, use 'nft' tool") ||
	    strstr(line, "tables present, use"))
		return error("%s: tables are missing in the file: %s", place,
			     escape(line, strlen(line), text, sizeof(text)));
	if (strstr(line, "Generated by iptables-save"))
		saved->family = KCUCKOO_FAMILY_IPV4;
	if (strstr(line, "Generated by ip6tables-save"))
		saved->family = KCUCKOO_FAMILY_IPV6;
	return 0;
}

/* Without COMMIT, rules can be missing, also rules of other tables, such as nat. */
static int end_table(struct saved *saved, bool committed, const char *place)
{
	if (*saved->table && !committed)
		return error("%s: the table %s has no end: the file is cut off", place,
			     saved->table);
	saved->chain_count = 0;
	*saved->table = 0;
	return 0;
}

static int parse_rule(struct saved *saved, char *line, const char *place)
{
	struct import *import = saved->import;
	struct chain_state *chain;
	struct rule_words rule;
	char *words[WORDS];
	int count, hook, ret = 0;

	count = split(line, words);
	if (count < 2 || strcmp(words[0], "-A"))
		return error("%s: the line is not output of iptables-save", place);
	if (!*saved->table)
		return error("%s: the rule is in no table: a line such as '*filter' begins a table",
			     place);
	read_words(&rule, words, count);
	chain = find_chain(saved, rule.chain);
	if (!chain)
		return error("not enough memory");
	hook = hook_of(rule.chain);
	/* NAT of sources at input also changes the destinations of replies at output. */
	if (!*import->nat && !strcmp(saved->table, "nat") &&
	    (hook == KCUCKOO_HOOK_OUTPUT || hook == KCUCKOO_HOOK_INPUT))
		strcpy(import->nat, place);
	if (rule.changed[0] || rule.changed[1])
		ret = reject_change(import, &rule, place);
	else if (rule.set || rule.mapped)
		ret = add_rule(saved, &rule, chain, place);
	if (!*chain->accepts && can_accept(&rule))
		strcpy(chain->accepts, place);
	return ret;
}

static int parse_line(struct saved *saved, char *line)
{
	char place[IMPORT_PLACE];

	snprintf(place, sizeof(place), "%s:%lu", saved->import->source, saved->line);
	/* The line can begin with counters, [PACKETS:BYTES]. */
	if (*line == '[')
		line += strcspn(line, "]") + !!strchr(line, ']');
	if (!strcmp(line, "COMMIT"))
		return end_table(saved, true, place);
	switch (*line) {
	case '*':
		if (end_table(saved, false, place))
			return -1;
		snprintf(saved->table, sizeof(saved->table), "%s", line + 1);
		saved->has_table = true;
		return 0;
	case '#':
		return parse_comment(saved, line, place);
	case ':':
	case 0:
		return 0;
	default:
		return parse_rule(saved, line, place);
	}
}

int import_iptables(struct import *import, FILE *file)
{
	struct saved saved = { .import = import };
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	int ret = 0;

	while (!ret && (length = getline(&line, &size, file)) > 0) {
		saved.line++;
		if (strlen(line) != (size_t)length)
			ret = error("%s:%lu: the line is not output of iptables-save",
				    import->source, saved.line);
		line[strcspn(line, "\n")] = 0;
		if (!ret)
			ret = parse_line(&saved, line);
	}
	if (!ret && !saved.has_table)
		ret = hint(error("%s: the file has no table", import->source),
			   "'iptables-save' prints the rules of all tables");
	if (!ret)
		ret = end_table(&saved, false, import->source);
	free(line);
	free(saved.chains);
	return ret;
}
