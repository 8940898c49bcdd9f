/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions read lists, and compute the wanted keys: the keys that the filter will have
 * after the command. The wanted keys are the keys of the lists, without repeats and without the
 * excluded addresses.
 */
#ifndef KCUCKOO_CLI_WANTED_H
#define KCUCKOO_CLI_WANTED_H

#include "keys/collection.h"
#include "keys/exclude.h"
#include "keys/guard.h"

struct wanted;

/**
 * struct wanted_options - options that determine the wanted keys
 * @files: names of the lists
 * @file_count: number of lists
 * @excluded: names of lists whose addresses are left out
 * @excluded_count: number of these lists
 * @given: has the bits ARGS_FORCE and ARGS_ALLOW_EMPTY if the user gave these
 *	options
 * @bogons: keep bogons, see guard_add_bogons(); if not set, they are left out
 * @wide: permit wide keys, see guard_find_wide()
 * @optimize: merge keys to fewer prefixes, see keyset_aggregate()
 * @configured: the lists are from a configuration, so hints name settings of the
 *	configuration instead of options
 * @read: function that reads other lists instead of @files and @excluded, and fills
 *	@collection and @exceptions of struct wanted; or NULL. Return: 0, or -1 after
 *	an error message
 * @context: first argument of @read
 */
struct wanted_options {
	char *const *files;
	int file_count;
	char *const *excluded;
	int excluded_count;
	int given;
	bool bogons;
	bool wide;
	bool optimize;
	bool configured;
	int (*read)(void *context, struct wanted *wanted,
		    struct progress *progress);
	void *context;
};

/**
 * struct wanted - the keys that the filter will have
 * @collection: the keys. After wanted_read(), addresses are sorted, and no key occurs
 *	twice
 * @input: counts of the lines and keys that were read
 * @timed: at least one line has a timeout
 * @different: number of keys that are in the lists several times, with different values
 *	or timeouts
 * @exceptions: keys that the lists mark as exceptions, and the keys of the excluded
 *	lists
 * @excluded: number of keys that were left out or cut because of @exceptions
 * @bogons: number of keys that were left out or cut because they include bogons
 */
struct wanted {
	struct collection collection;
	struct input input;
	bool timed;
	__u64 different;
	struct keyset exceptions;
	struct exclusion excluded;
	struct exclusion bogons;
};

/*
 * Initialize all fields of @wanted except @collection. The caller initializes @collection with
 * collection_init() before wanted_read(), or sets it to zero. The caller calls wanted_free()
 * even after an error.
 */
void wanted_init(struct wanted *wanted);

void wanted_free(struct wanted *wanted);

/*
 * Read the lists, and compute the wanted keys. If the removal of bogons leaves no key,
 * this is an error unless ARGS_ALLOW_EMPTY is given. Of byte strings, only repeats are
 * removed. @progress: progress bar. Return: 0, or -1 after an error message.
 */
int wanted_read(struct wanted *wanted, const struct wanted_options *options,
		struct progress *progress);

/*
 * Add the keys and the counts of @part, such as the wanted keys of one list, to @wanted.
 * Of @input, only @keys, @bad and @host_bits are added. @exceptions is not added. Return:
 * 0, or -1 after an error message.
 */
int wanted_add(struct wanted *wanted, const struct wanted *part);

/*
 * Merge keys to fewer prefixes, if @optimize of @options is set. Before this call, the caller
 * must remove all addresses that must not be in the filter.
 */
void wanted_finish(struct wanted *wanted, const struct wanted_options *options);

/* Print how many lines and keys were left out or changed, for the filter @name. */
void wanted_say(const struct cli *cli, const char *name,
		const struct wanted *wanted, const struct wanted_options *options);

#endif /* KCUCKOO_CLI_WANTED_H */
