/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions undo a change that is not confirmed in time, because the change
 * may have cut off the administrator who made it. The verbs apply and confirm
 * call them.
 */
#ifndef KCUCKOO_CLI_CONFIRM_H
#define KCUCKOO_CLI_CONFIRM_H

#include "rules/before.h"

/*
 * Save the present state of the filters @filters and of their rules, and start a
 * timer. Call this before a change of these filters or rules. Unless
 * confirm_keep() is called within @seconds, a separate process restores the
 * state, even if this process was killed or its session has ended. Only one
 * change can wait for its confirmation at a time. The state is in /run, so a
 * reboot removes it. Return: 0, or -1 after an error message.
 */
int confirm_arm(struct cli *cli, unsigned int seconds,
		struct before_filter *filters, int count);

/*
 * Keep the change: remove the saved state, so that the timer undoes nothing. A
 * verb whose change failed calls this function, too. This function changes no
 * filter, so it works in any network namespace. Return: 0; 1 if no change waits;
 * or -1 after an error message.
 */
int confirm_keep(void);

/*
 * Restore the saved state, and so undo the change that waits for its
 * confirmation. @id: undo only the change with this number, or any change if @id
 * is NULL. If the change was made in another network namespace than that of this
 * process, fail and change nothing. If a step fails, the saved state stays, so
 * that the next call can repeat the steps. Return: 0; 1 if no such change waits;
 * or -1 after error messages.
 */
int confirm_undo(struct cli *cli, const char *id);

#endif /* KCUCKOO_CLI_CONFIRM_H */
