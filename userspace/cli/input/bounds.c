// SPDX-License-Identifier: GPL-2.0-only
/*
 * bounds_apply() combines an address in a JSON object with a mask, a prefix length or the last
 * address of a range under another key of the object. The mask can also be in an outer object.
 */
#include <stdio.h>
#include <string.h>

#include "input/bounds.h"
#include "input/columns.h"
#include "input/jsonkey.h"
#include "input/key.h"
#include "input/length.h"

/*
 * The addresses that an entry stands for. @known: the other fields are set. @text: the network
 * or range as text.
 */
struct span {
	bool known;
	struct kcuckoo_prefix first;
	struct kcuckoo_prefix last;
	char *text;
};

bool bounds_is_address(const char *text)
{
	struct kcuckoo_prefix key;
	long length = kcuckoo_prefix_scan(text, strlen(text), &key, NULL, NULL);

	return length > 0 && !text[length];
}

/* Return: true if the value is an address without a prefix length. */
static bool is_single(const json_t *value)
{
	const char *text = json_string_value(value);

	return text && bounds_is_address(text) && !strchr(text, '/');
}

/* Return: true if the value says nothing: null, or an empty string. */
static bool is_empty(const json_t *value)
{
	const char *text = json_string_value(value);

	return json_is_null(value) || (text && !*text);
}

bool bounds_has_mask(const json_t *object)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)object, key, value)
		if (jsonkey_bound(key) == JSONKEY_MASK)
			return true;
	return false;
}

/*
 * Return: true if the value of a key such as "length" or "prefix" can be a prefix length or
 * mask.
 */
static bool is_length(const json_t *value)
{
	const char *text = json_string_value(value);

	if (json_is_integer(value))
		return true;
	if (!text)
		return false;
	text += *text == '/';
	return (*text && !text[strspn(text, "0123456789")]) ||
	       (is_single(value) && (!strncmp(text, "255.", 4) || !strncmp(text, "0.", 2)));
}

/*
 * Set @span to the network or range @text, or compare the two if @span is already set. Return:
 * NULL, or an error text.
 */
static const char *add_span(const struct bounds *bounds, struct span *span,
			    const char *text)
{
	struct kcuckoo_prefix last;
	struct line line;

	reader_parse(bounds->reader, text, strlen(text), &line);
	if (line.kind != LINE_KEY && line.kind != LINE_RANGE)
		return line.kind == LINE_BAD ? line.why : "the entry is not an address";
	last = line.last;
	if (line.kind == LINE_KEY)
		key_set_last(&line.key, &last);
	if (!span->known) {
		span->known = true;
		span->first = line.key;
		span->last = last;
		snprintf(span->text, BOUNDS_TEXT, "%s", text);
		return NULL;
	}
	if (span->first.family == line.key.family &&
	    !memcmp(span->first.addr, line.key.addr, sizeof(line.key.addr)) &&
	    !memcmp(span->last.addr, last.addr, sizeof(last.addr)))
		return NULL;
	return "the entry has two prefix lengths, masks or last addresses that disagree";
}

static const char *add_mask(const struct bounds *bounds, struct span *span,
			    const char *base, const json_t *mask)
{
	const char *why = NULL, *string = json_string_value(mask);
	char text[BOUNDS_TEXT];
	struct kcuckoo_prefix key;
	int host_bits, length;

	if (json_is_integer(mask))
		length = snprintf(text, sizeof(text), "%s/%lld", base,
				  (long long)json_integer_value(mask));
	else if (string)
		length = snprintf(text, sizeof(text), "%s/%s", base,
				  string + (*string == '/'));
	else
		return "another key of the object has a mask that is neither number nor text";
	if ((size_t)length >= sizeof(text))
		return "another key of the object has a mask that is too long";
	if (kcuckoo_prefix_scan(text, length, &key, &host_bits, &why) != length)
		return why ? why : "another key of the object has an invalid mask";
	if (host_bits)
		return "the address has bits set after the mask in another key";
	return add_span(bounds, span, text);
}

/*
 * Add the range from @base to the address @value to @span. The two addresses can be two hosts,
 * such as the ends of a connection. So without --ranges, and unless the user named both keys,
 * the addresses must be the ends of a network.
 */
static const char *add_last(const struct bounds *bounds, struct span *span,
			    const char *base, const char *key, const json_t *value)
{
	const struct syntax *syntax = &bounds->reader->syntax;
	const char *last = json_string_value(value), *why;
	struct kcuckoo_prefix from, to;
	char text[BOUNDS_TEXT];

	if (!is_single(value))
		return "another key of the object has a last address that is not an address";
	key_scan(base, base + strlen(base), syntax, &from, NULL, &why);
	key_scan(last, last + strlen(last), syntax, &to, NULL, &why);
	if (from.family != to.family)
		return "the ends of a range are of different families";
	from.plen = key_common_length(&from, &to);
	if (key_common_length(&from, &to) >= 0)
		kcuckoo_prefix_format(&from, text);
	else if (syntax->ranges || jsonkey_is_listed(bounds->keys, key))
		snprintf(text, sizeof(text), "%s-%s", base, last);
	else
		return "the last address in another key is not the end of one network: use --ranges, or name both keys with --json-key";
	return add_span(bounds, span, text);
}

static bool has_start(const json_t *object)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)object, key, value)
		if (jsonkey_bound(key) == JSONKEY_START && is_single(value))
			return true;
	return false;
}

/*
 * Return: true if a key with the meaning @bound has the last address of the range that begins
 * under @key of @bounds.
 */
static bool is_last(const struct bounds *bounds, enum jsonkey_bound bound,
		    const json_t *value)
{
	if (jsonkey_bound(bounds->key) == JSONKEY_START)
		return bound == JSONKEY_END || bound == JSONKEY_TO;
	/* If the object has a start, the end belongs to the start. */
	return bound == JSONKEY_END && is_single(value) && !has_start(bounds->object);
}

/*
 * Return: an error text if the address @base and @value, under a key such as "broadcast", are
 * the ends of one network: the address can be this network, or a host.
 */
static const char *check_to(const struct bounds *bounds, const char *base, const json_t *value)
{
	const struct syntax *syntax = &bounds->reader->syntax;
	struct kcuckoo_prefix from, to;
	const char *last = json_string_value(value);
	int length;

	if (!is_single(value))
		return NULL;
	key_scan(base, base + strlen(base), syntax, &from, NULL, NULL);
	key_scan(last, last + strlen(last), syntax, &to, NULL, NULL);
	length = from.family == to.family ? key_common_length(&from, &to) : -1;
	return length >= 0 && length < 8 * key_bytes(&from) ?
	       "the address and another key of the object could be the ends of a network" : NULL;
}

/* Add the prefix lengths and last addresses in the object to @span. */
static const char *add_object(const struct bounds *bounds, struct span *span,
			      const char *base)
{
	const char *key, *why = NULL;
	json_t *value;

	json_object_foreach((json_t *)bounds->object, key, value) {
		enum jsonkey_bound bound = jsonkey_bound(key);

		if (!strcmp(key, bounds->key) || is_empty(value))
			continue;
		if (bound == JSONKEY_MAYBE_MASK && is_length(value))
			why = add_mask(bounds, span, base, value);
		else if (is_last(bounds, bound, value))
			why = add_last(bounds, span, base, key, value);
		else if (bound == JSONKEY_TO && jsonkey_bound(bounds->key) != JSONKEY_TO)
			why = check_to(bounds, base, value);
		if (why)
			return why;
	}
	return NULL;
}

/* Add the masks in @masked of @bounds to @span. */
static const char *add_masks(const struct bounds *bounds, struct span *span,
			     const char *base)
{
	const char *key, *why = NULL;
	json_t *value;

	json_object_foreach((json_t *)bounds->masked, key, value) {
		if (jsonkey_bound(key) == JSONKEY_MASK && !is_empty(value))
			why = add_mask(bounds, span, base, value);
		if (why)
			return why;
	}
	return NULL;
}

/*
 * Return: an error text if @value is a number of addresses that can begin at the address @base;
 * otherwise NULL. @loose: @value can also be a count of something else.
 */
static const char *check_count(const struct bounds *bounds, const char *base,
			       const json_t *value, bool loose)
{
	const char *text = json_string_value(value), *why;
	struct line line = { .kind = LINE_KEY };
	char number[32];
	int host_bits;

	if (json_is_number(value) && json_number_value(value) < 1e20) {
		snprintf(number, sizeof(number), "%.0f", json_number_value(value));
		text = number;
	}
	if (!text)
		return json_is_number(value) ? line_unclear_count : NULL;
	key_scan(base, base + strlen(base), &bounds->reader->syntax, &line.key, &host_bits,
		 &why);
	columns_check_count(&line, text, text + strlen(text), loose);
	return line.kind == LINE_BAD ? line.why : NULL;
}

/*
 * Return: an error text if @value, under a key such as "cidr_notation", can be the prefix length
 * of the network that begins at @base; otherwise NULL.
 */
static const char *check_unsure(const struct bounds *bounds, const char *base,
				const json_t *value)
{
	struct line line = { .kind = LINE_KEY };
	char number[32];
	const char *text = json_string_value(value) ?: number;
	int host_bits;

	if (!is_length(value))
		return NULL;
	snprintf(number, sizeof(number), "%lld", (long long)json_integer_value(value));
	key_scan(base, base + strlen(base), &bounds->reader->syntax, &line.key, &host_bits, NULL);
	return columns_is_size(&line, text, text + strlen(text), true) ? line_unclear_length : NULL;
}

static const char *check_counts(const struct bounds *bounds, const char *base)
{
	const char *key, *why = NULL;
	json_t *value;

	json_object_foreach((json_t *)bounds->object, key, value) {
		enum jsonkey_bound bound = jsonkey_bound(key);

		if ((bound == JSONKEY_COUNT || bound == JSONKEY_MAYBE_COUNT) && strcmp(key, bounds->key))
			why = check_count(bounds, base, value, bound == JSONKEY_MAYBE_COUNT);
		else if (bound == JSONKEY_UNSURE)
			why = check_unsure(bounds, base, value);
		if (why)
			break;
	}
	return why;
}

/*
 * Check the networks and ranges that begin at the address @base, and are under other keys of the
 * object, such as "cidr". Each of them must agree with @span. If @span is not set, the user must
 * name the other key. Skip keys in @keys of @bounds, because their values are entries, too.
 */
static const char *check_networks(const struct bounds *bounds, struct span *span,
				  const char *base)
{
	const struct syntax *syntax = &bounds->reader->syntax;
	struct line line;
	const char *key, *text, *why = NULL;
	json_t *value;

	reader_parse(bounds->reader, base, strlen(base), &line);
	json_object_foreach((json_t *)bounds->object, key, value) {
		enum jsonkey_bound bound = jsonkey_bound(key);

		text = json_string_value(value);
		if (!text || (bound != JSONKEY_KEY && bound != JSONKEY_MAYBE_MASK &&
			      bound != JSONKEY_MASK) ||
		    jsonkey_is_listed(bounds->keys, key) || line.kind != LINE_KEY ||
		    !line_is_within(&line, text, strlen(text), syntax))
			continue;
		why = span->known ? add_span(bounds, span, text) :
		      "the address is the first of a network or range under another key: name the other key with --json-key";
		if (why)
			break;
	}
	return why;
}

/* Return: true if the object has a key such as "start_ip" or "end_ip" with an address. */
static bool has_ends(const struct bounds *bounds)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)bounds->object, key, value) {
		enum jsonkey_bound bound = jsonkey_bound(key);

		if ((bound == JSONKEY_START || bound == JSONKEY_END) && is_single(value))
			return true;
	}
	return false;
}

/*
 * Compare the addresses under keys of the object such as "start_ip" and "end_ip" with the
 * network or range @span. Return: NULL, or an error text.
 */
static const char *compare_ends(const struct bounds *bounds, const struct span *span)
{
	const struct kcuckoo_prefix *end;
	struct kcuckoo_prefix address;
	const char *key, *text;
	json_t *value;

	json_object_foreach((json_t *)bounds->object, key, value) {
		enum jsonkey_bound bound = jsonkey_bound(key);

		if ((bound != JSONKEY_START && bound != JSONKEY_END) || !is_single(value) ||
		    !strcmp(key, bounds->key))
			continue;
		text = json_string_value(value);
		end = bound == JSONKEY_START ? &span->first : &span->last;
		key_scan(text, text + strlen(text), &bounds->reader->syntax, &address, NULL, NULL);
		if (!key_is_bound(&span->first, end, &address))
			return "the entry and its first or last address under another key disagree";
	}
	return NULL;
}

const char *bounds_apply(const struct bounds *bounds, const char *text,
			 char combined[BOUNDS_TEXT])
{
	struct span span = { .text = combined };
	const char *why = NULL;
	char base[64];

	*combined = 0;
	if (!bounds->object && !bounds->masked)
		return NULL;
	snprintf(base, sizeof(base), "%.*s", (int)strcspn(text, "/-"), text);
	/* The reader rejects a text that is not an address. */
	if (!bounds_is_address(base))
		return NULL;
	if (strcmp(base, text)) {
		/* A network or range is only compared with the masks. */
		if ((bounds->masked || has_ends(bounds)) && !add_span(bounds, &span, text)) {
			why = bounds->masked ? add_masks(bounds, &span, base) : NULL;
			if (!why && bounds->object)
				why = compare_ends(bounds, &span);
		}
		*combined = 0;
		return why;
	}
	if (bounds->object)
		why = add_object(bounds, &span, base);
	if (!why)
		why = add_masks(bounds, &span, base);
	if (!why && bounds->object)
		why = check_networks(bounds, &span, base);
	if (!why && !span.known && bounds->object)
		why = check_counts(bounds, base);
	return why;
}

bool bounds_is_mask(const struct bounds *bounds)
{
	enum jsonkey_bound own = bounds->object ? jsonkey_bound(bounds->key) : JSONKEY_OTHER;
	const char *key;
	json_t *value;

	if (own != JSONKEY_MASK &&
	    (own != JSONKEY_MAYBE_MASK ||
	     !is_length(json_object_get(bounds->object, bounds->key))))
		return false;
	if (!jsonkey_is_listed(bounds->keys, bounds->key))
		return true;
	json_object_foreach((json_t *)bounds->object, key, value)
		if (strcmp(key, bounds->key) && is_single(value) &&
		    jsonkey_is_listed(bounds->keys, key))
			return true;
	return false;
}

int bounds_is_last(const struct bounds *bounds)
{
	enum jsonkey_bound own = bounds->object ? jsonkey_bound(bounds->key) : JSONKEY_OTHER;
	const char *key;
	json_t *value;
	int ret = 0;

	if (own != JSONKEY_END && own != JSONKEY_TO)
		return 0;
	json_object_foreach((json_t *)bounds->object, key, value) {
		enum jsonkey_bound bound = jsonkey_bound(key);

		if (!is_single(value) || bound == JSONKEY_END || bound == JSONKEY_TO)
			continue;
		if (bound != JSONKEY_START &&
		    (own == JSONKEY_TO || has_start(bounds->object)))
			continue;
		if (jsonkey_is_listed(bounds->keys, key))
			return 1;
		if (bound == JSONKEY_START)
			ret = -1;
	}
	return ret;
}
