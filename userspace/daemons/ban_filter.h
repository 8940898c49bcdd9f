/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A filter of banned addresses, and changes of it that are made in batches.
 */
#ifndef KCUCKOO_DAEMONS_BAN_FILTER_H
#define KCUCKOO_DAEMONS_BAN_FILTER_H

#include "daemons/report.h"
#include "daemons/settings.h"
#include "keys/guard.h"

/* Maximum number of changes in a batch. */
#define BAN_BATCH	8192

/* Why a key is not banned for which guard_is_wide() returns true. */
#define BAN_WIDE	"the network is too wide to be banned"

/**
 * struct ban_filter - a filter of banned addresses
 * @settings: its name
 * @handle: the device
 * @create_timed: the filter has timeouts if the backend creates it
 * @timed: members have timeouts, as far as is known: 'kcuckoo apply' can replace
 *	the filter by one with or without timeouts
 * @add: the changes of the batch add keys; otherwise they delete keys
 * @count: number of changes in the batch
 * @keys: the keys of the batch
 * @timeouts: seconds until each key expires, 0 for never
 * @attempts: number of attempts for which there was no memory, since a batch of
 *	added keys succeeded
 * @failed: limit on the reports of changes that fail
 */
struct ban_filter {
	struct settings settings;
	struct kcuckoo *handle;
	bool create_timed;
	bool timed;
	bool add;
	size_t count;
	struct kcuckoo_prefix keys[BAN_BATCH];
	__u32 timeouts[BAN_BATCH];
	unsigned int attempts;
	struct report_limit failed;
};

/*
 * Open the device and the filter that @filter->settings names. Wait for the
 * device as long as it does not exist, and for the filter if a file of the
 * configuration names it. Otherwise create the filter if it does not exist, with
 * timeouts if @timed is set, and attach a rule that drops packets from its
 * members. Return: 0; 1 if @leave is set, the device or filter does not exist and
 * standard input has ended without data; or -1 after a report.
 */
int ban_filter_open(struct ban_filter *filter, bool timed, bool leave);

/*
 * Append a change to the batch: add or delete @key. Changes are made in their
 * order. The caller first makes the changes of the batch if
 * ban_filter_is_full() returns true.
 */
void ban_filter_add(struct ban_filter *filter, const struct kcuckoo_prefix *key,
		    __u32 timeout);
void ban_filter_del(struct ban_filter *filter, const struct kcuckoo_prefix *key);

/* Return: true if a change that adds or deletes a key needs another batch. */
bool ban_filter_is_full(const struct ban_filter *filter, bool add);

/*
 * Create the filter again after it was destroyed, and report that; or wait for
 * 'kcuckoo apply' if a file of the configuration names it. Return: true if
 * changes can be tried again.
 */
bool ban_filter_restore(struct ban_filter *filter);

/*
 * Make the changes of the batch. Report changes that fail. If the filter was
 * destroyed, restore it first, see ban_filter_restore(). If there is no memory,
 * try again for some time.
 */
void ban_filter_apply(struct ban_filter *filter);

/*
 * Remove all members, and forget the batch. If the filter was destroyed, restore
 * it, see ban_filter_restore().
 */
void ban_filter_flush(struct ban_filter *filter);

#endif /* KCUCKOO_DAEMONS_BAN_FILTER_H */
