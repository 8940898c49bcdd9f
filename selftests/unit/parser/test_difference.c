// SPDX-License-Identifier: GPL-2.0-only
/*
 * The difference of two sets is what a comparison of each key says, and repeated
 * keys become one key.
 */
#include "keys/difference.h"
#include "universe.h"

/* The keys that were reported, in a universe. */
struct reported {
	const struct universe *universe;
	int change[NODES];		/* -1: not reported */
	struct note note[NODES];
	struct kcuckoo_prefix last;
	bool any;
};

static void take(void *context, enum key_change change,
		 const struct kcuckoo_prefix *key, const struct note *note)
{
	struct reported *reported = context;
	unsigned int node = key_node(reported->universe, key);

	tap_require(node, "a key outside of the universe");
	tap_require(reported->change[node] == -1, "reported twice");
	tap_require(!reported->any ||
		    memcmp(reported->last.addr, key->addr, 16) <= 0, "no order");
	reported->change[node] = change;
	reported->note[node] = *note;
	reported->last = *key;
	reported->any = true;
}

/* Compare one node; count it in @expected. Return: enum key_change or -1. */
static int expect(const struct nodes *old, const struct nodes *new,
		  unsigned int node, struct difference *expected)
{
	const struct note *a = &old->note[node], *b = &new->note[node];

	if (!old->is[node] && !new->is[node])
		return -1;
	if (!old->is[node]) {
		expected->added++;
		return KEY_ADDED;
	}
	if (!new->is[node]) {
		expected->removed++;
		return KEY_REMOVED;
	}
	if (a->value != b->value || !a->timeout != !b->timeout) {
		expected->changed++;
		return KEY_CHANGED;
	}
	expected->unchanged++;
	expected->renewed += b->timeout != 0;
	return -1;
}

static void check_difference(bool old_notes, bool new_notes)
{
	struct universe universe = random_universe();
	struct reported reported = { .universe = &universe };
	const struct difference_sink sink = { take, &reported };
	struct difference difference, expected = { .added = 0 };
	struct nodes old, new;
	struct keyset a, b;
	unsigned int node;

	random_nodes(&old, random_below(1 + random_below(NODES)), old_notes);
	random_nodes(&new, random_below(1 + random_below(NODES)), new_notes);
	nodes_set(&universe, &old, old_notes, &a);
	nodes_set(&universe, &new, new_notes, &b);
	memset(reported.change, 0xff, sizeof(reported.change));
	keyset_difference(&a, &b, &sink, &difference);
	for (node = 1; node < NODES; node++) {
		int change = expect(&old, &new, node, &expected);
		const struct note *note = change == KEY_REMOVED ?
					  &old.note[node] : &new.note[node];

		tap_require(reported.change[node] == change, "node %u: %d, not %d",
			    node, reported.change[node], change);
		tap_require(change == -1 ||
			    !memcmp(&reported.note[node], note, sizeof(*note)),
			    "node %u has another note", node);
	}
	tap_require(!memcmp(&difference, &expected, sizeof(expected)),
		    "other counts");
	keyset_difference(&a, &b, NULL, &difference);
	tap_require(!memcmp(&difference, &expected, sizeof(expected)),
		    "other counts without a sink");
	keyset_free(&a);
	keyset_free(&b);
}

static void test_difference(void)
{
	int i;

	for (i = 0; i < 2000; i++)
		check_difference(i % 2, i / 2 % 2);
}

/* What a repeated note makes of a note: the rule in plain words. */
static void merge(struct note *note, const struct note *other)
{
	if (other->value > note->value)
		note->value = other->value;
	if (note->timeout && (!other->timeout || other->timeout > note->timeout))
		note->timeout = other->timeout;
}

static void check_unify(bool notes)
{
	struct universe universe = random_universe();
	struct nodes model, after;
	bool differs[NODES] = { false };
	unsigned int count = random_below(2 * NODES), node;
	__u64 expected = 0;
	struct keyset set;

	memset(&model, 0, sizeof(model));
	keyset_init(&set);
	if (notes)
		keyset_keep_notes(&set);
	while (count--) {
		struct note note = { .value = notes * random_below(3),
				     .timeout = notes * random_below(3) };
		struct kcuckoo_prefix key;

		node = 1 + random_below(1 + random_below(NODES - 1));
		key = node_key(&universe, node);
		tap_require(!keyset_add_noted(&set, &key, &note), "no memory");
		if (!model.is[node])
			model.note[node] = note;
		/* The notes of all repeats are compared with the merged one. */
		merge(&model.note[node], &note);
		model.is[node] = true;
	}
	keyset_sort(&set);
	for (node = 0; keyset_read(&set, node, &(struct kcuckoo_prefix){ 0 }, 1); node++) {
		struct kcuckoo_prefix key;
		struct note note = { .value = 0 };

		keyset_read(&set, node, &key, 1);
		if (notes)
			keyset_read_notes(&set, node, &note, 1);
		differs[key_node(&universe, &key)] |=
			note.value != model.note[key_node(&universe, &key)].value ||
			note.timeout != model.note[key_node(&universe, &key)].timeout;
	}
	for (node = 1; node < NODES; node++)
		expected += differs[node];
	tap_require(keyset_unify(&set) == expected, "not %llu different notes",
		    expected);
	set_nodes(&universe, &set, &after);
	for (node = 1; node < NODES; node++)
		tap_require(model.is[node] == after.is[node] &&
			    model.note[node].value == after.note[node].value &&
			    model.note[node].timeout == after.note[node].timeout,
			    "node %u", node);
	keyset_free(&set);
}

static void test_unify(void)
{
	int i;

	for (i = 0; i < 1000; i++)
		check_unify(i % 2);
}

static const struct tap_test tests[] = {
	{ "difference.keys: each key that changes, and how", test_difference },
	{ "unify.notes: one key of each, with the largest note", test_unify },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
