// SPDX-License-Identifier: GPL-2.0-only
/*
 * These checks of the verb doctor find problems of the configuration, of the copies of
 * lists, and of the files of the state.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/applied.h"
#include "cmd/configured.h"
#include "cmd/doctor_config.h"
#include "cmd/folders.h"
#include "cmd/last_apply.h"
#include "cmd/list_url.h"
#include "cmd/present.h"
#include "cmd/status.h"
#include "fetch/state.h"
#include "keywords.h"
#include "message.h"
#include "snapshot_file.h"

/*
 * State of the verb for report_missing(), to which configured_devices() passes no context.
 */
static struct doctor *reporting;

static void report_missing(const struct config_rule *rule, const char *dev)
{
	char buf[DEVICE_TEXT];

	doctor_advice(reporting, "'ip link' lists the devices");
	doctor_find(reporting, "the rule %s waits for a device %s", rule->name,
		    device_text(dev, buf));
}

/*
 * @conflict: out: message of configured_conflicts(). Return: 1 if filters or rules differ from
 * the configuration, 0 if not, or -1 after an error message.
 */
static int compare(struct doctor *doctor, char conflict[DOCTOR_COMMAND])
{
	struct present present;
	int ret = present_read(doctor->cli, &present);

	if (!ret)
		ret = configured_differs(&doctor->config, &present);
	if (ret > 0 && present_leave_out(doctor->cli, &present, &doctor->config))
		ret = -1;
	if (ret > 0) {
		error_capture(conflict, DOCTOR_COMMAND);
		configured_conflicts(&doctor->config, &present);
	}
	present_free(&present);
	return ret;
}

static void find_difference(struct doctor *doctor, const char *conflict)
{
	if (*conflict) {
		doctor_advice(doctor, "this command names all conflicts");
		doctor_config_command(doctor, "apply --dry-run", "");
		doctor_find(doctor, "the configuration cannot be applied: %s", conflict);
	} else if (applied_is_unconfirmed(doctor->cli, &doctor->config)) {
		doctor_advice(doctor, "if it is right, then 'kcuckoo confirm' keeps it");
		doctor_config_command(doctor, "apply --confirm", "");
		doctor_find(doctor, "the configuration was not confirmed, so it was undone");
	} else {
		doctor_config_command(doctor, "apply", "");
		doctor_find(doctor, "the filters and rules differ from the configuration");
	}
}

/*
 * The last apply can have failed although the filters and rules are as the configuration
 * says: for example, apply could not read a list.
 */
static void find_failed_apply(struct doctor *doctor)
{
	char text[LOCAL_TIME_TEXT];
	bool success;
	time_t when;

	if (!last_apply_read(doctor->cli, &when, &success) || success)
		return;
	doctor_advice(doctor, "this command shows why");
	doctor_config_command(doctor, "apply", "");
	doctor_find(doctor, "the last 'kcuckoo apply' failed at %s",
		    local_time_text(when, text));
}

static bool is_denied(const struct doctor *doctor, const char *folder)
{
	size_t i;

	if (access(folder, R_OK | X_OK))
		return errno == EACCES;
	for (i = 0; i < doctor->config.file_count; i++)
		if (access(doctor->config.files[i].path, R_OK) && errno == EACCES)
			return true;
	return false;
}

/* Without --config and without a copy of an applied configuration, report nothing. */
static void find_missing(struct doctor *doctor)
{
	if (!doctor->config_given && !applied_exists(doctor->cli))
		return;
	if (doctor->config_given)
		doctor_advice(doctor, "kcuckoo.conf(5) shows how to write a configuration");
	else
		doctor_advice(doctor, "a copy of the configuration that was applied last exists: 'kcuckoo down' removes its filters and rules");
	doctor_find(doctor, "%s", doctor->config_error);
}

void check_config(struct doctor *doctor)
{
	char why[DOCTOR_COMMAND], conflict[DOCTOR_COMMAND] = "";
	char folder[CONFIG_FOLDER_TEXT] = "";
	int ret;

	error_capture(why, sizeof(why));
	config_folder(doctor->cli->netns, doctor->config_given, folder);
	error_capture(NULL, 0);
	if (*doctor->config_error && *folder && is_denied(doctor, folder)) {
		doctor_skip(doctor, "%s", doctor->config_error);
		return;
	}
	if (!doctor->configured) {
		find_missing(doctor);
		return;
	}
	if (*doctor->config_error) {
		doctor_advice(doctor, "this command prints all mistakes");
		doctor_config_command(doctor, "apply --check", "");
		doctor_find(doctor, "%s", doctor->config_error);
		return;
	}
	/* check_memory() has reported a device that cannot be opened. */
	if (doctor->open_error)
		return;
	reporting = doctor;
	error_capture(why, sizeof(why));
	ret = configured_devices(&doctor->config, NULL, report_missing);
	if (!ret)
		ret = compare(doctor, conflict);
	error_capture(NULL, 0);
	if (ret < 0)
		doctor_skip(doctor, "%s", why);
	else if (ret)
		find_difference(doctor, conflict);
	else
		find_failed_apply(doctor);
}

/* @changed: list_url_has_changed() of the list. */
static void find_list(struct doctor *doctor, const char *name,
		      const struct list_state *state, bool changed)
{
	bool refused = !strcmp(state->word, "refused");

	if (refused && !changed)
		doctor_advice(doctor, "if the new copy is right");
	doctor_config_command(doctor, refused && !changed ? "accept" : "fetch", name);
	if (refused && changed)
		doctor_find(doctor, "the newest copy of the list %s was refused, and is of another url, format or setting of bogons",
			    name);
	else if (state->age < 0)
		doctor_find(doctor, "the copy of the list %s is %s", name, state->word);
	else if (refused)
		doctor_find(doctor, "the newest copy of the list %s was refused, and the one in use is %lld h old",
			    name, state->age / 3600);
	else
		doctor_find(doctor, "the copy of the list %s, %lld h old, is %s", name,
			    state->age / 3600,
			    strcmp(state->word, "expired") ? "stale" : "expired");
}

void check_lists(struct doctor *doctor)
{
	struct list_state state;
	int folder, cache;
	size_t i;

	if (*doctor->config_error)
		return;
	folder = state_open_lists(doctor->cli->netns);
	cache = state_open_cache(doctor->cli->netns);
	for (i = 0; i < doctor->config.list_count; i++) {
		const struct config_list *list = doctor->config.lists[i];

		if (!list->used || !list->urls.count)
			continue;
		if (folder == -EACCES || folder == -EPERM) {
			doctor_skip(doctor, "the copies of lists need root");
			break;
		}
		list_state_read(folder, list, &state);
		if (strcmp(state.word, "ok"))
			find_list(doctor, list->name, &state,
				  list_url_has_changed(cache, &doctor->config, list));
	}
	if (folder >= 0)
		close(folder);
	if (cache >= 0)
		close(cache);
}

static void check_applied(struct doctor *doctor)
{
	char path[FOLDERS_PATH], why[DOCTOR_COMMAND];
	struct config config;
	int ret;

	if (state_path(doctor->cli, "applied", path) || access(path, F_OK))
		return;
	if (access(path, R_OK | X_OK)) {
		doctor_skip(doctor, "the copy of the configuration needs root");
		return;
	}
	error_capture(why, sizeof(why));
	ret = applied_read(doctor->cli, &config);
	error_capture(NULL, 0);
	config_free(&config);
	if (ret >= 0)
		return;
	doctor_config_command(doctor, "apply", "");
	doctor_find(doctor, "the copy of the configuration that was applied last is damaged: %s",
		    why);
}

/*
 * Set the command that saves the filter @name to @path. If @other is not NULL, the command
 * first renames the old file to @other.
 */
static void suggest_save(struct doctor *doctor, const char *name, const char *path,
			 const char *other)
{
	char word[WORD_TEXT], to[WORD_TEXT];

	doctor_word(path, word);
	if (other)
		doctor_command(doctor, "mv %s %s && %s save %s %s", word,
			       doctor_word(other, to), doctor->self, name, word);
	else
		doctor_command(doctor, "%s save %s %s", doctor->self, name, word);
}

/* Check a snapshot by restoring it as a staged filter. */
static void check_snapshot(struct doctor *doctor, const char *name, int fd,
			   const char *path)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	char staged[KCUCKOO_NAME_SIZE] = "", word[WORD_TEXT], to[WORD_TEXT];
	const char *why = NULL;
	struct kcuckoo *handle;
	char other[FOLDERS_PATH + 16];
	bool version;
	int ret = kcuckoo_open(&handle, NULL);

	/* kcuckoo_close() destroys the staged filter. */
	if (!ret)
		ret = kcuckoo_restore(handle, staged, KCUCKOO_RESTORE_STAGED, fd, &why);
	kcuckoo_close(handle);
	if (!ret)
		return;
	if (ret != -EBADMSG) {
		doctor_skip(doctor, "cannot read %s: %s", path,
			    why ? why : kcuckoo_strerror(ret));
		return;
	}
	version = snapshot_has_other_version(ret, why);
	snprintf(other, sizeof(other), "%s.%s", path, version ? "version1" : "damaged");
	if (!kcuckoo_info(doctor->cli->handle, name, &info))
		suggest_save(doctor, name, path, version ? other : NULL);
	else if (!version)
		doctor_command(doctor, "mv %s %s", doctor_word(path, word),
			       doctor_word(other, to));
	if (version)
		doctor_advice(doctor, "the version of kcuckoo that saved the file can restore it");
	doctor_find(doctor, "the kept members of filter %s cannot be restored: %s: %s",
		    name, path, snapshot_error_text(ret, why));
}

static void check_kept(struct doctor *doctor, const char *name)
{
	char file[KCUCKOO_NAME_SIZE + 4], path[FOLDERS_PATH], why[DOCTOR_COMMAND];
	int fd;

	snprintf(file, sizeof(file), "%s.kcf", name);
	if (state_path(doctor->cli, file, path))
		return;
	error_capture(why, sizeof(why));
	fd = snapshot_open(path, O_NOFOLLOW);
	error_capture(NULL, 0);
	if (fd < 0 && fd != -ENOENT)
		doctor_skip(doctor, "%s", why);
	if (fd < 0)
		return;
	if (doctor->open_error)
		doctor_skip(doctor, "only the module can read %s", path);
	else
		check_snapshot(doctor, name, fd, path);
	close(fd);
}

void check_state(struct doctor *doctor)
{
	size_t i;

	if (!doctor->configured || !has_folders(doctor->cli))
		return;
	check_applied(doctor);
	for (i = 0; i < doctor->config.filter_count; i++) {
		const struct config_filter *filter = doctor->config.filters[i];

		if (filter->keep && !filter->lists.count)
			check_kept(doctor, filter->name);
	}
}
