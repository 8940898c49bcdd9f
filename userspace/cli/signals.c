// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions block all signals during an operation that must not end
 * halfway, and then restore the signal mask.
 */
#include <stddef.h>

#include "signals.h"

void signals_block(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, before);
}

void signals_restore(const sigset_t *before)
{
	sigprocmask(SIG_SETMASK, before, NULL);
}
