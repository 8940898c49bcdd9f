/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions find out which limit of a network namespace an operation has exceeded.
 * The kernel returns EDQUOT for all of them. Functions that print errors call them.
 */
#ifndef KCUCKOO_CLI_LIMIT_H
#define KCUCKOO_CLI_LIMIT_H

#include "cli.h"

/* Size of a text that describes a limit, in bytes. */
#define LIMIT_TEXT	200

/* Limits of a namespace, for which the kernel returns EDQUOT. */
enum limit_kind {
	LIMIT_UNKNOWN,	/* the statistics of the namespace cannot be read */
	LIMIT_NAMES,	/* filters and names that rules wait for: max_filters */
	LIMIT_MEMORY,	/* memory of all filters: max_bytes */
	LIMIT_RULES,	/* rules and programs that use a name: KCUCKOO_RULES_MAX */
	LIMIT_HOOKS,	/* functions that netfilter calls at one hook */
};

/**
 * struct limit - a limit that an operation has exceeded
 * @kind: the limit
 * @text: the limit with its present value, as the reason in an error message
 */
struct limit {
	enum limit_kind kind;
	char text[LIMIT_TEXT];
};

/* Find the limit for which an operation on the filter @name has returned EDQUOT. */
void limit_of_filter(struct cli *cli, const char *name, struct limit *limit);

/* Find the limit for which an attach of @rule has returned EDQUOT. */
void limit_of_rule(struct cli *cli, const struct kcuckoo_rule *rule, struct limit *limit);

/* Print how to raise the limit, or how to stay below it. Return: -1. */
int limit_hint(const struct limit *limit);

/*
 * Print the error that @rule cannot be attached because of a limit, and limit_hint().
 * Return: -1.
 */
int limit_rule_error(struct cli *cli, const struct kcuckoo_rule *rule);

/*
 * Print the error that a rule of hook xdp cannot use the filter @name because of a limit,
 * and limit_hint(). Return: -1.
 */
int limit_slot_error(struct cli *cli, const char *name);

/*
 * Print how an exact filter gets a larger capacity. @name: the filter. @managed: a
 * configuration manages the filter. Return: -1.
 */
int limit_capacity_hint(const char *name, bool managed);

#endif /* KCUCKOO_CLI_LIMIT_H */
