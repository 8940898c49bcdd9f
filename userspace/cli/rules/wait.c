// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions check and report rules that wait for a device by its name, or
 * by a pattern of names.
 */
#include <net/if.h>
#include <stdlib.h>
#include <string.h>

#include "keywords.h"
#include "message.h"
#include "rules/wait.h"

bool wait_is_pattern(const char *dev)
{
	return strchr(dev, '*') && !if_nametoindex(dev);
}

static bool is_device_name(const char *dev)
{
	return *dev && strlen(dev) < KCUCKOO_DEV_SIZE && strcmp(dev, ".") &&
	       strcmp(dev, "..") && !strpbrk(dev, "/: \t\n\v\f\r");
}

int wait_check_dev(const char *dev)
{
	const char *star = strchr(dev, '*');
	char buf[DEVICE_TEXT];

	device_text(dev, buf);
	if (!is_device_name(dev))
		return error("'%s' is not a valid name of a network device", buf);
	if (star && star[1])
		return hint(error("'%s' is not a valid pattern of devices", buf),
			    "a pattern ends in its only '*': ppp*");
	return 0;
}

int wait_check_module(struct cli *cli, const char *what)
{
	struct kcuckoo_ioc_stats stats = { .size = sizeof(stats) };
	int ret = kcuckoo_stats(cli->handle, &stats);
	char version[VERSION_TEXT];

	if (ret)
		return plain_error(ret, "read the features of the module");
	if (stats.features & KCUCKOO_FEATURE_WAIT)
		return 0;
	return hint(error("%s needs version 0.5.0 of the module, but the loaded version is %s",
			  what, version_text(stats.version, version)),
		    "install the same version of the command and the module");
}

static bool is_entry(const struct kcuckoo_rule *rule,
		     const struct kcuckoo_rule *other)
{
	return rule->hook == other->hook && rule->match == other->match &&
	       rule->family & other->family &&
	       !strcmp((const char *)rule->name, (const char *)other->name) &&
	       !strcmp((const char *)rule->pattern,
		       (const char *)other->pattern);
}

void wait_report(struct cli *cli, struct kcuckoo_rule *rule)
{
	const char *text = (const char *)rule->pattern;
	struct kcuckoo_rule *rules;
	char buf[DEVICE_TEXT];
	int i, count = kcuckoo_rules(cli->handle, &rules);

	memset(rule->dev, 0, sizeof(rule->dev));
	for (i = 0; i < count; i++) {
		if (!is_entry(rule, &rules[i]))
			continue;
		memcpy(rule->dev, rules[i].dev, sizeof(rule->dev));
		rule->flags |= rules[i].flags & KCUCKOO_RULE_DEV_WAITING;
		break;
	}
	if (count >= 0)
		free(rules);
	else
		warn("cannot read whether the rule waits for a device: %s",
		     kcuckoo_strerror(count));
	if (!(rule->flags & KCUCKOO_RULE_DEV_WAITING))
		return;
	warn("no network device %s '%s'. The rule waits:",
	     strchr(text, '*') ? "matches" : "has the name",
	     device_text(text, buf));
	hint(0, "it applies as soon as such a device exists");
}

static bool fits(const struct kcuckoo_rule *rule, const struct kcuckoo_ioc_detach *detach)
{
	__u32 flags = detach->flags;

	return (!(flags & KCUCKOO_DETACH_HOOK) || rule->hook == detach->hook) &&
	       (!(flags & KCUCKOO_DETACH_FAMILY) || rule->family == detach->family) &&
	       (!(flags & KCUCKOO_DETACH_MATCH) || rule->match == detach->match) &&
	       (!(flags & KCUCKOO_DETACH_LABEL) ||
		!memcmp(rule->label, detach->label, sizeof(rule->label)));
}

int wait_pattern_error(struct cli *cli, const char *name,
		       const struct kcuckoo_ioc_detach *detach)
{
	const char *dev = (const char *)detach->dev;
	char buf[DEVICE_TEXT], pattern[DEVICE_TEXT];
	struct kcuckoo_rule *rules;
	int i, ret = 0, count = *dev ? kcuckoo_rules(cli->handle, &rules) : -1;

	for (i = 0; i < count && !ret; i++) {
		const char *other = (const char *)rules[i].name;

		if ((name && strcmp(other, name)) || !*rules[i].pattern ||
		    strcmp((const char *)rules[i].dev, dev) || !fits(&rules[i], detach))
			continue;
		device_text((const char *)rules[i].pattern, pattern);
		error("the rule of '%s' on '%s' belongs to the pattern '%s'",
		      other, device_text(dev, buf), pattern);
		ret = hint(-1, "'kcuckoo detach %s dev '%s'' removes it from all devices",
			   other, pattern);
	}
	if (count >= 0)
		free(rules);
	return ret;
}
