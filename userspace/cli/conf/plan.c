// SPDX-License-Identifier: GPL-2.0-only
/*
 * plan_make() compares a configuration with the present filters and rules, and lists the
 * steps from the present state to the configuration. The function only writes the plan.
 */
#include <stdlib.h>
#include <string.h>

#include "conf/plan.h"
#include "conf/texts.h"
#include "message.h"
#include "rules/xdp.h"

/* What the plan does with a present rule. */
enum rule_decision {
	RULE_UNDECIDED,	/* the plan does not handle the rule yet */
	RULE_STAYS,	/* the configuration has the rule; a step can replace the rule */
	RULE_DETACHED,	/* a step detaches the rule */
};

/**
 * struct planner - state of plan_make()
 * @plan: the plan
 * @config: the configuration
 * @present: the present filters and rules
 * @decisions: array with the decision for each element of @present->rules
 */
struct planner {
	struct plan *plan;
	const struct config *config;
	const struct present *present;
	enum rule_decision *decisions;
};

static struct plan_step *add_step(struct planner *planner, enum plan_kind kind)
{
	struct plan *plan = planner->plan;
	struct plan_step *steps;

	steps = array_grow(plan->steps, plan->step_count, sizeof(*steps));
	if (!steps)
		return NULL;
	plan->steps = steps;
	steps += plan->step_count++;
	memset(steps, 0, sizeof(*steps));
	steps->kind = kind;
	return steps;
}

static int add_rule_step(struct planner *planner, enum plan_kind kind,
			 const struct present_rule *rule, bool gap)
{
	struct plan_step *step = add_step(planner, kind);

	if (!step)
		return -1;
	step->rule = *rule;
	step->gap = gap;
	planner->plan->gaps += gap && kind == PLAN_DETACH;
	return 0;
}

static int add_filter_step(struct planner *planner, enum plan_kind kind,
			   const char *name, const struct config_filter *filter)
{
	struct plan_step *step = add_step(planner, kind);

	if (!step)
		return -1;
	strcpy(step->name, name);
	step->filter = filter;
	return 0;
}

/* @place and @rule can be NULL. */
static int add_note(struct planner *planner, enum plan_note_kind kind,
		    const char *name, const struct config_place *place,
		    const struct present_rule *rule)
{
	struct plan *plan = planner->plan;
	struct plan_note *notes;

	notes = array_grow(plan->notes, plan->note_count, sizeof(*notes));
	if (!notes)
		return -1;
	plan->notes = notes;
	notes += plan->note_count++;
	memset(notes, 0, sizeof(*notes));
	notes->kind = kind;
	strcpy(notes->name, name);
	if (place)
		notes->place = *place;
	if (rule)
		notes->rule = *rule;
	plan->conflicts += kind != PLAN_OTHER_FILTER && kind != PLAN_OTHER_RULE;
	return 0;
}

static const char *filter_name(const struct present_filter *filter)
{
	return (const char *)filter->info.name;
}

static const struct present_filter *find_present(const struct planner *planner,
						 const char *name)
{
	const struct present *present = planner->present;
	size_t i;

	for (i = 0; i < present->filter_count; i++)
		if (!strcmp(filter_name(&present->filters[i]), name))
			return &present->filters[i];
	return NULL;
}

static bool same_parameters(const struct kcuckoo_ioc_create *create,
			    const struct kcuckoo_ioc_info *info)
{
	const __u32 timeout = KCUCKOO_CREATE_TIMEOUT;
	__u8 hash = create->hash ? create->hash : KCUCKOO_HASH_JHASH;

	/* If @fpr is set, the kernel chose @tag_bits: do not compare @tag_bits. */
	return hash == info->hash && create->capacity == info->capacity &&
	       create->fpr == info->fpr &&
	       (create->fpr || create->tag_bits == info->tag_bits) &&
	       create->value_bits == info->value_bits &&
	       (create->flags & timeout) == (info->create_flags & timeout) &&
	       create->timeout == info->timeout;
}

static int plan_filter(struct planner *planner,
		       const struct config_filter *filter)
{
	const struct present_filter *present = find_present(planner,
							    filter->name);
	bool lists = filter->lists.count, same;

	if (!present)
		return add_filter_step(planner,
				       lists ? PLAN_PUBLISH : PLAN_CREATE,
				       filter->name, filter);
	if (!present->managed)
		return add_note(planner, PLAN_TAKEN_FILTER, filter->name,
				&filter->place, NULL);
	if (present->info.type != filter->create.type)
		return add_note(planner, PLAN_OTHER_TYPE, filter->name,
				&filter->place, NULL);
	same = same_parameters(&filter->create, &present->info);
	if (lists)
		return add_filter_step(planner,
				       same ? PLAN_UPDATE : PLAN_EXCHANGE,
				       filter->name, filter);
	return same ? 0 : add_filter_step(planner, PLAN_CONVERT, filter->name,
					  filter);
}

static bool is_allowed(const struct planner *planner, const char *name)
{
	const struct config *config = planner->config;
	size_t i;

	for (i = 0; i < config->rule_count; i++)
		if (!strcmp(config->rules[i]->allow, name))
			return true;
	return false;
}

/*
 * Allow filters come first: if an address is new in the lists of both the filter and the
 * allow filter of a rule, the rule must not drop packets of this address between the two
 * steps.
 */
static int plan_filters(struct planner *planner)
{
	const struct config *config = planner->config;
	size_t i;
	int pass;

	for (pass = 0; pass < 2; pass++)
		for (i = 0; i < config->filter_count; i++)
			if (is_allowed(planner, config->filters[i]->name) ==
			    !pass && plan_filter(planner, config->filters[i]))
				return -1;
	return 0;
}

static bool same_but_family(const struct rule_key *a, const struct rule_key *b)
{
	return a->hook == b->hook && a->match == b->match &&
	       a->wait == b->wait && !strcmp(a->filter, b->filter) &&
	       !strcmp(a->dev, b->dev);
}

static bool same_effect(const struct present_rule *present,
			const struct present_rule *wanted)
{
	return !present->dead && present->action == wanted->action &&
	       (present->mark == wanted->mark ||
		wanted->action != KCUCKOO_ACTION_MARK) &&
	       present->log == wanted->log &&
	       present->log_group == wanted->log_group &&
	       present->log_limit == wanted->log_limit &&
	       !strcmp(present->allow, wanted->allow) &&
	       !strcmp(present->label, wanted->label) &&
	       (wanted->mode == XDP_MODE_ANY || present->mode == wanted->mode);
}

/* Set the decision of all present rules that have the key @key. */
static void decide(struct planner *planner, const struct rule_key *key,
		   enum rule_decision decision)
{
	const struct present *present = planner->present;
	size_t i;

	for (i = 0; i < present->rule_count; i++)
		if (present->rules[i].key.family == key->family &&
		    same_but_family(&present->rules[i].key, key))
			planner->decisions[i] = decision;
}

/*
 * Plan the step for a present rule whose key differs from the key of @wanted at most in the
 * families. If the present rule stays, add its families to @covered.
 */
static int plan_existing(struct planner *planner,
			 const struct present_rule *present,
			 const struct present_rule *wanted, __u8 *covered)
{
	struct present_rule part = *wanted;

	if (present->key.family & ~wanted->key.family) {
		/* The kernel cannot remove a family from a rule. */
		decide(planner, &present->key, RULE_DETACHED);
		return add_rule_step(planner, PLAN_DETACH, present, true);
	}
	decide(planner, &present->key, RULE_STAYS);
	*covered |= present->key.family;
	part.key.family = present->key.family;
	if (same_effect(present, wanted))
		return 0;
	return add_rule_step(planner, PLAN_ATTACH, &part, false);
}

static int plan_rule(struct planner *planner, const struct present_rule *wanted,
		     const struct config_place *place)
{
	const struct present *present = planner->present;
	struct present_rule rest = *wanted;
	size_t i, gaps = planner->plan->gaps;
	__u8 covered = 0;

	for (i = 0; i < present->rule_count; i++) {
		const struct present_rule *rule = &present->rules[i];

		if (!same_but_family(&rule->key, &wanted->key) ||
		    !(rule->key.family & wanted->key.family))
			continue;
		if (!*rule->label)
			return add_note(planner, PLAN_TAKEN_RULE,
					wanted->key.filter, place, rule);
		if (planner->decisions[i] == RULE_UNDECIDED &&
		    plan_existing(planner, rule, wanted, &covered))
			return -1;
	}
	rest.key.family &= ~covered;
	if (!rest.key.family)
		return 0;
	return add_rule_step(planner, PLAN_ATTACH, &rest,
			     planner->plan->gaps > gaps);
}

/*
 * Set the fields of @wanted about the log to the values that the kernel reports for
 * such a rule, so that same_effect() can compare them.
 */
static void set_log(struct present_rule *wanted, const struct config_rule *rule)
{
	if (!rule->log)
		return;
	wanted->log = rule->log_group < 0 ? KCUCKOO_LOG_SYSLOG :
					    KCUCKOO_LOG_NFLOG;
	if (rule->log_group > 0)
		wanted->log_group = rule->log_group;
	wanted->log_limit = rule->log_limit ? rule->log_limit :
					      KCUCKOO_LOG_LIMIT;
}

static int plan_rules_of(struct planner *planner, const struct config_rule *rule,
			 const char *filter)
{
	struct present_rule wanted = {
		.key.hook = rule->hook,
		.key.match = rule->match,
		.key.family = rule->family,
		.action = rule->action,
		.mark = rule->mark,
		.mode = rule->mode,
	};
	size_t i;

	strcpy(wanted.key.filter, filter);
	strcpy(wanted.label, rule->name);
	strcpy(wanted.allow, rule->allow);
	set_log(&wanted, rule);
	/*
	 * For a rule of hook xdp, cmd/configured.c replaces @devs by the devices that exist.
	 * If @devs is then empty, the plan has no step for the rule.
	 */
	if (!rule->devs.count && rule->hook != HOOK_XDP)
		return plan_rule(planner, &wanted, &rule->place);
	wanted.key.wait = rule->hook == KCUCKOO_HOOK_INGRESS;
	for (i = 0; i < rule->devs.count; i++) {
		strcpy(wanted.key.dev, rule->devs.items[i].text);
		if (plan_rule(planner, &wanted, &rule->place))
			return -1;
	}
	return 0;
}

static int plan_rules(struct planner *planner)
{
	const struct config *config = planner->config;
	size_t i, j;

	for (i = 0; i < config->rule_count; i++) {
		const struct config_rule *rule = config->rules[i];

		for (j = 0; j < rule->filters.count; j++)
			if (plan_rules_of(planner, rule,
					  rule->filters.items[j].text))
				return -1;
	}
	return 0;
}

/* Plan to detach the rules of an earlier configuration that @config does not have. */
static int plan_old_rules(struct planner *planner)
{
	const struct present *present = planner->present;
	size_t i;

	for (i = 0; i < present->rule_count; i++) {
		const struct present_rule *rule = &present->rules[i];

		if (!*rule->label || planner->decisions[i] != RULE_UNDECIDED)
			continue;
		decide(planner, &rule->key, RULE_DETACHED);
		if (add_rule_step(planner, PLAN_DETACH, rule, false))
			return -1;
	}
	return 0;
}

/* Return: a rule made by hand that uses the filter, or NULL. */
static const struct present_rule *foreign_user(const struct planner *planner,
					       const char *name)
{
	const struct present *present = planner->present;
	size_t i;

	for (i = 0; i < present->rule_count; i++) {
		const struct present_rule *rule = &present->rules[i];

		if (!*rule->label && (!strcmp(rule->key.filter, name) ||
				      !strcmp(rule->allow, name)))
			return rule;
	}
	return NULL;
}

/* If a rule made by hand or a user that is no rule uses the filter, add a note instead. */
static int plan_destroy(struct planner *planner, const struct present_filter *filter)
{
	const char *name = filter_name(filter);
	const struct present_rule *user = foreign_user(planner, name);
	struct plan *plan = planner->plan;

	if (user)
		return add_note(planner, PLAN_BUSY_FILTER, name, NULL, user);
	if (!filter->other_users)
		return add_filter_step(planner, PLAN_DESTROY, name, NULL);
	if (add_note(planner, PLAN_USED_FILTER, name, NULL, NULL))
		return -1;
	plan->notes[plan->note_count - 1].users = filter->other_users;
	return 0;
}

/* Plan to destroy the filters of an earlier configuration that @config does not have. */
static int plan_old_filters(struct planner *planner)
{
	const struct present *present = planner->present;
	size_t i;
	int ret = 0;

	for (i = 0; i < present->filter_count && !ret; i++) {
		const struct present_filter *filter = &present->filters[i];

		if (filter->managed && !config_filter(planner->config, filter_name(filter)))
			ret = plan_destroy(planner, filter);
	}
	return ret;
}

/*
 * Return: true if the plan already has a note with this rule. The kernel lists a rule with
 * a pattern once for each of its devices.
 */
static bool is_noted(const struct planner *planner,
		     const struct present_rule *rule)
{
	const struct plan *plan = planner->plan;
	size_t i;

	for (i = 0; i < plan->note_count; i++)
		if (plan->notes[i].rule.key.family == rule->key.family &&
		    same_but_family(&plan->notes[i].rule.key, &rule->key))
			return true;
	return false;
}

/* Append notes for the filters and rules that were made by hand and have no note yet. */
static int note_others(struct planner *planner)
{
	const struct present *present = planner->present;
	size_t i;
	int ret = 0;

	for (i = 0; i < present->filter_count && !ret; i++) {
		const char *name = filter_name(&present->filters[i]);

		if (!present->filters[i].managed &&
		    !config_filter(planner->config, name))
			ret = add_note(planner, PLAN_OTHER_FILTER, name, NULL,
				       NULL);
	}
	for (i = 0; i < present->rule_count && !ret; i++) {
		const struct present_rule *rule = &present->rules[i];

		if (!*rule->label && !is_noted(planner, rule))
			ret = add_note(planner, PLAN_OTHER_RULE,
				       rule->key.filter, NULL, rule);
	}
	return ret;
}

int plan_make(struct plan *plan, const struct config *config,
	      const struct present *present)
{
	struct planner planner = {
		.plan = plan,
		.config = config,
		.present = present,
	};
	int ret = -1;

	memset(plan, 0, sizeof(*plan));
	planner.decisions = calloc(present->rule_count + 1, sizeof(*planner.decisions));
	if (planner.decisions && !plan_filters(&planner) && !plan_rules(&planner) &&
	    !plan_old_rules(&planner) && !plan_old_filters(&planner) &&
	    !note_others(&planner))
		ret = 0;
	free(planner.decisions);
	return ret ? error("not enough memory") : 0;
}

void plan_free(struct plan *plan)
{
	free(plan->steps);
	free(plan->notes);
	memset(plan, 0, sizeof(*plan));
}
