// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions count and print the users of a filter, which users.h describes.
 */
#include <stdlib.h>
#include <string.h>

#include "keywords.h"
#include "message.h"
#include "rules/rules.h"
#include "rules/users.h"
#include "rules/xdp.h"

static bool uses(const struct kcuckoo_rule *rule, const char *name)
{
	return !(rule->flags & RULE_SLOT_MISSING) &&
	       (!strcmp((const char *)rule->name, name) ||
		!strcmp((const char *)rule->allow, name));
}

/*
 * "kcuckoo detach FILTER" removes all rules of FILTER, so print the command only for the
 * first rule of FILTER in @rules.
 */
static void hint_detach(const struct kcuckoo_rule *rules, int i,
			const char *name)
{
	const char *owner = (const char *)rules[i].name;
	int j;

	for (j = 0; j < i; j++)
		if (uses(&rules[j], name) &&
		    !strcmp((const char *)rules[j].name, owner))
			return;
	if (strcmp(owner, name))
		hint(-1, "'kcuckoo detach %s' removes the rules of '%s' that use it as allow filter",
		     owner, owner);
	else
		hint(-1, "'kcuckoo detach %s' removes them", name);
}

int users_hint(const char *name, __u32 others)
{
	hint(-1, "%u more %s: iptables, BPF programs or other modules; to list iptables rules:",
	     others, plural(others, "user", "users"));
	hint(-1, "iptables-save | grep -iw kcuckoo");
	hint(-1, "ip6tables-save | grep -iw kcuckoo");
	hint(-1, "if an XDP program of kcuckoo was removed by other means,");
	return hint(-1, "'kcuckoo detach %s hook xdp dev DEV' releases the filter", name);
}

/*
 * rules_list() lists a rule with a pattern once for each of its devices, but the kernel
 * counts the rule as one user of its filter.
 */
static bool is_repeated(const struct kcuckoo_rule *rules, int i)
{
	int j;

	for (j = 0; *rules[i].pattern && j < i; j++)
		if (rules[j].match == rules[i].match &&
		    rules[j].family == rules[i].family &&
		    !strcmp((const char *)rules[j].name,
			    (const char *)rules[i].name) &&
		    !strcmp((const char *)rules[j].pattern,
			    (const char *)rules[i].pattern))
			return true;
	return false;
}

/* A rule is a user of its filter and of its allow filter. */
static __u32 count_listed(const struct kcuckoo_rule *rules, int count, const char *name)
{
	__u32 listed = 0;
	int i;

	for (i = 0; i < count; i++) {
		if (!uses(&rules[i], name) || is_repeated(rules, i))
			continue;
		listed += !strcmp((const char *)rules[i].name, name);
		listed += !strcmp((const char *)rules[i].allow, name);
	}
	return listed;
}

__u32 users_count_others(const struct kcuckoo_ioc_info *info, const char *name,
			 const struct kcuckoo_rule *rules, int count)
{
	__u32 listed = count_listed(rules, count, name);

	return info->rules > listed ? info->rules - listed : 0;
}

int users_error(struct cli *cli, const char *name, const char *what)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	struct kcuckoo_rule *rules;
	char text[RULE_TEXT];
	__u32 others = 0;
	int i, count;

	error("cannot %s '%s' while rules use it:", what, name);
	count = rules_list(cli, &rules, true);
	if (count < 0)
		return -1;
	for (i = 0; i < count; i++)
		if (uses(&rules[i], name) && !is_repeated(rules, i))
			hint(-1, "%s", rule_text(&rules[i], text));
	for (i = 0; i < count; i++)
		if (uses(&rules[i], name))
			hint_detach(rules, i, name);
	if (!kcuckoo_info(cli->handle, name, &info))
		others = users_count_others(&info, name, rules, count);
	free(rules);
	return others ? users_hint(name, others) : -1;
}
