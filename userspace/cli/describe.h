/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: what a filter is, in words
 */
#ifndef KCUCKOO_CLI_DESCRIBE_H
#define KCUCKOO_CLI_DESCRIBE_H

#include "cli.h"

/* Room for any of the texts below. */
#define DESCRIBE_TEXT	160

/* What its keys are and how they are kept. */
const char *describe_type(const struct kcuckoo_ioc_info *info, char *buf);

/* How many keys it takes. */
const char *describe_capacity(const struct kcuckoo_ioc_info *info, char *buf);

/* Whether its tables may be replaced by larger ones. */
bool info_grows(const struct kcuckoo_ioc_info *info);

/* The same in words, and how. */
const char *describe_growth(const struct kcuckoo_ioc_info *info);

/* A probability. */
const char *describe_rate(double rate, char *buf);

/* The rate that it will have at its capacity, or when its tables are full. */
double info_full_rate(const struct kcuckoo_ioc_info *info);

/* Its load factor. */
double info_load(const struct kcuckoo_ioc_info *info);

/* The load factor that wide fingerprints reach in large tables, in percent. */
int info_wide_fill(const struct kcuckoo_ioc_info *info);

/* Say how often it is wrong now, if it ever is. */
void say_rate(const struct cli *cli, const char *name,
	      const struct kcuckoo_ioc_info *info);

#endif /* KCUCKOO_CLI_DESCRIBE_H */
