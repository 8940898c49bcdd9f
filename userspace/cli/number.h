/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: numbers, times and rates as text
 */
#ifndef KCUCKOO_CLI_NUMBER_H
#define KCUCKOO_CLI_NUMBER_H

#include "cli.h"
#include "duration.h"

/* Return: the value of a hexadecimal digit, or 16 for what is none. */
unsigned int hex_digit(char c);

/*
 * Read all of @length bytes: a decimal number, or a hexadecimal one behind 0x,
 * up to @max. Return: whether that is what they are.
 */
bool number_scan(const char *text, size_t length, __u64 max, __u64 *number);

/*
 * A probability such as 0.001, 1e-3 or 0.1%, in 2^-32 and rounded down. Return:
 * NULL, or what is wrong with it.
 */
const char *rate_scan(const char *text, __u32 *rate);

/*
 * What stands behind the word or option @what. Return: 0 with the number set,
 * or -1 after an error message.
 */
int parse_number(const char *what, const char *text, __u64 min, __u64 max,
		 __u64 *number);
int parse_duration(const char *what, const char *text, __u32 *seconds);

/* The same for a number of members, with K, M or G for powers of ten. */
int parse_capacity(const char *what, const char *text, __u64 *capacity);

#endif /* KCUCKOO_CLI_NUMBER_H */
