// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions describe the parameters of a filter in words, for the output
 * of verbs.
 */
#include <stdio.h>
#include <string.h>

#include "describe.h"
#include "message.h"

/*
 * Minimum load, in percent, at which the kernel doubles a table of fingerprints
 * (KCUCKOO_DOUBLING_PERCENT in kmod/core/limits.h).
 */
#define DOUBLING_PERCENT	80

const char *describe_type(const struct kcuckoo_ioc_info *info, char *buf)
{
	const char *keys = info->type == KCUCKOO_TYPE_BYTES ? "byte strings" :
			   "IPv4 and IPv6 addresses and prefixes";

	if (!info->tag_bits)
		snprintf(buf, DESCRIBE_TEXT, "%s, exact", keys);
	else
		snprintf(buf, DESCRIBE_TEXT, "%s, fingerprints of %d %s%s%s",
			 keys,
			 info->tag_bits, plural(info->tag_bits, "bit", "bits"),
			 info->create_flags & KCUCKOO_CREATE_SORTED ?
			 ", semi-sorted" : "",
			 info->create_flags & KCUCKOO_CREATE_INSERT_ONLY ?
			 ", insert-only" : ", deletable");
	return buf;
}

const char *describe_capacity(const struct kcuckoo_ioc_info *info, char *buf)
{
	if (info->type == KCUCKOO_TYPE_BYTES)
		snprintf(buf, DESCRIBE_TEXT, "room for %llu members",
			 info->capacity);
	else if (info->tag_bits)
		snprintf(buf, DESCRIBE_TEXT,
			 "room for %llu members of a prefix length",
			 info->capacity);
	else if (info->capacity == KCUCKOO_CAPACITY_MAX)
		snprintf(buf, DESCRIBE_TEXT, "no limit on members");
	else
		snprintf(buf, DESCRIBE_TEXT, "at most %llu members",
			 info->capacity);
	return buf;
}

/* Return: true if the kernel may replace full tables of the filter by larger tables. */
static bool may_grow(const struct kcuckoo_ioc_info *info)
{
	return !info->tag_bits ||
	       (!info->fpr && !(info->create_flags & KCUCKOO_CREATE_FIXED));
}

bool info_grows(const struct kcuckoo_ioc_info *info)
{
	return may_grow(info) && (!info->tag_bits || info->bucket_size > 1);
}

const char *describe_growth(const struct kcuckoo_ioc_info *info)
{
	if (!may_grow(info))
		return "never grows";
	if (info->tag_bits && info->max_load && info->max_load < DOUBLING_PERCENT)
		return "doubles only if 80 % full";
	return info->tag_bits ? "doubles on demand" : "grows on demand";
}

const char *describe_fpr(double rate, char *buf)
{
	if (rate > 0)
		snprintf(buf, DESCRIBE_TEXT, "%.3g, one in %.*f", rate,
			 rate > 0.1, 1 / rate);
	else
		strcpy(buf, "0");
	return buf;
}

double info_full_fpr(const struct kcuckoo_ioc_info *info)
{
	double load = info->max_load / 100.0;

	if (info->type == KCUCKOO_TYPE_BYTES && info->table_entries)
		load = (double)info->capacity / info->table_entries;
	return kcuckoo_fpr(info->tag_bits, 2 * info->bucket_size * load);
}

double info_load(const struct kcuckoo_ioc_info *info)
{
	return info->table_entries ?
	       (double)info->table_entries_used / info->table_entries : 0;
}

/* The percentages were measured on large tables with long fingerprints. */
int info_large_table_load(const struct kcuckoo_ioc_info *info)
{
	switch (info->bucket_size) {
	case 1:
		return 49;
	case 2:
		return 88;
	case 4:
		return 97;
	default:
		return 99;
	}
}

void print_fpr(const struct cli *cli, const char *name,
	       const struct kcuckoo_ioc_info *info)
{
	char buf[DESCRIBE_TEXT];

	if (!info->tag_bits)
		return;
	say(cli, "%s is approximate: a packet with an address that was not added matches with",
	    name);
	say(cli, "a probability of %s now; %.0f innocent IPv4 addresses are expected to match",
	    describe_fpr(kcuckoo_expected_fpr(info, 0), buf),
	    kcuckoo_false_positives_ipv4(info));
}
