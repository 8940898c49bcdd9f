/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions describe the parameters of a filter in words, for the output
 * of verbs.
 */
#ifndef KCUCKOO_CLI_DESCRIBE_H
#define KCUCKOO_CLI_DESCRIBE_H

#include "cli.h"

/* Size of a buffer for any of the texts below. */
#define DESCRIBE_TEXT	160

/*
 * Describe the type of the keys, and whether they are stored exactly or as
 * fingerprints.
 */
const char *describe_type(const struct kcuckoo_ioc_info *info, char *buf);

/* Describe the capacity. */
const char *describe_capacity(const struct kcuckoo_ioc_info *info, char *buf);

/* Can tables be replaced by larger ones? */
bool info_grows(const struct kcuckoo_ioc_info *info);

/* Describe whether and how tables grow. */
const char *describe_growth(const struct kcuckoo_ioc_info *info);

/* Write the probability @rate. */
const char *describe_rate(double rate, char *buf);

/* Return: the rate of false positives of a filter that is full. */
double info_full_rate(const struct kcuckoo_ioc_info *info);

/* Return: the load factor. */
double info_load(const struct kcuckoo_ioc_info *info);

/*
 * Return: the load factor, in percent, at which large tables with long
 * fingerprints are full.
 */
int info_wide_fill(const struct kcuckoo_ioc_info *info);

/* Print the present rate of false positives of an approximate filter. */
void say_rate(const struct cli *cli, const char *name,
	      const struct kcuckoo_ioc_info *info);

#endif /* KCUCKOO_CLI_DESCRIBE_H */
