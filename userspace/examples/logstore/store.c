// SPDX-License-Identifier: GPL-2.0-only
/*
 * A store is a log with its filter: these functions add, find and delete lines.
 */
#include <stdlib.h>
#include <string.h>

#include "../message.h"
#include "store.h"

struct store *store_open(const char *path, bool change)
{
	struct store *store = calloc(1, sizeof(*store));

	if (!store) {
		error("not enough memory");
		return NULL;
	}
	if (key_init() || log_open(&store->log, path, change)) {
		free(store);
		return NULL;
	}
	if (index_open(&store->index, &store->log)) {
		log_close(&store->log);
		free(store);
		return NULL;
	}
	return store;
}

/*
 * Write the log to the disk before the marks of the filter, because the marks must
 * not describe records that a crash can lose.
 */
int store_close(struct store *store)
{
	int ret = 0;

	if (store->index.marked.end != store->log.end.end)
		ret = log_sync(&store->log);
	if (!ret)
		ret = index_mark(&store->index);
	index_close(&store->index);
	log_close(&store->log);
	free(store);
	return ret;
}

/*
 * Write the records with the key @store->keys[@i] to @matches. The filter also returned
 * records that share only the fingerprint of the key.
 */
static void verify(struct store *store, size_t i, struct matches *matches)
{
	const struct found *found = &store->found;
	const struct record *record;
	int j;

	matches->count = 0;
	for (j = 0; j < found->count[i]; j++) {
		record = log_record(&store->log, found->unit[i][j]);
		store->read++;
		if (record && !memcmp(record->key, store->keys[i], KEY_SIZE))
			matches->record[matches->count++] = record;
		else
			store->twins++;
	}
}

int store_find(struct store *store, const uint8_t key[KEY_SIZE],
	       struct matches *matches)
{
	memcpy(store->keys[0], key, KEY_SIZE);
	if (index_find(&store->index, store->keys[0], 1, &store->found))
		return -1;
	verify(store, 0, matches);
	return 0;
}

void store_narrow(const struct store *store, struct matches *matches,
		  const void *line, size_t length)
{
	unsigned int i, count = 0;

	for (i = 0; i < matches->count; i++) {
		const struct record *record = matches->record[i];
		const void *stored = log_line(&store->log, record);

		if (stored && record->length == length &&
		    !memcmp(stored, line, length))
			matches->record[count++] = record;
	}
	matches->count = count;
}

enum state store_state(const struct matches *matches)
{
	unsigned int i;

	for (i = 0; i < matches->count; i++)
		if (matches->record[i]->kind != RECORD_TOMBSTONE)
			return STATE_PRESENT;
	return matches->count ? STATE_DELETED : STATE_ABSENT;
}

const void *store_line(struct store *store, const struct record *record)
{
	const void *line = log_line(&store->log, record);
	uint8_t key[KEY_SIZE];
	char text[KEY_TEXT];

	if (line && key_of(line, record->length, key))
		return NULL;
	if (line && !memcmp(key, record->key, KEY_SIZE))
		return line;
	error("%s: the line with the key %s is damaged", store->log.path,
	      key_format(record->key, text));
	return NULL;
}

/* If the filter cannot be changed, remove the record from the log again. */
static int append(struct store *store, struct record *record, const void *line)
{
	const struct log_end before = store->log.end;

	if (log_append(&store->log, record, line))
		return -1;
	if (!index_update(&store->index))
		return 0;
	log_cut(&store->log, &before);
	return -1;
}

static uint32_t unit_of(const struct store *store, const struct record *record)
{
	return ((const uint8_t *)record - store->log.map) / LOG_UNIT;
}

const struct record *store_put(struct store *store, const void *line,
			       size_t length, int flags, uint8_t key[KEY_SIZE])
{
	struct record record = {
		.kind = RECORD_LINE,
		.flags = flags,
		.length = length,
		.count = 1,
	};
	const struct record *newest;
	struct matches matches;

	if (length > LOG_LINE_MAX) {
		error("a line has at most 1 GiB");
		return NULL;
	}
	if (key_of(line, length, key) || store_find(store, key, &matches))
		return NULL;
	memcpy(record.key, key, KEY_SIZE);
	store_narrow(store, &matches, line, length);
	if (matches.count) {
		newest = matches.record[0];
		record.kind = RECORD_REPEAT;
		record.previous = unit_of(store, newest);
		record.body = newest->body;
		record.count = newest->count + 1;
		record.since = newest->since;
	}
	if (append(store, &record, line))
		return NULL;
	return log_record(&store->log, store->log.end.last);
}

int store_delete(struct store *store, const struct record *newest)
{
	struct record record = *newest;

	record.kind = RECORD_TOMBSTONE;
	record.flags = 0;
	record.previous = unit_of(store, newest);
	record.count = 0;
	record.since = store->log.end.end;
	return append(store, &record, NULL);
}

bool store_line_exists(const struct store *store, const struct record *record,
		       const struct record *newest)
{
	return record->kind != RECORD_TOMBSTONE &&
	       unit_of(store, record) > newest->since;
}

/* Call @visit for @count records whose keys are in @store->keys. */
static int visit_batch(struct store *store, const struct record **records,
		       size_t count, store_visit visit, void *data)
{
	struct matches matches;
	unsigned int j;
	size_t i;
	int ret = 0;

	if (index_find(&store->index, store->keys[0], count, &store->found))
		return -1;
	for (i = 0; i < count && !ret; i++) {
		verify(store, i, &matches);
		for (j = 0; j < matches.count; j++)
			if (matches.record[j]->body == records[i]->body)
				break;
		if (j == matches.count)
			return error("the filter '%s' lacks a line: destroy it to have it rebuilt",
				     store->index.name);
		ret = visit(store, records[i], matches.record[j], data);
	}
	return ret;
}

int store_walk(struct store *store, store_visit visit, void *data)
{
	const struct record *records[INDEX_BATCH];
	uint32_t unit;
	size_t i = 0;
	int ret = 0;

	for (unit = log_first(&store->log); unit && !ret;
	     unit = log_next(&store->log, unit)) {
		records[i] = log_record(&store->log, unit);
		if (!records[i])
			return log_damaged(&store->log, unit);
		memcpy(store->keys[i], records[i]->key, KEY_SIZE);
		if (++i == INDEX_BATCH) {
			ret = visit_batch(store, records, i, visit, data);
			i = 0;
		}
	}
	return ret ? ret : visit_batch(store, records, i, visit, data);
}
