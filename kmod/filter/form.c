// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a filter may be like.
 */
#include "core/semisort.h"
#include "filter/filter.h"

#define KCUCKOO_TRAITS	(KCUCKOO_CREATE_SORTED | KCUCKOO_CREATE_INSERT_ONLY | \
			 KCUCKOO_CREATE_FIXED | KCUCKOO_CREATE_TIMEOUT)

/* Is each value by itself one that there is? */
static bool kcuckoo_form_valid(const struct kcuckoo_form *form)
{
	const struct kcuckoo_geometry *geometry = &form->geometry;
	bool sorted = form->traits & KCUCKOO_CREATE_SORTED;

	if (form->type != KCUCKOO_TYPE_INET &&
	    form->type != KCUCKOO_TYPE_BYTES)
		return false;
	if (form->traits & ~KCUCKOO_TRAITS ||
	    geometry->bucket_shift > KCUCKOO_BUCKET_SHIFT_MAX)
		return false;
	if (geometry->tag_bits > KCUCKOO_FINGERPRINT_MAX ||
	    (form->type == KCUCKOO_TYPE_BYTES && !geometry->tag_bits) ||
	    (sorted && geometry->tag_bits &&
	     geometry->tag_bits < KCUCKOO_SEMISORT_MIN))
		return false;
	if (geometry->value_bits > KCUCKOO_VALUE_MAX ||
	    !form->capacity || form->capacity > KCUCKOO_CAPACITY_MAX)
		return false;
	if (form->steps < KCUCKOO_SEARCH_VISITS_MIN ||
	    form->steps > KCUCKOO_SEARCH_VISITS)
		return false;
	return form->timeout <= KCUCKOO_TIMEOUT_MAX &&
	       (!form->timeout || form->traits & KCUCKOO_CREATE_TIMEOUT) &&
	       (!form->fpr || geometry->tag_bits);
}

/**
 * kcuckoo_form_check() - can there be such a filter?
 * @form: what it is to be like; of its geometry the entries per bucket, the bits
 *	of fingerprints, 0 for an exact filter, and of values
 *
 * Semi-sorted entries have no fixed places, and so nothing beside them. An entry
 * of a fingerprint may stand for several keys, so it cannot expire for one of
 * them while another that was added as a copy stays.
 *
 * Return: 0, -EINVAL or -EOPNOTSUPP, as <linux/kcuckoo.h> says.
 */
int kcuckoo_form_check(const struct kcuckoo_form *form)
{
	const struct kcuckoo_geometry *geometry = &form->geometry;
	bool timeouts = form->traits & KCUCKOO_CREATE_TIMEOUT;
	bool exact = !geometry->tag_bits;

	if (!kcuckoo_form_valid(form))
		return -EINVAL;
	if (form->traits & KCUCKOO_CREATE_SORTED &&
	    (exact || geometry->value_bits || timeouts ||
	     BIT(geometry->bucket_shift) != KCUCKOO_SEMISORT_ENTRIES))
		return -EOPNOTSUPP;
	if (exact)
		return form->traits & (KCUCKOO_CREATE_INSERT_ONLY |
				       KCUCKOO_CREATE_FIXED) ? -EOPNOTSUPP : 0;
	return timeouts && !(form->traits & KCUCKOO_CREATE_INSERT_ONLY) ?
	       -EOPNOTSUPP : 0;
}
