// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check the parameters of a filter before it is created.
 */
#include "core/semisort.h"
#include "filter/filter.h"

#define KCUCKOO_TRAITS	(KCUCKOO_CREATE_SORTED | KCUCKOO_CREATE_INSERT_ONLY | \
			 KCUCKOO_CREATE_FIXED | KCUCKOO_CREATE_TIMEOUT)

static bool kcuckoo_config_valid(const struct kcuckoo_config *config)
{
	const struct kcuckoo_table_params *params = &config->params;
	bool sorted = config->traits & KCUCKOO_CREATE_SORTED;

	if (config->type != KCUCKOO_TYPE_INET &&
	    config->type != KCUCKOO_TYPE_BYTES)
		return false;
	if (config->traits & ~KCUCKOO_TRAITS ||
	    params->bucket_shift > KCUCKOO_BUCKET_SHIFT_MAX)
		return false;
	if (params->tag_bits > KCUCKOO_FINGERPRINT_MAX ||
	    (config->type == KCUCKOO_TYPE_BYTES && !params->tag_bits) ||
	    (sorted && params->tag_bits &&
	     params->tag_bits < KCUCKOO_SEMISORT_MIN))
		return false;
	if (params->value_bits > KCUCKOO_VALUE_MAX ||
	    !config->capacity || config->capacity > KCUCKOO_CAPACITY_MAX)
		return false;
	if (config->search_limit < KCUCKOO_SEARCH_VISITS_MIN ||
	    config->search_limit > KCUCKOO_SEARCH_VISITS)
		return false;
	return config->timeout <= KCUCKOO_TIMEOUT_MAX &&
	       (!config->timeout || config->traits & KCUCKOO_CREATE_TIMEOUT) &&
	       (!config->fpr || params->tag_bits);
}

/**
 * kcuckoo_config_check() - check the parameters of a filter
 * @config: the parameters; of @config->params this function reads the entries per
 *	bucket, the bits of values, and the bits of fingerprints, 0 for an exact filter
 *
 * A filter with semi-sorted buckets (core/semisort.h) has neither values nor expiry: a table
 * stores these at the place of an entry, but entries of such buckets have no fixed places.
 *
 * A multiset (README.md) cannot have expiry. Suppose that keys A and B share a fingerprint
 * and that A expires first. A delete of A could remove the entry with the expiry of B, and
 * then B would expire too early.
 *
 * Return: 0; -EINVAL if a parameter is out of range; -EOPNOTSUPP if the parameters cannot
 * be combined; see <linux/kcuckoo.h>.
 */
int kcuckoo_config_check(const struct kcuckoo_config *config)
{
	const struct kcuckoo_table_params *params = &config->params;
	bool timeouts = config->traits & KCUCKOO_CREATE_TIMEOUT;
	bool exact = !params->tag_bits;

	if (!kcuckoo_config_valid(config))
		return -EINVAL;
	if (config->traits & KCUCKOO_CREATE_SORTED &&
	    (exact || params->value_bits || timeouts ||
	     BIT(params->bucket_shift) != KCUCKOO_SEMISORT_ENTRIES))
		return -EOPNOTSUPP;
	if (exact)
		return config->traits & (KCUCKOO_CREATE_INSERT_ONLY |
					 KCUCKOO_CREATE_FIXED) ?
			       -EOPNOTSUPP :
			       0;
	return timeouts && !(config->traits & KCUCKOO_CREATE_INSERT_ONLY) ?
	       -EOPNOTSUPP : 0;
}
