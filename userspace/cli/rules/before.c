// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file saves the state of filters and of their rules to a folder before a
 * change, and restores it. In the folder, the file "names" has a line for each
 * filter: "+" and the name if the filter existed, "-" and the name if it did not.
 * NAME.kcf is the snapshot of the filter NAME. The file "rules" has an array of
 * struct kcuckoo_rule.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "rules/before.h"
#include "rules/changes.h"
#include "rules/log.h"
#include "rules/rules.h"
#include "rules/xdp.h"
#include "snapshot_file.h"

/* Open @name in @folder with fopen(). Return: NULL after an error message. */
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

/* Close a file that was written. Return: 0, or -1 after an error message. */
static int close_written(FILE *file, const char *folder)
{
	bool failed = ferror(file);

	if (fclose(file) || failed)
		return error("cannot write to %s: %s", folder, strerror(errno));
	return 0;
}

/* Save the filter @name if it exists. Return: 0, or -1 after an error message. */
static int save_filter(struct cli *cli, const char *folder, const char *name,
		       FILE *names)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	int ret = kcuckoo_info(cli->handle, name, &info);
	char *path;

	fprintf(names, "%c%s\n", ret == -ENOENT ? '-' : '+', name);
	if (ret == -ENOENT)
		return 0;
	if (ret)
		return filter_error(cli, ret, name, "read the state of");
	if (asprintf(&path, "%s/%s.kcf", folder, name) < 0)
		return error("not enough memory");
	ret = snapshot_save(cli, name, path);
	free(path);
	return ret;
}

static bool is_among(const struct kcuckoo_rule *rule, char *const names[],
		     int count)
{
	int i;

	for (i = 0; i < count; i++)
		if (!strcmp((const char *)rule->name, names[i]))
			return true;
	return false;
}

static int save_rules(struct cli *cli, const char *folder, char *const names[],
		      int count)
{
	struct kcuckoo_rule *rules;
	int found = rules_list(cli, &rules, false), i;
	FILE *file;

	if (found < 0)
		return plain_error(found, "list the rules");
	file = open_in(folder, "rules", "we");
	for (i = 0; i < found && file; i++)
		if (is_among(&rules[i], names, count))
			fwrite(&rules[i], sizeof(rules[i]), 1, file);
	free(rules);
	return file ? close_written(file, folder) : -1;
}

int before_save(struct cli *cli, const char *folder, char *const names[],
		int count)
{
	FILE *file = open_in(folder, "names", "we");
	int ret = 0, i;

	if (!file)
		return -1;
	for (i = 0; i < count && !ret; i++)
		ret = save_filter(cli, folder, names[i], file);
	if (close_written(file, folder) || ret)
		return -1;
	return save_rules(cli, folder, names, count);
}

/**
 * struct before - what before_save() wrote
 * @names: names of the filters
 * @existed: whether each filter existed
 * @count: number of filters
 * @rules: the rules that they had
 * @rule_count: number of these rules
 */
struct before {
	char **names;
	bool *existed;
	int count;
	struct kcuckoo_rule *rules;
	int rule_count;
};

static void before_free(struct before *before)
{
	while (before->count)
		free(before->names[--before->count]);
	free(before->names);
	free(before->existed);
	free(before->rules);
}

/* Make room for one more name. Return: 0, or -1 after an error message. */
static int grow_names(struct before *before)
{
	size_t size = before->count + 1;
	char **names = reallocarray(before->names, size, sizeof(*names));
	bool *existed;

	if (!names)
		return error("not enough memory");
	before->names = names;
	existed = reallocarray(before->existed, size, sizeof(*existed));
	if (!existed)
		return error("not enough memory");
	before->existed = existed;
	return 0;
}

static int read_names(struct before *before, FILE *file, const char *folder)
{
	char line[KCUCKOO_NAME_SIZE + 2];

	while (fgets(line, sizeof(line), file)) {
		char *end = strchr(line, '\n');

		if (!end || !strchr("+-", *line))
			return error("%s/names is damaged", folder);
		*end = 0;
		if (!is_valid_name(line + 1))
			return error("%s/names is damaged", folder);
		if (grow_names(before))
			return -1;
		before->existed[before->count] = *line == '+';
		before->names[before->count] = strdup(line + 1);
		if (!before->names[before->count])
			return error("not enough memory");
		before->count++;
	}
	return ferror(file) ? error("cannot read %s/names", folder) : 0;
}

static int read_rules(struct before *before, FILE *file, const char *folder)
{
	struct stat st;

	if (fstat(fileno(file), &st) || st.st_size % sizeof(*before->rules))
		return error("%s/rules is damaged", folder);
	before->rule_count = st.st_size / sizeof(*before->rules);
	before->rules = malloc(st.st_size + 1);
	if (!before->rules)
		return error("not enough memory");
	if (fread(before->rules, sizeof(*before->rules), before->rule_count,
		  file) != (size_t)before->rule_count)
		return error("cannot read %s/rules: %s", folder, strerror(errno));
	return 0;
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

static int restore_filter(struct cli *cli, const char *folder, const char *name)
{
	char path[4096], restored[KCUCKOO_NAME_SIZE];
	const char *why;
	int fd, ret;

	snprintf(path, sizeof(path), "%s/%s.kcf", folder, name);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return error("cannot read %s: %s", path, strerror(errno));
	strcpy(restored, name);
	ret = kcuckoo_restore(cli->handle, restored, KCUCKOO_RESTORE_REPLACE, fd,
			      &why);
	close(fd);
	if (ret && why)
		return error("cannot restore from %s: %s", path, why);
	return ret ? filter_error(cli, ret, name, "restore") : 0;
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
	int removed = 0, ret;

	if (*rule_dev(rule))
		pattern.flags |= KCUCKOO_DETACH_DEV;
	strcpy((char *)pattern.dev, rule_dev(rule));
	if (rule->hook == HOOK_XDP)
		return xdp_detach(cli, name, &pattern, &removed);
	ret = kcuckoo_detach(cli->handle, name, &pattern);
	/* A rule or its device may have ended since it was listed. */
	if (ret >= 0 || ret == -ENOENT || ret == -ENXIO)
		return 0;
	return filter_error(cli, ret, name, "detach");
}

/*
 * Attach a rule. @flags: KCUCKOO_ATTACH_REPLACE or 0. Return: 0, or -1 after an
 * error message.
 */
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
	return ret ? filter_error(cli, ret, name, "attach") : 0;
}

/*
 * Return: true if the module can replace a rule in one step. Modules before 0.5.0
 * cannot.
 */
static bool can_replace(struct cli *cli)
{
	struct kcuckoo_ioc_stats stats = { .size = sizeof(stats) };

	return !kcuckoo_stats(cli->handle, &stats) &&
	       stats.features & KCUCKOO_FEATURE_WAIT;
}

/* Do a step of rule_changes(). Return: 0, or -1 after an error message. */
static int change_rule(struct cli *cli, const struct rule_change *change)
{
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
 * Restore the rules of the filters, and detach all other rules of the filters. If
 * one step fails, the other steps are still done. Return: 0, or -1 after error
 * messages.
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
		if (is_among(&rules[i], before->names, before->count))
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

/* Restore the state. Return: 0, or another number after error messages. */
static int restore(struct cli *cli, const char *folder, const struct before *before)
{
	int failed = 0, ret, i;

	for (i = 0; i < before->count; i++)
		if (before->existed[i])
			failed |= restore_filter(cli, folder, before->names[i]);
	failed |= restore_rules(cli, before);
	for (i = 0; i < before->count; i++) {
		if (before->existed[i])
			continue;
		ret = kcuckoo_destroy(cli->handle, before->names[i]);
		if (ret && ret != -ENOENT)
			failed |= filter_error(cli, ret, before->names[i],
					       "destroy");
	}
	return failed;
}

int before_restore(struct cli *cli, const char *folder)
{
	struct before before = { .count = 0 };
	int failed = before_read(&before, folder) || restore(cli, folder, &before);

	before_free(&before);
	return failed ? -1 : 0;
}
