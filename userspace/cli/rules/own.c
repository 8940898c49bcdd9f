// SPDX-License-Identifier: GPL-2.0-only
/*
 * A list can have keys that cover addresses which this host needs, see critical.h.
 * critical_policy_apply() applies a policy of own.h to these keys.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "rules/critical.h"
#include "rules/own.h"
#include "rules/rules.h"

/* Maximum number of addresses that messages name. */
#define NAMED_MAX	5

static bool allows_only(struct cli *cli, const char *name)
{
	struct kcuckoo_rule *rules;
	bool filter = false, allow = false;
	int i, count = rules_list(cli, &rules, false);

	for (i = 0; i < count; i++) {
		filter |= !strcmp((const char *)rules[i].name, name);
		allow |= !strcmp((const char *)rules[i].allow, name);
	}
	if (count >= 0)
		free(rules);
	return allow && !filter;
}

enum critical_policy critical_default_policy(struct cli *cli, const char *name)
{
	if (allows_only(cli, name))
		return CRITICAL_KEEP;
	return isatty(STDERR_FILENO) ? CRITICAL_REFUSE : CRITICAL_LEAVE_OUT;
}

/* @place: for CRITICAL_KEEP, the set with the key @cover. */
static void report(const struct critical *critical, const struct kcuckoo_prefix *cover,
		   enum critical_policy policy, const char *place)
{
	char address[KCUCKOO_PREFIX_TEXT], key[KCUCKOO_PREFIX_TEXT];
	char text[CRITICAL_TEXT];

	kcuckoo_prefix_format(&critical->key, address);
	kcuckoo_prefix_format(cover, key);
	critical_text(critical, critical->roles, text);
	if (policy == CRITICAL_REFUSE)
		error("%s in the lists covers %s, %s", key, address, text);
	else if (policy == CRITICAL_KEEP)
		warn("%s: %s covers %s, %s", place, key, address, text);
	else
		warn("%s in the lists covers %s, %s: leaving this address out",
		     key, address, text);
}

/*
 * Find the addresses of @criticals that keys of @set cover, add these addresses to @covered, and
 * print messages. Ignore the networks of @criticals: a list may block other hosts of a local
 * network. @place: see report(). Return: the number of addresses that were found, or -1 after
 * an error message.
 */
static int collect_covered(const struct criticals *criticals,
			   const struct keyset *set, enum critical_policy policy,
			   const char *place, struct keyset *covered)
{
	struct kcuckoo_prefix cover;
	int i, found = 0;

	for (i = 0; i < criticals->count; i++) {
		const struct critical *critical = &criticals->list[i];

		if (critical->roles & ROLES_NETWORK ||
		    !keyset_find_cover(set, &critical->key, &cover))
			continue;
		if (found++ < NAMED_MAX)
			report(critical, &cover, policy, place);
		if (keyset_add(covered, &critical->key))
			return error("not enough memory");
	}
	if (found > NAMED_MAX)
		warn("and %d more addresses that this host needs",
		     found - NAMED_MAX);
	return found;
}

static int leave_out(struct keyset *set, struct keyset *covered,
		     struct exclusion *exclusion)
{
	struct keyset outermost;
	int ret;

	keyset_sort(covered);
	keyset_init(&outermost);
	ret = keyset_outermost(covered, &outermost);
	if (!ret)
		ret = keyset_exclude(set, &outermost, exclusion);
	keyset_free(&outermost);
	return ret ? error("not enough memory") : 0;
}

int critical_policy_apply(const struct cli *cli, struct keyset *set,
			  enum critical_policy policy, const char *earlier,
			  struct exclusion *exclusion)
{
	struct criticals *criticals;
	struct keyset covered;
	int ret;

	memset(exclusion, 0, sizeof(*exclusion));
	if (policy == CRITICAL_KEEP)
		return 0;
	criticals = malloc(sizeof(*criticals));
	if (!criticals)
		return error("not enough memory");
	keyset_init(&covered);
	criticals_find(cli, criticals);
	if (earlier)
		criticals_add_file(criticals, earlier);
	ret = collect_covered(criticals, set, policy, NULL, &covered);
	if (ret > 0 && policy == CRITICAL_REFUSE)
		ret = hint(error("nothing was changed"),
			   "--skip-own leaves these addresses out; --keep-own keeps them");
	else if (ret > 0)
		ret = leave_out(set, &covered, exclusion);
	keyset_free(&covered);
	free(criticals);
	return ret;
}

int critical_mention(const struct cli *cli, const struct keyset *set, const char *place)
{
	struct criticals *criticals = malloc(sizeof(*criticals));
	struct keyset covered;
	int ret;

	if (!criticals)
		return error("not enough memory");
	keyset_init(&covered);
	criticals_find(cli, criticals);
	ret = collect_covered(criticals, set, CRITICAL_KEEP, place, &covered);
	keyset_free(&covered);
	free(criticals);
	return ret;
}
