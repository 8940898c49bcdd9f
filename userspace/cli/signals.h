/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions block all signals during an operation that must not end
 * halfway, and then restore the signal mask.
 */
#ifndef KCUCKOO_CLI_SIGNALS_H
#define KCUCKOO_CLI_SIGNALS_H

#include <signal.h>

/*
 * Block all signals, and write the previous mask to @before for signals_restore(). An
 * unblocked signal could end the command in the middle of an operation, and no other
 * process would complete or undo the operation.
 */
void signals_block(sigset_t *before);

/* Set the signal mask to @before. The kernel then delivers the unblocked pending signals. */
void signals_restore(const sigset_t *before);

#endif /* KCUCKOO_CLI_SIGNALS_H */
