// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions parse, compare and check the log settings of rules, and print errors
 * and warnings about them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "keywords.h"
#include "message.h"
#include "number.h"
#include "rules/log.h"

__u32 log_limit_scan(const char *text)
{
	size_t length = strlen(text);
	__u64 limit;

	if (length < 3 || strcmp(text + length - 2, "/s") ||
	    !number_scan(text, length - 2, KCUCKOO_LOG_LIMIT_MAX, &limit))
		return 0;
	return limit;
}

int log_check_module(struct cli *cli, const char *what)
{
	struct kcuckoo_ioc_stats stats = { .size = sizeof(stats) };
	int ret = kcuckoo_stats(cli->handle, &stats);
	char version[VERSION_TEXT];

	if (ret)
		return plain_error(ret, "read the features of the module");
	if (stats.features & KCUCKOO_FEATURE_LOG)
		return 0;
	return hint(error("%s needs version 0.6.0 of the module, but the loaded version is %s",
			  what, version_text(stats.version, version)),
		    "install the same version of the command and the module");
}

void log_request(const struct kcuckoo_rule *rule, struct kcuckoo_ioc_attach *arg)
{
	arg->log = rule->log;
	arg->log_group = rule->log_group;
	arg->log_limit = rule->log_limit;
}

static __u32 limit_of(const struct kcuckoo_rule *rule)
{
	return rule->log_limit ? rule->log_limit : KCUCKOO_LOG_LIMIT;
}

bool log_same(const struct kcuckoo_rule *a, const struct kcuckoo_rule *b)
{
	return a->log == b->log && a->log_group == b->log_group &&
	       (!a->log || limit_of(a) == limit_of(b));
}

int log_error(const struct kcuckoo_rule *rule, int ret)
{
	bool group = rule->log == KCUCKOO_LOG_NFLOG;

	if (!rule->log)
		return 0;
	if (ret == -E2BIG)
		return hint(error("log needs version 0.6.0 of the module; an older one is loaded"),
			    "install the same version of the command and the module");
	if (ret != -EPROTONOSUPPORT)
		return 0;
	return hint(error("the kernel has no logger for %s, and could not load the module %s",
			  group ? "groups" : "its log",
			  group ? "nfnetlink_log" : "nf_log_syslog"),
		    "'modprobe %s' shows the reason",
		    group ? "nfnetlink_log" : "nf_log_syslog");
}

void log_warn_off(const struct kcuckoo_rule *rules, int count)
{
	int i;

	for (i = 0; i < count; i++) {
		if (!rules[i].log_off)
			continue;
		warn("the rule of '%s' logs nothing: the kernel does not log this network namespace",
		     (const char *)rules[i].name);
		hint(0, "'sysctl net.netfilter.nf_log_all_netns=1' in the first namespace changes that");
		return;
	}
}

void log_report(struct cli *cli, const struct kcuckoo_rule *rule)
{
	struct kcuckoo_rule *rules;
	int i, count = rule->log == KCUCKOO_LOG_SYSLOG ?
		       kcuckoo_rules(cli->handle, &rules) : -1;

	if (count < 0)
		return;
	for (i = 0; i < count; i++) {
		if (strcmp((const char *)rules[i].name, (const char *)rule->name) ||
		    !rules[i].log_off)
			continue;
		log_warn_off(&rules[i], 1);
		break;
	}
	free(rules);
}
