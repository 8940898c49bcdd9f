/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This function reads networks of countries or autonomous systems from a
 * MaxMind DB database. input.c calls it through the table of layouts
 * (layout.h).
 */
#ifndef KCUCKOO_CLI_DATABASE_H
#define KCUCKOO_CLI_DATABASE_H

struct reader;

/* Names of the options of a database, and NULL. */
extern const char * const database_options[];

/* Read the database @path. Return: 0, or -1 after an error message. */
int database_read(struct reader *reader, const char *path);

#endif /* KCUCKOO_CLI_DATABASE_H */
