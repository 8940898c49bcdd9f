/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: the words of the grammar
 */
#ifndef KCUCKOO_CLI_WORDS_H
#define KCUCKOO_CLI_WORDS_H

#include "cli.h"

/* A value that has a name; tables end with a NULL word. */
struct word {
	const char *word;
	int value;
};

extern const struct word hook_words[];
extern const struct word family_words[];
extern const struct word match_words[];
extern const struct word action_words[];
extern const struct word type_words[];
extern const struct word hash_words[];
extern const struct word trait_words[];
extern const struct word feature_words[];
extern const struct word layout_words[];

/* Return: the word for a value, "?" for none. */
const char *word_of(const struct word *words, int value);

/* Room for any version as text. */
#define VERSION_TEXT	16

/* A version as numbers with dots; 0 is one that the module does not say. */
const char *version_text(__u32 version, char *room);

/* Room for any action as text. */
#define ACTION_TEXT	24

/* What a rule does, as it is written behind "action". */
const char *action_text(const struct kcuckoo_rule *rule, char *room);

/* Room for the name of any device as text. */
#define DEVICE_TEXT	80

/* Whoever makes a device names it: its name as text that no terminal obeys. */
const char *device_text(const char *device, char *room);

/* Room for any rule as text. */
#define RULE_TEXT	224

/* A rule but its filter, as it is written behind "attach". */
const char *rule_text(const struct kcuckoo_rule *rule, char *room);

/* Return: the value of a word, or -1, told; @what names the table. */
int word_value(const struct word *words, const char *what, const char *word);

#endif /* KCUCKOO_CLI_WORDS_H */
