// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions check keys for the option --strict. The verbs add, del, update and
 * load call these functions before they change the filter.
 */
#include <stdlib.h>

#include "keys/batch.h"
#include "keys/strict.h"
#include "message.h"

/* Size of a buffer for a key as text, in bytes. */
#define TEXT	128

/**
 * struct strict - state of a check of keys
 * @cli: state of the command
 * @name: name of the filter
 * @wrong: a key with this result of the look-up is an error:
 *	KCUCKOO_RESULT_PRESENT or KCUCKOO_RESULT_ABSENT
 * @wanted: for each key of the batch, the value that the member must have; or
 *	NULL
 * @batch: the current batch
 * @bad: number of keys with an error
 * @text: the first key with an error, as text
 */
struct strict {
	struct cli *cli;
	const char *name;
	uint8_t wrong;
	const __u32 *wanted;
	struct batch batch;
	size_t bad;
	char text[TEXT];
};

/* Return: true if @wanted is NULL, or if the look-up found the wanted value for key @i. */
static bool has_value(const struct strict *strict, size_t i)
{
	const struct batch *batch = &strict->batch;
	const __u32 *found;
	int at;

	if (!strict->wanted)
		return true;
	found = batch->found + i * KCUCKOO_VALUES_MAX;
	for (at = 0; at < batch->found_counts[i]; at++)
		if (found[at] == strict->wanted[i])
			return true;
	return false;
}

static int check_batch(struct strict *strict)
{
	const struct kcuckoo_batch *keys = &strict->batch.keys;
	unsigned int flags = keys->lengths ? 0 : KCUCKOO_TEST_MEMBER;
	size_t i;
	int ret;

	ret = kcuckoo_test(strict->cli->handle, strict->name, flags, keys,
			   NULL);
	if (ret)
		return filter_error(strict->cli, ret, strict->name,
				    "look up keys in");
	for (i = 0; i < keys->count; i++)
		if ((keys->results[i] == strict->wrong ||
		     !has_value(strict, i)) &&
		    !strict->bad++)
			batch_text(&strict->batch, i, strict->text, TEXT);
	return 0;
}

/*
 * The verb load checks the partitions of a long list separately (@partitions of struct
 * collection), and the other partitions can have more errors.
 */
static const char *minimum_word(const struct collection *collection)
{
	return collection->partitions ? "at least " : "";
}

/* Return: the text between the number of wrong keys and an example. */
static const char *before_example(size_t count)
{
	return plural(count, ": ", ", for example ");
}

static int check_members(struct strict *strict,
			 const struct collection *collection)
{
	bool add = strict->wrong == KCUCKOO_RESULT_PRESENT;
	const char *value = "";
	int ret = 0;

	while (!ret && batch_read(&strict->batch, collection))
		ret = check_batch(strict);
	if (ret || !strict->bad)
		return ret;
	if (strict->wanted)
		value = collection->old_named ? " with the value of --old" :
						" with the given value";
	error("--strict: %s%zu %s of '%s'%s%s%s", minimum_word(collection),
	      strict->bad,
	      add ? plural(strict->bad, "key is already a member",
			   "keys are already members") :
		    plural(strict->bad, "key is not a member",
			   "keys are not members"),
	      strict->name, value, before_example(strict->bad), strict->text);
	return error("nothing was changed");
}

/*
 * Count the keys that repeat another key of the collection, and write one of them to @text. A
 * key that is given three times counts as two repeats.
 */
static long count_repeats(struct collection *collection, char *text)
{
	const struct byteset *strings = &collection->strings;
	struct kcuckoo_prefix key;
	size_t repeats, first = 0;

	keyset_sort(&collection->keys);
	repeats = keyset_repeats(&collection->keys, &key);
	if (repeats) {
		kcuckoo_prefix_format(&key, text);
		return repeats;
	}
	if (byteset_repeats(strings, &repeats, &first))
		return error("not enough memory");
	if (repeats)
		escape(byteset_at(strings, first), strings->lengths[first],
		       text, TEXT);
	return repeats;
}

static int check_repeats(struct collection *collection)
{
	char text[TEXT];
	long repeats = count_repeats(collection, text);

	if (repeats <= 0)
		return repeats;
	error("--strict: %s%ld %s%s%s", minimum_word(collection), repeats,
	      plural(repeats, "key repeats an earlier key",
		     "keys repeat earlier keys"),
	      before_example(repeats), text);
	return error("nothing was changed");
}

int strict_check(struct cli *cli, const char *name, enum key_op op,
		 struct collection *collection)
{
	struct strict strict = {
		.cli = cli,
		.name = name,
		.wrong = op == KEY_OP_ADD ? KCUCKOO_RESULT_PRESENT :
						  KCUCKOO_RESULT_ABSENT,
	};
	int ret;

	if (check_repeats(collection))
		return -1;
	ret = batch_init(&strict.batch);
	if (op == KEY_OP_DEL && collection->valued)
		strict.wanted = strict.batch.values;
	if (collection->old_named)
		strict.wanted = strict.batch.old_values;
	if (!ret && strict.wanted)
		ret = batch_want_values(&strict.batch);
	if (!ret)
		ret = check_members(&strict, collection);
	batch_free(&strict.batch);
	return ret;
}

/*
 * Set @covering[n] to true if a prefix of key or range number n covers a member. The note of a
 * prefix has the number of its key or range, see @numbered of struct collection.
 */
static void note_covering(const struct keyset *keys,
			  const struct keyset *members, bool *covering)
{
	struct kcuckoo_prefix key;
	struct note note;
	size_t i;

	for (i = 0; keyset_read(keys, i, &key, 1); i++) {
		keyset_read_notes(keys, i, &note, 1);
		covering[note.value] |= keyset_has_within(members, &key);
	}
}

/* Count the keys and ranges that cover no member, and write a prefix of one of them to @text. */
static size_t count_idle(const struct keyset *keys, const bool *covering,
			 __u32 count, char *text)
{
	struct kcuckoo_prefix key;
	struct note note;
	size_t i, idle = 0;

	for (i = 0; i < count; i++)
		idle += !covering[i];
	for (i = 0; idle && keyset_read(keys, i, &key, 1); i++) {
		keyset_read_notes(keys, i, &note, 1);
		if (covering[note.value])
			continue;
		kcuckoo_prefix_format(&key, text);
		break;
	}
	return idle;
}

int strict_check_covered(const char *name, struct collection *collection,
			 const struct keyset *members)
{
	bool *covering;
	char text[TEXT];
	size_t idle;

	if (check_repeats(collection))
		return -1;
	covering = calloc(collection->number + 1UL, sizeof(*covering));
	if (!covering)
		return error("not enough memory");
	note_covering(&collection->keys, members, covering);
	idle = count_idle(&collection->keys, covering, collection->number, text);
	free(covering);
	if (!idle)
		return 0;
	error("--strict: %zu %s no member of '%s'%s%s", idle,
	      plural(idle, "key covers", "keys cover"), name,
	      before_example(idle), text);
	return error("nothing was changed");
}
