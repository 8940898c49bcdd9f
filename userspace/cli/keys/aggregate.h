/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * keyset_coverage() counts the IPv4 addresses and the IPv6 networks of length /64 that a set of
 * prefixes covers. keyset_aggregate() merges prefixes, so that fewer prefixes cover the same
 * addresses.
 */
#ifndef KCUCKOO_CLI_AGGREGATE_H
#define KCUCKOO_CLI_AGGREGATE_H

#include "keys/keyset.h"

/**
 * struct coverage - numbers of addresses and networks that a set of keys covers
 * @ipv4: number of IPv4 addresses
 * @ipv6: number of IPv6 networks of length /64. A network counts even if the set covers
 *	only a part of the network. UINT64_MAX if the set covers all 2^64 networks
 */
struct coverage {
	__u64 ipv4;
	__u64 ipv6;
};

/*
 * Count the addresses and networks that a sorted set covers, and write the numbers to @coverage.
 * An address or network that several keys cover counts once.
 */
void keyset_coverage(const struct keyset *set, struct coverage *coverage);

/*
 * Merge the keys of a set to fewer prefixes that cover the same addresses. The set must
 * be sorted and without repeats, and so is the result. Without notes, the result is the
 * smallest possible set. With notes, only prefixes with equal values and timeouts are
 * merged, so that each address keeps the value and the timeout of the longest prefix that
 * covers it.
 */
void keyset_aggregate(struct keyset *set);

#endif /* KCUCKOO_CLI_AGGREGATE_H */
