/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions parse numbers, durations and probabilities.
 */
#ifndef KCUCKOO_CLI_NUMBER_H
#define KCUCKOO_CLI_NUMBER_H

#include "cli.h"
#include "duration.h"

/* Return: the value of a hexadecimal digit, or 16 for any other character. */
unsigned int hex_digit(char c);

/*
 * Parse the @length bytes at @text as a number of at most @max: decimal, or hexadecimal
 * after 0x. Return: false if the text is not such a number.
 */
bool number_scan(const char *text, size_t length, __u64 max, __u64 *number);

/*
 * Parse a probability such as 0.001, 1e-3 or 0.1%. Set @rate to the probability in units
 * of 2^-32, rounded down. Return: NULL, or the text of an error.
 */
const char *rate_scan(const char *text, __u32 *rate);

/*
 * Parse @text, the argument of the keyword or option @what. parse_number() parses a
 * number from @min to @max, and sets @number. parse_duration() parses a duration, and
 * sets @seconds, see duration_scan(). Return: 0, or -1 after an error message.
 */
int parse_number(const char *what, const char *text, __u64 min, __u64 max,
		 __u64 *number);
int parse_duration(const char *what, const char *text, __u32 *seconds);

/*
 * Parse @text, the argument of the keyword @what, as a decimal number of members: 1 to
 * KCUCKOO_CAPACITY_MAX. The suffixes K, M and G stand for 10^3, 10^6 and 10^9. Set
 * @capacity to this number. Return: 0, or -1 after an error message.
 */
int parse_capacity(const char *what, const char *text, __u64 *capacity);

#endif /* KCUCKOO_CLI_NUMBER_H */
