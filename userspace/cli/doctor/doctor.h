/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header has the checks of the verb doctor, which cmd/doctor.c calls, and the
 * functions with which a check reports its findings. A finding is a problem; the report
 * can have advice, and a command that fixes the problem. A check changes nothing, and
 * needs neither root nor the module. If a check cannot inspect something, the check
 * reports this with doctor_skip().
 */
#ifndef KCUCKOO_CLI_DOCTOR_H
#define KCUCKOO_CLI_DOCTOR_H

#include <jansson.h>

#include "cli.h"
#include "conf/config.h"
#include "message.h"

/* Size of a buffer for a command that fixes a problem, or for a sentence, in bytes. */
#define DOCTOR_COMMAND	1024

/* Size of a buffer for one word of a command line, in bytes. */
#define WORD_TEXT	256

/**
 * struct doctor - state of the verb doctor
 * @cli: state of the command
 * @self: the command for this namespace: "kcuckoo" or "kcuckoo -n NETNS"
 * @check: name of the check that runs
 * @config: the configuration, kcuckoo.conf(5); possibly incomplete if it has errors
 * @config_given: argument of --config, or NULL
 * @config_error: the first error of the configuration, or empty
 * @configured: @config has at least one file, possibly with errors
 * @open_error: negative errno if the device /dev/kcuckoo could not be opened, or if
 *	@stats could not be read; or 0, and then the device is open
 * @stats: statistics of the namespace, if the device is open
 * @rules: all rules, if the device is open
 * @rule_count: number of rules
 * @command: the command that fixes the problem of the next finding, or empty
 * @advice: advice on the next finding, or empty
 * @findings: the findings, for -j
 * @not_checked: the reports of doctor_skip(), for -j
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

/* The following functions are in report.c. */

/**
 * doctor_command() - set the command that fixes the problem of the next finding
 * @doctor: state of the verb
 * @format: the command, in the format of printf()
 * @...: arguments of @format. The caller must use doctor_word() to quote each word that
 *	can have special characters of the shell
 *
 * If the command or one of its words is too long, this function sets no command. If no
 * advice is set, it then sets advice that says so.
 */
void doctor_command(struct doctor *doctor, const char *format, ...) PRINTF(2, 3);

/**
 * doctor_config_command() - set the command that fixes the problem to 'kcuckoo VERB NAME'
 * @doctor: state of the verb
 * @verb: the verb, which reads the configuration, possibly with options
 * @name: operand of the verb, or empty
 *
 * If the user gave the option --config, this function adds the option to the command.
 * Without the option, the command would not read the configuration that has the
 * problem.
 */
void doctor_config_command(struct doctor *doctor, const char *verb,
			   const char *name);

/**
 * doctor_advice() - set the advice on the next finding
 * @doctor: state of the verb
 * @format: the advice, in the format of printf()
 * @...: arguments of @format
 */
void doctor_advice(struct doctor *doctor, const char *format, ...) PRINTF(2, 3);

/**
 * doctor_find() - report a finding, with the command and the advice that were set
 * @doctor: state of the verb
 * @format: the problem as a sentence, in the format of printf()
 * @...: arguments of @format
 */
void doctor_find(struct doctor *doctor, const char *format, ...) PRINTF(2, 3);

/**
 * doctor_skip() - report that a check cannot inspect something
 * @doctor: state of the verb
 * @format: the reason, in the format of printf()
 * @...: arguments of @format
 */
void doctor_skip(struct doctor *doctor, const char *format, ...) PRINTF(2, 3);

/**
 * doctor_word() - quote a text as one word for the shell
 * @text: the text
 * @word: out: the word; if @text is too long, a word that doctor_command() rejects
 *
 * Return: @word.
 */
const char *doctor_word(const char *text, char word[WORD_TEXT]);

/**
 * doctor_has_device() - check that the device is open
 * @doctor: state of the verb
 *
 * If the device is not open, this function reports with doctor_skip() that the check
 * needs the device.
 *
 * Return: true if the device is open.
 */
bool doctor_has_device(struct doctor *doctor);

/* The checks follow, each after the name of its file. */

/* module.c: check that the module is installed, loaded, and of this version. */
void check_module(struct doctor *doctor);

/*
 * headers.c: check that the running kernel has its headers, and that the newest installed
 * kernel has the module and its headers.
 */
void check_headers(struct doctor *doctor);

/* signature.c: check that the kernel accepts the signature of the module. */
void check_signature(struct doctor *doctor);

/* node.c: check the device file and its permissions. */
void check_device(struct doctor *doctor);

/* plugin.c: check that iptables finds the plugins of kcuckoo. */
void check_plugins(struct doctor *doctor);

/* types.c: check that the module has the BTF (type information) that rules of hook xdp need. */
void check_types(struct doctor *doctor);

/* limits.c: check the limits of the namespace, and of each filter. */
void check_memory(struct doctor *doctor);
void check_filters(struct doctor *doctor);

/* rules.c: check that each rule can match packets, and that no flowtable bypasses rules. */
void check_rules(struct doctor *doctor);
void check_flowtables(struct doctor *doctor);

/* units.c: check that systemd starts the units that the configuration needs. */
void check_units(struct doctor *doctor);

#endif /* KCUCKOO_CLI_DOCTOR_H */
