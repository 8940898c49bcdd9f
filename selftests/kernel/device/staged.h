/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions for staged filters, and for REPLACE on the condition that a filter is unchanged. */
#ifndef KCUCKOO_STAGED_H
#define KCUCKOO_STAGED_H

#include "client.h"

/* Replace a filter, if it is unchanged since the INFO in @known. */
static inline int filter_replace_known(int fd, const char *name, const char *other,
				       const struct kcuckoo_ioc_info *known)
{
	struct kcuckoo_ioc_replace replace = {
		.size = sizeof(replace),
		.flags = KCUCKOO_REPLACE_IF_UNCHANGED,
		.filter_id = known->filter_id,
		.changes = known->changes,
	};

	set_name(replace.name, name);
	set_name(replace.other, other);
	return call(fd, KCUCKOO_IOC_REPLACE, &replace);
}

/* The name of the staged filter of a descriptor. */
#define STAGED	""

static inline int staged_create(int fd, __u64 capacity)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.flags = KCUCKOO_CREATE_STAGED,
		.type = KCUCKOO_TYPE_INET,
		.capacity = capacity,
	};

	return call(fd, KCUCKOO_IOC_CREATE, &create);
}

static inline int staged_create_like(int fd, const char *like)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.flags = KCUCKOO_CREATE_STAGED | KCUCKOO_CREATE_LIKE,
	};

	set_name(create.like, like);
	return call(fd, KCUCKOO_IOC_CREATE, &create);
}

/* Gives the staged filter a name; @flags: KCUCKOO_RENAME_MANAGED or 0. */
static inline int staged_publish(int fd, const char *name, __u32 flags)
{
	struct kcuckoo_ioc_rename rename = { .size = sizeof(rename), .flags = flags };

	set_name(rename.new_name, name);
	return call(fd, KCUCKOO_IOC_RENAME, &rename);
}

#endif /* KCUCKOO_STAGED_H */
