/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table "filter" of IPv4 as the kernel takes it, with at most one rule: so a
 * program can say what iptables and its plugins never would.
 */
#ifndef KCUCKOO_TABLE_H
#define KCUCKOO_TABLE_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/netfilter_ipv4/ip_tables.h>
#include <linux/netfilter/xt_kcuckoo.h>

/**
 * struct table_rule - the rule, at input
 * @match: what it matches, or NULL
 * @target: what it does, or NULL for nothing
 */
struct table_rule {
	const struct xt_kcuckoo_mtinfo *match;
	const struct xt_kcuckoo_tginfo *target;
};

/* A policy, for which packets are accepted. */
struct table_policy {
	struct ipt_entry entry;
	struct xt_standard_target target;
};

/* What ends every table. */
struct table_end {
	struct ipt_entry entry;
	struct xt_error_target target;
};

struct table_blob {
	struct ipt_replace head;
	__u8 entries[2048];
};

/* An entry's next part, which begins where the last one ends. */
static inline void *table_part(struct table_blob *blob, size_t size)
{
	void *part = blob->entries + blob->head.size;

	blob->head.size += XT_ALIGN(size);
	return part;
}

/* A match or a target: name and what it is told. */
static inline void table_extension(struct table_blob *blob, const char *name,
				   const void *info, size_t size)
{
	/* Of both the head has the same layout. */
	struct xt_entry_match *part = table_part(blob, sizeof(*part) + size);

	part->u.user.match_size = XT_ALIGN(sizeof(*part) + size);
	strcpy(part->u.user.name, name);
	memcpy(part->data, info, size);
}

static inline void table_policy_add(struct table_blob *blob)
{
	struct table_policy *policy = table_part(blob, sizeof(*policy));

	policy->entry.target_offset = sizeof(policy->entry);
	policy->entry.next_offset = sizeof(*policy);
	policy->target.target.u.user.target_size = sizeof(policy->target);
	policy->target.verdict = -NF_ACCEPT - 1;
	blob->head.num_entries++;
}

static inline void table_rule_add(struct table_blob *blob, const struct table_rule *rule)
{
	struct ipt_entry *entry = table_part(blob, sizeof(*entry));
	size_t begin = blob->head.size - sizeof(*entry);
	struct xt_standard_target *nothing;

	if (rule->match)
		table_extension(blob, "kcuckoo", rule->match, sizeof(*rule->match));
	entry->target_offset = blob->head.size - begin;
	if (rule->target) {
		table_extension(blob, "KCUCKOO", rule->target, sizeof(*rule->target));
	} else {
		nothing = table_part(blob, sizeof(*nothing));
		nothing->target.u.user.target_size = sizeof(*nothing);
		nothing->verdict = -NF_ACCEPT - 1;
	}
	entry->next_offset = blob->head.size - begin;
	blob->head.num_entries++;
}

static inline void table_end_add(struct table_blob *blob)
{
	struct table_end *end = table_part(blob, sizeof(*end));

	end->entry.target_offset = sizeof(end->entry);
	end->entry.next_offset = sizeof(*end);
	end->target.target.u.user.target_size = sizeof(end->target);
	strcpy(end->target.target.u.user.name, XT_ERROR_TARGET);
	strcpy(end->target.errorname, "ERROR");
	blob->head.num_entries++;
}

static inline void table_make(struct table_blob *blob, const struct table_rule *rule)
{
	unsigned int hook;

	memset(blob, 0, sizeof(*blob));
	strcpy(blob->head.name, "filter");
	blob->head.valid_hooks = 1 << NF_INET_LOCAL_IN | 1 << NF_INET_FORWARD |
				 1 << NF_INET_LOCAL_OUT;
	for (hook = NF_INET_LOCAL_IN; hook <= NF_INET_LOCAL_OUT; hook++) {
		blob->head.hook_entry[hook] = blob->head.size;
		if (rule && hook == NF_INET_LOCAL_IN)
			table_rule_add(blob, rule);
		blob->head.underflow[hook] = blob->head.size;
		table_policy_add(blob);
	}
	table_end_add(blob);
}

/**
 * table_replace() - make the table one with this rule alone
 * @rule: the rule, NULL for none
 *
 * Return: 0 or a negative errno.
 */
static inline int table_replace(const struct table_rule *rule)
{
	static struct xt_counters counters[16];
	struct ipt_getinfo now = { .name = "filter" };
	socklen_t length = sizeof(now);
	struct table_blob blob;
	int fd = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_RAW);
	int error = fd < 0 ? -errno : 0;

	table_make(&blob, rule);
	if (!error && getsockopt(fd, SOL_IP, IPT_SO_GET_INFO, &now, &length))
		error = -errno;
	/* The old rules' figures. */
	blob.head.num_counters = now.num_entries;
	blob.head.counters = counters;
	if (!error && setsockopt(fd, SOL_IP, IPT_SO_SET_REPLACE, &blob,
				 sizeof(blob.head) + blob.head.size))
		error = -errno;
	close(fd);
	return error;
}

#endif /* KCUCKOO_TABLE_H */
