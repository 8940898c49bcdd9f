// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rules of iptables: every allocation and user copy of putting one into a table
 * fails in turn.
 */

#include "sweep.h"

#include "../xt/table.h"

static struct kcuckoo_prefix keys[20];

static int world_make(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		keys[i] = ipv4(0x0a000000 + i, 32);
	return system("modprobe -q ip_tables; modprobe xt_kcuckoo") ? -ENOENT : 0;
}

static __u32 users(int fd, const char *name)
{
	struct kcuckoo_ioc_info info;

	return filter_info(fd, name, &info) ? 0 : info.rules;
}

static __u32 waiting(int fd)
{
	struct kcuckoo_ioc_stats stats;

	return client_stats(fd, &stats) ? 0 : stats.waiting;
}

/* The rule, of a filter that there is or is not. */
static struct xt_kcuckoo_mtinfo match;
static struct xt_kcuckoo_tginfo target;

static int list_prepare(int fd)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_INET,
		.hash = KCUCKOO_HASH_SIPHASH,
		.capacity = 100,
	};
	int error;

	set_name(create.name, "list");
	error = bystanders(fd) ?: call(fd, KCUCKOO_IOC_CREATE, &create);
	if (!error && keys_add(fd, "list", keys, ARRAY_SIZE(keys)) != ARRAY_SIZE(keys))
		error = -EPROTO;
	know("list", keys, NULL, ARRAY_SIZE(keys));
	return error;
}

/*
 * So many figures of old rules no table has: once the kernel has checked the rule,
 * which then holds its names, it has no memory for them, and gives all back. What
 * it would ask for otherwise warns, with a trace of calls, where it gets none.
 */
#define TOO_MANY	100000000

/* That there is no memory for the figures is how it has to end. */
static int check_act(int fd)
{
	const struct table_rule both = {
		.match = match.name[0] ? &match : NULL,
		.target = target.name[0] ? &target : NULL,
	};
	int table = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_RAW), error;
	struct table_blob blob;

	table_make(&blob, &both);
	blob.head.num_counters = TOO_MANY;
	fault_arm();
	error = setsockopt(table, SOL_IP, IPT_SO_SET_REPLACE, &blob,
			   sizeof(blob.head) + blob.head.size) ? -errno : 0;
	fault_disarm();
	close(table);
	return error == -ENOMEM && !fault.hit ? 0 : error ?: -EPROTO;
}

/* Nobody holds a name. */
static bool check_done(int fd)
{
	return !users(fd, "list") && !waiting(fd) && known_found(fd, known_count);
}

static void rule_set(const char *matched, const char *changed, __u32 flags)
{
	set_name(match.name, matched);
	set_name(target.name, changed);
	target.flags = flags;
	target.limit = flags & XT_KCUCKOO_ADD ? 1 : 0;
}

TEST_F(faults, check)
{
	const struct action action = { "check", list_prepare, check_act, check_done };

	rule_set("list", "", 0);
	sweep_all(_metadata, &self->sweep, &action, 1);
	rule_set("waits", "", 0);
	sweep_all(_metadata, &self->sweep, &action, 1);
	rule_set("", "list", XT_KCUCKOO_ADD);
	sweep_all(_metadata, &self->sweep, &action, 1);
	rule_set("", "waits", XT_KCUCKOO_DEL);
	sweep_all(_metadata, &self->sweep, &action, 1);
	rule_set("list", "waits", XT_KCUCKOO_ADD);
	sweep_all(_metadata, &self->sweep, &action, 1);
}

TEST_HARNESS_MAIN
