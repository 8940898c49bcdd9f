// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb down removes all filters and rules that a configuration made. With --save,
 * the verb first saves the members of filters with keep = yes.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/applied.h"
#include "cmd/configured.h"
#include "cmd/folders.h"
#include "cmd/kept.h"
#include "cmd/steps.h"
#include "cmd/unconfirmed.h"
#include "json.h"
#include "keywords.h"
#include "message.h"
#include "rules/users.h"

/*
 * Read the present configuration to @config. @needed: true if a missing configuration is
 * an error. Return: 0; 1 without a message if the configuration is missing and @needed is
 * false; or -1 after error messages.
 */
static int read_present(const struct cli *cli, const struct args *args,
			bool needed, struct config *config)
{
	char folder[CONFIG_FOLDER_TEXT];

	memset(config, 0, sizeof(*config));
	if (config_folder(cli->netns, args->config, folder))
		return -1;
	if (!needed && !config_exists(folder))
		return 1;
	return configured_read(cli, args, false, config);
}

/*
 * Save the filters of the copy of the configuration that was applied last, and also of the
 * present configuration: a failed apply can have created filters of the present
 * configuration. Return: 0, or -1 after error messages.
 */
static int save(struct cli *cli, const struct args *args)
{
	struct config none = { .errors = 0 }, applied, config;
	int old = applied_read(cli, &applied), new, ret;

	if (old < 0)
		hint(-1, "this copy of the configuration that was applied last is damaged: the present configuration is used instead");
	new = read_present(cli, args, old < 0, &config);
	if (new < 0 && !old)
		hint(-1, "only filters of the configuration that was applied last are saved");
	ret = old && new < 0 ? -1 : 0;
	if (!ret && !old)
		ret = kept_save(cli, &applied, &none);
	if (!ret && !new)
		ret = kept_save(cli, &config, old ? &none : &applied);
	config_free(&applied);
	config_free(&config);
	return ret ? error("nothing was removed") : 0;
}

static void say_others(const struct cli *cli, const struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->note_count; i++) {
		const struct plan_note *note = &plan->notes[i];

		if (note->kind == PLAN_OTHER_FILTER)
			say(cli, "filter '%s' was made by hand, and stays",
			    note->name);
		else if (note->kind == PLAN_OTHER_RULE)
			say(cli, "a rule of '%s' was made by hand, and stays",
			    note->name);
	}
}

static void say_busy(const struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->note_count; i++) {
		const struct plan_note *note = &plan->notes[i];

		if (note->kind == PLAN_BUSY_FILTER) {
			hint(error("filter '%s' stays: a rule that was made by hand uses it",
				   note->name),
			     "'kcuckoo detach %s' removes the rule",
			     note->rule.key.filter);
		} else if (note->kind == PLAN_USED_FILTER) {
			error("filter '%s' stays: it is in use", note->name);
			users_hint(note->name, note->users);
		}
	}
}

/*
 * Do the steps of a plan for an empty configuration. @busy: out: number of filters that stay
 * because they are in use. Return: 0, also if steps failed; or -1 after error messages.
 */
static int remove_all(struct steps *steps, size_t *busy)
{
	struct cli *cli = steps->sources.cli;
	struct config empty = { .errors = 0 };
	struct plan plan = { .steps = NULL };
	struct present present;
	int ret = present_read(cli, &present);

	if (!ret)
		ret = present_leave_out(cli, &present, &empty);
	if (!ret)
		ret = plan_make(&plan, &empty, &present);
	steps->present = &present;
	if (!ret) {
		steps_run(steps, &plan);
		say_others(cli, &plan);
		say_busy(&plan);
		*busy = plan.conflicts;
	}
	plan_free(&plan);
	present_free(&present);
	if (!ret && own_xdps_write(cli, &steps->own, false))
		ret = -1;
	return ret;
}

int verb_down(struct cli *cli, const struct args *args)
{
	struct steps steps = { .sources = { .cli = cli, .args = args } };
	size_t busy = 0;
	int lock, ret = -1;

	if (cli_open(cli))
		return -1;
	lock = changes_lock(cli);
	if (lock < 0)
		return -1;
	if (!(args->given & ARGS_SAVE) || !save(cli, args))
		ret = own_xdps_read(cli, &steps.own) || remove_all(&steps, &busy);
	free(steps.own.items);
	if (!ret && !steps.broken && unconfirmed_drop(cli))
		ret = -1;
	close(lock);
	if (ret || steps.broken)
		return -1;
	if (cli->json && json_print(json_pack("{s:b}", "changed",
					      steps.sources.changed)))
		return -1;
	return busy ? EXIT_NO : EXIT_YES;
}
