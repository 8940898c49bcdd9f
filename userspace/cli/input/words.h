/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions search the columns of a line for words that change the meaning of the key of
 * the line, such as "allow" and "netmask".
 */
#ifndef KCUCKOO_CLI_WORDS_H
#define KCUCKOO_CLI_WORDS_H

#include "input/field.h"

/* Error text for a line with an exception: an address that must not be blocked. */
extern const char line_exception[];

/* Error text for a line with a word such as "unban" or "not". */
extern const char line_negation[];

/* Error text for a line with a word or address that excludes a part of its key. */
extern const char line_partial[];

/*
 * Return: true if the character can enclose an address: it is no colon, ASCII letter or digit.
 */
static inline bool is_wrapping(char c)
{
	return c != ':' && (!is_name_sign(c) || c == '.' || c == '-' || c == '_');
}

/*
 * Return: true if a field after the key is alone between separators of columns, and not a word
 * of a sentence.
 */
bool field_is_column(const struct field *field, const char *end);

/* Return: true if the field has an ASCII letter. */
bool field_has_letter(const struct field *field);

/*
 * Return: true if a value follows the field: the field ends with ':' or '=', as in "action:
 * allow", or is an option of iptables before a verdict, as in "-j ACCEPT".
 */
bool field_ends_with_sign(const struct field *field);

/* Remove brackets, quotes and other punctuation at both ends of a word. */
void field_strip(struct field *word);

/*
 * Return: true if the field is a word such as "netmask" before a number or a mask in
 * hexadecimal, or a word such as "length" before a number from 1 to @bits, the length of an
 * address. The number can be in the same field, as in "mask24" or "netmask=24", or follow, as in
 * "netmask is 24".
 */
bool field_is_mask_word(const struct field *field, const char *end, int bits);

/*
 * Return: true if the field is a mask in a form that is not parsed: 0xffffff00, ffffff00,
 * ff:ff:ff:00 or 255.255.255.
 */
bool field_is_other_mask(const struct field *field);

/*
 * Return: true if the rest of the line, from @field on, is only a port, as in "tcp 80",
 * "port=80" or "22/tcp".
 */
bool field_is_port(const struct field *field, const char *end);

/*
 * Return: true if the field is the word "ok" and the last field of the line. In other places,
 * "ok" is often the abbreviation of Oklahoma.
 */
bool field_is_only_ok(const struct field *field, const char *end);

/*
 * Return: true if the word in @field makes the key an exception, which must not be
 * blocked. The word "nomatch" always does. A word such as "allow", with or without
 * punctuation around it, does so if it is a column of a table, or with @first.
 * Otherwise the word can be part of a remark. @first: no other word is between the key
 * and the field.
 */
bool field_is_exception(const struct field *field, const char *end, bool first);

/*
 * Return: true if the word in @field can negate the key or remove the key from a list, as in
 * "not 192.0.2.1" or "Unban 192.0.2.1". @first: see field_is_exception().
 */
bool field_is_negation(const struct field *field, const char *end, bool first);

/*
 * Return: true if the field, together with the next ones, is a phrase such as "do not block"
 * or "never-ban". The key must not be blocked then.
 */
bool field_forbids(const struct field *field, const char *end);

/* Return: true if the field is an option of a rule such as "--dport", and a port follows. */
bool field_is_port_option(const struct field *field, const char *end);

/*
 * Return: true if the field of a row, with the next ones, is a condition of a rule of a
 * firewall or route: a port, as in "--dport 22" and "22/tcp", or the address of a destination or
 * router, as in "-d 192.0.2.1" and "via 192.0.2.1".
 */
bool field_is_condition(const struct field *field, const char *end);

/* Return: true if a word of the text from @at to @end begins a phrase, see field_forbids(). */
bool text_forbids(const char *at, const char *end);

/* Return: true if the text from @at to @end is a word such as "allow", or as "unban". */
bool word_is_exception(const char *at, const char *end);
bool word_is_negation(const char *at, const char *end);

/*
 * Return: true if the field excludes a part of the key: the field is an exclamation mark and an
 * address, or a word such as "except" before further words. @first: no other word is between the
 * key and the field. Without @first, a word counts only at the start of a column.
 */
bool field_is_partial(const struct field *field, const char *end, bool first);

#endif /* KCUCKOO_CLI_WORDS_H */
