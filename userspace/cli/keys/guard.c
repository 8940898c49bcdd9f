// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions find lists that are probably wrong: a list that was cut off, that has
 * become too large, or that has very wide prefixes.
 */
#include <errno.h>
#include <stdio.h>

#include "keys/guard.h"
#include "message.h"

/* The limit @max_shrink of struct guards applies only to filters with more members. */
#define SHRINK_MIN	100

/*
 * With GUARD_GROW_DEFAULT, an increase up to these numbers of IPv4 addresses and of IPv6
 * networks of length /64 is permitted.
 */
#define GROW_IPV4	((__u64)1 << 22)
#define GROW_IPV6	((__u64)1 << (22 + 64 - 48))

/*
 * Maximum number of IPv4 addresses that a list is allowed to cover: a tenth of the
 * 3,702,390,784 addresses that are not bogons.
 */
#define IPV4_PART_MAX	370239078ULL

/* Networks that the internet does not route, see guard_add_bogons(). */
static const struct kcuckoo_prefix bogons[] = {
	{ .family = KCUCKOO_FAMILY_IPV4, .plen = 8, .addr = { 0 } },
	{ .family = KCUCKOO_FAMILY_IPV4, .plen = 8, .addr = { 10 } },
	{ .family = KCUCKOO_FAMILY_IPV4, .plen = 10, .addr = { 100, 64 } },
	{ .family = KCUCKOO_FAMILY_IPV4, .plen = 8, .addr = { 127 } },
	{ .family = KCUCKOO_FAMILY_IPV4, .plen = 16, .addr = { 169, 254 } },
	{ .family = KCUCKOO_FAMILY_IPV4, .plen = 12, .addr = { 172, 16 } },
	{ .family = KCUCKOO_FAMILY_IPV4, .plen = 16, .addr = { 192, 168 } },
	{ .family = KCUCKOO_FAMILY_IPV4, .plen = 3, .addr = { 224 } },
	{ .family = KCUCKOO_FAMILY_IPV6, .plen = 128, .addr = { 0 } },
	{ .family = KCUCKOO_FAMILY_IPV6, .plen = 128, .addr = { [15] = 1 } },
	{ .family = KCUCKOO_FAMILY_IPV6, .plen = 7, .addr = { 0xfc } },
	{ .family = KCUCKOO_FAMILY_IPV6, .plen = 10, .addr = { 0xfe, 0x80 } },
	{ .family = KCUCKOO_FAMILY_IPV6, .plen = 8, .addr = { 0xff } },
};

void measure_set(const struct keyset *set, struct measure *measure)
{
	measure->keys = keyset_count(set);
	keyset_coverage(set, &measure->covered);
}

/* Return: true if @next exceeds @now by more than @percent percent of @now. */
static bool grows(__u64 now, __u64 next, __u64 percent)
{
	return next > now && (double)(next - now) * 100 > (double)now * percent;
}

static bool has_shrunk(const struct guards *guards, const struct measure *now,
		       const struct measure *next)
{
	if (now->keys <= SHRINK_MIN || next->keys >= now->keys)
		return false;
	/* A list of fewer but wider prefixes is not cut off. */
	if (next->covered.ipv4 >= now->covered.ipv4 &&
	    next->covered.ipv6 >= now->covered.ipv6)
		return false;
	return (double)(now->keys - next->keys) * 100 >
	       (double)now->keys * guards->max_shrink;
}

/* Return: true if @next exceeds twice @now, and exceeds @now by more than @more. */
static bool has_doubled(__u64 now, __u64 next, __u64 more)
{
	return grows(now, next, 100) && next - now > more;
}

static bool has_grown(const struct guards *guards, const struct measure *now,
		      const struct measure *next)
{
	__u64 percent = guards->max_grow;

	if (!now->keys)
		return false;
	if (percent != GUARD_GROW_DEFAULT)
		return grows(now->keys, next->keys, percent) ||
		       grows(now->covered.ipv4, next->covered.ipv4, percent) ||
		       grows(now->covered.ipv6, next->covered.ipv6, percent);
	return !guards->wide &&
	       (has_doubled(now->covered.ipv4, next->covered.ipv4, GROW_IPV4) ||
		has_doubled(now->covered.ipv6, next->covered.ipv6, GROW_IPV6));
}

enum guard_result guard_check(const struct guards *guards,
			      const struct measure *now,
			      const struct measure *next)
{
	if (next->keys < guards->min)
		return GUARD_TOO_FEW;
	if (has_shrunk(guards, now, next))
		return GUARD_SHRUNK;
	if (has_grown(guards, now, next))
		return GUARD_GROWN;
	if (!guards->wide && next->covered.ipv4 > IPV4_PART_MAX)
		return GUARD_TOO_LARGE;
	return GUARD_PASSED;
}

static int shrunk_error(const struct guards *guards, const struct measure *now,
			const struct measure *next)
{
	double percent = 100.0 * (now->keys - next->keys) / now->keys;

	error("the lists have %llu %s, %.1f %% fewer than the %llu members now: nothing was changed",
	      next->keys, plural(next->keys, "key", "keys"), percent, now->keys);
	return hint(-1, "is a list cut off? the limit is %llu %%; '--max-shrink 100' permits any decrease",
		    guards->max_shrink);
}

static int grown_error(const struct guards *guards, const struct measure *now,
		       const struct measure *next)
{
	error("the lists cover %llu IPv4 addresses and %llu IPv6 networks /64, the members now %llu and %llu: nothing was changed",
	      next->covered.ipv4, next->covered.ipv6, now->covered.ipv4,
	      now->covered.ipv6);
	if (guards->max_grow == GUARD_GROW_DEFAULT)
		return hint(-1, "more than twice as many: is the list right? --wide permits it");
	return hint(-1, "the lists have %llu keys, the filter has %llu members; '--max-grow %llu' permits no more",
		    next->keys, now->keys, guards->max_grow);
}

int guard_error(enum guard_result result, const struct guards *guards,
		const struct measure *now, const struct measure *next)
{
	switch (result) {
	case GUARD_TOO_FEW:
		return error("the lists have %llu %s, fewer than --min %llu: nothing was changed",
			     next->keys, plural(next->keys, "key", "keys"),
			     guards->min);
	case GUARD_SHRUNK:
		return shrunk_error(guards, now, next);
	case GUARD_GROWN:
		return grown_error(guards, now, next);
	default:
		return hint(error("the lists cover %llu IPv4 addresses, more than a tenth of all: nothing was changed",
				  next->covered.ipv4),
			    "is it a database? name a country; --wide permits it");
	}
}

bool guard_check_list(const struct guards *guards, const struct keyset *good,
		      const struct keyset *next, char *why, size_t size)
{
	struct measure now, then;

	measure_set(good, &now);
	measure_set(next, &then);
	switch (guard_check(guards, &now, &then)) {
	case GUARD_TOO_FEW:
		snprintf(why, size, "it has %llu members, fewer than min = %llu",
			 then.keys, guards->min);
		return true;
	case GUARD_SHRUNK:
		snprintf(why, size,
			 "it has %llu members, the last good copy has %llu: more than %llu %% fewer",
			 then.keys, now.keys, guards->max_shrink);
		return true;
	case GUARD_GROWN:
		snprintf(why, size,
			 "it has %llu members and covers %llu IPv4 addresses, the last good copy %llu and %llu: the growth is above the limit",
			 then.keys, then.covered.ipv4, now.keys, now.covered.ipv4);
		return true;
	case GUARD_TOO_LARGE:
		snprintf(why, size,
			 "it covers %llu IPv4 addresses, more than a tenth of all: is it a database?",
			 then.covered.ipv4);
		return true;
	default:
		return false;
	}
}

/*
 * Return: true if the keys of @outermost together cover @key. The recursion halves the key, so
 * its depth is at most 128.
 */
static bool is_covered(const struct keyset *outermost, const struct kcuckoo_prefix *key)
{
	struct kcuckoo_prefix half = *key;

	if (keyset_covers(outermost, key))
		return true;
	if (!keyset_has_within(outermost, key))
		return false;
	half.plen++;
	if (!is_covered(outermost, &half))
		return false;
	half.addr[key->plen / 8] |= 0x80 >> key->plen % 8;
	return is_covered(outermost, &half);
}

bool guard_find_wide(const struct keyset *set, const struct keyset *excluded,
		     struct kcuckoo_prefix *key)
{
	size_t at;

	for (at = 0; keyset_read(set, at, key, 1); at++)
		if (guard_is_wide(key) && !is_covered(excluded, key))
			return true;
	return false;
}

int guard_add_bogons(struct keyset *set)
{
	size_t i;

	for (i = 0; i < sizeof(bogons) / sizeof(*bogons); i++)
		if (keyset_add(set, &bogons[i]))
			return -ENOMEM;
	return 0;
}
