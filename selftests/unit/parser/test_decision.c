// SPDX-License-Identifier: GPL-2.0-only
/*
 * decision_parse(): lines of crowdsec-custom-bouncer, and lines that it must not send.
 */
#include <stdio.h>
#include <string.h>

#include "daemons/decision.h"
#include "tap.h"

static const char * const kinds[] = { "bad", "other", "add", "del" };

/* Parse a copy of @text without a final zero. So sanitizers find reads past its end. */
static enum decision_kind parse(const char *text, struct decision *decision)
{
	size_t length = strlen(text);
	char *copy = tap_zalloc(length);
	enum decision_kind kind;

	if (length)
		memcpy(copy, text, length);
	kind = decision_parse(copy, length, decision);
	tap_free(copy);
	return kind;
}

/* A ban with this duration must be of the kind @kind, with @timeout if it is an add. */
static void expect_duration(const char *duration, enum decision_kind kind, __u32 timeout)
{
	struct decision decision;
	char line[256];
	enum decision_kind found;

	snprintf(line, sizeof(line),
		 "{\"action\":\"add\",\"type\":\"ban\",\"scope\":\"Ip\",\"value\":\"192.0.2.1\",\"duration\":\"%s\"}",
		 duration);
	found = parse(line, &decision);
	tap_require(found == kind, "'%s' is %s, not %s", duration, kinds[found],
		    kinds[kind]);
	tap_require(kind != DECISION_ADD || decision.timeout == timeout,
		    "'%s': %u s, not %u s", duration, decision.timeout, timeout);
	tap_require(kind != DECISION_BAD || (decision.why && *decision.why),
		    "'%s' is bad without a reason", duration);
}

static void test_durations(void)
{
	expect_duration("4h", DECISION_ADD, 4 * 3600);
	expect_duration("3h59m56.205431304s", DECISION_ADD, 4 * 3600 - 3);
	expect_duration("250ms", DECISION_ADD, 1);
	expect_duration("12\xc2\xb5s", DECISION_ADD, 1);
	expect_duration("12\xce\xbcs", DECISION_ADD, 1);
	expect_duration("262800h0m0s", DECISION_ADD, 0);
	expect_duration("0s", DECISION_OTHER, 0);
	expect_duration("-3s", DECISION_OTHER, 0);
	expect_duration("-1m2.3s", DECISION_OTHER, 0);
	expect_duration("-.5s", DECISION_OTHER, 0);
	expect_duration("-262800h0m0s", DECISION_OTHER, 0);
}

static void test_bad_durations(void)
{
	static const char * const durations[] = {
		"", "-", "--3s", "never", "-never", "-xyz", "xyz", "4hours", "-4hours",
		"--1", "262800hx", "-262800hx", ".", "-.", "+3s", " 3s", "- 3s",
	};
	size_t i;

	for (i = 0; i < TAP_COUNT(durations); i++)
		expect_duration(durations[i], DECISION_BAD, 0);
}

static void test_roots(void)
{
	static const char * const lines[] = {
		"", " ", "\"ban\"", "\"ban\" ", "1 ", "1 2 ", "true false ", "[]", "[1] 2 ",
		"[{}]", "\"action\":\"add\"",
	};
	struct decision decision;
	size_t i;

	for (i = 0; i < TAP_COUNT(lines); i++) {
		tap_require(parse(lines[i], &decision) == DECISION_BAD, "'%s' is not bad",
			    lines[i]);
		tap_require(!strcmp(decision.why, "it is not a JSON object"), "'%s': %s",
			    lines[i], decision.why);
	}
}

#define BAN	"{\"action\":\"add\",\"type\":\"ban\",\"scope\":\"Ip\",\"value\":\"192.0.2.1\",\"duration\":\"4h\"}"

static void test_ends(void)
{
	static const char * const after[] = { "x", " x", BAN, "{}", "1 ", "\n", "\"\"" };
	struct decision decision;
	char line[512];
	size_t i;

	tap_require(parse(BAN, &decision) == DECISION_ADD, "%s", decision.why);
	tap_require(parse(BAN " \t\r", &decision) == DECISION_ADD, "%s", decision.why);
	for (i = 0; i < TAP_COUNT(after); i++) {
		snprintf(line, sizeof(line), BAN "%s", after[i]);
		tap_require(parse(line, &decision) == DECISION_BAD, "'%s' is not bad", line);
	}
	/* White space after the line is not a part of it, and a zero is not the end. */
	tap_require(decision_parse(BAN "  ", strlen(BAN), &decision) == DECISION_ADD, "%s",
		    decision.why);
	tap_require(decision_parse(BAN "\0x", strlen(BAN) + 2, &decision) == DECISION_BAD,
		    "a zero ends the line");
}

static const struct tap_test tests[] = {
	{ "decision.durations: as Go prints them", test_durations },
	{ "decision.bad_durations: all others are bad lines", test_bad_durations },
	{ "decision.roots: a line that is not an object", test_roots },
	{ "decision.ends: only white space follows the object", test_ends },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
