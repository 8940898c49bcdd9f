/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A staged filter is built without a name, and then gets the name of a filter that it replaces,
 * or a new name.
 *
 * Until a staged filter gets a name, it belongs to the descriptor of /dev/kcuckoo that the
 * command has opened. If the command ends or is killed, the kernel frees the staged filter.
 */
#ifndef KCUCKOO_CLI_STAGED_H
#define KCUCKOO_CLI_STAGED_H

#include "keys/collection.h"
#include "progress.h"

/* Name that stands for the staged filter in calls of the library. */
#define STAGED_NAME	""

/* Return: false if the module is known to be too old for staged filters. */
bool staged_supported(struct cli *cli);

/**
 * struct staged - the staged filter of the command
 * @cli: state of the command
 * @name: name that the filter will get
 * @exists: the staged filter was created, and has no name yet
 * @like: @filter_id of the filter from which the staged filter got its parameters (see
 *	struct kcuckoo_ioc_info); or 0
 * @room: numbers of full addresses of IPv4 and of IPv6 for which staged_build_like() and
 *	staged_build_new() reserve entries, members included; 0 for none
 */
struct staged {
	struct cli *cli;
	const char *name;
	bool exists;
	__u64 like;
	__u64 room[2];
};

/*
 * Set @room to the numbers of full addresses that fit into the tables of the filter
 * @staged->name, to which packets can add members. An earlier staged filter is destroyed. @info:
 * state of the filter @staged->name. Return: 0, or -1 after an error message.
 */
int staged_measure(struct staged *staged, const struct kcuckoo_ioc_info *info);

/*
 * Create the staged filter with the parameters of the filter @staged->name, and add the keys of
 * @collection. @info: state of the filter @staged->name. Do nothing if @staged was already
 * created from this filter. Another staged filter is destroyed first. Return: 0, or -1 after an
 * error message.
 */
int staged_build_like(struct staged *staged, const struct kcuckoo_ioc_info *info,
		      const struct collection *collection,
		      struct progress *progress);

/*
 * Create the staged filter with the parameters in @options, and add the keys of
 * @collection. An earlier staged filter is destroyed first. Return: 0, or -1 after an
 * error message.
 */
int staged_build_new(struct staged *staged, struct kcuckoo_ioc_create *options,
		     const struct collection *collection,
		     struct progress *progress);

/*
 * Create the staged filter without keys, with the parameters of the filter
 * @staged->name. If packets can add members to the filter @staged->name, the staged filter
 * also gets tables of the same size. An earlier staged filter is destroyed first. @info:
 * state of the filter @staged->name. Return: 0, or -1 after an error message.
 */
int staged_create_empty(struct staged *staged,
			const struct kcuckoo_ioc_info *info);

/* Add the keys of @collection to the staged filter. Return: 0, or -1 after an error message. */
int staged_add(struct staged *staged, const struct collection *collection,
	       struct progress *progress);

/*
 * Replace the filter @staged->name by the staged filter, unless the members of the old
 * filter have changed since the caller read @info. Return: 0; 1 if the old filter was
 * changed or replaced, or no longer exists; or -1 after an error message.
 */
int staged_replace(struct staged *staged, const struct kcuckoo_ioc_info *info);

/*
 * Give the staged filter the name @staged->name. @managed: mark the name as managed,
 * which means that a configuration manages the filter with this name. Return: 0; 1 if a
 * filter with this name exists; or -1 after an error message.
 */
int staged_name(struct staged *staged, bool managed);

/* Destroy the staged filter, if it has no name yet. */
void staged_end(struct staged *staged);

#endif /* KCUCKOO_CLI_STAGED_H */
