// SPDX-License-Identifier: GPL-2.0-only
/*
 * import_nft_rules() takes over rules that use sets, from the output of "nft -j list ruleset".
 * import_nft.c calls import_nft_rules() after all sets were read.
 *
 * import_nft_rules() takes over only a rule that drops the packets whose address is in a
 * set, and that has no other condition. If an earlier rule of the same chain can accept
 * packets, import_nft_rules() does not take over the rule: a rule of kcuckoo at the same
 * hook would also drop these packets.
 */
#define _GNU_SOURCE
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cmd/import.h"
#include "cmd/import_nft.h"
#include "conf/values.h"
#include "input/nftset.h"
#include "keywords.h"

/**
 * struct ruleset - the output of nft while its rules are taken over
 * @import: state of the verb
 * @tables: a JSON object with all tables; key_of() gives the JSON key of a table
 * @chains: a JSON object with all chains; key_of() gives the JSON key of a chain
 * @accepts: a JSON object with the handle of the first rule so far that can accept packets,
 *	for each chain with such a rule; key_of() gives the JSON key of a chain
 * @changes: the first rule that writes an address to the IP header of packets, see
 *	changes_address(); or NULL
 * @why: buffer for a reason why a rule cannot be taken over
 */
struct ruleset {
	struct import *import;
	json_t *tables;
	json_t *chains;
	json_t *accepts;
	const json_t *changes;
	char why[160];
};

static const char *unknown_key(struct ruleset *ruleset, const char *what, const char *key)
{
	snprintf(ruleset->why, sizeof(ruleset->why), "%s has the key '%.64s', which is not known",
		 what, key);
	return ruleset->why;
}

static json_int_t handle_of(const json_t *rule)
{
	return json_integer_value(json_object_get(rule, "handle"));
}

/* Size of a buffer for key_of(). */
#define KEY		1024

/* @chain: empty for a table. Return: false if the names do not fit into @key. */
static bool key_of(const char *family, const char *table, const char *chain,
		   char key[KEY])
{
	return snprintf(key, KEY, "%s\n%s\n%s", family, table, chain) < KEY;
}

/*
 * @table: JSON key of the name of the table. @name: JSON key of the name of the chain, or
 * NULL for a table.
 */
static int add_to_index(const struct ruleset *ruleset, json_t *index, json_t *object,
			const char *table, const char *name)
{
	const char *family = import_nft_text(object, "family");
	const char *chain = name ? import_nft_text(object, name) : "";
	const json_t *known;
	char key[KEY];

	table = import_nft_text(object, table);
	if (!key_of(family, table, chain, key))
		return error("%s: a table or chain has a name that is too long",
			     ruleset->import->source);
	known = json_object_get(index, key);
	/*
	 * With two chains of the same name, it is unknown to which of them a rule
	 * belongs.
	 */
	if (known && !json_equal(known, object))
		return error("%s: the %s %s %s%s%s occurs twice, with differences",
			     ruleset->import->source, name ? "chain" : "table", family,
			     table, name ? " " : "", chain);
	return json_object_set_nocheck(index, key, object) ?
	       error("not enough memory") : 0;
}

static bool is_active_flag(const json_t *flag)
{
	const char *text = json_string_value(flag);

	return text && (!strcmp(text, "owner") || !strcmp(text, "persist"));
}

/*
 * Versions of nft up to 1.0.6 read a single flag from freed memory, so they can print any
 * text as the flag.
 */
static const char *inactive_reason(const json_t *table)
{
	const json_t *flags = json_object_get(table, "flags");
	size_t i = 0;

	if (!table)
		return "its table is not in the output of nft, and may be dormant";
	if (import_nft_flag(table, "dormant"))
		return "its table is dormant";
	while (i < json_array_size(flags) && is_active_flag(json_array_get(flags, i)))
		i++;
	if (!flags || is_active_flag(flags) ||
	    (json_is_array(flags) && i == json_array_size(flags)))
		return NULL;
	return "nft does not print the flags of its table correctly, and it may be dormant";
}

/*
 * Return: the name of the set that an expression or statement itself refers to, or NULL.
 * @kind: JSON key of the expression or statement. @part: value of this key. find_use()
 * searches the parts of @part.
 */
static const char *own_use(const char *kind, const json_t *part)
{
	static const struct {
		const char *kind;
		const char *key;
	} uses[] = {
		{ "match", "right" }, { "set", "set" }, { "map", "data" }, { "vmap", "data" },
	};
	size_t i;

	for (i = 0; i < sizeof(uses) / sizeof(*uses); i++)
		if (!strcmp(uses[i].kind, kind) && *import_nft_text(part, uses[i].key) == '@')
			return import_nft_text(part, uses[i].key) + 1;
	return NULL;
}

/*
 * Search with own_use(), because a text that begins with "@" need not be the name of a set:
 * it can be the prefix of a log.
 */
static const char *find_use(const json_t *value)
{
	const char *found = NULL, *key;
	json_t *part;
	size_t i;

	if (json_is_array(value))
		json_array_foreach(value, i, part)
			if (!found)
				found = find_use(part);
	if (json_is_object(value))
		json_object_foreach((json_t *)value, key, part) {
			if (!found)
				found = own_use(key, part);
			if (!found)
				found = find_use(part);
		}
	return found;
}

static bool never_accepts(const json_t *statement)
{
	static const char * const names[] = {
		"match", "counter", "log", "drop", "reject", "limit", "mangle",
		"notrack", "ct count", "quota",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (json_object_size(statement) == 1 &&
		    json_object_get(statement, names[i]))
			return true;
	return false;
}

static bool can_accept(const json_t *rule)
{
	json_t *statement;
	size_t i;

	json_array_foreach(json_object_get(rule, "expr"), i, statement)
		if (!never_accepts(statement))
			return true;
	return false;
}

/*
 * Parse a condition such as "ip saddr @SET". Return: NULL, or why a rule with this condition
 * cannot be taken over.
 */
static const char *parse_match(const struct import *import, const json_t *rule,
			       const json_t *match, struct import_rule *to)
{
	static const char * const keys[] = { "op", "left", "right", NULL };
	static const char * const fields[] = { "protocol", "field", NULL };
	const json_t *left = json_object_get(match, "left");
	const json_t *payload = json_object_get(left, "payload");
	const char *right = import_nft_text(match, "right"), *field = import_nft_text(payload, "field");
	const char *protocol = import_nft_text(payload, "protocol");
	char table[IMPORT_NAME];
	int family;

	if (*right != '@' || to->set >= 0 || nftset_unknown_key(match, keys))
		return "it has a further condition";
	if (strcmp(import_nft_text(match, "op"), "=="))
		return "it matches addresses that are not in the set";
	if ((strcmp(protocol, "ip") && strcmp(protocol, "ip6")) ||
	    (strcmp(field, "saddr") && strcmp(field, "daddr")) ||
	    json_object_size(left) != 1)
		return "it does not look up the source or destination address";
	/*
	 * Another key can select another address, such as the address of a packet in a
	 * tunnel.
	 */
	if (nftset_unknown_key(payload, fields))
		return "it looks up another address than that of the packet";
	import_nft_table(rule, table);
	to->set = import_find_set(import, table, right + 1);
	if (to->set < 0)
		return "its set is not taken over";
	family = strcmp(protocol, "ip") ? KCUCKOO_FAMILY_IPV6 : KCUCKOO_FAMILY_IPV4;
	to->match = strcmp(field, "saddr") ? KCUCKOO_MATCH_DST : KCUCKOO_MATCH_SRC;
	return import->sets[to->set]->family == family ? NULL :
	       "its set has addresses of another family";
}

/*
 * Priorities of NAT: of destinations at hooks prerouting and output, and of sources at
 * hook input.
 */
#define PRIORITY_DNAT	(-100)
#define PRIORITY_SNAT	100

/*
 * At prerouting and output, rules of kcuckoo run before NAT; at input, they run before
 * the NAT of sources. Set @after_nat of @to. Return: NULL, or why a rule of this chain
 * cannot be taken over.
 */
static const char *compare_nat(const json_t *chain, struct import_rule *to)
{
	const char *type = import_nft_text(chain, "type");
	json_int_t priority = json_integer_value(json_object_get(chain, "prio"));

	if (!strcmp(type, "nat"))
		return "its chain has type nat, and sees only the first packet of a connection";
	if ((strcmp(type, "filter") && strcmp(type, "route")) ||
	    !json_is_integer(json_object_get(chain, "prio")))
		return "the type or priority of its chain is not known";
	if (to->match == KCUCKOO_MATCH_DST && to->hook == KCUCKOO_HOOK_PREROUTING &&
	    priority >= PRIORITY_DNAT)
		return "it looks up the destination after NAT, and kcuckoo runs before NAT";
	if (to->match == KCUCKOO_MATCH_SRC && to->hook == KCUCKOO_HOOK_INPUT &&
	    priority >= PRIORITY_SNAT)
		return "it looks up the source after NAT, and kcuckoo runs before NAT";
	to->after_nat = to->match == KCUCKOO_MATCH_DST &&
			to->hook == KCUCKOO_HOOK_OUTPUT && priority >= PRIORITY_DNAT;
	return NULL;
}

/* Return: NULL, or why a rule of this chain cannot be taken over. */
static const char *parse_device(const json_t *chain, struct import_rule *to)
{
	const json_t *dev = json_object_get(chain, "dev");
	const char *name;

	if (json_array_size(dev) == 1)
		dev = json_array_get(dev, 0);
	name = json_string_value(dev);
	if (!name)
		return "nft does not print exactly one device of its chain";
	if (!value_is_dev(name, strlen(name)))
		return "the device of its chain has a name that is not valid";
	strcpy(to->dev, name);
	return NULL;
}

/* Return: NULL, or why a rule of this chain cannot be taken over. */
static const char *parse_chain(struct ruleset *ruleset, const json_t *chain,
			       struct import_rule *to)
{
	static const char * const keys[] = {
		"family", "table", "name", "handle", "comment", "type", "hook", "prio",
		"dev", "policy", NULL
	};
	const char *family = import_nft_text(chain, "family");
	const char *hook = import_nft_text(chain, "hook"), *why;
	const char *key = nftset_unknown_key(chain, keys);
	int i;

	if (!strcmp(family, "bridge") || !strcmp(family, "arp"))
		return "kcuckoo has no hook of bridges and of ARP";
	if (!*hook)
		return "its chain is not attached to a hook";
	if (key)
		return unknown_key(ruleset, "its chain", key);
	for (i = 0; hook_keywords[i].name; i++)
		if (!strcmp(hook_keywords[i].name, hook))
			break;
	if (!hook_keywords[i].name)
		return "kcuckoo has no such hook";
	to->hook = hook_keywords[i].value;
	why = compare_nat(chain, to);
	return why || to->hook != KCUCKOO_HOOK_INGRESS ? why : parse_device(chain, to);
}

/* Return: NULL, or why the rule cannot be taken over. */
static const char *parse_statements(struct ruleset *ruleset, const json_t *rule,
				    struct import_rule *to)
{
	static const char * const keys[] = {
		"family", "table", "chain", "handle", "comment", "expr", NULL
	};
	static const char * const known[] = { "match", "counter", "drop", NULL };
	const char *why = NULL, *key = nftset_unknown_key(rule, keys);
	bool drops = false;
	json_t *statement;
	size_t i;

	if (key)
		return unknown_key(ruleset, "it", key);
	json_array_foreach(json_object_get(rule, "expr"), i, statement) {
		const json_t *match = json_object_get(statement, "match");

		if (match && !why)
			why = parse_match(ruleset->import, rule, match, to);
		if (!why && (drops || json_object_size(statement) != 1 ||
			     nftset_unknown_key(statement, known)))
			why = "it has a statement other than counter and drop";
		drops |= !!json_object_get(statement, "drop");
	}
	if (why)
		return why;
	return drops && to->set >= 0 ? NULL : "it does not drop packets by a set";
}

/*
 * @key: key_of() of the chain of the rule. @before: handle of the first rule before @rule, in
 * the same chain, that can accept packets; or NULL.
 */
static int convert_rule(struct ruleset *ruleset, const json_t *rule, const char *key,
			const json_t *before)
{
	const char *use = find_use(json_object_get(rule, "expr")), *why;
	struct import *import = ruleset->import;
	struct import_rule to = { .set = -1 };
	char table[KEY];

	if (!use)
		return 0;
	snprintf(to.place, sizeof(to.place), "%s: rule of set %s in chain %s %s %s, handle %lld",
		 import->source, use, import_nft_text(rule, "family"),
		 import_nft_text(rule, "table"), import_nft_text(rule, "chain"),
		 (long long)handle_of(rule));
	key_of(import_nft_text(rule, "family"), import_nft_text(rule, "table"), "", table);
	why = inactive_reason(json_object_get(ruleset->tables, table));
	if (!why)
		why = parse_statements(ruleset, rule, &to);
	if (!why)
		why = parse_chain(ruleset, json_object_get(ruleset->chains, key), &to);
	if (why)
		return import_reject(import, to.place, "%s", why);
	if (ruleset->changes)
		return import_reject(import, to.place, "the rule with handle %lld changes addresses of packets",
				     (long long)handle_of(ruleset->changes));
	if (before)
		return import_reject(import, to.place, "the rule with handle %lld can let packets pass before it",
				     (long long)json_integer_value(before));
	return import_add_rule(import, &to);
}

/*
 * @accepts of @ruleset saves a search through the earlier rules of the chain: a ruleset can
 * have tens of thousands of rules.
 */
static int read_rule(struct ruleset *ruleset, const json_t *rule)
{
	const json_t *before;
	char key[KEY];

	if (!key_of(import_nft_text(rule, "family"), import_nft_text(rule, "table"),
		    import_nft_text(rule, "chain"), key))
		return error("%s: a rule is in a chain with a name that is too long",
			     ruleset->import->source);
	before = json_object_get(ruleset->accepts, key);
	if (convert_rule(ruleset, rule, key, before))
		return -1;
	if (before || !can_accept(rule))
		return 0;
	return json_object_set_new_nocheck(ruleset->accepts, key,
					   json_integer(handle_of(rule))) ?
	       error("not enough memory") : 0;
}

static bool changes_address(const json_t *statement)
{
	const json_t *key = json_object_get(json_object_get(statement, "mangle"), "key");
	const json_t *payload = json_object_get(key, "payload");
	const char *field = import_nft_text(payload, "field");

	/* A payload without a field is a number of bytes at an offset, so it can be an address. */
	return payload && (!*field || ((!strcmp(field, "saddr") || !strcmp(field, "daddr")) &&
				       strcmp(import_nft_text(payload, "protocol"), "ether")));
}

/*
 * Record the effects of a rule that matter for other rules and for sets. nft 1.0.6 does not
 * print the flag "dynamic" of sets to which rules add entries.
 */
static void scan_rule(struct ruleset *ruleset, const json_t *rule)
{
	struct import *import = ruleset->import;
	const char *hook, *set;
	char key[KEY], table[IMPORT_NAME];
	const json_t *chain;
	json_t *statement;
	int index;
	size_t i;

	import_nft_table(rule, table);
	json_array_foreach(json_object_get(rule, "expr"), i, statement) {
		if (!ruleset->changes && changes_address(statement))
			ruleset->changes = rule;
		set = import_nft_text(json_object_get(statement, "set"), "set");
		index = *set == '@' ? import_find_set(import, table, set + 1) : -1;
		if (index >= 0)
			import->sets[index]->packets = true;
	}
	key_of(import_nft_text(rule, "family"), import_nft_text(rule, "table"),
	       import_nft_text(rule, "chain"), key);
	chain = json_object_get(ruleset->chains, key);
	hook = import_nft_text(chain, "hook");
	/* NAT of sources at input also changes the destinations of replies at output. */
	if (!*import->nat && !strcmp(import_nft_text(chain, "type"), "nat") &&
	    (!strcmp(hook, "output") || !strcmp(hook, "input")))
		snprintf(import->nat, sizeof(import->nat), "chain %s %s, handle %lld", table,
			 import_nft_text(rule, "chain"), (long long)handle_of(rule));
}

static int read_objects(struct ruleset *ruleset, const json_t *objects)
{
	json_t *object, *table, *chain;
	int ret = 0;
	size_t i;

	json_array_foreach(objects, i, object) {
		table = json_object_get(object, "table");
		chain = json_object_get(object, "chain");
		if (table && !ret)
			ret = add_to_index(ruleset, ruleset->tables, table, "name", NULL);
		if (chain && !ret)
			ret = add_to_index(ruleset, ruleset->chains, chain, "table", "name");
	}
	json_array_foreach(objects, i, object)
		if (!ret && json_object_get(object, "rule"))
			scan_rule(ruleset, json_object_get(object, "rule"));
	json_array_foreach(objects, i, object)
		if (!ret && json_object_get(object, "rule"))
			ret = read_rule(ruleset, json_object_get(object, "rule"));
	return ret;
}

int import_nft_rules(struct import *import, const json_t *objects)
{
	struct ruleset ruleset = {
		.import = import,
		.tables = json_object(),
		.chains = json_object(),
		.accepts = json_object(),
	};
	int ret;

	if (!ruleset.tables || !ruleset.chains || !ruleset.accepts)
		ret = error("not enough memory");
	else
		ret = read_objects(&ruleset, objects);
	json_decref(ruleset.tables);
	json_decref(ruleset.chains);
	json_decref(ruleset.accepts);
	return ret;
}
