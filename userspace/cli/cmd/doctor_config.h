/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These checks of the verb doctor find errors in the configuration, missing, old or
 * refused copies of lists, and damaged files of the state, see cmd/folders.h. doctor.c
 * calls the checks from its table.
 */
#ifndef KCUCKOO_CLI_DOCTOR_CONFIG_H
#define KCUCKOO_CLI_DOCTOR_CONFIG_H

#include "doctor/doctor.h"

/**
 * check_config() - check that the configuration has no errors, and that the present
 * filters and rules are equal to the configuration
 * @doctor: state of the verb, which gets the findings
 */
void check_config(struct doctor *doctor);

/**
 * check_lists() - check that each list with a URL that a filter uses has a recent last
 * good copy, and no refused copy
 * @doctor: state of the verb, which gets the findings
 *
 * The last good copy is the newest copy that passed all checks of the verb fetch. A
 * refused copy is a newer copy that one of these checks refused.
 */
void check_lists(struct doctor *doctor);

/**
 * check_state() - check that the files of the state can be read
 * @doctor: state of the verb, which gets the findings
 *
 * These files are the copy of the configuration that was applied last, and the
 * snapshots, files with the saved members, of filters with keep = yes.
 */
void check_state(struct doctor *doctor);

#endif /* KCUCKOO_CLI_DOCTOR_CONFIG_H */
