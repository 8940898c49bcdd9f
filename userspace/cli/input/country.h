/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions translate country codes of ISO 3166-1 to numbers, for database.c
 * and mmdb.c.
 */
#ifndef KCUCKOO_CLI_COUNTRY_H
#define KCUCKOO_CLI_COUNTRY_H

#include <stdbool.h>
#include <stddef.h>

/* Number of letters of a country code. */
#define COUNTRY_CODE	2

/* Maximum number of a country: ISO 3166-1 has numbers of three digits. */
#define COUNTRY_MAX	999

/*
 * Copy the country code at @text to @code, in upper case and with a zero byte at its end.
 * Return: false if the @length bytes at @text are not two letters.
 */
bool country_code(const char *text, size_t length, char *code);

/*
 * Return: the number of the country @code, which is in upper case; or 0 if @code is
 * unknown. The known codes are the codes of ISO 3166-1, and XK for Kosovo.
 */
int country_number(const char *code);

#endif /* KCUCKOO_CLI_COUNTRY_H */
