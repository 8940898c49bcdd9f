/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions make a configuration that apply --confirm applies wait for its
 * confirmation. rules/confirm.h saves and restores filters and rules.
 *
 * Until the confirmation, the copy of the configuration that was applied last stays as it
 * was, so that a reboot starts the earlier configuration. The new copy is in the folder
 * applied.unconfirmed, and the new copies of lists with files are in the folder
 * files.unconfirmed. confirm_keep() gives the two folders their final names.
 * confirm_undo() removes files.unconfirmed. The folder applied.unconfirmed stays: an
 * apply without a user, such as at boot or without a terminal, does not apply a
 * configuration whose files are equal to this copy.
 *
 * The files "xdp" and "apply" of the running system are saved in the folder
 * CONFIRM_FOLDER and restored by confirm_undo(). The file "configuration" of this folder
 * shows that a configuration waits. The file "configuration" has the names of the folders
 * of the configuration, because the process that ends the wait, of a timer or of another
 * user, can use other folders by default. The file "complete" shows that apply succeeded.
 */
#ifndef KCUCKOO_CLI_UNCONFIRMED_H
#define KCUCKOO_CLI_UNCONFIRMED_H

#include "cmd/present.h"
#include "rules/confirm.h"

/*
 * Functions with which the verbs confirm and apply keep or undo a configuration that
 * waits.
 */
extern const struct confirm_end unconfirmed_end;

/*
 * Save the state that the steps of @plan change, and start the timer, before the first
 * step. @own: the rules of the file "xdp". @xdp: this file existed before this process
 * began. If this process still runs when the time has passed, a signal kills it, because
 * the timer needs the lock of changes_lock(). The caller holds this lock. Return: 0, or
 * -1 after an error message.
 */
int unconfirmed_arm(struct cli *cli, __u32 seconds, const struct config *config,
		    const struct plan *plan, const struct own_xdps *own, bool xdp);

/*
 * Record that all steps succeeded. Without this record, confirm_keep() does not make the
 * configuration the one that was applied last. Return: 0, or -1 after an error message.
 */
int unconfirmed_complete(void);

/*
 * Return: true if a configuration waits for its confirmation that has the same folders
 * as this process.
 */
bool unconfirmed_waits(const struct cli *cli);

/*
 * End a configuration that still waits long after its time: the timer was killed, or
 * could not undo the change. Without this call, each later apply would fail. The caller
 * holds the lock of changes_lock(). Return: 0, or -1 after error messages.
 */
int unconfirmed_end_overdue(struct cli *cli);

/*
 * Check that no configuration waits for its confirmation, see unconfirmed_waits().
 * Return: 0, or -1 after an error message.
 */
int unconfirmed_check(const struct cli *cli);

/*
 * Read the configuration that is in effect: the one that waits for its confirmation,
 * or the one that was applied last. Return: as applied_read().
 */
int unconfirmed_read(const struct cli *cli, struct config *config);

/*
 * If a configuration waits for its confirmation, use its folders in this process, and
 * take the lock of changes_lock(). Set @lock to the descriptor of the lock, or to -1.
 * Return: 0, or -1 after an error message.
 */
int unconfirmed_lock(struct cli *cli, int *lock);

/*
 * Remove the saved state, so that nothing restores the filters and rules that the verb
 * down has removed. The configuration stays unconfirmed. Return: 0, or -1 after an error
 * message.
 */
int unconfirmed_drop(const struct cli *cli);

/* Remove the folders applied.unconfirmed and files.unconfirmed, if they exist. */
void unconfirmed_forget(const struct cli *cli);

#endif /* KCUCKOO_CLI_UNCONFIRMED_H */
