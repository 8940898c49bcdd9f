/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * metrics_show() writes the state of filters, rules, lists and the
 * configuration as metrics for Prometheus. The verb stats calls metrics_show()
 * for the option --prometheus.
 */
#ifndef KCUCKOO_CLI_METRICS_H
#define KCUCKOO_CLI_METRICS_H

#include "args.h"

/*
 * Write all metrics to standard output. If the verb has an operand, which is the path of
 * a file, replace this file instead. Return: EXIT_YES, or -1 after an error message.
 */
int metrics_show(struct cli *cli, const struct args *args);

#endif /* KCUCKOO_CLI_METRICS_H */
