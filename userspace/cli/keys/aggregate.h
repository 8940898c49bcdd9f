/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions measure which addresses a set of prefixes covers, and merge
 * prefixes that cover them together.
 */
#ifndef KCUCKOO_CLI_AGGREGATE_H
#define KCUCKOO_CLI_AGGREGATE_H

#include "keys/keyset.h"

/**
 * struct coverage - how much a set covers
 * @ipv4: number of IPv4 addresses
 * @ipv6: number of IPv6 networks of length /64. A network that is covered in
 *	part counts; UINT64_MAX for all
 */
struct coverage {
	__u64 ipv4;
	__u64 ipv6;
};

/* Measure a sorted set. Addresses that several keys cover count once. */
void keyset_coverage(const struct keyset *set, struct coverage *coverage);

/*
 * Merge the keys of a sorted set without repeats to fewer prefixes that cover
 * the same addresses. Without notes, the result is the smallest possible set.
 * With notes, only prefixes with equal notes are merged, so that each address
 * keeps the value and the timeout of the longest prefix that covers it. The set
 * stays sorted, without repeats.
 */
void keyset_aggregate(struct keyset *set);

#endif /* KCUCKOO_CLI_AGGREGATE_H */
