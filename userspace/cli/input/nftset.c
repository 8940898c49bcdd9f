// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions read the elements of a set from the output of "nft -j list
 * set", for selection.c and the verb import.
 */
#include <stdio.h>
#include <string.h>

#include "input/nftset.h"

/* Return: the string at @key of an object, or "". */
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

/* Append the family, table and name of a set to @names. */
static void append_name(char *names, size_t size, const json_t *set)
{
	size_t length = strlen(names);

	snprintf(names + length, size - length, "%s%s %s %s", length ? ", " : "",
		 text_of(set, "family"), text_of(set, "table"),
		 text_of(set, "name"));
}

/*
 * Find the set in the output of nft. Return: 0 with @found set, or -1 after an
 * error message.
 */
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
				    "it is output of nft without a set: 'nft -j list set FAMILY TABLE NAME' prints one");
	if (!wanted)
		return reader_error(selection->reader, "it has no set '%s', but these: %s",
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

/* Check that the elements of the set are addresses. */
static int check_type(struct selection *selection, const json_t *set)
{
	const char *name = nftset_type(set);

	/* Without a type, each element is checked when it is parsed. */
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

/*
 * Return: the seconds after which an element expires, or 0 if it has no
 * timeout.
 */
static __u32 timeout_of(const json_t *element)
{
	const json_t *value = json_object_get(element, "expires");
	json_int_t seconds;

	if (!value)
		value = json_object_get(element, "timeout");
	if (!json_is_integer(value))
		return 0;
	seconds = json_integer_value(value);
	/*
	 * nft prints 0 in the last second of an element; here 0 would mean
	 * never.
	 */
	return seconds < 1 ? 1 : seconds > KCUCKOO_TIMEOUT_MAX ? KCUCKOO_TIMEOUT_MAX : seconds;
}

/*
 * Write the text of an element to @text: an address, a prefix or a range.
 * Return: false for an element of another kind, or a text that is too long.
 */
static bool element_text(const json_t *value, char *text, size_t size)
{
	const json_t *prefix = json_object_get(value, "prefix");
	const json_t *range = json_object_get(value, "range");
	const json_t *length = json_object_get(prefix, "len");

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
	char text[128];

	if (element)
		value = json_object_get(element, "val");
	if (json_object_get(value, "concat")) {
		selection_bad(selection,
			      "the element is a concatenation, and an address alone would match more",
			      place);
		return 0;
	}
	if (!element_text(value, text, sizeof(text))) {
		selection_bad(selection,
			      "the element is neither an address nor a prefix nor a range",
			      place);
		return 0;
	}
	return selection_add(selection, text, place, timeout_of(element));
}

int nftset_take(struct selection *selection, const json_t *objects)
{
	const json_t *set = NULL, *elements;
	char place[64];
	int ret = 0;
	size_t i;

	if (find_set(selection, objects, &set) || check_type(selection, set))
		return -1;
	elements = json_object_get(set, "elem");
	if (elements && !json_is_array(elements))
		return reader_error(selection->reader,
				    "the value of 'elem' of the set '%s' is not an array",
				    text_of(set, "name"));
	for (i = 0; !ret && i < json_array_size(elements); i++) {
		snprintf(place, sizeof(place), "elem[%zu]", i);
		ret = take_element(selection, json_array_get(elements, i), place);
	}
	return ret;
}
