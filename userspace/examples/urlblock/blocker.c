// SPDX-License-Identifier: GPL-2.0-only
/*
 * A blocker looks up the forms of a URL in a filter in the kernel. If the filter contains a form,
 * the blocker also looks up this form in the list, a sorted file, because the filter has false
 * positives.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../message.h"
#include "blocker.h"

static int filter_error(const char *name, const char *what, int ret)
{
	return error("cannot %s the filter '%s': %s%s", what, name,
		     kcuckoo_strerror(ret),
		     ret == -ENOENT ? ": 'urlblock load' creates it" : "");
}

/* The marks are keys with the checksum @sum of a list. */
static void marks_make(struct marks *marks, struct sum sum)
{
	int i;

	marks->size = 0;
	for (i = 0; i < MARKS; i++) {
		marks->lengths[i] = sprintf(marks->bytes + marks->size,
					    "mark %d: %08x %zu", i, sum.crc,
					    sum.size);
		marks->size += marks->lengths[i];
	}
}

/* Add the URLs of a draft, and the marks of its list, to the staged filter. */
static int fill(struct kcuckoo *handle, const struct draft *draft)
{
	const struct kcuckoo_batch urls = {
		.bytes = draft->bytes,
		.lengths = draft->lengths,
		.count = draft->count,
	};
	struct marks marks;
	const struct kcuckoo_batch more = {
		.bytes = marks.bytes,
		.lengths = marks.lengths,
		.count = MARKS,
	};
	int ret;

	marks_make(&marks, draft_sum(draft));
	ret = kcuckoo_add(handle, NULL, 0, &urls, NULL);
	return ret ? ret : kcuckoo_add(handle, NULL, 0, &more, NULL);
}

/* Give the name @name to the staged filter, a new filter without a name. */
static int publish_or_replace(struct kcuckoo *handle, const char *name)
{
	int ret = kcuckoo_replace_staged(handle, name, NULL);

	return ret == -ENOENT ? kcuckoo_publish(handle, name, 0) : ret;
}

/*
 * Fill a new filter, write the list to the file @path, and replace the old filter last. So
 * the name never has a half-filled filter. If the program ends or fails after it wrote the
 * file and before it replaced the filter, the marks in the filter do not match the file.
 */
static int load(struct kcuckoo *handle, const char *name,
		const struct draft *draft, const char *path)
{
	struct kcuckoo_ioc_create options = {
		.size = sizeof(options),
		.flags = KCUCKOO_CREATE_INSERT_ONLY,
		.type = KCUCKOO_TYPE_BYTES,
		/* Attackers can choose the URLs: siphash resists this. */
		.hash = KCUCKOO_HASH_SIPHASH,
		.fpr = FALSE_POSITIVES * (1ULL << 32),
		.capacity = draft->count + MARKS,
	};
	int ret = kcuckoo_create_staged(handle, &options);

	if (ret)
		return filter_error(name, "make", ret);
	ret = fill(handle, draft);
	if (ret)
		return filter_error(name, "fill", ret);
	if (draft_write(draft, path))
		return -1;
	ret = publish_or_replace(handle, name);
	return ret ? filter_error(name, "replace", ret) : 0;
}

int blocker_load(const char *name, const struct draft *draft, const char *path)
{
	struct kcuckoo *handle;
	int ret;

	ret = kcuckoo_open(&handle, NULL);
	if (ret)
		return device_error(ret);
	ret = load(handle, name, draft, path);
	/* After an error, closing the device destroys the staged filter. */
	kcuckoo_close(handle);
	return ret;
}

int blocker_open(struct blocker *blocker, const char *name, const char *path)
{
	int ret;

	memset(blocker, 0, sizeof(*blocker));
	blocker->name = name;
	blocker->path = path;
	if (list_open(&blocker->list, path))
		return -1;
	marks_make(&blocker->marks, list_sum(&blocker->list));
	ret = kcuckoo_open(&blocker->handle, NULL);
	if (!ret)
		return 0;
	list_close(&blocker->list);
	return device_error(ret);
}

void blocker_close(struct blocker *blocker)
{
	kcuckoo_close(blocker->handle);
	list_close(&blocker->list);
}

/*
 * Look up all forms of a URL, and the marks of the list, in one call, because another
 * filter could replace this filter between two calls. @results: out: one element for each
 * form, and then one for each mark. Return: 0; or -1 after an error message, also if the
 * filter lacks a mark.
 */
static int look_up(struct blocker *blocker, const struct span *forms, int count,
		   uint8_t *results)
{
	static char bytes[URL_FORMS * URL_MAX + sizeof(blocker->marks.bytes)];
	const struct marks *marks = &blocker->marks;
	uint16_t lengths[URL_FORMS + MARKS];
	const struct kcuckoo_batch batch = {
		.bytes = bytes,
		.lengths = lengths,
		.count = count + MARKS,
		.results = results,
	};
	char *at = bytes;
	int i, ret;

	for (i = 0; i < count; i++) {
		at = mempcpy(at, forms[i].text, forms[i].length);
		lengths[i] = forms[i].length;
	}
	memcpy(at, marks->bytes, marks->size);
	memcpy(lengths + count, marks->lengths, sizeof(marks->lengths));
	ret = kcuckoo_test(blocker->handle, blocker->name, 0, &batch, NULL);
	if (ret)
		return filter_error(blocker->name, "read", ret);
	for (i = 0; i < MARKS; i++)
		if (results[count + i] != KCUCKOO_RESULT_PRESENT)
			return error("filter '%s' does not match %s: 'urlblock load' creates both",
				     blocker->name, blocker->path);
	return 0;
}

int blocker_check(struct blocker *blocker, const struct span *url,
		  struct span *entry)
{
	struct span forms[URL_FORMS];
	uint8_t results[URL_FORMS + MARKS];
	int i, count, found = 0;

	count = url_forms(url->text, url->length, forms);
	if (look_up(blocker, forms, count, results))
		return -1;
	blocker->looked_up += count;
	for (i = 0; i < count; i++) {
		if (results[i] != KCUCKOO_RESULT_PRESENT)
			continue;
		blocker->read++;
		if (list_contains(&blocker->list, &forms[i])) {
			*entry = forms[i];
			found = 1;
		} else {
			blocker->not_listed++;
		}
	}
	return found;
}

double blocker_expected(struct blocker *blocker)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	int ret;

	ret = kcuckoo_info(blocker->handle, blocker->name, &info);
	if (ret)
		return filter_error(blocker->name, "read", ret);
	return kcuckoo_expected_fpr(&info, 0);
}
