// SPDX-License-Identifier: GPL-2.0-only
/*
 * configured_apply() applies the configuration, kcuckoo.conf(5): it makes a plan, and
 * does the steps of the plan.
 */
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/applied.h"
#include "cmd/configured.h"
#include "cmd/file_copy.h"
#include "cmd/folders.h"
#include "cmd/kept.h"
#include "cmd/last_apply.h"
#include "cmd/needed.h"
#include "cmd/steps.h"
#include "cmd/unconfirmed.h"
#include "conf/texts.h"
#include "conf/values.h"
#include "json.h"
#include "keywords.h"
#include "message.h"
#include "rules/wait.h"
#include "rules/xdp.h"

/* Options of apply that need lists on the command line. */
#define ONLY_LISTS	(APPLY_EXCLUDE | APPLY_OPTIMIZE | APPLY_BOGONS | APPLY_YES)

/**
 * struct run - state of configured_apply()
 * @steps: arguments and results of the steps of the plan
 * @config: the configuration
 * @applied: the copy of the configuration that was applied last; empty if no copy exists
 * @from_copy: @config was read from the copy of the configuration that was applied last,
 *	because the present configuration has errors or was not confirmed
 * @xdp_file_existed: the file "xdp", see cmd/present.h, existed when apply began
 * @armed: the timer of --confirm runs, and undoes the changes unless the user confirms
 *	them
 * @waiting: the result of configured_waiting(), plus the variable xdp_waiting
 * @needed: path of the file of addresses that this host needed earlier
 * @lock: points to the descriptor of changes_lock(), or to -1 after release_lock()
 */
struct run {
	struct steps steps;
	struct config config;
	struct config applied;
	bool from_copy;
	bool xdp_file_existed;
	bool armed;
	int waiting;
	char needed[FOLDERS_PATH];
	int *lock;
};

static void release_lock(int *lock)
{
	if (*lock >= 0)
		close(*lock);
	*lock = -1;
}

int configured_read(const struct cli *cli, const struct args *args,
		    bool fallback, struct config *config)
{
	char folder[CONFIG_FOLDER_TEXT];
	int ret;

	memset(config, 0, sizeof(*config));
	if (config_folder(cli->netns, args->config, folder))
		return -1;
	ret = config_read(config, folder, config_feeds_folder());
	if (!ret || !fallback)
		return ret;
	config_free(config);
	if (applied_read(cli, config))
		return error("no earlier configuration can be used");
	error("the configuration that was applied last is used instead");
	return 1;
}

int configured_differs(const struct config *config, const struct present *present)
{
	struct plan plan = { .steps = NULL };
	int ret = plan_make(&plan, config, present);
	size_t i;

	if (!ret)
		ret = plan.conflicts > 0;
	for (i = 0; i < plan.step_count && !ret; i++)
		ret = plan.steps[i].kind != PLAN_UPDATE;
	plan_free(&plan);
	return ret;
}

int configured_conflicts(const struct config *config, const struct present *present)
{
	struct plan plan = { .steps = NULL };
	int ret = plan_make(&plan, config, present);

	if (!ret)
		ret = steps_conflicts(&plan);
	plan_free(&plan);
	return ret;
}

static void print_unprotected(const char *rule, const char *what)
{
	fprintf(stderr, "NOT PROTECTED: rule %s waits for %s\n", rule, what);
}

void say_unprotected(const struct config_rule *rule, const char *dev)
{
	char buf[DEVICE_TEXT];

	print_unprotected(rule->name, device_text(dev, buf));
}

void say_unattached(const char *rule, const char *dev)
{
	char buf[DEVICE_TEXT];

	fprintf(stderr, "NOT PROTECTED: rule %s is not attached to %s\n", rule,
		device_text(dev, buf));
}

static int say_waiting(const struct kcuckoo_rule *rule)
{
	char buf[DEVICE_TEXT], filter[KCUCKOO_NAME_SIZE + 24];
	bool own = rule->flags & KCUCKOO_RULE_WAITING;
	const char *what = filter;

	if (rule->flags & KCUCKOO_RULE_DEV_WAITING)
		what = device_text((const char *)rule->pattern, buf);
	else if (own || rule->flags & KCUCKOO_RULE_ALLOW_WAITING)
		snprintf(filter, sizeof(filter), "the filter %s",
			 (const char *)(own ? rule->name : rule->allow));
	else
		return 0;
	print_unprotected((const char *)rule->label, what);
	return 1;
}

int configured_waiting(struct cli *cli)
{
	struct kcuckoo_rule *rules;
	int i, waiting = 0, count = kcuckoo_rules(cli->handle, &rules);

	if (count < 0)
		return plain_error(count, "list the rules");
	for (i = 0; i < count; i++)
		if (*rules[i].label)
			waiting += say_waiting(&rules[i]);
	free(rules);
	return waiting;
}

/* Return: 0, or -1 without a message if memory is short. */
static int rule_devices(struct config_rule *rule,
			const struct if_nameindex *devices, const char *only,
			void (*missing)(const struct config_rule *, const char *))
{
	struct config_texts found = { .count = 0 };
	const struct if_nameindex *device;
	bool matched;
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < rule->devs.count; i++) {
		const struct config_text *dev = &rule->devs.items[i];

		matched = false;
		for (device = devices; !ret && device->if_name; device++) {
			if ((only && strcmp(only, device->if_name)) ||
			    !value_dev_matches(dev->text, device->if_name))
				continue;
			matched = true;
			if (!texts_find(&found, device->if_name, strlen(device->if_name)))
				ret = texts_add(&found, device->if_name,
						strlen(device->if_name),
						&dev->place);
		}
		if (missing && !matched)
			missing(rule, dev->text);
	}
	texts_free(&rule->devs);
	rule->devs = found;
	return ret;
}

int configured_devices(struct config *config, const char *only,
		       void (*missing)(const struct config_rule *rule,
				       const char *dev))
{
	struct if_nameindex *devices = if_nameindex();
	size_t i;
	int ret = 0;

	if (!devices)
		return error("cannot list the network devices: %s",
			     strerror(errno));
	for (i = 0; !ret && i < config->rule_count; i++)
		if (config->rules[i]->hook == HOOK_XDP)
			ret = rule_devices(config->rules[i], devices, only, missing);
	if_freenameindex(devices);
	return ret ? error("not enough memory") : 0;
}

static bool has_xdp(const struct config *config)
{
	size_t i;

	for (i = 0; i < config->rule_count; i++)
		if (config->rules[i]->hook == HOOK_XDP)
			return true;
	return false;
}

/* Return: 0; or -1 after error messages, also if the plan has a conflict. */
static int make_plan(struct run *run, struct present *present, struct plan *plan)
{
	struct cli *cli = run->steps.sources.cli;

	if (present_read(cli, present) || present_leave_out(cli, present, &run->config) ||
	    plan_make(plan, &run->config, present))
		return -1;
	return steps_notes(cli, plan);
}

static int arm(struct run *run, const struct plan *plan)
{
	struct sources *sources = &run->steps.sources;

	if (!(sources->args->apply.given & APPLY_CONFIRM))
		return 0;
	sources->copies = FILE_COPIES_UNCONFIRMED;
	run->armed = !unconfirmed_arm(sources->cli, sources->args->apply.confirm,
				      &run->config, plan, &run->steps.own, run->xdp_file_existed);
	return run->armed ? 0 : -1;
}

/*
 * With --boot, first restore filters with keep = yes from their saved members. Return: 0
 * after steps_run(), even if steps failed; or -1 after error messages if no step was done.
 */
static int run_plan(struct run *run)
{
	struct steps *steps = &run->steps;
	bool boot = steps->sources.args->apply.given & APPLY_BOOT;
	bool dry = steps->sources.args->apply.given & APPLY_DRY_RUN;
	struct present present;
	struct plan plan = { .steps = NULL };
	int ret = make_plan(run, &present, &plan), restored = 0;

	if (!ret && boot && !dry)
		restored = kept_restore(steps->sources.cli, &run->config,
					&steps->sources.failed);
	if (restored > 0) {
		plan_free(&plan);
		present_free(&present);
		ret = make_plan(run, &present, &plan);
	}
	steps->present = &present;
	if (!ret)
		ret = arm(run, &plan);
	/* A dry run reads lists, and prints to a pager perhaps: let other commands go on. */
	if (dry)
		release_lock(run->lock);
	if (!ret)
		steps_run(steps, &plan);
	plan_free(&plan);
	present_free(&present);
	if (!ret && !dry && own_xdps_write(steps->sources.cli, &steps->own,
					   has_xdp(&run->config)))
		steps->broken++;
	return ret;
}

/* Number of names and patterns for which configured_devices() called count_missing(). */
static int xdp_waiting;

static void count_missing(const struct config_rule *rule, const char *dev)
{
	say_unprotected(rule, dev);
	xdp_waiting++;
}

static int print_result(const struct run *run)
{
	const struct steps *steps = &run->steps;

	return json_print(json_pack("{s:b, s:I, s:I, s:i}", "changed",
				    steps->sources.changed, "failed",
				    (json_int_t)steps->sources.failed, "errors",
				    (json_int_t)steps->broken, "waiting",
				    run->waiting));
}

/*
 * With --confirm, do not update the copy of the configuration, but record that no step
 * failed: confirm_keep() later updates the copy.
 */
static void keep_copies(struct run *run)
{
	struct sources *sources = &run->steps.sources;
	struct cli *cli = sources->cli;

	if (run->armed ? unconfirmed_complete() : applied_keep(cli, &run->config))
		run->steps.broken++;
	else if (file_copies_remove(cli, sources->copies, &run->config))
		sources->failed++;
	if (!run->armed)
		unconfirmed_forget(cli);
}

/* If no step changed anything, confirm_keep() stops the timer of --confirm. */
static int end_armed(const struct run *run)
{
	const struct sources *sources = &run->steps.sources;

	if (!sources->changed)
		return confirm_keep(&unconfirmed_end) ? -1 : 0;
	say(sources->cli, "unless 'kcuckoo confirm' follows within %u s of the start of this command, its changes will be undone",
	    sources->args->apply.confirm);
	return 0;
}

static int finish(struct run *run)
{
	struct steps *steps = &run->steps;
	struct cli *cli = steps->sources.cli;
	bool dry = steps->sources.args->apply.given & APPLY_DRY_RUN;

	if (!dry && !run->from_copy && !steps->broken)
		keep_copies(run);
	if (!dry && needed_write(cli))
		steps->broken++;
	if (run->armed && end_armed(run))
		steps->broken++;
	run->waiting = configured_waiting(cli);
	if (run->waiting < 0)
		return -1;
	run->waiting += xdp_waiting;
	if (!steps->sources.changed && !steps->sources.failed && !steps->broken &&
	    isatty(STDERR_FILENO))
		say(cli, "nothing to do");
	if (cli->json && print_result(run))
		return -1;
	if (steps->broken || run->from_copy)
		return EXIT_ERROR;
	return steps->sources.failed || (dry && steps->sources.changed) ?
	       EXIT_NO : EXIT_YES;
}

/* In the rules of hook xdp, configured_devices() has left only the device of --device. */
static int attach_device(struct run *run)
{
	struct steps *steps = &run->steps;
	struct present present;
	struct plan plan = { .steps = NULL };
	size_t i;
	int ret = present_read(steps->sources.cli, &present);

	if (!ret)
		ret = plan_make(&plan, &run->config, &present);
	steps->present = &present;
	for (i = 0; !ret && i < plan.step_count; i++)
		if (plan.steps[i].kind == PLAN_ATTACH &&
		    plan.steps[i].rule.key.hook == HOOK_XDP &&
		    steps_attach(steps, &plan.steps[i].rule))
			steps->broken++;
	plan_free(&plan);
	present_free(&present);
	if (!ret && own_xdps_write(steps->sources.cli, &steps->own, true))
		ret = -1;
	return ret || steps->broken ? -1 : EXIT_YES;
}

/*
 * Without the file "xdp", the configuration that is in effect has no rules of hook xdp, or was
 * not applied since boot.
 */
static int apply_device(struct run *run)
{
	struct cli *cli = run->steps.sources.cli;
	char path[FOLDERS_PATH];
	int ret;

	if (run_path(cli, "xdp", path))
		return -1;
	if (access(path, F_OK))
		return EXIT_YES;
	ret = unconfirmed_read(cli, &run->config);
	if (ret)
		return ret < 0 ? -1 : EXIT_YES;
	if (cli_open(cli) || own_xdps_read(cli, &run->steps.own) ||
	    configured_devices(&run->config, run->steps.sources.args->apply.device,
			       NULL))
		return -1;
	return attach_device(run);
}

/*
 * If the copy is damaged, leave @applied of struct sources NULL, so that set_guards() in
 * sources.c keeps the limits of all filters.
 */
static void read_applied(struct run *run)
{
	struct sources *sources = &run->steps.sources;

	if (applied_read(sources->cli, &run->applied) < 0)
		hint(-1, "this copy of the configuration that was applied last is damaged, and will be replaced");
	else
		sources->applied = &run->applied;
}

static int find_earlier(struct run *run)
{
	struct sources *sources = &run->steps.sources;

	sources->earlier = run->needed;
	return needed_path(sources->cli, run->needed);
}

/*
 * Create the file "xdp" before configured_devices() lists the devices: for a device that
 * appears later, udev starts apply --device only if this file exists. The new process waits
 * until this process releases the lock of changes_lock().
 */
static int expect_devices(struct run *run)
{
	struct sources *sources = &run->steps.sources;
	char path[FOLDERS_PATH];

	if (run_path(sources->cli, "xdp", path))
		return -1;
	run->xdp_file_existed = !access(path, F_OK);
	if (sources->args->apply.given & APPLY_DRY_RUN || !has_xdp(&run->config))
		return 0;
	return own_xdps_write(sources->cli, &run->steps.own, true);
}

/*
 * At boot or without a terminal, do not use a configuration that apply --confirm applied
 * before, and that was not confirmed: possibly this configuration has cut off the user.
 */
static bool is_refused(const struct run *run)
{
	const struct sources *sources = &run->steps.sources;
	int given = sources->args->apply.given;

	if (given & (APPLY_CONFIRM | APPLY_DRY_RUN))
		return false;
	if (!(given & APPLY_BOOT) && isatty(STDERR_FILENO))
		return false;
	return applied_is_unconfirmed(sources->cli, &run->config);
}

static int read_config(struct run *run)
{
	const struct sources *sources = &run->steps.sources;
	struct cli *cli = sources->cli;
	int ret = configured_read(cli, sources->args,
				  sources->args->apply.given & APPLY_BOOT,
				  &run->config);

	run->from_copy = ret > 0;
	if (ret || !is_refused(run))
		return ret < 0 ? -1 : 0;
	run->from_copy = true;
	config_free(&run->config);
	error("the configuration was not confirmed: the configuration that was applied before it is used instead");
	hint(-1, "'kcuckoo apply --confirm' applies it, then 'kcuckoo confirm' keeps it");
	return applied_read(cli, &run->config) ?
	       error("no earlier configuration can be used") : 0;
}

static int apply_all(struct run *run)
{
	struct sources *sources = &run->steps.sources;
	struct cli *cli = sources->cli;

	if (read_config(run))
		return -1;
	read_applied(run);
	if (find_earlier(run) || cli_open(cli) ||
	    wait_check_module(cli, "a configuration") ||
	    own_xdps_read(cli, &run->steps.own) || expect_devices(run) ||
	    configured_devices(&run->config, NULL, count_missing) ||
	    run_plan(run))
		return -1;
	return finish(run);
}

/* @lock: the lock of changes_lock(), which a dry run releases. */
static int apply_locked(struct cli *cli, const struct args *args, int *lock)
{
	struct run run = {
		.steps.sources = { .cli = cli, .args = args, .copies = FILE_COPIES },
		.lock = lock,
	};
	int given = args->apply.given, ret;

	run.steps.sources.config = &run.config;
	/*
	 * If an earlier configuration waits for its confirmation, fail: its timer would
	 * also undo the new change. But if this timer should have expired long ago, undo
	 * the earlier configuration now, and go on.
	 */
	if (!(given & (APPLY_DRY_RUN | APPLY_DEVICE)) && unconfirmed_end_overdue(cli)) {
		last_apply_write(cli, false);
		return -1;
	}
	if (!(given & (APPLY_DRY_RUN | APPLY_DEVICE)) && unconfirmed_check(cli))
		return -1;
	ret = given & APPLY_DEVICE ? apply_device(&run) : apply_all(&run);
	free(run.steps.own.items);
	config_free(&run.applied);
	config_free(&run.config);
	if (!(given & (APPLY_DRY_RUN | APPLY_DEVICE)))
		last_apply_write(cli, ret == EXIT_YES);
	return ret;
}

int configured_apply(struct cli *cli, const struct args *args)
{
	int lock, ret;

	if (args->apply.given & ONLY_LISTS)
		return hint(error("--exclude, --optimize, --bogons, --yes need lists"),
			    "see kcuckoo.conf(5)");
	lock = changes_lock(cli);
	if (lock < 0)
		return -1;
	ret = apply_locked(cli, args, &lock);
	release_lock(&lock);
	return ret;
}
