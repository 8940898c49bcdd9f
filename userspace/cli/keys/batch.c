// SPDX-License-Identifier: GPL-2.0-only
/*
 * A batch holds keys in the arrays that one call of the library takes. batch_read() fills
 * a batch from a collection (collection.h).
 */
#include <stdlib.h>
#include <string.h>

#include "keys/batch.h"
#include "message.h"

int batch_init(struct batch *batch)
{
	memset(batch, 0, sizeof(*batch));
	batch->prefixes = calloc(BATCH, sizeof(*batch->prefixes));
	batch->notes = calloc(BATCH, sizeof(*batch->notes));
	batch->values = calloc(BATCH, sizeof(*batch->values));
	batch->old_values = calloc(BATCH, sizeof(*batch->values));
	batch->timeouts = calloc(BATCH, sizeof(*batch->timeouts));
	batch->results = malloc(BATCH);
	if (!batch->prefixes || !batch->notes || !batch->values ||
	    !batch->old_values || !batch->timeouts || !batch->results)
		return error("not enough memory");
	return 0;
}

int batch_want_values(struct batch *batch)
{
	batch->found = calloc(BATCH, KCUCKOO_VALUES_MAX * sizeof(__u32));
	batch->found_counts = calloc(BATCH, sizeof(uint8_t));
	if (!batch->found || !batch->found_counts)
		return error("not enough memory");
	batch->keys.max_values = KCUCKOO_VALUES_MAX;
	batch->keys.found = batch->found;
	batch->keys.found_counts = batch->found_counts;
	return 0;
}

int batch_want_plens(struct batch *batch)
{
	batch->plens = calloc(BATCH, sizeof(*batch->plens));
	if (!batch->plens)
		return error("not enough memory");
	batch->keys.plens = batch->plens;
	return 0;
}

struct kcuckoo_prefix batch_member(const struct batch *batch, size_t i)
{
	struct kcuckoo_prefix member = batch->prefixes[i];
	size_t byte = batch->plens[i] / 8;

	/* The member is a prefix of the key: clear the bits after its length. */
	member.plen = batch->plens[i];
	if (byte < sizeof(member.addr)) {
		member.addr[byte] &= ~(0xff >> member.plen % 8);
		memset(member.addr + byte + 1, 0, sizeof(member.addr) - byte - 1);
	}
	return member;
}

void batch_free(struct batch *batch)
{
	free(batch->plens);
	free(batch->prefixes);
	free(batch->notes);
	free(batch->values);
	free(batch->old_values);
	free(batch->timeouts);
	free(batch->results);
	free(batch->found);
	free(batch->found_counts);
}

void batch_rewind(struct batch *batch)
{
	batch->valued = false;
	batch->next = 0;
	batch->bytes_at = 0;
	batch->keys.count = 0;
	batch->keys.lengths = NULL;
}

/* Set the arrays for values and timeouts, or NULL for those that the library must ignore. */
static void fill_notes(struct batch *batch, const struct collection *collection)
{
	bool noted = keyset_has_notes(&collection->keys);
	const struct syntax *syntax = &collection->syntax;
	size_t i;

	if (!syntax->max_value && !syntax->timeouts)
		return;
	for (i = 0; i < batch->keys.count; i++) {
		const struct note *note = noted ? &batch->notes[i] :
						  &collection->note;

		batch->values[i] = note->value;
		batch->old_values[i] = collection->old_value;
		batch->timeouts[i] = note->timeout;
	}
	batch->keys.values = batch->valued ? batch->values : NULL;
	batch->keys.old_values = collection->old_named ? batch->old_values : NULL;
	batch->keys.timeouts = syntax->timeouts ? batch->timeouts : NULL;
}

/* Read the byte strings that follow the last batch, without copying them. */
static size_t read_strings(struct batch *batch, const struct byteset *strings)
{
	size_t i, left = strings->count - batch->next;

	if (!left)
		return 0;
	for (i = 0; batch->keys.lengths && i < batch->keys.count; i++)
		batch->bytes_at += batch->keys.lengths[i];
	batch->keys.bytes = strings->bytes + batch->bytes_at;
	batch->keys.lengths = strings->lengths + batch->next;
	return left < BATCH ? left : BATCH;
}

static size_t read_prefixes(struct batch *batch, const struct keyset *keys)
{
	batch->keys.prefixes = batch->prefixes;
	if (keyset_has_notes(keys))
		keyset_read_notes(keys, batch->next, batch->notes, BATCH);
	return keyset_read(keys, batch->next, batch->prefixes, BATCH);
}

/* Read the next keys of a collection, both keys with and keys without a value. */
static size_t read_any(struct batch *batch, const struct collection *collection)
{
	batch->keys.count = collection->syntax.kind == SYNTAX_INET ?
			    read_prefixes(batch, &collection->keys) :
			    read_strings(batch, &collection->strings);
	batch->next += batch->keys.count;
	return batch->keys.count;
}

/* Keep only keys with a value if @batch->valued is set, otherwise only keys without a value. */
static size_t sift(struct batch *batch)
{
	size_t i, kept = 0;

	for (i = 0; i < batch->keys.count; i++) {
		if (batch->notes[i].valued != batch->valued)
			continue;
		batch->prefixes[kept] = batch->prefixes[i];
		batch->notes[kept++] = batch->notes[i];
	}
	batch->keys.count = kept;
	return kept;
}

/*
 * Read all keys without a value first, then all keys with a value: one call of the library has
 * values for all of its keys or for none. If keys with and without a value alternated in a list,
 * reading the keys in the order of the list would need one call for each key.
 *
 * In an exact filter, a key that is listed both with and without a value gets its last listed
 * value. In the order of the list, the key would get the same value, because an add without a
 * value keeps the value of a member.
 */
static size_t read_in_turn(struct batch *batch,
			   const struct collection *collection)
{
	for (;;) {
		while (read_any(batch, collection))
			if (sift(batch))
				return batch->keys.count;
		if (batch->valued)
			return 0;
		batch->valued = true;
		batch->next = 0;
	}
}

size_t batch_read(struct batch *batch, const struct collection *collection)
{
	if (collection->valued && collection->unvalued) {
		read_in_turn(batch, collection);
	} else {
		batch->valued = collection->valued;
		read_any(batch, collection);
	}
	batch->keys.results = batch->results;
	fill_notes(batch, collection);
	return batch->keys.count;
}

const char *batch_text(const struct batch *batch, size_t i, char *buf,
		       size_t size)
{
	const char *bytes = batch->keys.bytes;
	size_t before;

	if (!batch->keys.lengths) {
		char text[KCUCKOO_PREFIX_TEXT];

		kcuckoo_prefix_format(&batch->prefixes[i], text);
		return escape(text, strlen(text), buf, size);
	}
	for (before = 0; before < i; before++)
		bytes += batch->keys.lengths[before];
	return escape(bytes, batch->keys.lengths[i], buf, size);
}

void tally_add(struct tally *tally, const struct batch *batch,
	       const struct kcuckoo_counts *result)
{
	struct kcuckoo_counts *sum = &tally->sum;
	size_t i;

	for (i = 0; result->refused && !sum->refused && i < result->done; i++) {
		if (batch->results[i] != KCUCKOO_RESULT_REFUSED)
			continue;
		batch_text(batch, i, tally->refused, sizeof(tally->refused));
		break;
	}
	sum->done += result->done;
	sum->added += result->added;
	sum->existed += result->existed;
	sum->refused += result->refused;
	sum->deleted += result->deleted;
	sum->updated += result->updated;
	sum->absent += result->absent;
	if (batch->keys.values || batch->keys.timeouts)
		tally->maybe_changed += result->existed;
}

int tally_error(const struct tally *tally, const char *name)
{
	__u64 refused = tally->sum.refused;

	if (!refused)
		return 0;
	error("'%s' refused %llu %s: the two buckets of a fingerprint are full of copies",
	      name, refused, plural(refused, "key", "keys"));
	return hint(-1, "keys with the same fingerprint are copies of each other; the first refused key is %s",
		    tally->refused);
}
