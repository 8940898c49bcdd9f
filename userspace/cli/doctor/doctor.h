/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header has the checks of the verb doctor, which cmd/doctor.c calls, and
 * the functions with which a check reports its findings. A check changes nothing,
 * and needs neither root nor the module. A check reports what it cannot inspect.
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
 * @config: the configuration; empty without one, or if it has errors
 * @config_given: argument of --config, or NULL
 * @config_error: the first error of the configuration, or empty
 * @configured: the folder of the configuration has files
 * @open_error: negative errno of opening the device, or 0
 * @stats: totals of the module, if the device is open
 * @rules: all rules, if the device is open
 * @rule_count: number of rules
 * @command: the command that mends the next finding, or empty
 * @advice: advice on the next finding, or empty
 * @findings: the findings, for -j
 * @not_checked: what the checks could not inspect, for -j
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
 * report.c: doctor_command() and doctor_advice() set the command and the advice
 * for the next finding, and doctor_find() reports this finding. doctor_skip()
 * reports what a check cannot inspect. If a command or one of its words is too
 * long, doctor_command() sets advice instead.
 */
void doctor_command(struct doctor *doctor, const char *format, ...) PRINTF(2, 3);
void doctor_advice(struct doctor *doctor, const char *format, ...) PRINTF(2, 3);
void doctor_find(struct doctor *doctor, const char *format, ...) PRINTF(2, 3);
void doctor_skip(struct doctor *doctor, const char *format, ...) PRINTF(2, 3);

/*
 * report.c: write @text to @word, quoted as one word for the shell. If @text is
 * too long, write a word that doctor_command() refuses. Return: @word.
 */
const char *doctor_word(const char *text, char word[WORD_TEXT]);

/*
 * report.c: return true if the device is open. Otherwise report that the check
 * needs the device.
 */
bool doctor_has_device(struct doctor *doctor);

/* module.c: check that the module is installed, loaded, and of this version. */
void check_module(struct doctor *doctor);

/* headers.c: check the headers of this kernel and the newest installed kernel. */
void check_headers(struct doctor *doctor);

/* signature.c: check that the kernel accepts the signature of the module. */
void check_signature(struct doctor *doctor);

/* node.c: check the device file and its permissions. */
void check_device(struct doctor *doctor);

/* plugin.c: check that iptables finds the plugins. */
void check_plugins(struct doctor *doctor);

/* types.c: check that the module has the BTF (type information) for hook xdp. */
void check_types(struct doctor *doctor);

/* limits.c: check the limits of the namespace, and of each filter. */
void check_memory(struct doctor *doctor);
void check_filters(struct doctor *doctor);

/* rules.c: check that each rule can match, and that no flowtable bypasses it. */
void check_rules(struct doctor *doctor);
void check_flowtables(struct doctor *doctor);

/* units.c: check that systemd starts the units that the configuration needs. */
void check_units(struct doctor *doctor);

#endif /* KCUCKOO_CLI_DOCTOR_H */
