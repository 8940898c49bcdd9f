// SPDX-License-Identifier: GPL-2.0-only
/*
 * decision_parse() parses a line of crowdsec-custom-bouncer.
 *
 * The library jsmn finds the tokens of the line, but also accepts some texts that are not
 * JSON. So find_fields() rejects an object unless the name of each field is a string and
 * has one value.
 */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define JSMN_STATIC
#define JSMN_STRICT
#include <jsmn.h>

#include "daemons/decision.h"
#include "duration.h"

/* The bytes of durations of the language Go. Unicode has two characters for the micro sign. */
#define DURATION_BYTES	"0123456789.hmsnu\xc2\xb5\xce\xbc"

/* Maximum number of tokens of a line. A decision has 11 fields, which are 23 tokens. */
#define TOKENS	64

enum field {
	FIELD_ACTION,
	FIELD_TYPE,
	FIELD_SCOPE,
	FIELD_VALUE,
	FIELD_DURATION,
	FIELD_SIMULATED,
	FIELDS,
};

static const char * const names[FIELDS] = {
	"action", "type", "scope", "value", "duration", "simulated",
};

/**
 * struct text - the value of a field
 * @at: first byte of the value, which has no final zero; NULL if the field is missing
 * @length: length of the value in bytes
 * @string: the value is a string
 */
struct text {
	const char *at;
	size_t length;
	bool string;
};

static bool is(const struct text *text, const char *word)
{
	return text->length == strlen(word) &&
	       !memcmp(text->at, word, text->length);
}

static bool is_any_case(const struct text *text, const char *word)
{
	return text->length == strlen(word) &&
	       !strncasecmp(text->at, word, text->length);
}

static struct text token_text(const char *line, const jsmntok_t *token)
{
	return (struct text){
		.at = line + token->start,
		.length = token->end - token->start,
		.string = token->type == JSMN_STRING,
	};
}

/* Return: the number of tokens of the value at @token, including the tokens inside it. */
static int token_span(const jsmntok_t *token, const jsmntok_t *end)
{
	const jsmntok_t *at = token + 1;

	while (at < end && at->start < token->end)
		at++;
	return at - token;
}

/* The first token is the object. Return: NULL, or a text that explains what is wrong. */
static const char *find_fields(const char *line, const jsmntok_t *tokens,
			       int count, struct text fields[FIELDS])
{
	const jsmntok_t *at = tokens + 1, *end = tokens + count;

	while (at < end) {
		struct text name = token_text(line, at);
		int i;

		if (!name.string || at->size != 1 || at + 1 >= end)
			return "it is not valid JSON";
		at++;
		for (i = 0; i < FIELDS && !is(&name, names[i]); i++)
			;
		if (i < FIELDS) {
			if (fields[i].at)
				return "a field occurs twice";
			fields[i] = token_text(line, at);
		}
		at += token_span(at, end);
	}
	return NULL;
}

/* The fields before FIELD_SIMULATED are required. Return: as find_fields(). */
static const char *check_fields(const struct text fields[FIELDS])
{
	static const char * const missing[FIELDS] = {
		"it has no \"action\"", "it has no \"type\"",
		"it has no \"scope\"", "it has no \"value\"",
		"it has no \"duration\"",
	};
	const struct text *simulated = &fields[FIELD_SIMULATED];
	int i;

	for (i = 0; i < FIELD_SIMULATED; i++) {
		if (!fields[i].at)
			return missing[i];
		if (!fields[i].string || memchr(fields[i].at, '\\',
						fields[i].length))
			return "a field is not a string, or has a backslash";
	}
	if (simulated->at && (simulated->string || (!is(simulated, "true") &&
						    !is(simulated, "false"))))
		return "\"simulated\" is neither true nor false";
	return NULL;
}

static bool is_blank(const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r')
			return false;
	return true;
}

static const char *split(const char *line, size_t length,
			 struct text fields[FIELDS])
{
	jsmntok_t tokens[TOKENS];
	jsmn_parser parser;
	const char *why;
	int count;

	jsmn_init(&parser);
	count = jsmn_parse(&parser, line, length, tokens, TOKENS);
	if (count == JSMN_ERROR_NOMEM)
		return "it has too many fields";
	if (count < 0)
		return "it is not valid JSON";
	if (!count || tokens->type != JSMN_OBJECT)
		return "it is not a JSON object";
	if (!is_blank(line + tokens->end, length - tokens->end))
		return "text follows the object";
	why = find_fields(line, tokens, count, fields);
	return why ? why : check_fields(fields);
}

static const char *parse_key(const struct text *value,
			     struct kcuckoo_prefix *key)
{
	const char *why = NULL;
	long length = kcuckoo_prefix_scan(value->at, value->length, key, NULL,
					  &why);

	if (length < 0)
		return why ? why : "\"value\" is not an address";
	if ((size_t)length != value->length)
		return "text follows the address";
	return NULL;
}

/* duration_scan() stops at the number that makes the duration too long: check the rest. */
static bool is_long_duration(const struct text *text)
{
	size_t i;

	for (i = 0; i < text->length; i++)
		if (!text->at[i] || !strchr(DURATION_BYTES, text->at[i]))
			return false;
	return true;
}

/*
 * The duration of a ban that has ended is zero or negative. A ban that is longer than the
 * maximum timeout never ends. Return: DECISION_ADD; DECISION_OTHER if the ban has ended; or
 * DECISION_BAD with @why of @decision set.
 */
static enum decision_kind parse_timeout(const struct text *duration,
					struct decision *decision)
{
	bool negative = duration->length && *duration->at == '-';
	struct text time = {
		.at = duration->at + negative,
		.length = duration->length - negative,
	};
	const char *why;

	decision->why = "\"duration\" is not a duration";
	decision->timeout = 0;
	/* duration_scan() also accepts "never" and "-1", which Go does not print. */
	if (!time.length || (!isdigit((unsigned char)*time.at) && *time.at != '.'))
		return DECISION_BAD;
	why = duration_scan(time.at, time.length, &decision->timeout);
	if (why && (why != duration_too_long || !is_long_duration(&time)))
		return DECISION_BAD;
	return negative || (!why && !decision->timeout) ? DECISION_OTHER : DECISION_ADD;
}

static enum decision_kind parse_change(const struct text fields[FIELDS],
				       struct decision *decision)
{
	const struct text *action = &fields[FIELD_ACTION];

	decision->why = parse_key(&fields[FIELD_VALUE], &decision->key);
	if (decision->why)
		return DECISION_BAD;
	if (is(action, "del"))
		return DECISION_DEL;
	if (!is(action, "add")) {
		decision->why = "\"action\" is neither add nor del";
		return DECISION_BAD;
	}
	return parse_timeout(&fields[FIELD_DURATION], decision);
}

enum decision_kind decision_parse(const char *text, size_t length,
				  struct decision *decision)
{
	struct text fields[FIELDS] = { { .at = NULL } };

	decision->why = split(text, length, fields);
	if (decision->why)
		return DECISION_BAD;
	if (!is(&fields[FIELD_TYPE], "ban") ||
	    (!is_any_case(&fields[FIELD_SCOPE], "ip") &&
	     !is_any_case(&fields[FIELD_SCOPE], "range")) ||
	    is(&fields[FIELD_SIMULATED], "true"))
		return DECISION_OTHER;
	return parse_change(fields, decision);
}
