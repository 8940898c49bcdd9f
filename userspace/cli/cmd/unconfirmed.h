/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * After "apply --confirm", the new configuration waits for its confirmation: a timer undoes
 * the change unless the user runs the verb confirm in time. These functions save, keep and
 * restore the files of cmd/folders.h. The functions of rules/confirm.h save and restore
 * filters and rules.
 *
 * Until the confirmation, the copy of the configuration that was applied last does not
 * change, so that a reboot starts the earlier configuration. The new copy is in the folder
 * applied.unconfirmed, and the new copies of lists with files are in the folder
 * files.unconfirmed. confirm_keep() gives the two folders their final names, but removes
 * applied.unconfirmed if the file "complete" is missing. confirm_undo() removes
 * files.unconfirmed, but not applied.unconfirmed, see applied_is_unconfirmed().
 *
 * unconfirmed_arm() saves the files "xdp" and "apply" of the running system in the folder
 * CONFIRM_FOLDER, and confirm_undo() restores these files. CONFIRM_FOLDER has two further
 * files. The file "configuration" shows that a configuration waits, and has the paths of
 * the folders of cmd/folders.h. The process that keeps or undoes the configuration, such as
 * the process of the timer, can have another environment with other folders. The file
 * "complete" shows that no step of apply failed; failures of steps that read lists do not
 * count.
 */
#ifndef KCUCKOO_CLI_UNCONFIRMED_H
#define KCUCKOO_CLI_UNCONFIRMED_H

#include "cmd/present.h"
#include "rules/confirm.h"

/* Functions for confirm_keep() and confirm_undo(), for a configuration that waits. */
extern const struct confirm_end unconfirmed_end;

/*
 * Save the state that the steps of @plan change, and start the timer, before the first
 * step. @seconds: seconds until the timer undoes the change. @own: the rules of the file
 * "xdp". @xdp: the file "xdp" existed before this process began. If this process still runs
 * after @seconds, SIGALRM kills this process, because the timer needs the lock of
 * changes_lock(), which the caller holds. Return: 0, or -1 after an error message.
 */
int unconfirmed_arm(struct cli *cli, __u32 seconds, const struct config *config,
		    const struct plan *plan, const struct own_xdps *own, bool xdp);

/*
 * Record that no step failed. Without this record, confirm_keep() does not store the
 * configuration as the configuration that was applied last. Return: 0, or -1 after an error
 * message.
 */
int unconfirmed_complete(void);

/*
 * Return: true if a configuration waits for its confirmation, and was applied by a process
 * with the same folders (cmd/folders.h) as this process.
 */
bool unconfirmed_waits(const struct cli *cli);

/*
 * Undo a configuration that still waits long after the timer should have undone it,
 * because the timer was killed or failed. The caller holds the lock of changes_lock().
 * Return: 0, also if no such configuration waits; or -1 after error messages.
 */
int unconfirmed_end_overdue(struct cli *cli);

/*
 * Check that no configuration waits for its confirmation, see unconfirmed_waits().
 * Return: 0, or -1 after an error message.
 */
int unconfirmed_check(const struct cli *cli);

/*
 * Read the configuration that is in effect: the configuration that waits for its
 * confirmation, or else the configuration that was applied last. Return: the same as
 * applied_read().
 */
int unconfirmed_read(const struct cli *cli, struct config *config);

/*
 * If a configuration waits for its confirmation, take the lock of changes_lock(), and set
 * @lock to the descriptor of the lock. Let @cli use the folders of the process that applied
 * the configuration. If no configuration waits, set @lock to -1. Return: 0, or -1 after an
 * error message.
 */
int unconfirmed_lock(struct cli *cli, int *lock);

/*
 * If a configuration waits for its confirmation, remove the saved state and
 * files.unconfirmed, so that the timer does not restore filters and rules. The folder
 * applied.unconfirmed stays, because the configuration was not confirmed. Return: 0, or -1
 * after an error message.
 */
int unconfirmed_drop(const struct cli *cli);

/* Remove the folders applied.unconfirmed and files.unconfirmed, if they exist. */
void unconfirmed_forget(const struct cli *cli);

#endif /* KCUCKOO_CLI_UNCONFIRMED_H */
