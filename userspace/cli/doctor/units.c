// SPDX-License-Identifier: GPL-2.0-only
/*
 * check_units() finds out whether systemd starts the units that the configuration
 * needs. If systemd does not run, check_units() checks nothing.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor/doctor.h"
#include "doctor/program.h"

/* Size of a buffer for the name of a unit, in bytes. */
#define UNIT_TEXT	320

static void check_failed(struct doctor *doctor, const char *unit)
{
	const char * const argv[] = { "systemctl", "is-failed", unit, NULL };
	char output[256], word[WORD_TEXT];

	if (program_run(argv, output, sizeof(output)) || strcmp(output, "failed"))
		return;
	doctor_word(unit, word);
	doctor_advice(doctor, "'journalctl -u %s' has the reason", word);
	doctor_command(doctor, "systemctl restart %s", word);
	doctor_find(doctor, "the unit %s has failed", unit);
}

/* @what: the consequence if the unit is not enabled. */
static void check_unit(struct doctor *doctor, const char *unit, const char *what)
{
	const char * const argv[] = { "systemctl", "is-enabled", unit, NULL };
	char output[256], word[WORD_TEXT];
	int ret = program_run(argv, output, sizeof(output));

	if (ret < 0) {
		doctor_skip(doctor, "systemctl cannot be run");
	} else if (ret) {
		if (!strcmp(output, "masked"))
			doctor_command(doctor, "systemctl unmask %s && systemctl enable --now %s",
				       doctor_word(unit, word), word);
		else
			doctor_command(doctor, "systemctl enable --now %s",
				       doctor_word(unit, word));
		doctor_find(doctor, "the unit %s is not enabled, so %s", unit, what);
	} else {
		check_failed(doctor, unit);
	}
}

/*
 * Return: true if a filter uses a list that is downloaded. After an error in the
 * configuration, the result can be wrong.
 */
static bool needs_fetch(const struct config *config)
{
	size_t i;

	for (i = 0; i < config->list_count; i++)
		if (config->lists[i]->used && config->lists[i]->urls.count)
			return true;
	return false;
}

/*
 * Return: true if the units apply the configuration that is checked. If the units read
 * another folder than --config, doctor must not propose to enable them, because they would
 * replace the filters and rules of the checked configuration.
 */
static bool has_units(struct doctor *doctor)
{
	char folder[CONFIG_FOLDER_TEXT], why[DOCTOR_COMMAND];
	struct stat given, used;
	int ret;

	if (!doctor->config_given)
		return true;
	error_capture(why, sizeof(why));
	ret = config_folder(doctor->cli->netns, NULL, folder);
	error_capture(NULL, 0);
	/* The namespace is given as a path. Units exist only for namespaces with a name. */
	if (ret)
		return false;
	if (!stat(doctor->config_given, &given) && !stat(folder, &used) &&
	    given.st_dev == used.st_dev && given.st_ino == used.st_ino)
		return true;
	doctor_skip(doctor, "the units apply the configuration in %s, and not that of --config",
		    folder);
	return false;
}

/*
 * Write the name of a unit for the network namespace of the command to @text. @name: the
 * part before "@" or the dot. @type: the part after the dot, such as "service".
 */
static const char *unit_name(const struct doctor *doctor, const char *name,
			     const char *type, char text[UNIT_TEXT])
{
	const char *netns = doctor->cli->netns;

	snprintf(text, UNIT_TEXT, "%s%s%s.%s", name, netns ? "@" : "",
		 netns ? netns : "", type);
	return text;
}

/*
 * Report kcuckoo-save and, if @fetches, kcuckoo-fetch and kcuckoo-apply, if they have failed.
 * These services need not be enabled, because other units start them. kcuckoo-apply needs
 * kcuckoo-save, so kcuckoo-save comes first.
 */
static void check_started(struct doctor *doctor, bool fetches)
{
	char unit[UNIT_TEXT];

	check_failed(doctor, unit_name(doctor, "kcuckoo-save", "service", unit));
	if (!fetches)
		return;
	check_failed(doctor, unit_name(doctor, "kcuckoo-fetch", "service", unit));
	check_failed(doctor, unit_name(doctor, "kcuckoo-apply", "service", unit));
}

void check_units(struct doctor *doctor)
{
	bool fetches = needs_fetch(&doctor->config);
	char unit[UNIT_TEXT];

	if (!doctor->configured || access("/run/systemd/system", F_OK) ||
	    !has_units(doctor))
		return;
	check_unit(doctor, unit_name(doctor, "kcuckoo", "service", unit),
		   "nothing applies the configuration at boot");
	if (!fetches && *doctor->config_error)
		doctor_skip(doctor, "the units for downloads: after an error in the configuration, the lists that it uses are not known");
	if (fetches)
		check_unit(doctor, unit_name(doctor, "kcuckoo-fetch", "timer", unit),
			   "nothing updates the lists");
	check_started(doctor, fetches);
}
