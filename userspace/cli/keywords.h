/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These tables and functions translate between words of the command line and constants of
 * the module and of the command. Other functions write versions, actions, devices and rules
 * as text.
 */
#ifndef KCUCKOO_CLI_KEYWORDS_H
#define KCUCKOO_CLI_KEYWORDS_H

#include "cli.h"

/* A word of the command line, and its value. The last entry of a table has the name NULL. */
struct keyword {
	const char *name;
	int value;
};

extern const struct keyword hook_keywords[];
extern const struct keyword family_keywords[];
extern const struct keyword match_keywords[];
extern const struct keyword action_keywords[];
extern const struct keyword type_keywords[];
extern const struct keyword hash_keywords[];
extern const struct keyword trait_keywords[];	/* flags KCUCKOO_CREATE_* of a filter */
extern const struct keyword feature_keywords[];	/* KCUCKOO_FEATURE_* of the module */
extern const struct keyword layout_keywords[];	/* enum layout (input/layout.h) */

/*
 * Return: the keyword for @value, or "?" if the table does not have the value.
 */
const char *keyword_name(const struct keyword *keywords, int value);

/* Size of a buffer for a version as text, in bytes. */
#define VERSION_TEXT	16

/*
 * Write a version as numbers with dots. Return: @buf; or "unknown" for version
 * 0, which means that the module is too old to report its version.
 */
const char *version_text(__u32 version, char *buf);

/* Size of a buffer for an action as text, in bytes. */
#define ACTION_TEXT	24

/*
 * Write the action of a rule in the form of the argument after "action" of the verb
 * attach. Return: @buf.
 */
const char *action_text(const struct kcuckoo_rule *rule, char *buf);

/* Size of a buffer for log_text(), in bytes. */
#define LOG_TEXT	40

/*
 * Write the log settings of a rule, in the form of arguments of the verb attach, with a
 * leading blank. Write an empty string for a rule that does not log. Return: @buf.
 */
const char *log_text(const struct kcuckoo_rule *rule, char *buf);

/* Size of a buffer for the escaped name of a device, in bytes. */
#define DEVICE_TEXT	80

/*
 * Write the name of a network device to @buf, escaped by escape() (message.h), because a
 * user can give a device almost any name. Return: @buf.
 */
const char *device_text(const char *device, char *buf);

/* Size of a buffer for a rule as text, in bytes. */
#define RULE_TEXT	256

/*
 * Write a rule in the form of the arguments of the verb attach, without the filter, the
 * label, and the mode of a rule of hook xdp. Return: @buf.
 */
const char *rule_text(const struct kcuckoo_rule *rule, char *buf);

/*
 * Return: the value of the keyword @word, or -1 after an error message. @what:
 * name of the parameter in this message.
 */
int keyword_value(const struct keyword *keywords, const char *what,
		  const char *word);

#endif /* KCUCKOO_CLI_KEYWORDS_H */
