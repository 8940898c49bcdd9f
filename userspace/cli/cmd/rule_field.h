/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule_fields_parse() parses the words after a filter in the verbs attach and
 * detach.
 */
#ifndef KCUCKOO_CLI_RULE_FIELD_H
#define KCUCKOO_CLI_RULE_FIELD_H

#include "cli.h"

/* Fields of a rule. */
enum {
	FIELD_HOOK,
	FIELD_FAMILY,
	FIELD_MATCH,
	FIELD_DEV,
	FIELD_LABEL,
	FIELD_ACTION,
	FIELD_ALLOW,
	FIELD_MODE,
	FIELD_LOG,
	FIELD_GROUP,
	FIELD_LIMIT,
	FIELD_COUNT,
};

/*
 * Parse fields, each with its value, into @rule and @mode, which keep the values
 * of fields that are not given. The field "log" has no value. @known: a bit for each field that the
 * verb has. Return: a bit for each field that was given, or -1 after an error
 * message.
 */
int rule_fields_parse(const struct cli *cli, const struct args *args,
		      struct kcuckoo_rule *rule, int *mode, int known);

#endif /* KCUCKOO_CLI_RULE_FIELD_H */
