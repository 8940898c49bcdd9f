// SPDX-License-Identifier: GPL-2.0-only
/*
 * A list as sorted ranges, searched by halving: the plainest way there is.
 */
#define _GNU_SOURCE
#include "networks.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned __int128 address_from_bytes(enum family family, const void *bytes)
{
	unsigned __int128 address = 0;
	const unsigned char *at = bytes;
	int i;

	for (i = 0; i < family_bits(family) / 8; i++)
		address = address << 8 | at[i];
	return address;
}

void address_to_bytes(enum family family, unsigned __int128 address, void *bytes)
{
	unsigned char *at = bytes;
	int i;

	for (i = family_bits(family) / 8 - 1; i >= 0; i--) {
		at[i] = address;
		address >>= 8;
	}
}

const char *address_text(enum family family, unsigned __int128 address,
			 char text[TEXT_SIZE])
{
	unsigned char bytes[16];

	address_to_bytes(family, address, bytes);
	return inet_ntop(family == IPV4 ? AF_INET : AF_INET6, bytes, text, TEXT_SIZE);
}

static bool parse_address(enum family family, const char *text,
			  unsigned __int128 *address)
{
	unsigned char bytes[16];

	if (inet_pton(family == IPV4 ? AF_INET : AF_INET6, text, bytes) != 1)
		return false;
	*address = address_from_bytes(family, bytes);
	return true;
}

static char *trim(char *text)
{
	size_t length;

	text += strspn(text, " \t\r\n");
	length = strlen(text);
	while (length && strchr(" \t\r\n", text[length - 1]))
		length--;
	text[length] = '\0';
	return text;
}

/* "@text/length": without host bits, as both ends of it. */
static bool parse_prefix(enum family family, char *text, char *slash,
			 struct range *range)
{
	int bits = family_bits(family);
	unsigned __int128 host;
	unsigned long length;
	char *end;

	length = strtoul(slash + 1, &end, 10);
	if (end == slash + 1 || *end || length > (unsigned long)bits)
		return false;
	*slash = '\0';
	if (!parse_address(family, text, &range->first))
		return false;
	/* Shifting by all 128 bits is undefined. */
	host = length == 0 ? ~(unsigned __int128)0 >> (128 - bits) :
			     ((unsigned __int128)1 << (bits - length)) - 1;
	range->last = range->first | host;
	return !(range->first & host);
}

static bool parse_range(enum family family, char *text, struct range *range)
{
	char *slash = strchr(text, '/');
	char *minus = strchr(text, '-');

	if (slash)
		return parse_prefix(family, text, slash, range);
	if (!minus) {
		if (!parse_address(family, text, &range->first))
			return false;
		range->last = range->first;
		return true;
	}
	*minus = '\0';
	return parse_address(family, trim(text), &range->first) &&
	       parse_address(family, trim(minus + 1), &range->last) &&
	       range->first <= range->last;
}

static void append(struct networks *networks, const struct range *range)
{
	size_t count = networks->entry_count;

	/* Room for 1, 2, 4, ... */
	if (!(count & (count - 1))) {
		networks->entries = reallocarray(networks->entries, count ? 2 * count : 1,
						 sizeof(*range));
		if (!networks->entries)
			errx(2, "not enough memory for the list");
	}
	networks->entries[networks->entry_count++] = *range;
}

static int compare(const void *a, const void *b)
{
	const struct range *left = a, *right = b;

	return left->first < right->first ? -1 : left->first > right->first;
}

static void merge(struct networks *networks)
{
	struct range *merged;
	size_t i, count = 0;

	if (!networks->entry_count)
		return;
	merged = reallocarray(NULL, networks->entry_count, sizeof(*merged));
	if (!merged)
		errx(2, "not enough memory for the list");
	memcpy(merged, networks->entries, networks->entry_count * sizeof(*merged));
	qsort(merged, networks->entry_count, sizeof(*merged), compare);
	for (i = 1; i < networks->entry_count; i++) {
		if (merged[i].first > merged[count].last)
			merged[++count] = merged[i];
		else if (merged[i].last > merged[count].last)
			merged[count].last = merged[i].last;
	}
	networks->merged = merged;
	networks->merged_count = count + 1;
}

void networks_read(struct networks networks[FAMILIES], const char *path)
{
	unsigned long number = 0;
	struct range range;
	char *line = NULL;
	size_t size = 0;
	FILE *file;
	int family;

	memset(networks, 0, FAMILIES * sizeof(*networks));
	file = fopen(path, "r");
	if (!file)
		err(2, "%s", path);
	while (getline(&line, &size, file) >= 0) {
		char *text;

		number++;
		line[strcspn(line, "#")] = '\0';
		text = trim(line);
		if (!*text)
			continue;
		family = strchr(text, ':') ? IPV6 : IPV4;
		if (!parse_range(family, text, &range))
			errx(2, "%s:%lu: neither an address, a prefix nor a range", path, number);
		append(&networks[family], &range);
	}
	if (ferror(file))
		err(2, "%s", path);
	free(line);
	fclose(file);
	for (family = 0; family < FAMILIES; family++)
		merge(&networks[family]);
}

const struct range *networks_find(const struct networks *networks,
				  unsigned __int128 address)
{
	size_t low = 0, high = networks->merged_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct range *range = &networks->merged[middle];

		if (address < range->first)
			high = middle;
		else if (address > range->last)
			low = middle + 1;
		else
			return range;
	}
	return NULL;
}
