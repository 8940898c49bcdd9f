// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions select addresses in JSON documents: the values of JSON keys that are
 * known to have addresses to block, such as "ip_prefix".
 *
 * A document can have other addresses, for example the address of the server that made
 * the document. Such addresses must not be blocked, so the functions only count the
 * addresses under other JSON keys.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "input/bounds.h"
#include "input/columns.h"
#include "input/jsonkey.h"
#include "input/key.h"
#include "input/name.h"
#include "input/nftset.h"
#include "input/selection.h"
#include "input/words.h"

/*
 * JSON keys that have addresses to block, unless the user names other JSON keys. The
 * comments name the publishers whose lists use these keys.
 */
static const char known_keys[] =
	"cidr,"				/* Spamhaus */
	"ip_prefix,ipv6_prefix,"	/* Amazon */
	"ipv4Prefix,ipv6Prefix,"	/* Google */
	"addressPrefixes,"		/* Azure */
	"ipv4_cidrs,ipv6_cidrs,"	/* Cloudflare */
	"ipAddress,"			/* AbuseIPDB */
	"ip_address";			/* Feodo Tracker */

/**
 * struct node - a value in a document: its place, and properties from the objects
 *	around the value
 * @up: node of the array or object that directly contains the value; NULL for the
 *	whole document
 * @name: JSON key of the value in an object, or NULL in an array
 * @index: index of the value in an array
 * @key: the innermost JSON key around the value, or NULL
 * @chosen: the condition (@where of struct selection) is true for the value
 * @exception: the value is an exception: an object around the value is marked as allowed,
 *	or @excepted is true
 * @allowed: a text in the innermost object is a word such as "benign", or has one such as "do
 *	not block": the value is an exception. Unlike @exception, it has no meaning for objects
 *	inside, because the texts can be about something else
 * @negated: a text in the innermost object is a word such as "unban"
 * @excepted: a JSON key around the value is a word such as "allow", and the user did not name
 *	this key. All addresses under the key are exceptions
 * @unsafe: the value must not be blocked: an object around it is not in force, as with
 *	"simulated": true, or is an attribute of MISP (a database of threats) whose "to_ids" is
 *	not true, or whose "deleted" is true
 * @type: type of the MISP attribute that has the value, or NULL
 * @object: the innermost object around the value, or NULL
 * @masked: the innermost object around the value that has a key such as "netmask", or
 *	NULL
 */
struct node {
	const struct node *up;
	const char *name;
	size_t index;
	const char *key;
	bool chosen;
	bool exception;
	bool allowed;
	bool negated;
	bool excepted;
	bool unsafe;
	const char *type;
	const json_t *object;
	const json_t *masked;
};

/* Count an entry with the text @text, and make it the current place of the reader. */
static void begin_entry(struct selection *selection, const char *text)
{
	struct reader *reader = selection->reader;

	reader->input->lines++;
	reader->place.entry++;
	reader->place.text = text;
	reader->place.length = strlen(text);
}

void selection_bad(struct selection *selection, const char *why,
		   const char *place)
{
	selection->taken++;
	begin_entry(selection, place);
	reader_bad(selection->reader, why, place, strlen(place));
}

/*
 * Pass an address, prefix or range to the reader. @exception: the address is an exception. For
 * the other arguments, see selection_add().
 */
static int add_key(struct selection *selection, const char *text, const char *place,
		   const __u32 *timeout, bool exception)
{
	struct reader *reader = selection->reader;
	const struct syntax *syntax = &reader->syntax;
	char described[256];
	struct line line;

	reader_parse(reader, text, strlen(text), &line);
	if (line.kind == LINE_KEY) {
		key_check_bare(&line);
		columns_check_alone(&line);
	}
	if (line.kind != LINE_BAD)
		line_check_needed(&line, syntax);
	if (line.kind == LINE_BAD) {
		snprintf(described, sizeof(described), "%s: %s", place, text);
		selection_bad(selection, line.why, described);
		return 0;
	}
	if (timeout && syntax->timeouts) {
		line.has |= LINE_TIMEOUT;
		line.timeout = *timeout;
	} else if (timeout && *timeout) {
		line.lost |= LINE_TIMEOUT;
	}
	selection->taken++;
	begin_entry(selection, text);
	line.exception = exception;
	return reader_take(reader, &line);
}

int selection_add(struct selection *selection, const char *text,
		  const char *place, const __u32 *timeout)
{
	return add_key(selection, text, place, timeout, false);
}

/* Write the place of a value to @text, for example "prefixes[3].ip_prefix". */
static void describe_node(const struct node *node, char *text, size_t size)
{
	size_t length;

	*text = 0;
	if (!node->up)
		return;
	describe_node(node->up, text, size);
	length = strlen(text);
	if (node->name)
		snprintf(text + length, size - length, "%s%s",
			 length ? "." : "", node->name);
	else
		snprintf(text + length, size - length, "[%zu]", node->index);
}

static const char *keys_of(const struct selection *selection)
{
	return selection->keys ? selection->keys : known_keys;
}

/* Return: true if the value of @node can be an address to block, according to its place. */
static bool is_known(const struct selection *selection, const struct node *node)
{
	if (!node->key)
		/*
		 * In a document that is an array of addresses, no JSON key is around the
		 * addresses.
		 */
		return !selection->keys && node->up && !node->up->up;
	if (jsonkey_is_listed(keys_of(selection), node->key))
		return true;
	return node->type && !strcmp(node->key, "value") && !selection->keys;
}

static bool is_address_type(const char *type)
{
	return !strcmp(type, "ip-src") || !strcmp(type, "ip-dst");
}

/*
 * Handle the value @text of a MISP attribute. An attribute with a port is bad, because all ports
 * would be blocked.
 */
static int take_misp(struct selection *selection, const struct node *node,
		     const char *text, const char *place)
{
	const char *pair = strchr(text, '|');
	char why[96];

	if (is_address_type(node->type))
		return add_key(selection, text, place, NULL, node->exception || node->allowed);
	if (strcmp(node->type, "ip-src|port") && strcmp(node->type, "ip-dst|port")) {
		/* In an attribute of type "domain|ip", the address follows the sign. */
		if (bounds_is_address(text) || (pair && bounds_is_address(pair + 1)))
			input_count_others(&selection->others, node->type, 1);
		return 0;
	}
	snprintf(why, sizeof(why), "an attribute of type '%s' is for one port, and all ports would be blocked",
		 node->type);
	selection_bad(selection, why, place);
	return 0;
}

/*
 * Return: true if a text under a JSON key such as "except" looks like an address, a range or
 * several addresses. Other values of such JSON keys are flags or names.
 */
static bool is_like_address(const char *text)
{
	int dots = 0, colons = 0;
	const char *at;

	for (at = text; *at; at++) {
		if (!strchr("0123456789abcdefABCDEF.:/-,; \t", *at))
			return false;
		dots += *at == '.';
		colons += *at == ':';
	}
	return dots > 2 || colons > 1 || bounds_is_address(text);
}

static struct bounds bounds_of(const struct selection *selection, const struct node *node)
{
	return (struct bounds){
		.reader = selection->reader,
		.keys = keys_of(selection),
		.object = node->name ? node->object : NULL,
		.key = node->name,
		.masked = node->masked,
	};
}

/*
 * Combine an address with the mask, prefix length or last address in its object, and pass the
 * result to the reader. Do nothing for a value that is combined with another value of the
 * object.
 */
static int take_address(struct selection *selection, const struct node *node,
			const char *text, const char *place, bool exception)
{
	const struct bounds bounds = bounds_of(selection, node);
	int last = bounds_is_last(&bounds);
	char combined[BOUNDS_TEXT];
	const char *why;

	/*
	 * Under a key such as "except", all JSON keys count as known. So the first address of a
	 * range is read under any key, and combined with this value.
	 */
	if (last > 0 || (last && node->excepted) || bounds_is_mask(&bounds))
		return 0;
	why = last ? "the value is the last address of a range, and --json-key does not name the key of the first address" :
	      bounds_apply(&bounds, text, combined);
	if (!why)
		return add_key(selection, *combined ? combined : text, place, NULL,
			       exception);
	selection_bad(selection, why, place);
	return 0;
}

static int take_excepted(struct selection *selection, const struct node *node,
			 const char *text)
{
	__u64 taken = selection->taken;
	char place[160];
	int ret;

	describe_node(node, place, sizeof(place));
	ret = take_address(selection, node, text, place, true);
	/* selection_finish() compares only the addresses under known keys. */
	selection->taken = taken;
	return ret;
}

static int take_unknown(struct selection *selection, const struct node *node,
			const char *text)
{
	const struct bounds bounds = bounds_of(selection, node);

	if (!node->chosen || node->unsafe)
		return 0;
	if (node->excepted && is_like_address(text))
		return take_excepted(selection, node, text);
	if (bounds_is_address(text) && !bounds_is_mask(&bounds) &&
	    bounds_is_last(&bounds) <= 0)
		input_count_others(&selection->others,
				   node->key ? node->key : "no key", 1);
	return 0;
}

static int take_text(struct selection *selection, const struct node *node,
		     const char *text)
{
	char place[160];

	if (!is_known(selection, node))
		return take_unknown(selection, node, text);
	if (!node->chosen)
		return 0;
	if (node->unsafe) {
		if (bounds_is_address(text)) {
			begin_entry(selection, text);
			reader_skip(selection->reader, "the list names the address as one that must not be blocked");
		}
		return 0;
	}
	describe_node(node, place, sizeof(place));
	if (node->negated && bounds_is_address(text)) {
		selection_bad(selection, line_negation, place);
		return 0;
	}
	if (node->type)
		return take_misp(selection, node, text, place);
	return take_address(selection, node, text, place, node->exception || node->allowed);
}

static bool has_text(const json_t *value, const char *wanted)
{
	char number[32];
	size_t i;

	switch (json_typeof(value)) {
	case JSON_STRING:
		return !strcmp(json_string_value(value), wanted);
	case JSON_INTEGER:
		snprintf(number, sizeof(number), "%lld",
			 (long long)json_integer_value(value));
		return !strcmp(number, wanted);
	case JSON_TRUE:
		return !strcmp(wanted, "true");
	case JSON_FALSE:
		return !strcmp(wanted, "false");
	case JSON_ARRAY:
		for (i = 0; i < json_array_size(value); i++)
			if (!json_is_array(json_array_get(value, i)) &&
			    has_text(json_array_get(value, i), wanted))
				return true;
		return false;
	default:
		return false;
	}
}

static bool is_true(const json_t *value)
{
	const char *text = json_string_value(value);

	return json_is_true(value) || json_number_value(value) != 0 ||
	       (text && name_value_is_yes(text, strlen(text)));
}

/* Return: true if the value of a flag with the meanings @kinds says that its object is off. */
static bool is_off(unsigned int kinds, const json_t *value)
{
	const char *text = json_string_value(value);

	if (kinds & NAME_OFF)
		return is_true(value);
	if (json_is_number(value))
		return kinds & NAME_ON && !(kinds & NAME_LOOSE) && !is_true(value);
	return kinds & NAME_ON &&
	       (json_is_false(value) || (text && *text && name_value_is_no(text, strlen(text))));
}

/* Maximum length of a text that is only a word such as "whitelisted", with some signs. */
#define MAX_WORD	24

/* Set @allowed and @negated of @node for a text of the innermost object. */
static void take_word(struct node *node, const char *text)
{
	size_t length = strlen(text);
	const char *end = text + length;

	/* Most texts are addresses, or longer than these words. */
	if (!isdigit((unsigned char)*text) && length <= MAX_WORD) {
		node->allowed |= word_is_exception(text, end);
		node->negated |= word_is_negation(text, end);
	}
	node->allowed |= text_forbids(text, end);
}

/*
 * Set the fields of @node that the flags and texts of @object determine. The JSON key @where
 * of @selection is not checked: the user chose which value this JSON key must have.
 */
static void take_flags(const struct selection *selection, struct node *node,
		       const json_t *object)
{
	unsigned int kinds;
	const json_t *value;
	const char *key, *text;
	size_t i;

	node->allowed = false;
	node->negated = false;
	json_object_foreach((json_t *)object, key, value) {
		if (selection->where && !strcmp(key, selection->where))
			continue;
		kinds = jsonkey_kinds(key);
		text = json_string_value(value);
		node->exception |= (kinds & NAME_FLAG && is_true(value)) ||
				   (text && kinds & NAME_ACTION &&
				    name_value_allows(text, strlen(text)));
		node->unsafe |= is_off(kinds, value);
		if (text)
			take_word(node, text);
		/* As in "tags": ["whitelist"]. */
		for (i = 0; i < json_array_size(value); i++)
			if (json_is_string(json_array_get(value, i)))
				take_word(node, json_string_value(json_array_get(value, i)));
	}
}

/* Set the fields of @node that @object determines for all values in @object. */
static void enter_object(struct selection *selection, struct node *node,
			 const json_t *object)
{
	const json_t *to_ids = json_object_get(object, "to_ids");
	const json_t *deleted = json_object_get(object, "deleted");
	const json_t *where = selection->where ?
		json_object_get(object, selection->where) : NULL;

	if (where) {
		node->chosen = has_text(where, selection->equals);
		selection->has_where = true;
		selection->is_chosen |= node->chosen;
	}
	take_flags(selection, node, object);
	node->object = object;
	if (bounds_has_mask(object))
		node->masked = object;
	node->type = NULL;
	if (!to_ids)
		return;
	node->type = json_string_value(json_object_get(object, "type"));
	if (!is_true(to_ids) || (deleted && is_true(deleted)))
		node->unsafe = true;
}

/*
 * Return: true if all addresses under @key are exceptions. The user can choose @key by name, for
 * example for the list of an allow filter.
 */
static bool is_excepting(const struct selection *selection, const char *key)
{
	return jsonkey_kinds(key) & NAME_EXCEPTION &&
	       !(selection->keys && jsonkey_is_listed(selection->keys, key));
}

static bool is_text(const json_t *object, const char *key, const char *text)
{
	const char *value = json_string_value(json_object_get(object, key));

	return value && !strcmp(value, text);
}

/*
 * Check whether a Spamhaus list is complete: its last object is the metadata, which has the
 * number of entries. Return: 1 if the object is the metadata; 0 for another object; or -1 after
 * an error message.
 */
static int check_metadata(struct selection *selection, const struct node *node,
			  const json_t *object)
{
	const json_t *records = json_object_get(object, "records");
	__u64 entries = selection->entries;

	if (json_object_get(object, "cidr") && json_object_get(object, "sblid"))
		selection->entries++;
	if (!is_text(object, "type", "metadata") || !json_is_integer(records))
		return 0;
	/* Metadata that is under a JSON key, and follows no entries, can be of another list. */
	if (node->key && !entries)
		return 0;
	selection->entries = 0;
	if ((__u64)json_integer_value(records) == entries)
		return 1;
	return reader_error(selection->reader,
			      "it has %llu entries, and its metadata has %lld records: the list is cut off",
			      entries, (long long)json_integer_value(records));
}

static int take_value(struct selection *selection, const struct node *node,
		      const json_t *value);

static int take_object(struct selection *selection, const struct node *node,
		       const json_t *object)
{
	struct node inside = *node;
	struct node child;
	json_t *value;
	const char *key;
	int ret = check_metadata(selection, node, object);

	if (ret)
		return ret < 0 ? -1 : 0;
	enter_object(selection, &inside, object);
	child = inside;
	child.up = node;
	json_object_foreach((json_t *)object, key, value) {
		if (selection->keys && jsonkey_is_listed(selection->keys, key))
			selection->has_key = true;
		if (child.chosen && bounds_is_address(key))
			input_count_others(&selection->others, "the keys themselves", 1);
		child.name = key;
		child.key = key;
		child.excepted = inside.excepted || is_excepting(selection, key);
		child.exception = inside.exception || child.excepted;
		ret = take_value(selection, &child, value);
		if (ret)
			break;
	}
	return ret;
}

static int take_array(struct selection *selection, const struct node *node,
		      const json_t *array)
{
	struct node child = *node;
	int ret = 0;

	child.up = node;
	child.name = NULL;
	for (child.index = 0; !ret && child.index < json_array_size(array); child.index++)
		ret = take_value(selection, &child,
				 json_array_get(array, child.index));
	return ret;
}

/* Report a number, true or false under a JSON key that should have an address. */
static void take_scalar(struct selection *selection, const struct node *node)
{
	const struct bounds bounds = bounds_of(selection, node);
	char place[160];

	if (!node->chosen || node->unsafe || node->type || !is_known(selection, node) ||
	    bounds_is_mask(&bounds))
		return;
	describe_node(node, place, sizeof(place));
	selection_bad(selection, "an address is a string in quotes", place);
}

static int take_value(struct selection *selection, const struct node *node,
		      const json_t *value)
{
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		return take_object(selection, node, value);
	case JSON_ARRAY:
		return take_array(selection, node, value);
	case JSON_STRING:
		return take_text(selection, node, json_string_value(value));
	case JSON_NULL:
		return 0;
	default:
		take_scalar(selection, node);
		return 0;
	}
}

/* Reject documents that look like lists of addresses but are not. */
static int check_document(struct selection *selection, const json_t *document)
{
	const json_t *first = json_is_array(document) ?
		json_array_get(document, 0) : document;

	if (json_is_integer(json_object_get(first, "asn")) &&
	    json_object_get(first, "asname"))
		return reader_error(selection->reader,
				      "it lists autonomous systems (asndrop.json), not addresses: mmdb:FILE?asn=NUMBER,... takes their addresses from a database");
	if (is_text(first, "type", "bundle") || json_object_get(first, "spec_version"))
		return reader_error(selection->reader,
				      "it is a STIX bundle, whose patterns are not addresses: export its indicators as a list of addresses");
	return 0;
}

int selection_take(struct selection *selection, const json_t *document)
{
	const json_t *nftables = json_object_get(document, "nftables");
	struct node node = { .chosen = !selection->where };

	if (selection->documents++ && (selection->has_nft || json_is_array(nftables)))
		return reader_error(selection->reader,
				    "the output of nft is one document, and it has several: write each to a file of its own");
	if (json_is_array(nftables)) {
		selection->has_nft = true;
		if (!selection->where)
			return nftset_take(selection, nftables);
		return reader_error(selection->reader,
				    "it is output of nft, and 'where' applies to other JSON: set=NAME chooses a set");
	}
	if (selection->set)
		return reader_error(selection->reader,
				    "'set' applies to the output of nft -j, and the input is other JSON");
	if (check_document(selection, document))
		return -1;
	return take_value(selection, &node, document);
}

int selection_finish(struct selection *selection)
{
	char names[INPUT_OTHERS_TEXT];

	input_sum_others(&selection->reader->input->notes.others, &selection->others);
	if (selection->entries)
		return reader_error(selection->reader,
				      "%llu entries follow without metadata: the list is cut off",
				      selection->entries);
	if (selection->where && !selection->has_where)
		return reader_error(selection->reader, "no JSON object has the key '%s'",
				      selection->where);
	if (selection->where && !selection->is_chosen)
		return reader_error(selection->reader, "no JSON object has %s:%s",
				      selection->where, selection->equals);
	if (selection->keys && !selection->has_key && selection->others.total)
		return reader_error(selection->reader,
				    "no JSON object has a key in '%s'; addresses are under %s",
				    selection->keys,
				    input_name_others(&selection->others, names));
	if (!selection->keys && selection->others.total > selection->taken)
		return reader_error(selection->reader,
				      "more addresses are under unknown JSON keys than under known JSON keys: %s; --json-key KEY reads the addresses under KEY",
				      input_name_others(&selection->others, names));
	return 0;
}
