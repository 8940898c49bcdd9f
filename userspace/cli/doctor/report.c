// SPDX-License-Identifier: GPL-2.0-only
/*
 * The checks of the verb doctor call these functions to report findings, and to report
 * things that a check cannot inspect.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "doctor/doctor.h"
#include "json.h"
#include "message.h"

/* Text that doctor_word() writes instead of a word that is too long. */
#define TOO_LONG	"\1"

/* A user must not run a truncated command, which would do something else: discard it. */
void doctor_command(struct doctor *doctor, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(doctor->command, sizeof(doctor->command), format, args);
	va_end(args);
	if (length < (int)sizeof(doctor->command) &&
	    !strstr(doctor->command, TOO_LONG))
		return;
	*doctor->command = 0;
	if (!*doctor->advice)
		doctor_advice(doctor, "the command that repairs it is too long to print");
}

void doctor_config_command(struct doctor *doctor, const char *verb,
			   const char *name)
{
	char folder[WORD_TEXT];
	const char *given = doctor->config_given;

	doctor_command(doctor, "%s %s%s%s%s%s", doctor->self, verb, *name ? " " : "",
		       name, given ? " --config " : "",
		       given ? doctor_word(given, folder) : "");
}

void doctor_advice(struct doctor *doctor, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(doctor->advice, sizeof(doctor->advice), format, args);
	va_end(args);
}

/* Write an empty text as null. */
static void set_text(json_t *object, const char *key, const char *text)
{
	if (*text)
		json_set_text(object, key, text, strlen(text));
	else
		json_object_set_new(object, key, json_null());
}

static void print_finding(const struct doctor *doctor, const char *problem)
{
	printf("%s: %s", doctor->check, problem);
	if (*doctor->advice)
		printf("; %s", doctor->advice);
	if (*doctor->command)
		printf("; run: %s", doctor->command);
	putchar('\n');
}

void doctor_find(struct doctor *doctor, const char *format, ...)
{
	char problem[DOCTOR_COMMAND];
	json_t *object;
	va_list args;

	va_start(args, format);
	vsnprintf(problem, sizeof(problem), format, args);
	va_end(args);
	if (doctor->cli->json) {
		object = json_pack("{s:s}", "check", doctor->check);
		set_text(object, "problem", problem);
		set_text(object, "advice", doctor->advice);
		set_text(object, "command", doctor->command);
		json_array_append_new(doctor->findings, object);
	} else {
		print_finding(doctor, problem);
	}
	doctor->found++;
	*doctor->command = 0;
	*doctor->advice = 0;
}

void doctor_skip(struct doctor *doctor, const char *format, ...)
{
	char reason[DOCTOR_COMMAND];
	json_t *object;
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	if (doctor->cli->json) {
		object = json_pack("{s:s}", "check", doctor->check);
		set_text(object, "reason", reason);
		json_array_append_new(doctor->not_checked, object);
	} else {
		printf("%s: not checked: %s\n", doctor->check, reason);
	}
}

/* Characters that need no quotes in a word of the shell. */
#define PLAIN	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:/@%+,-"

const char *doctor_word(const char *text, char word[WORD_TEXT])
{
	char *at = word;

	if (*text && strspn(text, PLAIN) == strlen(text)) {
		if (snprintf(word, WORD_TEXT, "%s", text) >= WORD_TEXT)
			strcpy(word, TOO_LONG);
		return word;
	}
	*at++ = '\'';
	for (; *text; text++) {
		if (at >= word + WORD_TEXT - 6) {
			strcpy(word, TOO_LONG);
			return word;
		}
		if (*text == '\'') {
			memcpy(at, "'\\''", 4);
			at += 4;
		} else {
			*at++ = *text;
		}
	}
	strcpy(at, "'");
	return word;
}

bool doctor_has_device(struct doctor *doctor)
{
	switch (-doctor->open_error) {
	case 0:
		return true;
	case EPERM:
	case EACCES:
		doctor_skip(doctor, "this needs CAP_NET_ADMIN and access to %s: run it as root (sudo)",
			    KCUCKOO_DEVICE);
		return false;
	case ENXIO:
		doctor_skip(doctor, "this needs the module and its device");
		return false;
	default:
		doctor_skip(doctor, "cannot open %s: %s", KCUCKOO_DEVICE,
			    kcuckoo_strerror(doctor->open_error));
		return false;
	}
}
