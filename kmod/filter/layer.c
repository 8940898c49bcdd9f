// SPDX-License-Identifier: GPL-2.0-only
/*
 * Layers, length indexes and generations: making and freeing them.
 */
#include <linux/err.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "filter/layer.h"
#include "filter/reclaim.h"

/* Size of the block that begins with the hot plane, or the bitmap, in bytes. */
static u64 kcuckoo_layer_tag_bytes(const struct kcuckoo_layout *layout)
{
	u64 words = kcuckoo_layout_tag_words(layout);

	if (kcuckoo_layout_single_alloc(layout))
		words += kcuckoo_layout_aux_words(layout);
	return words * sizeof(u64);
}

/* Size of the second plane's own block, in bytes; often 0. */
static u64 kcuckoo_layer_aux_bytes(const struct kcuckoo_layout *layout)
{
	if (kcuckoo_layout_single_alloc(layout))
		return 0;
	return kcuckoo_layout_aux_words(layout) * sizeof(u64);
}

/**
 * kcuckoo_layer_create() - make an empty layer
 * @account: what to charge
 * @layout: layout of its store
 * @secret: secret of the filter
 *
 * Context: process context, may sleep.
 * Return: the layer, or ERR_PTR(-EDQUOT) beyond the limit, or
 * ERR_PTR(-ENOMEM).
 */
struct kcuckoo_layer *
kcuckoo_layer_create(struct kcuckoo_account *account,
		     const struct kcuckoo_layout *layout,
		     const struct kcuckoo_hash_key *secret)
{
	struct kcuckoo_layer *layer;
	u64 *aux = NULL;
	u64 *tags;
	int err;

	layer = kcuckoo_account_alloc(account, sizeof(*layer));
	if (IS_ERR(layer))
		return layer;
	tags = kcuckoo_account_alloc(account, kcuckoo_layer_tag_bytes(layout));
	if (IS_ERR(tags)) {
		err = PTR_ERR(tags);
		goto err_layer;
	}
	if (kcuckoo_layer_aux_bytes(layout)) {
		aux = kcuckoo_account_alloc(account,
					    kcuckoo_layer_aux_bytes(layout));
		if (IS_ERR(aux)) {
			err = PTR_ERR(aux);
			goto err_tags;
		}
	} else if (kcuckoo_layout_aux_words(layout)) {
		aux = tags + kcuckoo_layout_tag_words(layout);
	}
	kcuckoo_store_init(&layer->store, layout, tags, aux, secret);
	layer->account = account;
	return layer;

err_tags:
	kcuckoo_account_free(account, tags, kcuckoo_layer_tag_bytes(layout));
err_layer:
	kcuckoo_account_free(account, layer, sizeof(*layer));
	return ERR_PTR(err);
}

/**
 * kcuckoo_layer_free() - free a layer that no reader can see
 * @layer: the layer
 *
 * Context: process context, may sleep.
 */
void kcuckoo_layer_free(struct kcuckoo_layer *layer)
{
	const struct kcuckoo_layout *layout = &layer->store.layout;
	struct kcuckoo_table *table = &layer->store.table;
	struct kcuckoo_account *account = layer->account;

	if (kcuckoo_layer_aux_bytes(layout))
		kcuckoo_account_free(account, table->aux,
				     kcuckoo_layer_aux_bytes(layout));
	kcuckoo_account_free(account, table->tags,
			     kcuckoo_layer_tag_bytes(layout));
	memzero_explicit(&table->alternate, sizeof(table->alternate));
	kcuckoo_account_free(account, layer, sizeof(*layer));
}

static void kcuckoo_layer_release(struct work_struct *work)
{
	kcuckoo_layer_free(container_of(to_rcu_work(work),
					struct kcuckoo_layer, free));
}

/**
 * kcuckoo_layer_retire() - free a layer once no reader can see it
 * @layer: a layer that has been taken out of its generation
 */
void kcuckoo_layer_retire(struct kcuckoo_layer *layer)
{
	kcuckoo_reclaim(&layer->free, kcuckoo_layer_release);
}

/**
 * kcuckoo_layer_bytes() - memory of a layer
 * @layer: the layer
 *
 * Return: bytes, as charged.
 */
u64 kcuckoo_layer_bytes(const struct kcuckoo_layer *layer)
{
	const struct kcuckoo_layout *layout = &layer->store.layout;
	u64 bytes = kcuckoo_account_size(sizeof(*layer)) +
		    kcuckoo_account_size(kcuckoo_layer_tag_bytes(layout));

	if (kcuckoo_layer_aux_bytes(layout))
		bytes += kcuckoo_account_size(kcuckoo_layer_aux_bytes(layout));
	return bytes;
}

/**
 * kcuckoo_index_create() - make an empty length index
 * @account: what to charge
 * @params: its size
 * @secret: secret of the filter
 *
 * Context: process context, may sleep.
 * Return: the index, or ERR_PTR(-EDQUOT) beyond the limit, or
 * ERR_PTR(-ENOMEM).
 */
struct kcuckoo_index *
kcuckoo_index_create(struct kcuckoo_account *account,
		     const struct kcuckoo_index_params *params,
		     const struct kcuckoo_hash_key *secret)
{
	struct kcuckoo_index *index;
	void *cells;

	index = kcuckoo_account_alloc(account, sizeof(*index));
	if (IS_ERR(index))
		return index;
	cells = kcuckoo_account_alloc(account,
				      kcuckoo_length_index_bytes(params));
	if (IS_ERR(cells)) {
		kcuckoo_account_free(account, index, sizeof(*index));
		return ERR_CAST(cells);
	}
	kcuckoo_length_index_init(&index->core, params, cells, secret);
	index->account = account;
	return index;
}

/**
 * kcuckoo_index_free() - free a length index that no reader can see
 * @index: the index, or NULL
 *
 * Context: process context, may sleep.
 */
void kcuckoo_index_free(struct kcuckoo_index *index)
{
	struct kcuckoo_account *account;

	if (!index)
		return;
	account = index->account;
	kcuckoo_account_free(account, index->core.cells[0],
			     kcuckoo_length_index_bytes(&index->core.params));
	memzero_explicit(&index->core.mulhash, sizeof(index->core.mulhash));
	kcuckoo_account_free(account, index, sizeof(*index));
}

static void kcuckoo_index_release(struct work_struct *work)
{
	kcuckoo_index_free(container_of(to_rcu_work(work),
					struct kcuckoo_index, free));
}

/**
 * kcuckoo_index_retire() - free a length index once no reader can see it
 * @index: an index that has been taken out of its generation, or NULL
 */
void kcuckoo_index_retire(struct kcuckoo_index *index)
{
	if (index)
		kcuckoo_reclaim(&index->free, kcuckoo_index_release);
}

/**
 * kcuckoo_index_bytes() - memory of a length index
 * @index: the index
 *
 * Return: bytes, as charged.
 */
u64 kcuckoo_index_bytes(const struct kcuckoo_index *index)
{
	u64 bytes = kcuckoo_length_index_bytes(&index->core.params);

	return kcuckoo_account_size(sizeof(*index)) +
	       kcuckoo_account_size(bytes);
}

/**
 * kcuckoo_generation_create() - make a generation without layers
 * @account: what to charge
 *
 * Context: process context, may sleep.
 * Return: the generation, or ERR_PTR(-EDQUOT) beyond the limit, or
 * ERR_PTR(-ENOMEM).
 */
struct kcuckoo_generation *
kcuckoo_generation_create(struct kcuckoo_account *account)
{
	struct kcuckoo_generation *generation;

	generation = kcuckoo_account_alloc(account, sizeof(*generation));
	if (!IS_ERR(generation))
		generation->account = account;
	return generation;
}

/**
 * kcuckoo_generation_free() - free a generation that no reader can see, with
 *	its layers
 * @generation: the generation
 *
 * Context: process context, may sleep.
 */
void kcuckoo_generation_free(struct kcuckoo_generation *generation)
{
	unsigned int i;

	for (i = 0; i < KCUCKOO_LAYERS; i++) {
		struct kcuckoo_layer *layer;

		layer = rcu_dereference_protected(generation->layer[i], true);
		if (layer)
			kcuckoo_layer_free(layer);
		cond_resched();
	}
	for (i = 0; i < KCUCKOO_FAMILIES; i++) {
		struct kcuckoo_index *index;

		index = rcu_dereference_protected(generation->index[i], true);
		kcuckoo_index_free(index);
	}
	kcuckoo_account_free(generation->account, generation,
			     sizeof(*generation));
}

static void kcuckoo_generation_release(struct work_struct *work)
{
	kcuckoo_generation_free(container_of(to_rcu_work(work),
					     struct kcuckoo_generation, free));
}

/**
 * kcuckoo_generation_retire() - free a generation once no reader can see it
 * @generation: a generation that has been taken out of its filter
 */
void kcuckoo_generation_retire(struct kcuckoo_generation *generation)
{
	kcuckoo_reclaim(&generation->free, kcuckoo_generation_release);
}
