/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * program_run() runs another program for a check of the verb doctor.
 */
#ifndef KCUCKOO_CLI_DOCTOR_PROGRAM_H
#define KCUCKOO_CLI_DOCTOR_PROGRAM_H

#include <stddef.h>

/**
 * program_run() - run a program, and read its output
 * @argv: name of the program, which is searched in PATH; its arguments; and NULL
 * @output: out: the first bytes of its standard output and standard error, without the
 *	newlines at the end
 * @size: size of @output in bytes
 *
 * The standard input of the program is /dev/null. Its locale is C, which cmd/doctor.c
 * sets.
 *
 * Return: the exit code of the program; or -1 if the program could not be run, if it was
 * killed, or if its exit code is 127.
 */
int program_run(const char * const argv[], char *output, size_t size);

#endif /* KCUCKOO_CLI_DOCTOR_PROGRAM_H */
