/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plan_make() compares a configuration with the present filters and rules, and lists the
 * steps from the present state to the configuration.
 */
#ifndef KCUCKOO_CLI_CONF_PLAN_H
#define KCUCKOO_CLI_CONF_PLAN_H

#include "conf/config.h"

/**
 * struct present_filter - a filter that exists
 * @info: parameters and name of the filter
 * @managed: a configuration made the filter; otherwise it was made by hand
 * @other_users: number of users that are no rules, such as rules of iptables, see
 *	rules/users.h
 */
struct present_filter {
	struct kcuckoo_ioc_info info;
	bool managed;
	__u32 other_users;
};

/**
 * struct rule_key - the fields that identify a rule
 * @filter: name of the filter
 * @dev: name of a device, or pattern if @wait is true; or empty
 * @hook: enum kcuckoo_hook, or HOOK_XDP
 * @match: enum kcuckoo_match
 * @family: KCUCKOO_FAMILY_*
 * @wait: the rule waits for its device (KCUCKOO_ATTACH_WAIT)
 */
struct rule_key {
	char filter[KCUCKOO_NAME_SIZE];
	char dev[KCUCKOO_DEV_SIZE];
	__u8 hook;
	__u8 match;
	__u8 family;
	bool wait;
};

/**
 * struct present_rule - a rule that exists, or that the configuration has
 * @key: the fields that identify the rule
 * @label: name of the section [rule] that made the rule; empty if the rule was
 *	made by hand
 * @allow: name of the allow filter of the rule, or empty
 * @action: enum kcuckoo_action
 * @mark: the mark for KCUCKOO_ACTION_MARK
 * @mode: enum xdp_mode of a rule of hook xdp. XDP_MODE_ANY in a rule of the
 *	configuration permits each mode of an existing rule
 * @dead: a rule of hook xdp that exists, but matches nothing (RULE_SLOT_MISSING)
 * @log: enum kcuckoo_log
 * @log_group: group of KCUCKOO_LOG_NFLOG
 * @log_limit: maximum number of packets that the rule logs per second
 */
struct present_rule {
	struct rule_key key;
	char label[KCUCKOO_NAME_SIZE];
	char allow[KCUCKOO_NAME_SIZE];
	__u8 action;
	__u32 mark;
	int mode;
	bool dead;
	__u8 log;
	__u16 log_group;
	__u32 log_limit;
};

/**
 * struct present - the filters and rules of a network namespace
 * @filters: the filters
 * @filter_count: number of filters
 * @rules: the rules. The array can have a rule several times, because the kernel lists
 *	a rule with a pattern once for each of its devices
 * @rule_count: number of rules
 */
struct present {
	const struct present_filter *filters;
	size_t filter_count;
	const struct present_rule *rules;
	size_t rule_count;
};

enum plan_kind {
	PLAN_CREATE,	/* create a managed filter without members */
	PLAN_PUBLISH,	/* create a managed filter from its lists */
	PLAN_UPDATE,	/* make the members of a filter equal to its lists */
	PLAN_EXCHANGE,	/* like PLAN_UPDATE, and also change the parameters of the filter */
	PLAN_CONVERT,	/* change the parameters of a filter without lists */
	PLAN_ATTACH,	/* add a rule, or replace the rule with the same struct rule_key */
	PLAN_DETACH,	/* remove a rule */
	PLAN_DESTROY,	/* destroy a filter */
};

/**
 * struct plan_step - one step of a plan
 * @kind: enum plan_kind
 * @name: name of the filter, for steps of filters
 * @filter: section of the filter, for steps of filters; NULL for PLAN_DESTROY
 * @rule: the rule, for PLAN_ATTACH and PLAN_DETACH
 * @gap: the step is one of a pair PLAN_DETACH and PLAN_ATTACH that replaces a rule.
 *	Packets pass between the two steps, because the kernel cannot replace the old
 *	rule by the new rule at once
 */
struct plan_step {
	enum plan_kind kind;
	char name[KCUCKOO_NAME_SIZE];
	const struct config_filter *filter;
	struct present_rule rule;
	bool gap;
};

/* Kinds of notes. A filter or rule was made by hand if no configuration made it. */
enum plan_note_kind {
	PLAN_OTHER_FILTER,	/* filter made by hand, not in the configuration */
	PLAN_OTHER_RULE,	/* rule made by hand, not in the configuration */
	PLAN_TAKEN_FILTER,	/* conflict: a filter made by hand has this name */
	PLAN_TAKEN_RULE,	/* conflict: a rule made by hand overlaps a configured rule */
	PLAN_BUSY_FILTER,	/* conflict: a rule made by hand uses the filter */
	PLAN_USED_FILTER,	/* conflict: users that are no rules use the filter */
	PLAN_OTHER_TYPE,	/* conflict: the filter has another type */
};

/**
 * struct plan_note - a filter or rule that no step changes
 * @kind: enum plan_note_kind
 * @name: name of the filter
 * @place: place of the section of the configuration that conflicts; @place.file is NULL
 *	if the note is about no section
 * @rule: the rule, for PLAN_OTHER_RULE, PLAN_TAKEN_RULE and PLAN_BUSY_FILTER
 * @users: number of the users, for PLAN_USED_FILTER
 */
struct plan_note {
	enum plan_note_kind kind;
	char name[KCUCKOO_NAME_SIZE];
	struct config_place place;
	struct present_rule rule;
	__u32 users;
};

/**
 * struct plan - the steps from the present state to a configuration
 * @steps: the steps in their order: steps for allow filters, steps for other filters,
 *	attach rules, detach old rules, destroy old filters. So the filters of a
 *	new rule exist before the rule. A rule is detached after the rules that
 *	replace it are attached, except for steps with @gap
 * @step_count: number of steps
 * @notes: filters and rules that no step changes, conflicts first
 * @note_count: number of notes
 * @conflicts: number of conflicts. If it is not 0, the caller must not execute any step
 * @gaps: number of pairs of steps between which packets pass
 */
struct plan {
	struct plan_step *steps;
	size_t step_count;
	struct plan_note *notes;
	size_t note_count;
	size_t conflicts;
	size_t gaps;
};

/*
 * Compare @config, which can be empty, with @present, and make @plan. No step changes
 * a filter that is not managed, or a rule without a label. The caller must call
 * plan_free() even after an error. Return: 0, or -1 after an error message.
 */
int plan_make(struct plan *plan, const struct config *config,
	      const struct present *present);

/* Free the arrays of @plan. The caller frees the configuration, to which steps refer. */
void plan_free(struct plan *plan);

#endif /* KCUCKOO_CLI_CONF_PLAN_H */
