// SPDX-License-Identifier: GPL-2.0-only
/*
 * list_accept() replaces the last good copy of a list by a copy that a check has
 * refused, for the verb accept.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "fetch/list.h"
#include "fetch/status.h"
#include "message.h"

static int read_refused(const struct state *state, const char *name,
			struct canonical *refused, struct keyset *set)
{
	char file[FILE_NAME], why[CANONICAL_WHY];
	int fd;

	fd = canonical_open(state->lists, state_file(name, "refused", file), name,
			    refused, NULL, why);
	if (fd == -ENOENT)
		return error("list %s: no copy of it was refused", name);
	if (fd < 0)
		return error("list %s: the copy that was refused %s", name, why);
	return canonical_read(fd, set) ?
	       error("list %s: the copy that was refused cannot be read", name) : 0;
}

/* Set @good to zeros if the list has no last good copy, or if canonical_open() rejects it. */
static void describe_good(const struct state *state, const char *name,
			  struct canonical *good)
{
	char file[FILE_NAME], why[CANONICAL_WHY];
	int fd;

	fd = canonical_open(state->lists, state_file(name, "list", file), name, good,
			    NULL, why);
	if (fd >= 0)
		close(fd);
	else
		memset(good, 0, sizeof(*good));
}

/*
 * Write the last good copy before the refused copy is removed: after a crash between these
 * steps, the refused copy still exists, and can be accepted again.
 */
static int write_good(const struct state *state, const char *name,
		      const struct keyset *set)
{
	struct canonical canonical;
	char file[FILE_NAME];
	int ret;

	canonical_describe(&canonical, name, set, NULL);
	ret = canonical_write(state->lists, state_file(name, "list", file),
			      &canonical, set);
	if (!ret)
		ret = file_remove(state->lists, state_file(name, "refused", file));
	return ret ? error("list %s: its state cannot be written: %s", name,
			   strerror(-ret)) : 0;
}

/*
 * Compare the URLs and the syntax of @list with those of the last attempt to fetch the list.
 * The refused copy has the URLs and the syntax of that attempt, because list_fetch() removes
 * any other refused copy.
 */
static int check_source(const struct state *state, const struct list *list)
{
	struct list_status status;

	status_read(state->cache, list->name, &status);
	if (!status_has_other_source(list, &status))
		return 0;
	return hint(error("the refused copy of list %s was read with another url, format or setting of bogons",
			  list->name),
		    "'kcuckoo fetch %s' fetches the list", list->name);
}

/*
 * The refused copy is now the last good copy, so the attempt that refused it does not count
 * as failed any more. A later attempt can have failed for another reason than @reason.
 */
static void end_failure(const struct state *state, const char *name, const char *reason)
{
	struct list_status status;

	status_read(state->cache, name, &status);
	if (!*status.why || strcmp(status.why, reason))
		return;
	*status.why = 0;
	if (status_write(state->cache, name, &status))
		warn("list %s: its status cannot be written to the cache", name);
}

int list_accept(const struct state *state, const struct list *list,
		struct canonical *refused, struct canonical *good)
{
	struct keyset set;
	int ret;

	keyset_init(&set);
	ret = read_refused(state, list->name, refused, &set);
	describe_good(state, list->name, good);
	if (!ret)
		ret = check_source(state, list);
	if (!ret)
		ret = write_good(state, list->name, &set);
	if (!ret)
		end_failure(state, list->name, refused->reason);
	keyset_free(&set);
	return ret;
}
