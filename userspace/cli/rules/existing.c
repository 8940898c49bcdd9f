// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions compare existing filters and rules with requested ones, for
 * the option --exist of create and attach.
 */
#include <math.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "keywords.h"
#include "message.h"
#include "rules/existing.h"
#include "rules/log.h"
#include "rules/rules.h"
#include "rules/xdp.h"

static struct kcuckoo_ioc_create create_of_info(const struct kcuckoo_ioc_info *info)
{
	return (struct kcuckoo_ioc_create){
		.flags = info->create_flags,
		.type = info->type,
		.hash = info->hash,
		.bucket_size = info->bucket_size,
		/* With fpr, the kernel chooses the number of bits. */
		.tag_bits = info->fpr ? 0 : info->tag_bits,
		.value_bits = info->value_bits,
		.capacity = info->capacity,
		.fpr = info->fpr,
		.search_limit = info->search_limit,
		.timeout = info->timeout,
	};
}

static __u64 get_type(const struct kcuckoo_ioc_create *create)
{
	return create->type;
}

static void show_type(const struct kcuckoo_ioc_create *create, char *buf)
{
	strcpy(buf, keyword_name(type_keywords, create->type));
}

static __u64 get_capacity(const struct kcuckoo_ioc_create *create)
{
	return create->capacity;
}

static __u64 get_fpr(const struct kcuckoo_ioc_create *create)
{
	return create->fpr;
}

static void show_fpr(const struct kcuckoo_ioc_create *create, char *buf)
{
	if (create->fpr)
		snprintf(buf, DESCRIBE_TEXT, "%.6g", ldexp(create->fpr, -32));
	else
		strcpy(buf, "none");
}

static __u64 get_bits(const struct kcuckoo_ioc_create *create)
{
	return create->tag_bits;
}

static void show_bits(const struct kcuckoo_ioc_create *create, char *buf)
{
	if (create->tag_bits)
		snprintf(buf, DESCRIBE_TEXT, "%d", create->tag_bits);
	else
		strcpy(buf, create->fpr ? "by fpr" : "exact");
}

static __u64 get_bucket(const struct kcuckoo_ioc_create *create)
{
	return create->bucket_size;
}

static __u64 get_hash(const struct kcuckoo_ioc_create *create)
{
	return create->hash;
}

static void show_hash(const struct kcuckoo_ioc_create *create, char *buf)
{
	strcpy(buf, keyword_name(hash_keywords, create->hash));
}

static __u64 get_value(const struct kcuckoo_ioc_create *create)
{
	return create->value_bits;
}

/*
 * Return: 0 for a filter without timeouts, else the default timeout plus 1, because a
 * default timeout of 0 means that keys never expire.
 */
static __u64 get_timeout(const struct kcuckoo_ioc_create *create)
{
	return create->flags & KCUCKOO_CREATE_TIMEOUT ?
	       create->timeout + 1ULL : 0;
}

static void show_timeout(const struct kcuckoo_ioc_create *create, char *buf)
{
	if (create->flags & KCUCKOO_CREATE_TIMEOUT)
		snprintf(buf, DESCRIBE_TEXT, "%u", create->timeout);
	else
		strcpy(buf, "none");
}

static __u64 get_steps(const struct kcuckoo_ioc_create *create)
{
	return create->search_limit;
}

/**
 * struct parameter - a parameter of a filter
 * @word: keyword in the arguments of create
 * @flag: flag in struct kcuckoo_ioc_create, for a parameter without a value
 * @decisive: the parameter affects which keys are found. If the parameter is not
 *	requested, the existing filter must have the default value of the parameter.
 *	must_match() has an exception for the parameter timeout
 * @get: returns the value as a number; NULL for a flag
 * @show: writes the value as text of at most DESCRIBE_TEXT bytes; NULL for a
 *	value that is printed as a number
 */
static const struct parameter {
	const char *word;
	__u32 flag;
	bool decisive;
	__u64 (*get)(const struct kcuckoo_ioc_create *create);
	void (*show)(const struct kcuckoo_ioc_create *create, char *buf);
} parameters[] = {
	{ "type", 0, true, get_type, show_type },
	{ "capacity", 0, false, get_capacity, NULL },
	{ "fpr", 0, true, get_fpr, show_fpr },
	{ "bits", 0, true, get_bits, show_bits },
	{ "bucket", 0, false, get_bucket, NULL },
	{ "semisort", KCUCKOO_CREATE_SORTED, false, NULL, NULL },
	{ "insert-only", KCUCKOO_CREATE_INSERT_ONLY, false, NULL, NULL },
	{ "fixed", KCUCKOO_CREATE_FIXED, false, NULL, NULL },
	{ "hash", 0, false, get_hash, show_hash },
	{ "value", 0, false, get_value, NULL },
	{ "timeout", 0, true, get_timeout, show_timeout },
	{ "steps", 0, false, get_steps, NULL },
};

#define PARAMETERS	((int)(sizeof(parameters) / sizeof(*parameters)))

static __u64 number_of(const struct parameter *parameter,
		       const struct kcuckoo_ioc_create *create)
{
	return parameter->get ? parameter->get(create) :
				!!(create->flags & parameter->flag);
}

static const char *text_of(const struct parameter *parameter,
			   const struct kcuckoo_ioc_create *create, char *buf)
{
	if (parameter->show)
		parameter->show(create, buf);
	else if (parameter->get)
		snprintf(buf, DESCRIBE_TEXT, "%llu", parameter->get(create));
	else
		strcpy(buf, create->flags & parameter->flag ? "yes" : "no");
	return buf;
}

/*
 * The operands also include the values of parameters. The only value that can equal a
 * keyword is the name after "like", and with "like", must_match() does not call this
 * function.
 */
static bool is_named(const struct args *args, const char *word)
{
	int i;

	for (i = 1; i < args->operand_count; i++)
		if (!strcmp(args->operands[i], word))
			return true;
	return false;
}

/*
 * Return: true if a parameter of the existing filter must equal the requested one. If
 * 'timeout' is not requested, a filter with timeouts is accepted only if its default
 * timeout is 0.
 */
static bool must_match(const struct parameter *parameter, const struct args *args,
		       const struct kcuckoo_ioc_create *requested,
		       const struct kcuckoo_ioc_create *existing)
{
	if (requested->flags & KCUCKOO_CREATE_LIKE ||
	    is_named(args, parameter->word))
		return true;
	if (parameter->get == get_timeout)
		return existing->timeout;
	return parameter->decisive;
}

static int compare_filter(const struct args *args,
			  const struct kcuckoo_ioc_create *requested,
			  const struct kcuckoo_ioc_create *existing)
{
	char want[DESCRIBE_TEXT], have[DESCRIBE_TEXT];
	int i, count = 0;

	for (i = 0; i < PARAMETERS; i++) {
		const struct parameter *parameter = &parameters[i];

		if (!must_match(parameter, args, requested, existing) ||
		    number_of(parameter, requested) == number_of(parameter, existing))
			continue;
		if (!count++)
			error("'%s' exists with other parameters:",
			      args->operands[0]);
		hint(-1, "%s: requested %s, is %s", parameter->word,
		     text_of(parameter, requested, want),
		     text_of(parameter, existing, have));
	}
	return count;
}

int existing_filter_check(struct cli *cli, const struct args *args,
			  const struct kcuckoo_ioc_create *create,
			  const struct kcuckoo_ioc_info *info)
{
	struct kcuckoo_ioc_create existing = create_of_info(info);
	struct kcuckoo_ioc_info other = { .size = sizeof(other) };
	const char *like = (const char *)create->like;
	struct kcuckoo_ioc_create requested = *create;
	int ret;

	if (create->flags & KCUCKOO_CREATE_LIKE) {
		ret = kcuckoo_info(cli->handle, like, &other);
		if (ret)
			return filter_error(cli, ret, like, "read the parameters of");
		requested = create_of_info(&other);
		requested.flags |= KCUCKOO_CREATE_LIKE;
	}
	if (!compare_filter(args, &requested, &existing))
		return 0;
	return hint(-1, "'kcuckoo info %s' shows it, 'kcuckoo destroy %s' removes it",
		    args->operands[0], args->operands[0]);
}

/* Compare rules that can wait for devices by the name or pattern for which they wait. */
static bool same_device(const struct kcuckoo_rule *a,
			const struct kcuckoo_rule *b)
{
	const char *one = (const char *)a->dev, *other = (const char *)b->dev;
	__u32 index;

	if (*a->pattern || *b->pattern)
		return !strcmp((const char *)a->pattern,
			       (const char *)b->pattern);
	if (!strcmp(one, other))
		return true;
	/* A device can have alternative names, so compare the indexes, too. */
	index = *one && *other ? if_nametoindex(one) : 0;
	return index && index == if_nametoindex(other);
}

/*
 * Return: true if @other has the same filter, and prevents @rule from being attached.
 * Dead rules are ignored. A device can have only one rule of hook xdp, so at this hook
 * the match and the family of @other do not matter.
 */
static bool prevents_attach(const struct kcuckoo_rule *rule,
			    const struct kcuckoo_rule *other)
{
	if (other->flags & RULE_SLOT_MISSING || rule->hook != other->hook ||
	    strcmp((const char *)rule->name, (const char *)other->name) ||
	    !same_device(rule, other))
		return false;
	return rule->hook == HOOK_XDP ||
	       (rule->match == other->match && rule->family & other->family);
}

/* Rules of other hooks than xdp have no mode. */
static bool same_mode(const struct kcuckoo_rule *existing, int mode)
{
	bool native = existing->flags & RULE_NATIVE;

	return existing->hook != HOOK_XDP || mode == XDP_MODE_ANY ||
	       native == (mode == XDP_MODE_NATIVE);
}

/*
 * Print the differences between the rule @existing and the requested @rule. @families:
 * the families of all existing rules that prevent @rule from being attached. The family
 * of @rule is compared with @families: one rule for IPv4 and one rule for IPv6 together
 * have the effect of a rule for both families. Return: true if the rules do not differ.
 */
static bool compare_rule(const struct kcuckoo_rule *rule,
			 const struct kcuckoo_rule *existing, int mode, __u8 families)
{
	bool action = rule->action == existing->action && rule->mark == existing->mark;
	bool allow = !strcmp((const char *)rule->allow, (const char *)existing->allow);
	char text[RULE_TEXT], want[ACTION_TEXT], have[ACTION_TEXT];
	bool match = rule->match == existing->match, log = log_same(rule, existing);
	char log_want[LOG_TEXT], log_have[LOG_TEXT];

	if (log && action && allow && match && same_mode(existing, mode) &&
	    rule->family == families)
		return true;
	error("'%s' has a rule with other parameters: %s",
	      (const char *)rule->name, rule_text(existing, text));
	if (rule->family != families)
		hint(-1, "family: requested %s, is %s",
		     keyword_name(family_keywords, rule->family),
		     keyword_name(family_keywords, families));
	if (!match)
		hint(-1, "match: requested %s, is %s",
		     keyword_name(match_keywords, rule->match),
		     keyword_name(match_keywords, existing->match));
	if (!action)
		hint(-1, "action: requested %s, is %s", action_text(rule, want),
		     action_text(existing, have));
	if (!log)
		hint(-1, "log: requested%s, is%s",
		     rule->log ? log_text(rule, log_want) : " none",
		     existing->log ? log_text(existing, log_have) : " none");
	if (!allow)
		hint(-1, "allow: requested %s, is %s",
		     *rule->allow ? (const char *)rule->allow : "none",
		     *existing->allow ? (const char *)existing->allow : "none");
	if (!same_mode(existing, mode))
		hint(-1, "mode: requested %s, is %s",
		     mode == XDP_MODE_NATIVE ? "native" : "generic",
		     existing->flags & RULE_NATIVE ? "native" : "generic");
	return false;
}

/* Return: the same as existing_rule_check(). */
static int compare_rules(struct kcuckoo_rule *rule,
			 const struct kcuckoo_rule *rules, int count, int mode)
{
	bool same = true;
	__u8 families = 0;
	int i;

	for (i = 0; i < count; i++)
		if (prevents_attach(rule, &rules[i]))
			families |= rules[i].family;
	if (!families)
		return 0;
	for (i = 0; i < count; i++) {
		if (!prevents_attach(rule, &rules[i]))
			continue;
		rule->packets += rules[i].packets;
		rule->bytes += rules[i].bytes;
		same &= compare_rule(rule, &rules[i], mode, families);
	}
	return same ? 1 : hint(-1, "'kcuckoo detach %s' removes its rules",
			       (const char *)rule->name);
}

int existing_rule_check(struct cli *cli, struct kcuckoo_rule *rule, int mode)
{
	struct kcuckoo_rule *rules;
	int ret, count = rule->hook == HOOK_XDP ?
			 rules_list(cli, &rules, false) :
			 kcuckoo_rules(cli->handle, &rules);

	if (count < 0)
		return plain_error(count, "list the rules");
	ret = compare_rules(rule, rules, count, mode);
	free(rules);
	return ret;
}
