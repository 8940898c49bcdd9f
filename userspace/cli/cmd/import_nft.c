// SPDX-License-Identifier: GPL-2.0-only
/*
 * import_nft() takes over the sets in the output of "nft -j list ruleset", and the
 * rules that use these sets. The verb import, import.c, calls it. import_nft() writes
 * the elements of each set to a temporary file, which input/nftset.c reads as a list.
 *
 * A rule is taken over if it drops the packets whose address is in a set, and has no
 * other condition. If an earlier rule of its chain can accept packets, the rule is not
 * taken over: a rule of kcuckoo at the same hook would drop these packets, too.
 */
#define _GNU_SOURCE
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/import.h"
#include "conf/values.h"
#include "input/document.h"
#include "input/nftset.h"
#include "keywords.h"
#include "tempfile.h"

/* Return: the string at @key of an object; or "" if there is none. */
static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static void table_of(const json_t *object, char table[IMPORT_NAME])
{
	snprintf(table, IMPORT_NAME, "%s %s", text_of(object, "family"),
		 text_of(object, "table"));
}

static bool has_flag(const json_t *set, const char *flag)
{
	const json_t *flags = json_object_get(set, "flags");
	size_t i;

	for (i = 0; i < json_array_size(flags); i++)
		if (!strcmp(json_string_value(json_array_get(flags, i)) ?: "", flag))
			return true;
	return json_is_string(flags) && !strcmp(json_string_value(flags), flag);
}

/*
 * Read the elements of a set. Return: 0; 1 if an element cannot be taken over, after
 * import_leave() for the set; or -1 after an error message.
 */
static int read_elements(struct import *import, struct import_set *to, json_t *set)
{
	json_t *document = json_pack("{s:[{s:O}]}", "nftables", "set", set);
	int fd = tempfile_open(), ret = 0;
	char list[64], why[256];

	if (fd < 0)
		tempfile_why(-fd, why, sizeof(why));
	if (!document || fd < 0 || json_dumpfd(document, fd, 0))
		ret = error("%s", fd < 0 ? why : "cannot write a temporary file");
	json_decref(document);
	snprintf(list, sizeof(list), "json:/proc/self/fd/%d", fd);
	if (!ret)
		ret = import_read_keys(import, to, list, false);
	if (fd >= 0)
		close(fd);
	return ret;
}

/* Return: why a set cannot become a filter, or NULL if it can. */
static const char *why_not(const json_t *set)
{
	const char *type = nftset_type(set);

	if (!type)
		return "its type cannot be read";
	if (!strcmp(type, NFTSET_CONCAT))
		return "its elements are concatenations, and a filter would match all packets";
	if (strcmp(type, "ipv4_addr") && strcmp(type, "ipv6_addr"))
		return "its elements are no addresses";
	return is_valid_name(text_of(set, "name")) && *text_of(set, "name") != '.' ?
	       NULL : "its name is not valid for a filter";
}

static int take_set(struct import *import, json_t *json)
{
	const json_t *timeout = json_object_get(json, "timeout");
	char place[IMPORT_PLACE], table[IMPORT_NAME], why[NFTSET_WHY];
	const char *reason = why_not(json);
	struct import_set *set;
	int ret;

	table_of(json, table);
	snprintf(place, sizeof(place), "%s: set %s of table %s", import->source,
		 text_of(json, "name"), table);
	if (!reason && timeout &&
	    (!json_is_integer(timeout) || json_integer_value(timeout) < 0 ||
	     json_integer_value(timeout) > KCUCKOO_TIMEOUT_MAX))
		reason = "its timeout is not a number of seconds that a filter can have";
	if (!reason && !nftset_check(json, why))
		reason = why;
	if (reason)
		return import_leave(import, place, "%s", reason);
	set = import_add_set(import);
	if (!set)
		return -1;
	/* why_not() has checked its length. */
	strcpy(set->set, text_of(json, "name"));
	strcpy(set->table, table);
	strcpy(set->place, place);
	set->family = strcmp(nftset_type(json), "ipv4_addr") ?
		      KCUCKOO_FAMILY_IPV6 : KCUCKOO_FAMILY_IPV4;
	set->packets = has_flag(json, "dynamic");
	set->timed = json_is_integer(timeout) || has_flag(json, "timeout");
	set->timeout = json_integer_value(timeout);
	ret = read_elements(import, set, json);
	if (ret)
		import_drop_set(import);
	return ret < 0 ? ret : 0;
}

/* Return: the chain of a rule, from the output of nft in @objects; or NULL. */
static const json_t *chain_of(const json_t *objects, const json_t *rule)
{
	size_t i;

	for (i = 0; i < json_array_size(objects); i++) {
		const json_t *chain = json_object_get(json_array_get(objects, i), "chain");

		if (chain && !strcmp(text_of(chain, "name"), text_of(rule, "chain")) &&
		    !strcmp(text_of(chain, "table"), text_of(rule, "table")) &&
		    !strcmp(text_of(chain, "family"), text_of(rule, "family")))
			return chain;
	}
	return NULL;
}

/* Return: the table of a rule, from the output of nft in @objects; or NULL. */
static const json_t *rule_table(const json_t *objects, const json_t *rule)
{
	size_t i;

	for (i = 0; i < json_array_size(objects); i++) {
		const json_t *table = json_object_get(json_array_get(objects, i), "table");

		if (table && !strcmp(text_of(table, "name"), text_of(rule, "table")) &&
		    !strcmp(text_of(table, "family"), text_of(rule, "family")))
			return table;
	}
	return NULL;
}

/*
 * Return: why the rules of a table may be inactive, or NULL. nft 1.0.6 and older print
 * a single flag from memory that they have freed, so the flag can be any text.
 */
static const char *idle_why(const json_t *table)
{
	const json_t *flags = json_object_get(table, "flags");
	const char *flag = json_string_value(flags);

	if (has_flag(table, "dormant"))
		return "its table is dormant";
	if (!flags || json_is_array(flags) ||
	    (flag && (!strcmp(flag, "owner") || !strcmp(flag, "persist"))))
		return NULL;
	return "nft does not print the flags of its table correctly, and it may be dormant";
}

/*
 * Return: the name of the set that an expression or statement itself refers to, or
 * NULL. @kind: its key in JSON. @part: its value. find_use() searches the parts of
 * @part.
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
		if (!strcmp(uses[i].kind, kind) && *text_of(part, uses[i].key) == '@')
			return text_of(part, uses[i].key) + 1;
	return NULL;
}

/*
 * Return: the first name of a set in a part of a rule, or NULL. Search with own_use(),
 * because a text that begins with "@" need not be the name of a set: it can be the
 * prefix of a log.
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

/* Return: true if a statement cannot accept the packet. */
static bool never_accepts(const json_t *statement)
{
	static const char * const names[] = {
		"match", "counter", "log", "drop", "reject", "limit", "mangle",
		"notrack", "ct count", "quota",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (json_object_get(statement, names[i]))
			return true;
	return false;
}

/*
 * Return: the handle of the first rule before @end, in the same chain, that can accept
 * packets; 0 if no such rule exists.
 */
static json_int_t accepts_before(const json_t *objects, const json_t *end)
{
	json_t *object, *statement;
	size_t i, j;

	json_array_foreach(objects, i, object) {
		const json_t *rule = json_object_get(object, "rule");

		if (rule == end)
			return 0;
		if (!rule || strcmp(text_of(rule, "chain"), text_of(end, "chain")) ||
		    strcmp(text_of(rule, "table"), text_of(end, "table")) ||
		    strcmp(text_of(rule, "family"), text_of(end, "family")))
			continue;
		json_array_foreach(json_object_get(rule, "expr"), j, statement)
			if (!never_accepts(statement))
				return json_integer_value(json_object_get(rule, "handle"));
	}
	return 0;
}

/*
 * Set the set and the match of @to from a condition such as "ip saddr @SET". Return:
 * NULL, or why a rule with this condition cannot be taken over.
 */
static const char *take_match(const struct import *import, const json_t *rule,
			      const json_t *match, struct import_rule *to)
{
	const json_t *payload = json_object_get(json_object_get(match, "left"), "payload");
	const char *right = text_of(match, "right"), *field = text_of(payload, "field");
	const char *protocol = text_of(payload, "protocol");
	char table[IMPORT_NAME];
	int family;

	if (*right != '@' || to->set >= 0)
		return "it has a further condition";
	if (strcmp(text_of(match, "op"), "=="))
		return "it matches addresses that are not in the set";
	if ((strcmp(protocol, "ip") && strcmp(protocol, "ip6")) ||
	    (strcmp(field, "saddr") && strcmp(field, "daddr")))
		return "it does not look up the source or destination address";
	table_of(rule, table);
	to->set = import_find_set(import, table, right + 1);
	if (to->set < 0)
		return "its set is not taken over";
	family = strcmp(protocol, "ip") ? KCUCKOO_FAMILY_IPV6 : KCUCKOO_FAMILY_IPV4;
	to->match = strcmp(field, "saddr") ? KCUCKOO_MATCH_DST : KCUCKOO_MATCH_SRC;
	return import->sets[to->set]->family == family ? NULL :
	       "its set has addresses of another family";
}

/*
 * Set the hook and the device of @to to those of a chain. Return: NULL, or why a rule
 * of this chain cannot be taken over.
 */
static const char *take_chain(const json_t *chain, struct import_rule *to)
{
	const char *family = text_of(chain, "family"), *hook = text_of(chain, "hook");
	const json_t *dev = json_object_get(chain, "dev");
	const char *name;
	int i;

	if (!strcmp(family, "bridge") || !strcmp(family, "arp"))
		return "kcuckoo has no hook of bridges and of ARP";
	if (!*hook)
		return "its chain is not one of a hook";
	for (i = 0; hook_keywords[i].name; i++)
		if (!strcmp(hook_keywords[i].name, hook))
			break;
	if (!hook_keywords[i].name)
		return "kcuckoo has no such hook";
	to->hook = hook_keywords[i].value;
	if (to->hook != KCUCKOO_HOOK_INGRESS)
		return NULL;
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

/*
 * Set @to from the statements of a rule. Return: NULL, or why the rule cannot be taken
 * over.
 */
static const char *take_statements(const struct import *import, const json_t *rule,
				   struct import_rule *to)
{
	const char *why = NULL;
	bool drops = false;
	json_t *statement;
	size_t i;

	json_array_foreach(json_object_get(rule, "expr"), i, statement) {
		const json_t *match = json_object_get(statement, "match");

		if (match && !why)
			why = take_match(import, rule, match, to);
		drops |= !!json_object_get(statement, "drop");
		if (!match && !json_object_get(statement, "drop") &&
		    !json_object_get(statement, "counter") && !why)
			why = "it has a statement other than counter and drop";
	}
	if (why)
		return why;
	return drops && to->set >= 0 ? NULL : "it does not drop packets by a set";
}

/*
 * If a rule uses a set, take the rule over, or record why that is impossible.
 * Return: 0, or -1 after an error message.
 */
static int take_rule(struct import *import, const json_t *objects, const json_t *rule)
{
	const char *use = find_use(json_object_get(rule, "expr")), *why;
	json_int_t before = accepts_before(objects, rule);
	struct import_rule to = { .set = -1 };
	char place[IMPORT_PLACE];

	if (!use)
		return 0;
	snprintf(place, sizeof(place), "%s: rule of set %s in chain %s %s %s, handle %lld",
		 import->source, use, text_of(rule, "family"), text_of(rule, "table"),
		 text_of(rule, "chain"),
		 (long long)json_integer_value(json_object_get(rule, "handle")));
	why = idle_why(rule_table(objects, rule));
	if (!why)
		why = take_statements(import, rule, &to);
	if (!why)
		why = take_chain(chain_of(objects, rule), &to);
	if (why)
		return import_leave(import, place, "%s", why);
	if (before)
		return import_leave(import, place, "the rule with handle %lld can let packets pass before it",
				    (long long)before);
	return import_add_rule(import, &to);
}

/*
 * If @object has the key @kind, such as "map", record that it cannot be taken over.
 * @why: the reason. Return: 0, or -1 after an error message.
 */
static int leave_object(struct import *import, const json_t *object,
			const char *kind, const char *why)
{
	const json_t *part = json_object_get(object, kind);
	char place[IMPORT_PLACE];

	if (!part)
		return 0;
	snprintf(place, sizeof(place), "%s: %s %s of table %s %s", import->source, kind,
		 text_of(part, "name"), text_of(part, "family"), text_of(part, "table"));
	return import_leave(import, place, "%s", why);
}

/*
 * Take over all sets, then the rules, which refer to sets. Return: 0, or -1 after an
 * error message.
 */
static int take_objects(struct import *import, const json_t *objects)
{
	json_t *object, *part;
	int ret = 0;
	size_t i;

	json_array_foreach(objects, i, object) {
		part = json_object_get(object, "set");
		if (!ret && part)
			ret = take_set(import, part);
		if (!ret)
			ret = leave_object(import, object, "map", "a filter is no map");
		if (!ret)
			ret = leave_object(import, object, "element",
					   "elements stand apart from their set");
	}
	json_array_foreach(objects, i, object) {
		part = json_object_get(object, "rule");
		if (!ret && part)
			ret = take_rule(import, objects, part);
	}
	return ret;
}

static ssize_t feed(void *context, void *to, size_t size)
{
	FILE *file = context;
	size_t length = fread(to, 1, size, file);

	return ferror(file) ? -1 : (ssize_t)length;
}

/*
 * Read all documents, and append their arrays "nftables" to @objects. Return: 0, or
 * -1 after an error message.
 */
static int read_documents(const struct import *import, struct documents *documents,
			  json_t *objects)
{
	json_t *document;
	int ret;

	while ((ret = documents_next(documents, &document)) > 0) {
		const json_t *part = json_object_get(document, "nftables");

		if (!json_is_array(part))
			ret = hint(error("%s: line %llu: this is no output of nft",
					 import->source, documents->number),
				   "'nft -j list ruleset' prints it");
		else if (json_array_extend(objects, (json_t *)part))
			ret = error("not enough memory");
		json_decref(document);
		if (ret < 0)
			return ret;
	}
	if (ret < 0)
		return error("%s: line %llu: %s", import->source, documents->number,
			     documents->feed_failed ? "it cannot be read" : documents->why);
	if (!documents->count)
		return hint(error("%s is no output of nft", import->source),
			    "'nft -j list ruleset' prints it");
	return 0;
}

int import_nft(struct import *import, FILE *file)
{
	struct documents documents;
	json_t *objects = NULL;
	int ret;

	ret = documents_begin(&documents, feed, file);
	/*
	 * Create the array after documents_begin(), which sets the allocator of
	 * jansson.
	 */
	if (!ret)
		objects = json_array();
	if (!objects)
		ret = error("not enough memory");
	else
		ret = read_documents(import, &documents, objects);
	documents_end(&documents);
	if (!ret)
		ret = take_objects(import, objects);
	json_decref(objects);
	return ret;
}
