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

static bool is_exception(const char *key)
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

/*
 * Remove a word such as "ip" or "address" at the beginning or end of @word. Return: false
 * if @word has no such word, or no other word.
 */
static bool strip_address(char word[KEY_TEXT])
{
	static const char * const parts[] = {
		"ipv4", "ipv6", "ip", "v4", "v6", "address", "addr", "range", "network",
		"subnet", "net", "inet", "block", NULL,
	};
	const char * const *part;

	for (part = parts; *part; part++) {
		size_t length = strlen(*part), rest = strlen(word) - length;

		if (strlen(word) <= length)
			continue;
		if (!strcmp(word + rest, *part)) {
			word[rest] = 0;
			return true;
		}
		if (!strncmp(word, *part, length)) {
			memmove(word, word + length, rest + 1);
			return true;
		}
	}
	return false;
}

static enum jsonkey_bound find_bound(const char *key)
{
	static const struct {
		enum jsonkey_bound bound;
		const char *words[24];
	} kinds[] = {
		{ JSONKEY_MASK, { "mask", "netmask", "subnetmask", "masklen", "masklength",
				  "maskbits", "masksize", "netmasklen", "netmasklength",
				  "netmaskbits", "prefixlen", "prefixlength", "prefixbits",
				  "prefixsize", "cidrmask", "cidrlen", "cidrlength",
				  "cidrbits" } },
		{ JSONKEY_LENGTH, { "cidr", "bits", "length", "len", "plen", "prefix", "subnet",
				    "wildcard", "wildcardmask" } },
		{ JSONKEY_START, { "start", "first", "from", "begin", "lower" } },
		{ JSONKEY_END, { "end", "last", "stop", "upper" } },
		{ JSONKEY_TO, { "to", "until" } },
	};
	char word[KEY_TEXT];
	size_t i;

	join(key, word);
	do {
		for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
			if (is_in(word, kinds[i].words))
				return kinds[i].bound;
	} while (strip_address(word));
	return JSONKEY_OTHER;
}

bool jsonkey_is_listed(const char *list, const char *key)
{
	size_t length = strlen(key);
	const char *at = list;

	for (;;) {
		if (!strncmp(at, key, length) && (!at[length] || at[length] == ','))
			return true;
		at = strchr(at, ',');
		if (!at)
			return false;
		at++;
	}
}

static bool is_flag(const char *key)
{
	static const char * const flags[] = {
		"allow", "allowed", "allowlist", "allowlisted", "permit", "permitted",
		"accept", "accepted", "whitelist", "whitelisted", "safelist", "safelisted",
		"exclude", "excluded", "except", "exception", "exempt", "exempted",
		"trusted", "nomatch", "falsepositive", NULL,
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
	return is_exception(text);
}

/**
 * struct meaning - a key and the results for the key
 * @key: the key, or empty
 */
struct meaning {
	char key[KEY_TEXT];
	bool exception;
	bool flag;
	enum jsonkey_bound bound;
};

static void find_meaning(struct meaning *meaning, const char *key)
{
	meaning->exception = is_exception(key);
	meaning->flag = is_flag(key);
	meaning->bound = find_bound(key);
}

static unsigned int hash_of(const char *key)
{
	unsigned int hash = 2166136261u;

	for (; *key; key++)
		hash = (hash ^ (unsigned char)*key) * 16777619u;
	return hash >> 16;
}

/*
 * Return: the meaning of @key, which is valid until the next call. The objects of a list
 * have the same few keys, so keep the meanings of the last keys, in pairs of equal hash.
 */
static const struct meaning *meaning_of(const char *key)
{
	static struct meaning meanings[128][2], other;
	struct meaning *pair;

	/* An empty key, and a key that is too long to keep. */
	if (!*key || strlen(key) >= KEY_TEXT) {
		find_meaning(&other, key);
		return &other;
	}
	pair = meanings[hash_of(key) % (sizeof(meanings) / sizeof(*meanings))];
	if (!strcmp(pair[0].key, key))
		return &pair[0];
	if (!strcmp(pair[1].key, key))
		return &pair[1];
	pair[1] = pair[0];
	strcpy(pair[0].key, key);
	find_meaning(&pair[0], key);
	return &pair[0];
}

bool jsonkey_is_exception(const char *key)
{
	return meaning_of(key)->exception;
}

bool jsonkey_is_flag(const char *key)
{
	return meaning_of(key)->flag;
}

enum jsonkey_bound jsonkey_bound(const char *key)
{
	return meaning_of(key)->bound;
}
