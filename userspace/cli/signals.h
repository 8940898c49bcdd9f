/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: block signals
 */
#ifndef KCUCKOO_CLI_SIGNALS_H
#define KCUCKOO_CLI_SIGNALS_H

#include <signal.h>

/*
 * Block all signals until signals_restore() with the same @before: a signal in
 * between would leave an operation incomplete, and no other process would undo
 * it.
 */
void signals_block(sigset_t *before);
void signals_restore(const sigset_t *before);

#endif /* KCUCKOO_CLI_SIGNALS_H */
