/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A staged filter is built without a name, and then gets the name of a filter
 * that it replaces, or a new name.
 *
 * It belongs to the descriptor of the command: if the command ends before, in any
 * way, the kernel frees it.
 */
#ifndef KCUCKOO_CLI_STAGED_H
#define KCUCKOO_CLI_STAGED_H

#include "keys/collection.h"
#include "progress.h"

/* Name that stands for the staged filter in calls of the library. */
#define STAGED_NAME	""

/* Check whether the module has staged filters. */
bool staged_supported(struct cli *cli);

/**
 * struct staged - the staged filter of the command
 * @cli: state of the command
 * @name: name that the filter will get
 * @exists: the filter was created
 * @like: @filter_id of the filter whose parameters it has, or 0
 */
struct staged {
	struct cli *cli;
	const char *name;
	bool exists;
	__u64 like;
};

/*
 * Create the staged filter, with the keys of @collection. @info: state of the
 * filter @name, whose parameters the new filter gets. Return: 0, or -1 after an
 * error message.
 */
int staged_build_like(struct staged *staged, const struct kcuckoo_ioc_info *info,
		      const struct collection *collection,
		      struct progress *progress);

/* As staged_build_like(), with the parameters of @options. */
int staged_build_new(struct staged *staged, struct kcuckoo_ioc_create *options,
		     const struct collection *collection,
		     struct progress *progress);

/*
 * Create the staged filter, empty, with the parameters of the filter @name, whose
 * state is @info, and with the tables that it has reserved for packets. Return: 0,
 * or -1 after an error message.
 */
int staged_create_empty(struct staged *staged,
			const struct kcuckoo_ioc_info *info);

/*
 * Add keys to the staged filter. Return: 0, or -1 after an error message.
 */
int staged_add(struct staged *staged, const struct collection *collection,
	       struct progress *progress);

/*
 * Replace the filter @name by the staged filter, unless it was changed since
 * @info was read. Return: 0; 1 if it was changed or replaced, or does not exist
 * any more; or -1 after an error message.
 */
int staged_replace(struct staged *staged, const struct kcuckoo_ioc_info *info);

/*
 * Give the staged filter the name @name. @managed: mark the name as managed.
 * Return: 0; 1 if a filter with this name exists; or -1 after an error message.
 */
int staged_name(struct staged *staged, bool managed);

/* Destroy the staged filter, if it has no name yet. */
void staged_end(struct staged *staged);

#endif /* KCUCKOO_CLI_STAGED_H */
