// SPDX-License-Identifier: GPL-2.0-only
/*
 * Table sets: create and free layers, length indexes and table sets.
 *
 * A function whose name ends in _free frees memory at once; a function whose name ends in
 * _retire frees memory after a grace period.
 */
#include <linux/err.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "filter/table_set.h"
#include "filter/workqueue.h"

static u64 kcuckoo_layer_tag_bytes(const struct kcuckoo_layout *layout)
{
	u64 words = kcuckoo_layout_tag_words(layout);

	if (kcuckoo_layout_single_alloc(layout))
		words += kcuckoo_layout_aux_words(layout);
	return words * sizeof(u64);
}

static u64 kcuckoo_layer_aux_bytes(const struct kcuckoo_layout *layout)
{
	if (kcuckoo_layout_single_alloc(layout))
		return 0;
	return kcuckoo_layout_aux_words(layout) * sizeof(u64);
}

/**
 * kcuckoo_layer_create() - create an empty layer
 * @account: account to charge
 * @layout: layout of the store of the layer
 * @secret: secret of the filter
 *
 * Context: process context, may sleep.
 * Return: the layer, with serial number 0; ERR_PTR(-EDQUOT) if the limit of the account
 * would be exceeded; or ERR_PTR(-ENOMEM).
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
 * @layer: a layer that has been taken out of its table set
 *
 * Context: any.
 */
void kcuckoo_layer_retire(struct kcuckoo_layer *layer)
{
	kcuckoo_queue_rcu_free(&layer->free, kcuckoo_layer_release);
}

/**
 * kcuckoo_layer_bytes() - get the size of the memory of a layer
 * @layer: the layer
 *
 * Return: the number of bytes that are charged to the account for this layer.
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
 * kcuckoo_index_create() - create an empty length index
 * @account: account to charge
 * @params: kind and size of the index
 * @secret: secret of the filter
 *
 * Context: process context, may sleep.
 * Return: the index; ERR_PTR(-EDQUOT) if the limit of the account would be exceeded; or
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
 * @index: an index that has been taken out of its table set, or NULL
 *
 * Context: any.
 */
void kcuckoo_index_retire(struct kcuckoo_index *index)
{
	if (index)
		kcuckoo_queue_rcu_free(&index->free, kcuckoo_index_release);
}

/**
 * kcuckoo_index_bytes() - get the size of the memory of a length index
 * @index: the index
 *
 * Return: the number of bytes that are charged to the account for this index.
 */
u64 kcuckoo_index_bytes(const struct kcuckoo_index *index)
{
	u64 bytes = kcuckoo_length_index_bytes(&index->core.params);

	return kcuckoo_account_size(sizeof(*index)) +
	       kcuckoo_account_size(bytes);
}

/**
 * kcuckoo_table_set_create() - create a table set without layers
 * @account: account to charge
 *
 * Context: process context, may sleep.
 * Return: the table set; ERR_PTR(-EDQUOT) if the limit of the account would be
 * exceeded; or ERR_PTR(-ENOMEM).
 */
struct kcuckoo_table_set *
kcuckoo_table_set_create(struct kcuckoo_account *account)
{
	struct kcuckoo_table_set *table_set;

	table_set = kcuckoo_account_alloc(account, sizeof(*table_set));
	if (!IS_ERR(table_set))
		table_set->account = account;
	return table_set;
}

/**
 * kcuckoo_table_set_free() - free a table set that no reader can see, with its layers and
 *	length indexes
 * @table_set: the table set
 *
 * Context: process context, may sleep.
 */
void kcuckoo_table_set_free(struct kcuckoo_table_set *table_set)
{
	unsigned int i;

	for (i = 0; i < KCUCKOO_LAYERS; i++) {
		struct kcuckoo_layer *layer;

		layer = rcu_dereference_protected(table_set->layer[i], true);
		if (layer)
			kcuckoo_layer_free(layer);
		cond_resched();
	}
	for (i = 0; i < KCUCKOO_FAMILIES; i++) {
		struct kcuckoo_index *index;

		index = rcu_dereference_protected(table_set->index[i], true);
		kcuckoo_index_free(index);
	}
	kcuckoo_account_free(table_set->account, table_set,
			     sizeof(*table_set));
}

static void kcuckoo_table_set_release(struct work_struct *work)
{
	kcuckoo_table_set_free(container_of(to_rcu_work(work),
					    struct kcuckoo_table_set, free));
}

/**
 * kcuckoo_table_set_retire() - free a table set once no reader can see it
 * @table_set: a table set that has been taken out of its filter
 *
 * Context: any.
 */
void kcuckoo_table_set_retire(struct kcuckoo_table_set *table_set)
{
	kcuckoo_queue_rcu_free(&table_set->free, kcuckoo_table_set_release);
}
