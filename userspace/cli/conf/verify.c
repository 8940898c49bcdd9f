// SPDX-License-Identifier: GPL-2.0-only
/*
 * config_verify() completes a configuration whose files were read, and checks the
 * references between its sections.
 */
#include <string.h>
#include <strings.h>

#include "conf/fields.h"
#include "conf/report.h"
#include "conf/texts.h"
#include "conf/uses.h"
#include "conf/values.h"
#include "conf/verify.h"
#include "input/layout.h"
#include "keywords.h"
#include "parameters.h"
#include "rules/device.h"
#include "rules/xdp.h"

#define HOUR	3600
#define DAY	86400

/*
 * Defaults of a list: minimum number of entries; maximum shrinkage and growth in
 * percent.
 */
#define MIN_ENTRIES	1
#define MAX_SHRINK	50
#define MAX_GROW	100

/* Minimum of the key refresh-min, in seconds. */
#define REFRESH_LIMIT	60

/*
 * Default of "stale": STALE_DOWNLOADS times the refresh time of the list, but at
 * least STALE_MIN seconds.
 */
#define STALE_DOWNLOADS	3
#define STALE_MIN	(2 * DAY)

/* Keys that are allowed only in lists that are downloaded. */
static const char * const download_keys[] = {
	"refresh", "refresh-min", "stale", "expire", "credential",
};

#define DOWNLOAD_KEYS	(sizeof(download_keys) / sizeof(*download_keys))

static int copy_text(char **text, const char *from)
{
	if (*text || !from)
		return 0;
	*text = strdup(from);
	return *text ? 0 : -1;
}

/* Copy the URLs of the feed to the list, and all values that the list does not set. */
static void copy_feed(struct config *config, struct config_list *list,
		      const struct config_list *feed)
{
	if (!list->format)
		list->layout = feed->layout;
	if (!list_has(list, "column")) {
		list->column = feed->column;
		list->column_last = feed->column_last;
	}
	if (!list_has(list, "ranges"))
		list->ranges = feed->ranges;
	if (!list_has(list, "refresh"))
		list->refresh = feed->refresh;
	if (!list_has(list, "min"))
		list->min = feed->min;
	if (texts_copy(&list->urls, &feed->urls) ||
	    copy_text(&list->format, feed->format) ||
	    copy_text(&list->member, feed->member) ||
	    copy_text(&list->json_key, feed->json_key) ||
	    copy_text(&list->where, feed->where))
		config_no_memory(config);
	list->keys |= feed->keys;
}

static void take_feed(struct config *config, struct config_list *list)
{
	const struct config_list *feed = config_feed(config, list->feed);
	char where[PLACE_TEXT];
	size_t i;

	if (feed) {
		if (list_has(list, "refresh") && list->refresh < feed->refresh)
			warn("%s: [list %s]: refresh is less than %u s, the refresh of '%s'",
			     place_text(&list->place, where), list->name,
			     feed->refresh, feed->name);
		copy_feed(config, list, feed);
		return;
	}
	for (i = 0; i < config->feed_count; i++) {
		if (is_near(list->feed, config->feeds[i]->name)) {
			config_error(config, &list->place,
				     "[list %s]: there is no feed '%s': did you mean '%s'?",
				     list->name, list->feed,
				     config->feeds[i]->name);
			return;
		}
	}
	config_error(config, &list->place,
		     "[list %s]: there is no feed '%s': 'kcuckoo feeds' shows all",
		     list->name, list->feed);
}

static void check_sources(struct config *config, const struct config_list *list)
{
	int kinds = !!list->urls.count + !!list->files.count + !!list->feed;
	size_t i;

	if (kinds != 1) {
		config_error(config, &list->place,
			     "[list %s] has %s 'url', 'file' and 'feed'",
			     list->name,
			     kinds ? "several of" : "none of the keys");
		return;
	}
	for (i = 0; i < DOWNLOAD_KEYS && list->files.count; i++)
		if (list_has(list, download_keys[i]))
			config_error(config, &list->place,
				     "[list %s]: '%s' is only for lists with 'url' or 'feed'",
				     list->name, download_keys[i]);
}

static void set_defaults(struct config_list *list)
{
	if (!list_has(list, "refresh"))
		list->refresh = DAY;
	if (!list_has(list, "refresh-min"))
		list->refresh_min = HOUR;
	if (!list_has(list, "min"))
		list->min = MIN_ENTRIES;
	if (!list_has(list, "max-shrink"))
		list->max_shrink = MAX_SHRINK;
	if (!list_has(list, "max-grow"))
		list->max_grow = MAX_GROW;
	if (!list_has(list, "stale"))
		list->stale = STALE_DOWNLOADS * list->refresh > STALE_MIN ?
			      STALE_DOWNLOADS * list->refresh : STALE_MIN;
}

/*
 * A database of format mmdb has nearly all addresses, so the name of the file must select
 * some of them: FILE?country=DE. A file with a format in its name is not checked.
 */
static void check_databases(struct config *config, const struct config_list *list)
{
	const struct config_text *file;
	size_t i;

	for (i = 0; i < list->files.count && list->layout == LAYOUT_MMDB; i++) {
		file = &list->files.items[i];
		if (*file->text == '/' && !strchr(file->text, '?'))
			config_error(config, &file->place,
				     "[list %s]: a database has nearly all addresses: name a country (%s?country=DE) or an autonomous system (%s?asn=64500)",
				     list->name, file->text, file->text);
	}
}

/* Bits of layouts, for struct ending. */
#define ONLY(layout)	(1U << (layout))
#define ALL_BUT(layout)	(~ONLY(layout))

/**
 * struct ending - the end of the name of a file
 * @text: the end of the name
 * @layouts: bits of the layouts that a file with this name can have
 * @packed: the ending before this one counts, too, as in NAME.csv.gz
 */
struct ending {
	const char *text;
	unsigned int layouts;
	bool packed;
};

static const struct ending endings[] = {
	{ ".mmdb", ONLY(LAYOUT_MMDB), false },
	{ ".csv", ALL_BUT(LAYOUT_MMDB) & ALL_BUT(LAYOUT_JSON), false },
	/* Format list can read the lines of a JSON array, if each is an address in quotes. */
	{ ".json", ONLY(LAYOUT_JSON) | ONLY(LAYOUT_LIST) | ONLY(LAYOUT_ROW), false },
	{ ".jsonl", ONLY(LAYOUT_JSON) | ONLY(LAYOUT_ROW), false },
	{ ".txt", ALL_BUT(LAYOUT_MMDB), false },
	{ ".gz", ALL_BUT(LAYOUT_MMDB), true }, { ".zst", ALL_BUT(LAYOUT_MMDB), true },
	{ ".xz", ALL_BUT(LAYOUT_MMDB), true }, { ".bz2", ALL_BUT(LAYOUT_MMDB), true },
	{ ".lz4", ALL_BUT(LAYOUT_MMDB), true }, { ".tar", ALL_BUT(LAYOUT_MMDB), false },
	{ ".tgz", ALL_BUT(LAYOUT_MMDB), false }, { ".zip", ALL_BUT(LAYOUT_MMDB), false },
};

static const struct ending *find_ending(const char *path, size_t length)
{
	size_t i, size;

	for (i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		size = strlen(endings[i].text);
		if (length > size && !strncasecmp(path + length - size, endings[i].text, size))
			return &endings[i];
	}
	return NULL;
}

/*
 * Print an error for a file whose name has an ending of another format. A file with a
 * format in its name is not checked.
 */
static void check_endings(struct config *config, const struct config_list *list)
{
	const struct config_text *file;
	const struct ending *ending;
	size_t i, length;

	for (i = 0; i < list->files.count && list->layout >= 0; i++) {
		file = &list->files.items[i];
		length = *file->text == '/' ? strcspn(file->text, "?") : 0;
		ending = find_ending(file->text, length);
		if (ending && ending->packed && ending->layouts & ONLY(list->layout)) {
			length -= strlen(ending->text);
			ending = find_ending(file->text, length);
		}
		if (ending && !(ending->layouts & ONLY(list->layout)))
			config_error(config, &file->place,
				     "[list %s]: format '%s' cannot read %.*s, a file whose name ends with '%s'",
				     list->name, list->format, (int)length, file->text,
				     ending->text);
	}
}

/* Return: true if 'ranges' changes how lists of the format are read. */
static bool has_ranges(const struct config_list *list)
{
	if (list->layout < 0)
		return !list->json_key && !list->where;
	return list->layout == LAYOUT_LIST || list->layout == LAYOUT_HOSTPORT ||
	       list->layout == LAYOUT_CSV;
}

static void check_format(struct config *config, const struct config_list *list)
{
	const struct layout_type *type = list->layout < 0 ? NULL :
					 &layout_types[list->layout];

	if (type && list->urls.count && (!type->addresses || type->file))
		config_error(config, &list->place,
			     "[list %s]: a list of format '%s' cannot be downloaded, only read from a file",
			     list->name, list->format);
	if (type && list->column && list->layout != LAYOUT_CSV)
		config_error(config, &list->place,
			     "[list %s]: 'column' is for format 'csv', and not for '%s'",
			     list->name, list->format);
	if (list->ranges && !has_ranges(list))
		config_error(config, &list->place,
			     "[list %s]: 'ranges' is for formats 'list', 'hostport' and 'csv', and not for '%s'",
			     list->name, list->format ? list->format : "json");
	check_databases(config, list);
	check_endings(config, list);
	if (type && (list->json_key || list->where) && list->layout != LAYOUT_JSON)
		config_error(config, &list->place,
			     "[list %s]: 'json-key' and 'where' are for format 'json', and not for '%s'",
			     list->name, list->format);
}

static void check_numbers(struct config *config, const struct config_list *list)
{
	const struct config_place *place = &list->place;
	const char *name = list->name;

	if (list->refresh_min < REFRESH_LIMIT)
		config_error(config, place,
			     "[list %s]: refresh-min is at least %d seconds",
			     name, REFRESH_LIMIT);
	else if (list->refresh < list->refresh_min)
		config_error(config, place,
			     "[list %s]: refresh is at least %u seconds, unless refresh-min is less",
			     name, list->refresh_min);
	if (list->stale && list->stale < list->refresh)
		config_error(config, place,
			     "[list %s]: stale is less than refresh", name);
	if (list->expire && list->expire < list->stale)
		config_error(config, place,
			     "[list %s]: expire is less than stale: the list would be empty before a warning",
			     name);
	if (list->max_shrink > 100)
		config_error(config, place,
			     "[list %s]: max-shrink is at most 100 %%", name);
	if (list->where && !strchr(list->where, ':'))
		config_error(config, place,
			     "[list %s]: where '%s' is not KEY:VALUE", name,
			     list->where);
}

static void verify_list(struct config *config, struct config_list *list)
{
	check_sources(config, list);
	if (list->feed)
		take_feed(config, list);
	set_defaults(list);
	check_format(config, list);
	check_numbers(config, list);
}

static void unknown_list(struct config *config,
			 const struct config_source *source)
{
	size_t i;

	for (i = 0; i < config->list_count; i++) {
		if (is_near(source->text, config->lists[i]->name)) {
			config_error(config, &source->place,
				     "there is no [list %s]: did you mean '%s'?",
				     source->text, config->lists[i]->name);
			return;
		}
	}
	config_error(config, &source->place, "there is no [list %s]",
		     source->text);
}

/* Find the list of a source by its name, or make a new list for a path. */
static void resolve(struct config *config, struct config_source *source)
{
	const char *text = source->text;

	if (!strchr(text, '/')) {
		source->list = config_list(config, text);
		if (source->list)
			source->list->used = true;
		else
			unknown_list(config, source);
		return;
	}
	source->list = config_new_list(config, &source->place);
	if (!source->list)
		return;
	source->list->used = true;
	set_defaults(source->list);
	if (texts_add(&source->list->files, text, strlen(text), &source->place))
		config_no_memory(config);
}

static void resolve_lists(struct config *config, struct config_filter *filter)
{
	char where[PLACE_TEXT];
	size_t i, j;

	for (i = 0; i < filter->lists.count; i++)
		resolve(config, &filter->lists.items[i]);
	for (i = 0; i < filter->excludes.count; i++) {
		struct config_source *exclude = &filter->excludes.items[i];

		resolve(config, exclude);
		for (j = 0; j < filter->lists.count; j++)
			if (!strcmp(filter->lists.items[j].text, exclude->text))
				config_error(config, &exclude->place,
					     "'%s' is excluded here, and a list of the filter in %s",
					     exclude->text,
					     place_text(&filter->lists.items[j].place,
							where));
	}
}

/* Return: a text that explains why the keys of a filter cannot be combined, or NULL. */
static const char *filter_conflict(const struct config_filter *filter)
{
	const struct kcuckoo_ioc_create *create = &filter->create;
	bool bytes = create->type == KCUCKOO_TYPE_BYTES;
	bool exact = !bytes && !create->fpr && !create->tag_bits;

	if (create->fpr && create->tag_bits)
		return "'fpr' and 'bits' cannot be combined: 'fpr' sets the bits";
	if (bytes && !create->capacity)
		return "a filter of byte strings needs 'capacity'";
	if (!exact && filter_has(filter, "timeout"))
		return "fingerprints do not expire: 'timeout' excludes fpr, bits and type bytes";
	if (bytes && filter->excludes.count)
		return "'exclude' is only for addresses, and the filter has byte strings";
	if (filter->excludes.count && !filter->lists.count)
		return "'exclude' needs a 'list' from which addresses are excluded";
	return parameters_conflict(create);
}

static size_t count_downloads(const struct config_filter *filter)
{
	size_t i, count = 0;

	for (i = 0; i < filter->lists.count; i++)
		count += filter->lists.items[i].list &&
			 filter->lists.items[i].list->urls.count;
	return count;
}

/* Return: true if a file has no format in its name, so that the format of the list applies. */
static bool has_plain_file(const struct config_list *list)
{
	size_t i;

	for (i = 0; i < list->files.count; i++)
		if (*list->files.items[i].text == '/')
			return true;
	return false;
}

/* Downloaded lists have no byte strings. */
static void check_downloads(struct config *config, const struct config_filter *filter)
{
	if (filter->create.type == KCUCKOO_TYPE_BYTES && count_downloads(filter))
		config_error(config, &filter->place,
			     "[filter %s]: only addresses can be downloaded, and the filter has byte strings",
			     filter->name);
}

/* A list whose files all have a format in their names is not checked. */
static void check_types(struct config *config, const struct config_filter *filter)
{
	bool bytes = filter->create.type == KCUCKOO_TYPE_BYTES;
	const struct layout_type *type;
	const struct config_list *list;
	size_t i;

	for (i = 0; i < filter->lists.count + filter->excludes.count; i++) {
		list = i < filter->lists.count ? filter->lists.items[i].list :
		       filter->excludes.items[i - filter->lists.count].list;
		if (!list || list->layout < 0 || !has_plain_file(list))
			continue;
		type = &layout_types[list->layout];
		if (!(bytes ? type->bytes : type->addresses))
			config_error(config, &filter->place,
				     "[filter %s]: the list '%s' has format '%s', which is for %s, and the filter has %s",
				     filter->name, list->name, list->format,
				     bytes ? "addresses" : "byte strings",
				     bytes ? "byte strings" : "addresses");
	}
}

static void verify_filter(struct config *config, struct config_filter *filter)
{
	const char *why = filter_conflict(filter);

	if (why)
		config_error(config, &filter->place, "[filter %s]: %s",
			     filter->name, why);
	parameters_complete(&filter->create);
	resolve_lists(config, filter);
	check_downloads(config, filter);
	check_types(config, filter);
}

static struct config_filter *find_filter(struct config *config,
					 const struct config_rule *rule,
					 const char *name,
					 const struct config_place *place)
{
	struct config_filter *filter = config_filter(config, name);
	size_t i;

	if (filter && filter->create.type == KCUCKOO_TYPE_BYTES) {
		config_error(config, place,
			     "[rule %s]: '%s' has byte strings: rules need a filter of addresses",
			     rule->name, name);
		return NULL;
	}
	if (filter)
		return filter;
	for (i = 0; i < config->filter_count; i++) {
		if (is_near(name, config->filters[i]->name)) {
			config_error(config, place,
				     "there is no [filter %s]: did you mean '%s'?",
				     name, config->filters[i]->name);
			return NULL;
		}
	}
	config_error(config, place,
		     "there is no [filter %s]: a section without a list is enough for a filter of other programs",
		     name);
	return NULL;
}

/* Return: a list of the filter that may have private and reserved networks, or NULL. */
static const struct config_source *bogons_of(const struct config_filter *filter)
{
	size_t i;

	for (i = 0; i < filter->lists.count; i++)
		if (filter->lists.items[i].list &&
		    filter->lists.items[i].list->bogons)
			return &filter->lists.items[i];
	return NULL;
}

static void verify_rule_filter(struct config *config,
			       const struct config_rule *rule,
			       const struct config_text *named)
{
	struct config_filter *filter;
	const struct config_source *bogons;

	if (!strcmp(named->text, rule->allow))
		config_error(config, &named->place,
			     "[rule %s]: a rule of '%s' that allows '%s' would never match",
			     rule->name, named->text, named->text);
	filter = find_filter(config, rule, named->text, &named->place);
	if (!filter)
		return;
	if (rule->action == KCUCKOO_ACTION_VALUE && !filter->create.value_bits)
		config_error(config, &named->place,
			     "[rule %s]: the filter '%s' has no values for the mark: see 'value'",
			     rule->name, filter->name);
	else if (rule->action == KCUCKOO_ACTION_VALUE && filter->lists.count &&
		 count_downloads(filter) == filter->lists.count)
		config_error(config, &named->place,
			     "[rule %s]: the lists of '%s' are downloaded, which leaves no values for the mark",
			     rule->name, filter->name);
	bogons = bogons_of(filter);
	if (bogons && !rule->devs.count)
		config_error(config, &named->place,
			     "[rule %s]: the list '%s' has bogons = yes, so the rule needs a 'dev'",
			     rule->name, bogons->text);
}

/* Each network namespace has a loopback device with this name. */
#define LOOPBACK	"lo"

static void verify_devs(struct config *config, const struct config_rule *rule)
{
	size_t i;

	for (i = 0; i < rule->devs.count; i++)
		if (!strcmp(rule->devs.items[i].text, LOOPBACK))
			config_error(config, &rule->devs.items[i].place,
				     "[rule %s]: " DEVICE_NEVER_DROPS, rule->name, LOOPBACK);
}

static void verify_hook(struct config *config, const struct config_rule *rule)
{
	bool device = rule->hook == KCUCKOO_HOOK_INGRESS ||
		      rule->hook == HOOK_XDP;
	const char *hook = keyword_name(hook_keywords, rule->hook);

	if (device && !rule->devs.count)
		config_error(config, &rule->place,
			     "[rule %s]: hook %s needs a 'dev'", rule->name,
			     hook);
	if (!device && rule->devs.count)
		config_error(config, &rule->devs.items[0].place,
			     "[rule %s]: hook %s has no device: dev is for hooks ingress and xdp",
			     rule->name, hook);
	if (device)
		verify_devs(config, rule);
	if (rule->hook != HOOK_XDP && rule->mode != XDP_MODE_ANY)
		config_error(config, &rule->place,
			     "[rule %s]: mode is only for hook xdp",
			     rule->name);
	if (rule->hook == HOOK_XDP && rule->action != KCUCKOO_ACTION_DROP &&
	    rule->action != KCUCKOO_ACTION_COUNT)
		config_error(config, &rule->place,
			     "[rule %s]: hook xdp has only the actions drop and count",
			     rule->name);
	if (rule->hook == HOOK_XDP && rule->filters.count > 1)
		config_error(config, &rule->filters.items[1].place,
			     "[rule %s]: a device can have one rule of hook xdp, so 'filter' has one name",
			     rule->name);
}

static void verify_log(struct config *config, const struct config_rule *rule)
{
	const bool group = rule->log_group >= 0;

	if (!rule->log) {
		if (group || rule->log_limit)
			config_error(config, &rule->place,
				     "[rule %s]: %s needs log = yes", rule->name,
				     group ? "log-group" : "log-limit");
		return;
	}
	if (rule->hook == HOOK_XDP)
		config_error(config, &rule->place,
			     "[rule %s]: hook xdp does not log: an XDP program cannot call the loggers",
			     rule->name);
	if (rule->action != KCUCKOO_ACTION_DROP &&
	    rule->action != KCUCKOO_ACTION_COUNT)
		config_error(config, &rule->place,
			     "[rule %s]: log is for the actions drop and count",
			     rule->name);
}

static void verify_rule(struct config *config, const struct config_rule *rule)
{
	size_t i;

	if (!rule->filters.count)
		config_error(config, &rule->place, "[rule %s] has no 'filter'",
			     rule->name);
	for (i = 0; i < rule->filters.count; i++)
		verify_rule_filter(config, rule, &rule->filters.items[i]);
	if (*rule->allow)
		find_filter(config, rule, rule->allow, &rule->place);
	verify_hook(config, rule);
	verify_log(config, rule);
}

static const char *common_text(const struct config_texts *a,
			       const struct config_texts *b)
{
	size_t i;

	for (i = 0; i < a->count; i++)
		if (texts_find(b, a->items[i].text, strlen(a->items[i].text)))
			return a->items[i].text;
	return NULL;
}

/*
 * Return: @b if the name or pattern @a matches @b; @a if @b matches @a; or NULL if no
 * device matches both. No further case is possible, because a pattern has an asterisk only
 * at its end.
 */
static const char *common_device(const char *a, const char *b)
{
	if (value_dev_matches(a, b))
		return b;
	return value_dev_matches(b, a) ? a : NULL;
}

static void compare_devices(struct config *config, const struct config_rule *a,
			    const struct config_rule *b)
{
	const char *dev = NULL;
	char where[PLACE_TEXT];
	size_t i, j;

	if (a->hook != HOOK_XDP || b->hook != HOOK_XDP)
		return;
	for (i = 0; i < a->devs.count && !dev; i++)
		for (j = 0; j < b->devs.count && !dev; j++)
			dev = common_device(a->devs.items[i].text,
					    b->devs.items[j].text);
	if (dev)
		config_error(config, &b->place,
			     "[rule %s]: '%s' can have one rule of hook xdp, and [rule %s] in %s is one",
			     b->name, dev, a->name, place_text(&a->place, where));
}

/* Print an error if rules of the two sections would overlap. */
static void compare_rules(struct config *config, const struct config_rule *a,
			  const struct config_rule *b)
{
	const char *filter = common_text(&a->filters, &b->filters);
	char where[PLACE_TEXT];

	if (a->hook != b->hook || a->match != b->match ||
	    !(a->family & b->family) || !filter)
		return;
	if (a->devs.count && b->devs.count && !common_text(&a->devs, &b->devs))
		return;
	config_error(config, &b->place,
		     "[rule %s] has the same filter '%s', hook, match and family as [rule %s] in %s",
		     b->name, filter, a->name, place_text(&a->place, where));
}

void config_verify_feeds(struct config *config)
{
	static const char * const needed[] = {
		"url", "about", "licence", "refresh", "min",
	};
	size_t i, j;

	for (i = 0; i < config->feed_count; i++)
		for (j = 0; j < sizeof(needed) / sizeof(*needed); j++)
			if (!list_has(config->feeds[i], needed[j]))
				config_error(config, &config->feeds[i]->place,
					     "[feed %s] has no '%s'",
					     config->feeds[i]->name, needed[j]);
}

void config_verify(struct config *config)
{
	size_t sections = config->list_count, i, j;
	char where[PLACE_TEXT];

	for (i = 0; i < sections; i++)
		verify_list(config, config->lists[i]);
	for (i = 0; i < config->filter_count; i++)
		verify_filter(config, config->filters[i]);
	for (i = 0; i < config->rule_count; i++) {
		verify_rule(config, config->rules[i]);
		for (j = 0; j < i; j++) {
			compare_rules(config, config->rules[j],
				      config->rules[i]);
			compare_devices(config, config->rules[j],
					config->rules[i]);
		}
	}
	if (!config->errors)
		config_ignore_expire(config);
	for (i = 0; i < sections && !config->errors; i++)
		if (!config->lists[i]->used)
			warn("%s: no filter uses [list %s]",
			     place_text(&config->lists[i]->place, where),
			     config->lists[i]->name);
}
