/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small universe of prefixes, in which a plain array says which key counts for
 * each address: the longest that covers it.
 *
 * The universe is one prefix of IPv4 or IPv6, whose next DEPTH bits vary. A
 * prefix is a node of a binary tree, numbered as in a heap: 1 is the whole
 * universe, 2n and 2n + 1 are the halves of n. The last NODES / 2 nodes are the
 * leaves.
 */
#ifndef _SELFTESTS_PARSER_UNIVERSE_H
#define _SELFTESTS_PARSER_UNIVERSE_H

#include "keys/difference.h"
#include "tap.h"

#define DEPTH	8
#define NODES	(2 << DEPTH)
#define LEAVES	(1 << DEPTH)

/**
 * struct universe - one universe
 * @family: of its prefixes
 * @plen: prefix length of the whole universe
 */
struct universe {
	int family;
	int plen;
};

/* Which nodes are keys, and their notes. */
struct nodes {
	bool is[NODES];
	struct note note[NODES];
};

static inline struct universe random_universe(void)
{
	struct universe universe = { .family = 1 + random_below(2) };
	int bits = universe.family == KCUCKOO_FAMILY_IPV4 ? 32 : 128;

	universe.plen = random_below(bits - DEPTH + 1);
	if (!random_below(4))
		universe.plen = bits - DEPTH;
	return universe;
}

static inline struct kcuckoo_prefix node_key(const struct universe *universe,
					     unsigned int node)
{
	int depth = 31 - __builtin_clz(node), i, bit;
	struct kcuckoo_prefix key = {
		.family = universe->family,
		.plen = universe->plen + depth,
	};

	for (i = 0; i < universe->plen; i++)
		if (i % 3 == 0)
			key.addr[i / 8] |= 0x80 >> i % 8;
	for (i = 0; i < depth; i++) {
		bit = universe->plen + i;
		if (node >> (depth - 1 - i) & 1)
			key.addr[bit / 8] |= 0x80 >> bit % 8;
	}
	return key;
}

/* Return: the number of the node, or 0 for a key outside of the universe. */
static inline unsigned int key_node(const struct universe *universe,
				    const struct kcuckoo_prefix *key)
{
	struct kcuckoo_prefix back;
	unsigned int node = 1;
	int bit;

	if (key->family != universe->family || key->plen < universe->plen ||
	    key->plen > universe->plen + DEPTH)
		return 0;
	for (bit = universe->plen; bit < key->plen; bit++)
		node = 2 * node + !!(key->addr[bit / 8] & 0x80 >> bit % 8);
	back = node_key(universe, node);
	return memcmp(&back, key, sizeof(back)) ? 0 : node;
}

/*
 * Take @count random nodes, with random notes of few kinds; without @notes the
 * notes are all zero.
 */
static inline void random_nodes(struct nodes *nodes, unsigned int count,
				bool notes)
{
	memset(nodes, 0, sizeof(*nodes));
	while (count--) {
		unsigned int node = 1 + random_below(NODES - 1);

		/* Wide prefixes are rare in a heap: take some more. */
		if (!random_below(3))
			node >>= random_below(DEPTH);
		node = node ? node : 1;
		nodes->is[node] = true;
		if (!notes)
			continue;
		nodes->note[node].value = random_below(3);
		nodes->note[node].timeout = random_below(3) * 60;
		nodes->note[node].valued = 1;
	}
}

/* Make a sorted set of the nodes. */
static inline void nodes_set(const struct universe *universe,
			     const struct nodes *nodes, bool notes,
			     struct keyset *set)
{
	unsigned int node;

	keyset_init(set);
	if (notes)
		keyset_keep_notes(set);
	for (node = 1; node < NODES; node++) {
		struct kcuckoo_prefix key = node_key(universe, node);

		if (nodes->is[node])
			tap_require(!keyset_add_noted(set, &key,
						      &nodes->note[node]),
				    "no memory");
	}
	keyset_sort(set);
}

/* Read a set back. It is sorted, without repeats. */
static inline void set_nodes(const struct universe *universe,
			     const struct keyset *set, struct nodes *nodes)
{
	struct kcuckoo_prefix key, last;
	unsigned int node;
	size_t i;

	memset(nodes, 0, sizeof(*nodes));
	for (i = 0; keyset_read(set, i, &key, 1); i++) {
		node = key_node(universe, &key);
		tap_require(node, "a key outside of the universe");
		tap_require(!nodes->is[node], "a repeated key");
		nodes->is[node] = true;
		if (keyset_has_notes(set))
			keyset_read_notes(set, i, &nodes->note[node], 1);
		tap_require(!i || memcmp(last.addr, key.addr, 16) < 0 ||
			    (!memcmp(last.addr, key.addr, 16) &&
			     last.plen < key.plen), "not sorted");
		last = key;
	}
}

/* Return: the node of the longest key that covers a node, or 0. */
static inline unsigned int longest(const struct nodes *nodes, unsigned int node)
{
	while (node && !nodes->is[node])
		node /= 2;
	return node;
}

static inline unsigned int count_nodes(const struct nodes *nodes)
{
	unsigned int node, count = 0;

	for (node = 1; node < NODES; node++)
		count += nodes->is[node];
	return count;
}

#endif /* _SELFTESTS_PARSER_UNIVERSE_H */
