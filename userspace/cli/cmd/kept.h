/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions save the members of filters with keep = yes at shutdown, and
 * restore them at boot.
 */
#ifndef KCUCKOO_CLI_KEPT_H
#define KCUCKOO_CLI_KEPT_H

#include "conf/config.h"

/*
 * Create each filter of the configuration that is kept and does not exist from
 * its snapshot, with the name marked as managed. Count snapshots that cannot be
 * used in @failed; their filters do not exist. Return: the number of filters.
 */
int kept_restore(struct cli *cli, const struct config *config, size_t *failed);

/*
 * Save each filter of the configuration that is kept and exists. Return: 0, or -1
 * after error messages.
 */
int kept_save(struct cli *cli, const struct config *config);

#endif /* KCUCKOO_CLI_KEPT_H */
