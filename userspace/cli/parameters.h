/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions complete and check the parameters of a new filter, for the
 * verb create and for sections [filter] of the configuration.
 */
#ifndef KCUCKOO_CLI_PARAMETERS_H
#define KCUCKOO_CLI_PARAMETERS_H

#include "cli.h"

/*
 * Set the type and the capacity to their default values if the user has omitted them. If
 * the user has given neither bits nor a rate of false positives for a filter of byte
 * strings, set the default number of bits. The kernel sets all other defaults.
 */
void parameters_complete(struct kcuckoo_ioc_create *create);

/*
 * Return: a text that explains why the kernel cannot create a filter with these
 * parameters; or NULL if this function finds no reason.
 */
const char *parameters_conflict(const struct kcuckoo_ioc_create *create);

#endif /* KCUCKOO_CLI_PARAMETERS_H */
