// SPDX-License-Identifier: GPL-2.0-only
/*
 * A collection holds the keys of a command, which come from operands and files.
 */
#include <string.h>

#include "keys/collection.h"
#include "keys/range.h"
#include "message.h"

void collection_init(struct collection *collection, const struct syntax *syntax,
		     const struct note *note)
{
	memset(collection, 0, sizeof(*collection));
	collection->syntax = *syntax;
	collection->note = *note;
	keyset_init(&collection->keys);
	if (syntax->kind == SYNTAX_INET &&
	    (syntax->max_value || syntax->timeouts))
		keyset_keep_notes(&collection->keys);
}

void collection_free(struct collection *collection)
{
	keyset_free(&collection->keys);
	byteset_free(&collection->strings);
}

void collection_number(struct collection *collection)
{
	keyset_keep_notes(&collection->keys);
	collection->numbered = true;
}

void collection_clear(struct collection *collection)
{
	keyset_clear(&collection->keys);
	byteset_clear(&collection->strings);
	collection->valued = false;
	collection->unvalued = false;
}

size_t collection_count(const struct collection *collection)
{
	return keyset_count(&collection->keys) + collection->strings.count;
}

size_t collection_bytes(const struct collection *collection)
{
	const struct byteset *strings = &collection->strings;

	return keyset_bytes(&collection->keys) + strings->size +
	       strings->count * (sizeof(*strings->lengths) + BYTESET_REPEATS);
}

/* Continue the FNV-1a hash @hash. Callers use the upper half, which depends on all bytes. */
static __u64 hash_on(__u64 hash, const void *bytes, size_t length)
{
	const unsigned char *at = bytes;

	while (length--)
		hash = (hash ^ *at++) * 0x100000001b3;
	return hash;
}

/*
 * Return: true if a key belongs to the partition of the collection, or the collection has no
 * partitions.
 */
static bool is_kept(const struct collection *collection, const void *bytes,
		    size_t length, __u8 plen)
{
	__u64 sum;

	if (!collection->partitions)
		return true;
	sum = hash_on(0xcbf29ce484222325, &plen, sizeof(plen));
	return (hash_on(sum, bytes, length) >> 32) % collection->partitions ==
	       collection->partition;
}

int collection_add_prefix(struct collection *collection,
			  const struct kcuckoo_prefix *key,
			  const struct note *note)
{
	collection->valued |= note->valued;
	collection->unvalued |= !note->valued;
	if (!is_kept(collection, key->addr, sizeof(key->addr), key->plen))
		return 0;
	return keyset_add_noted(&collection->keys, key, note) ?
	       error("not enough memory") : 0;
}

int collection_add_string(struct collection *collection, const void *bytes,
			  size_t length)
{
	collection->valued |= collection->note.valued;
	collection->unvalued |= !collection->note.valued;
	if (!is_kept(collection, bytes, length, 0))
		return 0;
	return byteset_add(&collection->strings, bytes, length) ?
	       error("not enough memory") : 0;
}

int collection_add(struct collection *collection, const struct line *line)
{
	struct kcuckoo_prefix prefixes[RANGE_PREFIXES_MAX];
	struct note note = collection->note;
	int i, count, ret = 0;

	if (line->has & LINE_VALUE) {
		note.value = line->value;
		note.valued = true;
	}
	if (line->has & LINE_TIMEOUT)
		note.timeout = line->timeout;
	if (collection->numbered)
		note.value = collection->number++;
	if (line->kind == LINE_BYTES)
		return collection_add_string(collection, line->bytes, line->size);
	if (line->kind == LINE_KEY)
		return collection_add_prefix(collection, &line->key, &note);
	count = range_split(&line->key, &line->last, prefixes);
	for (i = 0; i < count && !ret; i++)
		ret = collection_add_prefix(collection, &prefixes[i], &note);
	return ret;
}

void syntax_parse_operand(const struct syntax *syntax, const char *word,
			  struct line *line)
{
	if (syntax->kind == SYNTAX_INET)
		line_parse_key(word, syntax, line);
	else if (syntax->kind == SYNTAX_HEX)
		line_take_hex(word, strlen(word), line);
	else
		line_take_bytes(word, strlen(word), line);
}

static int read_operands(struct collection *collection, char **words, int count)
{
	struct line line;
	char buf[96];
	int i, bad = 0;

	for (i = 0; i < count; i++) {
		syntax_parse_operand(&collection->syntax, words[i], &line);
		if (line.kind == LINE_BAD) {
			error("key '%s': %s",
			      escape(words[i], strlen(words[i]), buf,
				     sizeof(buf)), line.why);
			bad++;
			continue;
		}
		collection->read++;
		collection->ranges += line.kind == LINE_RANGE;
		collection->host_bits += line.host_bits;
		collection->columns.mapped +=
			collection->syntax.kind == SYNTAX_INET && line.mapped;
		if (collection_add(collection, &line))
			return -1;
	}
	return bad ? error("nothing was changed") : 0;
}

static int take(void *context, const struct line *line,
		const struct place *place)
{
	struct collection *collection = context;

	(void)place;
	return collection_add(collection, line);
}

static int read_files(struct collection *collection, char *const *files,
		      int count, bool adds)
{
	struct input input;
	int ret;

	input_init(&input, files, count);
	input.syntax = collection->syntax;
	ret = input_run(&input, take, collection);
	if (!ret && input.bad) {
		ret = error("%llu bad %s: nothing was changed", input.bad,
			    plural(input.bad, "line", "lines"));
		if (adds)
			hint(ret, "correct them, or use 'kcuckoo load', which skips them");
	}
	collection->read += input.keys;
	collection->ranges += input.ranges;
	collection->host_bits += input.host_bits;
	collection->notes = input.notes;
	input.columns.mapped += collection->columns.mapped;
	collection->columns = input.columns;
	return ret;
}

int collection_read(const struct args *args, struct collection *collection,
		    bool adds)
{
	if (read_operands(collection, args->operands + 1,
			  args->operand_count - 1))
		return -1;
	return read_files(collection, args->files, args->file_count, adds);
}
