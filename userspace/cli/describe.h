/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions describe the parameters of a filter in words, for the output
 * of verbs.
 */
#ifndef KCUCKOO_CLI_DESCRIBE_H
#define KCUCKOO_CLI_DESCRIBE_H

#include "cli.h"

/*
 * Size of the buffer @buf in bytes. The functions below that have the parameter @buf
 * write a text to @buf and return @buf.
 */
#define DESCRIBE_TEXT	160

/* Describe the type of the keys, and how they are stored. */
const char *describe_type(const struct kcuckoo_ioc_info *info, char *buf);

/*
 * Describe the capacity. For an exact filter, the capacity is the maximum number of
 * members, or unlimited. For a filter with fingerprints, it is the number of byte strings,
 * or of keys of each prefix length, that fit before the tables grow or are full.
 */
const char *describe_capacity(const struct kcuckoo_ioc_info *info, char *buf);

/*
 * Return: true if the kernel replaces full tables of the filter by larger tables. The kernel
 * doubles a table of fingerprints only if at least 80 percent of its entries are used. Return
 * false for a table with one entry per bucket, which is full at a lower percentage.
 */
bool info_grows(const struct kcuckoo_ioc_info *info);

/* Return: a constant text that describes whether and how the tables of a filter grow. */
const char *describe_growth(const struct kcuckoo_ioc_info *info);

/* Write the probability @rate as a number and as "one in N"; a rate of 0 as "0". */
const char *describe_fpr(double rate, char *buf);

/*
 * Return: the probability that a full filter with fingerprints matches a key that was not
 * added, if its tables were never doubled. A filter of byte strings counts as full when the
 * number of its members reaches its capacity. For a filter of addresses, the rate is that
 * of the full table of one prefix length; the rates of all prefix lengths in use add up.
 */
double info_full_fpr(const struct kcuckoo_ioc_info *info);

/* Return: the load factor, the used share of the table entries: 0 to 1. */
double info_load(const struct kcuckoo_ioc_info *info);

/*
 * Return: the load factor, in percent, at which a reference table is full: a large table
 * that has long fingerprints and the bucket size of the filter. cmd/create.c compares the
 * filter with this table.
 */
int info_large_table_load(const struct kcuckoo_ioc_info *info);

/*
 * Print the present rate of false positives of the filter @name, and the expected number of
 * IPv4 addresses that match although they were not added. Print nothing for an exact
 * filter, or with the option -q.
 */
void print_fpr(const struct cli *cli, const char *name,
	       const struct kcuckoo_ioc_info *info);

#endif /* KCUCKOO_CLI_DESCRIBE_H */
