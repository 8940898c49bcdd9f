// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rules, and names that programs hold: every allocation and user copy of attach,
 * detach and the like fails in turn.
 */

#include "sweep.h"

#include <net/if.h>

#define DEVICE	"fault0"
#define OTHER	"fault1"
#define PATTERN	"fault*"	/* of both devices */

/* Who is asked, and what is sent there before each action. */
#define TARGET	0x0a090002
#define PACKETS	3

static struct kcuckoo_prefix keys[50];

/*
 * As hooks_hold(), with rules of ours: the kernel patches its code for the first
 * rule of a hook and the last, and sweeps attach and detach thousands.
 */
static int hooks_busy(void)
{
	int home = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	int hook, fd, error;

	if (home < 0 || unshare(CLONE_NEWNET) ||
	    system("ip link add " DEVICE " type dummy"))
		return -EPROTO;
	fd = client_open();
	error = fd < 0 ? fd : rule_attach_dev(fd, "held", DEVICE, KCUCKOO_MATCH_SRC,
					      KCUCKOO_ACTION_COUNT);
	for (hook = KCUCKOO_HOOK_PREROUTING; !error && hook <= KCUCKOO_HOOK_OUTPUT; hook++)
		error = rule_attach(fd, "held", hook, KCUCKOO_FAMILY_BOTH,
				    KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_COUNT);
	close(fd);
	/* This descriptor keeps the namespace, until the test ends. */
	if (error || open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC) < 0)
		return error ?: -errno;
	return setns(home, CLONE_NEWNET) ? -errno : close(home);
}

/* Dummy devices take whatever is sent to them. */
static int devices_make(void)
{
	static const char * const commands[] = {
		"link add " DEVICE " type dummy",
		"link add " OTHER " type dummy",
		"addr add 10.9.0.1/24 dev " DEVICE,
		"link set " DEVICE " up",
	};
	FILE *pipe = popen("ip -batch -", "w");
	size_t i;

	for (i = 0; pipe && i < ARRAY_SIZE(commands); i++)
		fprintf(pipe, "%s\n", commands[i]);
	return pipe && !pclose(pipe) ? 0 : -EPROTO;
}

static int world_make(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		keys[i] = ipv4(TARGET + i, 32);
	return hooks_busy() ?: devices_make();
}

static int packets_send(void)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_port = htons(9),
		.sin_addr.s_addr = htonl(TARGET),
	};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), i;
	bool sent = fd >= 0;

	for (i = 0; i < PACKETS; i++)
		sent = sent && sendto(fd, "", 1, 0, (struct sockaddr *)&to, sizeof(to)) == 1;
	close(fd);
	return sent ? 0 : -EPROTO;
}

/* The rule that counted the packets; its figures are part of the digest. */
static bool packets_counted(int fd)
{
	struct kcuckoo_rule rules[RULES_MAX];
	int count = rule_list(fd, rules, RULES_MAX), i;

	for (i = 0; i < count; i++)
		if (rules[i].hook == KCUCKOO_HOOK_OUTPUT && rules[i].packets == PACKETS &&
		    !strcmp((char *)rules[i].name, "list"))
			return true;
	return false;
}

/* A filter, another one, and a rule that has counted packets. */
static int few_prepare(int fd)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_INET,
		.value_bits = 8,
		.capacity = 100,
	};
	int error;

	set_name(create.name, "list");
	error = bystanders(fd) ?: call(fd, KCUCKOO_IOC_CREATE, &create) ?:
		filter_create(fd, "good", 100);
	if (!error && keys_add(fd, "list", keys, ARRAY_SIZE(keys)) != ARRAY_SIZE(keys))
		error = -EPROTO;
	know("list", keys, NULL, ARRAY_SIZE(keys));
	return error ?: rule_attach(fd, "list", KCUCKOO_HOOK_OUTPUT, KCUCKOO_FAMILY_BOTH,
				    KCUCKOO_MATCH_DST, KCUCKOO_ACTION_COUNT) ?:
	       packets_send() ?: packets_counted(fd) ? 0 : -EPROTO;
}

/* Rules at many points, of a few filters. */
static int many_prepare(int fd)
{
	int error = few_prepare(fd), hook;

	for (hook = KCUCKOO_HOOK_PREROUTING; !error && hook <= KCUCKOO_HOOK_FORWARD; hook++)
		error = rule_attach(fd, "list", hook, KCUCKOO_FAMILY_IPV4,
				    KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP) ?:
			rule_attach(fd, "good", hook, KCUCKOO_FAMILY_BOTH,
				    KCUCKOO_MATCH_DST, KCUCKOO_ACTION_COUNT);
	return error ?: rule_attach_dev(fd, "list", DEVICE, KCUCKOO_MATCH_SRC,
					KCUCKOO_ACTION_DROP) ?:
	       rule_attach_dev(fd, "waits", DEVICE, KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP);
}

/* Is this a name that no filter has? */
static bool waits(const __u8 *name)
{
	return !strncmp((const char *)name, "waits", 5);
}

/* The rule that is attached next. */
static struct kcuckoo_ioc_attach rule;

static int attach_act(int fd)
{
	rule.size = sizeof(rule);
	return fault_call(fd, KCUCKOO_IOC_ATTACH, &rule);
}

/* It is there, once for each device; so attaching it again is no news. */
static bool attach_done(int fd)
{
	const bool waits_dev = rule.flags & KCUCKOO_ATTACH_WAIT;
	struct kcuckoo_rule rules[RULES_MAX];
	int count = rule_list(fd, rules, RULES_MAX), same = 0, i;
	struct kcuckoo_ioc_attach again = rule;

	again.flags &= ~KCUCKOO_ATTACH_REPLACE;

	for (i = 0; i < count; i++)
		same += !memcmp(rules[i].name, rule.name, KCUCKOO_NAME_SIZE) &&
			rules[i].hook == rule.hook && rules[i].family == rule.family &&
			rules[i].match == rule.match && rules[i].action == rule.action &&
			rules[i].mark == rule.mark &&
			!memcmp(rules[i].allow, rule.allow, KCUCKOO_NAME_SIZE) &&
			!memcmp(rules[i].label, rule.label, KCUCKOO_NAME_SIZE) &&
			!memcmp(waits_dev ? rules[i].pattern : rules[i].dev, rule.dev,
				KCUCKOO_DEV_SIZE);
	return same == (strcmp((char *)rule.dev, PATTERN) ? 1 : 2) &&
	       call(fd, KCUCKOO_IOC_ATTACH, &again) == -EEXIST &&
	       packets_counted(fd) && known_found(fd, known_count);
}

#define BOTH	.family = KCUCKOO_FAMILY_BOTH

#define WAIT	.flags = KCUCKOO_ATTACH_WAIT, .hook = KCUCKOO_HOOK_INGRESS, BOTH

static const struct kcuckoo_ioc_attach attached[] = {
	{ .name = "list", .hook = KCUCKOO_HOOK_PREROUTING, BOTH },
	{ .name = "list", .hook = KCUCKOO_HOOK_INPUT, BOTH, .match = KCUCKOO_MATCH_DST },
	{ .name = "list", .hook = KCUCKOO_HOOK_FORWARD, .family = KCUCKOO_FAMILY_IPV6 },
	{ .name = "good", .hook = KCUCKOO_HOOK_OUTPUT, BOTH },
	{ .name = "list", .hook = KCUCKOO_HOOK_PREROUTING, BOTH, .allow = "good" },
	{ .name = "list", .hook = KCUCKOO_HOOK_PREROUTING, BOTH, .allow = "waits" },
	{ .name = "waits", .hook = KCUCKOO_HOOK_INPUT, BOTH },
	{ .name = "waits", .hook = KCUCKOO_HOOK_INPUT, BOTH, .allow = "waits-too" },
	{ .name = "list", .hook = KCUCKOO_HOOK_PREROUTING, BOTH,
	  .action = KCUCKOO_ACTION_MARK, .mark = 7 },
	{ .name = "list", .hook = KCUCKOO_HOOK_PREROUTING, BOTH,
	  .action = KCUCKOO_ACTION_VALUE },
	{ .name = "good", .hook = KCUCKOO_HOOK_INGRESS, BOTH, .dev = DEVICE },
	{ .name = "good", .hook = KCUCKOO_HOOK_INGRESS, BOTH, .dev = OTHER,
	  .allow = "waits-too" },
	{ .name = "good", WAIT, .dev = "later0" },
	{ .name = "good", WAIT, .dev = OTHER, .label = "other" },
	{ .name = "good", WAIT, .dev = PATTERN },
};

/* Rules that are replaced: of a hook, of a device, of a name, of a pattern. */
static int replaced_prepare(int fd)
{
	static const struct kcuckoo_ioc_attach rules[] = {
		{ .size = sizeof(rule), .name = "good", WAIT, .dev = "later0" },
		{ .size = sizeof(rule), .name = "good", WAIT, .dev = OTHER },
		{ .size = sizeof(rule), .name = "good", WAIT, .dev = PATTERN,
		  .allow = "list" },
	};
	int error = many_prepare(fd);
	size_t i;

	for (i = 0; !error && i < ARRAY_SIZE(rules); i++) {
		struct kcuckoo_ioc_attach attach = rules[i];

		error = call(fd, KCUCKOO_IOC_ATTACH, &attach);
	}
	return error;
}

#define REPLACE(flags_, ...) {						\
	.flags = KCUCKOO_ATTACH_REPLACE | (flags_), BOTH,		\
	.action = KCUCKOO_ACTION_MARK, .mark = 9, .label = "new", __VA_ARGS__ }
#define INGRESS	.hook = KCUCKOO_HOOK_INGRESS

static const struct kcuckoo_ioc_attach replaced[] = {
	REPLACE(0, .name = "good", .hook = KCUCKOO_HOOK_FORWARD,
		.match = KCUCKOO_MATCH_DST, .allow = "list"),
	REPLACE(0, .name = "list", INGRESS, .dev = DEVICE, .allow = "waits-too"),
	REPLACE(KCUCKOO_ATTACH_WAIT, .name = "good", INGRESS, .dev = "later0"),
	REPLACE(KCUCKOO_ATTACH_WAIT, .name = "good", INGRESS, .dev = OTHER,
		.allow = "list"),
	REPLACE(KCUCKOO_ATTACH_WAIT, .name = "good", INGRESS, .dev = PATTERN),
};

TEST_F(faults, replace)
{
	struct action action = { "replace", replaced_prepare, attach_act, attach_done };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(replaced); i++) {
		rule = replaced[i];
		action.flags = waits(rule.allow) ? ACTION_NAMES : 0;
		sweep_all(_metadata, &self->sweep, &action, 1);
	}
}

TEST_F(faults, attach)
{
	struct action actions[] = {
		{ "attach", few_prepare, attach_act, attach_done },
		{ "attach beside others", many_prepare, attach_act, attach_done },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(attached); i++) {
		rule = attached[i];
		/* With the many, one that waits has its name already. */
		actions[0].flags = waits(rule.name) || waits(rule.allow) ? ACTION_NAMES : 0;
		actions[1].flags = waits(rule.allow) ? ACTION_NAMES : 0;
		sweep_all(_metadata, &self->sweep, actions,
			  rule.hook == KCUCKOO_HOOK_OUTPUT || rule.dev[0] ? 2 : 1);
	}
}

/* So many there are then. */
#define RULES	10

/* What is detached next, and how many rules are left then. */
static struct kcuckoo_ioc_detach pattern;
static int left;

static int detach_act(int fd)
{
	pattern.size = sizeof(pattern);
	pattern.removed = 0;
	return fault_call(fd, KCUCKOO_IOC_DETACH, &pattern);
}

static bool detach_done(int fd)
{
	return rule_list(fd, NULL, 0) == left && known_found(fd, known_count) &&
	       (fault.error || pattern.removed == RULES - left) &&
	       (!(pattern.flags & KCUCKOO_DETACH_HOOK) || packets_counted(fd));
}

static const struct {
	struct kcuckoo_ioc_detach pattern;
	int left;
} detached[] = {
	/* Ten rules there are: of "by", six and one of "list", three of "good"... */
	{ { .flags = 0 }, 0 },
	{ { .flags = KCUCKOO_DETACH_NAME, .name = "list" }, 5 },
	{ { .flags = KCUCKOO_DETACH_NAME, .name = "waits" }, 9 },
	{ { .flags = KCUCKOO_DETACH_DEV, .dev = DEVICE }, 8 },
	{ { .flags = KCUCKOO_DETACH_HOOK, .hook = KCUCKOO_HOOK_PREROUTING }, 8 },
	{ { .flags = KCUCKOO_DETACH_FAMILY, .family = KCUCKOO_FAMILY_IPV4 }, 7 },
	{ { .flags = KCUCKOO_DETACH_MATCH, .match = KCUCKOO_MATCH_DST }, 6 },
};

TEST_F(faults, detach)
{
	const struct action action = {
		"detach", many_prepare, detach_act, detach_done, ACTION_TOLD | ACTION_LEAN,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(detached); i++) {
		pattern = detached[i].pattern;
		left = detached[i].left;
		sweep_all(_metadata, &self->sweep, &action, 1);
	}
}

static struct kcuckoo_rule listed[RULES_MAX];
static __u32 listed_total;

static int rules_act(int fd)
{
	struct kcuckoo_ioc_rules request = {
		.size = sizeof(request),
		.rules = (uintptr_t)listed,
		.count = RULES_MAX,
		.rule_size = sizeof(*listed),
	};
	int error;

	memset(listed, POISON, sizeof(listed));
	error = fault_call(fd, KCUCKOO_IOC_RULES, &request);
	listed_total = request.total;
	return error;
}

/* It tells what it tells when nothing fails. */
static bool rules_done(int fd)
{
	struct kcuckoo_rule again[RULES_MAX];

	memset(again, POISON, sizeof(again));
	return listed_total == RULES && rule_list(fd, again, RULES_MAX) == RULES &&
	       !memcmp(listed, again, sizeof(listed)) && packets_counted(fd);
}

TEST_F(faults, list)
{
	const struct action action = { "rules", many_prepare, rules_act, rules_done };

	sweep_all(_metadata, &self->sweep, &action, 1);
}

/* Names that programs hold. */
static struct kcuckoo_ioc_slot slot;

static int slot_act(int fd)
{
	slot.size = sizeof(slot);
	slot.id = 0;
	return fault_call(fd, KCUCKOO_IOC_SLOT, &slot);
}

static int slot_release(int fd)
{
	struct kcuckoo_ioc_slot release = slot;

	release.flags = KCUCKOO_SLOT_PUT;
	return call(fd, KCUCKOO_IOC_SLOT, &release);
}

/* Has the call told the name's number, the one that it has now? */
static bool number_told(int fd)
{
	struct kcuckoo_ioc_slot again = { .size = sizeof(again) };

	memcpy(again.name, slot.name, sizeof(again.name));
	return !call(fd, KCUCKOO_IOC_SLOT, &again) && again.id &&
	       (fault.error || slot.id == again.id);
}

/* Held just once; and nothing is left of it afterwards. */
static bool slot_done(int fd)
{
	return number_told(fd) && !slot_release(fd) && slot_release(fd) == -ENOENT &&
	       known_found(fd, known_count);
}

static bool number_done(int fd)
{
	return number_told(fd) && known_found(fd, known_count);
}

static int held_prepare(int fd)
{
	struct kcuckoo_ioc_slot hold = {
		.size = sizeof(hold),
		.flags = KCUCKOO_SLOT_GET,
	};

	set_name(hold.name, "waits");
	return few_prepare(fd) ?: call(fd, KCUCKOO_IOC_SLOT, &hold);
}

static bool release_done(int fd)
{
	return !slot.id && slot_release(fd) == -ENOENT && known_found(fd, known_count);
}

TEST_F(faults, hold)
{
	const struct action hold = { "hold", few_prepare, slot_act, slot_done, ACTION_TOLD };
	const struct action hold_new = {
		"hold a new name", few_prepare, slot_act, slot_done, ACTION_TOLD | ACTION_NAMES,
	};
	const struct action number = { "number", few_prepare, slot_act, number_done };
	const struct action release = {
		"release", held_prepare, slot_act, release_done, ACTION_TOLD | ACTION_LEAN,
	};
	const struct kcuckoo_ioc_slot held = { .flags = KCUCKOO_SLOT_GET, .name = "list" };
	const struct kcuckoo_ioc_slot new = { .flags = KCUCKOO_SLOT_GET, .name = "waits" };
	const struct kcuckoo_ioc_slot asked = { .name = "list" };
	const struct kcuckoo_ioc_slot released = {
		.flags = KCUCKOO_SLOT_PUT, .name = "waits",
	};

	slot = held;
	sweep_all(_metadata, &self->sweep, &hold, 1);
	slot.ifindex = if_nametoindex(DEVICE);
	sweep_all(_metadata, &self->sweep, &hold, 1);
	slot = new;
	sweep_all(_metadata, &self->sweep, &hold_new, 1);
	slot = asked;
	sweep_all(_metadata, &self->sweep, &number, 1);
	slot = released;
	sweep_all(_metadata, &self->sweep, &release, 1);
}

TEST_HARNESS_MAIN
