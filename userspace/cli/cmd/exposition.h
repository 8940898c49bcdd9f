/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions write metrics in the text format of Prometheus, for metrics.c and
 * list_metrics.c. The caller calls exposition_metric() once for each metric, and
 * then exposition_value() for each value of this metric.
 */
#ifndef KCUCKOO_CLI_EXPOSITION_H
#define KCUCKOO_CLI_EXPOSITION_H

#include <stdio.h>

#include "cli.h"

/**
 * struct exposition - state of the output
 * @out: stream to which metrics are written
 * @netns: value of the label "netns", which exposition_value() writes for each value of
 *	a metric; NULL: do not write this label
 * @name: name of the current metric, without the prefix "kcuckoo_"
 */
struct exposition {
	FILE *out;
	const char *netns;
	const char *name;
};

/**
 * exposition_metric() - begin a metric
 * @exposition: state of the output
 * @name: name of the metric, without the prefix "kcuckoo_"; the name of a counter
 *	ends in "_total"
 * @type: "gauge" or "counter"
 * @help: one line that describes the metric
 */
void exposition_metric(struct exposition *exposition, const char *name,
		       const char *type, const char *help);

/**
 * exposition_value() - write a value of the current metric
 * @exposition: state of the output
 * @value: the value
 * @...: for each label, its name and its value, both of type const char *; then
 *	NULL
 */
void exposition_value(struct exposition *exposition, __u64 value, ...)
	__attribute__((sentinel));

#endif /* KCUCKOO_CLI_EXPOSITION_H */
