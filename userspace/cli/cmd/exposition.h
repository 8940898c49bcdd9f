/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions write metrics in the text format of Prometheus, for metrics.c and
 * list_metrics.c. The caller calls exposition_metric() once for each metric, and then
 * exposition_value() for each value of the metric.
 */
#ifndef KCUCKOO_CLI_EXPOSITION_H
#define KCUCKOO_CLI_EXPOSITION_H

#include <stdio.h>

#include "cli.h"

/**
 * struct exposition - state of the output
 * @out: stream to which metrics are written
 * @name: name of the present metric, without the prefix "kcuckoo_"
 */
struct exposition {
	FILE *out;
	const char *name;
};

/* Begin a metric. @type: "gauge" or "counter"; the name of a counter ends in _total. */
void exposition_metric(struct exposition *exposition, const char *name,
		       const char *type, const char *help);

/*
 * Write a value of the present metric. The arguments after @value are the name and the
 * value of each label, all of type const char *, and then NULL.
 */
void exposition_value(struct exposition *exposition, __u64 value, ...)
	__attribute__((sentinel));

#endif /* KCUCKOO_CLI_EXPOSITION_H */
