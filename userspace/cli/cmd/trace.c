// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions compute what the rules do with a packet, for the verb explain. The
 * result must be the same as the result of kcuckoo_rules_drop() in the module, and of the
 * XDP program.
 *
 * The source or the destination of the packet is the address that the user named. The
 * other address of the packet is unknown, so this file only counts the rules that look up
 * the other address.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/explain.h"
#include "message.h"
#include "rules/xdp.h"

static int hook_order(int hook)
{
	switch (hook) {
	case HOOK_XDP:
		return 0;
	case KCUCKOO_HOOK_INGRESS:
		return 1;
	case KCUCKOO_HOOK_PREROUTING:
		return 2;
	case KCUCKOO_HOOK_INPUT:
		return 3;
	case KCUCKOO_HOOK_FORWARD:
		return 4;
	default:
		return 5;
	}
}

/* Return: the device of a rule; or the pattern of a rule that waits for a device. */
static const char *device(const struct kcuckoo_rule *rule)
{
	return (const char *)(*rule->dev ? rule->dev : rule->pattern);
}

static bool is_awaited(const struct kcuckoo_rule *rule, const char *dev)
{
	const char *pattern = (const char *)rule->pattern;
	size_t length = strlen(pattern);

	if (length && pattern[length - 1] == '*')
		return !strncmp(pattern, dev, length - 1);
	return !strcmp(pattern, dev);
}

static bool is_other_device(const struct explain *explain,
			    const struct kcuckoo_rule *rule)
{
	if (!explain->dev || (!*rule->dev && !*rule->pattern))
		return false;
	if (*rule->dev)
		return !lowers_find(&explain->lowers, (const char *)rule->dev);
	return !is_awaited(rule, explain->dev);
}

/* Return: the effect of a rule that matches nothing because of its state; otherwise -1. */
static int idle_effect(const struct kcuckoo_rule *rule)
{
	if (rule->flags & KCUCKOO_RULE_DEV_WAITING)
		return EFFECT_WAITS_DEV;
	if (rule->flags & KCUCKOO_RULE_WAITING)
		return EFFECT_WAITS;
	if (rule->flags & KCUCKOO_RULE_ALLOW_WAITING)
		return EFFECT_WAITS_ALLOW;
	if (rule->flags & RULE_SLOT_MISSING)
		return EFFECT_DEAD;
	return rule->flags & RULE_NO_ETHERNET ? EFFECT_NO_ETHERNET : -1;
}

/* Set @effect and @mark of a rule for a packet that reaches the rule. */
static void set_effect(const struct explain *explain, struct traced *traced)
{
	const struct kcuckoo_rule *rule = traced->rule;
	const struct explained *filter = explain_filter(explain, rule->name);
	const struct explained *allow = explain_filter(explain, rule->allow);
	int idle = idle_effect(rule);

	if (idle >= 0)
		traced->effect = idle;
	else if (!filter)
		traced->effect = EFFECT_WAITS;
	else if (!filter->present)
		traced->effect = EFFECT_ABSENT;
	else if (*rule->allow && !allow)
		traced->effect = EFFECT_WAITS_ALLOW;
	else if (allow && allow->present)
		traced->effect = EFFECT_ALLOWED;
	else if (rule->action == KCUCKOO_ACTION_DROP)
		traced->effect = EFFECT_DROP;
	else if (rule->action == KCUCKOO_ACTION_COUNT)
		traced->effect = EFFECT_COUNT;
	else
		traced->effect = EFFECT_MARK;
	traced->mark = rule->action == KCUCKOO_ACTION_VALUE && filter ?
		       filter->value : rule->mark;
}

bool trace_is_active(const struct traced *traced)
{
	return traced->effect == EFFECT_DROP || traced->effect == EFFECT_COUNT ||
	       traced->effect == EFFECT_MARK;
}

static bool has_device(const struct kcuckoo_rule *rule)
{
	return hook_order(rule->hook) <= hook_order(KCUCKOO_HOOK_INGRESS);
}

/**
 * struct ordered_rule - a rule, and its place in the order in which a packet traverses rules
 * @rule: the rule
 * @depth: for hooks xdp and ingress, @depth of struct lower for the device of the rule
 *	(rules/lower.h); 0 if the user named no device or the rule waits for its device;
 *	-1 for other hooks
 */
struct ordered_rule {
	const struct kcuckoo_rule *rule;
	int depth;
};

/*
 * Compare two rules by the order in which a packet traverses them. The rules of the
 * lowest device come first, and for each device, hook xdp comes before hook ingress. If
 * the user named no device, the rules of hook xdp of all devices come before all other
 * rules. Rules of the same stage (struct stage in cmd/explain.h) keep their order.
 */
static int compare(const void *a, const void *b)
{
	const struct ordered_rule *p = a, *q = b;
	const struct kcuckoo_rule *x = p->rule, *y = q->rule;
	int order = q->depth - p->depth;

	if (!order && p->depth > 0)
		order = strcmp(device(x), device(y));
	if (!order)
		order = hook_order(x->hook) - hook_order(y->hook);
	if (!order && has_device(x))
		order = strcmp(device(x), device(y));
	return order ? order : x < y ? -1 : x > y;
}

static bool starts_stage(const struct stage *stage, const struct kcuckoo_rule *rule)
{
	return !stage || stage->hook != rule->hook ||
	       strcmp(stage->dev, device(rule));
}

/* @dropped: the rule that drops the packet at an earlier stage; or NULL. */
static void run_stage(struct trace *trace, struct stage *stage,
		      const struct kcuckoo_rule *dropped)
{
	int i;

	if (dropped)
		stage->verdict = VERDICT_UNREACHED;
	stage->drop_rule = dropped;
	for (i = stage->first; i < stage->first + stage->count; i++) {
		struct traced *traced = &trace->rules[i];

		if (!trace_is_active(traced))
			continue;
		if (stage->drop_rule) {
			traced->effect = EFFECT_UNREACHED;
		} else if (traced->effect == EFFECT_DROP) {
			stage->verdict = VERDICT_DROP;
			stage->drop_rule = traced->rule;
		} else if (traced->effect == EFFECT_MARK) {
			stage->marked = true;
			stage->mark = traced->mark;
		}
	}
}

/* Return: which share of the packets of @stage has traversed the earlier stage @before. */
static enum lower_share share_of(const struct explain *explain,
				 const struct stage *before,
				 const struct stage *stage)
{
	if (stage->hook == KCUCKOO_HOOK_OUTPUT ||
	    hook_order(before->hook) > hook_order(KCUCKOO_HOOK_PREROUTING))
		return LOWER_NONE;
	if (!*before->dev)
		return LOWER_ALL;
	if (before->lower)
		return lowers_share(&explain->lowers, before->lower, stage->lower);
	return strcmp(before->dev, stage->dev) ? LOWER_NONE : LOWER_ALL;
}

/*
 * Return: true if rules drop all packets of the device @upper before @stage: at an
 * earlier stage of @upper, or at the lower devices of @upper.
 */
static bool is_dropped_below(const struct trace *trace, const struct stage *stage,
			     const struct lowers *lowers, const struct lower *upper)
{
	const struct lower *lower = NULL;
	const struct stage *before;
	bool found = false;

	for (before = trace->stages; before < stage; before++)
		if (before->lower == upper && before->verdict == VERDICT_DROP)
			return true;
	while ((lower = lowers_next(lowers, upper, lower))) {
		if (!is_dropped_below(trace, stage, lowers, lower))
			return false;
		found = true;
	}
	return found && !upper->has_other_input;
}

/*
 * Return: a rule that drops the packet at a stage before @stage, or NULL.
 *
 * A received packet traverses the hooks xdp and ingress of a lower device, and then of the
 * device above. Then the packet traverses prerouting, and then either input or forward. So
 * a verdict of input does not affect forward. If the user named no device, a verdict of xdp
 * or ingress affects only stages of the same device; otherwise see share_of(). Packets that
 * this host sends traverse only output.
 */
static const struct kcuckoo_rule *dropped_before(const struct explain *explain,
						 const struct trace *trace,
						 const struct stage *stage)
{
	const struct stage *before;

	for (before = trace->stages; before < stage; before++)
		if (before->verdict == VERDICT_DROP &&
		    share_of(explain, before, stage) == LOWER_ALL)
			return before->drop_rule;
	before = trace_lower_drop(explain, trace, stage, NULL);
	if (before && is_dropped_below(trace, stage, &explain->lowers,
				       stage->lower ? stage->lower :
				       lowers_top(&explain->lowers)))
		return before->drop_rule;
	return NULL;
}

const struct stage *trace_lower_drop(const struct explain *explain,
				     const struct trace *trace,
				     const struct stage *stage,
				     const struct stage *after)
{
	const struct stage *before = after ? after + 1 : trace->stages;

	for (; before < stage; before++)
		if (before->verdict == VERDICT_DROP &&
		    share_of(explain, before, stage) == LOWER_SOME)
			return before;
	return NULL;
}

static void run_stages(const struct explain *explain, struct trace *trace)
{
	struct stage *stage = trace->stages, *end = stage + trace->stage_count;

	for (; stage < end; stage++)
		run_stage(trace, stage, dropped_before(explain, trace, stage));
}

/*
 * The caller passes the rules in the order of compare(). If a rule looks up the other address
 * of the packet, only update the counters of the stage.
 */
static void add_rule(const struct explain *explain, struct trace *trace,
		     const struct kcuckoo_rule *rule)
{
	struct stage *stage = trace->stage_count ?
			      &trace->stages[trace->stage_count - 1] : NULL;

	if (starts_stage(stage, rule)) {
		stage = &trace->stages[trace->stage_count++];
		stage->hook = rule->hook;
		stage->dev = device(rule);
		stage->lower = lowers_find(&explain->lowers, stage->dev);
		stage->first = trace->rule_count;
	}
	if (rule->match != trace->match) {
		if (idle_effect(rule) < 0) {
			stage->others++;
			stage->other_drops += rule->action == KCUCKOO_ACTION_DROP;
		}
		return;
	}
	trace->rules[trace->rule_count].rule = rule;
	set_effect(explain, &trace->rules[trace->rule_count++]);
	stage->count++;
}

static int sort_rules(const struct explain *explain, struct ordered_rule *ordered)
{
	const struct lower *lower;
	int i, count = 0;

	for (i = 0; i < explain->rule_count; i++) {
		const struct kcuckoo_rule *rule = &explain->rules[i];

		if (!(rule->family & explain->address.family) ||
		    is_other_device(explain, rule))
			continue;
		lower = lowers_find(&explain->lowers, (const char *)rule->dev);
		ordered[count++] = (struct ordered_rule){
			.rule = rule,
			.depth = !has_device(rule) ? -1 : lower ? lower->depth : 0,
		};
	}
	qsort(ordered, count, sizeof(*ordered), compare);
	return count;
}

int trace_make(const struct explain *explain, int match, struct trace *trace)
{
	struct ordered_rule *ordered;
	int i, count;

	ordered = calloc(explain->rule_count + 1, sizeof(*ordered));
	*trace = (struct trace){
		.match = match,
		.rules = calloc(explain->rule_count + 1, sizeof(*trace->rules)),
		.stages = calloc(explain->rule_count + 1, sizeof(*trace->stages)),
	};
	if (!ordered || !trace->rules || !trace->stages) {
		free(ordered);
		return error("not enough memory");
	}
	count = sort_rules(explain, ordered);
	for (i = 0; i < count; i++)
		add_rule(explain, trace, ordered[i].rule);
	free(ordered);
	run_stages(explain, trace);
	return 0;
}

void trace_free(struct trace *trace)
{
	free(trace->rules);
	free(trace->stages);
}
