// SPDX-License-Identifier: GPL-2.0-only
/*
 * After "apply --confirm", the new configuration waits for its confirmation. These
 * functions save, keep and restore the files of cmd/folders.h.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmd/applied.h"
#include "cmd/file_copy.h"
#include "cmd/folder_copy.h"
#include "cmd/folders.h"
#include "cmd/unconfirmed.h"
#include "fetch/files.h"
#include "message.h"
#include "rules/xdp.h"

/* Suffix of the folders that replace other folders at the confirmation. */
#define UNCONFIRMED	".unconfirmed"

/* Name of the file "configuration" in CONFIRM_FOLDER, see cmd/unconfirmed.h. */
#define CONFIGURATION	"configuration"
/* Path of the file "complete" in CONFIRM_FOLDER, see cmd/unconfirmed.h. */
#define COMPLETE	CONFIRM_FOLDER "/complete"

/*
 * A configuration that still waits this many seconds after the timer has expired is
 * overdue. The program that the timer starts needs time to undo the change, and possibly
 * waits for the lock of changes_lock().
 */
#define OVERDUE		600

/* Files of the running system that are saved and restored. */
static const char * const run_files[] = { "apply", "xdp" };

/**
 * struct change - context of save()
 * @cli: state of the command
 * @config: the configuration
 * @xdp: the file "xdp" existed before this process began
 * @saved: out: save() was called
 */
struct change {
	struct cli *cli;
	const struct config *config;
	bool xdp;
	bool saved;
};

/* Return: the bytes, which the caller frees; or NULL, with errno set. */
static char *read_file(const char *path, size_t *length)
{
	FILE *file = fopen(path, "re");
	char *bytes = NULL;
	struct stat st;

	if (!file)
		return NULL;
	if (!fstat(fileno(file), &st))
		bytes = malloc(st.st_size + 1);
	if (bytes) {
		*length = fread(bytes, 1, st.st_size, file);
		bytes[*length] = 0;
	}
	fclose(file);
	return bytes;
}

static int copy_file(const char *from, const char *to)
{
	size_t length;
	char *bytes = read_file(from, &length);
	int ret;

	if (!bytes && errno != ENOENT)
		return error("cannot read %s: %s", from, strerror(errno));
	if (!bytes)
		return !unlink(to) || errno == ENOENT ? 0 :
		       error("cannot remove %s: %s", to, strerror(errno));
	ret = file_replace(to, bytes, length);
	free(bytes);
	return ret ? error("cannot write %s: %s", to, strerror(-ret)) : 0;
}

static const char *path_in(const char *folder, const char *name, char path[FOLDERS_PATH])
{
	snprintf(path, FOLDERS_PATH, "%s/%s", folder, name);
	return path;
}

static int save_run_files(const struct change *change, const char *folder)
{
	char from[FOLDERS_PATH], to[FOLDERS_PATH];
	size_t i;

	for (i = 0; i < sizeof(run_files) / sizeof(*run_files); i++) {
		if (!strcmp(run_files[i], "xdp") && !change->xdp)
			continue;
		if (run_path(change->cli, run_files[i], from) ||
		    copy_file(from, path_in(folder, run_files[i], to)))
			return -1;
	}
	return 0;
}

/* @next: out: path of the unconfirmed folder, which replaces @path at the confirmation. */
static int state_paths(const struct cli *cli, const char *name, char path[FOLDERS_PATH],
		       char next[FOLDERS_PATH + sizeof(UNCONFIRMED)])
{
	if (state_path(cli, name, path))
		return -1;
	sprintf(next, "%s" UNCONFIRMED, path);
	return 0;
}

/* @save of struct confirm_change. */
static int save(void *context, const char *folder)
{
	char files[FOLDERS_PATH], next[FOLDERS_PATH + sizeof(UNCONFIRMED)];
	char path[FOLDERS_PATH], text[FOLDERS_TEXT];
	struct change *change = context;
	struct cli *cli = change->cli;
	int ret;

	change->saved = true;
	if (applied_keep_unconfirmed(cli, change->config) ||
	    state_paths(cli, FILE_COPIES, files, next))
		return -1;
	ret = folder_link(files, next);
	if (ret)
		return error("cannot create %s: %s", next, strerror(-ret));
	if (save_run_files(change, folder) || folders_text(cli, text))
		return -1;
	ret = file_replace(path_in(folder, CONFIGURATION, path), text, strlen(text));
	return ret ? error("cannot write %s: %s", path, strerror(-ret)) : 0;
}

/* @rules_only: the step changes only rules of the filter. */
static void add_filter(struct confirm_change *change, const char *name, bool rules_only)
{
	int i;

	for (i = 0; i < change->count; i++)
		if (!strcmp(change->filters[i].name, name))
			break;
	if (i == change->count) {
		strcpy(change->filters[i].name, name);
		change->filters[i].rules_only = true;
		change->count++;
	}
	change->filters[i].rules_only &= rules_only;
}

/*
 * If steps change only rules of a filter, confirm_undo() restores only these rules: programs
 * can add members before the change is undone, and these members stay. confirm_undo()
 * restores the file "xdp" as a whole, so also add the filters of the rules of hook xdp.
 */
static void add_filters(struct confirm_change *change, const struct plan *plan,
			const struct config *config, const struct own_xdps *own)
{
	const struct config_rule *rule;
	size_t i, j;

	for (i = 0; i < plan->step_count; i++) {
		const struct plan_step *step = &plan->steps[i];

		if (step->kind == PLAN_ATTACH || step->kind == PLAN_DETACH)
			add_filter(change, step->rule.key.filter, true);
		else
			add_filter(change, step->name, false);
	}
	for (i = 0; i < own->count; i++)
		add_filter(change, own->items[i].filter, true);
	for (i = 0; i < config->rule_count; i++) {
		rule = config->rules[i];
		for (j = 0; rule->hook == HOOK_XDP && j < rule->filters.count; j++)
			add_filter(change, rule->filters.items[j].text, true);
	}
}

int unconfirmed_arm(struct cli *cli, __u32 seconds, const struct config *config,
		    const struct plan *plan, const struct own_xdps *own, bool xdp)
{
	struct change context = { .cli = cli, .config = config, .xdp = xdp };
	struct confirm_change change = {
		.seconds = seconds,
		.filters = calloc(plan->step_count + own->count + config->filter_count + 1,
				  sizeof(*change.filters)),
		.save = save,
		.context = &context,
	};
	sigset_t signals;
	int ret;

	if (!change.filters)
		return error("not enough memory");
	add_filters(&change, plan, config, own);
	ret = confirm_arm(cli, &change);
	free(change.filters);
	/* Nothing was changed, so this configuration does not count as unconfirmed. */
	if (ret && context.saved)
		unconfirmed_forget(cli);
	if (ret)
		return -1;
	/*
	 * Let SIGALRM end this process after @seconds. If the change cuts off the user, the
	 * terminal possibly accepts no more output, and this process would hold the lock of
	 * changes_lock() for ever.
	 */
	signal(SIGALRM, SIG_DFL);
	sigemptyset(&signals);
	sigaddset(&signals, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &signals, NULL);
	alarm(seconds);
	return 0;
}

int unconfirmed_complete(void)
{
	int ret = file_replace(COMPLETE, "", 0);

	return ret ? error("cannot write " COMPLETE ": %s", strerror(-ret)) : 0;
}

/*
 * Read the file CONFIGURATION of @folder to @text. Return: 1; 0 if no configuration
 * waits; or -1 after an error message.
 */
static int read_text(const char *folder, char text[FOLDERS_TEXT])
{
	char path[FOLDERS_PATH];
	size_t length;
	char *bytes = read_file(path_in(folder, CONFIGURATION, path), &length);

	if (!bytes)
		return errno == ENOENT ? 0 :
		       error("cannot read %s: %s", path, strerror(errno));
	snprintf(text, FOLDERS_TEXT, "%s", bytes);
	free(bytes);
	return 1;
}

bool unconfirmed_waits(const struct cli *cli)
{
	char text[FOLDERS_TEXT], own[FOLDERS_TEXT];

	return has_folders(cli) && read_text(CONFIRM_FOLDER, text) > 0 &&
	       !folders_text(cli, own) && !strcmp(text, own);
}

int unconfirmed_end_overdue(struct cli *cli)
{
	time_t until;

	if (!unconfirmed_waits(cli) || !confirm_waits(&until) || until < 0 ||
	    time(NULL) < until + OVERDUE)
		return 0;
	warn("a configuration was not confirmed in time, and the timer did not undo it: it is undone now");
	return cli_open(cli) || confirm_undo(cli, NULL, &unconfirmed_end) < 0 ? -1 : 0;
}

int unconfirmed_check(const struct cli *cli)
{
	if (!unconfirmed_waits(cli))
		return 0;
	return hint(error("a configuration waits for its confirmation: nothing was changed"),
		    "'kcuckoo confirm' keeps it, 'kcuckoo %s%s%sconfirm undo' undoes it",
		    cli->netns ? "-n " : "", cli->netns ?: "", cli->netns ? " " : "");
}

int unconfirmed_read(const struct cli *cli, struct config *config)
{
	return unconfirmed_waits(cli) ? applied_read_unconfirmed(cli, config) :
					applied_read(cli, config);
}

/*
 * Use the folders that the file CONFIGURATION of @folder names. Return: 1; 0 if no
 * configuration waits; or -1 after an error message.
 */
static int use_folders(struct cli *cli, const char *folder)
{
	/* folders_use() sets @netns of @cli to a part of this text. */
	static char text[FOLDERS_TEXT];
	int ret = read_text(folder, text);

	if (ret <= 0)
		return ret;
	return folders_use(cli, text) ?
	       error("%s/" CONFIGURATION " is damaged", folder) : 1;
}

int unconfirmed_lock(struct cli *cli, int *lock)
{
	int ret = use_folders(cli, CONFIRM_FOLDER);

	*lock = ret > 0 ? changes_lock(cli) : -1;
	return ret < 0 || (ret > 0 && *lock < 0) ? -1 : 0;
}

/*
 * Rename the folder @next first, so that @next has all of its files or does not exist, even
 * if this process is killed. Also remove a renamed folder that a killed process has left.
 */
static void discard(const char *path, const char *next)
{
	char old[FOLDERS_PATH + 4];

	sprintf(old, "%s.new", path);
	folder_remove(old);
	rename(next, old);
	folder_remove(old);
}

/* If this process is killed, the next process repeats the replacement. */
static int promote(const struct cli *cli, const char *name)
{
	char path[FOLDERS_PATH], next[FOLDERS_PATH + sizeof(UNCONFIRMED)];
	char new[FOLDERS_PATH + 4];
	int ret;

	if (state_paths(cli, name, path, next))
		return -1;
	if (access(next, F_OK))
		return 0;
	/* The folder @next must stay until the folder @path is replaced. */
	sprintf(new, "%s.new", path);
	ret = folder_link(next, new);
	if (!ret)
		ret = folder_replace(new, path);
	if (ret)
		return error("cannot replace %s: %s", path, strerror(-ret));
	discard(path, next);
	return 0;
}

static int forget(const struct cli *cli, const char *name)
{
	char path[FOLDERS_PATH], next[FOLDERS_PATH + sizeof(UNCONFIRMED)];

	if (state_paths(cli, name, path, next))
		return -1;
	discard(path, next);
	return 0;
}

static int keep(const char *folder)
{
	struct cli cli = { .handle = NULL };
	int ret = use_folders(&cli, folder);

	if (ret <= 0)
		return ret;
	ret = access(COMPLETE, F_OK) ? forget(&cli, APPLIED) : promote(&cli, APPLIED);
	return promote(&cli, FILE_COPIES) || ret ? -1 : 0;
}

static int undo(const char *folder)
{
	char from[FOLDERS_PATH], to[FOLDERS_PATH];
	struct cli cli = { .handle = NULL };
	int ret = use_folders(&cli, folder);
	size_t i;

	if (ret <= 0)
		return ret;
	for (i = 0; i < sizeof(run_files) / sizeof(*run_files); i++)
		if (run_path(&cli, run_files[i], to) ||
		    copy_file(path_in(folder, run_files[i], from), to))
			return -1;
	return forget(&cli, FILE_COPIES);
}

const struct confirm_end unconfirmed_end = { .keep = keep, .undo = undo };

int unconfirmed_drop(const struct cli *cli)
{
	if (!unconfirmed_waits(cli))
		return 0;
	return confirm_drop() || forget(cli, FILE_COPIES) ? -1 : 0;
}

void unconfirmed_forget(const struct cli *cli)
{
	forget(cli, APPLIED);
	forget(cli, FILE_COPIES);
}
