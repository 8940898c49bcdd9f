// SPDX-License-Identifier: GPL-2.0-only
/*
 * Numbers, times and rates: what is one, and what is none.
 */
#include "number.h"
#include "tap.h"

static void test_number(void)
{
	static const struct {
		const char *text;
		u64 max;
		bool good;
		u64 number;
	} cases[] = {
		{ "0", 0, true, 0 }, { "1", 0, false, 0 },
		{ "255", 255, true, 255 }, { "256", 255, false, 0 },
		{ "007", 9, true, 7 }, { "0x1F", 31, true, 31 },
		{ "0x20", 31, false, 0 }, { "0Xff", 255, true, 255 },
		{ "4294967295", UINT32_MAX, true, UINT32_MAX },
		{ "4294967296", UINT32_MAX, false, 0 },
		{ "18446744073709551615", UINT64_MAX, true, UINT64_MAX },
		{ "18446744073709551616", UINT64_MAX, false, 0 },
		{ "0xffffffffffffffff", UINT64_MAX, true, UINT64_MAX },
		{ "0x10000000000000000", UINT64_MAX, false, 0 },
		{ "99999999999999999999999", UINT64_MAX, false, 0 },
		{ "", 9, false, 0 }, { "-1", 9, false, 0 }, { "+1", 9, false, 0 },
		{ " 1", 9, false, 0 }, { "1 ", 9, false, 0 }, { "0x", 9, false, 0 },
		{ "1.0", 9, false, 0 }, { "f", 20, false, 0 }, { "1e1", 20, false, 0 },
		{ "0xg", 20, false, 0 },
	};
	size_t i;

	for (i = 0; i < TAP_COUNT(cases); i++) {
		u64 number = 0;
		bool good = number_scan(cases[i].text, strlen(cases[i].text),
					cases[i].max, &number);

		tap_require(good == cases[i].good, "'%s'", cases[i].text);
		tap_require(number == cases[i].number, "'%s': %llu",
			    cases[i].text, number);
	}
}

/* All numbers near the limit, in both notations. */
static void test_limit(void)
{
	char text[32];
	u64 number, max;
	int i;

	for (i = 0; i < 20000; i++) {
		u64 value = random_edge(64);

		max = value + (int)random_below(3) - 1;
		sprintf(text, i % 2 ? "%llu" : "0x%llx", value);
		if (number_scan(text, strlen(text), max, &number))
			tap_require(value <= max && number == value,
				    "%s, at most %llu: %llu", text, max,
				    number);
		else
			tap_require(value > max, "%s, at most %llu", text,
				    max);
	}
}

static void test_duration(void)
{
	static const struct {
		const char *text;
		bool good;
		u32 seconds;
	} cases[] = {
		{ "0", true, 0 }, { "90", true, 90 }, { "90s", true, 90 },
		{ "10m", true, 600 }, { "2h", true, 7200 },
		{ "7d", true, 604800 }, { "1w", true, 604800 },
		{ "0w", true, 0 }, { "315360000", true, 315360000 },
		{ "3650d", true, 315360000 }, { "315360001", false, 0 },
		{ "3651d", false, 0 }, { "521w", true, 315100800 },
		{ "522w", false, 0 }, { "99999999999h", false, 0 },
		{ "", false, 0 }, { "s", false, 0 }, { "m", false, 0 },
		{ "1 h", false, 0 }, { "+1", false, 0 }, { "1e3", false, 0 },
		{ "1H", false, 0 }, { "1min", false, 0 }, { "0x10", true, 16 },
		{ "0x1f", true, 31 }, { "0x1d", false, 0 }, { "0X1s", false, 0 },
		{ "0xw", false, 0 }, { "0x12cc0300", true, 315360000 },
		{ "0x12cc0301", false, 0 }, { "0xffffffffffffffffff", false, 0 },
		/* no expiry */
		{ "never", true, 0 }, { "-1", true, 0 }, { "-1.0", true, 0 },
		{ "0.0", true, 0 }, { "0s", true, 0 }, { "Never", false, 0 },
		{ "never ", false, 0 }, { "-2", false, 0 }, { "-0", false, 0 },
		{ "-1s", false, 0 }, { "-1.5", false, 0 }, { "-10", false, 0 },
		{ "-1m2.3s", false, 0 }, { "-", false, 0 }, { "--1", false, 0 },
		/* years, and several units */
		{ "1y", true, 31536000 }, { "10y", true, 315360000 },
		{ "11y", false, 0 }, { "1h30m", true, 5400 },
		{ "3h59m57s", true, 14397 }, { "1y1w1d1h1m1s", true, 32230861 },
		{ "9y52w1d", true, 315360000 }, { "9y52w1d1s", false, 0 },
		{ "10y0s", true, 315360000 }, { "10y1ns", false, 0 },
		{ "10y0.0000000001s", false, 0 }, { "10.5y1d", false, 0 },
		{ "30m1h", false, 0 }, { "1h1h", false, 0 }, { "1h30", false, 0 },
		{ "30s1", false, 0 }, { "1hm", false, 0 }, { "1h 1m", false, 0 },
		/* fractions, rounded up */
		{ "2629800.0", true, 2629800 }, { "1.5h", true, 5400 },
		{ "0.1y", true, 3153600 }, { "1.", true, 1 }, { ".5h", true, 1800 },
		{ "90.1", true, 91 }, { "90.000000001", true, 91 },
		{ "90.0000000000000000000001", true, 91 },
		{ "90.0000000000000000000000", true, 90 },
		{ "0.3333333333m", true, 20 }, { "0.33333333333333m", true, 20 },
		{ "0.1000000000000000020y", true, 3153601 },
		{ "0.0000000000000001", true, 1 }, { ".", false, 0 },
		{ ".s", false, 0 }, { "1..5", false, 0 }, { "1.5.5h", false, 0 },
		{ "1h.m", false, 0 }, { "20.5.999ms", false, 0 },
		{ "1.5.5", false, 0 }, { "1..5ms", false, 0 },
		/* as Go prints them */
		{ "3h59m56.205431304s", true, 14397 }, { "250ms", true, 1 },
		{ "1m2.3s", true, 63 }, { "12us", true, 1 },
		{ "12\u00b5s", true, 1 }, { "12\u03bcs", true, 1 },
		{ "1ns", true, 1 }, { "1s1ns", true, 2 }, { "0ms", true, 0 },
		{ "999ms999us999ns", true, 1 }, { "1000ms", true, 1 },
		{ "315360000000000000ns", true, 315360000 },
		{ "315360000000000001ns", false, 0 }, { "1.2ns", true, 1 },
		{ "12\xb5s", false, 0 }, { "12\xc2s", false, 0 },
	};
	size_t i;

	for (i = 0; i < TAP_COUNT(cases); i++) {
		u32 seconds = 0;
		const char *why = duration_scan(cases[i].text,
						strlen(cases[i].text), &seconds);

		tap_require(!why == cases[i].good, "'%s'", cases[i].text);
		tap_require(seconds == cases[i].seconds, "'%s': %u",
			    cases[i].text, seconds);
	}
}

/* Too long a time, no time and a negative one are refused with different words. */
static void test_duration_why(void)
{
	static const struct {
		const char *text;
		const char *why;
	} cases[] = {
		{ "11y", "ten years" }, { "315360001", "ten years" },
		{ "99999999999999999999999d", "ten years" },
		{ "-5m", "not negative" }, { "-2", "not negative" },
		{ "tomorrow", "never" }, { "", "never" },
	};
	size_t i;

	for (i = 0; i < TAP_COUNT(cases); i++) {
		u32 seconds;
		const char *why = duration_scan(cases[i].text,
						strlen(cases[i].text), &seconds);

		tap_require(why && strstr(why, cases[i].why), "'%s': %s",
			    cases[i].text, why);
	}
}

/* Any number of seconds, written with units or with a fraction, is read back. */
static void test_duration_forms(void)
{
	char text[96];
	int i;

	for (i = 0; i < 20000; i++) {
		u32 seconds = 0, all = random_below(KCUCKOO_TIMEOUT_MAX + 1U);
		u32 part = random_below(1000000000);
		u32 expected = all + !!part;
		const char *why;

		if (i % 2)
			sprintf(text, "%uy%uw%ud%uh%um%u.%09us", all / 31536000,
				all % 31536000 / 604800,
				all % 31536000 % 604800 / 86400,
				all % 31536000 % 604800 % 86400 / 3600,
				all % 31536000 % 604800 % 3600 / 60,
				all % 31536000 % 604800 % 60, part);
		else
			sprintf(text, "%u.%09u", all, part);
		why = duration_scan(text, strlen(text), &seconds);
		tap_require(!why == (expected <= KCUCKOO_TIMEOUT_MAX), "'%s'",
			    text);
		tap_require(why || seconds == expected, "'%s': %u", text,
			    seconds);
	}
}

/* Rounded down, so that no filter is worse than asked for. */
static void test_rate(void)
{
	static const struct {
		const char *text;
		u32 rate;	/* 0 for none */
	} cases[] = {
		{ "0.5", 1U << 31 }, { ".5", 1U << 31 }, { "50%", 1U << 31 },
		{ "0.001", 4294967 }, { "1e-3", 4294967 }, { "0.1%", 4294967 },
		{ "1E-3", 4294967 }, { "0.00000000023283064366", 1 },
		{ "0.9999999999", UINT32_MAX }, { "99.99999999%", UINT32_MAX },
		{ "2e-10", 0 }, { "0", 0 }, { "1", 0 }, { "100%", 0 },
		{ "1e9", 0 }, { "-0.1", 0 }, { "+0.1", 0 }, { " 0.1", 0 },
		{ "0.1 ", 0 }, { "0.1%%", 0 }, { "0.1 %", 0 }, { "", 0 },
		{ "%", 0 }, { ".", 0 }, { "nan", 0 }, { "inf", 0 },
		{ "0x1p-3", 0 }, { "0.1x", 0 }, { "1/100", 0 },
	};
	size_t i;

	for (i = 0; i < TAP_COUNT(cases); i++) {
		u32 rate = 0;
		const char *why = rate_scan(cases[i].text, &rate);

		tap_require(!why == !!cases[i].rate, "'%s'", cases[i].text);
		tap_require(rate == cases[i].rate, "'%s': %u", cases[i].text,
			    rate);
	}
}

static const struct tap_test tests[] = {
	{ "number.table: decimal and hexadecimal, nothing else", test_number },
	{ "number.limit: neither too large nor overflown", test_limit },
	{ "number.duration: seconds and units, up to ten years", test_duration },
	{ "number.duration-why: the reason is named", test_duration_why },
	{ "number.duration-forms: units and fractions add up", test_duration_forms },
	{ "number.rate: fractions, exponents and percent", test_rate },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
