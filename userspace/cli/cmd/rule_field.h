/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule_fields_parse() parses the words after the name of the filter in command lines
 * of the verbs attach and detach, such as "hook input match dst".
 */
#ifndef KCUCKOO_CLI_RULE_FIELD_H
#define KCUCKOO_CLI_RULE_FIELD_H

#include "cli.h"

/* Fields of a rule: bit numbers in @known and in the result of rule_fields_parse(). */
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
 * Parse the operands after the first operand: fields, each with its value, except "log",
 * which has no value. Set these fields of @rule; for the field "mode", set @mode to the
 * mode of a rule of hook xdp (rules/xdp.h). @known: a bit 1 << FIELD_* for each field that
 * the verb accepts. Return: a bit 1 << FIELD_* for each field in the operands, or -1 after
 * an error message.
 */
int rule_fields_parse(const struct cli *cli, const struct args *args,
		      struct kcuckoo_rule *rule, int *mode, int known);

#endif /* KCUCKOO_CLI_RULE_FIELD_H */
