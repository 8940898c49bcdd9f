// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions search the columns of a line for words that change the meaning of the
 * key of the line, such as "allow" and "netmask".
 */
#include <string.h>
#include <strings.h>

#include "input/columns.h"
#include "input/name.h"
#include "input/words.h"
#include "number.h"

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

/*
 * Return: true if the text is a mask in hexadecimal, as in 0xffffff00 or ff:ff:ff:00: 8 digits
 * for IPv4 or 32 for IPv6, the first bits set and all others clear.
 */
static bool is_hex_mask(const char *at, const char *end)
{
	int digits = 0, signs = 0;
	unsigned int digit;
	bool ones = true;

	if (end - at > 2 && *at == '0' && (at[1] | 0x20) == 'x')
		at += 2;
	for (; at < end; at++) {
		if (*at == ':' || *at == '.') {
			signs++;
			continue;
		}
		digit = hex_digit(*at);
		/* After f, any digit of a mask can follow; after another digit, only 0. */
		if (digit > 15 || (!digits && digit < 8) ||
		    (ones ? digit & ~digit >> 1 & 7 : digit))
			return false;
		ones = digit == 15;
		digits++;
	}
	return (digits == 8 && (!signs || signs == 3)) || (digits == 32 && !signs);
}

bool field_is_other_mask(const struct field *field)
{
	struct field word = *field;
	const char *at;
	int dots = 0;

	field_strip(&word);
	if (is_hex_mask(word.at, word.end))
		return true;
	if (word.end - word.at < 5 || memcmp(word.at, "255.", 4))
		return false;
	for (at = word.at; at < word.end; at++) {
		if (*at != '.' && (*at < '0' || *at > '9'))
			return false;
		dots += *at == '.';
	}
	return dots < 3;
}

static bool is_one_of(const struct field *field, const char * const *words, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (field_is(field, words[i]))
			return true;
	return false;
}

#define IS_ONE_OF(field, words)	is_one_of(field, words, sizeof(words) / sizeof(*(words)))

/*
 * Split a field such as "netmask=24" or "prefix/24" at its sign. If no text follows the sign,
 * @value is the next field that is not only punctuation. Return: false if no such field follows.
 */
static bool split(const struct field *field, const char *end, struct field *name,
		  struct field *value)
{
	struct field next;

	*name = *field;
	*value = *field;
	field_strip(name);
	for (value->at = name->at; value->at < name->end; value->at++)
		if (*value->at == '=' || *value->at == ':' || *value->at == '/')
			break;
	name->end = value->at;
	while (field_strip(value), value->at == value->end) {
		if (!field_next(value->next, end, &next))
			return false;
		*value = next;
	}
	return true;
}

static bool is_number_to(const struct field *field, __u64 max)
{
	__u64 number;

	return field_is_number(field) &&
	       number_scan(field->at, field->end - field->at, max, &number) && number;
}

/*
 * Return: true if the field is a word of @words, which ends with NULL, and then a number from 1
 * to @max, as in "mask24".
 */
static bool has_number_after(const struct field *field, const char * const *words, __u64 max)
{
	struct field name = *field, number;

	field_strip(&name);
	number = name;
	for (name.end = name.at; name.end < number.end; name.end++)
		if (*name.end >= '0' && *name.end <= '9')
			break;
	number.at = name.end;
	for (; *words; words++)
		if (field_is(&name, *words))
			return is_number_to(&number, max);
	return false;
}

/* Skip a word such as "is" before @value. Remove a unit after a number, as in "24bits". */
static void trim_value(struct field *value, const char *end)
{
	struct field unit;

	if ((field_is(value, "is") || field_is(value, "of")) &&
	    field_next(value->next, end, &unit)) {
		*value = unit;
		field_strip(value);
	}
	unit = *value;
	while (unit.at < unit.end && *unit.at >= '0' && *unit.at <= '9')
		unit.at++;
	if (field_is(&unit, "bit") || field_is(&unit, "bits") || field_is(&unit, "-bit"))
		value->end = unit.at;
}

bool field_is_mask_word(const struct field *field, const char *end, int bits)
{
	static const char * const words[] = {
		"netmask", "net_mask", "net-mask", "mask", "subnetmask", "subnet_mask",
		"subnet-mask", "wildcard", "prefix", "prefixlen", "prefix_len", "prefix-len",
		"prefixlength", "prefix_length", "prefix-length", "masklen", "mask_len",
		"mask-len", "masklength", "mask_length", "mask-length", "plen", "cidr",
	}, * const sizes[] = { "bits", "len", "length", "subnet", "net", "slash" },
	* const joined[] = { "netmask", "mask", "prefix", "prefixlen", "masklen", "plen", "cidr",
			     "bits", "len", "length", "slash", NULL };
	struct field name, value;

	/* Return early for most words. */
	name = *field;
	field_strip(&name);
	if (name.at == name.end || !strchr("nmswpcbl", *name.at | 0x20))
		return false;
	if (has_number_after(field, joined, bits))
		return true;
	if (!split(field, end, &name, &value))
		return false;
	trim_value(&value, end);
	if (IS_ONE_OF(&name, words))
		return (*value.at >= '0' && *value.at <= '9') || is_hex_mask(value.at, value.end);
	/* Words of @sizes have other meanings, too, such as the length of a packet. */
	return IS_ONE_OF(&name, sizes) && is_number_to(&value, bits);
}

bool field_is_port(const struct field *field, const char *end)
{
	static const char * const ports[] = { "port", "dport", "dpt", "dst_port", "dest_port" };
	static const char * const protocols[] = { "tcp", "udp", "sctp", "dccp", "udplite" };
	struct field name, value;

	if (!split(field, end, &name, &value) || field_next(value.next, end, &(struct field){ 0 }))
		return false;
	if (IS_ONE_OF(&name, ports) || IS_ONE_OF(&name, protocols))
		return is_number_to(&value, 65535);
	return value.start == field->start && IS_ONE_OF(&value, protocols) &&
	       is_number_to(&name, 65535);
}

/* Return: true if the field is a port and its protocol, as in "22/tcp". */
static bool is_port_of_protocol(const struct field *field)
{
	const char *slash = memchr(field->at, '/', field->end - field->at);
	struct field number = *field, protocol = *field;

	if (!slash)
		return false;
	number.end = slash;
	protocol.at = slash + 1;
	return is_number_to(&number, 65535) &&
	       (field_is(&protocol, "tcp") || field_is(&protocol, "udp"));
}

bool field_is_port_option(const struct field *field, const char *end)
{
	static const char * const options[] = {
		"--dport", "--dports", "--destination-port", "--sport", "--sports",
		"--source-port", "dport", "sport",
	};

	return field->at < field->end && strchr("-ds", *field->at | 0x20) &&
	       IS_ONE_OF(field, options) && field_next(field->next, end, &(struct field){ 0 });
}

bool field_is_condition(const struct field *field, const char *end)
{
	static const char * const addresses[] = {
		"-d", "--dst", "--destination", "daddr", "via", "gw", "gateway", "nexthop",
	};
	static const struct syntax plain;
	struct field next, value;

	if (is_port_of_protocol(field))
		return true;
	if (field->end - field->at > 4 &&
	    (!memcmp(field->at, "dpt:", 4) || !memcmp(field->at, "dpts:", 5)))
		return true;
	if (!field_next(field->next, end, &next))
		return false;
	if (field_is(field, "eq") || field_is_port_option(field, end))
		return true;
	if (IS_ONE_OF(field, addresses))
		return field_is_address(&next, &plain);
	/* In the rules of pf, "port ssh" is a port, too, but in prose it is not. */
	return field_is(field, "port") &&
	       (is_number_to(&next, 65535) || (field_is(&next, "=") &&
					       field_next(next.next, end, &value)));
}

/* What a word means for the address of its line. */
enum meaning {
	MEANS_NOTHING,
	MEANS_ALLOWED,	/* the address must not be blocked */
	MEANS_NEGATION,	/* the line negates or removes the address */
};

static enum meaning meaning_of(struct field word)
{
	static const char * const allowed[] = {
		"allow", "allowed", "allowlist", "allowlisted", "permit", "permitted",
		"accept", "accepted", "whitelist", "whitelisted", "exclude", "excluded",
		"except", "exempt", "dunno", "pass", "return", "bypass", "trust", "trusted",
		"benign", "harmless", "require", "exception", "exempted", "bypassed", "un-block",
	}, * const negations[] = {
		"not", "never", "unless", "ignore", "ignored", "unban", "unbanned", "unblock",
		"unblocked", "delist", "delisted", "unlist", "unlisted", "remove", "removed",
		"delete", "deleted", "inactive", "disabled", "expired", "revoked",
		"released",
	};
	size_t i;

	field_strip(&word);
	if (word.at == word.end)
		return MEANS_NOTHING;
	/* Compare the first letters first, because most words have no meaning. */
	for (i = 0; i < sizeof(allowed) / sizeof(*allowed); i++)
		if ((*word.at | 0x20) == *allowed[i] && field_is(&word, allowed[i]))
			return MEANS_ALLOWED;
	for (i = 0; i < sizeof(negations) / sizeof(*negations); i++)
		if ((*word.at | 0x20) == *negations[i] && field_is(&word, negations[i]))
			return MEANS_NEGATION;
	return MEANS_NOTHING;
}

/*
 * Return: the meaning of the column that begins with @field, if it is only a word or phrase such
 * as "safe" or "false positive", which has another meaning in a remark or name.
 */
static enum meaning meaning_of_column(const struct field *field, const char *end)
{
	static const char * const allowed[] = {
		"false positive", "known good", "known benign", "white list", "white listed",
		"safe list", "allow listed", "safe", "good", "clean",
	}, * const negations[] = {
		"not listed", "no longer listed", "not malicious", "not blacklisted", "skip",
		"skipped", "cleared",
	};
	const char *stop = field->end;
	size_t i;

	/* Return early for most columns. */
	if (field->at == field->end || !strchr("fkwnsagc", *field->at | 0x20))
		return MEANS_NOTHING;
	while (stop < end && *stop != '\t' && !is_column_sign(*stop) && !is_comment(stop, end))
		stop++;
	for (i = 0; i < sizeof(allowed) / sizeof(*allowed); i++)
		if (name_equals(field->at, stop - field->at, allowed[i], strlen(allowed[i])))
			return MEANS_ALLOWED;
	for (i = 0; i < sizeof(negations) / sizeof(*negations); i++)
		if (name_equals(field->at, stop - field->at, negations[i], strlen(negations[i])))
			return MEANS_NEGATION;
	return MEANS_NOTHING;
}

/* Return: the meaning of a text, which is the only one in its place. */
static enum meaning meaning_of_text(const char *at, const char *end)
{
	struct field field = { .at = at, .end = end };
	enum meaning meaning = meaning_of(field);

	if (meaning == MEANS_NOTHING)
		meaning = meaning_of_column(&field, end);
	return meaning == MEANS_NOTHING && name_is_list(at, end - at) ? MEANS_ALLOWED : meaning;
}

bool word_is_exception(const char *at, const char *end)
{
	return meaning_of_text(at, end) == MEANS_ALLOWED;
}

bool word_is_negation(const char *at, const char *end)
{
	return meaning_of_text(at, end) == MEANS_NEGATION;
}

/* Return: the meaning of the word in @field. @first: see field_is_exception(). */
static enum meaning field_meaning(const struct field *field, const char *end, bool first)
{
	struct field word = *field;
	enum meaning meaning;
	const char *at;

	/* Remove a comment that directly follows the word. */
	for (at = word.at; at < word.end && !is_comment(at, word.end); at++)
		;
	word.end = at;
	if (field_is(&word, "nomatch"))
		return MEANS_ALLOWED;
	if (first || field->columns || field->tab) {
		meaning = meaning_of_column(field, end);
		if (meaning != MEANS_NOTHING)
			return meaning;
	}
	if (!first && !field_is_column(field, end))
		return MEANS_NOTHING;
	if (name_is_list(word.at, word.end - word.at))
		return MEANS_ALLOWED;
	field_strip(&word);
	/* In a word such as action=allow, compare only the value. */
	for (at = word.at; at < word.end; at++)
		if (*at == '=' || *at == ':')
			word.at = at + 1;
	return meaning_of(word);
}

/* Return: true if a phrase such as "do not block" can begin at @at. Most words are none. */
static bool can_forbid(const char *at, const char *end)
{
	char next, third;

	if (end - at < 3)
		return false;
	next = at[1] | 0x20;
	third = at[2] | 0x20;
	if ((*at | 0x20) == 'd')
		return next == 'o' && (third == 'n' || third < 'a');
	return (*at | 0x20) == 'n' && ((next == 'e' && third == 'v') ||
				       (next == 'o' && (third < 'a' || strchr("tnbdrm", third))));
}

bool field_forbids(const struct field *field, const char *end)
{
	struct field word = *field, next = *field;
	int words = 0;

	field_strip(&word);
	if (!can_forbid(word.at, end))
		return false;
	do {
		/* In "no block list", the words have another meaning. */
		if (name_forbids(word.at, next.end - word.at))
			return !words || strncasecmp(word.at, "no", 2);
	} while (++words < 3 && field_next(next.next, end, &next) && !next.columns && !next.tab);
	return false;
}

bool text_forbids(const char *at, const char *end)
{
	const char *start = at;
	struct field field;

	for (; at < end; at++)
		if ((at == start || !is_name_sign(at[-1])) && can_forbid(at, end) &&
		    field_next(at, end, &field) && field_forbids(&field, end))
			return true;
	return false;
}

bool field_is_exception(const struct field *field, const char *end, bool first)
{
	return field_meaning(field, end, first) == MEANS_ALLOWED || field_forbids(field, end);
}

bool field_is_negation(const struct field *field, const char *end, bool first)
{
	/* The option -D of iptables deletes a rule. */
	return (first && field->end - field->at == 2 && !memcmp(field->at, "-D", 2)) ||
	       field_meaning(field, end, first) == MEANS_NEGATION;
}

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
