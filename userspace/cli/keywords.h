/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: the words of the grammar
 */
#ifndef KCUCKOO_CLI_KEYWORDS_H
#define KCUCKOO_CLI_KEYWORDS_H

#include "cli.h"

/* A value that has a name; tables end with a NULL word. */
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
extern const struct keyword trait_keywords[];
extern const struct keyword feature_keywords[];
extern const struct keyword layout_keywords[];

/* Return: the word for a value, "?" for none. */
const char *keyword_name(const struct keyword *keywords, int value);

/* Room for any version as text. */
#define VERSION_TEXT	16

/* A version as numbers with dots; 0 is one that the module does not say. */
const char *version_text(__u32 version, char *buf);

/* Room for any action as text. */
#define ACTION_TEXT	24

/* What a rule does, as it is written behind "action". */
const char *action_text(const struct kcuckoo_rule *rule, char *buf);

/* Room for the name of any device as text. */
#define DEVICE_TEXT	80

/* Whoever makes a device names it: its name as text that no terminal obeys. */
const char *device_text(const char *device, char *buf);

/* Room for any rule as text. */
#define RULE_TEXT	224

/* A rule but its filter, as it is written behind "attach". */
const char *rule_text(const struct kcuckoo_rule *rule, char *buf);

/*
 * Return: the value of a word, or -1 after an error message; @what names the
 * table.
 */
int keyword_value(const struct keyword *keywords, const char *what,
		  const char *word);

#endif /* KCUCKOO_CLI_KEYWORDS_H */
