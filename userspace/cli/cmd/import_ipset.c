// SPDX-License-Identifier: GPL-2.0-only
/*
 * import_ipset() takes over the sets in the output of "ipset save", for the verb import.
 * import_ipset() copies the output to a temporary file. Then input/ipset.c reads the copy
 * as a list, once for each set.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/import.h"
#include "conf/texts.h"
#include "input/ipset.h"
#include "tempfile.h"

/* Size of a buffer for the name of a list, in the form FORMAT:FILE?set=SET. */
#define LIST_NAME	(IMPORT_NAME + 64)

/**
 * struct created - names of the sets of all lines "create" so far
 * @names: the names, including the names of sets that cannot be taken over
 * @count: number of names
 * @last: index in @names of the set of the previous line. Most lines add to the same set
 *	as the previous line, so is_created() compares this name first
 */
struct created {
	char (*names)[IPSET_NAME];
	size_t count;
	size_t last;
};

static int add_created(struct created *created, const char *name)
{
	char (*names)[IPSET_NAME] = array_grow(created->names, created->count,
					       sizeof(*names));

	if (!names)
		return error("not enough memory");
	created->names = names;
	created->last = created->count++;
	strcpy(names[created->last], name);
	return 0;
}

static bool is_created(struct created *created, const char *name)
{
	size_t i;

	if (created->count && !strcmp(created->names[created->last], name))
		return true;
	for (i = 0; i < created->count; i++) {
		if (!strcmp(created->names[i], name)) {
			created->last = i;
			return true;
		}
	}
	return false;
}

static int add_set(struct import *import, const struct ipset_create *create,
		   unsigned long line)
{
	char place[IMPORT_PLACE];
	struct import_set *set;

	snprintf(place, sizeof(place), "%s:%lu: set %s", import->source, line,
		 create->name);
	if (*create->why)
		return import_reject(import, place, "it has type %s: %s", create->type,
				     create->why);
	if (create->skbinfo)
		return import_reject(import, place, "its entries set marks and priorities");
	if (!is_valid_name(create->name) || *create->name == '.')
		return import_reject(import, place, "its name is not valid for a filter");
	set = import_add_set(import);
	if (!set)
		return -1;
	strcpy(set->set, create->name);
	strcpy(set->place, place);
	set->family = create->inet6 ? KCUCKOO_FAMILY_IPV6 : KCUCKOO_FAMILY_IPV4;
	set->timed = create->timed;
	set->timeout = create->timeout;
	return 0;
}

static int parse_line(struct import *import, struct created *created,
		      const char *line, size_t length, unsigned long number)
{
	struct ipset_create create;
	char name[IPSET_NAME];

	if (ipset_scan_create(line, length, &create)) {
		/*
		 * With two sets of the same name, it is unknown to which set an entry
		 * belongs.
		 */
		if (is_created(created, create.name))
			return error("%s:%lu: the file creates the set %s twice",
				     import->source, number, create.name);
		return add_created(created, create.name) ||
		       add_set(import, &create, number) ? -1 : 0;
	}
	/*
	 * Refuse any other line, except a line "add" and a line that changes no set. If
	 * this function ignored, for example, a line that is cut off or that removes an
	 * entry, the filter would have wrong members.
	 */
	if (!ipset_scan_add(line, length, name, NULL, 0))
		return ipset_is_ignored(line, length) ? 0 :
		       error("%s:%lu: the line is neither 'create SET TYPE' nor 'add SET ENTRY'",
			     import->source, number);
	if (!is_created(created, name))
		return error("%s:%lu: no line before creates the set %s",
			     import->source, number, name);
	return 0;
}

/* Copy the text, and take over all sets, but not yet the entries of the sets. */
static int read_sets(struct import *import, FILE *file, FILE *copy)
{
	struct created created = { .count = 0 };
	unsigned long number = 0;
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	int ret = 0;

	while (!ret && (length = getline(&line, &size, file)) > 0) {
		number++;
		fwrite(line, 1, length, copy);
		if (line[length - 1] == '\n')
			length--;
		ret = parse_line(import, &created, line, length, number);
	}
	free(created.names);
	free(line);
	if (!ret && (fflush(copy) || ferror(copy)))
		ret = error("cannot write a temporary file");
	return ret;
}

static int read_entries(struct import *import, int copy)
{
	struct import_set **sets = import->sets;
	int i, ret = 0, count = import->set_count;
	char list[LIST_NAME];

	/* Keep only those sets in the array whose entries can be taken over. */
	import->set_count = 0;
	for (i = 0; i < count; i++) {
		snprintf(list, sizeof(list), "ipset:/proc/self/fd/%d?set=%s", copy,
			 sets[i]->set);
		if (ret >= 0)
			ret = import_read_keys(import, sets[i], list, true);
		if (!ret) {
			sets[import->set_count++] = sets[i];
			continue;
		}
		collection_free(&sets[i]->keys);
		free(sets[i]);
	}
	return ret < 0 ? ret : 0;
}

int import_ipset(struct import *import, FILE *file)
{
	int fd = tempfile_open(), ret;
	char why[256];
	FILE *copy;

	if (fd < 0) {
		tempfile_why(-fd, why, sizeof(why));
		return error("%s", why);
	}
	copy = fdopen(fd, "w");
	if (!copy) {
		close(fd);
		return error("not enough memory");
	}
	ret = read_sets(import, file, copy);
	if (!ret)
		ret = read_entries(import, fd);
	fclose(copy);
	return ret;
}
