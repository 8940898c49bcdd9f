// SPDX-License-Identifier: GPL-2.0-only
/*
 * present_read() reads the filters and rules of a network namespace. The functions
 * own_xdps_*() read and write a file of the rules of hook xdp that a configuration made,
 * see cmd/present.h.
 */
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/folders.h"
#include "cmd/present.h"
#include "conf/texts.h"
#include "fetch/files.h"
#include "message.h"
#include "rules/rules.h"
#include "rules/users.h"
#include "rules/xdp.h"
#include "signals.h"

static struct own_xdp *find_own(const struct own_xdps *own, const char *filter,
				const char *dev)
{
	size_t i;

	for (i = 0; i < own->count; i++)
		if (!strcmp(own->items[i].filter, filter) &&
		    !strcmp(own->items[i].dev, dev))
			return &own->items[i];
	return NULL;
}

int own_xdps_set(struct own_xdps *own, const struct present_rule *rule)
{
	struct own_xdp *item = find_own(own, rule->key.filter, rule->key.dev);

	if (!item) {
		item = array_grow(own->items, own->count, sizeof(*item));
		if (!item)
			return error("not enough memory");
		own->items = item;
		item += own->count++;
	}
	strcpy(item->label, rule->label);
	strcpy(item->filter, rule->key.filter);
	strcpy(item->dev, rule->key.dev);
	item->index = if_nametoindex(item->dev);
	return 0;
}

/*
 * @index: the index of the device in the line; 0 for a line without an index, from an earlier
 * release. If a device has this index, its present name replaces the name in the line. If two
 * lines then have the same filter and device, keep the line whose device exists.
 */
static int add_line(struct own_xdps *own, struct present_rule *rule,
		    unsigned int index)
{
	char name[IF_NAMESIZE];
	struct own_xdp *item;

	if (index && if_indextoname(index, name))
		strcpy(rule->key.dev, name);
	else if (find_own(own, rule->key.filter, rule->key.dev))
		return 0;
	if (own_xdps_set(own, rule))
		return -1;
	item = find_own(own, rule->key.filter, rule->key.dev);
	if (!item->index)
		item->index = index;
	return 0;
}

void own_xdps_remove(struct own_xdps *own, const struct present_rule *rule)
{
	struct own_xdp *item = find_own(own, rule->key.filter, rule->key.dev);

	if (item)
		*item = own->items[--own->count];
}

bool own_xdps_has(const struct own_xdps *own, const struct present_rule *rule)
{
	return find_own(own, rule->key.filter, rule->key.dev);
}

const struct own_xdp *own_xdps_other(const struct own_xdps *own,
				     const struct present_rule *rule)
{
	size_t i;

	for (i = 0; i < own->count; i++)
		if (!strcmp(own->items[i].dev, rule->key.dev) &&
		    strcmp(own->items[i].filter, rule->key.filter))
			return &own->items[i];
	return NULL;
}

int own_xdps_read(const struct cli *cli, struct own_xdps *own)
{
	struct present_rule rule;
	char path[FOLDERS_PATH];
	unsigned int index;
	int found, ret = 0;
	FILE *file;

	memset(own, 0, sizeof(*own));
	if (!has_folders(cli))
		return 0;
	if (run_path(cli, "xdp", path))
		return -1;
	file = fopen(path, "re");
	if (!file)
		return errno == ENOENT ? 0 :
		       error("cannot read %s: %s", path, strerror(errno));
	while (!ret) {
		found = fscanf(file, "%31s %31s %15s%*[ ]%u", rule.label,
			       rule.key.filter, rule.key.dev, &index);
		if (found < 3)
			break;
		ret = add_line(own, &rule, found > 3 ? index : 0);
	}
	fclose(file);
	return ret;
}

static int own_xdps_prune(struct own_xdps *own)
{
	size_t i = 0;
	int has, ret = 0;

	while (i < own->count) {
		has = xdp_has_rule(own->items[i].filter, own->items[i].dev);
		if (has < 0)
			ret = -1;
		if (has)
			i++;
		else
			own->items[i] = own->items[--own->count];
	}
	return ret;
}

static int write_lines(const char *path, const struct own_xdps *own)
{
	size_t i, length;
	FILE *stream;
	char *text;
	int ret;

	stream = open_memstream(&text, &length);
	if (!stream)
		return error("not enough memory");
	for (i = 0; i < own->count; i++)
		fprintf(stream, "%s %s %s %u\n", own->items[i].label,
			own->items[i].filter, own->items[i].dev,
			own->items[i].index);
	if (fclose(stream))
		return error("not enough memory");
	ret = file_replace(path, text, length);
	free(text);
	return ret ? error("cannot write %s: %s", path, strerror(-ret)) : 0;
}

int own_xdps_write(const struct cli *cli, struct own_xdps *own, bool exists)
{
	char path[FOLDERS_PATH];
	int ret = 0;

	if (run_path(cli, "xdp", path) || make_parents(path))
		return -1;
	if (!exists)
		ret = own_xdps_prune(own);
	if (exists || own->count)
		return write_lines(path, own) ? -1 : ret;
	return !unlink(path) || errno == ENOENT ? 0 :
	       error("cannot remove %s: %s", path, strerror(errno));
}

static int read_filters(struct cli *cli, struct present *present)
{
	struct kcuckoo_list_entry *entries;
	struct present_filter *filters;
	int i, ret = 0, count = kcuckoo_list(cli->handle, &entries);

	if (count < 0)
		return plain_error(count, "list the filters");
	filters = calloc(count + 1, sizeof(*filters));
	present->filters = filters;
	if (!filters)
		ret = error("not enough memory");
	for (i = 0; !ret && i < count; i++) {
		struct present_filter *filter = &filters[present->filter_count];
		const char *name = (const char *)entries[i].name;

		filter->info.size = sizeof(filter->info);
		ret = kcuckoo_info(cli->handle, name, &filter->info);
		if (ret && ret != -ENOENT) {
			filter_error(cli, ret, name, "read the state of");
			break;
		}
		memcpy(filter->info.name, entries[i].name,
		       sizeof(filter->info.name));
		filter->managed = entries[i].flags & KCUCKOO_LIST_MANAGED;
		/* Leave out a filter that was destroyed since the list was read. */
		present->filter_count += !ret;
		ret = 0;
	}
	free(entries);
	return ret ? -1 : 0;
}

static void set_rule(struct present_rule *to, const struct kcuckoo_rule *from,
		     const struct own_xdps *own)
{
	const bool wait = *from->pattern;
	const struct own_xdp *item;

	memcpy(to->key.filter, from->name, sizeof(to->key.filter));
	memcpy(to->key.dev, wait ? from->pattern : from->dev,
	       sizeof(to->key.dev));
	to->key.hook = from->hook;
	to->key.match = from->match;
	to->key.family = from->family;
	to->key.wait = wait;
	memcpy(to->label, from->label, sizeof(to->label));
	memcpy(to->allow, from->allow, sizeof(to->allow));
	to->action = from->action;
	to->mark = from->mark;
	to->log = from->log;
	to->log_group = from->log_group;
	to->log_limit = from->log_limit;
	to->mode = from->flags & RULE_NATIVE ? XDP_MODE_NATIVE :
					       XDP_MODE_GENERIC;
	to->dead = from->flags & RULE_SLOT_MISSING;
	item = from->hook == HOOK_XDP ?
	       find_own(own, to->key.filter, to->key.dev) : NULL;
	if (item)
		strcpy(to->label, item->label);
}

static bool is_user(struct cli *cli, const char *name, unsigned int ifindex)
{
	struct kcuckoo_ioc_slot slot = {
		.size = sizeof(slot),
		.flags = KCUCKOO_SLOT_GET,
		.ifindex = ifindex,
	};
	sigset_t before;
	int ret;

	/*
	 * The kernel has no list of users, so add the device as a user: EEXIST shows that the
	 * device was a user before. If the call has added the device, remove it again. Block
	 * signals, because a user stays when this process ends.
	 */
	signals_block(&before);
	ret = kcuckoo_slot(cli->handle, name, &slot);
	if (!ret) {
		slot.flags = KCUCKOO_SLOT_PUT;
		kcuckoo_slot(cli->handle, name, &slot);
	}
	signals_restore(&before);
	return ret == -EEXIST;
}

/*
 * Return: the number of devices that are users of the filter @name, without a rule of hook
 * xdp in @list. A killed process leaves such users, and so does another tool that removes the
 * XDP program of a rule. rules_destroy_filter() releases such users.
 */
static __u32 count_left(struct cli *cli, const char *name, const struct kcuckoo_rule *list,
			int count)
{
	struct if_nameindex *devices = if_nameindex(), *device;
	__u32 users = 0, rules = 0;
	int i;

	for (device = devices; device && device->if_index; device++)
		users += is_user(cli, name, device->if_index);
	if (devices)
		if_freenameindex(devices);
	for (i = 0; i < count; i++)
		rules += list[i].hook == HOOK_XDP && !(list[i].flags & RULE_SLOT_MISSING) &&
			 (!strcmp((const char *)list[i].name, name) ||
			  !strcmp((const char *)list[i].allow, name));
	return users > rules ? users - rules : 0;
}

int present_leave_out(struct cli *cli, struct present *present, const struct config *config)
{
	struct present_filter *filters = (struct present_filter *)present->filters;
	struct kcuckoo_rule *list;
	const char *name;
	__u32 left;
	int count;
	size_t i;

	/* Without libbpf, rules_destroy_filter() cannot release users that are devices. */
	if (!xdp_is_built)
		return 0;
	count = rules_list(cli, &list, false);
	if (count < 0)
		return plain_error(count, "list the rules");
	for (i = 0; i < present->filter_count; i++) {
		name = (const char *)filters[i].info.name;
		if (!filters[i].other_users || !filters[i].managed || config_filter(config, name))
			continue;
		/* Another command must not attach a rule while is_user() adds a user. */
		if (xdp_lock(cli))
			break;
		left = count_left(cli, name, list, count);
		filters[i].other_users -= left < filters[i].other_users ?
					  left : filters[i].other_users;
		xdp_unlock(cli);
	}
	free(list);
	return i < present->filter_count ? -1 : 0;
}

static void count_users(struct present *present, const struct kcuckoo_rule *list, int count)
{
	struct present_filter *filters = (struct present_filter *)present->filters;
	size_t i;

	for (i = 0; i < present->filter_count; i++)
		filters[i].other_users =
			users_count_others(&filters[i].info,
					   (const char *)filters[i].info.name, list, count);
}

static int read_rules(struct cli *cli, struct present *present)
{
	struct kcuckoo_rule *list;
	struct present_rule *rules;
	struct own_xdps own;
	int i, count;

	if (own_xdps_read(cli, &own))
		return -1;
	count = rules_list(cli, &list, false);
	if (count < 0) {
		free(own.items);
		return plain_error(count, "list the rules");
	}
	rules = calloc(count + 1, sizeof(*rules));
	present->rules = rules;
	for (i = 0; rules && i < count; i++)
		set_rule(&rules[i], &list[i], &own);
	present->rule_count = rules ? count : 0;
	count_users(present, list, count);
	free(list);
	free(own.items);
	return rules ? 0 : error("not enough memory");
}

int present_read(struct cli *cli, struct present *present)
{
	memset(present, 0, sizeof(*present));
	return read_filters(cli, present) || read_rules(cli, present) ? -1 : 0;
}

const struct present_rule *present_xdp(const struct present *present,
				       const char *filter, const char *dev)
{
	const struct present_rule *rule = present->rules;
	const struct present_rule *end = rule + present->rule_count;

	for (; rule < end; rule++)
		if (rule->key.hook == HOOK_XDP && !strcmp(rule->key.dev, dev) &&
		    (!filter || !strcmp(rule->key.filter, filter)))
			return rule;
	return NULL;
}

void present_free(struct present *present)
{
	free((struct present_filter *)present->filters);
	free((struct present_rule *)present->rules);
	memset(present, 0, sizeof(*present));
}
