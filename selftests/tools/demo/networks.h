/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The demonstration's own opinion on which addresses are listed: it shares no code
 * with the module or the command, and reads the list by itself.
 */
#ifndef KCUCKOO_DEMO_NETWORKS_H
#define KCUCKOO_DEMO_NETWORKS_H

#include <arpa/inet.h>
#include <stdbool.h>
#include <stddef.h>

enum family { IPV4, IPV6, FAMILIES };

#define TEXT_SIZE	INET6_ADDRSTRLEN

/**
 * struct range - addresses from @first to @last, as numbers
 * @first: IPv4 addresses in the low 32 bits
 * @last: not less than @first
 */
struct range {
	unsigned __int128 first;
	unsigned __int128 last;
};

/**
 * struct networks - what a list holds of one family
 * @entries: as listed, in any order, overlaps included
 * @entry_count: how many
 * @merged: the same addresses, sorted, without overlaps
 * @merged_count: how many
 */
struct networks {
	struct range *entries;
	size_t entry_count;
	struct range *merged;
	size_t merged_count;
};

/*
 * Read a list: a line is an address, a prefix or "first - last", then maybe a
 * comment that begins with '#'. Anything else ends the program, exit status 2.
 */
void networks_read(struct networks networks[FAMILIES], const char *path);

/* Return: the addresses listed around @address, or NULL if it is not. */
const struct range *networks_find(const struct networks *networks,
				  unsigned __int128 address);

/* Bits of an address. */
static inline int family_bits(enum family family)
{
	return family == IPV4 ? 32 : 128;
}

/* Between numbers and the bytes of a packet, which come most significant first. */
unsigned __int128 address_from_bytes(enum family family, const void *bytes);
void address_to_bytes(enum family family, unsigned __int128 address, void *bytes);

/* Return: @text, with the address in it. */
const char *address_text(enum family family, unsigned __int128 address,
			 char text[TEXT_SIZE]);

#endif /* KCUCKOO_DEMO_NETWORKS_H */
