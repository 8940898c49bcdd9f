// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions read hosts files, whose lines have an address such as 0.0.0.0 and names
 * of hosts to block. The names become byte strings.
 */
#include <string.h>

#include "input/field.h"
#include "input/hosts.h"
#include "input/reader.h"

struct word {
	const char *at;
	const char *end;
};

static bool next_word(const char *at, const char *end, struct word *word)
{
	at = skip_blanks(at, end);
	word->at = at;
	while (at < end && !is_blank(*at) && *at != '#')
		at++;
	word->end = at;
	return word->at < at;
}

static bool word_is(const struct word *word, const char *text)
{
	size_t length = word->end - word->at;

	return strlen(text) == length && !memcmp(word->at, text, length);
}

static bool is_block_address(const struct word *word)
{
	return word_is(word, "0.0.0.0") || word_is(word, "127.0.0.1") ||
	       word_is(word, "::") || word_is(word, "::1") ||
	       word_is(word, "::0") || word_is(word, "0:0:0:0:0:0:0:0");
}

/* Return: true if the word is an address, possibly with a zone, such as fe80::1%lo0. */
static bool is_address(const struct word *word)
{
	struct kcuckoo_prefix key;
	long length = kcuckoo_prefix_scan(word->at, word->end - word->at, &key, NULL,
					  NULL);

	return length > 0 && (word->at + length == word->end ||
			      word->at[length] == '%');
}

/*
 * Return: true if the word is an address, or a name of the local host or network, such as
 * localhost. Hosts files usually have such names, and a filter must not block them.
 */
static bool is_own_name(const struct word *word)
{
	static const char * const names[] = {
		"localhost", "localhost.localdomain", "localhost4",
		"localhost4.localdomain4", "localhost6",
		"localhost6.localdomain6", "local", "broadcasthost",
		"ip6-localhost", "ip6-loopback", "ip6-localnet",
		"ip6-mcastprefix", "ip6-allnodes", "ip6-allrouters",
		"ip6-allhosts",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (word_is(word, names[i]))
			return true;
	return is_address(word);
}

static bool is_name(const struct word *word)
{
	const char *at;

	for (at = word->at; at < word->end; at++)
		if (!is_name_sign(*at) && !(*at & 0x80))
			return false;
	return true;
}

bool hosts_recognize(const char *text, size_t length)
{
	struct layout_scan scan = layout_scan(text, length);
	struct word address, name;
	int lines = 0;

	while (layout_next_line(&scan)) {
		const char *end = scan.text + scan.length;

		if (!next_word(scan.text, end, &address) ||
		    !next_word(address.end, end, &name) ||
		    !is_address(&address) || !is_name(&name))
			return false;
		lines += is_block_address(&address) && !is_own_name(&name);
	}
	return lines > 1;
}

/*
 * Pass the names at or after @at to the sink (input_sink, input.h). Check all names before the
 * first name is passed, so that no key comes from a bad line.
 */
static int take_names(struct reader *reader, const char *at, const char *end)
{
	struct word word;
	struct line line;
	int ret = 0, names = 0;

	for (word.end = at; next_word(word.end, end, &word);) {
		if (!is_name(&word)) {
			reader_bad(reader, "a name has a character that host names do not have",
				   word.at, word.end - word.at);
			return 0;
		}
	}
	for (word.end = at; !ret && next_word(word.end, end, &word);) {
		if (is_own_name(&word))
			continue;
		names++;
		reader_parse(reader, word.at, word.end - word.at, &line);
		ret = reader_take(reader, &line);
	}
	if (!names)
		reader_skip(reader, "the line has only names of this host");
	return ret;
}

int hosts_line(struct reader *reader, const char *text, size_t length)
{
	const char *end = text + length;
	struct word address, name;

	if (!next_word(text, end, &address))
		return 0;
	reader->input->lines++;
	if (!is_address(&address))
		reader_bad(reader, "a line of a hosts file begins with an address", text,
			   length);
	else if (!next_word(address.end, end, &name))
		reader_bad(reader, "no name follows the address", text, length);
	else if (!is_block_address(&address))
		reader_skip(reader, "only names with the address 0.0.0.0, 127.0.0.1, :: or ::1 are blocked");
	else
		return take_names(reader, address.end, end);
	return 0;
}
