// SPDX-License-Identifier: GPL-2.0-only
/* These functions read the members of an exact filter to a keyset. */
#include <errno.h>
#include <stdlib.h>

#include "keys/members.h"
#include "message.h"
#include "progress.h"

/*
 * A walk reads all members, in several calls of the library. If an add moves members
 * between two calls, a new walk must start. The first walk reads PAGE_MEMBERS members
 * per call. Later walks read as many members per call as the kernel allows, because an
 * add between two calls is less likely if a walk has fewer calls. No walk starts later
 * than PATIENCE seconds after the start of the first walk.
 */
#define PATIENCE	20
#define PAGE_MEMBERS	65536

/*
 * State of the walks over the members of a filter. @set: the members of the current walk. @page:
 * buffer for the members of one call. @attempts: number of walks so far.
 */
struct walker {
	struct cli *cli;
	const char *name;
	struct keyset *set;
	const struct pick *pick;
	struct kcuckoo_members page;
	int attempts;
};

static bool is_wanted(const struct walker *walker, size_t i)
{
	const struct pick *pick = walker->pick;

	if (!pick)
		return true;
	return (!pick->valued || walker->page.values[i] == pick->value) &&
	       keyset_covers(pick->within, &walker->page.keys[i]);
}

static int add_wanted(struct walker *walker, size_t count)
{
	const struct kcuckoo_members *page = &walker->page;
	struct note note = { .value = 0 };
	size_t i;

	for (i = 0; i < count; i++) {
		if (!is_wanted(walker, i))
			continue;
		if (page->values)
			note.value = page->values[i];
		if (page->timeouts)
			note.timeout = page->timeouts[i];
		if (keyset_add_noted(walker->set, &page->keys[i], &note))
			return -ENOMEM;
	}
	return 0;
}

/*
 * Walk once over all members, and add the selected members to @set of @walker. Return: enum
 * kcuckoo_walk_state, or -errno.
 */
static int walk(struct walker *walker)
{
	struct kcuckoo_cursor cursor = { .move_seq = 0 };
	size_t done;
	int state;

	keyset_clear(walker->set);
	do {
		state = kcuckoo_walk(walker->cli->handle, walker->name, &cursor,
				     &walker->page, &done);
		if (add_wanted(walker, done))
			return -ENOMEM;
	} while (state == KCUCKOO_WALK_MORE);
	return state;
}

/* Repeat the walk until no add interrupts the walk, or until PATIENCE seconds have passed. */
static int walk_patiently(struct walker *walker)
{
	double end = clock_seconds() + PATIENCE;
	int state;

	walker->page.count = PAGE_MEMBERS;
	do {
		state = walk(walker);
		walker->attempts++;
		walker->page.count = KCUCKOO_BATCH_MAX;
	} while (state == KCUCKOO_WALK_RESTART && clock_seconds() < end);
	detail(walker->cli, "attempts to list the members: %d",
	       walker->attempts);
	return state;
}

/*
 * Allocate a buffer for the largest number of members of one call. The first walk needs less,
 * but parts of the buffer that are never written take no memory.
 */
static bool page_alloc(struct kcuckoo_members *page,
		       const struct kcuckoo_ioc_info *info)
{
	bool timeouts = info->create_flags & KCUCKOO_CREATE_TIMEOUT;
	size_t count = KCUCKOO_BATCH_MAX;

	page->keys = malloc(count * sizeof(*page->keys));
	if (info->value_bits)
		page->values = malloc(count * sizeof(*page->values));
	if (timeouts)
		page->timeouts = malloc(count * sizeof(*page->timeouts));
	return page->keys && (page->values || !info->value_bits) &&
	       (page->timeouts || !timeouts);
}

static int read_members(struct cli *cli, const char *name, const char *what,
			const struct kcuckoo_ioc_info *info,
			const struct pick *pick, struct keyset *set)
{
	struct walker walker = {
		.cli = cli,
		.name = name,
		.set = set,
		.pick = pick,
	};
	int ret;

	keyset_init(set);
	if (info->tag_bits)
		return hint(error("cannot %s '%s': it does not store its members",
				  what, name),
			    "it stores fingerprints: 'kcuckoo test' looks up keys, 'kcuckoo save' saves the whole filter");
	if (!pick && (info->value_bits || info->create_flags & KCUCKOO_CREATE_TIMEOUT))
		keyset_keep_notes(set);
	ret = page_alloc(&walker.page,
			 info) ? walk_patiently(&walker) : -ENOMEM;
	kcuckoo_members_free(&walker.page);
	if (ret == KCUCKOO_WALK_RESTART)
		return hint(error("'%s' changes too fast to be listed: %d attempts in %d s",
				  name, walker.attempts, PATIENCE),
			    "try again when nothing is being added to it");
	if (ret == -ENOMEM)
		return error("not enough memory to %s '%s'", what, name);
	if (ret < 0)
		return filter_error(cli, ret, name, what);
	keyset_sort(set);
	return 0;
}

int members_read(struct cli *cli, const char *name, const char *what,
		 const struct kcuckoo_ioc_info *info, struct keyset *set)
{
	return read_members(cli, name, what, info, NULL, set);
}

int members_pick(struct cli *cli, const char *name, const char *what,
		 const struct kcuckoo_ioc_info *info, const struct pick *pick,
		 struct keyset *set)
{
	return read_members(cli, name, what, info, pick, set);
}
