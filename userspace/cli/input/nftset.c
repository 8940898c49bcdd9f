// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions read the elements of a set from the output of "nft -j list
 * set", for selection.c and the verb import.
 */
#include <stdio.h>
#include <string.h>

#include "input/nftset.h"
#include "message.h"

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

/* Return: true if the user chose this set, or chose no set. */
static bool is_wanted(const struct selection *selection, const json_t *set)
{
	return !selection->set || !strcmp(text_of(set, "name"), selection->set);
}

static void append_name(char *names, size_t size, const json_t *set)
{
	size_t length = strlen(names);

	snprintf(names + length, size - length, "%s%s %s %s", length ? ", " : "",
		 text_of(set, "family"), text_of(set, "table"),
		 text_of(set, "name"));
}

static int find_set(struct selection *selection, const json_t *objects,
		    const json_t **found)
{
	char names[300] = "";
	int wanted = 0;
	size_t i;

	for (i = 0; i < json_array_size(objects); i++) {
		const json_t *set = json_object_get(json_array_get(objects, i), "set");

		if (!set)
			continue;
		append_name(names, sizeof(names), set);
		if (!is_wanted(selection, set))
			continue;
		*found = set;
		wanted++;
	}
	if (wanted == 1)
		return 0;
	if (!*names)
		return reader_error(selection->reader,
				    "the output of nft contains no set: 'nft -j list set FAMILY TABLE NAME' prints one");
	if (!wanted)
		return reader_error(selection->reader, "it has no set '%s'; its sets are: %s",
				      selection->set, names);
	return reader_error(selection->reader, "it has several sets (%s): %s", names,
			      selection->set ?
			      "'nft -j list set FAMILY TABLE NAME' prints one" :
			      "add ?set=NAME to the name of the file");
}

const char *nftset_type(const json_t *set)
{
	const json_t *type = json_object_get(set, "type");
	const json_t *expression = json_object_get(type, "typeof");
	const json_t *payload = json_object_get(expression, "payload");
	const char *field = text_of(payload, "field");

	if (json_is_array(type) || json_object_get(expression, "concat"))
		return NFTSET_CONCAT;
	if (!strcmp(field, "saddr") || !strcmp(field, "daddr")) {
		if (!strcmp(text_of(payload, "protocol"), "ip"))
			return "ipv4_addr";
		if (!strcmp(text_of(payload, "protocol"), "ip6"))
			return "ipv6_addr";
	}
	return json_string_value(type);
}

static int check_type(struct selection *selection, const json_t *set)
{
	const char *name = nftset_type(set);

	/* If nft prints no type, take_element() checks each element. */
	if (!name)
		return 0;
	if (!strcmp(name, NFTSET_CONCAT))
		return reader_error(selection->reader,
				      "the elements of the set '%s' are concatenations, and an address alone would match more",
				      text_of(set, "name"));
	if (strcmp(name, "ipv4_addr") && strcmp(name, "ipv6_addr"))
		return reader_error(selection->reader,
				    "the elements of the set '%s' have the type %s and are not addresses",
				      text_of(set, "name"), name);
	return 0;
}

const char *nftset_unknown_key(const json_t *object, const char * const *keys)
{
	const char *key;
	json_t *value;
	size_t i;

	json_object_foreach((json_t *)object, key, value) {
		for (i = 0; keys[i] && strcmp(keys[i], key); i++)
			;
		if (!keys[i])
			return key;
	}
	return NULL;
}

/* Write a reason to @why. Return: false. */
static bool say_why(char why[NFTSET_WHY], const char *reason)
{
	snprintf(why, NFTSET_WHY, "%s", reason);
	return false;
}

/* Write @before, the JSON key @key in quotes, and @after to @why. Return: false. */
static bool say_key(char why[NFTSET_WHY], const char *before, const char *key,
		    const char *after)
{
	char escaped[48];

	snprintf(why, NFTSET_WHY, "%s '%s'%s", before,
		 escape(key, strlen(key), escaped, sizeof(escaped)), after);
	return false;
}

/* nft prints one flag or an array. */
static bool flags_are_known(const json_t *flags)
{
	static const char * const known[] = {
		"constant", "interval", "timeout", "dynamic",
	};
	const char *flag = json_string_value(flags);
	size_t i;

	if (json_is_array(flags)) {
		for (i = 0; i < json_array_size(flags); i++)
			if (json_is_array(json_array_get(flags, i)) ||
			    !flags_are_known(json_array_get(flags, i)))
				return false;
		return true;
	}
	for (i = 0; flag && i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(known[i], flag))
			return true;
	return false;
}

bool nftset_check(const json_t *set, char why[NFTSET_WHY])
{
	static const char * const keys[] = {
		"family", "name", "table", "type", "handle", "comment", "policy", "size",
		"flags", "timeout", "gc-interval", "auto-merge", "elem", "stmt", NULL
	};
	static const char * const statements[] = { "counter", NULL };
	const json_t *list = json_object_get(set, "stmt");
	const json_t *flags = json_object_get(set, "flags");
	const char *key = nftset_unknown_key(set, keys);
	size_t i;

	if (key)
		return say_key(why, "its key", key, " is not known");
	if (flags && !flags_are_known(flags))
		return say_why(why, "its flags are not known");
	if (list && !json_is_array(list))
		return say_why(why, "its statements are not an array");
	for (i = 0; i < json_array_size(list); i++) {
		const json_t *statement = json_array_get(list, i);

		key = nftset_unknown_key(statement, statements);
		if (key)
			return say_key(why, "the statement", key,
				       " of its elements decides which packets match");
		if (!json_object_size(statement))
			return say_why(why, "a statement of its elements cannot be read");
	}
	return true;
}

/*
 * Set @has if the element has a timeout, and @timeout to the seconds until the element expires.
 * Return: false if the timeout is not a number of seconds.
 */
static bool read_timeout(const json_t *element, __u32 *timeout, bool *has)
{
	const json_t *expires = json_object_get(element, "expires");
	const json_t *value = json_object_get(element, "timeout");
	json_int_t seconds;

	if (value && (!json_is_integer(value) || json_integer_value(value) < 0))
		return false;
	if (expires)
		value = expires;
	*has = value;
	if (!value)
		return true;
	seconds = json_integer_value(value);
	if (!json_is_integer(value) || seconds < 0)
		return false;
	/*
	 * nft prints 0 in the last second of an element, but 0 in @timeout means that the key
	 * never expires: use 1. nft prints "timeout never" as a number of seconds above the
	 * maximum of a filter: use 0.
	 */
	*timeout = seconds < 1 ? 1 : seconds > KCUCKOO_TIMEOUT_MAX ? 0 : seconds;
	return true;
}

static bool check_element(const json_t *value, char why[NFTSET_WHY])
{
	static const char * const wrapper[] = { "elem", NULL };
	static const char * const keys[] = {
		"val", "timeout", "expires", "comment", "counter", NULL
	};
	const json_t *element = json_object_get(value, "elem");
	const char *key = nftset_unknown_key(value, wrapper);

	if (!key)
		key = nftset_unknown_key(element, keys);
	if (key)
		return say_key(why, "the element has the key", key,
			       ", and an address alone would match more");
	return true;
}

/*
 * Write an element that is an address, a prefix or a range to @text. Return: false for an
 * element of another kind, or a text that is too long.
 */
static bool element_text(const json_t *value, char *text, size_t size)
{
	const json_t *prefix = json_object_get(value, "prefix");
	const json_t *range = json_object_get(value, "range");
	const json_t *length = json_object_get(prefix, "len");

	if (json_object_size(value) > 1 || json_object_size(prefix) > 2)
		return false;
	if (json_is_string(value))
		return snprintf(text, size, "%s", json_string_value(value)) < (int)size;
	if (json_is_integer(length))
		return snprintf(text, size, "%s/%lld", text_of(prefix, "addr"),
				(long long)json_integer_value(length)) < (int)size;
	if (json_array_size(range) == 2 && json_is_string(json_array_get(range, 0)) &&
	    json_is_string(json_array_get(range, 1)))
		return snprintf(text, size, "%s-%s",
				json_string_value(json_array_get(range, 0)),
				json_string_value(json_array_get(range, 1))) < (int)size;
	return false;
}

static int take_element(struct selection *selection, const json_t *value,
			const char *place)
{
	const json_t *element = json_object_get(value, "elem");
	char text[128], why[NFTSET_WHY] = "";
	bool has_timeout;
	__u32 timeout;

	if (element && check_element(value, why))
		value = json_object_get(element, "val");
	if (!*why && !read_timeout(element, &timeout, &has_timeout))
		say_why(why, "the timeout of the element is not a number of seconds");
	else if (!*why && json_object_get(value, "concat"))
		say_why(why, "the element is a concatenation, and an address alone would match more");
	else if (!*why && !element_text(value, text, sizeof(text)))
		say_why(why, "the element is neither an address nor a prefix nor a range");
	if (!*why)
		return selection_add(selection, text, place, has_timeout ? &timeout : NULL);
	selection_bad(selection, why, place);
	return 0;
}

/*
 * Refuse a set without statements if one of its elements has a counter. nft 1.0.6 prints only
 * the first statement of an element, so the element can also have a quota. Accept a set with
 * statements: its elements have the same statements as the set, and nft prints the statements of
 * a set since version 1.0.6.
 */
static int check_counters(struct selection *selection, const json_t *set)
{
	const json_t *elements = json_object_get(set, "elem");
	size_t i;

	/* If nftset_check() accepts a set, all statements of the set are counters. */
	if (json_array_size(json_object_get(set, "stmt")))
		return 0;
	for (i = 0; i < json_array_size(elements); i++) {
		const json_t *value = json_array_get(elements, i);

		if (json_object_get(json_object_get(value, "elem"), "counter"))
			return reader_error(selection->reader,
					    "elem[%zu] of the set '%s' has a counter and the set has none: nft can omit other statements of the element, and before version 1.0.6 all statements of the set",
					    i, text_of(set, "name"));
	}
	return 0;
}

/*
 * Refuse commands, which are in files for "nft -j -f". A command can add elements to a set, or
 * delete elements, and the object of the set does not show the change.
 */
static int check_commands(struct selection *selection, const json_t *objects)
{
	static const char * const commands[] = {
		"element", "add", "create", "replace", "insert", "delete", "destroy", "flush",
		"reset", "rename", "list",
	};
	size_t i, command;

	for (i = 0; i < json_array_size(objects); i++)
		for (command = 0; command < sizeof(commands) / sizeof(*commands); command++)
			if (json_object_get(json_array_get(objects, i), commands[command]))
				return reader_error(selection->reader,
						    "it has the command '%s', and is not a list of sets: 'nft -j list set FAMILY TABLE NAME' prints a set with its elements",
						    commands[command]);
	return 0;
}

int nftset_take(struct selection *selection, const json_t *objects)
{
	const json_t *set = NULL, *elements;
	char place[64], why[NFTSET_WHY];
	int ret = 0;
	size_t i;

	if (check_commands(selection, objects) || find_set(selection, objects, &set) ||
	    check_type(selection, set))
		return -1;
	if (!nftset_check(set, why))
		return reader_error(selection->reader,
				    "the set '%s' is more than a list of addresses: %s",
				    text_of(set, "name"), why);
	elements = json_object_get(set, "elem");
	if (elements && !json_is_array(elements))
		return reader_error(selection->reader,
				    "the value of 'elem' of the set '%s' is not an array",
				    text_of(set, "name"));
	if (check_counters(selection, set))
		return -1;
	for (i = 0; !ret && i < json_array_size(elements); i++) {
		snprintf(place, sizeof(place), "elem[%zu]", i);
		ret = take_element(selection, json_array_get(elements, i), place);
	}
	return ret;
}
