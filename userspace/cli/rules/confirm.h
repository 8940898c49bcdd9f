/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions undo a change that is not confirmed in time, because the change can
 * have cut off the administrator who made it.
 */
#ifndef KCUCKOO_CLI_CONFIRM_H
#define KCUCKOO_CLI_CONFIRM_H

#include <time.h>

#include "rules/before.h"

/* The folder with the state before the change that waits for its confirmation. */
#define CONFIRM_FOLDER	"/run/kcuckoo/confirm"

/**
 * struct confirm_change - a change that will wait for its confirmation
 * @seconds: time in seconds after which the change is undone unless it is confirmed
 * @filters: the filters that the change affects
 * @count: number of filters
 * @save: function that saves the further state, which is the state of everything but filters
 *	and rules, to files in @folder; or NULL if the change affects no further state. The
 *	functions of struct confirm_end read these files. Return: 0, or -1 after an error
 *	message
 * @context: argument of @save
 */
struct confirm_change {
	unsigned int seconds;
	struct before_filter *filters;
	int count;
	int (*save)(void *context, const char *folder);
	void *context;
};

/**
 * struct confirm_end - functions that keep or undo the change of the further state, see @save of
 *	struct confirm_change
 * @keep: function that keeps this change. @folder: CONFIRM_FOLDER, which has the files that
 *	@save wrote. Return: 0, or -1 after an error message
 * @undo: function that undoes this change, after the filters and rules were restored.
 *	Argument and result are as for @keep
 *
 * Both functions also succeed if @folder has no further state. If a process is killed
 * while it runs a function, the next process calls the same function again.
 */
struct confirm_end {
	int (*keep)(const char *folder);
	int (*undo)(const char *folder);
};

/*
 * Save the present state, and start a timer. The caller makes the change after this
 * call. Unless confirm_keep() is called in time, a separate process restores the saved
 * state. Only one change of all network namespaces can wait for its confirmation at a time.
 * The saved state is in /run, so a reboot removes it. Return: 0, or -1 after an error
 * message.
 */
int confirm_arm(struct cli *cli, const struct confirm_change *change);

/*
 * Keep the change: remove the saved state, so that the timer undoes nothing. This
 * function works in any network namespace. @end: NULL if the change has no further
 * state. If a process was killed while it undid the change, this function fails:
 * confirm_undo() must undo the rest of the change. Return: 0; 1 if no change waits; or
 * -1 after an error message.
 */
int confirm_keep(const struct confirm_end *end);

/*
 * Restore the saved state, and so undo the change that waits for its confirmation. @id: the
 * number of the change, from the command that the timer runs; if another change waits, do
 * nothing. With NULL, undo any change. @end: NULL if the change has no further state. If this
 * process is not in the network namespace in which the change was made, fail and change nothing.
 * If a step fails, the saved state stays, so that the next call can repeat the steps. If
 * confirm_keep() failed, or its process was killed, after it began to keep the change, keep the
 * change. Return: 0; 1 if no such change waits or the change was kept; or -1 after error
 * messages.
 */
int confirm_undo(struct cli *cli, const char *id, const struct confirm_end *end);

/*
 * Return: true if a change of the network namespace of this process waits for its
 * confirmation, or if a change waits and this process cannot read the namespace of the
 * change. @until: out: if the result is true, the time at which the change is undone, or
 * -1 if this time is unknown.
 */
bool confirm_waits(time_t *until);

/*
 * Remove the saved state of the change that waits, and call no function of struct
 * confirm_end. The change stays, and can no longer be undone. Return: 0, also if no
 * change waits; or -1 after an error message.
 */
int confirm_drop(void);

#endif /* KCUCKOO_CLI_CONFIRM_H */
