// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions warn if a rule drops packets that this host needs, because the user
 * could lose access to the host.
 *
 * The functions compare the members of the filter of each rule that drops packets with
 * the critical addresses and networks (critical.h). Rules that drop packets of critical
 * addresses are a common mistake, because public blocklists contain private networks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keys/cover.h"
#include "keywords.h"
#include "message.h"
#include "rules/critical.h"
#include "rules/lockout.h"
#include "rules/rules.h"
#include "rules/xdp.h"

/* Maximum number of warnings that name a member, for each rule. */
#define WARNINGS_MAX	10

/*
 * Filters with more than SEARCHED members are not searched for members in critical
 * networks, because this search reads all members.
 */
#define SEARCHED	(4 << 20)

/*
 * Maximum number of times that a search starts. If an add moves members during a
 * search, the search can miss members, and starts again.
 */
#define RESTARTS	3

/* Number of members that one step of a search reads. */
#define STEP	KCUCKOO_WALK_BATCH

/**
 * struct lockout - a check of the rules of a filter
 * @cli: state of the command
 * @criticals: addresses and networks that this host needs
 * @inside: members of the filter @searched that lie in networks of @criticals
 * @searched: name of the filter that was searched last, or ""
 */
struct lockout {
	struct cli *cli;
	struct criticals criticals;
	struct keyset inside;
	char searched[KCUCKOO_NAME_SIZE];
};

/**
 * struct rule_check - check of one rule against all critical addresses and networks
 * @lockout: the check of which this check is a part
 * @rule: the rule
 * @roles: roles (enum role) of the addresses whose packets the rule could drop
 * @exact: the filter of the rule is exact
 * @added: members that were added; if not NULL, check only these members
 * @removed_allow: keys that were removed from the allow filter; if not NULL, check
 *	only addresses that these keys cover, and networks that these keys overlap
 * @entries: the members that cause warnings
 * @found: number of @entries, at most one for each address or network of @criticals; only
 *	the first WARNINGS_MAX members are named in a warning
 */
struct rule_check {
	struct lockout *lockout;
	const struct kcuckoo_rule *rule;
	int roles;
	bool exact;
	const struct keyset *added;
	const struct keyset *removed_allow;
	struct kcuckoo_prefix entries[CRITICALS_MAX];
	int found;
};

/*
 * Return: the roles (enum role) of the addresses whose packets a rule could drop, or 0.
 * A rule that waits for its allow filter matches nothing; the command checks the rule
 * when it creates the allow filter.
 */
static int exposed_roles(const struct kcuckoo_rule *rule)
{
	const int others = ROLE_GATEWAY | ROLE_PEER | ROLE_RESOLVER | ROLE_DHCP |
			   ROLES_NETWORK;
	bool src = rule->match == KCUCKOO_MATCH_SRC;

	if (rule->action != KCUCKOO_ACTION_DROP ||
	    rule->flags & (RULE_SLOT_MISSING | KCUCKOO_RULE_ALLOW_WAITING))
		return 0;
	switch (rule->hook) {
	case HOOK_XDP:
	case KCUCKOO_HOOK_INGRESS:
	case KCUCKOO_HOOK_PREROUTING:
	case KCUCKOO_HOOK_INPUT:
		return src ? ROLE_LOCAL | ROLE_NO_IPV4 | ROLE_NO_IPV6 | others :
			     ROLE_LOCAL | ROLE_LINK_LOCAL;
	case KCUCKOO_HOOK_OUTPUT:
		return src ? ROLE_LOCAL | ROLE_LINK_LOCAL | ROLE_NO_IPV6 : others;
	default:
		return ROLE_NETWORK;
	}
}

static bool same(const struct kcuckoo_prefix *a, const struct kcuckoo_prefix *b)
{
	return a->plen == b->plen && cover_has(a, b);
}

static bool overlap(const struct kcuckoo_prefix *a, const struct kcuckoo_prefix *b)
{
	return cover_has(a, b) || cover_has(b, a);
}

/* Number of keys that are read from a set at once. */
#define KEYS	256

static bool any(const struct keyset *set, const struct kcuckoo_prefix *key,
		bool (*compare)(const struct kcuckoo_prefix *member,
				const struct kcuckoo_prefix *key))
{
	struct kcuckoo_prefix keys[KEYS];
	size_t i, at, count;

	for (at = 0; (count = keyset_read(set, at, keys, KEYS)); at += count)
		for (i = 0; i < count; i++)
			if (compare(&keys[i], key))
				return true;
	return false;
}

/*
 * Find the longest member of the filter @name that covers all of @key. If @only is not
 * NULL, consider only members that are in this set.
 */
static bool find_entry(struct cli *cli, const char *name,
		       const struct kcuckoo_prefix *key,
		       const struct keyset *only, struct kcuckoo_prefix *entry)
{
	struct kcuckoo_prefix keys[COVER_MAX];
	uint8_t results[COVER_MAX] = { 0 };
	const struct kcuckoo_batch batch = {
		.prefixes = keys,
		.count = cover_keys(key, keys),
		.results = results,
	};
	size_t i;

	/* Usually no key in @only covers @key, and no system call is needed. */
	if ((only && !any(only, key, cover_has)) ||
	    kcuckoo_test(cli->handle, name, KCUCKOO_TEST_MEMBER, &batch, NULL))
		return false;
	for (i = 0; i < batch.count; i++) {
		if (results[i] == KCUCKOO_RESULT_PRESENT &&
		    (!only || keyset_has(only, &keys[i]))) {
			*entry = keys[i];
			return true;
		}
	}
	return false;
}

static const struct critical *network_of(const struct criticals *criticals,
					 const struct kcuckoo_prefix *key)
{
	int i;

	for (i = 0; i < criticals->count; i++) {
		const struct critical *critical = &criticals->list[i];

		if (critical->roles & ROLES_NETWORK &&
		    critical->key.plen < key->plen &&
		    cover_has(&critical->key, key))
			return critical;
	}
	return NULL;
}

static int keep_inside(struct lockout *lockout,
		       const struct kcuckoo_prefix *keys, size_t count)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < count && !ret; i++)
		if (network_of(&lockout->criticals, &keys[i]))
			ret = keyset_add(&lockout->inside, &keys[i]);
	return ret;
}

static void search_only(struct lockout *lockout, const char *name,
			const struct keyset *only)
{
	struct kcuckoo_prefix keys[KEYS];
	uint8_t results[KEYS];
	const struct kcuckoo_batch batch = {
		.prefixes = keys,
		.count = 1,
		.results = results,
	};
	size_t i, at, count;

	for (at = 0; (count = keyset_read(only, at, keys, KEYS)); at += count) {
		for (i = 0; i < count; i++) {
			keys[0] = keys[i];
			if (network_of(&lockout->criticals, keys) &&
			    !kcuckoo_test(lockout->cli->handle, name,
					  KCUCKOO_TEST_MEMBER, &batch, NULL) &&
			    *results == KCUCKOO_RESULT_PRESENT &&
			    keyset_add(&lockout->inside, keys))
				return;
		}
	}
}

/* Only members with a longer prefix than a network can lie in the network. */
static bool has_lengths(const struct criticals *criticals,
			const struct kcuckoo_ioc_info *info)
{
	int i, plen;

	for (i = 0; i < criticals->count; i++) {
		const struct kcuckoo_prefix *key = &criticals->list[i].key;

		if (!(criticals->list[i].roles & ROLES_NETWORK))
			continue;
		for (plen = key->plen + 1; plen <= 32; plen++)
			if (key->family == KCUCKOO_FAMILY_IPV4 &&
			    info->plens_ipv4 >> plen & 1)
				return true;
		for (plen = key->plen + 1; plen <= 128; plen++)
			if (key->family == KCUCKOO_FAMILY_IPV6 &&
			    info->plens_ipv6[plen / 64] >> plen % 64 & 1)
				return true;
	}
	return false;
}

/*
 * Set @inside of @lockout to the members of the filter @name that lie in networks of
 * @criticals. @keys: buffer for STEP keys. Return: KCUCKOO_WALK_END;
 * KCUCKOO_WALK_RESTART if the walk must start again; or a negative number after an
 * error.
 */
static int search_walk(struct lockout *lockout, const char *name,
		       struct kcuckoo_prefix *keys)
{
	const struct kcuckoo_members page = { .keys = keys, .count = STEP };
	struct kcuckoo_cursor cursor = { .move_seq = 0 };
	size_t done;
	int state;

	keyset_clear(&lockout->inside);
	do {
		state = kcuckoo_walk(lockout->cli->handle, name, &cursor, &page,
				     &done);
		if (keep_inside(lockout, keys, done))
			return -1;
	} while (state == KCUCKOO_WALK_MORE);
	return state;
}

static void search_all(struct lockout *lockout, const char *name,
		       const struct kcuckoo_ioc_info *info)
{
	struct kcuckoo_prefix *keys;
	int tries = 0;

	if (info->tag_bits || info->members > SEARCHED ||
	    !has_lengths(&lockout->criticals, info))
		return;
	keys = calloc(STEP, sizeof(*keys));
	while (keys && tries++ < RESTARTS &&
	       search_walk(lockout, name, keys) == KCUCKOO_WALK_RESTART)
		;
	free(keys);
}

static void search(struct lockout *lockout, const char *name,
		   const struct kcuckoo_ioc_info *info, const struct keyset *only)
{
	if (!strcmp(lockout->searched, name))
		return;
	snprintf(lockout->searched, sizeof(lockout->searched), "%s", name);
	keyset_clear(&lockout->inside);
	if (only)
		search_only(lockout, name, only);
	else
		search_all(lockout, name, info);
	/*
	 * The kernel lists members in no particular order, so sort them for the
	 * warnings.
	 */
	keyset_sort(&lockout->inside);
}

static bool is_allowed(struct cli *cli, const struct kcuckoo_rule *rule,
		       const struct kcuckoo_prefix *key)
{
	const char *allow = (const char *)rule->allow;
	struct kcuckoo_prefix entry;

	return *allow && find_entry(cli, allow, key, NULL, &entry);
}

/* Return: true if record_member() has recorded the member @entry for this rule. */
static bool is_named(const struct rule_check *check,
		     const struct kcuckoo_prefix *entry)
{
	int i;

	for (i = 0; i < check->found; i++)
		if (same(&check->entries[i], entry))
			return true;
	return false;
}

/*
 * Count and record a member that causes a warning. Return: true if the caller should
 * print the warning, or false if WARNINGS_MAX warnings have been printed.
 */
static bool record_member(struct rule_check *check, const struct kcuckoo_prefix *entry)
{
	if (check->found < CRITICALS_MAX)
		check->entries[check->found] = *entry;
	return check->found++ < WARNINGS_MAX;
}

static void hint_way_out(const struct rule_check *check,
			 const struct kcuckoo_prefix *needed,
			 const struct kcuckoo_prefix *entry)
{
	const struct kcuckoo_rule *rule = check->rule;
	const char *from = rule->match == KCUCKOO_MATCH_SRC ? "from" : "to";
	char member[KCUCKOO_PREFIX_TEXT], address[KCUCKOO_PREFIX_TEXT];
	const char *hook = keyword_name(hook_keywords, rule->hook);
	const char *name = (const char *)rule->name;

	kcuckoo_prefix_format(entry, member);
	kcuckoo_prefix_format(needed, address);
	if (check->exact)
		hint(0, "hook %s drops packets %s it; 'kcuckoo del %s %s' deletes that member",
		     hook, from, name, member);
	else
		hint(0, "hook %s drops packets %s it, even if the match is a false positive",
		     hook, from);
	if (*rule->allow)
		hint(0, "'kcuckoo add %s %s' lets them pass", rule->allow, address);
}

static void check_address(struct rule_check *check,
			  const struct critical *critical)
{
	char address[KCUCKOO_PREFIX_TEXT], member[KCUCKOO_PREFIX_TEXT];
	const char *name = (const char *)check->rule->name;
	struct cli *cli = check->lockout->cli;
	struct kcuckoo_prefix entry;
	char text[CRITICAL_TEXT];

	if ((check->removed_allow && !any(check->removed_allow, &critical->key, cover_has)) ||
	    !find_entry(cli, name, &critical->key, check->added, &entry) ||
	    is_allowed(cli, check->rule, &critical->key) ||
	    !record_member(check, &entry))
		return;
	kcuckoo_prefix_format(&critical->key, address);
	kcuckoo_prefix_format(&entry, member);
	warn("%s in '%s' covers %s, %s", member, name, address,
	     critical_text(critical, check->roles, text));
	hint_way_out(check, &critical->key, &entry);
}

/*
 * Warn if one member covers a whole network that the host needs. Return: true if a
 * member covers the network, even without a warning.
 */
static bool check_whole(struct rule_check *check,
			const struct critical *critical)
{
	char network[KCUCKOO_PREFIX_TEXT], member[KCUCKOO_PREFIX_TEXT];
	const char *name = (const char *)check->rule->name;
	struct cli *cli = check->lockout->cli;
	struct kcuckoo_prefix entry;
	char text[CRITICAL_TEXT];

	if ((check->removed_allow && !any(check->removed_allow, &critical->key, overlap)) ||
	    !find_entry(cli, name, &critical->key, check->added, &entry))
		return false;
	/* A member that already causes a warning needs no second warning. */
	if (is_named(check, &entry) ||
	    is_allowed(cli, check->rule, &critical->key) ||
	    !record_member(check, &entry))
		return true;
	kcuckoo_prefix_format(&critical->key, network);
	kcuckoo_prefix_format(&entry, member);
	warn("%s in '%s' covers %s, %s", member, name, network,
	     critical_text(critical, check->roles, text));
	hint_way_out(check, &critical->key, &entry);
	return true;
}

static bool is_known(const struct criticals *criticals,
		     const struct kcuckoo_prefix *key)
{
	int i;

	for (i = 0; i < criticals->count; i++)
		if (!(criticals->list[i].roles & ROLES_NETWORK) &&
		    same(&criticals->list[i].key, key))
			return true;
	return false;
}

/*
 * Return: true if check_within() should warn about @key, a member that lies in a
 * network: the rule drops packets of @key, and no other check warns about @key.
 */
static bool is_other(const struct rule_check *check,
		     const struct kcuckoo_prefix *key)
{
	const struct lockout *lockout = check->lockout;

	return !is_named(check, key) && !is_known(&lockout->criticals, key) &&
	       (!check->removed_allow || any(check->removed_allow, key, overlap)) &&
	       !is_allowed(lockout->cli, check->rule, key);
}

/*
 * Warn if members lie in a network that the host needs. One warning has the first of
 * these members, and the number of the other members.
 */
static void check_within(struct rule_check *check,
			 const struct critical *critical)
{
	char network[KCUCKOO_PREFIX_TEXT], member[KCUCKOO_PREFIX_TEXT];
	const struct keyset *inside = &check->lockout->inside;
	const char *name = (const char *)check->rule->name;
	struct kcuckoo_prefix keys[KEYS], entry;
	char text[CRITICAL_TEXT], more[64] = "";
	size_t i, at, count, others = 0;

	for (at = 0; (count = keyset_read(inside, at, keys, KEYS)); at += count) {
		for (i = 0; i < count; i++) {
			if (network_of(&check->lockout->criticals,
				       &keys[i]) != critical ||
			    !is_other(check, &keys[i]))
				continue;
			if (!others++)
				entry = keys[i];
		}
	}
	if (!others || !record_member(check, &entry))
		return;
	kcuckoo_prefix_format(&critical->key, network);
	kcuckoo_prefix_format(&entry, member);
	if (others > 1)
		snprintf(more, sizeof(more), "and %zu more %s ", others - 1,
			 plural(others - 1, "member", "members"));
	warn("%s %sin '%s' %s in %s, %s", member, more, name,
	     plural(others, "lies", "lie"), network,
	     critical_text(critical, check->roles, text));
	hint_way_out(check, &entry, &entry);
}

static void check_rule(struct lockout *lockout, const struct kcuckoo_rule *rule,
		       const struct keyset *added, const struct keyset *removed_allow)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	const struct criticals *criticals = &lockout->criticals;
	const char *name = (const char *)rule->name;
	struct rule_check check = {
		.lockout = lockout,
		.rule = rule,
		.roles = exposed_roles(rule),
		.added = added,
		.removed_allow = removed_allow,
	};
	int i, networks;

	if (!check.roles || kcuckoo_info(lockout->cli->handle, name, &info))
		return;
	check.exact = !info.tag_bits;
	search(lockout, name, &info, added);
	/* A warning about an address is more specific, so addresses come first. */
	for (networks = 0; networks < 2; networks++) {
		for (i = 0; i < criticals->count; i++) {
			const struct critical *critical = &criticals->list[i];

			if (!(check.roles & critical->roles) ||
			    !(rule->family & critical->key.family) ||
			    networks != !!(critical->roles & ROLES_NETWORK))
				continue;
			if (!networks)
				check_address(&check, critical);
			else if (!check_whole(&check, critical))
				check_within(&check, critical);
		}
	}
	if (check.found > WARNINGS_MAX)
		warn("and %d more such warnings", check.found - WARNINGS_MAX);
	if (check.found && !*rule->allow)
		hint(0, "a rule with 'allow NAME2' lets addresses in NAME2 pass, even if in '%s'",
		     name);
}

static void lockout_begin(struct lockout *lockout, struct cli *cli)
{
	lockout->cli = cli;
	lockout->searched[0] = 0;
	keyset_init(&lockout->inside);
	criticals_find(cli, &lockout->criticals);
}

void lockout_check_rule(struct cli *cli, const struct kcuckoo_rule *rule)
{
	struct lockout lockout;

	if (!exposed_roles(rule))
		return;
	lockout_begin(&lockout, cli);
	check_rule(&lockout, rule, NULL, NULL);
	keyset_free(&lockout.inside);
}

/*
 * Return: true if a key of @only covers the address @critical, or overlaps the network
 * @critical.
 */
static bool touches(const struct keyset *only, const struct critical *critical)
{
	return any(only, &critical->key, critical->roles & ROLES_NETWORK ?
		   overlap : cover_has);
}

/*
 * Return: true if a change of the filter @name could make a rule drop packets of a
 * critical address. The arguments are those of lockout_check_filter().
 */
static bool may_lock_out(struct lockout *lockout, const char *name,
			 const struct kcuckoo_ioc_info *info,
			 enum member_change change, const struct keyset *only)
{
	const struct criticals *criticals = &lockout->criticals;
	struct kcuckoo_prefix entry;
	int i;

	/*
	 * If @only is NULL, the removed members are unknown, so the change can affect
	 * any address.
	 */
	if (change & MEMBERS_REMOVED && !only)
		return criticals->count;
	for (i = 0; i < criticals->count; i++) {
		if (only ? touches(only, &criticals->list[i]) :
			   find_entry(lockout->cli, name,
				      &criticals->list[i].key, NULL, &entry))
			return true;
	}
	if (only || !info->rules)
		return false;
	search(lockout, name, info, NULL);
	return keyset_count(&lockout->inside);
}

static void check_filter(struct lockout *lockout, const char *name,
			 const struct kcuckoo_ioc_info *info,
			 enum member_change change, const struct keyset *only)
{
	struct kcuckoo_rule *rules;
	int i, count;

	/*
	 * List the rules only if necessary: rules_list() reads all network devices, of
	 * which a host can have thousands.
	 */
	if (!may_lock_out(lockout, name, info, change, only))
		return;
	/*
	 * If rules use the filter, warn about devices whose rules cannot be read. List
	 * the rules even if info->rules is 0: this number does not include the rule of
	 * a device that moved to another namespace and back.
	 */
	count = rules_list(lockout->cli, &rules, info->rules);
	if (count <= 0)
		return;
	for (i = 0; i < count; i++) {
		if (change & MEMBERS_ADDED &&
		    !strcmp((const char *)rules[i].name, name))
			check_rule(lockout, &rules[i], only, NULL);
		if (change & MEMBERS_REMOVED &&
		    !strcmp((const char *)rules[i].allow, name))
			check_rule(lockout, &rules[i], NULL, only);
	}
	free(rules);
}

void lockout_check_filter(struct cli *cli, const char *name,
			  enum member_change change, const struct keyset *only)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	struct lockout lockout;

	/* A rule of a filter of byte strings matches nothing. */
	if (kcuckoo_info(cli->handle, name, &info) ||
	    info.type == KCUCKOO_TYPE_BYTES)
		return;
	lockout_begin(&lockout, cli);
	check_filter(&lockout, name, &info, change, only);
	keyset_free(&lockout.inside);
}
