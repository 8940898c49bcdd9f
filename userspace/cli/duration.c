// SPDX-License-Identifier: GPL-2.0-only
/*
 * duration_scan() parses durations, as users, lists and other programs write them, such as
 * 3h59m56.205431304s, the format of the language Go.
 */
#include <ctype.h>
#include <linux/kcuckoo.h>
#include <stdbool.h>
#include <string.h>

#include "duration.h"

#define SECOND		1000000000ULL	/* a second, in nanoseconds */
#define LONGEST		(KCUCKOO_TIMEOUT_MAX * SECOND)	/* longest duration, in ns */

static const char no_duration[] =
	"a time is a number of seconds, or for example 10m, 1h30m, 7d, 1y or never";
const char duration_too_long[] =
	"a time is at most ten years; 'never' means no expiry";
static const char negative_duration[] =
	"a time is not negative, except -1, which means never";

/*
 * The units, from the longest to the shortest. Unicode has two characters for
 * the micro sign.
 */
static const struct unit {
	const char *name;
	__u64 nanoseconds;
} units[] = {
	{ "y",		365 * 86400 * SECOND },
	{ "w",		7 * 86400 * SECOND },
	{ "d",		86400 * SECOND },
	{ "h",		3600 * SECOND },
	{ "m",		60 * SECOND },
	{ "s",		SECOND },
	{ "ms",		1000000 },
	{ "us",		1000 },
	{ "\xc2\xb5s",	1000 },
	{ "\xce\xbcs",	1000 },
	{ "ns",		1 },
};

#define UNITS	((int)(sizeof(units) / sizeof(*units)))

static const struct unit seconds_unit = { "", SECOND };

/**
 * struct span - state of the parser
 * @at: the rest of the text
 * @end: the end of the text
 * @last: the unit of the previous number, or NULL
 * @nanoseconds: sum of the parsed times so far, rounded down
 * @inexact: @nanoseconds is less than the exact sum
 */
struct span {
	const char *at;
	const char *end;
	const struct unit *last;
	__u64 nanoseconds;
	bool inexact;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *at, const char *end)
{
	while (at < end && is_digit(*at))
		at++;
	return at;
}

/*
 * The unit must be shorter than the unit of the previous number. A number without a unit
 * must be the only number. Return: the unit, or NULL if the unit is invalid or missing.
 */
static const struct unit *span_unit(struct span *span)
{
	const char *name = span->at;
	const struct unit *unit;
	size_t length;

	while (span->at < span->end && !is_digit(*span->at) && *span->at != '.')
		span->at++;
	length = span->at - name;
	if (!length)
		return span->last || span->at < span->end ? NULL : &seconds_unit;
	for (unit = units; unit < units + UNITS; unit++)
		if (strlen(unit->name) == length &&
		    !memcmp(unit->name, name, length))
			break;
	if (unit == units + UNITS ||
	    (span->last && unit->nanoseconds >= span->last->nanoseconds))
		return NULL;
	return unit;
}

/*
 * Add the number whose digits are from @at to @end. @unit: unit of the number, in
 * nanoseconds. Return: false if the sum exceeds LONGEST.
 */
static bool span_add(struct span *span, const char *at, const char *end,
		     __u64 unit)
{
	__u64 max = (LONGEST - span->nanoseconds) / unit, number = 0;

	for (; at < end; at++) {
		number = number * 10 + (*at - '0');
		if (number > max)
			return false;
	}
	span->nanoseconds += number * unit;
	return true;
}

/* As span_add(), for the digits after a decimal point. */
static bool span_add_fraction(struct span *span, const char *at,
			      const char *end, __u64 unit)
{
	bool cut = false;	/* @unit was rounded down */

	for (; at < end; at++) {
		__u64 digit = *at - '0';

		span->nanoseconds += digit * unit / 10;
		span->inexact |= digit && (cut || digit * unit % 10);
		cut |= unit % 10;
		unit /= 10;
	}
	return span->nanoseconds <= LONGEST;
}

static const char *span_step(struct span *span)
{
	const char *whole = span->at, *point, *fraction, *after;
	const struct unit *unit;

	point = skip_digits(whole, span->end);
	fraction = point < span->end && *point == '.' ? point + 1 : point;
	after = skip_digits(fraction, span->end);
	span->at = after;
	if (after - whole == fraction - point)
		return no_duration;
	unit = span_unit(span);
	if (!unit)
		return no_duration;
	span->last = unit;
	if (!span_add(span, whole, point, unit->nanoseconds) ||
	    !span_add_fraction(span, fraction, after, unit->nanoseconds))
		return duration_too_long;
	return NULL;
}

/* Round up, so that nothing expires early. */
static const char *span_seconds(const struct span *span, __u32 *seconds)
{
	__u64 whole = span->nanoseconds / SECOND;

	whole += span->nanoseconds % SECOND || span->inexact;
	if (whole > KCUCKOO_TIMEOUT_MAX)
		return duration_too_long;
	*seconds = whole;
	return NULL;
}

/* Other programs write -1 for "never", also with a fraction of zeros, as in -1.0. */
static bool is_never(const char *text, size_t length)
{
	const char *end = text + length, *at = text + 2;

	if (length == 5 && !memcmp(text, "never", 5))
		return true;
	if (length < 2 || memcmp(text, "-1", 2))
		return false;
	if (at < end && *at == '.')
		for (at++; at < end && *at == '0'; at++)
			;
	return at == end;
}

static const char *scan_hex(const char *text, size_t length, __u32 *seconds)
{
	__u64 number = 0;
	size_t i;

	for (i = 0; i < length; i++) {
		if (!isxdigit((unsigned char)text[i]))
			return no_duration;
		number = number * 16 + (is_digit(text[i]) ? text[i] - '0' :
					(text[i] | 0x20) - 'a' + 10);
		if (number > KCUCKOO_TIMEOUT_MAX)
			return duration_too_long;
	}
	*seconds = number;
	return NULL;
}

/* In 0x1d, the d can be a digit or the unit of days. */
static bool is_unclear(const char *text, size_t length)
{
	return text[length - 1] == 'd';
}

const char *duration_scan(const char *text, size_t length, __u32 *seconds)
{
	struct span span = { .at = text, .end = text + length };
	const char *why;

	if (is_never(text, length)) {
		*seconds = 0;
		return NULL;
	}
	if (length && *text == '-')
		return negative_duration;
	if (length > 2 && text[0] == '0' && (text[1] | 0x20) == 'x')
		return is_unclear(text, length) ? no_duration :
		       scan_hex(text + 2, length - 2, seconds);
	do {
		why = span_step(&span);
		if (why)
			return why;
	} while (span.at < span.end);
	return span_seconds(&span, seconds);
}
