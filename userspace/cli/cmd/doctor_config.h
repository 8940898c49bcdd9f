/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks of the verb doctor that need the configuration and the state that the
 * command keeps.
 */
#ifndef KCUCKOO_CLI_DOCTOR_CONFIG_H
#define KCUCKOO_CLI_DOCTOR_CONFIG_H

#include "doctor/doctor.h"

/* Is the configuration without mistakes, and applied? */
void check_config(struct doctor *doctor);

/* Is there a good and recent copy of each list that is downloaded? */
void check_lists(struct doctor *doctor);

/* Can the copy of the configuration and the kept members be read? */
void check_state(struct doctor *doctor);

#endif /* KCUCKOO_CLI_DOCTOR_CONFIG_H */
