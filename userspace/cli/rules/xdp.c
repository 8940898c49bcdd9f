// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions attach, detach and list rules of hook xdp. Each of these rules is an
 * XDP program on a network device.
 *
 * The kernel keeps all state of these rules. A device has references to its program and
 * to the slots of the filter and of the allow filter. The program has references to its
 * maps. When a device is removed, the kernel removes its rule. To list the rules, the
 * command reads the programs of all devices. A device that moves to another namespace
 * keeps its program, but loses its slots.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "../../bpf/object.h"
#include "keywords.h"
#include "limit.h"
#include "message.h"
#include "rules/device.h"
#include "rules/ethernet.h"
#include "rules/links.h"
#include "rules/xdp.h"
#include "rules/xdp_program.h"
#include "rules/xdp_upper.h"
#include "signals.h"

const bool xdp_is_built = true;

/*
 * Print a hint if @ret is -EPERM: CAP_BPF is not enough to find programs of
 * other processes, or the BTF (type information) of the module. Return: -1.
 */
static int hint_privilege(int ret)
{
	if (ret == -EPERM)
		hint(-1, "CAP_SYS_ADMIN is needed: run it as root (sudo)");
	return -1;
}

static int program_error(const char *device, int ret)
{
	char buf[DEVICE_TEXT];

	error("cannot inspect the program on '%s': %s",
	      device_text(device, buf), strerror(-ret));
	return hint_privilege(ret);
}

static void program_warn(const char *device, int ret)
{
	char buf[DEVICE_TEXT];

	warn("cannot inspect the program on '%s': %s",
	     device_text(device, buf), strerror(-ret));
	hint_privilege(ret);
}

static void program_count(const struct program *program,
			  struct kcuckoo_rule *rule)
{
	int i, cpus = libbpf_num_possible_cpus();
	struct xdp_count *counts;
	__u32 zero = 0;

	if (cpus <= 0)
		return;
	counts = calloc(cpus, sizeof(*counts));
	if (counts && !bpf_map_lookup_elem(program->counters_fd, &zero, counts)) {
		for (i = 0; i < cpus; i++) {
			rule->packets += counts[i].packets;
			rule->bytes += counts[i].bytes;
		}
	}
	free(counts);
}

static bool is_waiting(struct cli *cli, const __u8 *name)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };

	return kcuckoo_info(cli->handle, (const char *)name, &info) ||
	       info.type != KCUCKOO_TYPE_INET;
}

/*
 * @number: the id of a slot, which a program has saved. The id of a slot is unique among
 * all namespaces.
 */
static bool has_slot_id(struct cli *cli, const __u8 *name, __u32 number)
{
	struct kcuckoo_ioc_slot slot = { .size = sizeof(slot) };

	return !kcuckoo_slot(cli->handle, (const char *)name, &slot) &&
	       slot.id == number;
}

static bool is_dead(struct cli *cli, const struct xdp_rule *rule)
{
	return !has_slot_id(cli, rule->name, rule->slot) ||
	       (rule->allow &&
		!has_slot_id(cli, rule->allow_name, rule->allow));
}

static void program_rule(struct cli *cli, const struct link *device,
			 const struct program *program,
			 struct kcuckoo_rule *rule)
{
	memset(rule, 0, sizeof(*rule));
	memcpy(rule->name, program->rule.name, sizeof(rule->name));
	memcpy(rule->allow, program->rule.allow_name, sizeof(rule->allow));
	snprintf((char *)rule->dev, sizeof(rule->dev), "%s", device->name);
	rule->hook = HOOK_XDP;
	rule->family = program->rule.family;
	rule->match = program->rule.match;
	rule->action = program->rule.action;
	program_count(program, rule);
	if (program->flags == XDP_FLAGS_DRV_MODE)
		rule->flags |= RULE_NATIVE;
	if (!link_has_ethernet(device))
		rule->flags |= RULE_NO_ETHERNET;
	if (is_dead(cli, &program->rule)) {
		rule->flags |= RULE_SLOT_MISSING;
		return;
	}
	if (is_waiting(cli, rule->name))
		rule->flags |= KCUCKOO_RULE_WAITING;
	if (*rule->allow && is_waiting(cli, rule->allow))
		rule->flags |= KCUCKOO_RULE_ALLOW_WAITING;
}

static int append_rule(struct cli *cli, const struct link *device,
		       struct kcuckoo_rule **rules, int count, bool report)
{
	struct kcuckoo_rule *larger;
	struct program program;
	char buf[DEVICE_TEXT];
	int ret = program_find(device, &program);

	if (ret < 0 && report)
		program_warn(device->name, ret);
	if (ret != 1)
		return count;
	larger = realloc(*rules, (count + 1) * sizeof(**rules));
	if (larger) {
		*rules = larger;
		program_rule(cli, device, &program, &larger[count++]);
	} else {
		warn("not enough memory for the rule on '%s'",
		     device_text(device->name, buf));
	}
	program_close(&program);
	return count;
}

int xdp_rules(struct cli *cli, struct kcuckoo_rule **rules, int count,
	      bool report)
{
	struct links links;
	int i, ret = links_read(&links);

	if (ret && report)
		warn("cannot list the network devices, nor rules of hook xdp: %s",
		     strerror(-ret));
	for (i = 0; i < links.count; i++)
		count = append_rule(cli, &links.list[i], rules, count, report);
	links_free(&links);
	return count;
}

int xdp_has_rule(const char *name, const char *dev)
{
	__u32 index = if_nametoindex(dev);
	struct program program;
	int ret;

	if (!index)
		return 0;
	ret = program_find_on(index, &program);
	if (ret < 0)
		return program_error(dev, ret);
	ret = ret && !strcmp((const char *)program.rule.name, name);
	program_close(&program);
	return ret;
}

/*
 * Lock /dev/kcuckoo against other commands that attach or detach. Without the lock,
 * another command could release the slots of a rule before its program is attached, or
 * attach a program with slots that this command is about to release. Only processes
 * that are allowed to open the file can lock it. The lock ends with the process.
 * Return: 0, or -1 after an error message.
 */
int xdp_lock(struct cli *cli)
{
	int fd = kcuckoo_fd(cli->handle);

	if (!flock(fd, LOCK_EX | LOCK_NB))
		return 0;
	if (errno == EWOULDBLOCK)
		say(cli, "%s is locked: waiting for other commands that attach or detach",
		    KCUCKOO_DEVICE);
	while (flock(fd, LOCK_EX))
		if (errno != EINTR)
			return error("%s: cannot wait for other commands: %s",
				     KCUCKOO_DEVICE, strerror(errno));
	return 0;
}

void xdp_unlock(struct cli *cli)
{
	flock(kcuckoo_fd(cli->handle), LOCK_UN);
}

/* State of the command for print_libbpf(), to which libbpf passes no context. */
static const struct cli *log_cli;

static int print_libbpf(enum libbpf_print_level level, const char *format,
			va_list args)
{
	(void)level;
	return log_cli && log_cli->verbose ? vfprintf(stderr, format, args) : 0;
}

static void log_libbpf(const struct cli *cli)
{
	log_cli = cli;
	libbpf_set_print(print_libbpf);
}

static int slot_put(struct cli *cli, const __u8 *name, __u32 ifindex)
{
	struct kcuckoo_ioc_slot slot = {
		.size = sizeof(slot),
		.flags = KCUCKOO_SLOT_PUT,
		.ifindex = ifindex,
	};

	return kcuckoo_slot(cli->handle, (const char *)name, &slot);
}

/*
 * Release the slots of @rule that the device has. Keep slots that the device had before
 * the rule was attached, and slots in another namespace.
 */
static void put_slots(struct cli *cli, const struct xdp_rule *rule,
		      __u32 ifindex)
{
	if (!(rule->kept & XDP_KEPT_NAME) &&
	    has_slot_id(cli, rule->name, rule->slot))
		slot_put(cli, rule->name, ifindex);
	if (!(rule->kept & XDP_KEPT_ALLOW) &&
	    has_slot_id(cli, rule->allow_name, rule->allow))
		slot_put(cli, rule->allow_name, ifindex);
}

/*
 * Release the slots of the rules above that could not be attached again. The caller
 * blocks signals.
 */
static void put_lost_slots(struct cli *cli, const struct uppers *uppers)
{
	int i;

	for (i = 0; i < uppers->count; i++)
		if (uppers->list[i].detached)
			put_slots(cli, &uppers->list[i].program.rule,
				  uppers->list[i].link.index);
}

static void say_held(const struct cli *cli, const char *name, const char *device)
{
	say(cli, "'%s' still holds '%s': 'kcuckoo detach %s hook xdp dev %s' releases it",
	    device, name, name, device);
}

static void say_still_held(const struct cli *cli, const struct xdp_rule *rule,
			   const char *device)
{
	char buf[DEVICE_TEXT];

	device = device_text(device, buf);
	if (rule->kept & XDP_KEPT_NAME)
		say_held(cli, (const char *)rule->name, device);
	if (rule->kept & XDP_KEPT_ALLOW)
		say_held(cli, (const char *)rule->allow_name, device);
}

/*
 * Detach a program of kcuckoo, unless another program has replaced it. Block signals
 * while the program is detached and its slots are released.
 * @uppers: out: the devices above, if the kernel refused the change because of them; the
 * caller calls uppers_free(). Return: 0 or -errno.
 */
static int detach_prog(struct cli *cli, const struct link *device,
		       const struct program *program, struct uppers *uppers)
{
	struct bpf_xdp_attach_opts options = {
		.sz = sizeof(options),
		.old_prog_fd = program->fd,
	};
	sigset_t before;
	int ret;

	signals_block(&before);
	ret = bpf_xdp_detach(device->index,
			     program->flags | XDP_FLAGS_REPLACE, &options);
	if (ret == -EEXIST && uppers_detach(device, program->id, uppers)) {
		ret = bpf_xdp_detach(device->index,
				     program->flags | XDP_FLAGS_REPLACE, &options);
		uppers_attach(uppers);
	}
	put_lost_slots(cli, uppers);
	if (!ret)
		put_slots(cli, &program->rule, device->index);
	signals_restore(&before);
	return ret;
}

static int remove_program(struct cli *cli, const struct link *device,
			  const struct program *program,
			  struct xdp_detached *detached)
{
	struct uppers uppers = { .list = NULL };
	int ret = detach_prog(cli, device, program, &uppers);
	const bool below = ret == -EEXIST && uppers.block;
	char buf[DEVICE_TEXT];

	if (ret)
		error("cannot detach '%s' from '%s': %s",
		      (const char *)program->rule.name, device_text(device->name, buf),
		      below ? "a device above it has an XDP program" : strerror(-ret));
	else
		say_still_held(cli, &program->rule, device->name);
	detached->rules += !ret;
	if (below)
		uppers_hint(&uppers);
	return uppers_free(&uppers) || ret ? -1 : 0;
}

static bool fits(const struct xdp_rule *rule, const char *name,
		 const struct kcuckoo_ioc_detach *pattern)
{
	if (name && strcmp((const char *)rule->name, name))
		return false;
	if (pattern->flags & KCUCKOO_DETACH_FAMILY &&
	    rule->family != pattern->family)
		return false;
	return !(pattern->flags & KCUCKOO_DETACH_MATCH) ||
	       rule->match == pattern->match;
}

/*
 * Release the slot that a device has for @name, see xdp_detach(). @rule: the rule of the
 * device, or NULL. Return: true if the slot was released.
 */
static bool put_leftover_slot(struct cli *cli, const char *name, __u32 ifindex,
			      const struct kcuckoo_ioc_detach *pattern,
			      const struct xdp_rule *rule)
{
	if (!name || !(pattern->flags & KCUCKOO_DETACH_HOOK) ||
	    pattern->flags & (KCUCKOO_DETACH_FAMILY | KCUCKOO_DETACH_MATCH))
		return false;
	if (rule && (!strcmp((const char *)rule->name, name) ||
		     !strcmp((const char *)rule->allow_name, name)))
		return false;
	return !slot_put(cli, (const __u8 *)name, ifindex);
}

static int detach_device(struct cli *cli, const char *name,
			 const struct link *device,
			 const struct kcuckoo_ioc_detach *pattern,
			 struct xdp_detached *detached)
{
	const struct xdp_rule *rule;
	struct program program;
	int ret = program_find(device, &program);

	if (ret < 0)
		return program_error(device->name, ret);
	rule = ret ? &program.rule : NULL;
	ret = 0;
	if (rule && fits(rule, name, pattern)) {
		ret = remove_program(cli, device, &program, detached);
	} else {
		detached->slots += put_leftover_slot(cli, name, device->index,
						     pattern, rule);
	}
	program_close(&program);
	return ret;
}

static int detach_named(struct cli *cli, const char *name,
			const struct kcuckoo_ioc_detach *pattern,
			struct xdp_detached *detached)
{
	struct link device;
	int ret;

	memcpy(device.name, pattern->dev, sizeof(device.name));
	device.index = device_index(device.name);
	if (!device.index)
		return -1;
	ret = link_refresh(&device);
	if (ret)
		return program_error(device.name, ret);
	return detach_device(cli, name, &device, pattern, detached);
}

static int detach_all(struct cli *cli, const char *name,
		      const struct kcuckoo_ioc_detach *pattern,
		      struct xdp_detached *detached)
{
	struct links links;
	int i, failed = 0, ret = links_read(&links);

	if (ret)
		return error("cannot list the network devices: %s",
			     strerror(-ret));
	for (i = 0; i < links.count; i++)
		failed |= detach_device(cli, name, &links.list[i], pattern, detached);
	links_free(&links);
	return failed;
}

int xdp_detach(struct cli *cli, const char *name,
	       const struct kcuckoo_ioc_detach *pattern,
	       struct xdp_detached *detached)
{
	int ret;

	if (xdp_lock(cli))
		return -1;
	log_libbpf(cli);
	if (pattern->flags & KCUCKOO_DETACH_DEV)
		ret = detach_named(cli, name, pattern, detached);
	else
		ret = detach_all(cli, name, pattern, detached);
	xdp_unlock(cli);
	return ret;
}

static int check_free(const char *device, __u32 ifindex)
{
	struct program program;
	int ret = program_find_on(ifindex, &program);
	char buf[DEVICE_TEXT];
	const char *text = device_text(device, buf);

	if (ret == 1) {
		error("'%s' has a rule of hook xdp already, for '%s'", text,
		      (const char *)program.rule.name);
		hint(-1, "a device can have one rule of hook xdp: 'kcuckoo detach %s hook xdp dev %s'",
		     (const char *)program.rule.name, text);
	} else if (!ret && program.id) {
		error("'%s' has another XDP program, number %u: it is not replaced",
		      text, program.id);
		ret = hint(-1, "'ip link set dev %s %s off' removes it",
			   text, program_mode_word(&program));
	} else if (ret < 0) {
		program_error(device, ret);
	}
	program_close(&program);
	return ret ? -1 : 0;
}

static int load_error(int ret)
{
	error("the kernel rejects the XDP program: %s", strerror(-ret));
	if (ret == -EPERM)
		return hint_privilege(ret);
	return hint(-1, "-v shows the kernel's reasons");
}

/*
 * The kernel lets programs call a module only if the kernel and the module have BTF,
 * which is their type information.
 */
static int check_btf(void)
{
	__u32 id;

	/* Without the privilege, libbpf would report that BTF is missing. */
	if (bpf_btf_get_next_id(0, &id) == -EPERM)
		return load_error(-EPERM);
	if (!access("/sys/kernel/btf/kcuckoo", F_OK))
		return 0;
	if (access("/sys/kernel/btf/vmlinux", F_OK))
		return hint(error("this kernel has no BTF, which XDP programs need"),
			    "a kernel with CONFIG_DEBUG_INFO_BTF has it; Debian's kernels do");
	error("the loaded module kcuckoo has no BTF, which XDP programs need");
	return hint(-1, "'make module' prints the missing packages; then load the module again");
}

/*
 * An old module (version 0) passes this check, because it does not report its features.
 */
static int check_feature(struct cli *cli)
{
	struct kcuckoo_ioc_stats stats = { .size = sizeof(stats) };
	int ret = kcuckoo_stats(cli->handle, &stats);

	if (ret)
		return plain_error(ret, "read the features of the module");
	if (!stats.version || stats.features & KCUCKOO_FEATURE_XDP)
		return 0;
	error("XDP programs cannot call the module on this kernel");
	hint(-1, stats.features & KCUCKOO_FEATURE_TC ?
	     "a program in a map of devices would crash the kernel; "
	     "6.1.115, 6.6.59, 6.11.6 and 6.12 are fixed" :
	     "BPF programs can call a module since Linux 6.0, with CONFIG_BPF_SYSCALL");
	return hint(-1, "hook ingress works on this kernel");
}

static struct bpf_object *load(const struct xdp_rule *rule)
{
	struct bpf_object_open_opts options = {
		.sz = sizeof(options),
		.object_name = "kcuckoo",
	};
	struct bpf_object *object;
	struct bpf_map *map;
	int ret;

	object = bpf_object__open_mem(xdp_object, xdp_object_end - xdp_object,
				      &options);
	if (!object) {
		load_error(-errno);
		return NULL;
	}
	map = bpf_object__find_map_by_name(object, ".rodata");
	ret = map ? bpf_map__set_initial_value(map, rule, sizeof(*rule)) :
		    -ENOENT;
	if (!ret)
		ret = bpf_object__load(object);
	if (!ret)
		return object;
	load_error(ret);
	bpf_object__close(object);
	return NULL;
}

static int attach_error(const char *device, enum xdp_mode mode,
			const struct uppers *uppers, int ret)
{
	char buf[DEVICE_TEXT];

	device = device_text(device, buf);
	if (uppers->refused)
		return error("cannot attach the XDP program to '%s': a device above it, such as a bond, cannot keep its own program then: %s",
			     device, strerror(-uppers->refused));
	if (ret == -EEXIST && uppers->block) {
		error("cannot attach the XDP program to '%s': a device above it has an XDP program",
		      device);
		return uppers_hint(uppers);
	}
	if (ret == -EBUSY || ret == -EEXIST)
		return error("another process attached an XDP program to '%s': it is not replaced",
			     device);
	if (ret == -EOPNOTSUPP && mode == XDP_MODE_NATIVE)
		return hint(error("the driver of '%s' has no XDP", device),
			    "'mode generic' works with every device");
	error("cannot attach the XDP program to '%s': %s", device, strerror(-ret));
	if (mode == XDP_MODE_GENERIC)
		return -1;
	return hint(-1, "'mode generic' works with every device");
}

/*
 * Detach the program @fd that put_prog() attached, and attach the programs above again.
 * Return: false after an error message if the device possibly keeps the program.
 */
static bool undo_put(const struct link *device, int fd, __u32 flags,
		     struct uppers *uppers)
{
	struct bpf_xdp_attach_opts options = {
		.sz = sizeof(options),
		.old_prog_fd = fd,
	};
	char buf[DEVICE_TEXT];
	int ret;

	uppers_detach_again(uppers);
	ret = bpf_xdp_detach(device->index, XDP_FLAGS_REPLACE | flags, &options);
	uppers_attach(uppers);
	/* The program of a device that was removed ends with the device. */
	if (!ret || ret == -ENODEV)
		return true;
	error("cannot detach the XDP program from '%s' again: %s",
	      device_text(device->name, buf), strerror(-ret));
	return false;
}

/*
 * Attach the program @fd to a device without a program. @flags: XDP_FLAGS_* of the mode.
 * @uppers: out: as for detach_prog(). A bond can refuse to take its program again after
 * a port has a program; then detach the program from the port. @stays: set to true if
 * the device possibly keeps the program after an error. Return: 0 or -errno.
 */
static int put_prog(const struct link *device, int fd, __u32 flags,
		    struct uppers *uppers, bool *stays)
{
	int ret, again;

	ret = bpf_xdp_attach(device->index, fd,
			     XDP_FLAGS_UPDATE_IF_NOEXIST | flags, NULL);
	if (ret != -EEXIST || !uppers_detach(device, 0, uppers))
		return ret;
	ret = bpf_xdp_attach(device->index, fd,
			     XDP_FLAGS_UPDATE_IF_NOEXIST | flags, NULL);
	again = uppers_attach(uppers);
	if (ret || !again)
		return ret;
	uppers->refused = again;
	*stays = !undo_put(device, fd, flags, uppers);
	return again;
}

/*
 * Load the program of @rule, and attach it to a device. The caller blocks signals.
 * @stays: as for put_prog(). Return: 0, or -1 after an error message.
 */
static int attach_prog(struct cli *cli, const struct xdp_rule *rule,
		       const struct link *device, enum xdp_mode mode, bool *stays)
{
	static const __u32 flags[] = {
		[XDP_MODE_NATIVE] = XDP_FLAGS_DRV_MODE,
		[XDP_MODE_GENERIC] = XDP_FLAGS_SKB_MODE,
	};
	struct uppers uppers = { .list = NULL };
	struct bpf_program *program;
	struct bpf_object *object;
	int ret;

	object = load(rule);
	if (!object)
		return -1;
	program = bpf_object__find_program_by_name(object, XDP_PROGRAM);
	ret = put_prog(device, bpf_program__fd(program), flags[mode], &uppers,
		       stays);
	put_lost_slots(cli, &uppers);
	bpf_object__close(object);
	if (ret)
		attach_error(device->name, mode, &uppers, ret);
	return uppers_free(&uppers) || ret ? -1 : 0;
}

/*
 * Take a reference to the slot of a name for a device. If the device already has this
 * slot, set @bit (XDP_KEPT_*) in @kept instead. Return: the id of the slot, or 0 after
 * an error message.
 */
static __u32 slot_get(struct cli *cli, const __u8 *name,
		      const struct link *device, __u8 bit, __u8 *kept)
{
	struct kcuckoo_ioc_slot slot = {
		.size = sizeof(slot),
		.flags = KCUCKOO_SLOT_GET,
		.ifindex = device->index,
	};
	int ret = kcuckoo_slot(cli->handle, (const char *)name, &slot);

	/*
	 * The device already has the slot: for another program, or for a program that
	 * another tool, such as ip-link(8), has removed.
	 */
	if (ret == -EEXIST) {
		*kept |= bit;
		slot.flags = 0;
		slot.ifindex = 0;
		ret = kcuckoo_slot(cli->handle, (const char *)name, &slot);
	}
	if (!ret)
		return slot.id;
	if (ret == -ENXIO)
		device_gone_error(device->name);
	else if (ret == -EDQUOT)
		limit_slot_error(cli, (const char *)name);
	else
		filter_error(cli, ret, (const char *)name, "attach");
	return 0;
}

static bool get_slots(struct cli *cli, struct xdp_rule *rule,
		      const struct link *device)
{
	rule->slot = slot_get(cli, rule->name, device, XDP_KEPT_NAME,
			      &rule->kept);
	if (!rule->slot)
		return false;
	if (!*rule->allow_name)
		return true;
	rule->allow = slot_get(cli, rule->allow_name, device, XDP_KEPT_ALLOW,
			       &rule->kept);
	return rule->allow;
}

static void say_kept(const struct cli *cli, const struct xdp_rule *rule,
		     const char *device)
{
	char buf[DEVICE_TEXT];

	device = device_text(device, buf);
	if (rule->kept & XDP_KEPT_NAME)
		say(cli, "'%s' held '%s' before this rule, and keeps holding it after the rule is removed",
		    device, (const char *)rule->name);
	if (rule->kept & XDP_KEPT_ALLOW)
		say(cli, "'%s' held '%s' before this rule, and keeps holding it after the rule is removed",
		    device, (const char *)rule->allow_name);
}

/*
 * The caller holds the lock of xdp_lock(). The slots of a device are kept when this
 * process ends, so block signals until the program that uses the slots is attached. If
 * the device possibly keeps the program after an error, the device keeps the slots, too.
 */
static int attach_device(struct cli *cli, struct xdp_rule *rule,
			 struct link *device, enum xdp_mode mode)
{
	bool stays = false;
	sigset_t before;
	int ret = 0;

	if (ethernet_check((const char *)rule->name, device) ||
	    check_free(device->name, device->index) ||
	    check_feature(cli) || check_btf())
		return -1;
	signals_block(&before);
	if (!get_slots(cli, rule, device) ||
	    attach_prog(cli, rule, device, mode, &stays)) {
		if (!stays)
			put_slots(cli, rule, device->index);
		ret = -1;
	}
	signals_restore(&before);
	return ret;
}

int xdp_attach(struct cli *cli, const struct kcuckoo_rule *rule,
	       enum xdp_mode mode)
{
	struct xdp_rule program = {
		.magic = XDP_MAGIC,
		.family = rule->family,
		.match = rule->match,
		.action = rule->action,
	};
	struct link device;
	int ret;

	if (rule->action != KCUCKOO_ACTION_DROP &&
	    rule->action != KCUCKOO_ACTION_COUNT)
		return hint(error("hook xdp has only the actions drop and count"),
			    "hook ingress has more");
	memcpy(device.name, rule->dev, sizeof(device.name));
	device.index = device_index(device.name);
	if (!device.index)
		return -1;
	memcpy(program.name, rule->name, sizeof(program.name));
	memcpy(program.allow_name, rule->allow, sizeof(program.allow_name));
	if (xdp_lock(cli))
		return -1;
	log_libbpf(cli);
	ret = attach_device(cli, &program, &device, mode);
	xdp_unlock(cli);
	if (!ret)
		say_kept(cli, &program, device.name);
	return ret;
}
