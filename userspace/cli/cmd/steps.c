// SPDX-License-Identifier: GPL-2.0-only
/*
 * steps_run() does the steps of a plan, which plan_make() made from the configuration.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd/configured.h"
#include "cmd/steps.h"
#include "conf/report.h"
#include "keywords.h"
#include "limit.h"
#include "message.h"
#include "rules/device.h"
#include "rules/lockout.h"
#include "rules/log.h"
#include "rules/rules.h"
#include "rules/users.h"
#include "rules/xdp.h"

static const char *text_of(const struct present_rule *rule, char text[RULE_TEXT])
{
	struct kcuckoo_rule shown = {
		.hook = rule->key.hook,
		.family = rule->key.family,
		.match = rule->key.match,
		.action = rule->action,
		.mark = rule->mark,
		.log = rule->log,
		.log_group = rule->log_group,
		.log_limit = rule->log_limit,
	};

	memcpy(shown.dev, rule->key.dev, sizeof(shown.dev));
	memcpy(shown.allow, rule->allow, sizeof(shown.allow));
	return rule_text(&shown, text);
}

static int rule_error(const struct present_rule *rule, const char *what, const char *why)
{
	char text[RULE_TEXT];

	return error("rule %s: cannot %s '%s' %s: %s", rule->label, what,
		     rule->key.filter, text_of(rule, text), why);
}

static void detach_pattern(const struct present_rule *rule,
			   struct kcuckoo_ioc_detach *pattern)
{
	*pattern = (struct kcuckoo_ioc_detach){
		.size = sizeof(*pattern),
		.flags = KCUCKOO_DETACH_HOOK | KCUCKOO_DETACH_FAMILY |
			 KCUCKOO_DETACH_MATCH,
		.hook = rule->key.hook,
		.family = rule->key.family,
		.match = rule->key.match,
	};
	if (*rule->key.dev)
		pattern->flags |= KCUCKOO_DETACH_DEV;
	memcpy(pattern->dev, rule->key.dev, sizeof(pattern->dev));
}

static int detach_xdp(struct steps *steps, const struct present_rule *rule)
{
	struct xdp_detached detached = { .rules = 0 };
	struct kcuckoo_ioc_detach pattern;

	detach_pattern(rule, &pattern);
	/*
	 * A device has at most one rule of hook xdp, so @pattern needs no family and no
	 * match. Without these, xdp_detach() also releases a slot that a killed process
	 * took for a rule before the rule existed.
	 */
	pattern.flags &= ~(KCUCKOO_DETACH_FAMILY | KCUCKOO_DETACH_MATCH);
	/* After an error, @rules of @detached shows whether the rule was detached. */
	if (xdp_detach(steps->sources.cli, rule->key.filter, &pattern, &detached)) {
		if (!detached.rules)
			return -1;
		steps->broken++;
	}
	own_xdps_remove(&steps->own, rule);
	return 0;
}

static int detach(struct steps *steps, const struct present_rule *rule)
{
	struct cli *cli = steps->sources.cli;
	struct kcuckoo_ioc_detach pattern;
	char text[RULE_TEXT];
	int ret = 0;

	if (rule->key.hook == HOOK_XDP) {
		if (detach_xdp(steps, rule))
			return -1;
	} else {
		detach_pattern(rule, &pattern);
		pattern.flags |= KCUCKOO_DETACH_LABEL;
		memcpy(pattern.label, rule->label, sizeof(pattern.label));
		ret = kcuckoo_detach(cli->handle, rule->key.filter, &pattern);
	}
	if (ret < 0 && ret != -ENOENT)
		return rule_error(rule, "detach", kcuckoo_strerror(ret));
	say(cli, "rule %s: detached '%s' %s", rule->label, rule->key.filter,
	    text_of(rule, text));
	return 0;
}

/*
 * Detach the rules that a configuration made on the device of @rule, so that @rule can be
 * attached. The file xdp can have several rules of one device, and rules that do not exist,
 * if a process was killed; detach_xdp() then releases what that process left. @same: @own had a
 * rule with the filter and device of @rule before @rule was added, so detach that rule, too.
 * Return: 0, or -1 after an error message.
 */
static int detach_own(struct steps *steps, const struct present_rule *rule, bool same)
{
	struct present_rule other = *rule;
	const struct own_xdp *own;

	while ((own = own_xdps_other(&steps->own, rule))) {
		strcpy(other.key.filter, own->filter);
		if (detach_xdp(steps, &other))
			return -1;
	}
	return same ? detach_xdp(steps, rule) : 0;
}

/*
 * Attach a rule of hook xdp. A device can have only one rule of hook xdp, and the kernel
 * does not replace this rule by another. So first detach the rule that a configuration
 * made on the device, and attach the old rule again if the new rule cannot be attached.
 * Write the new rule to the file xdp before these changes. If the file cannot be written,
 * the old rule stays attached. If this process is killed later, the file shows that a
 * configuration made the rule. Return: 0, or -1 after an error message.
 */
static int attach_xdp(struct steps *steps, const struct kcuckoo_rule *shown,
		      const struct present_rule *rule)
{
	struct cli *cli = steps->sources.cli;
	const struct present_rule *old = present_xdp(steps->present, NULL, rule->key.dev);
	const bool same = own_xdps_has(&steps->own, rule);

	if (own_xdps_set(&steps->own, rule) ||
	    own_xdps_write(cli, &steps->own, true) || detach_own(steps, rule, same)) {
		if (!same)
			own_xdps_remove(&steps->own, rule);
		return -1;
	}
	/* If a rule with the same filter was detached, the new rule is no longer in @own. */
	if (own_xdps_set(&steps->own, rule))
		return -1;
	if (!xdp_attach(cli, shown, rule->mode))
		return 0;
	own_xdps_remove(&steps->own, rule);
	/*
	 * A rule without a label was made by hand, and is still attached. If @rule is the
	 * old rule, the attempt to attach it again has just failed. @steps->present lacks
	 * rules that cannot be read, so look at the device before a rule is reported as
	 * missing.
	 */
	if (old && old != rule && *old->label)
		steps_attach(steps, old);
	else if (xdp_is_built && !xdp_has_rule(rule->key.filter, rule->key.dev))
		say_unattached(rule->label, rule->key.dev);
	return -1;
}

static int attach_hook(struct cli *cli, const struct kcuckoo_rule *shown,
		       const struct present_rule *rule)
{
	struct kcuckoo_ioc_attach request = {
		.size = sizeof(request),
		.flags = KCUCKOO_ATTACH_REPLACE |
			 (rule->key.wait ? KCUCKOO_ATTACH_WAIT : 0),
		.hook = rule->key.hook,
		.family = rule->key.family,
		.match = rule->key.match,
		.action = rule->action,
		.mark = rule->mark,
		.log = rule->log,
		.log_group = rule->log_group,
		.log_limit = rule->log_limit,
	};
	struct limit limit;
	int ret;

	memcpy(request.allow, rule->allow, sizeof(request.allow));
	memcpy(request.dev, rule->key.dev, sizeof(request.dev));
	memcpy(request.label, rule->label, sizeof(request.label));
	ret = kcuckoo_attach(cli->handle, rule->key.filter, &request);
	if (!ret)
		return 0;
	if (ret == -EINVAL && *rule->key.dev) {
		error("rule %s cannot be attached:", rule->label);
		return device_never_drops(rule->key.dev);
	}
	if (ret == -EDQUOT) {
		limit_of_rule(cli, shown, &limit);
		rule_error(rule, "attach", limit.text);
		return limit_hint(&limit);
	}
	rule_error(rule, "attach", kcuckoo_strerror(ret));
	log_error(shown, ret);
	return -1;
}

int steps_attach(struct steps *steps, const struct present_rule *rule)
{
	struct kcuckoo_rule shown = {
		.hook = rule->key.hook,
		.family = rule->key.family,
		.match = rule->key.match,
		.action = rule->action,
		.mark = rule->mark,
		.log = rule->log,
		.log_group = rule->log_group,
		.log_limit = rule->log_limit,
	};
	struct cli *cli = steps->sources.cli;
	char text[RULE_TEXT];

	memcpy(shown.name, rule->key.filter, sizeof(shown.name));
	memcpy(shown.dev, rule->key.dev, sizeof(shown.dev));
	memcpy(shown.allow, rule->allow, sizeof(shown.allow));
	if (rule->key.wait)
		memcpy(shown.pattern, rule->key.dev, sizeof(shown.pattern));
	/* At boot, no administrator has a connection that a rule could cut off. */
	if (!(steps->sources.args->apply.given & APPLY_BOOT))
		lockout_check_rule(cli, &shown);
	if (rule->key.hook == HOOK_XDP ? attach_xdp(steps, &shown, rule) :
					 attach_hook(cli, &shown, rule))
		return -1;
	say(cli, "rule %s: attached '%s' %s", rule->label, rule->key.filter,
	    text_of(rule, text));
	return 0;
}

static int create(struct cli *cli, const struct plan_step *step)
{
	struct kcuckoo_ioc_create create = step->filter->create;
	int ret;

	create.flags |= KCUCKOO_CREATE_MANAGED;
	ret = kcuckoo_create(cli->handle, step->name, &create);
	if (ret)
		return filter_error(cli, ret, step->name, "create");
	say(cli, "%s: created", step->name);
	return 0;
}

static int destroy(struct cli *cli, const struct plan_step *step)
{
	if (rules_destroy_filter(cli, step->name))
		return -1;
	say(cli, "%s: destroyed", step->name);
	return 0;
}

static int run_step(struct steps *steps, const struct plan_step *step)
{
	switch (step->kind) {
	case PLAN_CREATE:
		return create(steps->sources.cli, step);
	case PLAN_ATTACH:
		return steps_attach(steps, &step->rule);
	case PLAN_DETACH:
		return detach(steps, &step->rule);
	default:
		return destroy(steps->sources.cli, step);
	}
}

static bool reads_lists(const struct plan_step *step)
{
	return step->kind == PLAN_PUBLISH || step->kind == PLAN_UPDATE ||
	       step->kind == PLAN_EXCHANGE || step->kind == PLAN_CONVERT;
}

/* Return: true if the step removes a rule or filter that the next step does not replace. */
static bool removes_old(const struct plan_step *step)
{
	return step->kind == PLAN_DESTROY ||
	       (step->kind == PLAN_DETACH && !step->gap);
}

/*
 * Return: true if the filter does not exist yet, or was not in the configuration that was
 * applied last, so that the filter possibly replaces an earlier filter.
 */
static bool is_new(const struct sources *sources, const struct plan_step *step)
{
	return step->kind == PLAN_PUBLISH ||
	       (sources->applied && !config_filter(sources->applied, step->name));
}

static void say_step(const struct cli *cli, const struct plan_step *step)
{
	char text[RULE_TEXT];

	switch (step->kind) {
	case PLAN_ATTACH:
	case PLAN_DETACH:
		say(cli, "rule %s: would %s '%s' %s", step->rule.label,
		    step->kind == PLAN_ATTACH ? "attach" : "detach",
		    step->rule.key.filter, text_of(&step->rule, text));
		break;
	default:
		say(cli, "%s: would be %s", step->name,
		    step->kind == PLAN_CREATE ? "created" : "destroyed");
	}
}

static bool run_lists(struct sources *sources, const struct plan_step *step)
{
	size_t failed = sources->failed;

	sources_apply(sources, step);
	return sources->failed == failed || !is_new(sources, step);
}

static bool run_new(struct steps *steps, const struct plan_step *step)
{
	if (!run_step(steps, step))
		return true;
	steps->broken++;
	/*
	 * The previous step detached the old rule. attach_xdp() has attached a rule of hook
	 * xdp again already.
	 */
	if (step->kind == PLAN_ATTACH && step->gap && step->rule.key.hook != HOOK_XDP)
		steps_attach(steps, &step[-1].rule);
	return false;
}

void steps_run(struct steps *steps, const struct plan *plan)
{
	struct sources *sources = &steps->sources;
	bool dry = sources->args->apply.given & APPLY_DRY_RUN;
	bool complete = true;
	size_t i;

	for (i = 0; i < plan->step_count; i++) {
		const struct plan_step *step = &plan->steps[i];

		if (reads_lists(step)) {
			complete &= run_lists(sources, step);
			continue;
		}
		if (removes_old(step) && !complete) {
			error("the earlier rules and filters stay, because new ones failed");
			steps->broken++;
			return;
		}
		if (dry)
			say_step(sources->cli, step);
		else if (removes_old(step))
			steps->broken += !!run_step(steps, step);
		else
			complete &= run_new(steps, step);
		sources->changed = true;
	}
}

static int say_conflict(const struct plan_note *note)
{
	char where[PLACE_TEXT], text[RULE_TEXT];

	switch (note->kind) {
	case PLAN_TAKEN_FILTER:
		return hint(error("%s: there is a filter '%s' that no configuration made",
				  place_text(&note->place, where), note->name),
			    "destroy or rename it, or give this section another name");
	case PLAN_OTHER_TYPE:
		return hint(error("%s: the filter '%s' would change its type",
				  place_text(&note->place, where), note->name),
			    "give this section another name");
	case PLAN_TAKEN_RULE:
		return hint(error("%s: the same rule exists, and no configuration made it: '%s' %s",
				  place_text(&note->place, where), note->name,
				  text_of(&note->rule, text)),
			    "'kcuckoo detach %s' removes it", note->name);
	case PLAN_USED_FILTER:
		error("the filter '%s' is not in the configuration any more, but it is in use",
		      note->name);
		return users_hint(note->name, note->users);
	default:
		return hint(error("the filter '%s' is not in the configuration any more, but a rule that no configuration made uses it: '%s' %s",
				  note->name, note->rule.key.filter,
				  text_of(&note->rule, text)),
			    "'kcuckoo detach %s' removes the rule",
			    note->rule.key.filter);
	}
}

int steps_conflicts(const struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->note_count; i++)
		if (plan->notes[i].kind != PLAN_OTHER_FILTER &&
		    plan->notes[i].kind != PLAN_OTHER_RULE)
			say_conflict(&plan->notes[i]);
	return plan->conflicts ? -1 : 0;
}

int steps_notes(const struct cli *cli, const struct plan *plan)
{
	int ret = steps_conflicts(plan);
	char text[RULE_TEXT];
	size_t i;

	for (i = 0; i < plan->note_count; i++) {
		const struct plan_note *note = &plan->notes[i];

		if (note->kind == PLAN_OTHER_FILTER)
			detail(cli, "filter '%s' was made by hand, and stays",
			       note->name);
		else if (note->kind == PLAN_OTHER_RULE)
			detail(cli, "rule of '%s' was made by hand, and stays: %s",
			       note->name, text_of(&note->rule, text));
	}
	return ret ? error("nothing was changed") : 0;
}
