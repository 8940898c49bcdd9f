// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions classify the keys of JSON objects by their words.
 */
#include <ctype.h>
#include <string.h>

#include "input/jsonkey.h"

/* Size in bytes of a buffer for a key or word; a longer key or word is cut off. */
#define KEY_TEXT	64

/* Write the letters and digits of @key to @joined, in lower case. */
static void join(const char *key, char joined[KEY_TEXT])
{
	size_t length = 0;

	for (; *key && length < KEY_TEXT - 1; key++)
		if (isalnum((unsigned char)*key))
			joined[length++] = tolower((unsigned char)*key);
	joined[length] = 0;
}

/*
 * Return: true if a word begins at @at: after a sign such as '_', and at a capital that
 * follows a small letter or precedes one, as in "allowList" and "IPAllowList".
 */
static bool is_word_start(const char *key, const char *at)
{
	if (at == key || !isalnum((unsigned char)at[-1]))
		return true;
	return isupper((unsigned char)*at) &&
	       (!isupper((unsigned char)at[-1]) || islower((unsigned char)at[1]));
}

/*
 * Write the first word at or after @at to @word, in lower case. Return: the end of the
 * word, or NULL if no word follows.
 */
static const char *next_word(const char *key, const char *at, char word[KEY_TEXT])
{
	size_t length = 0;

	while (*at && !isalnum((unsigned char)*at))
		at++;
	if (!*at)
		return NULL;
	do {
		if (length < KEY_TEXT - 1)
			word[length++] = tolower((unsigned char)*at);
		at++;
	} while (isalnum((unsigned char)*at) && !is_word_start(key, at));
	word[length] = 0;
	return at;
}

/* Return: true if @word is in @list, which ends with NULL. */
static bool is_in(const char *word, const char * const *list)
{
	for (; *list; list++)
		if (!strcmp(word, *list))
			return true;
	return false;
}

/* Return: true if @word begins with a word such as "allow". */
static bool begins_exception(const char *word)
{
	static const char * const starts[] = {
		"allow", "permit", "accept", "whitelist", "safelist", "exclud", "exclusion",
		"except", "exempt", "trusted", "nomatch", "ignore", "bypass", "dunno",
		"unban", "unblock", "unlist", "delist", "removed", "deleted", NULL,
	};
	const char * const *start;

	for (start = starts; *start; start++)
		if (!strncmp(word, *start, strlen(*start)))
			return true;
	return false;
}

/* Return: true if the letters of @key contain a word such as "allowlist". */
static bool has_list_word(const char *key)
{
	char joined[KEY_TEXT];

	join(key, joined);
	return strstr(joined, "allowlist") || strstr(joined, "whitelist") ||
	       strstr(joined, "safelist") || strstr(joined, "trustlist");
}

/* Return: true if a word of @key inverts the other words, as in "not_allowed". */
static bool is_inverted(const char *key)
{
	static const char * const words[] = { "not", "no", "non", "never", NULL };
	const char *at = key;
	char word[KEY_TEXT];

	while ((at = next_word(key, at, word)))
		if (is_in(word, words))
			return true;
	return false;
}

bool jsonkey_is_exception(const char *key)
{
	const char *at = key;
	char word[KEY_TEXT];

	if (is_inverted(key))
		return false;
	while ((at = next_word(key, at, word)))
		if (begins_exception(word))
			return true;
	return has_list_word(key);
}

bool jsonkey_is_flag(const char *key)
{
	static const char * const flags[] = {
		"allow", "allowed", "allowlist", "allowlisted", "permit", "permitted",
		"accept", "accepted", "whitelist", "whitelisted", "safelist", "safelisted",
		"exclude", "excluded", "except", "exception", "exempt", "exempted",
		"trusted", "nomatch", NULL,
	};
	char joined[KEY_TEXT];

	join(key, joined);
	return is_in(joined + 2 * !strncmp(joined, "is", 2), flags);
}

bool jsonkey_is_allowing(const char *text)
{
	/* A text of several words can be a sentence. */
	if (strchr(text, ' '))
		return !is_inverted(text) && has_list_word(text);
	return jsonkey_is_exception(text);
}
