/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list_check() finds input that is not a list, such as the error page of a server. The
 * verb load and wanted.c call this function after they have read lists.
 */
#ifndef KCUCKOO_CLI_LIST_CHECK_H
#define KCUCKOO_CLI_LIST_CHECK_H

#include "input/input.h"

/*
 * Check that the input has keys and looks like a list. The caller must not have changed the
 * filter yet, because the error messages say that nothing was changed. @count: number of keys.
 * @given: has the bits ARGS_FORCE (permit many bad lines) and ARGS_ALLOW_EMPTY (permit input
 * without keys). Input with bad lines but no key needs both bits. Return: 0, or -1 after an
 * error message.
 */
int list_check(const struct input *input, __u64 count, int given);

#endif /* KCUCKOO_CLI_LIST_CHECK_H */
