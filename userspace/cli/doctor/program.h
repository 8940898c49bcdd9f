/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * program_run() runs another program for a check of the verb doctor.
 */
#ifndef KCUCKOO_CLI_DOCTOR_PROGRAM_H
#define KCUCKOO_CLI_DOCTOR_PROGRAM_H

#include <stddef.h>

/*
 * Run @argv, a program of the folders in PATH, in the locale C, without input.
 * Write the first @size - 1 bytes of its output to @output, without the last
 * newline. Return: its exit code, or -1 if it could not run or did not exit.
 */
int program_run(const char * const argv[], char *output, size_t size);

#endif /* KCUCKOO_CLI_DOCTOR_PROGRAM_H */
