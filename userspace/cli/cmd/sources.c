// SPDX-License-Identifier: GPL-2.0-only
/*
 * sources_apply() gives a filter of the configuration the keys of its lists as members, or
 * changes the parameters of a filter without lists.
 *
 * For a list with a url, sources_apply() reads only the last good copy, which the verb
 * fetch has checked and written. For a list with files, sources_apply() reads the files.
 * If the files cannot be used, sources_apply() reads the last good copy, which
 * file_copy_keep() wrote when the files could be used.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd/apply.h"
#include "cmd/file_copy.h"
#include "cmd/list_file.h"
#include "cmd/sources.h"
#include "conf/fields.h"
#include "conf/uses.h"
#include "fetch/age.h"
#include "fetch/canonical.h"
#include "fetch/state.h"
#include "keys/key_op.h"
#include "keys/members.h"
#include "message.h"

/**
 * struct reading - state of sources_apply()
 * @sources: argument of sources_apply()
 * @filter: section of the filter
 * @exists: the filter exists
 * @allows: rules use the filter only as allow filter
 * @spares: a rule uses the filter as allow filter
 * @excluding: read_lists() is reading an excluded list, whose addresses the filter leaves out
 * @unused: list_failed() was called for a list
 * @missing: a list with a url, other than an excluded list, has no last good copy
 * @uncopied: a list with files, other than an excluded list, had no last good copy before
 *	this step
 * @guards: limits for the members of the filter (keys/guard.h)
 */
struct reading {
	struct sources *sources;
	const struct config_filter *filter;
	bool exists;
	bool allows;
	bool spares;
	bool excluding;
	bool unused;
	bool missing;
	bool uncopied;
	struct guards *guards;
};

/*
 * Count an error of a list: the list cannot be used, its last good copy is used instead of
 * its files, or its last good copy cannot be read or written. Return: -1.
 */
static int list_failed(struct reading *reading)
{
	reading->sources->failed++;
	reading->unused = true;
	return -1;
}

static bool is_expired(const struct config_list *list, time_t confirmed)
{
	const struct list_limits limits = { list->stale, list->expire };

	return list_age_state(&limits, confirmed, time(NULL)) == LIST_AGE_EXPIRED;
}

/*
 * Read the last good copy of a list with a url, sorted, to @set. Return: 0; 1 if the list was
 * never fetched; or -1 after an error message.
 */
static int read_copy(struct reading *reading, const struct config_list *list,
		     struct keyset *set)
{
	char why[CANONICAL_WHY], file[FILE_NAME];
	struct canonical canonical;
	time_t confirmed;
	int fd, folder = state_open_lists(reading->sources->cli->netns);

	if (folder == -ENOENT)
		return 1;
	if (folder < 0)
		return error("cannot open the folder of lists: %s", strerror(-folder));
	fd = canonical_open(folder, state_file(list->name, "list", file),
			    list->name, &canonical, &confirmed, why);
	close(folder);
	if (fd == -ENOENT)
		return 1;
	if (fd < 0)
		return error("list %s: its last good copy %s", list->name, why);
	if (is_expired(list, confirmed)) {
		close(fd);
		warn("list %s has expired, and counts as empty", list->name);
		return 0;
	}
	if (canonical_read(fd, set))
		return error("list %s: its last good copy cannot be read",
			     list->name);
	keyset_sort(set);
	return 0;
}

/*
 * Add a sorted set to the wanted keys (keys/wanted.h). Leave out bogons, unless @bogons of
 * the list is true.
 */
static int add_set(struct wanted *wanted, const struct config_list *list,
		   struct keyset *set)
{
	struct keyset bogons, outermost;
	struct kcuckoo_prefix key;
	struct exclusion exclusion = { .cut = 0 };
	size_t at;
	int ret = 0;

	keyset_init(&bogons);
	keyset_init(&outermost);
	if (!list->bogons) {
		ret = guard_add_bogons(&bogons);
		keyset_sort(&bogons);
		if (!ret)
			ret = keyset_outermost(&bogons, &outermost);
		if (!ret)
			ret = keyset_exclude(set, &outermost, &exclusion);
	}
	wanted->bogons.left_out += exclusion.left_out;
	wanted->bogons.cut += exclusion.cut;
	for (at = 0; !ret && keyset_read(set, at, &key, 1); at++)
		ret = collection_add_prefix(&wanted->collection, &key,
					    &wanted->collection.note);
	wanted->input.keys += at;
	keyset_free(&outermost);
	keyset_free(&bogons);
	return ret ? error("list %s: not enough memory", list->name) : 0;
}

static int read_fetched(struct reading *reading, const struct config_list *list,
			struct wanted *wanted)
{
	struct keyset set;
	int ret;

	keyset_init(&set);
	ret = read_copy(reading, list, &set);
	if (!ret)
		ret = add_set(wanted, list, &set);
	keyset_free(&set);
	if (ret > 0)
		hint(error("list %s was not fetched yet", list->name),
		     "'kcuckoo fetch %s' fetches it", list->name);
	return ret;
}

/* Return: true if the list is allowed to be empty: its section has min = 0. */
static bool may_be_empty(const struct config_list *list)
{
	return list_has(list, "min") && !list->min;
}

/* An option of the verb apply replaces the same limit of the list. */
static void set_list_guards(const struct reading *reading,
			    const struct config_list *list, struct guards *guards)
{
	const struct apply_args *given = &reading->sources->args->apply;

	*guards = (struct guards){
		.max_shrink = given->given & APPLY_MAX_SHRINK ? given->max_shrink :
			      list->max_shrink,
		.max_grow = given->given & APPLY_MAX_GROW ? given->max_grow :
			    list_has(list, "max-grow") ? list->max_grow :
			    GUARD_GROW_DEFAULT,
		.wide = list->wide || given->given & APPLY_WIDE,
	};
}

/* @part: the keys of the files. @copy: the last good copy, or no copy. */
static int check_min(const struct reading *reading, const struct config_list *list,
		     const struct wanted *part, const struct file_copy *copy)
{
	const struct args *args = reading->sources->args;
	__u64 keys = part->input.keys;
	char why[CANONICAL_REASON];
	struct guards guards;

	if (keys >= list->min || args->apply.given & APPLY_MIN ||
	    (!keys && args->given & ARGS_ALLOW_EMPTY))
		return 0;
	error("%s has %llu %s, and at least %llu are needed", list->files.items[0].text,
	      keys, plural(keys, "entry", "entries"), list->min);
	set_list_guards(reading, list, &guards);
	if (guard_check_list(&guards, &copy->set, &part->collection.keys, why, sizeof(why)))
		return hint(-1, "'min = %llu' and 'max-shrink = 100' in a section [list] permit it",
			    keys);
	return hint(-1, "'min = %llu' in a section [list] permits it", keys);
}

static int read_files(const struct reading *reading,
		      const struct config_list *list, struct wanted *part,
		      const struct file_copy *copy, struct progress *progress)
{
	char **names = list_file_names(list);
	struct wanted_options options = {
		.files = names,
		.file_count = list->files.count,
		.given = (reading->sources->args->given &
			  (ARGS_FORCE | ARGS_ALLOW_EMPTY)) |
			 (may_be_empty(list) ? ARGS_ALLOW_EMPTY : 0),
		.bogons = list->bogons,
		.wide = list->wide,
		.configured = true,
	};
	int ret = names ? wanted_read(part, &options, progress) :
			  error("not enough memory");

	list_file_names_free(names, list->files.count);
	return ret ? ret : check_min(reading, list, part, copy);
}

static const char *list_label(const struct config_list *list)
{
	return *list->name ? list->name : list->files.items[0].text;
}

static int check_file_list(struct reading *reading, const struct config_list *list,
			   const struct keyset *keys, struct file_copy *copy)
{
	const struct sources *sources = reading->sources;
	char why[CANONICAL_REASON];
	struct guards guards;

	if (file_copy_equals(copy, keys))
		return 0;
	set_list_guards(reading, list, &guards);
	if (guard_check_list(&guards, &copy->set, keys, why, sizeof(why)))
		return hint(error("list %s is refused: %s", list_label(list), why),
			    "'kcuckoo apply' with --max-shrink, --max-grow or --wide accepts it");
	/* Use the keys even if they cannot be copied, for example to a full disk. */
	if (!(sources->args->apply.given & APPLY_DRY_RUN) &&
	    file_copy_keep(sources->cli, sources->copies, copy, keys))
		list_failed(reading);
	return 0;
}

/*
 * Do not use the copy for a filter with values or timeouts, because a copy has neither
 * values nor timeouts. Return: 0, or -1 if the copy cannot be used.
 */
static int add_copy(struct reading *reading, const struct config_list *list,
		    struct file_copy *copy, struct wanted *wanted)
{
	const struct syntax *syntax = &wanted->collection.syntax;
	__u64 members = copy->good.members;

	if (!file_copy_exists(copy) || syntax->max_value || syntax->timeouts ||
	    add_set(wanted, list, &copy->set))
		return -1;
	list_failed(reading);
	return hint(0, "the last good copy of %s is used, with %llu %s",
		    list_label(list), members, plural(members, "member", "members"));
}

static int read_file_list(struct reading *reading, const struct config_list *list,
			  struct wanted *wanted, struct progress *progress)
{
	bool inet = wanted->collection.syntax.kind == SYNTAX_INET;
	struct file_copy copy = { .folder = -1 };
	struct wanted part;
	char column[LIST_COLUMN];
	int ret;

	keyset_init(&copy.set);
	collection_init(&part.collection, &wanted->collection.syntax,
			&wanted->collection.note);
	wanted_init(&part);
	list_file_syntax(&part.collection.syntax, list, column);
	if (inet && file_copy_open(reading->sources->cli, reading->sources->copies,
				   list, list->bogons, &copy))
		list_failed(reading);
	ret = read_files(reading, list, &part, &copy, progress);
	if (!ret && reading->excluding && part.input.bad)
		ret = error("an excluded list has %llu bad %s", part.input.bad,
			    plural(part.input.bad, "line", "lines"));
	if (inet && !ret)
		ret = check_file_list(reading, list, &part.collection.keys, &copy);
	/* set_guards() limits the lists of the filter, but no excluded lists. */
	if (!reading->excluding)
		reading->uncopied |= !file_copy_exists(&copy);
	if (!ret)
		ret = wanted_add(wanted, &part);
	else if (inet)
		ret = add_copy(reading, list, &copy, wanted);
	file_copy_close(&copy);
	wanted_free(&part);
	return ret;
}

/*
 * Return: 0, or another number after an error message: 1 if the list was never fetched,
 * else -1.
 */
static int read_list(struct reading *reading, const struct config_list *list,
		     struct wanted *wanted, struct progress *progress)
{
	return list->urls.count ? read_fetched(reading, list, wanted) :
				  read_file_list(reading, list, wanted, progress);
}

/*
 * Permit bogons and wide prefixes (keys/guard.h) in an excluded list, or in a list of an
 * allow filter. Other lists have limits because they could block too many addresses.
 */
static void permit_all(struct config_list *list)
{
	list->bogons = true;
	list->wide = true;
}

static int read_exclude(struct reading *reading, const struct config_list *list,
			struct wanted *wanted, struct progress *progress)
{
	struct config_list all = *list;
	struct wanted part;
	struct kcuckoo_prefix key;
	size_t at;
	int ret;

	permit_all(&all);
	collection_init(&part.collection, &(struct syntax){ .kind = SYNTAX_INET },
			&(struct note){ .value = 0 });
	wanted_init(&part);
	ret = read_list(reading, &all, &part, progress);
	for (at = 0; !ret && keyset_read(&part.collection.keys, at, &key, 1); at++)
		ret = keyset_add(&wanted->exceptions, &key);
	wanted_free(&part);
	return ret;
}

/*
 * Fail if an excluded list cannot be read, because its addresses would be blocked. For an
 * existing filter, continue only after a list that was never fetched: read_sources() then keeps
 * the present members. For a new filter, continue after any list that cannot be read. But a
 * new allow filter needs all its lists: rules would block the addresses of a list that is left
 * out.
 */
static int read_lists(void *context, struct wanted *wanted,
		      struct progress *progress)
{
	struct reading *reading = context;
	const struct config_filter *filter = reading->filter;
	size_t i;
	int ret;

	reading->excluding = true;
	for (i = 0; i < filter->excludes.count; i++)
		if (read_exclude(reading, filter->excludes.items[i].list, wanted,
				 progress))
			return list_failed(reading);
	reading->excluding = false;
	for (i = 0; i < filter->lists.count; i++) {
		struct config_list list = *filter->lists.items[i].list;

		if (reading->allows)
			permit_all(&list);
		ret = read_list(reading, &list, wanted, progress);
		if (!ret)
			continue;
		list_failed(reading);
		reading->missing |= ret > 0;
		if (reading->exists ? ret < 0 : reading->spares)
			return -1;
	}
	return reading->unused && reading->exists &&
	       !collection_count(&wanted->collection) ? -1 : 0;
}

/* @what: the operation in an error message, see members_read(). */
static int add_members(const struct reading *reading, const char *what,
		       struct wanted *wanted)
{
	const char *name = reading->filter->name;
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	struct cli *cli = reading->sources->cli;
	struct wanted part;
	int ret;

	wanted_init(&part);
	ret = kcuckoo_info(cli->handle, name, &info);
	if (ret)
		return filter_error(cli, ret, name, "read the state of");
	memset(&part.input, 0, sizeof(part.input));
	collection_init(&part.collection, &wanted->collection.syntax,
			&wanted->collection.note);
	part.collection.syntax.max_value = max_value(&info);
	part.collection.syntax.timeouts = info.create_flags & KCUCKOO_CREATE_TIMEOUT;
	keyset_free(&part.collection.keys);
	ret = members_read(cli, name, what, &info, &part.collection.keys);
	if (!ret)
		ret = wanted_add(wanted, &part);
	wanted_free(&part);
	return ret;
}

/*
 * @read of struct wanted_options for steps of kind PLAN_CONVERT: a filter with the same
 * members and other parameters replaces the present filter.
 */
static int read_members(void *context, struct wanted *wanted,
			struct progress *progress)
{
	(void)progress;
	return add_members(context, "change the parameters of", wanted);
}

static enum critical_policy critical_policy(const struct reading *reading)
{
	int given = reading->sources->args->apply.given;

	if (given & APPLY_KEEP_OWN || reading->allows)
		return CRITICAL_KEEP;
	if (given & (APPLY_SKIP_OWN | APPLY_BOOT) || !isatty(STDERR_FILENO))
		return CRITICAL_LEAVE_OUT;
	return CRITICAL_REFUSE;
}

static bool has_same_lists(const struct sources *sources,
			   const struct config_filter *filter)
{
	const struct config_filter *old;
	size_t i;

	if (!sources->applied)
		return true;
	old = config_filter(sources->applied, filter->name);
	if (!old || old->lists.count != filter->lists.count ||
	    old->excludes.count != filter->excludes.count)
		return false;
	for (i = 0; i < old->lists.count; i++)
		if (strcmp(old->lists.items[i].text, filter->lists.items[i].text))
			return false;
	for (i = 0; i < old->excludes.count; i++)
		if (strcmp(old->excludes.items[i].text,
			   filter->excludes.items[i].text))
			return false;
	return true;
}

/*
 * Set the limits for the members of a filter. Usually no limit is needed, because each
 * list was checked against its last good copy. If a list with files had no last good copy
 * before this step, the strictest limits of all lists with files apply to the members. But
 * a filter that gets other lists than before is allowed to shrink and grow without limits.
 * An option of the verb apply replaces the limit of the same name.
 */
static void set_guards(const struct reading *reading, struct guards *guards)
{
	const struct sources *sources = reading->sources;
	const struct config_filter *filter = reading->filter;
	const struct apply_args *given = &sources->args->apply;
	bool same = reading->uncopied && has_same_lists(sources, filter);
	size_t i;

	*guards = (struct guards){ .max_shrink = 100, .wide = true,
				   .max_grow = GUARD_GROW_DEFAULT };
	for (i = 0; same && i < filter->lists.count; i++) {
		const struct config_list *list = filter->lists.items[i].list;

		if (list->urls.count)
			continue;
		if (list->max_shrink < guards->max_shrink)
			guards->max_shrink = list->max_shrink;
		if (list_has(list, "max-grow") && list->max_grow < guards->max_grow)
			guards->max_grow = list->max_grow;
		guards->wide &= list->wide || reading->allows;
	}
	if (given->given & APPLY_MIN)
		guards->min = given->min;
	if (given->given & APPLY_MAX_SHRINK)
		guards->max_shrink = given->max_shrink;
	if (given->given & APPLY_MAX_GROW)
		guards->max_grow = given->max_grow;
	if (given->given & APPLY_WIDE)
		guards->wide = true;
}

/*
 * @read of struct wanted_options for steps of all kinds except PLAN_CONVERT. If a list with a
 * url has no last good copy, keep the present members: possibly the copy was lost, or the
 * list was renamed.
 */
static int read_sources(void *context, struct wanted *wanted,
			struct progress *progress)
{
	struct reading *reading = context;

	if (read_lists(context, wanted, progress))
		return -1;
	set_guards(reading, reading->guards);
	if (!reading->missing || !reading->exists)
		return 0;
	hint(-1, "filter %s loses no member until the list is fetched",
	     reading->filter->name);
	return add_members(reading, "keep the members of", wanted);
}

static void create_empty(struct sources *sources,
			 const struct config_filter *filter)
{
	struct kcuckoo_ioc_create create = filter->create;
	int ret;

	create.flags |= KCUCKOO_CREATE_MANAGED;
	ret = kcuckoo_create(sources->cli->handle, filter->name, &create);
	if (ret)
		filter_error(sources->cli, ret, filter->name, "create");
	else
		warn("filter %s was created without members", filter->name);
	sources->changed |= !ret;
}

/*
 * A rule matches nothing while its allow filter is missing. With an empty allow filter, the
 * rule would block the addresses that it must spare.
 */
static void step_failed(struct reading *reading)
{
	struct sources *sources = reading->sources;

	if (!reading->unused)
		sources->failed++;
	if (reading->exists)
		hint(-1, "filter %s keeps its present members",
		     reading->filter->name);
	else if (reading->spares)
		hint(-1, "filter %s is not created: rules that allow it match nothing until all its lists can be used",
		     reading->filter->name);
	else if (!(sources->args->apply.given & APPLY_DRY_RUN))
		create_empty(sources, reading->filter);
}

/*
 * A filter that blocks addresses is allowed to become empty, because each list of the filter
 * was checked when the list was read. Without the members of an allow filter, rules would
 * block addresses that must not be blocked.
 */
static bool can_be_empty(const struct reading *reading)
{
	const struct config_sources *lists = &reading->filter->lists;
	size_t i;

	if (!reading->allows ||
	    reading->sources->args->given & ARGS_ALLOW_EMPTY)
		return true;
	for (i = 0; i < lists->count; i++)
		if (!may_be_empty(lists->items[i].list))
			return false;
	return true;
}

void sources_apply(struct sources *sources, const struct plan_step *step)
{
	const struct config_filter *filter = step->filter;
	struct reading reading = {
		.sources = sources,
		.filter = filter,
		.exists = step->kind != PLAN_PUBLISH,
		.allows = config_allows_only(sources->config, filter->name),
		.spares = config_allows(sources->config, filter->name),
	};
	char *operands[2] = { (char *)filter->name, NULL };
	struct args args = { .operands = operands, .operand_count = 1 };
	struct apply_options options = {
		.name = filter->name,
		.args = &args,
		.lists = {
			.given = can_be_empty(&reading) ? ARGS_ALLOW_EMPTY : 0,
			.bogons = true,
			.wide = true,
			.configured = true,
			.read = step->kind == PLAN_CONVERT ? read_members : read_sources,
			.context = &reading,
		},
		.own = step->kind == PLAN_CONVERT ? CRITICAL_KEEP :
						    critical_policy(&reading),
		.dry_run = sources->args->apply.given & APPLY_DRY_RUN,
		.diff = sources->args->apply.given & APPLY_DIFF &&
			!sources->cli->json,
		.despite_packets = true,
		.managed = true,
		.create = &filter->create,
		.rebuild = step->kind == PLAN_EXCHANGE || step->kind == PLAN_CONVERT,
		.convert = step->kind == PLAN_CONVERT,
		.terse = true,
	};
	enum apply_outcome outcome;
	struct cli cli = *sources->cli;

	cli.json = false;
	/*
	 * If apply leaves out the addresses that this host needs at present, it also
	 * leaves out the addresses that this host needed earlier.
	 */
	if (options.own == CRITICAL_LEAVE_OUT)
		options.earlier = sources->earlier;
	reading.guards = &options.guards;
	set_guards(&reading, reading.guards);
	if (apply_lists(&cli, &options, &outcome) < 0)
		step_failed(&reading);
	else
		sources->changed |= outcome != APPLY_NOTHING;
}
