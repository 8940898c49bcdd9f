// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions search the columns of a line for words that change the meaning of the
 * key of the line, such as "allow" and "netmask".
 */
#include <string.h>
#include <strings.h>

#include "input/columns.h"
#include "input/words.h"

const char line_exception[] =
	"the line allows an address: load such lines into a filter for 'allow'";

const char line_negation[] =
	"a word in the line negates it: the address may not be one to block";

const char line_partial[] =
	"the line excepts a part of its key: write the exception on a line of its own";

bool field_is_column(const struct field *field, const char *end)
{
	return (field->columns || field->tab) &&
	       (field->next == end || *field->next == '\t' ||
		is_column_sign(*field->next));
}

bool field_has_letter(const struct field *field)
{
	const char *at;

	for (at = field->at; at < field->end; at++)
		if ((*at | 0x20) >= 'a' && (*at | 0x20) <= 'z')
			return true;
	return false;
}

bool field_ends_with_sign(const struct field *field)
{
	return (field->end > field->at && (field->end[-1] == ':' || field->end[-1] == '=')) ||
	       field_is(field, "-j") || field_is(field, "--jump");
}

void field_strip(struct field *word)
{
	while (word->at < word->end && (is_wrapping(*word->at) || *word->at == ':'))
		word->at++;
	while (word->end > word->at &&
	       (is_wrapping(word->end[-1]) || word->end[-1] == ':'))
		word->end--;
}

bool field_is_mask_word(const struct field *field, const char *end)
{
	static const char * const words[] = {
		"netmask", "mask", "subnetmask", "subnet_mask", "wildcard", "prefix",
		"prefixlen", "prefix_len", "prefixlength", "prefix_length", "masklen",
		"mask_len", "masklength", "mask_length", "plen", "cidr",
	};
	struct field name = *field, value = *field, next;
	size_t i;

	field_strip(&name);
	for (value.at = name.at; value.at < name.end; value.at++)
		if (*value.at == '=' || *value.at == ':')
			break;
	name.end = value.at;
	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (field_is(&name, words[i]))
			break;
	if (i == sizeof(words) / sizeof(*words))
		return false;
	while (field_strip(&value), value.at == value.end) {
		if (!field_next(value.next, end, &next))
			return false;
		value = next;
	}
	return *value.at >= '0' && *value.at <= '9';
}

/* What a word means for the address of its line. */
enum meaning {
	MEANS_NOTHING,
	MEANS_ALLOWED,	/* the address must not be blocked */
	MEANS_NEGATION,	/* the line removes the address, or says what it is not */
};

/* Return: the meaning of the word, without regard to punctuation around it. */
static enum meaning meaning_of(struct field word)
{
	static const char * const allowed[] = {
		"allow", "allowed", "allowlist", "allowlisted", "permit", "permitted",
		"accept", "accepted", "whitelist", "whitelisted", "exclude", "excluded",
		"except", "exempt", "dunno", "pass", "return", "bypass", "trust", "trusted",
	}, * const negations[] = {
		"not", "never", "unless", "ignore", "ignored", "unban", "unbanned", "unblock",
		"unblocked", "delist", "delisted", "unlist", "unlisted", "remove", "removed",
		"delete", "deleted",
	};
	size_t i;

	field_strip(&word);
	for (i = 0; i < sizeof(allowed) / sizeof(*allowed); i++)
		if (field_is(&word, allowed[i]))
			return MEANS_ALLOWED;
	for (i = 0; i < sizeof(negations) / sizeof(*negations); i++)
		if (field_is(&word, negations[i]))
			return MEANS_NEGATION;
	return MEANS_NOTHING;
}

bool word_is_exception(const char *at, const char *end)
{
	return meaning_of((struct field){ .at = at, .end = end }) == MEANS_ALLOWED;
}

/*
 * Return: the meaning of the word in @field. @first: see field_is_exception(). Without
 * @first, a word has a meaning only if it is a column of a table.
 */
static enum meaning field_meaning(const struct field *field, const char *end, bool first)
{
	struct field word = *field;
	const char *at;

	/* Remove a comment that directly follows the word. */
	for (at = word.at; at < word.end && !is_comment(at, word.end); at++)
		;
	word.end = at;
	if (field_is(&word, "nomatch"))
		return MEANS_ALLOWED;
	if (!first && !field_is_column(field, end))
		return MEANS_NOTHING;
	field_strip(&word);
	/* In a word such as action=allow, compare only the value. */
	for (at = word.at; at < word.end; at++)
		if (*at == '=' || *at == ':')
			word.at = at + 1;
	return meaning_of(word);
}

bool field_is_exception(const struct field *field, const char *end, bool first)
{
	return field_meaning(field, end, first) == MEANS_ALLOWED;
}

bool field_is_negation(const struct field *field, const char *end, bool first)
{
	/* The option -D of iptables deletes a rule. */
	return (first && field->end - field->at == 2 && !memcmp(field->at, "-D", 2)) ||
	       field_meaning(field, end, first) == MEANS_NEGATION;
}

/* Return: true if the field is an exclamation mark and an address. */
static bool is_negated(const struct field *field)
{
	static const struct syntax plain;
	struct field address = *field;

	if (field->at == field->end || *field->at != '!')
		return false;
	address.at++;
	return field_is_address(&address, &plain);
}

bool field_is_partial(const struct field *field, const char *end, bool first)
{
	struct field word = *field, next;

	field_strip(&word);
	if (is_negated(field))
		return true;
	return (first || field->columns || field->tab) &&
	       (field_is(&word, "except") || field_is(&word, "exclude") ||
		field_is(&word, "excluding")) &&
	       field_next(field->next, end, &next) && !next.columns && !next.tab;
}

bool field_is_only_ok(const struct field *field, const char *end)
{
	struct field word = *field, next;

	field_strip(&word);
	return field_is(&word, "ok") && !field_next(field->next, end, &next);
}
