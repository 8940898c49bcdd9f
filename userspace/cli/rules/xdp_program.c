// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions find the XDP program of a device, and read its rule if it is a program
 * of kcuckoo.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/if_link.h>
#include <string.h>
#include <unistd.h>

#include "rules/xdp_program.h"

/* Maximum number of BPF maps of a program of kcuckoo. */
#define MAPS	4

void program_close(struct program *program)
{
	if (program->fd >= 0)
		close(program->fd);
	if (program->counters_fd >= 0)
		close(program->counters_fd);
	program->fd = -1;
	program->counters_fd = -1;
}

/*
 * Read the map @id of a program of kcuckoo. The type of the map shows its content: an
 * array has the rule, and a per-CPU array has the counters. Return: 0 or -errno.
 */
static int program_read_map(struct program *program, __u32 id)
{
	struct bpf_map_info info = { .type = 0 };
	__u32 size = sizeof(info), zero = 0;
	int ret, fd = bpf_map_get_fd_by_id(id);

	if (fd < 0)
		return fd;
	ret = bpf_obj_get_info_by_fd(fd, &info, &size);
	if (!ret && info.type == BPF_MAP_TYPE_ARRAY &&
	    info.value_size == sizeof(program->rule))
		ret = bpf_map_lookup_elem(fd, &zero, &program->rule);
	if (!ret && info.type == BPF_MAP_TYPE_PERCPU_ARRAY &&
	    info.value_size == sizeof(struct xdp_count) && program->counters_fd < 0)
		program->counters_fd = fd;
	else
		close(fd);
	return ret;
}

/* Return: 1 for a program of kcuckoo, 0 for another program, or -errno. */
static int program_read(struct program *program)
{
	__u32 maps[MAPS];
	struct bpf_prog_info info = {
		.map_ids = (uintptr_t)maps,
		.nr_map_ids = MAPS,
	};
	__u32 i, size = sizeof(info);
	int ret = bpf_obj_get_info_by_fd(program->fd, &info, &size);

	if (ret)
		return ret;
	if (strcmp(info.name, XDP_PROGRAM) || info.nr_map_ids > MAPS)
		return 0;
	for (i = 0; !ret && i < info.nr_map_ids; i++)
		ret = program_read_map(program, maps[i]);
	if (ret)
		return ret;
	program->rule.name[sizeof(program->rule.name) - 1] = 0;
	program->rule.allow_name[sizeof(program->rule.allow_name) - 1] = 0;
	return program->rule.magic == XDP_MAGIC && program->counters_fd >= 0;
}

/* Return: the same as program_find(), or -ENOENT if the ids in @link are outdated. */
static int program_open(const struct link *link, struct program *program)
{
	int ret;

	*program = (struct program){ .fd = -1, .counters_fd = -1 };
	if (link->native) {
		program->flags = XDP_FLAGS_DRV_MODE;
		program->id = link->native;
	} else if (link->generic) {
		program->flags = XDP_FLAGS_SKB_MODE;
		program->id = link->generic;
	} else {
		program->flags = XDP_FLAGS_HW_MODE;
		program->id = link->offloaded;
		return 0;
	}
	program->fd = bpf_prog_get_fd_by_id(program->id);
	ret = program->fd < 0 ? program->fd : program_read(program);
	if (ret != 1)
		program_close(program);
	return ret;
}

int program_find(const struct link *link, struct program *program)
{
	int ret = program_open(link, program);
	struct link now = *link;

	/*
	 * If the program was removed after its id was read, read the device again: the
	 * device can have a new program.
	 */
	while (ret == -ENOENT) {
		ret = link_refresh(&now);
		if (!ret)
			ret = program_open(&now, program);
	}
	return ret;
}

int program_find_on(__u32 ifindex, struct program *program)
{
	struct link link = { .index = ifindex };
	int ret = link_refresh(&link);

	*program = (struct program){ .fd = -1, .counters_fd = -1 };
	return ret ? ret : program_find(&link, program);
}

const char *program_mode_word(const struct program *program)
{
	switch (program->flags) {
	case XDP_FLAGS_SKB_MODE:
		return "xdpgeneric";
	case XDP_FLAGS_HW_MODE:
		return "xdpoffload";
	default:
		return "xdpdrv";
	}
}
