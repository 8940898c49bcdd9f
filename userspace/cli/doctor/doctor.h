/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The checks of the verb doctor, and the functions with which they report what
 * they find. A check changes nothing, and needs neither root nor the module: it
 * reports what it cannot look at.
 */
#ifndef KCUCKOO_CLI_DOCTOR_H
#define KCUCKOO_CLI_DOCTOR_H

#include <jansson.h>

#include "cli.h"
#include "conf/config.h"
#include "message.h"

/* Size of a buffer for a command that mends something, or for a sentence. */
#define DOCTOR_COMMAND	1024

/* Size of a buffer for one word of a command line. */
#define WORD_TEXT	256

/**
 * struct doctor - state of the verb doctor
 * @cli: state of the command
 * @self: the command for this namespace: "kcuckoo" or "kcuckoo -n NETNS"
 * @check: name of the check that runs
 * @config: the configuration, empty if there is none or it has errors
 * @config_given: argument of --config, or NULL
 * @config_error: the first error of the configuration, or empty
 * @configured: there are files of a configuration
 * @open_error: negative errno of opening the device, or 0
 * @stats: totals of the module, if the device is open
 * @rules: all rules, if the device is open
 * @rule_count: number of rules
 * @command: the command that mends the next finding, or empty
 * @advice: advice on the next finding, or empty
 * @findings: the findings, for -j
 * @not_checked: what the checks could not look at, for -j
 * @found: number of findings
 */
struct doctor {
	struct cli *cli;
	char self[WORD_TEXT + 16];
	const char *check;
	struct config config;
	const char *config_given;
	char config_error[DOCTOR_COMMAND];
	bool configured;
	int open_error;
	struct kcuckoo_ioc_stats stats;
	struct kcuckoo_rule *rules;
	int rule_count;
	char command[DOCTOR_COMMAND];
	char advice[DOCTOR_COMMAND];
	json_t *findings;
	json_t *not_checked;
	int found;
};

/*
 * report.c: doctor_command() and doctor_advice() set what mends the next finding,
 * which doctor_find() reports. doctor_skip() reports what a check cannot look at.
 * A command that is too long, or has a word that is, is replaced by advice.
 */
void doctor_command(struct doctor *doctor, const char *format, ...) PRINTF(2, 3);
void doctor_advice(struct doctor *doctor, const char *format, ...) PRINTF(2, 3);
void doctor_find(struct doctor *doctor, const char *format, ...) PRINTF(2, 3);
void doctor_skip(struct doctor *doctor, const char *format, ...) PRINTF(2, 3);

/*
 * report.c: write @text as one word of a command line of the shell to @word. If
 * it is too long, write a word that doctor_command() refuses. Return: @word.
 */
const char *doctor_word(const char *text, char word[WORD_TEXT]);

/*
 * Return: true if the device is open. Otherwise report that the check needs it,
 * unless the check of the device or of the module reports the cause.
 */
bool doctor_has_device(struct doctor *doctor);

/* module.c: is the module installed for this kernel, loaded, of this version? */
void check_module(struct doctor *doctor);

/* headers.c: can the module be built for this kernel and for the newest one? */
void check_headers(struct doctor *doctor);

/* signature.c: does the kernel accept the signature of the module? */
void check_signature(struct doctor *doctor);

/* node.c: is the device file there, for its group only? */
void check_device(struct doctor *doctor);

/* plugin.c: does iptables find the plugins? */
void check_plugins(struct doctor *doctor);

/* types.c: does the module have the type information that hook xdp needs? */
void check_types(struct doctor *doctor);

/* limits.c: is there room in the namespace, and in each filter? */
void check_memory(struct doctor *doctor);
void check_filters(struct doctor *doctor);

/* rules.c: does each rule match packets, and does each packet reach it? */
void check_rules(struct doctor *doctor);
void check_flowtables(struct doctor *doctor);

/* units.c: does systemd start what the configuration needs? */
void check_units(struct doctor *doctor);

#endif /* KCUCKOO_CLI_DOCTOR_H */
