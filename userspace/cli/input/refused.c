// SPDX-License-Identifier: GPL-2.0-only
/*
 * refused_why() recognizes some kinds of texts that are not lists of keys, for input.c.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <string.h>

#include "input/refused.h"

static bool begins_with(const char *at, const char *end, const char *word)
{
	size_t length = strlen(word);

	return (size_t)(end - at) >= length && !memcmp(at, word, length);
}

static bool contains(const char *at, const char *end, const char *word)
{
	return memmem(at, end - at, word, strlen(word));
}

/*
 * Return: true if the line is the heading of a CSV file of GeoIP or GeoLite, databases of
 * MaxMind that have nearly all addresses.
 */
static bool is_geoip_head(const char *at, const char *end)
{
	return (begins_with(at, end, "network,") || begins_with(at, end, "\"network\",")) &&
	       (contains(at, end, "geoname_id") ||
		contains(at, end, "autonomous_system_number"));
}

/* Return: true if the line is a rule of an ad blocker, such as "||example.com^". */
static bool is_adblock(const char *at, const char *end)
{
	return begins_with(at, end, "[Adblock") ||
	       (begins_with(at, end, "||") && contains(at, end, "^")) ||
	       (begins_with(at, end, "@@||") && contains(at, end, "^"));
}

/*
 * Return: true if the line has a record such as "ipv4|192.0.2.0|256": a first address and a
 * number of addresses.
 */
static bool has_block(const char *at, const char *end)
{
	static const char family[] = "ipv4|";
	const char *start = at;

	while (!begins_with(at, end, family) || (at > start && at[-1] != '|')) {
		if (at == end)
			return false;
		at++;
	}
	for (at += strlen(family); at < end && strchr("0123456789.", *at) && *at; at++)
		;
	if (at == end || *at != '|')
		return false;
	start = ++at;
	while (at < end && *at >= '0' && *at <= '9')
		at++;
	return at > start && (at == end || *at == '|' || *at == '\r');
}

/*
 * Return: true if the line is a record of a statistics file of a regional Internet registry,
 * such as "ripencc|DE|ipv4|192.0.2.0|256|20260822|allocated".
 */
static bool is_delegated(const char *at, const char *end)
{
	static const char * const registries[] = {
		"apnic|", "arin|", "ripencc|", "lacnic|", "afrinic|", "iana|",
	};
	size_t i;

	for (i = 0; i < sizeof(registries) / sizeof(*registries); i++)
		if (begins_with(at, end, registries[i]))
			return contains(at, end, "|ipv4|") || contains(at, end, "|ipv6|");
	return has_block(at, end);
}

const char *refused_why(const char *text, size_t length)
{
	const char *end = text + length, *line_end;

	if (length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		text += 3;
	for (; text < end; text = line_end + 1) {
		line_end = memchr(text, '\n', end - text);
		if (!line_end)
			line_end = end;
		if (is_geoip_head(text, line_end))
			return "it is a CSV file of GeoIP with nearly all addresses, and not a list: mmdb:FILE?country=DE or mmdb:FILE?asn=64500 reads the database of its publisher";
		if (is_adblock(text, line_end))
			return "it has rules of an ad blocker (AdGuard, Adblock Plus), and not keys: take the list of its publisher with one name on each line, or a hosts file";
		if (is_delegated(text, line_end))
			return "it is a statistics file of an Internet registry (delegated-*), whose records have a first address and a number of addresses, and not a list: mmdb:FILE?country=DE reads a database of countries";
		if (line_end == end)
			break;
	}
	return NULL;
}
