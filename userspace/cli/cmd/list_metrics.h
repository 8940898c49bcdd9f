/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list_metrics() writes the state of the lists of a configuration as metrics for
 * Prometheus.
 */
#ifndef KCUCKOO_CLI_LIST_METRICS_H
#define KCUCKOO_CLI_LIST_METRICS_H

#include "cmd/exposition.h"
#include "conf/config.h"

/*
 * Write the metrics of all lists that have a url and that a filter of @config
 * names. Return: 0, or -1 after an error message.
 */
int list_metrics(struct exposition *exposition, const struct cli *cli,
		 const struct config *config);

#endif /* KCUCKOO_CLI_LIST_METRICS_H */
