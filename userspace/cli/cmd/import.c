// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb import writes a configuration with the sets and rules of ipset,
 * iptables or nft. This file has the verb, and functions for the files that read the
 * output of these programs.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/import.h"
#include "conf/texts.h"
#include "input/input.h"
#include "input/ipset.h"
#include "keys/exclude.h"
#include "keys/guard.h"
#include "message.h"
#include "rules/own.h"
#include "tempfile.h"

int import_reject(struct import *import, const char *place, const char *format, ...)
{
	struct import_rejected *rejected = array_grow(import->rejected, import->rejected_count,
						      sizeof(*rejected));
	va_list args;

	if (!rejected)
		return error("not enough memory");
	import->rejected = rejected;
	rejected += import->rejected_count++;
	rejected->place = strdup(place);
	va_start(args, format);
	if (vasprintf(&rejected->why, format, args) < 0)
		rejected->why = NULL;
	va_end(args);
	return rejected->place && rejected->why ? 0 : error("not enough memory");
}

struct import_set *import_add_set(struct import *import)
{
	struct import_set **sets = array_grow(import->sets, import->set_count,
					      sizeof(*sets));
	struct import_set *set = calloc(1, sizeof(*set));

	if (sets)
		import->sets = sets;
	if (!sets || !set) {
		free(set);
		error("not enough memory");
		return NULL;
	}
	sets[import->set_count++] = set;
	return set;
}

void import_drop_set(struct import *import)
{
	struct import_set *set = import->sets[--import->set_count];

	collection_free(&set->keys);
	free(set);
}

int import_find_set(const struct import *import, const char *table, const char *set)
{
	int i;

	for (i = 0; i < import->set_count; i++)
		if (!strcmp(import->sets[i]->set, set) &&
		    !strcmp(import->sets[i]->table, table))
			return i;
	return -1;
}

int import_add_rule(struct import *import, const struct import_rule *rule)
{
	struct import_rule *rules = import->rules;
	int i;

	for (i = 0; i < import->rule_count; i++)
		if (rules[i].set == rule->set && rules[i].hook == rule->hook &&
		    rules[i].match == rule->match && !strcmp(rules[i].dev, rule->dev)) {
			rules[i].after_nat &= rule->after_nat;
			return 0;
		}
	rules = array_grow(rules, import->rule_count, sizeof(*rules));
	if (!rules)
		return error("not enough memory");
	import->rules = rules;
	rules[import->rule_count++] = *rule;
	return 0;
}

/**
 * struct reading - state of import_read_keys()
 * @set: the set whose entries are read
 * @exceptions: number of exceptions, which are entries with "nomatch"
 * @other: number of entries whose address family is not the family of the set
 * @bad: text of the first bad entry, and the reason why it is bad; or empty
 * @line: number of the line that has the first bad entry
 */
struct reading {
	struct import_set *set;
	__u64 exceptions;
	__u64 other;
	char bad[256];
	__u64 line;
};

static int add_entry(void *context, const struct line *line,
		     const struct place *place)
{
	struct reading *reading = context;

	(void)place;
	if (line->exception) {
		reading->exceptions++;
		return 0;
	}
	reading->other += line->key.family != reading->set->family;
	return collection_add(&reading->set->keys, line);
}

/* input_run() calls @text of struct input_watch without a check for NULL. */
static void ignore_text(void *context, const struct reader *reader)
{
	(void)context;
	(void)reader;
}

/* @left_out of struct input_watch: store the first bad entry. */
static void keep_bad(void *context, const struct place *place, bool bad, const char *why)
{
	struct reading *reading = context;
	char name[IPSET_NAME], entry[64], text[96];

	if (!bad || *reading->bad)
		return;
	reading->line = place->number;
	if (ipset_scan_add(place->text, place->length, name, entry, sizeof(entry)))
		snprintf(reading->bad, sizeof(reading->bad), "'%s': %s",
			 escape(entry, strlen(entry), text, sizeof(text)), why);
	else
		snprintf(reading->bad, sizeof(reading->bad), "%s: %s",
			 escape(place->text, place->length, text, sizeof(text)), why);
}

/* Compute @wide and @bogons of a set. */
static int measure(struct import_set *set)
{
	const struct guards guards = { .max_shrink = 100, .max_grow = GUARD_GROW_DEFAULT };
	struct measure all;
	struct exclusion exclusion = { .cut = 0 };
	struct keyset bogons, outermost, copy;
	struct kcuckoo_prefix key;
	size_t at;
	int ret;

	keyset_sort(&set->keys.keys);
	measure_set(&set->keys.keys, &all);
	keyset_init(&bogons);
	keyset_init(&outermost);
	keyset_init(&copy);
	ret = guard_add_bogons(&bogons);
	keyset_sort(&bogons);
	if (!ret)
		ret = keyset_outermost(&bogons, &outermost);
	for (at = 0; !ret && keyset_read(&set->keys.keys, at, &key, 1); at++)
		ret = keyset_add(&copy, &key);
	if (!ret)
		set->wide = guard_find_wide(&copy, &bogons, &key) ||
			    guard_check(&guards, &all, &all) == GUARD_TOO_LARGE;
	if (!ret)
		ret = keyset_exclude(&copy, &outermost, &exclusion);
	set->bogons = exclusion.left_out + exclusion.cut;
	keyset_free(&copy);
	keyset_free(&outermost);
	keyset_free(&bogons);
	return ret ? error("not enough memory") : 0;
}

/* Return: 1, or -1 after an error message. */
static int reject_bad_entries(struct import *import, const struct reading *reading, bool lines,
			      __u64 count)
{
	const struct import_set *set = reading->set;
	char place[IMPORT_PLACE], more[40] = "";

	strcpy(place, set->place);
	if (lines)
		snprintf(place, sizeof(place), "%s:%llu: set %s", import->source,
			 reading->line, set->set);
	if (count > 1)
		snprintf(more, sizeof(more), ", and %llu more", count - 1);
	return import_reject(import, place, "%s%s", reading->bad, more) ? -1 : 1;
}

int import_read_keys(struct import *import, struct import_set *set, const char *list,
		     bool lines)
{
	char *name = (char *)list, why[512];
	struct reading reading = { .set = set };
	const struct input_watch watch = {
		.context = &reading, .text = ignore_text, .left_out = keep_bad,
	};
	struct input input;
	int ret;

	collection_init(&set->keys, &(struct syntax){
		.kind = SYNTAX_INET, .timeouts = set->timed,
	}, &(struct note){ .timeout = set->timeout });
	input_init(&input, &name, 1);
	input.silent = true;
	input.watch = &watch;
	input.syntax = (struct syntax){
		.kind = SYNTAX_INET, .timeouts = set->timed, .exceptions = true,
		.recognize = true,
	};
	error_capture(why, sizeof(why));
	ret = input_run(&input, add_entry, &reading);
	error_capture(NULL, 0);
	if (ret)
		ret = import_reject(import, set->place, "%s", why);
	else if (input.bad)
		return reject_bad_entries(import, &reading, lines, input.bad);
	else if (reading.exceptions)
		ret = import_reject(import, set->place, "it has entries with nomatch (%llu), whose addresses do not belong to the set",
				    reading.exceptions);
	else if (reading.other)
		ret = import_reject(import, set->place, "it has entries of another family (%llu)",
				    reading.other);
	else
		return measure(set);
	return ret ? -1 : 1;
}

static bool is_taken(const struct import *import, const char *name)
{
	int i;

	for (i = 0; i < import->set_count; i++)
		if (!strcmp(import->sets[i]->name, name))
			return true;
	return false;
}

/* Remove a set, and reject the rules that use the set. @set: index of the set. */
static int remove_set(struct import *import, int set)
{
	int i, ret = 0, count = import->rule_count;

	import->rule_count = 0;
	for (i = 0; !ret && i < count; i++) {
		struct import_rule *rule = &import->rules[i];

		if (rule->set == set) {
			ret = import_reject(import, rule->place, "its set is not taken over");
			continue;
		}
		rule->set -= rule->set > set;
		import->rules[import->rule_count++] = *rule;
	}
	collection_free(&import->sets[set]->keys);
	free(import->sets[set]);
	import->set_count--;
	memmove(import->sets + set, import->sets + set + 1,
		(import->set_count - set) * sizeof(*import->sets));
	return ret;
}

/*
 * Give the filter of a set the name SET-FAMILY, because another filter already has the
 * name SET. FAMILY is the family of the nft table that has the set. Return: 0; 1 if the set
 * was rejected and removed; or -1 after an error message.
 */
static int rename_set(struct import *import, int index)
{
	struct import_set *set = import->sets[index];
	char name[2 * IMPORT_NAME];
	int ret;

	snprintf(name, sizeof(name), "%s-%.*s", set->set, (int)strcspn(set->table, " "),
		 set->table);
	if (is_valid_name(name) && !is_taken(import, name)) {
		strcpy(set->name, name);
		return 0;
	}
	if (is_valid_name(name))
		ret = import_reject(import, set->place, "sets of other tables have the same name, and the names %s and %s are taken",
				    set->set, name);
	else
		ret = import_reject(import, set->place, "a set of another table has the same name, and the name %s is too long",
				    name);
	return ret || remove_set(import, index) ? -1 : 1;
}

static int name_sets(struct import *import)
{
	int i, ret;

	for (i = 0; i < import->set_count; i++)
		/* import_ipset() or import_nft() has checked that the name is valid. */
		if (!is_taken(import, import->sets[i]->set))
			strcpy(import->sets[i]->name, import->sets[i]->set);
	for (i = 0; i < import->set_count; i += !ret) {
		ret = *import->sets[i]->name ? 0 : rename_set(import, i);
		if (ret < 0)
			return ret;
	}
	return 0;
}

/* Call this function after all files were read, because each file can have a rule of NAT. */
static int check_nat(struct import *import)
{
	int i, ret = 0, count = import->rule_count;

	if (!*import->nat)
		return 0;
	import->rule_count = 0;
	for (i = 0; !ret && i < count; i++) {
		const struct import_rule *rule = &import->rules[i];

		if (rule->after_nat)
			ret = import_reject(import, rule->place, "the rule of %s can change the destination of a packet, and a rule of kcuckoo sees the destination before that",
					    import->nat);
		else
			import->rules[import->rule_count++] = *rule;
	}
	return ret;
}

bool import_has_rule_without_dev(const struct import *import, int set)
{
	int i;

	for (i = 0; i < import->rule_count; i++)
		if (import->rules[i].set == set && !*import->rules[i].dev)
			return true;
	return false;
}

/* apply leaves bogons out of the list of a set that a rule without a device uses. */
static int check_bogons(struct import *import)
{
	int i, ret = 0;

	for (i = 0; !ret && i < import->set_count; i++) {
		const struct import_set *set = import->sets[i];

		if (import_has_list(set) && set->bogons &&
		    import_has_rule_without_dev(import, i))
			ret = import_reject(import, set->place,
					    "it has entries with private or reserved addresses (%llu), which kcuckoo blocks only by rules with a device",
					    set->bogons);
	}
	return ret;
}

static int report(const struct import *import)
{
	const bool skip = import->args->import.given & IMPORT_SKIP;
	char place[IMPORT_PLACE], why[IMPORT_PLACE];
	int i;

	for (i = 0; i < import->rejected_count; i++) {
		const struct import_rejected *rejected = &import->rejected[i];

		/* The texts contain names from the file, which can contain any bytes. */
		escape(rejected->place, strlen(rejected->place), place, sizeof(place));
		escape(rejected->why, strlen(rejected->why), why, sizeof(why));
		if (skip)
			warn("%s: %s", place, why);
		else
			error("%s: %s", place, why);
	}
	if (import->rejected_count && !skip)
		return hint(error("nothing was written: %d %s cannot be taken over",
				  import->rejected_count,
				  plural(import->rejected_count, "set or rule", "sets or rules")),
			    "--skip leaves them out, and lists them in the configuration");
	return 0;
}

/*
 * Warn about entries that cover addresses of this host, or others that this host needs: apply
 * does not take them over. Return: 0, or -1 after an error message.
 */
static int mention_own(const struct import *import)
{
	int i, ret, found = 0;
	char place[IMPORT_PLACE];

	for (i = 0; i < import->set_count; i++) {
		const struct import_set *set = import->sets[i];

		if (!import_has_list(set))
			continue;
		ret = critical_mention(import->cli, &set->keys.keys,
				       escape(set->place, strlen(set->place), place,
					      sizeof(place)));
		if (ret < 0)
			return -1;
		found += ret;
	}
	if (found)
		hint(0, "'kcuckoo apply' refuses them, or leaves them out; with --keep-own it takes them over");
	return 0;
}

static int read_source(struct import *import, int (*read)(struct import *, FILE *),
		       const char *path)
{
	FILE *file;
	int ret;

	import->source = strcmp(path, "-") ? path : "standard input";
	file = strcmp(path, "-") ? fopen(path, "re") : stdin;
	if (!file)
		return error("%s: %s", path, strerror(errno));
	ret = read(import, file);
	if (!ret && ferror(file))
		ret = error("%s: %s", import->source, strerror(errno));
	if (file != stdin)
		fclose(file);
	return ret;
}

static int run(struct import *import)
{
	const struct import_args *given = &import->args->import;
	const char *path = import->args->operand_count ? import->args->operands[0] : "-";
	int i;

	if (read_source(import, given->given & IMPORT_NFT ? import_nft : import_ipset,
			path))
		return -1;
	for (i = 0; i < given->rules_count; i++)
		if (read_source(import, import_iptables, given->rules[i]))
			return -1;
	if (!import->set_count && !import->rejected_count)
		return hint(error("%s has no set", strcmp(path, "-") ? path : "standard input"),
			    "is it the output of '%s'?",
			    given->given & IMPORT_NFT ? "nft -j list ruleset" : "ipset save");
	if (name_sets(import) || check_nat(import) || check_bogons(import) || report(import) ||
	    mention_own(import))
		return -1;
	return import_write(import);
}

int verb_import(struct cli *cli, const struct args *args)
{
	struct import import = { .cli = cli, .args = args };
	int i, ret, which = args->import.given & (IMPORT_IPSET | IMPORT_NFT);

	if (which != IMPORT_IPSET && which != IMPORT_NFT)
		return error("import needs one of --from-ipset and --from-nft");
	if (which == IMPORT_NFT && args->import.rules_count)
		return error("--rules is for --from-ipset: the output of nft has the rules, too");
	ret = run(&import);
	while (import.set_count)
		import_drop_set(&import);
	for (i = 0; i < import.rejected_count; i++) {
		free(import.rejected[i].place);
		free(import.rejected[i].why);
	}
	free(import.sets);
	free(import.rules);
	free(import.rejected);
	return ret;
}
