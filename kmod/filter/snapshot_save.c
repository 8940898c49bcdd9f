// SPDX-License-Identifier: GPL-2.0-only
/*
 * Save snapshots: write a filter as a sequence of bytes.
 *
 * A snapshot has copies of the layers (merge.h), which do not change any more. So a call
 * that reads the snapshot takes no lock of the filter.
 */
#include <linux/crc32.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "filter/filter_internal.h"
#include "filter/snapshot.h"

/* Maximum number of segments: header, trailer, and three segments for each layer. */
#define KCUCKOO_SAVE_SEGMENTS	(3 * KCUCKOO_LAYERS + 2)

/* Number of bytes that are added to the checksum between two calls of cond_resched(). */
#define KCUCKOO_SAVE_STRIDE	SZ_64K

/**
 * struct kcuckoo_save_segment - bytes of a snapshot that are contiguous in memory
 * @memory: address of the bytes
 * @length: number of bytes
 */
struct kcuckoo_save_segment {
	const void *memory;
	u64 length;
};

/**
 * struct kcuckoo_save - a snapshot that a process reads
 * @clone: copies of the layers of the filter
 * @header: header of the snapshot
 * @layer: headers of the layers
 * @trailer: trailer of the snapshot
 * @count: number of segments
 * @total: size of all segments, in bytes
 * @segment: the segments
 */
struct kcuckoo_save {
	struct kcuckoo_clone *clone;
	struct kcuckoo_image_header header;
	struct kcuckoo_image_layer layer[KCUCKOO_LAYERS];
	struct kcuckoo_image_trailer trailer;
	unsigned int count;
	u64 total;
	struct kcuckoo_save_segment segment[KCUCKOO_SAVE_SEGMENTS];
};

static void kcuckoo_save_add(struct kcuckoo_save *save, const void *memory,
			     u64 length)
{
	if (!length)
		return;
	save->segment[save->count].memory = memory;
	save->segment[save->count++].length = length;
	save->total += length;
}

/* kcuckoo_save_layer() counts the layers in @layers of the header. */
static void kcuckoo_save_config(struct kcuckoo_save *save,
				const struct kcuckoo_filter *filter)
{
	const struct kcuckoo_config *config = &filter->config;
	struct kcuckoo_image_header *header = &save->header;

	header->magic = KCUCKOO_IMAGE_MAGIC;
	header->version = KCUCKOO_IMAGE_VERSION;
	header->type = config->type;
	header->bucket_shift = config->params.bucket_shift;
	header->tag_bits = config->params.tag_bits;
	header->value_bits = config->params.value_bits;
	header->traits = config->traits;
	header->capacity = config->capacity;
	header->fpr = config->fpr;
	header->search_limit = config->search_limit;
	header->timeout = config->timeout;
	header->now = kcuckoo_filter_now(filter);
	memcpy(header->members, save->clone->members, sizeof(header->members));
	memcpy(header->seed, filter->secret.seed, sizeof(header->seed));
	header->strong = filter->secret.strong;
	memcpy(header->sip, filter->secret.sip.key, sizeof(header->sip));
	kcuckoo_save_add(save, header, sizeof(*header));
}

static void kcuckoo_save_layer(struct kcuckoo_save *save, unsigned int index)
{
	struct kcuckoo_layer *layer = save->clone->copy[index].layer;
	struct kcuckoo_image_layer *header = &save->layer[index];
	const struct kcuckoo_layout *layout;

	if (!layer)
		return;
	layout = &layer->store.layout;
	header->index = index;
	header->nbuckets = layout->bitmap ? 0 : layout->params.nbuckets;
	header->doublings = layout->params.doublings;
	header->entries = layer->store.table.entries;
	save->header.layers++;
	kcuckoo_save_add(save, header, sizeof(*header));
	kcuckoo_save_add(save, layer->store.table.tags,
			 kcuckoo_layout_tag_words(layout) * sizeof(u64));
	kcuckoo_save_add(save, layer->store.table.aux,
			 kcuckoo_layout_aux_words(layout) * sizeof(u64));
}

static bool kcuckoo_save_sum(struct kcuckoo_save *save)
{
	u32 sum = ~0U;
	unsigned int i;

	for (i = 0; i < save->count; i++) {
		const u8 *memory = save->segment[i].memory;
		u64 left = save->segment[i].length;

		while (left) {
			u64 length = min_t(u64, left, KCUCKOO_SAVE_STRIDE);

			sum = crc32_le(sum, memory, length);
			memory += length;
			left -= length;
			cond_resched();
			if (fatal_signal_pending(current))
				return false;
		}
	}
	save->trailer.checksum = ~sum;
	kcuckoo_save_add(save, &save->trailer, sizeof(save->trailer));
	return true;
}

/**
 * kcuckoo_save_begin() - take a snapshot
 * @filter: the filter
 *
 * Context: process context, may sleep.
 * Return: the snapshot, which the caller frees with kcuckoo_save_end(), or
 * ERR_PTR(-EDQUOT), ERR_PTR(-ENOMEM) or ERR_PTR(-EINTR).
 */
struct kcuckoo_save *kcuckoo_save_begin(struct kcuckoo_filter *filter)
{
	struct kcuckoo_clone *clone;
	struct kcuckoo_save *save;
	unsigned int i;

	save = kvzalloc(sizeof(*save), GFP_KERNEL_ACCOUNT);
	if (!save)
		return ERR_PTR(-ENOMEM);
	clone = kcuckoo_clone_create(filter);
	if (IS_ERR(clone)) {
		kvfree(save);
		return ERR_CAST(clone);
	}
	save->clone = clone;
	kcuckoo_save_config(save, filter);
	for (i = 0; i < KCUCKOO_LAYERS; i++)
		kcuckoo_save_layer(save, i);
	if (!kcuckoo_save_sum(save)) {
		kcuckoo_save_end(save);
		return ERR_PTR(-EINTR);
	}
	return save;
}

/**
 * kcuckoo_save_total() - get the size of a snapshot
 * @save: the snapshot
 *
 * Return: the number of bytes of the snapshot.
 */
u64 kcuckoo_save_total(const struct kcuckoo_save *save)
{
	return save->total;
}

/**
 * kcuckoo_save_segment() - find the memory of the bytes at an offset of a snapshot
 * @save: the snapshot
 * @offset: offset of the first byte
 * @length: out: number of bytes from @offset to the end of the segment
 *
 * Return: address of the bytes, or NULL if @offset is the size of the snapshot.
 */
const void *kcuckoo_save_segment(const struct kcuckoo_save *save, u64 offset,
				 u64 *length)
{
	unsigned int i;

	for (i = 0; i < save->count; i++) {
		const struct kcuckoo_save_segment *segment = &save->segment[i];

		if (offset < segment->length) {
			*length = segment->length - offset;
			return segment->memory + offset;
		}
		offset -= segment->length;
	}
	return NULL;
}

/**
 * kcuckoo_save_end() - free a snapshot
 * @save: the snapshot, or NULL
 *
 * Context: process context, may sleep.
 */
void kcuckoo_save_end(struct kcuckoo_save *save)
{
	if (!save)
		return;
	kcuckoo_clone_free(save->clone);
	memzero_explicit(&save->header, sizeof(save->header));
	kvfree(save);
}
