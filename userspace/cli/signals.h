/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions block all signals during an operation that must not end
 * halfway, and then restore the signal mask.
 */
#ifndef KCUCKOO_CLI_SIGNALS_H
#define KCUCKOO_CLI_SIGNALS_H

#include <signal.h>

/* Block all signals, and write the previous mask to @before for signals_restore(). */
void signals_block(sigset_t *before);

/* Set the signal mask to @before. */
void signals_restore(const sigset_t *before);

#endif /* KCUCKOO_CLI_SIGNALS_H */
