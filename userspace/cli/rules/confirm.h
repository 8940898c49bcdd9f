/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions undo a change that is not confirmed in time, because it may
 * have cut off the administrator who made it.
 */
#ifndef KCUCKOO_CLI_CONFIRM_H
#define KCUCKOO_CLI_CONFIRM_H

#include "cli.h"

/*
 * Before a change of the filters @names or of their rules: keep their present
 * state, and start to wait. Unless confirm_keep() is called within @seconds, a
 * process of its own brings the state back, also after a kill of this process
 * and after the end of its session. Only one change can wait at a time. The
 * state is in /run: after a reboot there is nothing to undo. Return: 0, or -1
 * after an error message.
 */
int confirm_arm(struct cli *cli, unsigned int seconds, char *const names[],
		int count);

/*
 * Keep the change: nothing is undone any more. A change that failed calls this,
 * too. Return: 0; 1 if no change waits; or -1 after an error message.
 */
int confirm_keep(void);

/*
 * Bring back the state before the change that waits. @id: undo only the change
 * with this number, or any if @id is NULL. The state is kept if a step fails,
 * so that the next call can repeat it. Return: 0; 1 if no such change waits; or
 * -1 after error messages.
 */
int confirm_undo(struct cli *cli, const char *id);

#endif /* KCUCKOO_CLI_CONFIRM_H */
