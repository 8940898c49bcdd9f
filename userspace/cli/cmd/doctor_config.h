/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions are checks of the verb doctor: doctor.c calls them from its
 * table. They compare the configuration, the copies of lists, and the state of
 * the command, see cmd/folders.h, with what the host has.
 */
#ifndef KCUCKOO_CLI_DOCTOR_CONFIG_H
#define KCUCKOO_CLI_DOCTOR_CONFIG_H

#include "doctor/doctor.h"

/* Check that the configuration has no mistake, and that it is applied. */
void check_config(struct doctor *doctor);

/* Check that each list with a url has a good and recent copy. */
void check_lists(struct doctor *doctor);

/*
 * Check that the copy of the applied configuration and kept members can be
 * read.
 */
void check_state(struct doctor *doctor);

#endif /* KCUCKOO_CLI_DOCTOR_CONFIG_H */
