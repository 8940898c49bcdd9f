/* SPDX-License-Identifier: GPL-2.0-only */
/* jsonlist_read() reads lists in JSON, and selects the addresses to block. */
#ifndef KCUCKOO_CLI_JSONLIST_H
#define KCUCKOO_CLI_JSONLIST_H

struct reader;

/*
 * Names of the options that can follow the name of a list in JSON, as in FILE?set=NAME.
 * The array ends with NULL.
 */
extern const char * const jsonlist_options[];

/*
 * Read a JSON text, and pass the addresses that selection.c selects from it to the sink of
 * @reader (input_sink, input.h). Return: 0; -1 after an error message; or -1 if the sink
 * returned -1.
 */
int jsonlist_read(struct reader *reader);

#endif /* KCUCKOO_CLI_JSONLIST_H */
