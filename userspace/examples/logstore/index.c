// SPDX-License-Identifier: GPL-2.0-only
/*
 * An index is the filter in the kernel that finds the lines of a log.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../message.h"
#include "index.h"

/*
 * The marks: two entries of the filter that show whether the filter matches the log.
 * Their keys are shorter than a SHA-1, so no line has such a key.
 */
enum mark {
	MARK_LAST,	/* entry whose value is the unit of the last record */
	MARK_CHECK,	/* entry whose value is the checksum of the last record */
	MARKS
};

static const char mark_keys[MARKS][4] = { "last", "sum." };
static const uint16_t mark_lengths[MARKS] = { 4, 4 };

/*
 * Maximum number of attempts to build a filter. Each attempt after the first
 * uses twice the capacity of the previous one.
 */
#define BUILDS		4

/* Minimum ratio of the capacity of a new filter to the number of its keys. */
#define HEADROOM	2

static int filter_error(const struct index *index, const char *what, int ret)
{
	return error("cannot %s the filter '%s': %s", what, index->name,
		     kcuckoo_strerror(ret));
}

/*
 * @new: add the marks to the staged filter, a new filter without a name; otherwise change
 * the marks of the filter @name.
 */
static int write_marks(struct index *index, const char *name, bool new)
{
	const struct log_end *old = &index->marked, *now = &index->log->end;
	const uint32_t old_values[MARKS] = { old->last, old->check };
	const uint32_t values[MARKS] = { now->last, now->check };
	const struct kcuckoo_batch batch = {
		.bytes = mark_keys,
		.lengths = mark_lengths,
		.count = MARKS,
		.values = values,
		.old_values = old_values,
	};
	struct kcuckoo_counts sum;
	int ret;

	if (new)
		ret = kcuckoo_add(index->handle, NULL, 0, &batch, &sum);
	else
		ret = kcuckoo_update(index->handle, name, &batch, &sum);
	if (!ret && (sum.refused || sum.absent))
		ret = new ? -ENOSPC : -ENOENT;
	return ret;
}

int index_mark(struct index *index)
{
	int ret;

	if (!memcmp(&index->marked, &index->log->end, sizeof(index->marked)))
		return 0;
	ret = write_marks(index, index->name, false);
	if (ret)
		return filter_error(index, "mark", ret);
	index->marked = index->log->end;
	return 0;
}

/*
 * A look-up of a mark returns more than one value if another key has the same fingerprint.
 * Return: 1 if the filter matches the log; 0 if not; or -errno.
 */
static int is_current(struct index *index)
{
	uint32_t values[MARKS][INDEX_VALUES];
	uint8_t counts[MARKS];
	const struct kcuckoo_batch batch = {
		.bytes = mark_keys,
		.lengths = mark_lengths,
		.count = MARKS,
		.max_values = INDEX_VALUES,
		.found = values[0],
		.found_counts = counts,
	};
	int i, j, ret;

	ret = kcuckoo_test(index->handle, index->name, 0, &batch, NULL);
	if (ret)
		return ret;
	for (i = 0; i < counts[MARK_LAST]; i++)
		for (j = 0; j < counts[MARK_CHECK]; j++)
			if (log_trust(index->log, values[MARK_LAST][i]) &&
			    index->log->end.check == values[MARK_CHECK][j])
				return 1;
	return 0;
}

/*
 * A record is outdated if a newer record of its line exists. Set @count to the number of
 * distinct lines. Return: an array with one bit for each unit of the log, which is set for
 * an outdated record; or NULL if memory is short.
 */
static uint8_t *find_outdated(const struct log *log, uint64_t *count)
{
	uint8_t *outdated = calloc(1, log->end.end / 8 + 1);
	uint32_t unit, previous;

	*count = 0;
	for (unit = log_first(log); outdated && unit;
	     unit = log_next(log, unit)) {
		previous = log_record(log, unit)->previous;
		if (previous)
			outdated[previous / 8] |= 1 << previous % 8;
		else
			(*count)++;
	}
	return outdated;
}

/**
 * struct load - records that are added to a staged filter in one call
 * @keys: keys of the records
 * @lengths: lengths of the keys
 * @units: units of the records
 * @count: number of records
 */
struct load {
	uint8_t keys[INDEX_BATCH][KEY_SIZE];
	uint16_t lengths[INDEX_BATCH];
	uint32_t units[INDEX_BATCH];
	size_t count;
};

static int load_flush(struct index *index, struct load *load)
{
	const struct kcuckoo_batch batch = {
		.bytes = load->keys,
		.lengths = load->lengths,
		.count = load->count,
		.values = load->units,
	};
	struct kcuckoo_counts sum;
	int ret;

	load->count = 0;
	ret = kcuckoo_add(index->handle, NULL, 0, &batch, &sum);
	return !ret && sum.refused ? -ENOSPC : ret;
}

static int fill(struct index *index, const uint8_t *outdated)
{
	const struct log *log = index->log;
	struct load *load;
	uint32_t unit;
	int ret;

	load = calloc(1, sizeof(*load));
	if (!load)
		return -ENOMEM;
	ret = write_marks(index, NULL, true);
	for (unit = log_first(log); !ret && unit; unit = log_next(log, unit)) {
		if (outdated[unit / 8] >> unit % 8 & 1)
			continue;
		memcpy(load->keys[load->count], log_record(log, unit)->key,
		       KEY_SIZE);
		load->lengths[load->count] = KEY_SIZE;
		load->units[load->count] = unit;
		if (++load->count == INDEX_BATCH)
			ret = load_flush(index, load);
	}
	if (!ret)
		ret = load_flush(index, load);
	free(load);
	return ret;
}

static int take_place(struct index *index)
{
	int ret = kcuckoo_replace_staged(index->handle, index->name, NULL);

	if (ret == -ENOENT)
		ret = kcuckoo_publish(index->handle, index->name, 0);
	return ret;
}

/*
 * Build a staged filter, and give it the name of the index. Its hash has a new secret, so
 * keys that shared a fingerprint in the previous filter are unlikely to share one again.
 */
static int build_once(struct index *index, const uint8_t *outdated,
		      uint64_t capacity)
{
	struct kcuckoo_ioc_create options = {
		.size = sizeof(options),
		.type = KCUCKOO_TYPE_BYTES,
		/* Attackers can choose the lines, and so the keys: siphash resists this. */
		.hash = KCUCKOO_HASH_SIPHASH,
		.bucket_size = INDEX_VALUES / 2,
		.tag_bits = log_head(index->log)->bits,
		.value_bits = 32,
		.capacity = capacity,
	};
	int ret = kcuckoo_create_staged(index->handle, &options);

	if (ret)
		return ret;
	ret = fill(index, outdated);
	if (!ret)
		ret = take_place(index);
	if (ret)
		kcuckoo_destroy(index->handle, NULL);
	return ret;
}

/* The caller holds the exclusive lock of the log. */
static int build(struct index *index)
{
	uint64_t count, capacity = log_head(index->log)->capacity;
	uint8_t *outdated;
	int i, ret = -ENOMEM;

	/* find_outdated() and fill() use the records without a check. */
	if (log_scan(index->log))
		return -1;
	outdated = find_outdated(index->log, &count);
	if (count * HEADROOM > capacity)
		capacity = count * HEADROOM;
	for (i = 0; outdated && i < BUILDS; i++) {
		ret = build_once(index, outdated, capacity << i);
		if (ret != -ENOSPC)
			break;
	}
	free(outdated);
	if (ret == -ENOSPC)
		return error("more than %d different lines have one key",
			     INDEX_VALUES);
	if (ret)
		return filter_error(index, "build", ret);
	index->marked = index->log->end;
	return 0;
}

/* Lock the log first, so that only one process builds the filter. */
static int renew(struct index *index)
{
	if (log_lock(index->log))
		return -1;
	if (is_current(index) == 1)
		return 0;
	return build(index);
}

int index_open(struct index *index, struct log *log)
{
	const uint8_t *identity = log_head(log)->identity;
	int at, i, ret;

	memset(index, 0, sizeof(*index));
	index->log = log;
	at = sprintf(index->name, "logstore.");
	for (i = 0; i < 8; i++)
		at += sprintf(index->name + at, "%02x", identity[i]);

	ret = kcuckoo_open(&index->handle, NULL);
	if (ret)
		return device_error(ret);
	ret = is_current(index);
	if (ret < 0 && ret != -ENOENT)
		ret = filter_error(index, "read", ret);
	else if (ret != 1)
		ret = renew(index);
	if (ret < 0) {
		kcuckoo_close(index->handle);
		return -1;
	}
	index->marked = log->end;
	return 0;
}

void index_close(struct index *index)
{
	kcuckoo_close(index->handle);
}

int index_find(struct index *index, const uint8_t *keys, size_t count,
	       struct found *found)
{
	uint16_t lengths[INDEX_BATCH];
	const struct kcuckoo_batch batch = {
		.bytes = keys,
		.lengths = lengths,
		.count = count,
		.max_values = INDEX_VALUES,
		.found = found->unit[0],
		.found_counts = found->count,
	};
	size_t i;
	int ret;

	for (i = 0; i < count; i++)
		lengths[i] = KEY_SIZE;
	ret = kcuckoo_test(index->handle, index->name, 0, &batch, NULL);
	return ret ? filter_error(index, "read", ret) : 0;
}

int index_update(struct index *index)
{
	const struct log *log = index->log;
	const struct record *record = log_record(log, log->end.last);
	const uint16_t length = KEY_SIZE;
	const struct kcuckoo_batch batch = {
		.bytes = record->key,
		.lengths = &length,
		.count = 1,
		.values = &log->end.last,
		.old_values = &record->previous,
	};
	struct kcuckoo_counts sum;
	int ret;

	if (record->previous) {
		ret = kcuckoo_update(index->handle, index->name, &batch, &sum);
		if (!ret && !sum.updated)
			ret = -ENOENT;
	} else {
		ret = kcuckoo_add(index->handle, index->name, 0, &batch, &sum);
		if (ret == -ENOSPC || (!ret && sum.refused))
			return build(index);
	}
	return ret ? filter_error(index, "change", ret) : 0;
}

int index_info(struct index *index, struct kcuckoo_ioc_info *info)
{
	int ret = kcuckoo_info(index->handle, index->name, info);

	return ret ? filter_error(index, "read", ret) : 0;
}
