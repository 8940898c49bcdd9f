// SPDX-License-Identifier: GPL-2.0-only
/* These functions find the meanings of the keys of JSON objects. */
#include <string.h>

#include "input/jsonkey.h"
#include "input/name.h"

/* Size in bytes of a buffer for a key. */
#define KEY_TEXT	64

/*
 * Return: the meaning of a key for the addresses in the same object. NAME_COUNT comes before
 * NAME_SIZE: the value of the key "size", which has both kinds, is often the size of a file or
 * group, and not a prefix length.
 */
static enum jsonkey_bound find_bound(unsigned int kinds)
{
	if (kinds & NAME_COUNT)
		return kinds & NAME_LOOSE ? JSONKEY_MAYBE_COUNT : JSONKEY_COUNT;
	if (kinds & NAME_SIZE)
		return kinds & (NAME_LOOSE | NAME_NETWORK) ? JSONKEY_MAYBE_MASK : JSONKEY_MASK;
	if (kinds & NAME_START)
		return JSONKEY_START;
	if (kinds & NAME_END)
		return JSONKEY_END;
	if (kinds & NAME_TO)
		return JSONKEY_TO;
	if (kinds & NAME_UNSURE)
		return JSONKEY_UNSURE;
	return kinds & NAME_KEY ? JSONKEY_KEY : JSONKEY_OTHER;
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

/* A key with its meanings, the bits NAME_*. @key is empty in an unused element. */
struct meaning {
	char key[KEY_TEXT];
	unsigned int kinds;
	enum jsonkey_bound bound;
};

static void find_meaning(struct meaning *meaning, const char *key)
{
	meaning->kinds = name_kinds(key, strlen(key));
	meaning->bound = find_bound(meaning->kinds);
}

static unsigned int hash_of(const char *key)
{
	unsigned int hash = 2166136261u;

	for (; *key; key++)
		hash = (hash ^ (unsigned char)*key) * 16777619u;
	return hash >> 16;
}

/*
 * Return: the meaning of @key, which is valid until the next call. The objects of a list have
 * the same few keys, so keep the meanings of the last keys, in pairs of equal hash.
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

unsigned int jsonkey_kinds(const char *key)
{
	return meaning_of(key)->kinds;
}

enum jsonkey_bound jsonkey_bound(const char *key)
{
	return meaning_of(key)->bound;
}
