// SPDX-License-Identifier: GPL-2.0-only
/*
 * The input is one file of a configuration, or two with a byte 0xff between them. What
 * is taken without an error is whole: each filter has its lists, each rule its filters,
 * no value has a comment, and when the steps of the plan are done, none is left.
 */
#include <fcntl.h>
#include <unistd.h>

#include "conf/plan.h"
#include "message.h"
#include "tap.h"

/* Steps of one plan: as many as lines of the longest input can make. */
#define MANY		4096

static char folder[64];
static int folder_fd = -1;

static struct present_filter filters[MANY];
static struct present_rule rules[MANY];

static void __attribute__((destructor)) remove_folder(void)
{
	if (folder_fd < 0)
		return;
	unlinkat(folder_fd, "a.conf", 0);
	unlinkat(folder_fd, "b.conf", 0);
	rmdir(folder);
}

static void put(const char *name, const uint8_t *data, size_t size)
{
	int fd;

	if (folder_fd < 0) {
		strcpy(folder, "/tmp/kcuckoo-fuzz-XXXXXX");
		tap_require(mkdtemp(folder), "%s", folder);
		folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	fd = openat(folder_fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	tap_require(fd >= 0 && write(fd, data, size) == (ssize_t)size, "%s", name);
	close(fd);
}

/* A value is a part of one line, without a comment. */
static void check_text(const char *text)
{
	const char *at;

	tap_require(*text && strlen(text) <= CONFIG_LINE_MAX, "'%s'", text);
	for (at = text; *at; at++) {
		tap_require((*at >= ' ' || *at == '\t') && *at < 0x7f, "'%s'", text);
		tap_require((*at != '#' && *at != ';') ||
			    (at > text && at[-1] != ' ' && at[-1] != '\t'), "'%s'",
			    text);
	}
}

static void check_texts(const struct config_texts *texts)
{
	size_t i;

	for (i = 0; i < texts->count; i++)
		check_text(texts->items[i].text);
}

static void require_name(const char *name)
{
	tap_require(is_valid_name(name) && *name != '.', "'%s'", name);
}

static void check_sources(const struct config_sources *sources)
{
	size_t i;

	for (i = 0; i < sources->count; i++) {
		const struct config_list *list = sources->items[i].list;

		check_text(sources->items[i].text);
		tap_require(list && list->used && !list->urls.count != !list->files.count,
			    "'%s'", sources->items[i].text);
		tap_require(list->refresh >= list->refresh_min && list->max_shrink <= 100,
			    "'%s'", sources->items[i].text);
	}
}

static void check_config(const struct config *config)
{
	size_t i, j;

	for (i = 0; i < config->list_count; i++) {
		check_texts(&config->lists[i]->urls);
		check_texts(&config->lists[i]->files);
	}
	for (i = 0; i < config->filter_count; i++) {
		require_name(config->filters[i]->name);
		check_sources(&config->filters[i]->lists);
		check_sources(&config->filters[i]->excludes);
	}
	for (i = 0; i < config->rule_count; i++) {
		const struct config_rule *rule = config->rules[i];

		require_name(rule->name);
		check_texts(&rule->devs);
		tap_require(rule->filters.count, "'%s'", rule->name);
		for (j = 0; j < rule->filters.count; j++)
			tap_require(config_filter(config, rule->filters.items[j].text),
				    "'%s'", rule->filters.items[j].text);
	}
}

/* Do a step from nothing. */
static void do_step(struct present *present, const struct plan_step *step)
{
	struct present_filter *filter = &filters[present->filter_count];
	const struct kcuckoo_ioc_create *create;

	if (step->kind == PLAN_ATTACH) {
		rules[present->rule_count++] = step->rule;
		return;
	}
	tap_require(step->kind == PLAN_CREATE || step->kind == PLAN_PUBLISH, "%d",
		    step->kind);
	create = &step->filter->create;
	memset(filter, 0, sizeof(*filter));
	strcpy((char *)filter->info.name, step->name);
	filter->managed = true;
	filter->info.type = create->type;
	filter->info.hash = create->hash ? create->hash : KCUCKOO_HASH_JHASH;
	filter->info.capacity = create->capacity;
	filter->info.fpr = create->fpr;
	filter->info.tag_bits = create->tag_bits;
	filter->info.value_bits = create->value_bits;
	filter->info.create_flags = create->flags;
	filter->info.timeout = create->timeout;
	present->filter_count++;
}

static void check_plan(const struct config *config)
{
	struct present present = { .filters = filters, .rules = rules };
	struct plan plan;
	size_t i;

	tap_require(!plan_make(&plan, config, &present), "memory");
	tap_require(!plan.note_count && !plan.gaps, "%zu notes", plan.note_count);
	for (i = 0; i < plan.step_count && i < MANY; i++)
		do_step(&present, &plan.steps[i]);
	plan_free(&plan);
	if (i == MANY)
		return;
	tap_require(!plan_make(&plan, config, &present), "memory");
	tap_require(!plan.note_count && !plan.gaps, "%zu notes", plan.note_count);
	for (i = 0; i < plan.step_count; i++)
		tap_require(plan.steps[i].kind == PLAN_UPDATE, "%d",
			    plan.steps[i].kind);
	plan_free(&plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *middle = memchr(data, 0xff, size);
	size_t first = middle ? (size_t)(middle - data) : size;
	struct config config;
	int ret;

	put("a.conf", data, first);
	put("b.conf", middle ? middle + 1 : data, middle ? size - first - 1 : 0);
	ret = config_read(&config, folder, "/nonexistent");
	tap_require(!ret == !config.errors, "%d, %u errors", ret, config.errors);
	if (!ret) {
		check_config(&config);
		check_plan(&config);
	}
	config_free(&config);
	return 0;
}
