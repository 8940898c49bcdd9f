// SPDX-License-Identifier: GPL-2.0-only
/*
 * These tables and functions translate between words of the command line and constants of
 * the module and of the command.
 */
#include <stdio.h>
#include <string.h>

#include "input/line.h"
#include "keywords.h"
#include "message.h"
#include "rules/xdp.h"

const struct keyword hook_keywords[] = {
	{ "prerouting",	KCUCKOO_HOOK_PREROUTING },
	{ "input",	KCUCKOO_HOOK_INPUT },
	{ "forward",	KCUCKOO_HOOK_FORWARD },
	{ "output",	KCUCKOO_HOOK_OUTPUT },
	{ "ingress",	KCUCKOO_HOOK_INGRESS },
	{ "xdp",	HOOK_XDP },
	{ NULL, 0 }
};

const struct keyword family_keywords[] = {
	{ "ipv4",	KCUCKOO_FAMILY_IPV4 },
	{ "ipv6",	KCUCKOO_FAMILY_IPV6 },
	{ "both",	KCUCKOO_FAMILY_BOTH },
	{ NULL, 0 }
};

const struct keyword match_keywords[] = {
	{ "src",	KCUCKOO_MATCH_SRC },
	{ "dst",	KCUCKOO_MATCH_DST },
	{ NULL, 0 }
};

const struct keyword action_keywords[] = {
	{ "drop",	KCUCKOO_ACTION_DROP },
	{ "count",	KCUCKOO_ACTION_COUNT },
	{ "mark=N",	KCUCKOO_ACTION_MARK },
	{ "mark=value",	KCUCKOO_ACTION_VALUE },
	{ NULL, 0 }
};

const struct keyword type_keywords[] = {
	{ "inet",	KCUCKOO_TYPE_INET },
	{ "bytes",	KCUCKOO_TYPE_BYTES },
	{ NULL, 0 }
};

const struct keyword hash_keywords[] = {
	{ "jhash",	KCUCKOO_HASH_JHASH },
	{ "siphash",	KCUCKOO_HASH_SIPHASH },
	{ NULL, 0 }
};

const struct keyword trait_keywords[] = {
	{ "semisort",	KCUCKOO_CREATE_SORTED },
	{ "insert-only", KCUCKOO_CREATE_INSERT_ONLY },
	{ "fixed",	KCUCKOO_CREATE_FIXED },
	{ NULL, 0 }
};

const struct keyword feature_keywords[] = {
	{ "rules-hold",	KCUCKOO_FEATURE_RULES_PIN_MODULE },
	{ "ingress",	KCUCKOO_FEATURE_INGRESS },
	{ "xdp",	KCUCKOO_FEATURE_XDP },
	{ "tc",		KCUCKOO_FEATURE_TC },
	{ "staged",	KCUCKOO_FEATURE_STAGED },
	{ "wait",	KCUCKOO_FEATURE_WAIT },
	{ "events",	KCUCKOO_FEATURE_EVENTS },
	{ "log",	KCUCKOO_FEATURE_LOG },
	{ NULL, 0 }
};

const struct keyword layout_keywords[] = {
	{ "list",	LAYOUT_LIST },
	{ "hostport",	LAYOUT_HOSTPORT },
	{ "row",	LAYOUT_ROW },
	{ "csv",	LAYOUT_CSV },
	{ "dshield",	LAYOUT_DSHIELD },
	{ "ipfilter",	LAYOUT_IPFILTER },
	{ "p2p",	LAYOUT_P2P },
	{ "hosts",	LAYOUT_HOSTS },
	{ "ipset",	LAYOUT_IPSET },
	{ "json",	LAYOUT_JSON },
	{ "mmdb",	LAYOUT_MMDB },
	{ NULL, 0 }
};

const char *keyword_name(const struct keyword *keywords, int value)
{
	for (; keywords->name; keywords++)
		if (keywords->value == value)
			return keywords->name;
	return "?";
}

const char *version_text(__u32 version, char *buf)
{
	if (!version)
		return "unknown";
	snprintf(buf, VERSION_TEXT, "%u.%u.%u", version >> 16,
		 version >> 8 & 0xff, version & 0xff);
	return buf;
}

const char *action_text(const struct kcuckoo_rule *rule, char *buf)
{
	if (rule->action == KCUCKOO_ACTION_MARK)
		snprintf(buf, ACTION_TEXT, "mark=%u", rule->mark);
	else
		snprintf(buf, ACTION_TEXT, "%s",
			 keyword_name(action_keywords, rule->action));
	return buf;
}

const char *log_text(const struct kcuckoo_rule *rule, char *buf)
{
	__u32 limit = rule->log_limit ? rule->log_limit : KCUCKOO_LOG_LIMIT;
	int length = 0;

	*buf = 0;
	if (!rule->log)
		return buf;
	if (rule->log == KCUCKOO_LOG_NFLOG)
		length = snprintf(buf, LOG_TEXT, " log group %u",
				  rule->log_group);
	else
		length = snprintf(buf, LOG_TEXT, " log");
	if (limit != KCUCKOO_LOG_LIMIT)
		snprintf(buf + length, LOG_TEXT - length, " limit %u/s", limit);
	return buf;
}

const char *device_text(const char *device, char *buf)
{
	return escape(device, strlen(device), buf, DEVICE_TEXT);
}

const char *rule_text(const struct kcuckoo_rule *rule, char *buf)
{
	const char *dev = (const char *)(*rule->pattern ? rule->pattern :
							  rule->dev);
	char action[ACTION_TEXT], device[DEVICE_TEXT], log[LOG_TEXT];

	snprintf(buf, RULE_TEXT,
		 "hook %s%s%s family %s match %s action %s%s%s%s%s",
		 keyword_name(hook_keywords, rule->hook),
		 *dev ? " dev " : "", device_text(dev, device),
		 keyword_name(family_keywords, rule->family),
		 keyword_name(match_keywords, rule->match),
		 action_text(rule, action), log_text(rule, log),
		 *rule->allow ? " allow " : "", (const char *)rule->allow,
		 *rule->pattern ? " --wait" : "");
	return buf;
}

static int unknown_keyword(const struct keyword *keywords, const char *what,
			   const char *word)
{
	const char *near = NULL;
	char all[128] = "";

	for (; keywords->name; keywords++) {
		if (*all)
			strcat(all, ", ");
		strcat(all, keywords->name);
		if (!near && is_near(word, keywords->name))
			near = keywords->name;
	}
	if (near)
		return error("%s '%s': did you mean '%s'? Possible words: %s",
			     what, word, near, all);
	return error("%s '%s' is not one of: %s", what, word, all);
}

int keyword_value(const struct keyword *keywords, const char *what,
		  const char *word)
{
	const struct keyword *k;

	for (k = keywords; k->name; k++)
		if (!strcmp(word, k->name))
			return k->value;
	return unknown_keyword(keywords, what, word);
}
