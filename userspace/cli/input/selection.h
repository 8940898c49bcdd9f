/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions select the addresses in JSON documents: those under keys that
 * are known to have addresses to block.
 */
#ifndef KCUCKOO_CLI_SELECTION_H
#define KCUCKOO_CLI_SELECTION_H

#include <jansson.h>

#include "input/reader.h"

/**
 * struct selection - the selection from one text
 * @reader: the text
 * @keys: keys that have addresses, with commas between; NULL for the known ones
 * @where: key that an object must have, or NULL for any object
 * @equals: value that @where must have
 * @set: name of a set of nftables, or NULL
 * @taken: number of addresses under chosen keys, including bad ones
 * @others: addresses under other keys
 * @has_where: an object has the key @where
 * @is_chosen: an object has the key @where with the value @equals
 * @entries: number of entries of Spamhaus since the last metadata
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
 * Pass the addresses of a document to the reader. The number of the reader's
 * place is the line at which the document begins. Return: 0, or -1 after an
 * error message.
 */
int selection_take(struct selection *selection, const json_t *document);

/*
 * Check the whole text after its last document. Return: 0, or -1 after an error
 * message.
 */
int selection_finish(struct selection *selection);

/*
 * Pass an address, prefix or range to the reader. @place: place of the text in
 * the document. @timeout: seconds, or 0 if the key has no timeout. Return: 0, or
 * -1 after an error message.
 */
int selection_add(struct selection *selection, const char *text,
		  const char *place, __u32 timeout);

/* Count and report a value that is no key, at @place in the document. */
void selection_bad(struct selection *selection, const char *why,
		   const char *place);

#endif /* KCUCKOO_CLI_SELECTION_H */
