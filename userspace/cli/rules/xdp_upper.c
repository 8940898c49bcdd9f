// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions detach the programs of kcuckoo from the devices above a device, and
 * attach them again. In between, the kernel permits to change the program of the device
 * itself.
 *
 * The same program is attached again, so its counters and its slots stay as they are.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/if_link.h>
#include <stdlib.h>
#include <string.h>

#include "keywords.h"
#include "message.h"
#include "rules/xdp_upper.h"

/* Maximum number of devices that the kernel stacks. */
#define MAX_DEPTH	8

/*
 * Kinds of devices whose attribute IFLA_LINK names no device below: for one end of a
 * pair it names the other end, and for a tunnel the device that sends its packets.
 */
static const char *const not_above[] = {
	"veth", "netkit", "gretap", "erspan", "ip6gretap", "ip6erspan",
};

static bool has_no_lower(const struct link *link)
{
	size_t i;

	for (i = 0; i < sizeof(not_above) / sizeof(*not_above); i++)
		if (!strcmp(link->kind, not_above[i]))
			return true;
	return false;
}

static bool is_above(const struct link *upper, const struct link *lower)
{
	if (lower->master == upper->index)
		return true;
	return upper->below == lower->index && !upper->below_elsewhere &&
	       !has_no_lower(upper);
}

static const struct link *find_link(const struct links *links, __u32 index)
{
	int i;

	for (i = 0; i < links->count; i++)
		if (links->list[i].index == index)
			return &links->list[i];
	return NULL;
}

static bool is_listed(const struct uppers *uppers, const struct link *link)
{
	int i;

	for (i = 0; i < uppers->count; i++)
		if (uppers->list[i].link.index == link->index)
			return true;
	return false;
}

/* Return: 0; -EEXIST if the device has the program of another tool; or another -errno. */
static int append_upper(struct uppers *uppers, const struct link *link)
{
	struct upper *list;
	int ret;

	list = reallocarray(uppers->list, uppers->count + 1, sizeof(*list));
	if (!list)
		return -ENOMEM;
	uppers->list = list;
	list += uppers->count;
	*list = (struct upper){ .link = *link };
	ret = program_find(link, &list->program);
	if (ret == 1)
		uppers->count++;
	if (ret || !list->program.id)
		return ret < 0 ? ret : 0;
	memcpy(uppers->foreign, link->name, sizeof(uppers->foreign));
	uppers->foreign_mode = program_mode_word(&list->program);
	return -EEXIST;
}

/*
 * Append the devices above @lower that have a program, each after the devices above it:
 * in this order the kernel lets the programs be detached. Return: the same as
 * append_upper().
 */
static int append_uppers(struct uppers *uppers, const struct links *links,
			 const struct link *lower, int depth)
{
	int i, ret = 0;

	for (i = 0; i < links->count && !ret; i++) {
		const struct link *link = &links->list[i];

		if (!link_program(link) || !is_above(link, lower) || depth == MAX_DEPTH)
			continue;
		ret = append_uppers(uppers, links, link, depth + 1);
		if (!ret && !is_listed(uppers, link))
			ret = append_upper(uppers, link);
	}
	return ret;
}

static int detach_upper(struct upper *upper)
{
	struct bpf_xdp_attach_opts options = {
		.sz = sizeof(options),
		.old_prog_fd = upper->program.fd,
	};
	int ret = bpf_xdp_detach(upper->link.index,
				 upper->program.flags | XDP_FLAGS_REPLACE, &options);

	upper->detached = !ret;
	return ret;
}

/* After an error, attach the programs again that were detached. */
static bool detach_listed(struct uppers *uppers)
{
	int i;

	for (i = 0; i < uppers->count; i++) {
		if (detach_upper(&uppers->list[i])) {
			uppers_attach(uppers);
			return false;
		}
	}
	return uppers->count;
}

bool uppers_detach(const struct link *lower, __u32 id, struct uppers *uppers)
{
	const struct link *now;
	struct links links;
	bool found = false;

	*uppers = (struct uppers){ .list = NULL };
	now = links_read(&links) ? NULL : find_link(&links, lower->index);
	uppers->block = now && link_program(now) == id;
	if (uppers->block)
		found = !append_uppers(uppers, &links, now, 0);
	links_free(&links);
	return found && detach_listed(uppers);
}

int uppers_attach(struct uppers *uppers)
{
	int i, ret, first = 0;

	/* Lower devices come first: the kernel refuses the other order. */
	for (i = uppers->count - 1; i >= 0; i--) {
		struct upper *upper = &uppers->list[i];

		if (!upper->detached)
			continue;
		ret = bpf_xdp_attach(upper->link.index, upper->program.fd,
				     upper->program.flags | XDP_FLAGS_UPDATE_IF_NOEXIST,
				     NULL);
		/* The rule of a device that was removed ends with the device. */
		upper->detached = ret && ret != -ENODEV;
		if (upper->detached && !first)
			first = ret;
	}
	return first;
}

void uppers_detach_again(struct uppers *uppers)
{
	int i;

	for (i = 0; i < uppers->count; i++)
		if (!uppers->list[i].detached)
			detach_upper(&uppers->list[i]);
}

int uppers_hint(const struct uppers *uppers)
{
	char buf[DEVICE_TEXT];
	const char *text;

	if (!*uppers->foreign)
		return hint(-1, "a device above it that cannot be changed here, for instance in another network namespace, has an XDP program: detach that first");
	text = device_text(uppers->foreign, buf);
	return hint(-1, "'%s' is above it and has another XDP program: 'ip link set dev %s %s off' removes it",
		    text, text, uppers->foreign_mode);
}

int uppers_free(struct uppers *uppers)
{
	char buf[DEVICE_TEXT];
	int i, ret = 0;

	for (i = 0; i < uppers->count; i++) {
		struct upper *upper = &uppers->list[i];

		if (upper->detached)
			ret = error("the rule of '%s' on '%s', a device above, is lost: attach it again",
				    (const char *)upper->program.rule.name,
				    device_text(upper->link.name, buf));
		program_close(&upper->program);
	}
	free(uppers->list);
	*uppers = (struct uppers){ .list = NULL };
	return ret;
}
