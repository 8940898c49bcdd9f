// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions recognize prefix lengths in the columns after an address, for
 * columns.c and line.c.
 */
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

/*
 * Return: true if @field, which directly follows the address @key, could be a prefix
 * length with other characters, as in "24.0", "24/", "+24" or "/24x".
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
	if (!length_is_number(&number, key) || !key_has_tail(key, length_number(&number), false))
		return false;
	if (sign == '"' || sign == '\'' || after == end)
		return true;
	while (++after < end && *after == '0')
		;
	return after == end && strchr("./", *number.end);
}

bool length_is_unread(const struct line *line, const struct field *field,
		      const char *end, bool first)
{
	struct kcuckoo_prefix key;
	struct field word = *field;
	int number;

	/*
	 * Return early for numbers, which are frequent. columns_take_length() has
	 * already used a number that is a prefix length.
	 */
	if (!line->bare || field_is_number(field))
		return false;
	key = key_as_written(line);
	if (field_is_mask_word(field, end, 8 * key_bytes(&key)) || field_is_other_mask(field) ||
	    (first && is_other_length(field, &key)))
		return true;
	field_strip(&word);
	if (!field_is_number(&word) || word.at == field->at)
		return false;
	number = length_number(&word);
	if (word.at[-1] == '/')
		return number > 0 && number <= 8 * key_bytes(&key);
	return first && word.end < field->end && length_is_number(&word, &key) &&
	       key_has_tail(&key, number, false);
}
