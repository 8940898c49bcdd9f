// SPDX-License-Identifier: GPL-2.0-only
/*
 * list_metrics() writes the state of the lists of a configuration as metrics for
 * Prometheus, from the files that the verb fetch has written. The value of the label "list"
 * is the name of a list, never its URL.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd/list_metrics.h"
#include "fetch/list.h"
#include "fetch/status.h"
#include "message.h"

/**
 * struct list_row - the state of a list
 * @name: name of the list
 * @members: number of members of the last good copy
 * @confirmed: last time at which the last good copy was known to be up to date; 0 if
 *	the copy is missing or damaged
 * @stale: the last good copy is missing, damaged, or too old for list_age_state()
 * @refused: if a check refused a newer copy, result of list_refused_word(), such as
 *	"shrink"; otherwise NULL
 * @status: results of the last attempts to fetch the list
 */
struct list_row {
	const char *name;
	__u64 members;
	time_t confirmed;
	bool stale;
	const char *refused;
	struct list_status status;
};

static void read_row(int lists, int cache, const struct config_list *list,
		     struct list_row *row)
{
	const struct list_limits limits = { list->stale, list->expire };
	char why[CANONICAL_WHY], file[FILE_NAME];
	struct canonical canonical;
	int fd;

	*row = (struct list_row){ .name = list->name };
	status_read(cache, list->name, &row->status);
	fd = canonical_open(lists, state_file(list->name, "list", file),
			    list->name, &canonical, &row->confirmed, why);
	if (fd >= 0) {
		close(fd);
		row->members = canonical.members;
	} else {
		row->confirmed = 0;
	}
	row->stale = list_age_state(&limits, row->confirmed, time(NULL)) !=
		     LIST_AGE_FRESH;
	fd = canonical_open(lists, state_file(list->name, "refused", file),
			    list->name, &canonical, NULL, why);
	if (fd < 0)
		return;
	close(fd);
	row->refused = list_refused_word(canonical.reason);
}

static void write_rows(struct exposition *to, const struct list_row *rows,
		       size_t count)
{
	size_t i;

	exposition_metric(to, "list_entries", "gauge",
			  "Members of the last good copy of a list.");
	for (i = 0; i < count; i++)
		exposition_value(to, rows[i].members, "list", rows[i].name, NULL);
	exposition_metric(to, "list_bad_lines", "gauge",
			  "Lines that were not understood when the list was read last.");
	for (i = 0; i < count; i++)
		exposition_value(to, rows[i].status.bad, "list", rows[i].name,
				 NULL);
	exposition_metric(to, "list_last_success_timestamp_seconds", "gauge",
			  "When the last good copy of a list was known to be up to date; 0 without a copy.");
	for (i = 0; i < count; i++)
		exposition_value(to, rows[i].confirmed, "list", rows[i].name,
				 NULL);
	exposition_metric(to, "list_stale", "gauge",
			  "1 if the last good copy of a list is missing or too old.");
	for (i = 0; i < count; i++)
		exposition_value(to, rows[i].stale, "list", rows[i].name, NULL);
	exposition_metric(to, "list_fetch_failures_total", "counter",
			  "Attempts to fetch a list that failed, or whose copy was refused.");
	for (i = 0; i < count; i++)
		exposition_value(to, rows[i].status.failures, "list",
				 rows[i].name, NULL);
	exposition_metric(to, "list_refused", "gauge",
			  "1 for a list whose newer copy a check refused.");
	for (i = 0; i < count; i++)
		if (rows[i].refused)
			exposition_value(to, 1, "list", rows[i].name, "reason",
					 rows[i].refused, NULL);
}

int list_metrics(struct exposition *exposition, const struct cli *cli,
		 const struct config *config)
{
	struct list_row *rows = calloc(config->list_count + 1, sizeof(*rows));
	int lists = state_open_lists(cli->netns);
	int cache = state_open_cache(cli->netns);
	size_t i, count = 0;

	for (i = 0; rows && i < config->list_count; i++)
		if (config->lists[i]->used && config->lists[i]->urls.count)
			read_row(lists, cache, config->lists[i], &rows[count++]);
	if (lists >= 0)
		close(lists);
	if (cache >= 0)
		close(cache);
	if (!rows)
		return error("not enough memory");
	if (count)
		write_rows(exposition, rows, count);
	free(rows);
	return 0;
}
