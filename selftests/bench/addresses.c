// SPDX-License-Identifier: GPL-2.0-only
/*
 * Addresses for bench.sh.
 *
 *	addresses list COUNT		COUNT different IPv4 addresses, one a line
 *	addresses hit COUNT DRAWS	DRAWS of these, at random, as packets hold them
 *	addresses miss DRAWS		DRAWS others
 *	addresses inside FILE DRAWS	DRAWS from random networks of the list FILE, at
 *					random inside them; of IPv6, after a '6'
 *	addresses inside6 ...		if the word ends with one
 *	addresses outside FILE DRAWS	DRAWS at random that no network of FILE has
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "networks.h"
#include "random.h"

/*
 * Address number @i. It is a bijection, so that they differ, and they are all over
 * the place. Number 0 is 0.0.0.0, which ipset cannot hold.
 */
static unsigned int address_number(unsigned int i)
{
	i ^= i >> 16;
	i *= 0x9e3779b1;
	i ^= i >> 15;
	i *= 0x85ebca6b;
	return i ^ i >> 16;
}

static void put(enum family family, unsigned __int128 address)
{
	unsigned char bytes[16];

	address_to_bytes(family, address, bytes);
	fwrite(bytes, family_bits(family) / 8, 1, stdout);
}

static void list(unsigned int count)
{
	char text[TEXT_SIZE];
	unsigned int i;

	for (i = 1; i <= count; i++)
		puts(address_text(IPV4, address_number(i), text));
}

/* Of the upper half none is ever a member. */
static void hit(unsigned int count, unsigned long draws)
{
	while (draws--)
		put(IPV4, address_number(1 + random_below(count)));
}

static void miss(unsigned long draws)
{
	while (draws--)
		put(IPV4, address_number(1U << 31 | random_below(1U << 31)));
}

static unsigned __int128 anywhere(enum family family)
{
	unsigned __int128 address = random_word();

	if (family == IPV4)
		return address & 0xffffffff;
	/* What is assigned begins with the bits 001. */
	address = address << 64 | random_word();
	return address >> 3 | (unsigned __int128)1 << 125;
}

static unsigned __int128 inside(const struct networks *networks)
{
	const struct range *range;
	unsigned __int128 offset = random_word();

	range = &networks->entries[random_below(networks->entry_count)];
	offset = offset << 64 | random_word();
	/* A range of all addresses would wrap to 0; no list has it. */
	return range->first + offset % (range->last - range->first + 1);
}

static unsigned __int128 outside(enum family family,
				 const struct networks *networks)
{
	unsigned __int128 address;

	do
		address = anywhere(family);
	while (networks_find(networks, address));
	return address;
}

static void draw(const char *word, const char *path, unsigned long draws)
{
	enum family family = word[strlen(word) - 1] == '6' ? IPV6 : IPV4;
	struct networks networks[FAMILIES];

	networks_read(networks, path);
	if (!networks[family].entry_count)
		errx(2, "%s: no network of this family", path);
	while (draws--)
		put(family, *word == 'i' ? inside(&networks[family]) :
					   outside(family, &networks[family]));
}

int main(int argc, char *argv[])
{
	const char *word = argc > 2 ? argv[1] : "";
	unsigned long last = argc > 2 ? strtoul(argv[argc - 1], NULL, 10) : 0;

	random_seed(1);
	if (argc == 3 && !strcmp(word, "list"))
		list(last);
	else if (argc == 4 && !strcmp(word, "hit"))
		hit(strtoul(argv[2], NULL, 10), last);
	else if (argc == 3 && !strcmp(word, "miss"))
		miss(last);
	else if (argc == 4 && (!strncmp(word, "inside", 6) ||
			       !strncmp(word, "outside", 7)))
		draw(word, argv[2], last);
	else
		errx(2, "see the head of addresses.c");
	if (fclose(stdout))
		err(2, "writing");
	return 0;
}
