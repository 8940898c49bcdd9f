// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verbs attach and detach add and remove rules, which drop, count or mark
 * packets.
 */
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "cmd/rule_field.h"
#include "describe.h"
#include "json.h"
#include "keywords.h"
#include "limit.h"
#include "message.h"
#include "rules/device.h"
#include "rules/existing.h"
#include "rules/flowtable.h"
#include "rules/lockout.h"
#include "rules/log.h"
#include "rules/rules.h"
#include "rules/wait.h"
#include "rules/xdp.h"

/* Fields that the verbs attach and detach accept: a bit 1 << FIELD_* for each field. */
#define ATTACH_FIELDS	(1 << FIELD_HOOK | 1 << FIELD_FAMILY | 1 << FIELD_MATCH | \
			 1 << FIELD_DEV | 1 << FIELD_ACTION | \
			 1 << FIELD_ALLOW | 1 << FIELD_MODE | 1 << FIELD_LOG | \
			 1 << FIELD_GROUP | 1 << FIELD_LIMIT)
#define DETACH_FIELDS	(1 << FIELD_HOOK | 1 << FIELD_FAMILY | 1 << FIELD_MATCH | \
			 1 << FIELD_DEV | 1 << FIELD_LABEL)

/*
 * With --exist: maximum number of attempts to attach a rule that other processes
 * attach and detach at the same time.
 */
#define ATTACH_TRIES	64

/*
 * The wait is not an error, because a filter can be created after its rules, for instance at
 * boot.
 */
static void warn_waiting(struct cli *cli, const char *name)
{
	char *near = near_filter(cli, name);

	if (near)
		warn("there is no filter '%s', did you mean '%s'? The rule waits:",
		     name, near);
	else
		warn("there is no filter '%s'. The rule waits:", name);
	hint(0, "it matches nothing until 'kcuckoo create %s'", name);
	free(near);
}

/* Return: 0; @waiting if no filter has the name @name; or -1 after an error message. */
static int find_filter(struct cli *cli, const char *name, __u32 waiting,
		       struct kcuckoo_ioc_info *info)
{
	int ret = kcuckoo_info(cli->handle, name, info);

	if (ret == -ENOENT)
		return waiting;
	if (ret)
		return filter_error(cli, ret, name, "attach");
	if (info->type == KCUCKOO_TYPE_BYTES)
		return hint(error("'%s' holds byte strings", name),
			    "packets have addresses: rules need a filter of addresses");
	return 0;
}

static int find_filters(struct cli *cli, struct kcuckoo_rule *rule,
			struct kcuckoo_ioc_info *info)
{
	struct kcuckoo_ioc_info allow = { .size = sizeof(allow) };
	const char *name = (const char *)rule->name;
	int ret;

	ret = find_filter(cli, name, KCUCKOO_RULE_WAITING, info);
	if (ret < 0)
		return -1;
	rule->flags |= ret;
	if (!*rule->allow)
		return 0;
	if (!strcmp(name, (const char *)rule->allow))
		return error("a rule of '%s' that allows '%s' would never match",
			     name, name);
	ret = find_filter(cli, (const char *)rule->allow,
			  KCUCKOO_RULE_ALLOW_WAITING, &allow);
	if (ret < 0)
		return -1;
	rule->flags |= ret;
	return 0;
}

/* Return: -1 after an error message; or 0 if the device @dev is not the cause of @ret. */
static int device_error(const char *dev, int ret)
{
	char buf[DEVICE_TEXT];

	switch (*dev ? -ret : 0) {
	case ENXIO:
		if (wait_is_pattern(dev))
			return hint(error("no rule has the pattern '%s'",
					  device_text(dev, buf)),
				    "'kcuckoo rules' shows all rules");
		return device_missing(dev);
	case EINVAL:
		return device_never_drops(dev);
	case EOPNOTSUPP:
		return hint(error("this kernel has no hook ingress"),
			    "it was built without CONFIG_NETFILTER_INGRESS");
	default:
		return 0;
	}
}

static int same_rule(const struct kcuckoo_rule *rule)
{
	const char *name = (const char *)rule->name;
	char buf[DEVICE_TEXT];

	if (*rule->dev)
		error("'%s' has a rule of this hook, match and family on '%s' already",
		      name, device_text((const char *)rule->dev, buf));
	else
		error("'%s' has a rule of this hook, match and family already",
		      name);
	return hint(-1, "'kcuckoo rules' shows it");
}

static int attach_error(struct cli *cli, const struct kcuckoo_rule *rule,
			const struct kcuckoo_ioc_info *info, int ret)
{
	const char *name = (const char *)rule->name;

	if (ret == -EEXIST)
		return same_rule(rule);
	if (ret == -EOPNOTSUPP && rule->action == KCUCKOO_ACTION_VALUE &&
	    !info->value_bits && !(rule->flags & KCUCKOO_RULE_WAITING))
		return hint(error("action mark=value: the keys of '%s' have no values",
				  name),
			    "'kcuckoo create NAME value BITS' creates a filter whose keys have values");
	if (log_error(rule, ret) || device_error((const char *)rule->dev, ret))
		return -1;
	if (ret == -EDQUOT)
		return limit_rule_error(cli, rule);
	return filter_error(cli, ret, name, "attach");
}

/*
 * Attach a rule of any hook except xdp. Return: 0; -1 after an error message; or, with @exist,
 * -EEXIST without a message if the rule exists.
 */
static int attach_rule(struct cli *cli, const struct kcuckoo_rule *rule,
		       const struct kcuckoo_ioc_info *info, bool exist)
{
	struct kcuckoo_ioc_attach arg = {
		.size = sizeof(arg),
		.hook = rule->hook,
		.family = rule->family,
		.match = rule->match,
		.action = rule->action,
		.mark = rule->mark,
	};
	int ret;

	if (*rule->pattern)
		arg.flags |= KCUCKOO_ATTACH_WAIT;
	memcpy(arg.allow, rule->allow, sizeof(arg.allow));
	memcpy(arg.dev, rule->dev, sizeof(arg.dev));
	log_request(rule, &arg);
	ret = kcuckoo_attach(cli->handle, (const char *)rule->name, &arg);
	if (ret == -EEXIST && exist)
		return ret;
	return ret ? attach_error(cli, rule, info, ret) : 0;
}

/* The return value is that of attach_rule(). */
static int attach_any(struct cli *cli, const struct kcuckoo_rule *rule, int mode,
		      const struct kcuckoo_ioc_info *info, bool exist)
{
	char text[RULE_TEXT];
	int ret;

	if (rule->hook == HOOK_XDP)
		ret = xdp_attach(cli, rule, mode);
	else
		ret = attach_rule(cli, rule, info, exist);
	if (!ret)
		say(cli, "attached %s: %s", (const char *)rule->name,
		    rule_text(rule, text));
	return ret;
}

/*
 * With @exist, do nothing if existing rules have the same effect. If another process attaches
 * the rule between the check and the attach, repeat both. Return: 0; 1 if existing rules have
 * the same effect; or -1 after an error message.
 */
static int attach_absent(struct cli *cli, struct kcuckoo_rule *rule, int mode,
			 const struct kcuckoo_ioc_info *info, bool exist)
{
	int tries, ret = exist ? existing_rule_check(cli, rule, mode) : 0;

	if (ret)
		return ret;
	/*
	 * Print warnings before the rule is attached: the rule can cut off the connection
	 * of the terminal.
	 */
	lockout_check_rule(cli, rule);
	print_fpr(cli, (const char *)rule->name, info);
	for (tries = 0; tries < ATTACH_TRIES; tries++) {
		ret = attach_any(cli, rule, mode, info, exist);
		if (ret != -EEXIST)
			return ret;
		ret = existing_rule_check(cli, rule, mode);
		if (ret)
			return ret;
	}
	return same_rule(rule);
}

static int attach(struct cli *cli, struct kcuckoo_rule *rule, int mode,
		  bool exist)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	const char *name = (const char *)rule->name;
	bool lock = exist && rule->hook == HOOK_XDP;
	int ret;

	if ((*rule->pattern && wait_check_module(cli, "--wait")) ||
	    (rule->log && log_check_module(cli, "log")) ||
	    find_filters(cli, rule, &info) || (lock && xdp_lock(cli)))
		return -1;
	ret = attach_absent(cli, rule, mode, &info, exist);
	if (lock)
		xdp_unlock(cli);
	if (ret < 0)
		return -1;
	if (rule->flags & KCUCKOO_RULE_WAITING)
		warn_waiting(cli, name);
	if (rule->flags & KCUCKOO_RULE_ALLOW_WAITING)
		warn_waiting(cli, (const char *)rule->allow);
	if (*rule->pattern)
		wait_report(cli, rule);
	log_report(cli, rule);
	flowtable_warn(rule, 1);
	return cli->json ? json_print(json_of_rule(rule)) : EXIT_YES;
}

static bool has_device(const struct kcuckoo_rule *rule)
{
	return rule->hook == KCUCKOO_HOOK_INGRESS || rule->hook == HOOK_XDP;
}

static int check_wait(const struct kcuckoo_rule *rule, bool wait)
{
	const char *hook = keyword_name(hook_keywords, rule->hook);
	const char *dev = (const char *)rule->dev;
	char buf[DEVICE_TEXT];

	if (wait && rule->hook != KCUCKOO_HOOK_INGRESS)
		return error("hook %s does not wait for devices: --wait is for hook ingress",
			     hook);
	if (wait)
		return wait_check_dev(dev);
	if (wait_is_pattern(dev))
		return hint(error("'%s' is a pattern of devices, which needs --wait",
				  device_text(dev, buf)),
			    "use: hook ingress dev '%s' --wait", buf);
	return 0;
}

static int check_dev(const struct kcuckoo_rule *rule, int mode)
{
	const char *hook = keyword_name(hook_keywords, rule->hook);
	char buf[DEVICE_TEXT];

	if (has_device(rule) && !*rule->dev)
		return hint(error("hook %s needs a device", hook),
			    "for instance: hook %s dev eth0", hook);
	if (!has_device(rule) && *rule->dev)
		return hint(error("hook %s has no device: dev is for hook ingress and hook xdp",
				  hook),
			    "use: hook ingress dev %s",
			    device_text((const char *)rule->dev, buf));
	if (rule->hook != HOOK_XDP && mode != XDP_MODE_ANY)
		return error("hook %s has no modes: mode is for hook xdp", hook);
	return 0;
}

int verb_attach(struct cli *cli, const struct args *args)
{
	struct kcuckoo_rule rule = {
		.hook = KCUCKOO_HOOK_PREROUTING,
		.family = KCUCKOO_FAMILY_BOTH,
		.match = KCUCKOO_MATCH_SRC,
		.action = KCUCKOO_ACTION_DROP,
	};
	bool wait = args->given & ARGS_WAIT;
	int mode = XDP_MODE_ANY;

	if (rule_fields_parse(cli, args, &rule, &mode, ATTACH_FIELDS) < 0 ||
	    check_dev(&rule, mode) || check_wait(&rule, wait) ||
	    check_name(args->operands[0]) || cli_open(cli))
		return -1;
	if (wait)
		memcpy(rule.pattern, rule.dev, sizeof(rule.pattern));
	strcpy((char *)rule.name, args->operands[0]);
	return attach(cli, &rule, mode, args->given & ARGS_EXIST);
}

static bool has_rules(struct cli *cli, const char *name)
{
	struct kcuckoo_rule *rules;
	bool found = false;
	int i, count = rules_list(cli, &rules, false);

	for (i = 0; i < count && !found; i++)
		found = !strcmp((const char *)rules[i].name, name);
	if (count >= 0)
		free(rules);
	return found;
}

/* The filter @name has no rule that detach was to remove. */
static int no_rule_error(struct cli *cli, const char *name)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	int ret = kcuckoo_info(cli->handle, name, &info);

	if (ret && (ret != -ENOENT || !has_rules(cli, name)))
		return filter_error(cli, ret, name, "read the state of");
	return hint(error("'%s' has no such rule", name),
		    "'kcuckoo rules' shows all rules");
}

static int detach_error(struct cli *cli, const char *name,
			const struct kcuckoo_ioc_detach *pattern, int ret)
{
	if (ret == -ENOENT && !name)
		return error("there are no rules");
	if (device_error((const char *)pattern->dev, ret) ||
	    (ret == -ENOENT && wait_pattern_error(cli, name, pattern)))
		return -1;
	if (ret == -ENOENT)
		return no_rule_error(cli, name);
	return name ? filter_error(cli, ret, name, "detach") :
		      plain_error(ret, "detach");
}

/* Detach rules of any hook except xdp. Return: the number of rules, or -1 after an error. */
static int detach_rules(struct cli *cli, const char *name,
			struct kcuckoo_ioc_detach *pattern)
{
	int ret;

	if (pattern->flags & KCUCKOO_DETACH_HOOK && pattern->hook == HOOK_XDP)
		return 0;
	ret = kcuckoo_detach(cli->handle, name, pattern);
	if (ret == -ENOENT)
		return 0;
	return ret < 0 ? detach_error(cli, name, pattern, ret) : ret;
}

/* @rules of @detached has the number of rules that detach_rules() removed. */
static int detach_programs(struct cli *cli, const char *name,
			   const struct kcuckoo_ioc_detach *pattern,
			   struct xdp_detached *detached)
{
	const bool any_hook = !(pattern->flags & KCUCKOO_DETACH_HOOK);
	const char *dev = (const char *)pattern->dev;
	int rules;

	/* The kernel keeps no labels of rules of hook xdp. */
	if ((!any_hook && pattern->hook != HOOK_XDP) ||
	    pattern->flags & KCUCKOO_DETACH_LABEL)
		return 0;
	/*
	 * No rule of hook xdp has a pattern of names, or waits for a device. So do not call
	 * xdp_detach(), which would report an error for the missing device.
	 */
	if ((any_hook && wait_is_pattern(dev)) ||
	    (detached->rules && *dev && !if_nametoindex(dev)))
		return 0;
	if (!xdp_detach(cli, name, pattern, detached))
		return 0;
	rules = detached->rules;
	if (rules)
		hint(-1, "%d %s removed; 'kcuckoo rules' shows the remaining ones",
		     rules, plural(rules, "rule was", "rules were"));
	if (detached->slots)
		hint(-1, "%d %s released '%s', which no rule there used",
		     detached->slots, plural(detached->slots, "device", "devices"), name);
	return -1;
}

static int detach(struct cli *cli, const char *name,
		  struct kcuckoo_ioc_detach *pattern)
{
	struct xdp_detached detached = {
		.rules = detach_rules(cli, name, pattern),
	};

	if (detached.rules < 0 || detach_programs(cli, name, pattern, &detached))
		return -1;
	if (!detached.rules && !detached.slots)
		return detach_error(cli, name, pattern, -ENOENT);
	if (detached.rules)
		say(cli, "%d %s removed", detached.rules,
		    plural(detached.rules, "rule", "rules"));
	if (detached.slots)
		say(cli, "%d %s released '%s', which no rule there used",
		    detached.slots, plural(detached.slots, "device", "devices"), name);
	if (!cli->json)
		return EXIT_YES;
	/* In JSON, a released slot counts as a rule, as in earlier versions. */
	return json_print(json_pack("{s:i}", "removed",
				    detached.rules + detached.slots));
}

int verb_detach(struct cli *cli, const struct args *args)
{
	struct kcuckoo_ioc_detach pattern = { .size = sizeof(pattern) };
	struct kcuckoo_rule rule = { .hook = 0 };
	bool all = args->given & ARGS_ALL;
	int given = 0, mode;

	if (all && args->operand_count)
		return error("detach takes a name or --all, not both");
	if (!all && !args->operand_count)
		return error("'detach' needs more arguments: kcuckoo detach %s",
			     cli->verb->usage);
	if (!all)
		given = rule_fields_parse(cli, args, &rule, &mode, DETACH_FIELDS);
	/*
	 * Check the name before the kernel does: the kernel returns EINVAL for an invalid
	 * name, and device_error() would report EINVAL as the error of a loopback device.
	 */
	if (given < 0 || (!all && check_name(args->operands[0])) ||
	    cli_open(cli))
		return -1;
	if (given & 1 << FIELD_LABEL && wait_check_module(cli, "a label"))
		return -1;
	pattern.hook = rule.hook;
	pattern.family = rule.family;
	pattern.match = rule.match;
	if (given & 1 << FIELD_HOOK)
		pattern.flags |= KCUCKOO_DETACH_HOOK;
	if (given & 1 << FIELD_FAMILY)
		pattern.flags |= KCUCKOO_DETACH_FAMILY;
	if (given & 1 << FIELD_MATCH)
		pattern.flags |= KCUCKOO_DETACH_MATCH;
	if (given & 1 << FIELD_DEV) {
		pattern.flags |= KCUCKOO_DETACH_DEV;
		memcpy(pattern.dev, rule.dev, sizeof(pattern.dev));
	}
	if (given & 1 << FIELD_LABEL) {
		pattern.flags |= KCUCKOO_DETACH_LABEL;
		memcpy(pattern.label, rule.label, sizeof(pattern.label));
	}
	return detach(cli, all ? NULL : args->operands[0], &pattern);
}
