// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions read the output of "ipset save": lines "create SET TYPE ..." and
 * "add SET ENTRY ...".
 */
#include <stdio.h>
#include <string.h>

#include "input/columns.h"
#include "input/ipset.h"
#include "input/key.h"
#include "input/reader.h"
#include "number.h"

const char * const ipset_options[] = { "set", NULL };

/*
 * A word of a line, or the text between quotes: from @at to @end. The next word begins
 * at or after @next.
 */
struct word {
	const char *at;
	const char *end;
	const char *next;
};

/*
 * Find the first word at or after @at. Quotes around a word are not part of the word. Return:
 * false at the end of the line.
 */
static bool next_word(const char *at, const char *end, struct word *word)
{
	const char *quote;

	at = skip_blanks(at, end);
	word->at = at;
	if (at == end)
		return false;
	quote = *at == '"' ? memchr(at + 1, '"', end - at - 1) : NULL;
	if (quote) {
		word->at = at + 1;
		word->end = quote;
		word->next = quote + 1;
		return true;
	}
	while (at < end && !is_blank(*at))
		at++;
	word->end = at;
	word->next = at;
	return true;
}

static bool word_is(const struct word *word, const char *text)
{
	size_t length = word->end - word->at;

	return strlen(text) == length && !memcmp(word->at, text, length);
}

static bool is_create(const struct word *word)
{
	return word_is(word, "create") || word_is(word, "-N");
}

static bool is_add(const struct word *word)
{
	return word_is(word, "add") || word_is(word, "-A");
}

bool ipset_recognize(const char *text, size_t length)
{
	struct layout_scan scan = layout_scan(text, length);
	struct word verb, set, third;
	int lines = 0;

	for (; layout_next_line(&scan); lines++) {
		const char *end = scan.text + scan.length;

		if (!next_word(scan.text, end, &verb))
			return false;
		if (lines && (word_is(&verb, "flush") || word_is(&verb, "COMMIT")))
			continue;
		if (!(is_create(&verb) || is_add(&verb)) ||
		    !next_word(verb.next, end, &set) ||
		    !next_word(set.next, end, &third))
			return false;
	}
	return lines;
}

static void copy_word(char *to, size_t size, const struct word *word)
{
	snprintf(to, size, "%.*s", (int)(word->end - word->at), word->at);
}

/*
 * Return: true if @set is the set that the user chose, or else the first set of the text. If the
 * user chose no set, collect the names of other sets in @others of struct ipset.
 */
static bool is_chosen(struct reader *reader, const struct word *set)
{
	const char *wanted = spec_option(reader->spec, "set");
	struct ipset *state = reader->state;
	size_t length = strlen(state->others);
	char name[IPSET_NAME + 4];

	if (wanted && !word_is(set, wanted))
		return false;
	if (!state->known)
		copy_word(state->name, sizeof(state->name), set);
	state->known = true;
	if (word_is(set, state->name))
		return true;
	snprintf(name, sizeof(name), ", %.*s,", (int)(set->end - set->at), set->at);
	if (strstr(state->others, name))
		return false;
	snprintf(state->others + length, sizeof(state->others) - length, "%s",
		 name + !!length);
	return false;
}

/* Return: the reason why sets of this type cannot be read, or NULL. */
static const char *why_not(const struct word *type)
{
	static const char * const supported[] = {
		"hash:ip", "hash:net", "bitmap:ip", "iphash", "nethash", "ipmap",
	};
	size_t i;

	for (i = 0; i < sizeof(supported) / sizeof(*supported); i++)
		if (word_is(type, supported[i]))
			return NULL;
	if (memchr(type->at, ',', type->end - type->at))
		return "its entries are pairs, and a filter would match all packets";
	return "its entries are no addresses";
}

enum create_option {
	OPTION_NONE,		/* does not change which packets the set matches */
	OPTION_FAMILY,
	OPTION_INET6,
	OPTION_NETMASK,
	OPTION_BITMASK,
	OPTION_TIMEOUT,
	OPTION_SKBINFO,
};

struct option_type {
	const char *name;
	bool has_value;
	enum create_option option;
};

static const struct option_type option_types[] = {
	{ "family",	true,	OPTION_FAMILY },
	{ "-exist",	false,	OPTION_NONE },
	{ "-!",		false,	OPTION_NONE },
	{ "-quiet",	false,	OPTION_NONE },
	{ "-q",		false,	OPTION_NONE },
	{ "-4",		false,	OPTION_NONE },
	{ "-6",		false,	OPTION_INET6 },
	{ "hashsize",	true,	OPTION_NONE },
	{ "maxelem",	true,	OPTION_NONE },
	{ "bucketsize",	true,	OPTION_NONE },
	{ "initval",	true,	OPTION_NONE },
	{ "probes",	true,	OPTION_NONE },
	{ "resize",	true,	OPTION_NONE },
	{ "gc",		true,	OPTION_NONE },
	{ "range",	true,	OPTION_NONE },
	{ "from",	true,	OPTION_NONE },
	{ "to",		true,	OPTION_NONE },
	{ "network",	true,	OPTION_NONE },
	{ "netmask",	true,	OPTION_NETMASK },
	{ "bitmask",	true,	OPTION_BITMASK },
	{ "timeout",	true,	OPTION_TIMEOUT },
	{ "comment",	false,	OPTION_NONE },
	{ "counters",	false,	OPTION_NONE },
	{ "forceadd",	false,	OPTION_NONE },
	{ "skbinfo",	false,	OPTION_SKBINFO },
};

/* ipset ignores two dashes before an option. */
static bool is_option(const struct word *word, const char *name)
{
	struct word bare = *word;

	if (bare.end - bare.at > 2 && bare.at[0] == '-' && bare.at[1] == '-')
		bare.at += 2;
	return word_is(&bare, name);
}

static const struct option_type *find_option(const struct word *word)
{
	size_t i;

	for (i = 0; i < sizeof(option_types) / sizeof(*option_types); i++)
		if (is_option(word, option_types[i].name))
			return &option_types[i];
	return NULL;
}

/* Apply an option of "create". Return: NULL, or the reason why the set cannot be read. */
static const char *take_option(struct ipset_create *create, enum create_option option,
			       const struct word *value)
{
	size_t length = value->end - value->at;
	__u64 number;

	switch (option) {
	case OPTION_NONE:
		return NULL;
	case OPTION_FAMILY:
		create->inet6 = word_is(value, "inet6");
		return create->inet6 || word_is(value, "inet") ? NULL :
		       "its family is not valid";
	case OPTION_INET6:
		create->inet6 = true;
		return NULL;
	case OPTION_NETMASK:
		if (!number_scan(value->at, length, 128, &number))
			return "its netmask is not valid";
		create->netmask = number;
		return NULL;
	case OPTION_BITMASK:
		return "a bitmask is applied to its entries";
	case OPTION_TIMEOUT:
		create->timed = true;
		return duration_scan(value->at, length, &create->timeout) ?
		       "its timeout is not valid" : NULL;
	case OPTION_SKBINFO:
		create->skbinfo = true;
	}
	return NULL;
}

/* Set @why of @create for the option @word, unless an earlier error is set. */
static void fail_option(struct ipset_create *create, const struct word *word,
			const char *why)
{
	char name[IPSET_WHY / 2];

	if (!*create->why)
		snprintf(create->why, sizeof(create->why), "its option '%s' %s",
			 escape(word->at, word->end - word->at, name, sizeof(name)), why);
}

/*
 * Parse the options of a set. An unknown option could change which packets the set matches, so a
 * set with such an option cannot be read.
 */
static void take_options(struct ipset_create *create, const char *at, const char *end)
{
	const struct option_type *type;
	struct word word, value;
	const char *why;

	for (; next_word(at, end, &word); at = value.next) {
		value = word;
		type = find_option(&word);
		if (!type) {
			fail_option(create, &word, "is not known");
			return;
		}
		if (type->has_value && !next_word(word.next, end, &value)) {
			fail_option(create, &word, "has no value");
			return;
		}
		why = take_option(create, type->option, &value);
		if (why && !*create->why)
			snprintf(create->why, sizeof(create->why), "%s", why);
	}
}

static void scan_type(struct ipset_create *create, const struct word *type,
		      const char *end)
{
	*create = (struct ipset_create){ .timed = false };
	copy_word(create->type, sizeof(create->type), type);
	snprintf(create->why, sizeof(create->why), "%s", why_not(type) ?: "");
	if (!*create->why)
		take_options(create, type->next, end);
}

/*
 * Check that no earlier line created the set in another way, and that no entry comes before the
 * line that creates the set. "ipset restore" fails in both cases. Accept equal lines, as in two
 * copies of a file.
 */
static int check_created(struct reader *reader, const struct ipset_create *create)
{
	const struct ipset *state = reader->state;

	if (!state->created && !state->begun)
		return 0;
	if (!state->created)
		return reader_error(reader, "the set '%s' has entries before the line that creates it",
				    state->name);
	if (!strcmp(state->type, create->type) && !strcmp(state->why, create->why) &&
	    state->inet6 == create->inet6 && state->netmask == create->netmask &&
	    state->timeout == create->timeout)
		return 0;
	return reader_error(reader, "the set '%s' is created again, with another type or other options: its types are %s and %s",
			    state->name, state->type, create->type);
}

static int take_create(struct reader *reader, const struct word *set,
		       const char *end)
{
	struct ipset *state = reader->state;
	struct ipset_create create;
	struct word type;

	/*
	 * A truncated file can end before the type. Report a bad line even if the user chose
	 * another set.
	 */
	if (!next_word(set->next, end, &type)) {
		reader->input->lines++;
		reader_bad(reader, "the line has no type of the set",
			   reader->place.text, reader->place.length);
		return 0;
	}
	if (!is_chosen(reader, set))
		return 0;
	scan_type(&create, &type, end);
	if (check_created(reader, &create))
		return -1;
	state->created = true;
	state->inet6 = create.inet6;
	strcpy(state->type, create.type);
	strcpy(state->why, create.why);
	state->netmask = create.netmask;
	state->timeout = create.timeout;
	return 0;
}

bool ipset_scan_create(const char *text, size_t length, struct ipset_create *create)
{
	const char *end = text + length;
	struct word verb, set, type;

	if (!next_word(text, end, &verb) || !is_create(&verb) ||
	    !next_word(verb.next, end, &set) || !next_word(set.next, end, &type))
		return false;
	scan_type(create, &type, end);
	copy_word(create->name, sizeof(create->name), &set);
	return true;
}

bool ipset_scan_add(const char *text, size_t length, char name[IPSET_NAME], char *entry,
		    size_t size)
{
	const char *end = text + length;
	struct word verb, set, word;

	if (!next_word(text, end, &verb) || !is_add(&verb) ||
	    !next_word(verb.next, end, &set) || !next_word(set.next, end, &word))
		return false;
	if (entry)
		copy_word(entry, size, &word);
	copy_word(name, IPSET_NAME, &set);
	return true;
}

static bool take_timeout(const struct reader *reader, struct line *line,
			 const struct word *word)
{
	const char *why = duration_scan(word->at, word->end - word->at,
					&line->timeout);

	if (why)
		line_bad(line, why);
	else if (reader->syntax.timeouts)
		line->has |= LINE_TIMEOUT;
	return !why;
}

/*
 * Parse the words after an entry. Mark @line as bad if a word is unknown or its value is
 * missing.
 */
static void take_words(const struct reader *reader, struct line *line,
		       const char *at, const char *end)
{
	static const char * const ignored[] = {
		"comment", "packets", "bytes", "skbmark", "skbprio", "skbqueue",
	};
	struct word word, value;
	size_t i;

	for (; next_word(at, end, &word); at = value.next) {
		value = word;
		if (is_option(&word, "nomatch"))
			line->exception = true;
		if (is_option(&word, "nomatch") || word_is(&word, "-exist") ||
		    word_is(&word, "-!"))
			continue;
		if (!next_word(word.next, end, &value)) {
			line_bad(line, "no value follows the last word");
			return;
		}
		if (*value.at == '"' && value.at[-1] != '"') {
			line_bad(line, "a quote is not closed");
			return;
		}
		if (is_option(&word, "timeout") && !take_timeout(reader, line, &value))
			return;
		for (i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
			if (is_option(&word, ignored[i]))
				break;
		if (i == sizeof(ignored) / sizeof(*ignored) &&
		    !is_option(&word, "timeout")) {
			line_bad(line, "a word after the entry is not known");
			return;
		}
	}
}

/*
 * Apply the netmask of the set. The entries of a set with a netmask are networks of one size,
 * but "ipset save" prints only their addresses.
 */
static void apply_netmask(const struct ipset *state, struct line *line)
{
	char length[8];
	int digits = snprintf(length, sizeof(length), "%d", state->netmask);
	static const struct syntax plain;

	if (!state->netmask || state->netmask == 8 * key_bytes(&line->key))
		return;
	if (line->kind != LINE_KEY || line->key.plen < 8 * key_bytes(&line->key))
		line_bad(line, "the set has a netmask, and the entry is not a single address");
	else
		key_set_length(line, length, length + digits, &plain);
}

static int take_entry(struct reader *reader, const struct word *set,
		      const char *end)
{
	struct ipset *state = reader->state;
	struct word entry;
	struct line line;

	if (!next_word(set->next, end, &entry)) {
		reader->input->lines++;
		reader_bad(reader, "the line has no entry", reader->place.text,
			   reader->place.length);
		return 0;
	}
	if (!is_chosen(reader, set) || *state->others || *state->why)
		return 0;
	reader->input->lines++;
	state->begun = true;
	reader_parse(reader, entry.at, entry.end - entry.at, &line);
	if (line.kind == LINE_BAD && memchr(entry.at, ',', entry.end - entry.at))
		line_bad(&line, "the entry is a pair, and a filter would match all packets");
	if (line.kind != LINE_BAD)
		apply_netmask(state, &line);
	line.timeout = state->timeout;
	if (line.kind != LINE_BAD && line.timeout && reader->syntax.timeouts)
		line.has |= LINE_TIMEOUT;
	if (line.kind != LINE_BAD)
		take_words(reader, &line, entry.next, end);
	if (line.kind != LINE_BAD && line.timeout && !reader->syntax.timeouts)
		line.lost |= LINE_TIMEOUT;
	return reader_take(reader, &line);
}

bool ipset_is_ignored(const char *text, size_t length)
{
	struct word verb;

	return !next_word(text, text + length, &verb) || *verb.at == '#' ||
	       word_is(&verb, "COMMIT");
}

/*
 * Handle a line "flush [SET]", which removes the entries of SET, or of all sets. The line is bad
 * if it removes entries of the set @name of struct ipset that earlier lines added.
 */
static void take_flush(struct reader *reader, const char *at, const char *end)
{
	const struct ipset *state = reader->state;
	struct word set;

	if (!state->begun || (next_word(at, end, &set) && !word_is(&set, state->name)))
		return;
	reader->input->lines++;
	reader_bad(reader, "the line removes the entries of the lines before it",
		   reader->place.text, reader->place.length);
}

int ipset_line(struct reader *reader, const char *text, size_t length)
{
	const char *end = text + length;
	struct word verb, set;

	if (ipset_is_ignored(text, length) || !next_word(text, end, &verb))
		return 0;
	if (word_is(&verb, "flush")) {
		take_flush(reader, verb.next, end);
		return 0;
	}
	if ((is_create(&verb) || is_add(&verb)) && next_word(verb.next, end, &set))
		return is_create(&verb) ? take_create(reader, &set, end) :
		       take_entry(reader, &set, end);
	reader->input->lines++;
	reader_bad(reader, "the line is neither 'create SET TYPE' nor 'add SET ENTRY'",
		   text, length);
	return 0;
}

int ipset_end(struct reader *reader)
{
	const char *wanted = spec_option(reader->spec, "set");
	struct ipset *state = reader->state;
	size_t length = strlen(state->others);

	if (wanted && !state->known)
		return reader_error(reader, "the file has no set '%s'", wanted);
	if (length)
		return reader_error(reader,
				    "the file has several sets: %s%.*s; choose one with FILE?set=NAME",
				    state->name, (int)length - 1, state->others);
	if (*state->why)
		return reader_error(reader, "the set '%s' has type %s: %s",
				    state->name, state->type, state->why);
	return 0;
}
