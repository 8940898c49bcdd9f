/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions write metrics in the text format of Prometheus.
 */
#ifndef KCUCKOO_CLI_EXPOSITION_H
#define KCUCKOO_CLI_EXPOSITION_H

#include <stdio.h>

#include "cli.h"

/**
 * struct exposition - metrics that are being written
 * @out: the text
 * @name: name of the present metric, without "kcuckoo_"
 */
struct exposition {
	FILE *out;
	const char *name;
};

/* Begin a metric. @type: "gauge" or "counter"; the name of a counter ends in _total. */
void exposition_metric(struct exposition *exposition, const char *name,
		       const char *type, const char *help);

/*
 * Write a value of the present metric. After @value come pairs of a label and its
 * value, both const char *, and NULL.
 */
void exposition_value(struct exposition *exposition, __u64 value, ...)
	__attribute__((sentinel));

#endif /* KCUCKOO_CLI_EXPOSITION_H */
