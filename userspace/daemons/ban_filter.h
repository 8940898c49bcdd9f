/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions keep banned addresses in a filter, for both backends (crowdsec.c and
 * sshguard.c). They collect changes in a batch, and make all changes of the batch
 * together.
 */
#ifndef KCUCKOO_DAEMONS_BAN_FILTER_H
#define KCUCKOO_DAEMONS_BAN_FILTER_H

#include "daemons/report.h"
#include "daemons/settings.h"
#include "keys/guard.h"

/* Maximum number of changes in a batch. */
#define BAN_BATCH	8192

/* Error for a key that the backends do not ban, see guard_is_wide() in keys/guard.h. */
#define BAN_WIDE	"the network is too wide to be banned"

/**
 * struct ban_filter - a filter of banned addresses
 * @settings: name of the filter, and whether a configuration creates the filter
 * @handle: the open device /dev/kcuckoo
 * @create_timed: if the backend creates the filter, create it with timeouts
 * @timed: the filter had timeouts when the backend last read its parameters. 'kcuckoo
 *	apply' can replace the filter by a filter with or without timeouts
 * @add: true if the changes of the batch add keys, false if they delete keys
 * @count: number of changes in the batch
 * @keys: the keys of the batch
 * @timeouts: seconds until each key of the batch expires, 0 for never
 * @attempts: number of times that ban_filter_apply() waited because memory was short or
 *	the filter was full, since the last batch of added keys succeeded
 * @failed: limit on the number of reports of failed changes
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
 * Open the device, and find the filter that @filter->settings names. Wait until the
 * device exists. If a configuration creates the filter, also wait until the filter
 * exists. If no configuration creates the filter, and the filter is missing, create
 * the filter, with timeouts if @timed is true, and attach a rule that drops packets
 * from its members. @leave: stop waiting if standard input has ended and has no unread
 * data.
 * Return: 0; 1 if @leave ended the wait; or -1 after a report.
 */
int ban_filter_open(struct ban_filter *filter, bool timed, bool leave);

/*
 * Append a change to the batch: add or delete @key. @timeout: seconds until the key
 * expires, 0 for never. If ban_filter_is_full() returns true, the caller must call
 * ban_filter_apply() first.
 */
void ban_filter_add(struct ban_filter *filter, const struct kcuckoo_prefix *key,
		    __u32 timeout);
void ban_filter_del(struct ban_filter *filter, const struct kcuckoo_prefix *key);

/*
 * Return: true if a change cannot be appended to the batch: the batch is full, or has
 * changes of the other kind. @add: true if the change adds a key, false if it deletes
 * a key.
 */
bool ban_filter_is_full(const struct ban_filter *filter, bool add);

/*
 * Restore a filter that was destroyed. If a configuration creates the filter, wait
 * until 'kcuckoo apply' creates it, standard input ends, or a signal asks the process to
 * end. Otherwise create the filter again, unless another program has created it, and
 * report that bans are or can be missing. Return: true if the filter exists, so that
 * changes can be tried again.
 */
bool ban_filter_restore(struct ban_filter *filter);

/*
 * Make the changes of the batch, and empty the batch. Report changes that fail. If the
 * filter was destroyed, call ban_filter_restore() and try again. If memory is short or
 * the filter is full, try again each second. All batches together wait at most 30
 * seconds until a batch of added keys succeeds.
 */
void ban_filter_apply(struct ban_filter *filter);

/*
 * Remove all members, and discard the changes of the batch. If the filter was
 * destroyed, call ban_filter_restore() and try again.
 */
void ban_filter_flush(struct ban_filter *filter);

#endif /* KCUCKOO_DAEMONS_BAN_FILTER_H */
