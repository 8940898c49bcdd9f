/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: signals that wait
 */
#ifndef KCUCKOO_CLI_SIGNALS_H
#define KCUCKOO_CLI_SIGNALS_H

#include <signal.h>

/*
 * Have all signals wait until signals_restore() with the same @before, because what
 * comes between would stay half done, and nobody else would undo it.
 */
void signals_block(sigset_t *before);
void signals_restore(const sigset_t *before);

#endif /* KCUCKOO_CLI_SIGNALS_H */
