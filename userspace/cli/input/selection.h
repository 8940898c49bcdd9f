/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions select addresses in JSON documents. They take the values of JSON
 * keys that are known to have addresses to block. jsonlist.c calls them for each
 * document.
 */
#ifndef KCUCKOO_CLI_SELECTION_H
#define KCUCKOO_CLI_SELECTION_H

#include <jansson.h>

#include "input/reader.h"

/**
 * struct selection - state of the selection of addresses from one text
 * @reader: the text
 * @keys: JSON keys that have addresses, with commas between them; NULL for the keys
 *	that selection.c knows
 * @where: JSON key of a condition: addresses are selected only in objects in which this
 *	JSON key has the value @equals. NULL for no condition
 * @equals: value that the JSON key @where must have
 * @set: name of a set of nftables, or NULL
 * @taken: number of addresses that were selected, including bad ones
 * @others: count of addresses under other JSON keys
 * @has_where: an object has the JSON key @where
 * @is_chosen: an object has the JSON key @where with the value @equals
 * @entries: number of entries of a Spamhaus list since the last line with
 *	metadata
 */
struct selection {
	struct reader *reader;
	const char *keys;
	const char *where;
	const char *equals;
	const char *set;
	__u64 taken;
	struct input_others others;
	bool has_where;
	bool is_chosen;
	__u64 entries;
};

/*
 * Pass the addresses of a document to the reader. Before this call, the caller must set
 * place.number of the reader to the number of the line at which the document begins.
 * Return: 0, or -1 after an error message.
 */
int selection_take(struct selection *selection, const json_t *document);

/*
 * Check, after the last document, that the text as a whole is a list. Return: 0,
 * or -1 after an error message.
 */
int selection_finish(struct selection *selection);

/*
 * Pass an address, prefix or range to the reader. @place: its place in the
 * document, such as "prefixes[3].ip_prefix". @timeout: seconds after which the key
 * expires, or 0 if it never expires; NULL if the key has no timeout of its own.
 * Return: 0, or -1 after an error message.
 */
int selection_add(struct selection *selection, const char *text,
		  const char *place, const __u32 *timeout);

/* Count and report a value that is no key, at @place in the document. */
void selection_bad(struct selection *selection, const char *why,
		   const char *place);

#endif /* KCUCKOO_CLI_SELECTION_H */
