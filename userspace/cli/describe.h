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

/*
 * Describe the type of the keys, and whether they are stored exactly or as
 * fingerprints.
 */
const char *describe_type(const struct kcuckoo_ioc_info *info, char *buf);

/*
 * Describe the capacity: the number of members that fit into the tables, or the maximum
 * number of members of the filter.
 */
const char *describe_capacity(const struct kcuckoo_ioc_info *info, char *buf);

/*
 * Return: true if the kernel replaces full tables of the filter by larger ones.
 */
bool info_grows(const struct kcuckoo_ioc_info *info);

/* Return: a constant text that describes whether and how the tables of a filter grow. */
const char *describe_growth(const struct kcuckoo_ioc_info *info);

/* Write the probability @rate as a number and as "one in N". */
const char *describe_fpr(double rate, char *buf);

/*
 * Return: the rate of false positives of a full filter with fingerprints: the probability
 * that a look-up of a key that was not added returns a match. A filter of addresses has
 * this rate for each prefix length.
 */
double info_full_fpr(const struct kcuckoo_ioc_info *info);

/* Return: the load factor, the used share of the table entries: 0 to 1. */
double info_load(const struct kcuckoo_ioc_info *info);

/*
 * Return: the load factor, in percent, at which a large table with long
 * fingerprints is full, for the bucket size of the filter.
 */
int info_large_table_load(const struct kcuckoo_ioc_info *info);

/*
 * Print the present rate of false positives of a filter with fingerprints: the
 * probability that a packet matches although its address was not added. Print
 * nothing for an exact filter.
 */
void print_fpr(const struct cli *cli, const char *name,
	       const struct kcuckoo_ioc_info *info);

#endif /* KCUCKOO_CLI_DESCRIBE_H */
