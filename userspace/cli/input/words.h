/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions find words in the columns of a line that change the meaning of its
 * key, for line.c, columns.c and other readers.
 */
#ifndef KCUCKOO_CLI_WORDS_H
#define KCUCKOO_CLI_WORDS_H

#include "input/field.h"

/*
 * Error text for a line with an exception: an address that must not be blocked.
 */
extern const char line_exception[];

/* Error text for a line that excepts a part of its key. */
extern const char line_partial[];

/*
 * Can the character enclose an address? All can but colons, letters and digits, so
 * brackets, quotes, dashes and the bytes of blanks outside ASCII.
 */
static inline bool is_wrapping(char c)
{
	return c != ':' && (!is_name_sign(c) || c == '.' || c == '-' || c == '_');
}

/*
 * Is a field after the key a column of a table, and not a word of a text?
 */
bool field_is_column(const struct field *field, const char *end);

/* Does the field have an ASCII letter? */
bool field_has_letter(const struct field *field);

/* Does the field end with a sign after which a value follows, as in "action: allow"? */
bool field_ends_with_sign(const struct field *field);

/* Remove brackets, quotes and other signs at both ends of a word. */
void field_strip(struct field *word);

/*
 * Is the field a word such as "netmask" and a value, in this field or in the next one?
 */
bool field_is_mask_word(const struct field *field, const char *end);

/*
 * Is the field the word "ok" and the last one of the line? In other places, it is
 * often the state of Oklahoma.
 */
bool field_is_only_ok(const struct field *field, const char *end);

/*
 * Does the word in @field mean that the key is an exception, which must not be
 * blocked? Signs around the word do not matter. @first: no other word is between
 * the key and the field. Other fields are compared with most of these words only if
 * they are columns of a table, because a word such as "allow" can be part of a
 * remark.
 */
bool field_is_exception(const struct field *field, const char *end, bool first);

/*
 * Does the word in @field of a row mean that the addresses of the row may not be
 * keys, as in "not 192.0.2.1", "Unban 192.0.2.1" or "-j RETURN"?
 */
bool field_is_negation(const struct field *field);

/* Is the text from @at to @end a word such as "allow"? */
bool word_is_exception(const char *at, const char *end);

/*
 * Does the field except a part of the key: is it an exclamation mark and an address,
 * or a word such as "except" before further words? @first: as in
 * field_is_exception().
 */
bool field_is_partial(const struct field *field, const char *end, bool first);

#endif /* KCUCKOO_CLI_WORDS_H */
