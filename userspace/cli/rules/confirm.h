/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions undo a change that is not confirmed in time, because it may
 * have cut off the administrator who made it.
 */
#ifndef KCUCKOO_CLI_CONFIRM_H
#define KCUCKOO_CLI_CONFIRM_H

#include "cli.h"

/*
 * Call this before a change of the filters @names or of their rules. Save their
 * present state, and start a timer. Unless confirm_keep() is called within
 * @seconds, a separate process restores the state, even if this process was
 * killed or its session has ended. Only one change can wait at a time. The state
 * is in /run, so there is nothing to undo after a reboot. Return: 0, or -1 after
 * an error message.
 */
int confirm_arm(struct cli *cli, unsigned int seconds, char *const names[],
		int count);

/*
 * Keep the change: remove the saved state, so that the timer undoes nothing. A
 * verb whose change failed calls this, too. It changes no filter, so it works in
 * each network namespace. Return: 0; 1 if no change waits; or
 * -1 after an error message.
 */
int confirm_keep(void);

/*
 * Restore the state before the change that waits. @id: undo only the change
 * with this number, or any if @id is NULL. If it was made in another network
 * namespace than that of this process, fail and change nothing. If a step fails,
 * the saved state stays, so that the next call can repeat the steps. Return: 0; 1
 * if no such change waits; or -1 after error messages.
 */
int confirm_undo(struct cli *cli, const char *id);

#endif /* KCUCKOO_CLI_CONFIRM_H */
