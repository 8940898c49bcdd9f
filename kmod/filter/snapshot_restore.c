// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check the bytes of a snapshot and create a filter from them.
 *
 * A segment (snapshot.h) is checked when all its bytes were copied from user memory.
 * kcuckoo_restore_filter() returns the filter only after the last segment was checked, so
 * until then no other process uses the filter.
 */
#include <linux/crc32.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "core/semisort.h"
#include "filter/filter_internal.h"
#include "filter/snapshot.h"

/**
 * enum kcuckoo_restore_stage - the segment that is expected next
 * @KCUCKOO_RESTORE_HEADER: header of the image, that is, of the bytes of the snapshot
 * @KCUCKOO_RESTORE_LAYER: header of a layer
 * @KCUCKOO_RESTORE_TAGS: hot plane or bitmap of a layer
 * @KCUCKOO_RESTORE_AUX: second plane of a layer
 * @KCUCKOO_RESTORE_TRAILER: trailer of the image
 * @KCUCKOO_RESTORE_DONE: no segment: the snapshot is complete
 */
enum kcuckoo_restore_stage {
	KCUCKOO_RESTORE_HEADER,
	KCUCKOO_RESTORE_LAYER,
	KCUCKOO_RESTORE_TAGS,
	KCUCKOO_RESTORE_AUX,
	KCUCKOO_RESTORE_TRAILER,
	KCUCKOO_RESTORE_DONE,
};

/**
 * struct kcuckoo_restore - a snapshot that a process writes
 * @account: account to charge
 * @total: size of the snapshot in bytes
 * @offset: number of bytes written so far
 * @sum: CRC-32, before the final inversion, of the bytes written so far, without the
 *	trailer
 * @stage: the segment that is expected next
 * @segment: memory of the expected segment
 * @length: size of the expected segment in bytes
 * @filled: number of bytes of the expected segment that were written
 * @left: number of layers that follow the present layer
 * @next: the smallest number that the next layer can have, because layers are in
 *	ascending order
 * @header: header of the image
 * @layer: header of the present layer
 * @trailer: trailer of the image
 * @filter: the filter that is restored, or NULL
 * @present: the layer whose planes are expected or were written last
 */
struct kcuckoo_restore {
	struct kcuckoo_account *account;
	u64 total;
	u64 offset;
	u32 sum;
	enum kcuckoo_restore_stage stage;
	void *segment;
	u64 length;
	u64 filled;
	u32 left;
	u32 next;
	struct kcuckoo_image_header header;
	struct kcuckoo_image_layer layer;
	struct kcuckoo_image_trailer trailer;
	struct kcuckoo_filter *filter;
	struct kcuckoo_layer *present;
};

static void kcuckoo_restore_await(struct kcuckoo_restore *restore,
				  enum kcuckoo_restore_stage stage,
				  void *segment, u64 length)
{
	restore->stage = stage;
	restore->segment = segment;
	restore->length = length;
	restore->filled = 0;
}

static void kcuckoo_restore_await_next(struct kcuckoo_restore *restore)
{
	if (restore->left--)
		kcuckoo_restore_await(restore, KCUCKOO_RESTORE_LAYER,
				      &restore->layer, sizeof(restore->layer));
	else
		kcuckoo_restore_await(restore, KCUCKOO_RESTORE_TRAILER,
				      &restore->trailer,
				      sizeof(restore->trailer));
}

static int kcuckoo_restore_config(const struct kcuckoo_image_header *header,
				  struct kcuckoo_config *config)
{
	const struct kcuckoo_config image = {
		.type = header->type,
		.traits = header->traits,
		.capacity = header->capacity,
		.fpr = header->fpr,
		.search_limit = header->search_limit,
		.timeout = header->timeout,
		.params = {
			.bucket_shift = header->bucket_shift,
			.tag_bits = header->tag_bits,
			.value_bits = header->value_bits,
			.expiry_bits = header->traits & KCUCKOO_CREATE_TIMEOUT ?
				       KCUCKOO_EXPIRY_BITS : 0,
			.exact = !header->tag_bits,
			.sorted = header->traits & KCUCKOO_CREATE_SORTED,
		},
	};

	*config = image;
	return kcuckoo_config_check(config) ? -EBADMSG : 0;
}

static int kcuckoo_restore_header_done(struct kcuckoo_restore *restore)
{
	const struct kcuckoo_image_header *header = &restore->header;
	struct kcuckoo_hash_key secret = { .strong = header->strong };
	struct kcuckoo_filter *filter;
	struct kcuckoo_config config;
	int err;

	if (header->magic != KCUCKOO_IMAGE_MAGIC ||
	    header->version != KCUCKOO_IMAGE_VERSION ||
	    header->layers > KCUCKOO_LAYERS || header->strong > 1)
		return -EBADMSG;
	err = kcuckoo_restore_config(header, &config);
	if (err)
		return err;
	memcpy(secret.seed, header->seed, sizeof(secret.seed));
	memcpy(secret.sip.key, header->sip, sizeof(secret.sip.key));
	filter = kcuckoo_filter_create(restore->account, &config, &secret,
				       false);
	memzero_explicit(&secret, sizeof(secret));
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	restore->filter = filter;
	restore->left = header->layers;
	kcuckoo_restore_await_next(restore);
	return 0;
}

static int kcuckoo_restore_layout(const struct kcuckoo_restore *restore,
				  struct kcuckoo_layout *layout)
{
	const struct kcuckoo_image_layer *layer = &restore->layer;
	u32 first = 0;
	u32 end = KCUCKOO_BYTES_LAYER;

	if (restore->filter->config.type == KCUCKOO_TYPE_BYTES) {
		first = KCUCKOO_BYTES_LAYER;
		end = KCUCKOO_LAYERS;
	}
	if (layer->index < max(first, restore->next) || layer->index >= end ||
	    layer->reserved)
		return -EBADMSG;
	if (kcuckoo_layer_is_global(layer->index) &&
	    !kcuckoo_filter_exact(restore->filter))
		return -EBADMSG;
	if (!kcuckoo_layout_make(layout, &restore->filter->config.params,
				 kcuckoo_layer_bits(layer->index),
				 layer->nbuckets, layer->doublings))
		return -EBADMSG;
	/* Allocate no more memory than the remaining bytes can fill. */
	if (restore->offset > restore->total ||
	    kcuckoo_layout_tag_words(layout) +
			    kcuckoo_layout_aux_words(layout) >
		    (restore->total - restore->offset) / sizeof(u64))
		return -EBADMSG;
	return 0;
}

static int kcuckoo_restore_layer_header_done(struct kcuckoo_restore *restore)
{
	struct kcuckoo_filter *filter = restore->filter;
	struct kcuckoo_layout layout;
	struct kcuckoo_layer *layer;
	int err;

	err = kcuckoo_restore_layout(restore, &layout);
	if (err)
		return err;
	layer = kcuckoo_layer_create(restore->account, &layout,
				     &filter->secret);
	if (IS_ERR(layer))
		return PTR_ERR(layer);
	restore->next = restore->layer.index + 1;
	restore->present = layer;
	mutex_lock(&filter->resize_mutex);
	kcuckoo_filter_lock(filter);
	kcuckoo_filter_publish(filter, restore->layer.index, layer);
	kcuckoo_filter_unlock(filter);
	mutex_unlock(&filter->resize_mutex);
	kcuckoo_restore_await(restore, KCUCKOO_RESTORE_TAGS,
			      layer->store.table.tags,
			      kcuckoo_layout_tag_words(&layout) * sizeof(u64));
	return 0;
}

/*
 * Converts the expiry of an entry from the clock of the machine that took the snapshot to
 * the clock of this machine. A member that had expired when the snapshot was taken has
 * expired after the restore, too. The only exception is a restore in the first second
 * after boot: the expired member then expires in second 1, because an expiry of 0 means
 * never. Returns false for an expiry that is later than any timeout allows.
 */
static bool kcuckoo_restore_expiry(const struct kcuckoo_restore *restore,
				   u64 place)
{
	struct kcuckoo_table *table = &restore->present->store.table;
	u32 saved = restore->header.now;
	u32 expiry = kcuckoo_table_expiry(table, place);
	u32 left;

	if (!expiry)
		return true;
	left = expiry > saved ? expiry - saved : 0;
	if (left > KCUCKOO_TIMEOUT_MAX + 1)
		return false;
	left += kcuckoo_filter_now(restore->filter);
	kcuckoo_table_set_expiry(table, place, max(left, 1U));
	return true;
}

/*
 * Returns false if the member at a place is in the wrong layer. Some lengths have a
 * separate layer for prefixes in 2000::/3 (table_set.h). A prefix in 2000::/3 of such a
 * length must not be in the layer for all other prefixes. In the separate layer no
 * member can be wrong, because this layer does not store the first three bits.
 */
static bool kcuckoo_restore_placed(const struct kcuckoo_restore *restore,
				   u64 place)
{
	const struct kcuckoo_filter *filter = restore->filter;
	const struct kcuckoo_store *store = &restore->present->store;
	unsigned int index = restore->layer.index;
	struct kcuckoo_key key;

	if (!kcuckoo_filter_exact(filter) || kcuckoo_layer_is_global(index) ||
	    kcuckoo_layer_sibling(index) == index)
		return true;
	kcuckoo_store_get(store, place, &key);
	if (!store->layout.bitmap)
		kcuckoo_key_restore(&key, &filter->secret,
				    kcuckoo_layer_bits(index));
	return kcuckoo_split_prefix(true, kcuckoo_layer_family(index),
				    kcuckoo_layer_plen(index),
				    &key.number) == index;
}

/*
 * Returns false if the entry at a place is a second entry of the same member in an
 * exact table: a delete of the member would leave one of the two entries. A table of
 * fingerprints is allowed to have equal entries: in a multiset (README.md) each add stores
 * an entry, and in an insert-only filter a second equal entry only wastes memory.
 */
static bool kcuckoo_restore_once(const struct kcuckoo_restore *restore,
				 u64 place)
{
	const struct kcuckoo_store *store = &restore->present->store;
	struct kcuckoo_probe probe = {};

	if (store->layout.bitmap || !kcuckoo_store_exact(store))
		return true;
	kcuckoo_table_probe_entry(&store->table, &store->table, place, &probe);
	return kcuckoo_table_find(&store->table, &probe) == place;
}

static bool kcuckoo_restore_bucket(const struct kcuckoo_restore *restore,
				   u64 place, u64 end)
{
	struct kcuckoo_store *store = &restore->present->store;

	if (!kcuckoo_store_valid(store, place, end))
		return false;
	for (; place < end; place++) {
		if (!kcuckoo_store_used(store, place))
			continue;
		store->table.entries++;
		store->table.expiring += !!kcuckoo_table_expiry(&store->table,
								place);
		if (!kcuckoo_restore_placed(restore, place) ||
		    !kcuckoo_restore_once(restore, place) ||
		    !kcuckoo_restore_expiry(restore, place))
			return false;
	}
	return true;
}

static int kcuckoo_restore_layer_done(struct kcuckoo_restore *restore)
{
	struct kcuckoo_filter *filter = restore->filter;
	struct kcuckoo_store *store = &restore->present->store;
	unsigned int family = kcuckoo_layer_family(restore->layer.index);
	u64 places = kcuckoo_store_places(store);
	u64 place = 0;
	u64 end;

	while (place < places) {
		end = kcuckoo_store_next_bucket(store, place);
		if (!kcuckoo_restore_bucket(restore, place, end))
			return -EBADMSG;
		place = end;
		cond_resched();
		if (fatal_signal_pending(current))
			return -EINTR;
	}
	if (store->table.entries != restore->layer.entries)
		return -EBADMSG;
	filter->members[kcuckoo_family_number(family)] += store->table.entries;
	kcuckoo_restore_await_next(restore);
	return 0;
}

static int kcuckoo_restore_tags_done(struct kcuckoo_restore *restore)
{
	struct kcuckoo_store *store = &restore->present->store;
	u64 words = kcuckoo_layout_aux_words(&store->layout);

	if (!words)
		return kcuckoo_restore_layer_done(restore);
	kcuckoo_restore_await(restore, KCUCKOO_RESTORE_AUX, store->table.aux,
			      words * sizeof(u64));
	return 0;
}

static int kcuckoo_restore_trailer_done(struct kcuckoo_restore *restore)
{
	struct kcuckoo_filter *filter = restore->filter;
	const u64 *members = restore->header.members;

	if (restore->trailer.checksum != (u32)~restore->sum ||
	    restore->trailer.reserved || restore->offset != restore->total ||
	    memcmp(members, filter->members, sizeof(filter->members)))
		return -EBADMSG;
	if (kcuckoo_filter_exact(filter) &&
	    members[0] + members[1] > filter->config.capacity)
		return -EBADMSG;
	if (filter->config.type == KCUCKOO_TYPE_BYTES &&
	    restore->next != KCUCKOO_LAYERS)
		return -EBADMSG;
	kcuckoo_restore_await(restore, KCUCKOO_RESTORE_DONE, NULL, 0);
	return 0;
}

static int kcuckoo_restore_step(struct kcuckoo_restore *restore)
{
	switch (restore->stage) {
	case KCUCKOO_RESTORE_HEADER:
		return kcuckoo_restore_header_done(restore);
	case KCUCKOO_RESTORE_LAYER:
		return kcuckoo_restore_layer_header_done(restore);
	case KCUCKOO_RESTORE_TAGS:
		return kcuckoo_restore_tags_done(restore);
	case KCUCKOO_RESTORE_AUX:
		return kcuckoo_restore_layer_done(restore);
	case KCUCKOO_RESTORE_TRAILER:
		return kcuckoo_restore_trailer_done(restore);
	default:
		return -EBADMSG;
	}
}

/**
 * kcuckoo_restore_begin() - begin to restore a filter from a snapshot
 * @account: account to charge
 * @total: size of the snapshot in bytes
 *
 * Context: process context, may sleep.
 * Return: the restore, which the caller ends with kcuckoo_restore_end(), or
 * ERR_PTR(-ENOMEM).
 */
struct kcuckoo_restore *kcuckoo_restore_begin(struct kcuckoo_account *account,
					      u64 total)
{
	struct kcuckoo_restore *restore;

	restore = kzalloc(sizeof(*restore), GFP_KERNEL_ACCOUNT);
	if (!restore)
		return ERR_PTR(-ENOMEM);
	restore->account = account;
	restore->total = total;
	restore->sum = ~0U;
	kcuckoo_restore_await(restore, KCUCKOO_RESTORE_HEADER, &restore->header,
			      sizeof(restore->header));
	return restore;
}

/**
 * kcuckoo_restore_offset() - get the number of bytes written so far
 * @restore: the restore
 *
 * Return: the number of bytes that were passed to kcuckoo_restore_fill().
 */
u64 kcuckoo_restore_offset(const struct kcuckoo_restore *restore)
{
	return restore->offset;
}

/**
 * kcuckoo_restore_total() - get the size of the snapshot
 * @restore: the restore
 *
 * Return: the size in bytes that was passed to kcuckoo_restore_begin().
 */
u64 kcuckoo_restore_total(const struct kcuckoo_restore *restore)
{
	return restore->total;
}

/**
 * kcuckoo_restore_segment() - get the memory to which the next bytes must be copied
 * @restore: the restore
 * @length: out: maximum number of bytes to copy
 *
 * Return: address of the memory, or NULL if no more bytes are expected.
 */
void *kcuckoo_restore_segment(struct kcuckoo_restore *restore, u64 *length)
{
	*length = restore->length - restore->filled;
	return *length ? restore->segment + restore->filled : NULL;
}

/**
 * kcuckoo_restore_fill() - add bytes to the checksum, and check the segment if it is
 *	complete
 * @restore: the restore
 * @length: number of bytes that the caller has copied to the memory that
 *	kcuckoo_restore_segment() returned
 *
 * Context: process context, may sleep.
 * Return: 0; -EBADMSG if the bytes are not valid; -EDQUOT, -ENOMEM, or -EINTR on a fatal
 * signal. After an error the restore cannot continue.
 */
int kcuckoo_restore_fill(struct kcuckoo_restore *restore, u64 length)
{
	void *memory = restore->segment + restore->filled;

	if (restore->stage != KCUCKOO_RESTORE_TRAILER)
		restore->sum = crc32_le(restore->sum, memory, length);
	restore->filled += length;
	restore->offset += length;
	return restore->filled < restore->length ?
	       0 : kcuckoo_restore_step(restore);
}

/**
 * kcuckoo_restore_filter() - get the filter that was restored
 * @restore: the restore
 *
 * Context: process context, may sleep.
 * Return: the filter with one reference, which passes to the caller; NULL if the snapshot
 * is not complete.
 */
struct kcuckoo_filter *kcuckoo_restore_filter(struct kcuckoo_restore *restore)
{
	struct kcuckoo_filter *filter = restore->filter;

	if (restore->stage != KCUCKOO_RESTORE_DONE)
		return NULL;
	restore->filter = NULL;
	mutex_lock(&filter->resize_mutex);
	kcuckoo_filter_index_refresh_all(filter);
	mutex_unlock(&filter->resize_mutex);
	kcuckoo_filter_collect_at(filter, 0);
	return filter;
}

/**
 * kcuckoo_restore_end() - end a restore, and free its filter, unless
 *	kcuckoo_restore_filter() has returned the filter
 * @restore: the restore, or NULL
 *
 * Context: process context, may sleep.
 */
void kcuckoo_restore_end(struct kcuckoo_restore *restore)
{
	if (!restore)
		return;
	if (restore->filter)
		kcuckoo_filter_put(restore->filter);
	kfree_sensitive(restore);
}
