// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb status prints the state of lists, filters and rules, and whether the filters
 * and rules are as the configuration says.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmd/applied.h"
#include "cmd/configured.h"
#include "cmd/last_apply.h"
#include "cmd/present.h"
#include "cmd/status.h"
#include "conf/fields.h"
#include "fetch/age.h"
#include "fetch/canonical.h"
#include "fetch/state.h"
#include "json.h"
#include "keywords.h"
#include "message.h"
#include "rules/confirm.h"
#include "rules/rules.h"
#include "rules/xdp.h"

/* A rule with one of these flags matches nothing. */
#define MATCHES_NOTHING	(KCUCKOO_RULE_WAITING | KCUCKOO_RULE_ALLOW_WAITING | \
			 KCUCKOO_RULE_DEV_WAITING | RULE_SLOT_MISSING | RULE_NO_ETHERNET)

/* Size of a buffer for the reason why a rule matches nothing. */
#define REASON_TEXT	(DEVICE_TEXT + KCUCKOO_NAME_SIZE + 24)

/**
 * struct status - state of the verb status
 * @cli: state of the command
 * @config: the configuration
 * @json: the JSON object that the verb prints with -j
 * @bad: the exit code is EXIT_NO
 */
struct status {
	struct cli *cli;
	struct config config;
	json_t *json;
	bool bad;
};

void list_state_read(int folder, const struct config_list *list,
		     struct list_state *state)
{
	char why[CANONICAL_WHY], file[FILE_NAME];
	struct canonical canonical;
	const struct list_limits limits = { list->stale, list->expire };
	time_t confirmed, now = time(NULL);
	enum list_age age;
	struct stat st;
	int fd = folder < 0 ? -ENOENT :
		 canonical_open(folder, state_file(list->name, "list", file),
				list->name, &canonical, &confirmed, why);

	*state = (struct list_state){ "ok", 0, -1 };
	if (fd < 0) {
		state->word = fd == -ENOENT ? "missing" : "damaged";
		return;
	}
	close(fd);
	state->members = canonical.members;
	state->age = now > confirmed ? now - confirmed : 0;
	age = list_age_state(&limits, confirmed, now);
	if (age != LIST_AGE_FRESH)
		state->word = list_age_names[age];
	else if (!fstatat(folder, state_file(list->name, "refused", file), &st,
			  AT_SYMLINK_NOFOLLOW))
		state->word = "refused";
}

static void show_list(struct status *status, json_t *array, const char *name,
		      const struct list_state *state)
{
	status->bad |= strcmp(state->word, "ok") != 0;
	if (status->cli->json) {
		json_t *row = json_pack("{s:s, s:s, s:I, s:I}", "name", name,
					"state", state->word, "members",
					(json_int_t)state->members, "age",
					(json_int_t)state->age);

		json_array_append_new(array, row);
		return;
	}
	printf("list %s: %s", name, state->word);
	if (state->age >= 0)
		printf(", %llu %s, %lld h old", state->members,
		       plural(state->members, "member", "members"),
		       state->age / 3600);
	putchar('\n');
}

static void show_lists(struct status *status)
{
	const struct config *config = &status->config;
	int folder = state_open_lists(status->cli->netns);
	json_t *array = json_array();
	struct list_state state;
	size_t i;

	for (i = 0; i < config->list_count; i++) {
		const struct config_list *list = config->lists[i];

		if (!list->used || !list->urls.count)
			continue;
		list_state_read(folder, list, &state);
		show_list(status, array, list->name, &state);
	}
	if (folder >= 0)
		close(folder);
	json_object_set_new(status->json, "lists", array);
}

/* A list is allowed to be empty only if its section has min = 0. */
static bool lacks_members(const struct config *config,
			  const struct present_filter *present)
{
	const struct config_filter *filter =
		config_filter(config, (const char *)present->info.name);
	size_t i;

	if (!filter || !present->managed || present->info.members)
		return false;
	for (i = 0; i < filter->lists.count; i++)
		if (!list_has(filter->lists.items[i].list, "min") ||
		    filter->lists.items[i].list->min)
			return true;
	return false;
}

static void show_filters(struct status *status, const struct present *present)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < present->filter_count; i++) {
		const struct present_filter *filter = &present->filters[i];
		const char *name = (const char *)filter->info.name;
		bool lacks = lacks_members(&status->config, filter);

		status->bad |= lacks;
		if (status->cli->json) {
			json_t *row = json_pack("{s:s, s:I, s:b}", "name", name,
						"members",
						(json_int_t)filter->info.members,
						"managed", filter->managed);

			json_array_append_new(array, row);
		} else {
			printf("filter %s: %llu %s%s%s\n", name,
			       filter->info.members,
			       plural(filter->info.members, "member", "members"),
			       filter->managed ? "" : ", made by hand",
			       lacks ? ", although lists are configured for it" : "");
		}
	}
	json_object_set_new(status->json, "filters", array);
}

static const char *why_nothing(const struct kcuckoo_rule *rule, char text[REASON_TEXT])
{
	char buf[DEVICE_TEXT];

	if (rule->flags & RULE_SLOT_MISSING)
		return "its device was in another network namespace, so it lost its filter";
	if (rule->flags & RULE_NO_ETHERNET)
		return "packets of the device have no Ethernet header";
	if (rule->flags & KCUCKOO_RULE_DEV_WAITING)
		sprintf(text, "waits for %s",
			device_text((const char *)rule->pattern, buf));
	else if (rule->flags & KCUCKOO_RULE_WAITING)
		sprintf(text, "waits for the filter %s",
			(const char *)rule->name);
	else if (rule->flags & KCUCKOO_RULE_ALLOW_WAITING)
		sprintf(text, "waits for the filter %s", (const char *)rule->allow);
	else
		return NULL;
	return text;
}

static void print_rule(const struct kcuckoo_rule *rule)
{
	char text[RULE_TEXT], buf[REASON_TEXT];
	const char *label = (const char *)rule->label;
	const char *why = why_nothing(rule, buf);

	printf("rule %s: %s %s: %llu packets, %llu bytes%s", *label ? label : "-",
	       (const char *)rule->name, rule_text(rule, text), rule->packets,
	       rule->bytes, *label ? "" : ", made by hand");
	if (why)
		printf(", NOT PROTECTED: %s", why);
	putchar('\n');
}

/* The kernel keeps no labels of rules of hook xdp, see cmd/present.h. */
static void set_label(struct kcuckoo_rule *rule, const struct present *present)
{
	const struct present_rule *known = NULL;

	if (rule->hook == HOOK_XDP)
		known = present_xdp(present, (const char *)rule->name,
				    (const char *)rule->dev);
	if (known)
		memcpy(rule->label, known->label, sizeof(rule->label));
}

static int show_rules(struct status *status, const struct present *present)
{
	json_t *array = json_array();
	struct kcuckoo_rule *rules;
	int i, count = rules_list(status->cli, &rules, true);

	if (count < 0) {
		json_decref(array);
		return plain_error(count, "list the rules");
	}
	for (i = 0; i < count; i++) {
		set_label(&rules[i], present);
		status->bad |= *rules[i].label && rules[i].flags & MATCHES_NOTHING;
		if (status->cli->json)
			json_array_append_new(array, json_of_rule(&rules[i]));
		else
			print_rule(&rules[i]);
	}
	free(rules);
	json_object_set_new(status->json, "rules", array);
	return 0;
}

/*
 * An apply can fail, for example because of a list, although the filters and rules are as
 * the configuration says.
 */
static void show_last_apply(struct status *status)
{
	char text[LOCAL_TIME_TEXT];
	bool success;
	time_t when;

	if (!last_apply_read(status->cli, &when, &success)) {
		json_object_set_new(status->json, "last_apply", json_null());
		return;
	}
	status->bad |= !success;
	json_object_set_new(status->json, "last_apply",
			    json_pack("{s:I, s:b}", "time", (json_int_t)when,
				      "success", success));
	if (success || status->cli->json)
		return;
	printf("last apply: failed at %s\n", local_time_text(when, text));
}

static void show_unconfirmed(struct status *status)
{
	char text[LOCAL_TIME_TEXT];
	time_t until;
	bool waits = confirm_waits(&until);

	status->bad |= waits;
	json_object_set_new(status->json, "unconfirmed", !waits ? json_null() :
			    json_pack("{s:o}", "until", until < 0 ? json_null() :
				      json_integer(until)));
	if (!waits || status->cli->json)
		return;
	printf("NOT CONFIRMED: a change is undone%s%s, unless 'kcuckoo confirm' follows\n",
	       until < 0 ? "" : " at ", until < 0 ? "" : local_time_text(until, text));
}

static bool has_conflict(const struct status *status, struct present *present)
{
	char why[256];
	bool ret;

	error_capture(why, sizeof(why));
	ret = !present_leave_out(status->cli, present, &status->config) &&
	      configured_conflicts(&status->config, present);
	error_capture(NULL, 0);
	return ret;
}

/*
 * @old: the configuration cannot be used, and the copy of the configuration that was applied
 * last was read instead.
 */
static void print_sync(const struct status *status, struct present *present,
		       bool differ, bool old)
{
	const char *text = "applied";

	if (old)
		text = "cannot be used, 'kcuckoo apply --check' shows why";
	else if (differ && has_conflict(status, present))
		text = "has a conflict, 'kcuckoo apply --dry-run' shows it";
	else if (differ && applied_is_unconfirmed(status->cli, &status->config))
		text = "was not confirmed, 'kcuckoo apply --confirm' applies it";
	else if (differ)
		text = "differs, 'kcuckoo apply' applies it";
	printf("configuration: %s\n", text);
}

/* True if a rule of hook xdp waits for its device. note_missing() sets this variable. */
static bool xdp_waits;

static void note_missing(const struct config_rule *rule, const char *dev)
{
	say_unprotected(rule, dev);
	xdp_waits = true;
}

/* @present lacks rules that cannot be read, so look at the device again. */
static void show_unattached(const struct config *config, const struct present *present)
{
	const struct config_rule *rule;
	const char *filter, *dev;
	size_t i, j;

	for (i = 0; xdp_is_built && i < config->rule_count; i++) {
		rule = config->rules[i];
		for (j = 0; rule->hook == HOOK_XDP && j < rule->devs.count; j++) {
			filter = rule->filters.items[0].text;
			dev = rule->devs.items[j].text;
			if (!present_xdp(present, filter, dev) &&
			    !xdp_has_rule(filter, dev))
				say_unattached(rule->name, dev);
		}
	}
}

static int show(struct status *status, bool old)
{
	struct present present;
	bool differ = old;
	int ret = present_read(status->cli, &present);

	if (!ret)
		ret = configured_differs(&status->config, &present);
	if (ret >= 0) {
		differ |= ret;
		show_lists(status);
		show_filters(status, &present);
		ret = show_rules(status, &present);
		show_unattached(&status->config, &present);
		show_last_apply(status);
		show_unconfirmed(status);
	}
	if (!ret && status->cli->json)
		json_object_set_new(status->json, "in_sync", json_boolean(!differ));
	else if (!ret)
		print_sync(status, &present, differ, old);
	status->bad |= differ;
	present_free(&present);
	return ret;
}

int verb_status(struct cli *cli, const struct args *args)
{
	struct status status = { .cli = cli };
	int ret = configured_read(cli, args, true, &status.config);
	bool old = ret > 0;

	status.json = json_object();
	if (ret >= 0)
		ret = cli_open(cli) ||
		      configured_devices(&status.config, NULL, note_missing) ||
		      show(&status, old) ? -1 : 0;
	config_free(&status.config);
	if (!ret && cli->json)
		ret = json_print(json_incref(status.json));
	json_decref(status.json);
	if (ret)
		return -1;
	return status.bad || xdp_waits ? EXIT_NO : EXIT_YES;
}
