// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions complete and check the parameters of a new filter, for the
 * verb create and for sections [filter] of the configuration.
 */
#include <stdint.h>

#include "parameters.h"

/* Default number of bits of a fingerprint, for filters of byte strings. */
#define DEFAULT_BITS	16

/*
 * Default capacity of filters of addresses with fingerprints. Exact filters
 * have no limit by default, but the kernel allocates tables of fingerprints for
 * the capacity.
 */
#define DEFAULT_CAPACITY	1000000

void parameters_complete(struct kcuckoo_ioc_create *create)
{
	if (create->type == KCUCKOO_TYPE_BYTES && !create->fpr &&
	    !create->tag_bits)
		create->tag_bits = DEFAULT_BITS;
	if (!create->type)
		create->type = KCUCKOO_TYPE_INET;
	if (!create->capacity && (create->fpr || create->tag_bits))
		create->capacity = DEFAULT_CAPACITY;
	if (!create->capacity)
		create->capacity = KCUCKOO_CAPACITY_MAX;
}

/*
 * Return: true if fingerprints of 32 bits, the longest ones, reach the requested rate of
 * false positives in buckets of the requested size. If the user requests no size, check
 * the smallest size that the kernel chooses: 2 entries, or 4 if semi-sorted.
 */
static bool rate_possible(const struct kcuckoo_ioc_create *create)
{
	__u64 bucket = create->flags & KCUCKOO_CREATE_SORTED ? 4 : 2;

	if (create->bucket_size)
		bucket = create->bucket_size;
	return (__u64)create->fpr * UINT32_MAX >= 2 * bucket << 32;
}

const char *parameters_conflict(const struct kcuckoo_ioc_create *create)
{
	bool exact = !create->tag_bits && !create->fpr;
	__u32 flags = create->flags;

	if (flags & KCUCKOO_CREATE_SORTED) {
		if (exact)
			return "semisort needs fingerprints: add fpr or bits";
		if (create->bucket_size && create->bucket_size != 4)
			return "semisort needs buckets of 4 entries";
		if (create->value_bits || flags & KCUCKOO_CREATE_TIMEOUT)
			return "semisort allows neither values nor timeouts: entries change places";
		if (create->tag_bits && create->tag_bits < 5)
			return "semisort needs fingerprints of 5 bits or more";
	}
	if (exact && flags & (KCUCKOO_CREATE_INSERT_ONLY | KCUCKOO_CREATE_FIXED))
		return "insert-only and fixed need fingerprints: add fpr or bits";
	if (!exact && flags & KCUCKOO_CREATE_TIMEOUT &&
	    !(flags & KCUCKOO_CREATE_INSERT_ONLY))
		return "fingerprints can expire only if they are never deleted: add insert-only";
	if (create->fpr && !rate_possible(create))
		return "no fingerprint of up to 32 bits has such a low fpr: choose a larger one";
	return NULL;
}
