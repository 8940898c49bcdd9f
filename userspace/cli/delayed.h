/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This function starts a program later, even if this process is killed.
 */
#ifndef KCUCKOO_CLI_DELAYED_H
#define KCUCKOO_CLI_DELAYED_H

#include "cli.h"

/*
 * Start the program @argv after @seconds. @unit: name of a transient unit of
 * systemd without its suffix. If systemd does not run, or @unit is NULL, a child
 * process waits instead. Both go on after a kill of this process and after the
 * end of its session. A program that starts too late is useless, so the time
 * counts while the machine is suspended, too. Return: 0, or -1 after an error
 * message.
 */
int delayed_start(const char *unit, unsigned int seconds, char *const argv[]);

/* Stop the transient unit @unit of delayed_start(), if it exists. */
void delayed_stop(const char *unit);

#endif /* KCUCKOO_CLI_DELAYED_H */
