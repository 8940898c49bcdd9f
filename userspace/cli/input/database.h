/* SPDX-License-Identifier: GPL-2.0-only */
/* database_read() reads networks of countries or autonomous systems from a MaxMind DB database. */
#ifndef KCUCKOO_CLI_DATABASE_H
#define KCUCKOO_CLI_DATABASE_H

struct reader;

/*
 * Names of the options that can follow the name of a database, as in FILE?country=DE.
 * The array ends with NULL.
 */
extern const char * const database_options[];

/*
 * Read the database file @path, and pass the networks that the options of the list choose
 * to the sink of @reader (input_sink, input.h). Return: 0; -1 after an error message; or
 * -1 if the sink returned -1.
 */
int database_read(struct reader *reader, const char *path);

#endif /* KCUCKOO_CLI_DATABASE_H */
