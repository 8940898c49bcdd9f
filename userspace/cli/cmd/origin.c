// SPDX-License-Identifier: GPL-2.0-only
/*
 * origins_find() finds the entries of lists that cover an address, for the verb explain.
 * The files and last good copies of a list can have changed since apply read them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/list_file.h"
#include "cmd/origin.h"
#include "conf/texts.h"
#include "fetch/canonical.h"
#include "fetch/state.h"
#include "input/input.h"
#include "keys/cover.h"
#include "message.h"

/**
 * struct search - the search of one list
 * @cli: state of the command
 * @list: the list
 * @exclude: the filter leaves out the addresses of the list
 * @address: the address
 * @origins: the result
 */
struct search {
	const struct cli *cli;
	const struct config_list *list;
	bool exclude;
	const struct kcuckoo_prefix *address;
	struct origins *origins;
};

static const char *list_name(const struct config_list *list)
{
	return *list->name ? list->name : list->files.items[0].text;
}

/* @exception: the list marks the entry as an exception. */
static int add_origin(struct search *search, const struct place *place,
		      bool exception)
{
	struct origins *origins = search->origins;
	struct origin *origin;

	if (origins->count == ORIGINS_MAX) {
		origins->more++;
		return 0;
	}
	origin = array_grow(origins->items, origins->count, sizeof(*origin));
	if (!origin)
		return error("not enough memory");
	origins->items = origin;
	origin += origins->count++;
	*origin = (struct origin){
		.list = strdup(list_name(search->list)),
		.file = strdup(place->file),
		.line = place->number,
		.entry = place->entry,
		.text = strndup(place->text ? place->text : "", place->length),
		.exception = exception || search->exclude,
	};
	return origin->list && origin->file && origin->text ? 0 :
	       error("not enough memory");
}

static int add_gap(struct search *search, const char *why)
{
	struct origins *origins = search->origins;
	struct origin_gap *gap = array_grow(origins->gaps, origins->gap_count,
					    sizeof(*gap));

	if (!gap)
		return error("not enough memory");
	origins->gaps = gap;
	gap += origins->gap_count++;
	gap->list = strdup(list_name(search->list));
	gap->why = strdup(why);
	return gap->list && gap->why ? 0 : error("not enough memory");
}

static bool line_covers(const struct line *line,
			const struct kcuckoo_prefix *address)
{
	if (line->kind == LINE_KEY)
		return cover_has(&line->key, address);
	return line->kind == LINE_RANGE && line->key.family == address->family &&
	       memcmp(line->key.addr, address->addr, sizeof(address->addr)) <= 0 &&
	       memcmp(line->last.addr, address->addr, sizeof(address->addr)) >= 0;
}

static int take_line(void *context, const struct line *line,
		     const struct place *place)
{
	struct search *search = context;

	return line_covers(line, search->address) ?
	       add_origin(search, place, line->exception) : 0;
}

static int search_file(struct search *search, char *name)
{
	char why[512] = "", column[LIST_COLUMN];
	struct input input;
	int ret;

	input_init(&input, &name, 1);
	input.silent = true;
	input.syntax = (struct syntax){
		.max_value = UINT32_MAX, .timeouts = true, .exceptions = true,
	};
	list_file_syntax(&input.syntax, search->list, column);
	error_capture(why, sizeof(why));
	ret = input_run(&input, take_line, search);
	error_capture(NULL, 0);
	if (ret)
		return add_gap(search, *why ? why : "it cannot be read");
	if (input.bad) {
		snprintf(why, sizeof(why), "%s: %llu bad %s", name, input.bad,
			 plural(input.bad, "line", "lines"));
		return add_gap(search, why);
	}
	search->origins->searched++;
	return 0;
}

static int search_files(struct search *search)
{
	char **names = list_file_names(search->list);
	size_t i;
	int ret = 0;

	for (i = 0; names && !ret && i < search->list->files.count; i++)
		ret = search_file(search, names[i]);
	list_file_names_free(names, search->list->files.count);
	return names ? ret : error("not enough memory");
}

/* @file: the last good copy, positioned at line 2, because line 1 describes the copy. */
static int search_lines(struct search *search, FILE *file, const char *path)
{
	struct place place = { .file = path, .number = 1 };
	struct kcuckoo_prefix key;
	char line[128];
	int ret = 0;

	while (!ret && fgets(line, sizeof(line), file)) {
		place.number++;
		place.length = strcspn(line, "\n");
		place.text = line;
		line[place.length] = 0;
		if (!kcuckoo_prefix_parse(line, &key, NULL) &&
		    cover_has(&key, search->address))
			ret = add_origin(search, &place, false);
	}
	return ret;
}

static int search_copy(struct search *search)
{
	char path[STATE_PATH + FILE_NAME + 1], where[STATE_PATH];
	char why[CANONICAL_WHY], name[FILE_NAME];
	int fd, ret, folder = state_open_lists(search->cli->netns);
	struct canonical canonical;
	FILE *file;

	if (folder < 0)
		return add_gap(search, folder == -ENOENT ? "it was not fetched yet" :
						 strerror(-folder));
	fd = canonical_open(folder, state_file(search->list->name, "list", name),
			    search->list->name, &canonical, NULL, why);
	close(folder);
	if (fd == -ENOENT)
		return add_gap(search, "it was not fetched yet");
	if (fd < 0)
		return add_gap(search, why);
	/* state_open_lists() opened the folder with this path. */
	state_lists_path(search->cli->netns, where);
	snprintf(path, sizeof(path), "%s/%s", where, name);
	file = fdopen(fd, "r");
	if (!file) {
		close(fd);
		return error("not enough memory");
	}
	ret = search_lines(search, file, path);
	fclose(file);
	search->origins->searched++;
	return ret;
}

static int search_sources(struct search *search,
			  const struct config_sources *sources, bool exclude)
{
	size_t i;
	int ret = 0;

	search->exclude = exclude;
	for (i = 0; !ret && i < sources->count; i++) {
		search->list = sources->items[i].list;
		ret = search->list->urls.count ? search_copy(search) :
						 search_files(search);
	}
	return ret;
}

int origins_find(const struct cli *cli, const struct config_filter *filter,
		 const struct kcuckoo_prefix *address, struct origins *origins)
{
	struct search search = {
		.cli = cli, .address = address, .origins = origins,
	};

	*origins = (struct origins){ .known = filter && filter->lists.count };
	if (!origins->known)
		return 0;
	return search_sources(&search, &filter->lists, false) ||
	       search_sources(&search, &filter->excludes, true) ? -1 : 0;
}

void origins_free(struct origins *origins)
{
	size_t i;

	for (i = 0; i < origins->count; i++) {
		free(origins->items[i].list);
		free(origins->items[i].file);
		free(origins->items[i].text);
	}
	for (i = 0; i < origins->gap_count; i++) {
		free(origins->gaps[i].list);
		free(origins->gaps[i].why);
	}
	free(origins->items);
	free(origins->gaps);
}
