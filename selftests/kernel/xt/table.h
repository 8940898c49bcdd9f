/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table "filter" of IPv4 or IPv6 as the kernel takes it, with at most one rule: so
 * a program can say what iptables and its plugins never would, and see what the kernel
 * tells of it.
 */
#ifndef KCUCKOO_TABLE_H
#define KCUCKOO_TABLE_H

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/netfilter_ipv4/ip_tables.h>
#include <linux/netfilter_ipv6/ip6_tables.h>
#include <linux/netfilter/xt_kcuckoo.h>

/* The families' entries differ in where they end, and in how they begin. */
static_assert(sizeof(struct ipt_replace) == sizeof(struct ip6t_replace), "table");
static_assert(sizeof(struct ipt_getinfo) == sizeof(struct ip6t_getinfo), "figures");
static_assert(sizeof(struct ipt_get_entries) == sizeof(struct ip6t_get_entries), "answer");
static_assert(IPT_SO_SET_REPLACE == IP6T_SO_SET_REPLACE, "request to replace");
static_assert(IPT_SO_GET_INFO == IP6T_SO_GET_INFO, "request for figures");
static_assert(IPT_SO_GET_ENTRIES == IP6T_SO_GET_ENTRIES, "request for entries");

/**
 * struct table_rule - the rule, at input
 * @family: AF_INET6, or 0 for IPv4
 * @match: what it matches, or NULL
 * @target: what it does, or NULL for nothing
 */
struct table_rule {
	int family;
	const struct xt_kcuckoo_mtinfo *match;
	const struct xt_kcuckoo_tginfo *target;
};

struct table_blob {
	struct ipt_replace head;
	__u8 entries[2048];
};

/* What the kernel tells of a table. */
struct table_answer {
	struct ipt_get_entries head;
	__u8 entries[2048];
};

static inline size_t table_entry_size(int family)
{
	return family == AF_INET6 ? sizeof(struct ip6t_entry) : sizeof(struct ipt_entry);
}

/* Where an entry says how far it is to its target and, behind that, to the next one. */
static inline __u16 *table_offsets(int family, void *entry)
{
	return family == AF_INET6 ? &((struct ip6t_entry *)entry)->target_offset :
				    &((struct ipt_entry *)entry)->target_offset;
}

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

static inline void table_accept(struct table_blob *blob)
{
	struct xt_standard_target *target = table_part(blob, sizeof(*target));

	target->target.u.user.target_size = sizeof(*target);
	target->verdict = -NF_ACCEPT - 1;
}

/* What ends every table. */
static inline void table_error(struct table_blob *blob)
{
	struct xt_error_target *target = table_part(blob, sizeof(*target));

	target->target.u.user.target_size = sizeof(*target);
	strcpy(target->target.u.user.name, XT_ERROR_TARGET);
	strcpy(target->errorname, "ERROR");
}

/* An entry: what @rule says, or without one what @otherwise does with every packet. */
static inline void table_entry(struct table_blob *blob, int family,
			       const struct table_rule *rule,
			       void (*otherwise)(struct table_blob *blob))
{
	size_t begin = blob->head.size;
	__u16 *offsets = table_offsets(family, table_part(blob, table_entry_size(family)));

	if (rule && rule->match)
		table_extension(blob, "kcuckoo", rule->match, sizeof(*rule->match));
	offsets[0] = blob->head.size - begin;
	if (rule && rule->target)
		table_extension(blob, "KCUCKOO", rule->target, sizeof(*rule->target));
	else
		otherwise(blob);
	offsets[1] = blob->head.size - begin;
	blob->head.num_entries++;
}

static inline void table_make(struct table_blob *blob, const struct table_rule *rule)
{
	int family = rule ? rule->family : 0;
	unsigned int hook;

	memset(blob, 0, sizeof(*blob));
	strcpy(blob->head.name, "filter");
	blob->head.valid_hooks = 1 << NF_INET_LOCAL_IN | 1 << NF_INET_FORWARD |
				 1 << NF_INET_LOCAL_OUT;
	for (hook = NF_INET_LOCAL_IN; hook <= NF_INET_LOCAL_OUT; hook++) {
		blob->head.hook_entry[hook] = blob->head.size;
		if (rule && hook == NF_INET_LOCAL_IN)
			table_entry(blob, family, rule, table_accept);
		blob->head.underflow[hook] = blob->head.size;
		table_entry(blob, family, NULL, table_accept);
	}
	table_entry(blob, family, NULL, table_error);
}

static inline int table_level(int family)
{
	return family == AF_INET6 ? SOL_IPV6 : SOL_IP;
}

/* A socket to ask by, and the table's figures; or a negative errno. */
static inline int table_open(int family, struct ipt_getinfo *now)
{
	int fd = socket(family == AF_INET6 ? AF_INET6 : AF_INET, SOCK_RAW | SOCK_CLOEXEC,
			IPPROTO_RAW);
	socklen_t length = sizeof(*now);
	int error;

	memset(now, 0, sizeof(*now));
	strcpy(now->name, "filter");
	if (fd < 0 || !getsockopt(fd, table_level(family), IPT_SO_GET_INFO, now, &length))
		return fd < 0 ? -errno : fd;
	error = -errno;
	close(fd);
	return error;
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
	int family = rule ? rule->family : 0;
	struct ipt_getinfo now;
	struct table_blob blob;
	int fd = table_open(family, &now), error;

	if (fd < 0)
		return fd;
	table_make(&blob, rule);
	/* The old rules' figures. */
	blob.head.num_counters = now.num_entries;
	blob.head.counters = counters;
	error = setsockopt(fd, table_level(family), IPT_SO_SET_REPLACE, &blob,
			   sizeof(blob.head) + blob.head.size) ? -errno : 0;
	close(fd);
	return error;
}

/**
 * table_read() - have the kernel tell its entries
 * @family: AF_INET6, or 0 for IPv4
 * @answer: out: the entries; that of a rule at input is the first
 *
 * Return: 0 or a negative errno.
 */
static inline int table_read(int family, struct table_answer *answer)
{
	struct ipt_getinfo now;
	int fd = table_open(family, &now), error;
	socklen_t length;

	if (fd < 0)
		return fd;
	memset(answer, 0xa5, sizeof(*answer));
	memcpy(answer->head.name, now.name, sizeof(answer->head.name));
	answer->head.size = now.size;
	length = sizeof(answer->head) + now.size;
	error = length > sizeof(*answer) ? -E2BIG :
		getsockopt(fd, table_level(family), IPT_SO_GET_ENTRIES, answer, &length) ?
		-errno : 0;
	close(fd);
	return error;
}

/* What the first entry's match was told; that of its target. */
static inline const void *table_match_info(int family, struct table_answer *answer)
{
	const __u8 *part = answer->entries + table_entry_size(family);

	return ((const struct xt_entry_match *)part)->data;
}

static inline const void *table_target_info(int family, struct table_answer *answer)
{
	const __u8 *part = answer->entries + *table_offsets(family, answer->entries);

	return ((const struct xt_entry_target *)part)->data;
}

#endif /* KCUCKOO_TABLE_H */
