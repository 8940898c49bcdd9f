// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * These functions of libkcuckoo compute rates of false positives.
 */
#include <math.h>

#include "handle.h"

KCUCKOO_PUBLIC double kcuckoo_fpr(unsigned int tag_bits, double compared)
{
	if (!tag_bits || compared <= 0)
		return 0;
	/* The formula is in <kcuckoo.h>. expm1() and log1p() are accurate for small rates. */
	return -expm1(compared * log1p(-1 / (exp2(tag_bits) - 1)));
}

KCUCKOO_PUBLIC double kcuckoo_expected_fpr(const struct kcuckoo_ioc_info *info,
					   unsigned int family)
{
	__u64 compared = info->fingerprints_compared[0];

	if (family == KCUCKOO_FAMILY_IPV6 ||
	    (!family && info->fingerprints_compared[1] > compared))
		compared = info->fingerprints_compared[1];
	return kcuckoo_fpr(info->tag_bits, ldexp(compared, -16));
}

KCUCKOO_PUBLIC double kcuckoo_false_positives_ipv4(const struct kcuckoo_ioc_info *info)
{
	return ldexp(kcuckoo_expected_fpr(info, KCUCKOO_FAMILY_IPV4), 32);
}
