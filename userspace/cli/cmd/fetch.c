// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb fetch downloads the lists of the configuration that have a URL, and checks
 * them. A copy that passes the checks becomes the last good copy, from which apply reads
 * the list. If a check refuses a copy, the verb accept, which is also in this file, can
 * make this copy the last good copy.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "args.h"
#include "cmd/list_url.h"
#include "conf/config.h"
#include "fetch/credential.h"
#include "fetch/curl.h"
#include "fetch/list.h"
#include "fetch/status.h"
#include "json.h"
#include "message.h"

/**
 * struct run - state of the verb fetch
 * @cli: state of the command
 * @args: options and operands of the verb
 * @config: the configuration
 * @state: descriptors of the folders with the copies of lists
 * @lists: the lists to fetch
 * @whys: for each element of @lists, the reason why the credential of the list, see
 *	fetch/credential.h, cannot be used; or NULL
 * @count: number of lists
 * @stream: state of the JSON output
 * @done: number of lists that were due
 * @failed: the exit code is EXIT_NO
 */
struct run {
	struct cli *cli;
	const struct args *args;
	struct config config;
	struct state state;
	struct list *lists;
	const char **whys;
	size_t count;
	struct json_stream stream;
	size_t done;
	bool failed;
};

static int read_config(const struct cli *cli, const struct args *args,
		       struct config *config)
{
	char folder[CONFIG_FOLDER_TEXT];

	if (config_folder(cli->netns, args->config, folder))
		return -1;
	return config_read(config, folder, config_feeds_folder());
}

static const struct config_list *find_list(const struct config *config,
					   const char *name)
{
	const struct config_list *list = config_list(config, name);
	char buf[160];
	size_t i;

	if (list && list->urls.count)
		return list;
	if (list) {
		error("list %s has no url: its files are read by 'kcuckoo apply'", name);
		return NULL;
	}
	for (i = 0; i < config->list_count; i++)
		if (is_near(name, config->lists[i]->name)) {
			error("there is no list '%s': did you mean '%s'?", name,
			      config->lists[i]->name);
			return NULL;
		}
	error("the configuration has no list '%s'",
	      escape(name, strlen(name), buf, sizeof(buf)));
	return NULL;
}

static int add_list(struct run *run, const struct config_list *from)
{
	struct list *list = &run->lists[run->count];

	if (list_url_set(list, &run->config, from))
		return -1;
	/*
	 * Read the credential before state_open(), which can drop the privileges of
	 * root.
	 */
	if (from->credential)
		run->whys[run->count] = credential_read(from->credential,
							list->credential,
							sizeof(list->credential));
	run->count++;
	return 0;
}

static int choose_lists(struct run *run)
{
	const struct config *config = &run->config;
	const struct config_list *list;
	size_t i, named = run->args->operand_count;
	size_t count = named > config->list_count ? named : config->list_count;

	run->lists = calloc(count + 1, sizeof(*run->lists));
	run->whys = calloc(count + 1, sizeof(*run->whys));
	if (!run->lists || !run->whys)
		return error("not enough memory");
	for (i = 0; i < named; i++) {
		list = find_list(config, run->args->operands[i]);
		if (!list || add_list(run, list))
			return -1;
	}
	for (i = 0; !named && i < config->list_count; i++)
		if (config->lists[i]->urls.count && add_list(run, config->lists[i]))
			return -1;
	return 0;
}

/*
 * A routine run, such as that of the hourly timer, does not fail because of a single failure
 * of a server: the next routine run tries again.
 */
static bool is_routine(const struct run *run)
{
	return !run->args->operand_count && !(run->args->given & ARGS_NOW);
}

/*
 * Return: true if an administrator has to act on a list. @confirmed: list_good_time() of
 * the list.
 */
static bool needs_help(const struct run *run, const struct list *list, time_t confirmed)
{
	enum list_age age = list_age_state(&list->limits, confirmed, time(NULL));
	char file[FILE_NAME];
	struct stat st;

	return age >= LIST_AGE_FAILED ||
	       !fstatat(run->state.lists, state_file(list->name, "refused", file),
			&st, AT_SYMLINK_NOFOLLOW);
}

/* Return: true if a list has to be fetched now. @confirmed: list_good_time() of the list. */
static bool is_due(const struct run *run, const struct list *list,
		   const struct list_status *status, time_t confirmed)
{
	return run->args->given & ARGS_NOW ||
	       status_is_due(list, status, confirmed, run->args->operand_count > 0);
}

/* @more: text for the end of the line. Return: -1. */
static int hint_good(const struct list_report *report, const char *more)
{
	const struct canonical *good = &report->good;
	char text[LOCAL_TIME_TEXT];

	if (!*good->name)
		return hint(-1, "the list has no good copy%s", more);
	return hint(-1, "the last good copy, of %s with %llu %s, stays%s",
		    local_time_text(report->confirmed, text), good->members,
		    plural(good->members, "member", "members"), more);
}

static void warn_old(const struct list *list, const struct list_report *report)
{
	time_t confirmed = *report->good.name ? report->confirmed : 0;
	char text[LOCAL_TIME_TEXT];

	switch (list_age_state(&list->limits, confirmed, time(NULL))) {
	case LIST_AGE_STALE:
	case LIST_AGE_FAILED:
		warn("list %s: there is no newer copy since %s", list->name,
		     local_time_text(confirmed, text));
		break;
	case LIST_AGE_EXPIRED:
		warn("list %s: its last good copy, of %s, is older than expire: the list counts as empty",
		     list->name, local_time_text(confirmed, text));
		break;
	default:
		break;
	}
}

static void say_notes(const struct cli *cli, const char *name,
		      const struct list_notes *notes)
{
	const struct exclusion *left_out = &notes->left_out;

	if (notes->bad)
		say(cli, "%s: %llu bad %s", name, notes->bad,
		    plural(notes->bad, "line", "lines"));
	say_host_bits(cli, name, notes->host_bits);
	input_say_notes(cli, name, &notes->input);
	input_say_columns(cli, name, &notes->columns);
	if (notes->noted)
		say(cli, "%s: %llu %s a value or a timeout, which is ignored", name,
		    notes->noted, plural(notes->noted, "key has", "keys have"));
	if (left_out->left_out || left_out->cut)
		say(cli, "%s: %llu %s left out, and parts of %llu: they are exceptions or bogons",
		    name, left_out->left_out,
		    plural(left_out->left_out, "key was", "keys were"),
		    left_out->cut);
}

static void report_good(const struct run *run, const struct list *list,
			const struct list_report *report)
{
	const struct canonical *good = &report->good, *next = &report->next;
	bool wanted = !is_routine(run);

	if (report->outcome == LIST_UNCHANGED && wanted)
		say(run->cli, "%s: unchanged, %llu %s", list->name, next->members,
		    plural(next->members, "member", "members"));
	else if (report->outcome == LIST_UPDATED && *good->name)
		say(run->cli, "%s: %llu %s, %llu before", list->name, next->members,
		    plural(next->members, "member", "members"), good->members);
	else if (report->outcome == LIST_UPDATED)
		say(run->cli, "%s: %llu %s", list->name, next->members,
		    plural(next->members, "member", "members"));
	/*
	 * In a routine run, print nothing about an unchanged list: the journal would
	 * get the same line each hour.
	 */
	if (report->outcome == LIST_UPDATED || wanted)
		say_notes(run->cli, list->name, &report->notes);
}

static int report_json(struct run *run, const struct list *list,
		       const struct list_report *report)
{
	static const char * const outcomes[] = {
		[LIST_UPDATED] = "updated",
		[LIST_UNCHANGED] = "unchanged",
		[LIST_REFUSED] = "refused",
		[LIST_FAILED] = "failed",
	};
	json_t *object = json_pack("{s:s, s:s}", "name", list->name,
				   "outcome", outcomes[report->outcome]);

	if (*report->next.name)
		json_object_set_new(object, "members",
				    json_integer(report->next.members));
	if (*report->good.name) {
		json_object_set_new(object, "good_members",
				    json_integer(report->good.members));
		json_object_set_new(object, "good_time",
				    json_integer(report->confirmed));
	}
	if (*report->why)
		json_object_set_new(object, "reason", json_string(report->why));
	return json_stream_element(&run->stream, object);
}

/*
 * With -j, print that a list was not fetched, for the reason @why, or because the server
 * has asked clients to wait until @wait; NULL and 0 for none. Return: 0, or -1 after an error
 * message.
 */
static int skipped_json(struct run *run, const struct list *list, const char *why, time_t wait)
{
	json_t *object;

	if (!run->cli->json)
		return 0;
	object = json_pack("{s:s, s:s}", "name", list->name, "outcome",
			   wait ? "waiting" : "failed");
	if (wait)
		json_object_set_new(object, "until", json_integer(wait));
	if (why && *why)
		json_object_set_new(object, "reason", json_string(why));
	return json_stream_element(&run->stream, object);
}

static int report_list(struct run *run, const struct list *list,
		       const struct list_report *report)
{
	char more[80];

	snprintf(more, sizeof(more), "; 'kcuckoo accept %s' accepts the new copy",
		 list->name);
	switch (report->outcome) {
	case LIST_REFUSED:
		error("list %s is refused: %s", list->name, report->why);
		hint_good(report, more);
		break;
	case LIST_FAILED:
		error("list %s: %s", list->name, report->why);
		hint_good(report, "");
		break;
	default:
		report_good(run, list, report);
		return run->cli->json ? report_json(run, list, report) : 0;
	}
	run->failed |= !is_routine(run);
	warn_old(list, report);
	return run->cli->json ? report_json(run, list, report) : 0;
}

/* If the last attempt failed, the verb fails again, with the reason of that attempt. */
static int report_wait(struct run *run, const struct list *list,
		       const struct list_status *status)
{
	char text[LOCAL_TIME_TEXT];

	local_time_text(status->not_before, text);
	if (!*status->why) {
		say(run->cli, "%s: the server asks to wait until %s; --now fetches the list at once",
		    list->name, text);
	} else {
		run->failed = true;
		hint(error("list %s: the last attempt failed: %s", list->name, status->why),
		     "the server asks to wait until %s; --now fetches the list at once", text);
	}
	return skipped_json(run, list, status->why, status->not_before);
}

/* A routine run also fails for a list that is not due but needs help. */
static void judge_waiting(struct run *run, const struct list *list,
			  const struct list_status *status, time_t confirmed)
{
	char text[LOCAL_TIME_TEXT];

	if (!is_routine(run) || !needs_help(run, list, confirmed))
		return;
	run->failed = true;
	if (list_age_state(&list->limits, confirmed, time(NULL)) < LIST_AGE_FAILED)
		error("list %s: a newer copy was refused; 'kcuckoo accept %s' accepts it",
		      list->name, list->name);
	else if (confirmed)
		error("list %s: there is no newer copy since %s", list->name,
		      local_time_text(confirmed, text));
	else
		hint(error("list %s has no good copy", list->name),
		     "the last attempt failed: %s", status->why);
}

static int fetch_list(struct run *run, size_t i)
{
	const struct list *list = &run->lists[i];
	time_t confirmed = list_good_time(&run->state, list->name);
	struct list_status status;
	struct list_report report;
	char why[CANONICAL_REASON];
	int ret;

	status_read(run->state.cache, list->name, &status);
	if (!is_due(run, list, &status, confirmed)) {
		if (run->args->operand_count)
			return report_wait(run, list, &status);
		judge_waiting(run, list, &status, confirmed);
		return 0;
	}
	run->done++;
	if (run->whys[i]) {
		snprintf(why, sizeof(why), "its credential %s", run->whys[i]);
		error("list %s: %s", list->name, why);
		run->failed = true;
		return skipped_json(run, list, why, 0);
	}
	if (list_fetch(&run->state, list, &report)) {
		run->failed = true;
		return skipped_json(run, list, "its copy or its state cannot be read or written",
				    0);
	}
	ret = report_list(run, list, &report);
	run->failed |= is_routine(run) &&
		       needs_help(run, list, list_good_time(&run->state, list->name));
	return ret;
}

static int fetch_lists(struct run *run)
{
	size_t i;
	int ret = 0;

	if (run->cli->json)
		json_stream_begin(&run->stream);
	for (i = 0; !ret && i < run->count; i++)
		ret = fetch_list(run, i);
	if (run->cli->json)
		json_stream_end(&run->stream);
	/* If a timer runs fetch and no list is due, print no line to the journal. */
	if (!run->done && !run->args->operand_count && isatty(STDERR_FILENO))
		say(run->cli, run->count ? "no list is due; --now fetches all" :
		    "the configuration has no list with a url");
	return ret;
}

static int run_fetch(struct run *run)
{
	int ret;

	if (read_config(run->cli, run->args, &run->config) || choose_lists(run))
		return -1;
	if (run->count && curl_load())
		return -1;
	if (state_open(run->cli, &run->state))
		return -1;
	ret = fetch_lists(run);
	state_close(&run->state);
	if (ret)
		return -1;
	return run->failed ? EXIT_NO : EXIT_YES;
}

int verb_fetch(struct cli *cli, const struct args *args)
{
	struct run run = { .cli = cli, .args = args };
	int ret = run_fetch(&run);
	size_t i;

	for (i = 0; i < run.count; i++) {
		list_url_free(&run.lists[i]);
		explicit_bzero(run.lists[i].credential,
			       sizeof(run.lists[i].credential));
	}
	free(run.lists);
	free(run.whys);
	config_free(&run.config);
	return ret;
}

static int accept_list(struct cli *cli, const struct list *list)
{
	struct canonical refused, good;
	struct state state;
	int ret;

	if (state_open(cli, &state))
		return -1;
	ret = list_accept(&state, list, &refused, &good);
	state_close(&state);
	if (ret)
		return -1;
	say(cli, "%s: %llu %s accepted, %llu before", list->name, refused.members,
	    plural(refused.members, "member", "members"), good.members);
	say(cli, "%s: it was refused because %s", list->name, refused.reason);
	return EXIT_YES;
}

int verb_accept(struct cli *cli, const struct args *args)
{
	const struct config_list *section;
	struct config config = { 0 };
	struct list list = { 0 };
	int ret = -1;

	if (!read_config(cli, args, &config)) {
		section = find_list(&config, args->operands[0]);
		if (section && !list_url_set(&list, &config, section))
			ret = accept_list(cli, &list);
	}
	list_url_free(&list);
	config_free(&config);
	return ret;
}
