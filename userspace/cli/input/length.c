// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions recognize prefix lengths in the columns after an address, for
 * columns.c and line.c.
 */
#include <stdint.h>
#include <string.h>

#include "input/key.h"
#include "input/length.h"
#include "input/words.h"
#include "number.h"

const char line_unclear_length[] =
	"the line could have a mask or prefix length in another form: write ADDRESS/LENGTH";

/*
 * Minimum number in a column that counts as a prefix length. Smaller numbers are often
 * counts.
 */
#define MIN_LENGTH	8

int length_number(const struct field *field)
{
	__u64 number;

	return number_scan(field->at, field->end - field->at, 128, &number) ?
	       (int)number : -1;
}

bool length_is_number(const struct field *field, const struct kcuckoo_prefix *key)
{
	int number;

	if (!field_is_number(field) || *field->at == '0')
		return false;
	number = length_number(field);
	return number >= MIN_LENGTH && number <= 8 * key_bytes(key);
}

bool length_has_slash(const struct field *field)
{
	const char *at = field->at + 1;

	if (field->end - field->at < 2 || *field->at != '/')
		return false;
	while (at < field->end && ((*at >= '0' && *at <= '9') || *at == '.'))
		at++;
	return at == field->end;
}

bool length_is_unclear(const struct field *field)
{
	bool digit = false, foreign = false;
	const char *at;

	for (at = field->at; at < field->end; at++) {
		digit |= *at >= '0' && *at <= '9';
		foreign |= *at & 0x80;
		if (!(*at >= '0' && *at <= '9') && !(*at & 0x80) && *at != '/')
			return false;
	}
	return digit && foreign;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Return: true if a number can be the prefix length of the network that begins at @key. */
static bool fits(const struct field *number, const struct kcuckoo_prefix *key)
{
	return length_is_number(number, key) && key_has_tail(key, length_number(number), false);
}

/*
 * Return: true if @field, which directly follows the address @key, is only a sign, and a
 * number that can be the prefix length follows it alone, as in ": 24".
 */
static bool is_split_length(const struct field *field, const char *end,
			    const struct kcuckoo_prefix *key)
{
	struct field sign = *field, number, next;

	field_strip(&sign);
	return sign.at == sign.end && field_next(field->next, end, &number) &&
	       !number.columns && !number.tab && fits(&number, key) &&
	       (!field_next(number.next, end, &next) || next.columns || next.tab);
}

/*
 * Return: true if @field, which directly follows the address @key, could be a prefix length with
 * other characters, as in "24.0", "24/", "24/8", "+24" or "/24x".
 */
static bool is_other_length(const struct field *field, const struct kcuckoo_prefix *key)
{
	struct field number = *field;
	const char *after, *end = field->end;
	char sign = field->at < end ? *field->at : 0;

	number.at += sign && strchr("+=*~_\\\"'/", sign);
	for (after = number.at; after < end && *after >= '0' && *after <= '9'; after++)
		;
	number.end = after;
	if (sign == '/')
		return after < end && ((*after | 0x20) >= 'a' && (*after | 0x20) <= 'z') &&
		       length_number(&number) > 0 &&
		       length_number(&number) <= 8 * key_bytes(key);
	if (!fits(&number, key))
		return false;
	if (sign == '"' || sign == '\'' || after == end)
		return true;
	while (++after < end && (*after == '0' || (*number.end == '/' && is_digit(*after))))
		;
	/* "24/7" means always. */
	return after == end && strchr("./", *number.end) &&
	       (after - number.end != 2 || after[-1] != '7');
}

/* Return: true if the text begins with @word, and no letter follows. */
static bool begins_with(const struct field *field, const char *word)
{
	struct field start = *field;
	size_t length = strlen(word);

	if ((size_t)(field->end - field->at) < length)
		return false;
	start.end = field->at + length;
	return field_is(&start, word) &&
	       (start.end == field->end ||
		!((*start.end | 0x20) >= 'a' && (*start.end | 0x20) <= 'z'));
}

/*
 * Return: true if the number at the start of @field, and the unit after the number, could be the
 * size of the network @key, as in "24bits", "24-bit", "24b" or "256 hosts".
 */
static bool is_size_with_unit(const struct field *field, const char *end,
			      const struct kcuckoo_prefix *key)
{
	static const char * const units[] = { "hosts", "addresses", "ips", "addrs" };
	struct field number = *field, unit = *field;
	__u64 count;
	size_t i;

	field_strip(&number);
	unit.end = number.end;
	for (unit.at = number.at; unit.at < unit.end && is_digit(*unit.at); unit.at++)
		;
	number.end = unit.at;
	if (number.at == number.end)
		return false;
	while (unit.at < unit.end && (*unit.at == '-' || *unit.at == '_' || is_blank(*unit.at)))
		unit.at++;
	if (unit.at == unit.end && !field_next(field->next, end, &unit))
		return false;
	if (unit.at == number.end && begins_with(&unit, "b"))
		return unit.end == unit.at + 1 && fits(&number, key);
	field_strip(&unit);
	if (begins_with(&unit, "bit") || begins_with(&unit, "bits"))
		return length_number(&number) > 0 &&
		       length_number(&number) < 8 * key_bytes(key);
	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (begins_with(&unit, units[i]))
			return number_scan(number.at, number.end - number.at, UINT64_MAX, &count) &&
			       key_is_block(key, count);
	return false;
}

/*
 * Return: true if the field and the next field say that @key is a network of class A, B or C, as
 * in "class C", "class-C" or "C-class".
 */
static bool is_class(const struct field *field, const char *end,
		     const struct kcuckoo_prefix *key)
{
	static const char class[] = "class";
	struct field word = *field, next;
	char letter = 0;

	field_strip(&word);
	if (field_is(&word, class)) {
		if (field_next(field->next, end, &next) && (field_strip(&next), true) &&
		    next.end - next.at == 1)
			letter = *next.at;
	} else if (word.end - word.at == 7 && strchr("-_ ", word.at[5])) {
		letter = word.at[6];
		word.end -= 2;
	} else if (word.end - word.at == 7 && strchr("-_ ", word.at[1])) {
		letter = word.at[0];
		word.at += 2;
	}
	letter |= 0x20;
	return field_is(&word, class) && letter >= 'a' && letter <= 'c' &&
	       key->family == KCUCKOO_FAMILY_IPV4 &&
	       key_has_tail(key, 8 * (letter - 'a' + 1), false);
}

bool length_is_unread(const struct line *line, const struct field *field,
		      const char *end, bool first)
{
	struct field word = *field, next;
	struct kcuckoo_prefix key;
	int number;

	if (!line->bare)
		return false;
	key = key_as_written(line);
	/*
	 * Return early for numbers, which are frequent. columns_take_length() has already used a
	 * number that is a prefix length.
	 */
	if (field_is_number(field))
		return is_size_with_unit(field, end, &key);
	if (is_size_with_unit(field, end, &key) || is_class(field, end, &key) ||
	    field_is_mask_word(field, end, 8 * key_bytes(&key)) || field_is_other_mask(field) ||
	    (first && (is_other_length(field, &key) || is_split_length(field, end, &key))))
		return true;
	field_strip(&word);
	if (!field_is_number(&word))
		return false;
	number = length_number(&word);
	if (word.at > field->at && word.at[-1] == '/')
		return number > 0 && number <= 8 * key_bytes(&key);
	if (!first || !fits(&word, &key))
		return false;
	/* In "(24 times)", the number counts what the next word names, and is no length. */
	return (word.at > field->at && word.end < field->end) ||
	       !field_next(field->next, end, &next) || next.columns || next.tab;
}
