// SPDX-License-Identifier: GPL-2.0-only
/*
 * import_nft() takes over the sets in the output of "nft -j list ruleset".
 * import_nft_rule.c takes over the rules that use these sets. import_nft() writes the
 * elements of each set to a temporary file, which input/nftset.c reads as a list.
 */
#define _GNU_SOURCE
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/import.h"
#include "cmd/import_nft.h"
#include "input/document.h"
#include "input/nftset.h"
#include "tempfile.h"

const char *import_nft_text(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

void import_nft_table(const json_t *object, char table[IMPORT_NAME])
{
	snprintf(table, IMPORT_NAME, "%s %s", import_nft_text(object, "family"),
		 import_nft_text(object, "table"));
}

bool import_nft_flag(const json_t *set, const char *flag)
{
	const json_t *flags = json_object_get(set, "flags");
	size_t i;

	for (i = 0; i < json_array_size(flags); i++)
		if (!strcmp(json_string_value(json_array_get(flags, i)) ?: "", flag))
			return true;
	return json_is_string(flags) && !strcmp(json_string_value(flags), flag);
}

/*
 * Return: 0; 1 if an element cannot be taken over, after import_reject() for the set; or -1
 * after an error message.
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

static const char *unsupported_reason(const json_t *set)
{
	const char *type = nftset_type(set);

	if (!type)
		return "its type cannot be read";
	if (!strcmp(type, NFTSET_CONCAT))
		return "its elements are concatenations, and a filter would match all packets";
	if (strcmp(type, "ipv4_addr") && strcmp(type, "ipv6_addr"))
		return "its elements are not addresses";
	return is_valid_name(import_nft_text(set, "name")) && *import_nft_text(set, "name") != '.' ?
	       NULL : "its name is not valid for a filter";
}

static int add_set(struct import *import, json_t *json)
{
	const json_t *timeout = json_object_get(json, "timeout");
	char place[IMPORT_PLACE], table[IMPORT_NAME], why[NFTSET_WHY];
	const char *reason = unsupported_reason(json);
	struct import_set *set;
	int ret;

	import_nft_table(json, table);
	snprintf(place, sizeof(place), "%s: set %s of table %s", import->source,
		 import_nft_text(json, "name"), table);
	if (!reason && timeout &&
	    (!json_is_integer(timeout) || json_integer_value(timeout) < 0 ||
	     json_integer_value(timeout) > KCUCKOO_TIMEOUT_MAX))
		reason = "its timeout is not a number of seconds that a filter can have";
	if (!reason && !nftset_check(json, why))
		reason = why;
	if (reason)
		return import_reject(import, place, "%s", reason);
	set = import_add_set(import);
	if (!set)
		return -1;
	/* unsupported_reason() has checked the length of the name. */
	strcpy(set->set, import_nft_text(json, "name"));
	strcpy(set->table, table);
	strcpy(set->place, place);
	set->family = strcmp(nftset_type(json), "ipv4_addr") ?
		      KCUCKOO_FAMILY_IPV6 : KCUCKOO_FAMILY_IPV4;
	set->packets = import_nft_flag(json, "dynamic");
	set->timed = json_is_integer(timeout) || import_nft_flag(json, "timeout");
	set->timeout = json_integer_value(timeout);
	ret = read_elements(import, set, json);
	if (ret)
		import_drop_set(import);
	return ret < 0 ? ret : 0;
}

static int reject_object(struct import *import, const json_t *object,
			 const char *kind, const char *why)
{
	const json_t *part = json_object_get(object, kind);
	char place[IMPORT_PLACE];

	if (!part)
		return 0;
	snprintf(place, sizeof(place), "%s: %s %s of table %s %s", import->source, kind,
		 import_nft_text(part, "name"), import_nft_text(part, "family"),
		 import_nft_text(part, "table"));
	return import_reject(import, place, "%s", why);
}

/* @names: JSON object with the names of the sets before @set; add the name of @set. */
static int add_named_set(struct import *import, json_t *names, json_t *set)
{
	char table[IMPORT_NAME], key[2 * IMPORT_NAME];

	import_nft_table(set, table);
	snprintf(key, sizeof(key), "%s %s", table, import_nft_text(set, "name"));
	/* With two sets of the same name, it is unknown which of them a rule uses. */
	if (json_object_get(names, key))
		return error("%s: the set %s occurs twice", import->source, key);
	if (json_object_set_new_nocheck(names, key, json_true()))
		return error("not enough memory");
	return add_set(import, set);
}

static int add_objects(struct import *import, const json_t *objects)
{
	json_t *object, *part, *names = json_object();
	int ret = names ? 0 : error("not enough memory");
	size_t i;

	json_array_foreach(objects, i, object) {
		part = json_object_get(object, "set");
		if (!ret && part)
			ret = add_named_set(import, names, part);
		if (!ret)
			ret = reject_object(import, object, "map", "a filter cannot be a map");
		if (!ret)
			ret = reject_object(import, object, "element",
					    "elements outside their set cannot be read");
	}
	json_decref(names);
	return ret ? ret : import_nft_rules(import, objects);
}

static ssize_t feed(void *context, void *to, size_t size)
{
	FILE *file = context;
	size_t length = fread(to, 1, size, file);

	return ferror(file) ? -1 : (ssize_t)length;
}

static int read_documents(const struct import *import, struct documents *documents,
			  json_t *objects)
{
	json_t *document;
	int ret;

	while ((ret = documents_next(documents, &document)) > 0) {
		const json_t *part = json_object_get(document, "nftables");

		if (!json_is_array(part))
			ret = hint(error("%s: line %llu: this is not JSON output of nft",
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
		return hint(error("%s is not JSON output of nft", import->source),
			    "'nft -j list ruleset' prints it");
	return 0;
}

int import_nft(struct import *import, FILE *file)
{
	struct documents documents;
	json_t *objects = NULL;
	int ret;

	ret = documents_begin(&documents, feed, file);
	/* Create the array after documents_begin(), which sets the allocator of jansson. */
	if (!ret)
		objects = json_array();
	if (!objects)
		ret = error("not enough memory");
	else
		ret = read_documents(import, &documents, objects);
	documents_end(&documents);
	if (!ret)
		ret = add_objects(import, objects);
	json_decref(objects);
	return ret;
}
