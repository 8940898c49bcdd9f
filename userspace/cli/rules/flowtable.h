/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * flowtable_warn() warns about flowtables of nf_tables, whose packets bypass
 * the rules of most hooks.
 */
#ifndef KCUCKOO_CLI_FLOWTABLE_H
#define KCUCKOO_CLI_FLOWTABLE_H

#include "cli.h"

/*
 * Warn if the network namespace has a flowtable that forwards packets past one
 * of @rules. Does nothing unless nf_tables is loaded, and never fails.
 */
void flowtable_warn(const struct kcuckoo_rule *rules, int count);

#endif /* KCUCKOO_CLI_FLOWTABLE_H */
