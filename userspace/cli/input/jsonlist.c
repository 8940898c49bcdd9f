// SPDX-License-Identifier: GPL-2.0-only
/*
 * jsonlist_read() reads lists in JSON: document.c parses the documents, and selection.c
 * selects addresses in the documents.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/document.h"
#include "input/jsonkey.h"
#include "input/jsonlist.h"
#include "input/selection.h"

const char * const jsonlist_options[] = { "where", "set", "key", NULL };

/*
 * Set the condition for objects: the option "where=KEY:VALUE", or else @json_where of the
 * syntax. @key receives a copy of KEY, which the caller frees.
 */
static int set_where(struct selection *selection, char **key)
{
	const char *where = spec_option(selection->reader->spec, "where");
	const char *colon;

	if (!where)
		where = selection->reader->syntax.json_where;
	if (!where)
		return 0;
	colon = strchr(where, ':');
	if (!colon || colon == where || !colon[1])
		return error("%s: a condition has the form where=KEY:VALUE",
			     selection->reader->place.file);
	*key = strndup(where, colon - where);
	if (!*key)
		return error("not enough memory");
	selection->where = *key;
	selection->equals = colon + 1;
	return 0;
}

/*
 * Check that no JSON key in @keys is empty, and that no blank is next to a comma: the blank
 * would be part of the key.
 */
static int check_keys(const struct reader *reader, const char *keys)
{
	if (!keys || (!jsonkey_is_listed(keys, "") && !strstr(keys, ", ") &&
		      !strstr(keys, " ,")))
		return 0;
	return error("%s: '%s' has an empty JSON key, or a blank next to a comma: the form is KEY,KEY",
		     reader->place.file, keys);
}

static ssize_t feed(void *context, void *to, size_t size)
{
	return reader_bytes(context, to, size);
}

static int take_documents(struct selection *selection,
			  struct documents *documents)
{
	struct reader *reader = selection->reader;
	json_t *document;
	char why[256];
	int ret;

	while ((ret = documents_next(documents, &document)) > 0) {
		reader->place.number = documents->number;
		ret = selection_take(selection, document);
		json_decref(document);
		if (ret)
			return ret;
	}
	if (ret && documents->feed_failed)
		return -1;
	reader->place.number = documents->number;
	if (ret)
		return reader_error(reader, "%s", escape(documents->why,
							 strlen(documents->why),
							 why, sizeof(why)));
	return selection_finish(selection);
}

static int take_text(struct selection *selection)
{
	struct documents documents;
	int ret;

	if (documents_begin(&documents, feed, selection->reader))
		ret = error("not enough memory");
	else
		ret = take_documents(selection, &documents);
	documents_end(&documents);
	return ret;
}

int jsonlist_read(struct reader *reader)
{
	struct selection selection = {
		.reader = reader,
		.set = spec_option(reader->spec, "set"),
		.keys = spec_option(reader->spec, "key"),
	};
	char *key = NULL;
	int ret;

	if (!selection.keys)
		selection.keys = reader->syntax.json_keys;
	ret = check_keys(reader, selection.keys);
	if (!ret)
		ret = set_where(&selection, &key);
	if (!ret)
		ret = take_text(&selection);
	free(key);
	return ret;
}
