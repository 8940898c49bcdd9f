// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions save the state of filters and their rules to a folder before a
 * change, and restore this state. The file "names" in the folder has a line for each
 * filter: a character FILTER_*, directly followed by the name of the filter, and then
 * @filter_id and @changes of struct before_filter. The file NAME.kcf is the snapshot of
 * the filter NAME. The file "rules" has an array of struct kcuckoo_rule.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keys/staged.h"
#include "keywords.h"
#include "limit.h"
#include "message.h"
#include "rules/before.h"
#include "rules/changes.h"
#include "rules/log.h"
#include "rules/rules.h"
#include "rules/xdp.h"
#include "snapshot_file.h"

/*
 * First characters of the lines of the file "names". @managed: see struct before_filter.
 */
#define FILTER_ABSENT	'-'	/* the filter did not exist */
#define FILTER_PRESENT	'+'	/* the filter existed */
#define FILTER_MANAGED	'*'	/* the filter existed, and @managed was set */
#define FILTER_RULES	'='	/* only the rules of the filter were saved */

static FILE *open_in(const char *folder, const char *name, const char *mode)
{
	FILE *file = NULL;
	char *path;

	if (asprintf(&path, "%s/%s", folder, name) < 0) {
		error("not enough memory");
		return NULL;
	}
	file = fopen(path, mode);
	if (!file)
		error("cannot open %s: %s", path, strerror(errno));
	free(path);
	return file;
}

static int close_written(FILE *file, const char *folder)
{
	bool failed = ferror(file);

	if (fclose(file))
		return error("cannot write to %s: %s", folder, strerror(errno));
	/* The errno of an earlier write is not known any more. */
	return failed ? error("cannot write to %s", folder) : 0;
}

static char kind_of(const struct before_filter *filter)
{
	if (filter->rules_only)
		return FILTER_RULES;
	if (!filter->existed)
		return FILTER_ABSENT;
	return filter->managed ? FILTER_MANAGED : FILTER_PRESENT;
}

/*
 * Set the fields of @filter that struct before_filter marks "out". Save a snapshot,
 * unless the filter does not exist or @rules_only is set.
 */
static int save_filter(struct cli *cli, const char *folder,
		       struct before_filter *filter)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	int ret = kcuckoo_info(cli->handle, filter->name, &info);
	char *path;

	if (ret && ret != -ENOENT)
		return filter_error(cli, ret, filter->name, "read the state of");
	filter->existed = !ret;
	filter->managed = info.info_flags & KCUCKOO_INFO_MANAGED;
	filter->filter_id = info.filter_id;
	filter->changes = info.changes;
	if (ret || filter->rules_only)
		return 0;
	if (asprintf(&path, "%s/%s.kcf", folder, filter->name) < 0)
		return error("not enough memory");
	ret = snapshot_save(cli, filter->name, path);
	free(path);
	return ret;
}

static bool is_among(const struct kcuckoo_rule *rule,
		     const struct before_filter *filters, int count)
{
	int i;

	for (i = 0; i < count; i++)
		if (!strcmp((const char *)rule->name, filters[i].name))
			return true;
	return false;
}

static int save_rules(struct cli *cli, const char *folder,
		      const struct before_filter *filters, int count)
{
	struct kcuckoo_rule *rules;
	int found = rules_list(cli, &rules, false), i;
	FILE *file;

	if (found < 0)
		return plain_error(found, "list the rules");
	file = open_in(folder, "rules", "we");
	for (i = 0; i < found && file; i++)
		if (is_among(&rules[i], filters, count))
			fwrite(&rules[i], sizeof(rules[i]), 1, file);
	free(rules);
	return file ? close_written(file, folder) : -1;
}

int before_save(struct cli *cli, const char *folder,
		struct before_filter *filters, int count)
{
	FILE *file = open_in(folder, "names", "we");
	int ret = 0, i;

	if (!file)
		return -1;
	for (i = 0; i < count && !ret; i++) {
		ret = save_filter(cli, folder, &filters[i]);
		fprintf(file, "%c%s %llu %llu\n", kind_of(&filters[i]), filters[i].name,
			filters[i].filter_id, filters[i].changes);
	}
	if (close_written(file, folder) || ret)
		return -1;
	return save_rules(cli, folder, filters, count);
}

/**
 * struct before - the state that before_save() has saved
 * @filters: the saved filters
 * @count: number of filters
 * @rules: the saved rules of these filters
 * @rule_count: number of saved rules
 */
struct before {
	struct before_filter *filters;
	int count;
	struct kcuckoo_rule *rules;
	int rule_count;
};

static void before_free(struct before *before)
{
	free(before->filters);
	free(before->rules);
}

static bool read_name(const char *line, struct before_filter *filter)
{
	const char kind = *line;
	int length = 0;

	if (!kind || !strchr("-+*=", kind))
		return false;
	*filter = (struct before_filter){
		.rules_only = kind == FILTER_RULES,
		.existed = kind != FILTER_ABSENT,
		.managed = kind == FILTER_MANAGED,
	};
	return sscanf(line + 1, "%31s %llu %llu%n", filter->name, &filter->filter_id,
		      &filter->changes, &length) == 3 &&
	       !strcmp(line + 1 + length, "\n") && is_valid_name(filter->name);
}

static int read_names(struct before *before, FILE *file, const char *folder)
{
	char line[KCUCKOO_NAME_SIZE + 64];
	struct before_filter *filters;

	while (fgets(line, sizeof(line), file)) {
		filters = reallocarray(before->filters, before->count + 1,
				       sizeof(*filters));
		if (!filters)
			return error("not enough memory");
		before->filters = filters;
		if (!read_name(line, &filters[before->count++]))
			return error("%s/names is damaged", folder);
	}
	return ferror(file) ? error("cannot read %s/names", folder) : 0;
}

static int read_rules(struct before *before, FILE *file, const char *folder)
{
	struct stat st;

	if (fstat(fileno(file), &st))
		return error("cannot read %s/rules: %s", folder, strerror(errno));
	if (st.st_size % sizeof(*before->rules))
		return error("%s/rules is damaged", folder);
	before->rule_count = st.st_size / sizeof(*before->rules);
	before->rules = malloc(st.st_size + 1);
	if (!before->rules)
		return error("not enough memory");
	if (fread(before->rules, sizeof(*before->rules), before->rule_count,
		  file) == (size_t)before->rule_count)
		return 0;
	/* At the end of the file, fread() does not set errno. */
	if (ferror(file))
		return error("cannot read %s/rules: %s", folder, strerror(errno));
	return error("%s/rules is damaged", folder);
}

static int before_read(struct before *before, const char *folder)
{
	FILE *file = open_in(folder, "names", "re");
	int ret = -1;

	if (file) {
		ret = read_names(before, file, folder);
		fclose(file);
	}
	file = ret ? NULL : open_in(folder, "rules", "re");
	if (!file)
		return -1;
	ret = read_rules(before, file, folder);
	fclose(file);
	return ret;
}

/*
 * Restore a filter from its snapshot in the file @fd. If the present filter still has
 * the saved members, do nothing: kcuckoo_restore() builds a second copy of the members,
 * which could exceed the memory limit. @why: out: see kcuckoo_restore(). Return: 0 or a
 * negative errno.
 */
static int restore_members(struct cli *cli, const struct before_filter *filter, int fd,
			   const char **why)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	char restored[KCUCKOO_NAME_SIZE] = STAGED_NAME;
	int ret = kcuckoo_info(cli->handle, filter->name, &info);

	*why = NULL;
	if (!ret && info.filter_id == filter->filter_id && info.changes == filter->changes)
		return 0;
	/* kcuckoo_restore() cannot mark a name as managed; kcuckoo_publish() can. */
	if (ret == -ENOENT && filter->managed) {
		ret = kcuckoo_restore(cli->handle, restored, KCUCKOO_RESTORE_STAGED,
				      fd, why);
		if (ret)
			return ret;
		ret = kcuckoo_publish(cli->handle, filter->name, KCUCKOO_RENAME_MANAGED);
		/* KCUCKOO_RESTORE_STAGED fails if the handle still has a staged filter. */
		if (ret)
			kcuckoo_destroy(cli->handle, STAGED_NAME);
		return ret;
	}
	strcpy(restored, filter->name);
	return kcuckoo_restore(cli->handle, restored, KCUCKOO_RESTORE_REPLACE, fd,
			       why);
}

static int restore_filter(struct cli *cli, const char *folder,
			  const struct before_filter *filter)
{
	char path[4096];
	const char *why;
	int fd, ret;

	snprintf(path, sizeof(path), "%s/%s.kcf", folder, filter->name);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return error("cannot read %s: %s", path, strerror(errno));
	ret = restore_members(cli, filter, fd, &why);
	close(fd);
	if (ret && why)
		return error("cannot restore from %s: %s", path, why);
	return ret ? filter_error(cli, ret, filter->name, "restore") : 0;
}

static int detach_rule(struct cli *cli, const struct kcuckoo_rule *rule)
{
	struct kcuckoo_ioc_detach pattern = {
		.size = sizeof(pattern),
		.flags = KCUCKOO_DETACH_HOOK | KCUCKOO_DETACH_FAMILY |
			 KCUCKOO_DETACH_MATCH,
		.hook = rule->hook,
		.family = rule->family,
		.match = rule->match,
	};
	const char *name = (const char *)rule->name;
	struct xdp_detached detached = { .rules = 0 };
	int ret;

	if (*rule_dev(rule))
		pattern.flags |= KCUCKOO_DETACH_DEV;
	strcpy((char *)pattern.dev, rule_dev(rule));
	if (rule->hook == HOOK_XDP)
		return xdp_detach(cli, name, &pattern, &detached);
	ret = kcuckoo_detach(cli->handle, name, &pattern);
	/* Another process can have removed the rule or its device after rules_list(). */
	if (ret >= 0 || ret == -ENOENT || ret == -ENXIO)
		return 0;
	return filter_error(cli, ret, name, "detach");
}

static int attach_rule(struct cli *cli, const struct kcuckoo_rule *rule,
		       __u32 flags)
{
	struct kcuckoo_ioc_attach arg = {
		.size = sizeof(arg),
		.flags = flags,
		.hook = rule->hook,
		.family = rule->family,
		.match = rule->match,
		.action = rule->action,
		.mark = rule->mark,
	};
	const char *name = (const char *)rule->name;
	int ret;

	if (rule->hook == HOOK_XDP)
		return xdp_attach(cli, rule, rule->flags & RULE_NATIVE ?
				  XDP_MODE_NATIVE : XDP_MODE_GENERIC);
	if (*rule->pattern)
		arg.flags |= KCUCKOO_ATTACH_WAIT;
	memcpy(arg.allow, rule->allow, sizeof(arg.allow));
	memcpy(arg.label, rule->label, sizeof(arg.label));
	strcpy((char *)arg.dev, rule_dev(rule));
	log_request(rule, &arg);
	ret = kcuckoo_attach(cli->handle, name, &arg);
	if (ret == -EDQUOT)
		return limit_rule_error(cli, rule);
	return ret ? filter_error(cli, ret, name, "attach") : 0;
}

/* Modules before 0.5.0 cannot replace a rule in one step (KCUCKOO_ATTACH_REPLACE). */
static bool can_replace(struct cli *cli)
{
	struct kcuckoo_ioc_stats stats = { .size = sizeof(stats) };

	return !kcuckoo_stats(cli->handle, &stats) &&
	       stats.features & KCUCKOO_FEATURE_WAIT;
}

/*
 * Return: true, after a warning, if the device of a rule no longer exists; false for a
 * rule with @pattern, because the rule can wait for devices.
 */
static bool lacks_device(const struct kcuckoo_rule *rule)
{
	const char *dev = (const char *)rule->dev;
	char buf[DEVICE_TEXT];

	if (*rule->pattern || !*dev || if_nametoindex(dev))
		return false;
	warn("a rule of '%s' is not restored: there is no device %s any more",
	     (const char *)rule->name, device_text(dev, buf));
	return true;
}

static int change_rule(struct cli *cli, const struct rule_change *change)
{
	if (change->step != RULE_DETACH && lacks_device(change->rule))
		return 0;
	switch (change->step) {
	case RULE_DETACH:
		return detach_rule(cli, change->rule);
	case RULE_ATTACH:
		return attach_rule(cli, change->rule, 0);
	default:
		if (can_replace(cli))
			return attach_rule(cli, change->rule,
					   KCUCKOO_ATTACH_REPLACE);
		return detach_rule(cli, change->rule) ||
		       attach_rule(cli, change->rule, 0) ? -1 : 0;
	}
}

/*
 * Restore the saved rules of the saved filters, and detach all other rules of these
 * filters.
 */
static int restore_rules(struct cli *cli, const struct before *before)
{
	int count, own = 0, steps, failed = 0, i;
	struct rule_change *changes;
	struct kcuckoo_rule *rules;

	count = rules_list(cli, &rules, false);
	if (count < 0)
		return plain_error(count, "list the rules");
	for (i = 0; i < count; i++)
		if (is_among(&rules[i], before->filters, before->count))
			rules[own++] = rules[i];
	changes = calloc(own + before->rule_count + 1, sizeof(*changes));
	if (!changes) {
		free(rules);
		return error("not enough memory");
	}
	steps = rule_changes(rules, own, before->rules, before->rule_count,
			     changes);
	for (i = 0; i < steps; i++)
		failed |= change_rule(cli, &changes[i]);
	free(changes);
	free(rules);
	return failed ? -1 : 0;
}

static int restore(struct cli *cli, const char *folder, const struct before *before)
{
	const struct before_filter *filter, *end = before->filters + before->count;
	int failed = 0;

	for (filter = before->filters; filter < end; filter++)
		if (filter->existed && !filter->rules_only)
			failed |= restore_filter(cli, folder, filter);
	failed |= restore_rules(cli, before);
	for (filter = before->filters; filter < end; filter++)
		if (!filter->existed)
			failed |= rules_destroy_filter(cli, filter->name);
	return failed;
}

int before_restore(struct cli *cli, const char *folder)
{
	struct before before = { .count = 0 };
	int failed = before_read(&before, folder) || restore(cli, folder, &before);

	before_free(&before);
	return failed ? -1 : 0;
}
