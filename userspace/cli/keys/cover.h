/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions find the members of a filter that cover an address: the address
 * itself, and the prefixes that include it. The verb explain calls cover_find().
 */
#ifndef KCUCKOO_CLI_COVER_H
#define KCUCKOO_CLI_COVER_H

#include "cli.h"

/*
 * Maximum number of keys that cover an address: an IPv6 address itself, and its prefixes
 * of length 0 to 127.
 */
#define COVER_MAX	129

/* Return: true if @prefix covers all of @key. */
bool cover_has(const struct kcuckoo_prefix *prefix,
	       const struct kcuckoo_prefix *key);

/*
 * Write all keys that cover @address, an address or prefix, to @keys: @address itself
 * and all shorter prefixes, the longest first. Return: the number of keys.
 */
int cover_keys(const struct kcuckoo_prefix *address,
	       struct kcuckoo_prefix keys[COVER_MAX]);

/* Whether a member expires. */
enum cover_time {
	COVER_NEVER,	/* the member does not expire */
	COVER_EXPIRES,	/* the member expires after @timeout seconds */
	COVER_UNKNOWN,	/* the filter has timeouts, but no walk found the member */
};

/**
 * struct cover_member - a member that covers an address
 * @key: the member. In an approximate filter, @key can be a key that was never added, but
 *	whose fingerprint is in the filter
 * @values: values of the member. A member of an exact filter has at most one value. In
 *	an approximate filter, keys with the same fingerprint can have several values
 * @value_count: number of these values
 * @time: enum cover_time: whether the member expires. For an approximate filter with
 *	timeouts, cover_find() does not walk, so @time is COVER_UNKNOWN
 * @timeout: time until the member expires, in seconds; valid only if @time is
 *	COVER_EXPIRES
 */
struct cover_member {
	struct kcuckoo_prefix key;
	__u32 values[KCUCKOO_VALUES_MAX];
	int value_count;
	enum cover_time time;
	__u32 timeout;
};

/**
 * struct cover - the members of a filter that cover an address
 * @members: the members, the longest prefix first
 * @count: number of members
 */
struct cover {
	struct cover_member members[COVER_MAX];
	int count;
};

/*
 * Find the members of the filter @name that cover @address, and write them to @cover.
 * @address: an address, not a shorter prefix. @info: parameters of the filter. Return: 0
 * or a negative errno.
 */
int cover_find(struct cli *cli, const char *name,
	       const struct kcuckoo_ioc_info *info,
	       const struct kcuckoo_prefix *address, struct cover *cover);

#endif /* KCUCKOO_CLI_COVER_H */
