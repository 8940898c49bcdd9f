// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb doctor looks for problems that keep kcuckoo from working. For each finding,
 * the verb prints a command that fixes the problem, or advice. This file has the table
 * of all checks, and runs the checks. The checks of the configuration and of the files of
 * the state, see cmd/folders.h, are in doctor_config.c; all other checks are in doctor/.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "cmd/configured.h"
#include "cmd/doctor_config.h"
#include "doctor/doctor.h"
#include "json.h"
#include "message.h"
#include "rules/rules.h"

/**
 * struct check - one row of the table of checks
 * @name: name of the check, at the beginning of each line that the check prints
 * @run: function that does the check
 */
struct check {
	const char *name;
	void (*run)(struct doctor *doctor);
};

/* The checks in the order in which they run. */
static const struct check checks[] = {
	{ "module", check_module },
	{ "headers", check_headers },
	{ "signature", check_signature },
	{ "device", check_device },
	{ "plugins", check_plugins },
	{ "btf", check_types },
	{ "memory", check_memory },
	{ "filters", check_filters },
	{ "rules", check_rules },
	{ "flowtables", check_flowtables },
	{ "configuration", check_config },
	{ "lists", check_lists },
	{ "state", check_state },
	{ "units", check_units },
};

static int prepare(struct doctor *doctor, const struct args *args)
{
	struct cli *cli = doctor->cli;
	char word[WORD_TEXT];
	int ret;

	snprintf(doctor->self, sizeof(doctor->self), "kcuckoo%s%s",
		 cli->netns ? " -n " : "",
		 cli->netns ? doctor_word(cli->netns, word) : "");
	doctor->config_given = args->config;
	/*
	 * If the module is not loaded, do not open the device file: the kernel would
	 * load the module, and the verb doctor must change nothing.
	 */
	if (access("/sys/module/kcuckoo", F_OK))
		doctor->open_error = -ENXIO;
	else if (cli_open_loaded(cli, &doctor->open_error))
		return -1;
	if (!doctor->open_error) {
		doctor->stats.size = sizeof(doctor->stats);
		ret = kcuckoo_stats(cli->handle, &doctor->stats);
		if (ret)
			doctor->open_error = ret;
	}
	if (!doctor->open_error) {
		doctor->rule_count = rules_list(cli, &doctor->rules, false);
		if (doctor->rule_count < 0)
			return plain_error(doctor->rule_count, "list the rules");
	}
	/* Keep the first error of the configuration, and discard all further errors. */
	error_capture(doctor->config_error, sizeof(doctor->config_error));
	configured_read(cli, args, false, &doctor->config);
	error_capture(NULL, 0);
	doctor->configured = doctor->config.file_count;
	return 0;
}

/*
 * Prepare the environment for programs that checks run. Add /usr/sbin and /sbin to
 * PATH, because some of the programs are in these folders. Set the locale C, because
 * checks parse the output of the programs. Set SIGCHLD to its default: if a parent
 * process has set SIGCHLD to be ignored, waitpid() cannot return exit codes.
 */
static int prepare_programs(void)
{
	const char *path = getenv("PATH");
	char *longer;
	int ret;

	signal(SIGCHLD, SIG_DFL);
	/*
	 * If PATH is empty, replace it: an empty entry of PATH means the current
	 * folder.
	 */
	if (asprintf(&longer, "%s:/usr/sbin:/sbin",
		     path && *path ? path : "/usr/bin:/bin") < 0)
		return error("not enough memory");
	ret = setenv("PATH", longer, 1) || setenv("LC_ALL", "C", 1);
	free(longer);
	return ret ? error("not enough memory") : 0;
}

static int print_result(struct doctor *doctor)
{
	struct cli *cli = doctor->cli;

	if (cli->json)
		return json_print(json_pack("{s:b, s:O, s:O}", "well",
					    !doctor->found, "findings",
					    doctor->findings, "not_checked",
					    doctor->not_checked));
	if (!doctor->found)
		say(cli, "no problems found");
	return 0;
}

int verb_doctor(struct cli *cli, const struct args *args)
{
	struct doctor doctor = {
		.cli = cli,
		.findings = json_array(),
		.not_checked = json_array(),
	};
	size_t i;
	int ret = prepare_programs() || prepare(&doctor, args);

	for (i = 0; !ret && i < sizeof(checks) / sizeof(*checks); i++) {
		doctor.check = checks[i].name;
		checks[i].run(&doctor);
	}
	if (!ret)
		ret = print_result(&doctor);
	free(doctor.rules);
	config_free(&doctor.config);
	json_decref(doctor.findings);
	json_decref(doctor.not_checked);
	if (ret)
		return -1;
	return doctor.found ? EXIT_NO : EXIT_YES;
}
