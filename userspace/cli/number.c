// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions parse numbers, durations and probabilities.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "number.h"

unsigned int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

static bool is_hex(const char *text, size_t length)
{
	return length > 2 && text[0] == '0' && (text[1] | 0x20) == 'x';
}

bool number_scan(const char *text, size_t length, __u64 max, __u64 *number)
{
	const char *at = text, *end = text + length;
	unsigned int base = 10, digit;
	__u64 value = 0;

	if (is_hex(text, length)) {
		base = 16;
		at += 2;
	}
	if (at == end)
		return false;
	for (; at < end; at++) {
		digit = hex_digit(*at);
		if (digit >= base || value > max / base ||
		    digit > max - value * base)
			return false;
		value = value * base + digit;
	}
	*number = value;
	return true;
}

const char *rate_scan(const char *text, __u32 *rate)
{
	double value;
	char *end;

	/* strtod() would also accept blanks, signs and names such as "inf". */
	if (!isdigit((unsigned char)*text) && *text != '.')
		return "it is not a probability, such as 0.001, 1e-6 or 0.1%";
	value = strtod(text, &end);
	if (*end == '%') {
		value /= 100;
		end++;
	}
	if (*end || strpbrk(text, "xX"))
		return "it is not a probability, such as 0.001, 1e-6 or 0.1%";
	if (value >= 1)
		return "a probability is less than 1";
	value = floor(ldexp(value, 32));
	if (value < 1)
		return "the smallest probability is 2^-32, or 2.33e-10";
	*rate = value;
	return NULL;
}

int parse_number(const char *what, const char *text, __u64 min, __u64 max,
		 __u64 *number)
{
	if (number_scan(text, strlen(text), max, number) && *number >= min)
		return 0;
	return error("%s '%s' is not a number from %llu to %llu", what, text,
		     min, max);
}

int parse_duration(const char *what, const char *text, __u32 *seconds)
{
	const char *why = duration_scan(text, strlen(text), seconds);

	return why ? error("%s '%s': %s", what, text, why) : 0;
}

/* Return: 1 if @unit is empty; or 0 if it is unknown. */
static __u64 unit_factor(const char *unit)
{
	if (!*unit)
		return 1;
	if (unit[1])
		return 0;
	switch (toupper((unsigned char)*unit)) {
	case 'K':
		return 1000;
	case 'M':
		return 1000000;
	case 'G':
		return 1000000000;
	default:
		return 0;
	}
}

int parse_capacity(const char *what, const char *text, __u64 *capacity)
{
	unsigned long long value;
	__u64 factor;
	char *unit;

	/* strtoull() would also accept blanks and signs. */
	if (!isdigit((unsigned char)*text))
		return error("%s '%s' is not a number of members, such as 500000 or 2M",
			     what, text);
	errno = 0;
	value = strtoull(text, &unit, 10);
	factor = unit_factor(unit);
	if (!factor)
		return error("%s '%s': only K, M or G may follow the number",
			     what, text);
	if (!value)
		return error("%s '%s': the minimum is 1", what, text);
	if (errno || value > KCUCKOO_CAPACITY_MAX / factor)
		return error("%s '%s' is more than the maximum, %llu", what,
			     text, KCUCKOO_CAPACITY_MAX);
	*capacity = value * factor;
	return 0;
}
