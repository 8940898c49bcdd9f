// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets of prefixes from which others are cut, that are merged, and measured:
 * each address has the key that a plain array says it has.
 */
#include "keys/aggregate.h"
#include "keys/exclude.h"
#include "universe.h"

static bool same_note(const struct note *a, const struct note *b)
{
	return a->value == b->value && a->timeout == b->timeout;
}

/*
 * Return: the size of the smallest set of prefixes that covers the same leaves as
 * the nodes below @node. Set @whole if it is the node itself.
 */
static unsigned int smallest(const struct nodes *nodes, unsigned int node,
			     bool *whole)
{
	bool lower, upper;
	unsigned int count;

	*whole = longest(nodes, node);
	if (*whole || node >= LEAVES)
		return *whole;
	count = smallest(nodes, 2 * node, &lower) +
		smallest(nodes, 2 * node + 1, &upper);
	*whole = lower && upper;
	return *whole ? 1 : count;
}

/* No two keys without notes in common could be one. */
static void require_smallest(const struct nodes *nodes)
{
	bool whole;
	unsigned int count = smallest(nodes, 1, &whole);

	tap_require(count_nodes(nodes) == count, "%u prefixes, %u would do",
		    count_nodes(nodes), count);
}

/* Each leaf has the note that it had, or no key if it had none. */
static void require_same(const struct nodes *before, const struct nodes *after)
{
	unsigned int leaf;

	for (leaf = LEAVES; leaf < NODES; leaf++) {
		unsigned int was = longest(before, leaf);
		unsigned int is = longest(after, leaf);

		tap_require(!was == !is, "leaf %u: node %u, now %u", leaf, was, is);
		tap_require(!was || same_note(&before->note[was], &after->note[is]),
			    "leaf %u has another note", leaf);
	}
}

static void check_aggregate(unsigned int count, bool notes)
{
	struct universe universe = random_universe();
	struct nodes before, after;
	struct keyset set;

	random_nodes(&before, count, notes);
	nodes_set(&universe, &before, notes, &set);
	keyset_aggregate(&set);
	set_nodes(&universe, &set, &after);
	require_same(&before, &after);
	tap_require(count_nodes(&after) <= count_nodes(&before), "more keys");
	if (!notes)
		require_smallest(&after);
	keyset_free(&set);
}

static void test_aggregate(void)
{
	int i;

	for (i = 0; i < 4000; i++)
		check_aggregate(random_below(1 + random_below(2 * NODES)), i % 2);
}

/* With notes, halves that are equal become one, and equal keys inside end. */
static void test_equal_notes(void)
{
	const struct universe universe = { KCUCKOO_FAMILY_IPV4, 8 };
	struct nodes before = { .is = { false } }, after;
	struct keyset set;
	unsigned int node;

	/* Two halves with value 1 in a key with value 2, which ends. */
	for (node = 4; node < 6; node++) {
		before.is[node] = true;
		before.note[node].value = 1;
	}
	before.is[2] = true;
	before.note[2].value = 2;
	/* A key with value 3, one inside it with 4, and one inside that with 3. */
	before.is[12] = true;
	before.is[6] = true;
	before.is[3] = true;
	before.note[12].value = 3;
	before.note[3].value = 3;
	before.note[6].value = 4;
	/* And one with the value of the key around it. */
	before.is[15] = true;
	before.note[15].value = 3;
	nodes_set(&universe, &before, true, &set);
	keyset_aggregate(&set);
	set_nodes(&universe, &set, &after);
	require_same(&before, &after);
	tap_require(count_nodes(&after) == 4 && after.is[2] && after.is[3] &&
		    after.is[6] && after.is[12], "%u keys", count_nodes(&after));
	keyset_free(&set);
}

/* Return: the number of leaves below a node that @excluded leaves. */
static unsigned int remain(const struct nodes *excluded, unsigned int node)
{
	unsigned int leaf, count = 0, first = node, end = node + 1;

	while (first < LEAVES) {
		first *= 2;
		end *= 2;
	}
	for (leaf = first; leaf < end; leaf++)
		count += !longest(excluded, leaf);
	return count;
}

static unsigned int leaves_of(unsigned int node)
{
	return LEAVES >> (31 - __builtin_clz(node));
}

/* Check the result of an exclusion against the keys before it. */
static void require_excluded(const struct nodes *before,
			     const struct nodes *excluded,
			     const struct nodes *after,
			     const struct exclusion *exclusion)
{
	unsigned int node, left_out = 0, cut = 0;

	for (node = LEAVES; node < NODES; node++) {
		unsigned int was = longest(before, node);
		unsigned int is = longest(after, node);

		if (longest(excluded, node))
			was = 0;
		tap_require(!was == !is, "leaf %u: node %u, now %u", node, was, is);
		tap_require(!was || same_note(&before->note[was], &after->note[is]),
			    "leaf %u has another note", node);
	}
	for (node = 1; node < NODES; node++) {
		unsigned int rest = remain(excluded, node);
		bool touched = rest < leaves_of(node);

		if (!before->is[node])
			continue;
		left_out += touched && !rest;
		cut += touched && rest;
		tap_require(after->is[node] == !touched, "node %u: %d", node,
			    after->is[node]);
	}
	/*
	 * A key may be cut whose rest lies in other keys of the set: it counts
	 * as left out then.
	 */
	tap_require(exclusion->left_out + exclusion->cut == left_out + cut &&
		    exclusion->left_out >= left_out,
		    "%llu left out, %llu cut, not %u and %u",
		    exclusion->left_out, exclusion->cut, left_out, cut);
}

static void check_exclude(unsigned int count, unsigned int cuts, bool notes)
{
	struct universe universe = random_universe();
	struct nodes before, excluded, after;
	struct keyset set, sorted, outermost;
	struct exclusion exclusion;

	random_nodes(&before, count, notes);
	random_nodes(&excluded, cuts, false);
	nodes_set(&universe, &before, notes, &set);
	nodes_set(&universe, &excluded, false, &sorted);
	keyset_init(&outermost);
	tap_require(!keyset_outermost(&sorted, &outermost), "no memory");
	tap_require(!keyset_exclude(&set, &outermost, &exclusion), "no memory");
	set_nodes(&universe, &set, &after);
	require_excluded(&before, &excluded, &after, &exclusion);
	/* The prefixes of one key that was cut are as few as can be. */
	if (count_nodes(&before) == 1)
		require_smallest(&after);
	keyset_free(&outermost);
	keyset_free(&sorted);
	keyset_free(&set);
}

static void test_exclude(void)
{
	int i;

	for (i = 0; i < 4000; i++)
		check_exclude(random_below(1 + random_below(NODES)),
			      random_below(1 + random_below(40)), i % 2);
	for (i = 0; i < 1000; i++)
		check_exclude(1, random_below(60), i % 2);
}

/* Excluded addresses outside of all keys, in both families, change nothing. */
static void test_other_family(void)
{
	const struct universe four = { KCUCKOO_FAMILY_IPV4, 16 };
	const struct universe six = { KCUCKOO_FAMILY_IPV6, 16 };
	struct exclusion exclusion;
	struct nodes nodes, after;
	struct keyset set, outermost, all;

	random_nodes(&nodes, 50, false);
	nodes_set(&four, &nodes, false, &set);
	nodes_set(&six, &nodes, false, &outermost);
	keyset_init(&all);
	tap_require(!keyset_outermost(&outermost, &all), "no memory");
	tap_require(!keyset_exclude(&set, &all, &exclusion), "no memory");
	set_nodes(&four, &set, &after);
	tap_require(!memcmp(nodes.is, after.is, sizeof(after.is)) &&
		    !exclusion.left_out && !exclusion.cut, "not the same");
	keyset_free(&all);
	keyset_free(&outermost);
	keyset_free(&set);
}

/* Return: the number of networks of length @unit that the nodes overlap. */
static __u64 model_coverage(const struct universe *universe,
			    const struct nodes *nodes, int unit)
{
	int below = unit - universe->plen, depth = below > DEPTH ? DEPTH : below;
	unsigned int node, leaf;
	__u64 sum = 0, each;

	/* The whole universe is in one network. */
	if (below < 0)
		return count_nodes(nodes) > 0;
	each = below - depth >= 64 ? UINT64_MAX : (__u64)1 << (below - depth);
	for (node = 1 << depth; node < 2u << depth; node++) {
		bool covered = longest(nodes, node);
		unsigned int first = node, end = node + 1;

		for (; first < LEAVES; first *= 2)
			end *= 2;
		for (leaf = first; leaf < end; leaf++)
			covered |= !!longest(nodes, leaf);
		if (covered)
			sum = sum + each < sum ? UINT64_MAX : sum + each;
	}
	return sum;
}

static void test_coverage(void)
{
	struct coverage coverage;
	struct nodes nodes;
	struct keyset set;
	__u64 expected;
	int i;

	for (i = 0; i < 3000; i++) {
		struct universe universe = random_universe();
		bool ipv4 = universe.family == KCUCKOO_FAMILY_IPV4;

		random_nodes(&nodes, random_below(1 + random_below(NODES)), false);
		nodes_set(&universe, &nodes, false, &set);
		keyset_coverage(&set, &coverage);
		expected = model_coverage(&universe, &nodes, ipv4 ? 32 : 64);
		tap_require((ipv4 ? coverage.ipv4 : coverage.ipv6) == expected,
			    "IPv%d /%d: %llu and %llu, not %llu", ipv4 ? 4 : 6,
			    universe.plen, coverage.ipv4, coverage.ipv6,
			    expected);
		tap_require(!(ipv4 ? coverage.ipv6 : coverage.ipv4),
			    "the other family");
		keyset_free(&set);
	}
}

/* Return: the node of the widest key that covers a node, or 0. */
static unsigned int widest(const struct nodes *nodes, unsigned int node)
{
	unsigned int found = 0;

	for (; node; node /= 2)
		if (nodes->is[node])
			found = node;
	return found;
}

static void test_find_cover(void)
{
	struct kcuckoo_prefix key, cover;
	struct nodes nodes;
	struct keyset set;
	unsigned int node, expected;
	int i;

	for (i = 0; i < 200; i++) {
		struct universe universe = random_universe();

		random_nodes(&nodes, random_below(1 + random_below(NODES)), i % 2);
		nodes_set(&universe, &nodes, i % 2, &set);
		for (node = 1; node < NODES; node++) {
			key = node_key(&universe, node);
			expected = widest(&nodes, node);
			tap_require(keyset_find_cover(&set, &key, &cover) ==
				    (expected != 0), "node %u", node);
			tap_require(!expected ||
				    key_node(&universe, &cover) == expected,
				    "node %u: another cover", node);
		}
		keyset_free(&set);
	}
}

static const struct tap_test tests[] = {
	{ "aggregate.same: addresses keep their notes, in the fewest prefixes", test_aggregate },
	{ "aggregate.notes: only equal ones are merged", test_equal_notes },
	{ "exclude.cut: the rest of each key stays, with its note", test_exclude },
	{ "exclude.family: the other family has no effect", test_other_family },
	{ "exclude.find: the widest key that covers another", test_find_cover },
	{ "coverage.sum: each address counts once", test_coverage },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
