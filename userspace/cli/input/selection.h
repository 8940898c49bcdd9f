/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions select addresses in JSON documents: the values of JSON keys that are known to
 * have addresses to block. The known keys are the keys that the user named, or else the keys in
 * known_keys (selection.c).
 */
#ifndef KCUCKOO_CLI_SELECTION_H
#define KCUCKOO_CLI_SELECTION_H

#include <jansson.h>

#include "input/reader.h"

/**
 * struct selection - state of the selection of addresses from one text
 * @reader: reader of the text
 * @keys: JSON keys that have addresses, with commas between them; NULL for the default
 *	keys (known_keys in selection.c)
 * @where: JSON key of a condition: addresses are selected only in objects in which this
 *	JSON key has the value @equals. NULL for no condition
 * @equals: value that the JSON key @where must have
 * @set: name of the nftables set to read; NULL if the user named no set
 * @taken: number of addresses that were selected, including bad addresses
 * @others: count of the addresses that were not selected, because they are under other
 *	JSON keys
 * @has_where: at least one object that was read so far has the JSON key @where
 * @has_key: at least one object that was read so far has a JSON key in @keys
 * @is_chosen: in at least one object that was read so far, the JSON key @where has the
 *	value @equals
 * @documents: number of documents that were read so far
 * @has_nft: a document was the output of nft
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
	bool has_key;
	bool is_chosen;
	__u64 documents;
	bool has_nft;
	__u64 entries;
};

/*
 * Pass the addresses of a document to the reader. Before this call, the caller must set
 * @place.number of the reader to the number of the line at which the document begins.
 * Return: 0; -1 after an error message; or -1 if the sink of the reader returned -1.
 */
int selection_take(struct selection *selection, const json_t *document);

/*
 * Check the text as a whole, after the last document, for signs that the list is not complete or
 * that wrong addresses were selected. Also add @others to the notes of the input. Return: 0, or
 * -1 after an error message.
 */
int selection_finish(struct selection *selection);

/*
 * Pass the address, prefix or range @text to the reader. @place: place of @text in the
 * document, such as "prefixes[3].ip_prefix". @timeout: seconds after which the key
 * expires, or 0 if the key never expires; NULL if the key has no timeout of its own.
 * Return: 0, or -1 if the sink of the reader returned -1.
 */
int selection_add(struct selection *selection, const char *text,
		  const char *place, const __u32 *timeout);

/*
 * Count a value that is not a valid address, and report it as a bad entry. @why: text of
 * the error. @place: place of the value in the document, for the message.
 */
void selection_bad(struct selection *selection, const char *why,
		   const char *place);

#endif /* KCUCKOO_CLI_SELECTION_H */
