/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions save the members of kept filters to snapshots at shutdown, and restore
 * the members at boot. A filter is kept if its section in the configuration has
 * keep = yes and names no list. A snapshot is a file with the members and parameters of
 * one filter.
 */
#ifndef KCUCKOO_CLI_KEPT_H
#define KCUCKOO_CLI_KEPT_H

#include "conf/config.h"

/*
 * Restore each kept filter of @config that has a snapshot and does not exist. Mark the
 * name of the filter as managed. If a filter cannot be restored, print an error, increment
 * @failed, and continue with the next filter. Rename a damaged snapshot to
 * NAME.kcf.damaged, but do not rename a snapshot with an unsupported format version. Return:
 * the number of restored filters.
 */
int kept_restore(struct cli *cli, const struct config *config, size_t *failed);

/*
 * Write a snapshot of each kept filter of @config that exists. @saved: another configuration,
 * which can be empty; the caller has already saved its kept filters, so skip these filters.
 * If a filter cannot be saved, continue with the next filter. Return: 0, or -1 after error
 * messages.
 */
int kept_save(struct cli *cli, const struct config *config,
	      const struct config *saved);

#endif /* KCUCKOO_CLI_KEPT_H */
