// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions find the meaning of a column of a table by its title, for csv.c.
 */
#include <string.h>
#include <strings.h>

#include "input/field.h"
#include "input/titles.h"

/* Size of a buffer for a title. A title that is longer has no meaning. */
#define TITLE_TEXT	64

/* Words that are compared have lower case, and neither blanks nor '-' nor '_'. */
static const char * const key_titles[] = {
	"ip", "address", "ipaddress", "srcip", "dstip", "cidr", "network", "prefix",
	"subnet", "ipprefix", "range", "iprange", NULL,
};

/* Titles with "mask" or "prefixlen" in them are for sizes, too. */
static const char * const size_titles[] = {
	"cidr", "cidrlen", "cidrlength", "cidrbits", "cidrsuffix", "cidrprefix", "plen",
	"prefixbits", "prefixsize", "netbits", "netlen", "netlength", "netsize",
	"networkbits", "networklen", "networklength", "networksize", "networkprefix",
	"subnetbits", "subnetlen", "subnetlength", "subnetsize", "subnetprefix", NULL,
};

/* A packet has a length, too, a key of TLS has bits, and a name has a wildcard. */
static const char * const loose_size_titles[] = {
	"bits", "len", "length", "size", "prefix", "slash", "wildcard", NULL,
};

/* These words are titles alone, or together with a word of @address_words. */
static const char * const end_words[] = { "end", "last", "stop", "final", NULL };
static const char * const loose_end_words[] = {
	"to", "until", "high", "upper", "max", "broadcast", NULL,
};
static const char * const start_words[] = {
	"start", "first", "begin", "from", "low", "lower", "min", NULL,
};
static const char * const address_words[] = {
	"ip", "ipv4", "ipv6", "address", "addr", "ipaddress", "ipaddr", "ipv4address",
	"ipv6address", "range", "iprange", "network", "net", "subnet", "netblock", "ipblock",
	NULL,
};

/* JSON has the same rule: is_exception() in selection.c. */
static const char * const allow_titles[] = {
	"iswhitelisted", "whitelisted", "whitelist", "allow", "allowed", "isallowed",
	"allowlisted", NULL,
};

static bool is_ignored(char c)
{
	return c == '-' || c == '_' || is_blank(c);
}

bool title_is(const char *at, size_t length, const char *name, size_t size)
{
	const char *end = at + length, *stop = name + size;

	for (;;) {
		while (at < end && is_ignored(*at))
			at++;
		while (name < stop && is_ignored(*name))
			name++;
		if (at == end || name == stop)
			return at == end && name == stop;
		if (strncasecmp(at++, name++, 1))
			return false;
	}
}

/*
 * Write a title to @text, a buffer of TITLE_TEXT bytes, in the form in which this file has
 * words. Leave out a remark in brackets at the end. If the title is too long, write an
 * empty string.
 */
static void write_title(const char *at, size_t length, char *text)
{
	const char *end = at + length;
	size_t used = 0;

	for (; at < end && used < TITLE_TEXT - 1; at++) {
		if (used && (*at == '(' || *at == '['))
			break;
		if (!is_ignored(*at) && *at != '.')
			text[used++] = *at >= 'A' && *at <= 'Z' ? *at | 0x20 : *at;
	}
	if (used == TITLE_TEXT - 1)
		used = 0;
	text[used] = 0;
}

static bool is_among(const char *text, size_t length, const char * const *words)
{
	for (; *words; words++)
		if (strlen(*words) == length && !memcmp(text, *words, length))
			return true;
	return false;
}

/*
 * Return: true if the title is a word of @words before or after a word of
 * @address_words. With @alone, a title that is only a word of @words also counts.
 */
static bool is_pair(const char *text, const char * const *words, bool alone)
{
	size_t length = strlen(text), size;

	for (; *words; words++) {
		size = strlen(*words);
		if (length < size)
			continue;
		if (alone && !strcmp(text, *words))
			return true;
		if (!memcmp(text, *words, size) &&
		    is_among(text + size, length - size, address_words))
			return true;
		if (!memcmp(text + length - size, *words, size) &&
		    is_among(text, length - size, address_words))
			return true;
	}
	return false;
}

unsigned int title_kind(const char *at, size_t length)
{
	char text[TITLE_TEXT];
	unsigned int kind = 0;

	write_title(at, length, text);
	length = strlen(text);
	if (is_among(text, length, key_titles))
		kind |= TITLE_KEY;
	if (is_among(text, length, size_titles) || strstr(text, "prefixlen") ||
	    (strstr(text, "mask") && !strstr(text, "masked")))
		kind |= TITLE_SIZE;
	else if (is_among(text, length, loose_size_titles))
		kind |= TITLE_SIZE | TITLE_LOOSE;
	if (is_pair(text, end_words, false))
		kind |= TITLE_END;
	else if (is_pair(text, end_words, true) || is_pair(text, loose_end_words, true))
		kind |= TITLE_END | TITLE_LOOSE;
	if (is_pair(text, start_words, true))
		kind |= TITLE_START;
	if (is_among(text, length, allow_titles))
		kind |= TITLE_ALLOW;
	if (!strcmp(text, "toids"))
		kind |= TITLE_IDS;
	return kind;
}
