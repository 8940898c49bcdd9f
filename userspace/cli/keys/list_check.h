/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list_check() finds input that is no list, such as the error page of a server.
 */
#ifndef KCUCKOO_CLI_LIST_CHECK_H
#define KCUCKOO_CLI_LIST_CHECK_H

#include "input/input.h"

/*
 * Check that the input has keys and looks like a list, before the filter is
 * changed. @count: number of keys. @given: ARGS_FORCE and ARGS_ALLOW_EMPTY, if
 * the user gave them. Return: 0, or -1 after an error message.
 */
int list_check(const struct input *input, __u64 count, int given);

#endif /* KCUCKOO_CLI_LIST_CHECK_H */
