/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * jsonlist_read() reads lists in JSON. input.c calls this function through the table of
 * layouts (layout.h).
 */
#ifndef KCUCKOO_CLI_JSONLIST_H
#define KCUCKOO_CLI_JSONLIST_H

struct reader;

/*
 * Names of the options that can follow the name of a list in JSON, as in FILE?set=NAME.
 * The array ends with NULL.
 */
extern const char * const jsonlist_options[];

/*
 * Read a text of JSON, and pass the addresses that selection.c selects to the sink of
 * @reader (input_sink, input.h). Return: 0, or -1 after an error message.
 */
int jsonlist_read(struct reader *reader);

#endif /* KCUCKOO_CLI_JSONLIST_H */
