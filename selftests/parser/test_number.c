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
		u64 most;
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
					cases[i].most, &number);

		tap_require(good == cases[i].good, "'%s'", cases[i].text);
		tap_require(number == cases[i].number, "'%s': %llu",
			    cases[i].text, number);
	}
}

/* All numbers near the limit, in both notations. */
static void test_limit(void)
{
	char text[32];
	u64 number, most;
	int i;

	for (i = 0; i < 20000; i++) {
		u64 value = random_edge(64);

		most = value + (int)random_below(3) - 1;
		sprintf(text, i % 2 ? "%llu" : "0x%llx", value);
		if (number_scan(text, strlen(text), most, &number))
			tap_require(value <= most && number == value,
				    "%s, at most %llu: %llu", text, most,
				    number);
		else
			tap_require(value > most, "%s, at most %llu", text,
				    most);
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
		{ "1y", false, 0 }, { "1ms", false, 0 }, { "1h30m", false, 0 },
		{ "1.5h", false, 0 }, { "-1", false, 0 }, { "1 h", false, 0 },
		{ "1H", false, 0 }, { "0x10", true, 16 }, { "0x1f", true, 31 },
		{ "0x1d", false, 0 }, { "0X1s", false, 0 }, { "0xw", false, 0 },
	};
	size_t i;

	for (i = 0; i < TAP_COUNT(cases); i++) {
		u32 seconds = 0;
		bool good = duration_scan(cases[i].text, strlen(cases[i].text),
					  &seconds);

		tap_require(good == cases[i].good, "'%s'", cases[i].text);
		tap_require(seconds == cases[i].seconds, "'%s': %u",
			    cases[i].text, seconds);
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
	{ "number.rate: fractions, exponents and percent", test_rate },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
