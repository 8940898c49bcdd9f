/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These checks of the verb doctor find problems of the configuration, of the copies of
 * lists, and of the files of the state, see cmd/folders.h.
 */
#ifndef KCUCKOO_CLI_DOCTOR_CONFIG_H
#define KCUCKOO_CLI_DOCTOR_CONFIG_H

#include "doctor/doctor.h"

/**
 * check_config() - check the configuration, and compare filters and rules with it
 * @doctor: state of the verb, which gets the findings
 *
 * Finds errors in the configuration, and differences between the configuration and the
 * present filters and rules. Does not compare members with lists.
 */
void check_config(struct doctor *doctor);

/**
 * check_lists() - check the copies of each list that has a URL and that a filter uses
 * @doctor: state of the verb, which gets the findings
 *
 * Finds lists whose last good copy is missing, damaged or too old, and lists that have a
 * refused copy.
 */
void check_lists(struct doctor *doctor);

/**
 * check_state() - check that the files of the state can be read
 * @doctor: state of the verb, which gets the findings
 *
 * These files are the copy of the configuration that was applied last, and snapshots. A
 * snapshot is a file with the saved members of a filter with keep = yes.
 */
void check_state(struct doctor *doctor);

#endif /* KCUCKOO_CLI_DOCTOR_CONFIG_H */
