/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions start a program after a delay, for rules/confirm.c. The
 * program starts even if this process is killed.
 */
#ifndef KCUCKOO_CLI_DELAYED_H
#define KCUCKOO_CLI_DELAYED_H

#include "cli.h"

/*
 * Start the program @argv after @seconds, from the transient unit @unit of systemd.
 * @unit: name of the unit without its suffix. If systemd does not run or cannot start the
 * unit, or if @unit is NULL, a child process waits and then executes the program. The unit
 * and the child continue after this process was killed or its session has ended. The
 * child also counts the time while the machine is suspended.
 *
 * @leave_netns: the child waits in the network namespace of process 1, and the program
 * then enters the right namespace itself. A child that waited in another namespace would
 * keep that namespace and its rules alive after 'ip netns del'. Return: 0, or -1 after an
 * error message.
 */
int delayed_start(const char *unit, unsigned int seconds, bool leave_netns,
		  char *const argv[]);

/*
 * Stop the timer of the transient unit @unit of delayed_start(), if it exists. A child
 * process of delayed_start() continues.
 */
void delayed_stop(const char *unit);

#endif /* KCUCKOO_CLI_DELAYED_H */
