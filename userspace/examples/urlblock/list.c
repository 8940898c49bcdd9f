// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions write a list, a sorted file of URLs, and search it exactly,
 * without false positives.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "../message.h"
#include "list.h"

static int compare(const struct span *a, const struct span *b)
{
	size_t length = a->length < b->length ? a->length : b->length;
	int order = memcmp(a->text, b->text, length);

	return order ? order : (a->length > b->length) - (a->length < b->length);
}

int list_open(struct list *list, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat stat;
	void *map;

	if (fd < 0 || fstat(fd, &stat)) {
		error("%s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	list->text = NULL;
	list->size = stat.st_size;
	if (list->size) {
		map = mmap(NULL, list->size, PROT_READ, MAP_PRIVATE, fd, 0);
		list->text = map == MAP_FAILED ? NULL : map;
	}
	close(fd);
	if (list->size && !list->text)
		return error("%s: %s", path, strerror(errno));
	return 0;
}

void list_close(struct list *list)
{
	if (list->text)
		munmap((void *)list->text, list->size);
}

static void sum_add(struct sum *sum, const void *bytes, size_t length)
{
	sum->crc = crc32_z(sum->crc, bytes, length);
	sum->size += length;
}

struct sum list_sum(const struct list *list)
{
	struct sum sum = { .crc = 0 };

	/*
	 * An empty list is not mapped, so its text is NULL: crc32_z() would
	 * take NULL as a request for the initial value.
	 */
	if (list->size)
		sum_add(&sum, list->text, list->size);
	return sum;
}

/*
 * Return: the line that has the byte at position @at, without its newline. If this
 * byte is a newline, it belongs to the line before it.
 */
static struct span line_at(const struct list *list, size_t at)
{
	const char *before = at ? memrchr(list->text, '\n', at) : NULL;
	const char *end = memchr(list->text + at, '\n', list->size - at);
	const char *text = before ? before + 1 : list->text;

	if (!end)
		end = list->text + list->size;
	return (struct span){ text, end - text };
}

/*
 * Do a binary search over the bytes of the file. All lines before position @low are
 * smaller than @url, and all lines from position @high on are larger.
 */
bool list_contains(const struct list *list, const struct span *url)
{
	size_t low = 0, high = list->size;

	while (low < high) {
		struct span line = line_at(list, low + (high - low) / 2);
		int order = compare(&line, url);

		if (!order)
			return true;
		if (order < 0)
			low = line.text + line.length + 1 - list->text;
		else
			high = line.text - list->text;
	}
	return false;
}

static struct span draft_span(const struct draft *draft, size_t i)
{
	return (struct span){
		draft->bytes + draft->offsets[i], draft->lengths[i]
	};
}

static int draft_grow(struct draft *draft, size_t length)
{
	void *place;

	if (draft->size + length > draft->capacity) {
		draft->capacity = 2 * draft->capacity + length;
		place = realloc(draft->bytes, draft->capacity);
		if (!place)
			return error("not enough memory");
		draft->bytes = place;
	}
	if (draft->count < draft->rows)
		return 0;
	draft->rows = 2 * draft->rows + 1024;
	place = reallocarray(draft->offsets, draft->rows,
			     sizeof(*draft->offsets));
	if (!place)
		return error("not enough memory");
	draft->offsets = place;
	place = reallocarray(draft->lengths, draft->rows,
			     sizeof(*draft->lengths));
	if (!place)
		return error("not enough memory");
	draft->lengths = place;
	return 0;
}

int draft_add(struct draft *draft, const char *url, size_t length)
{
	if (draft_grow(draft, length))
		return -1;
	memcpy(draft->bytes + draft->size, url, length);
	draft->offsets[draft->count] = draft->size;
	draft->lengths[draft->count++] = length;
	draft->size += length;
	return 0;
}

static int compare_spans(const void *a, const void *b)
{
	return compare(a, b);
}

int draft_sort(struct draft *draft)
{
	struct span *spans = reallocarray(NULL, draft->count + 1,
					  sizeof(*spans));
	struct draft sorted = { .bytes = NULL };
	size_t i;
	int ret = 0;

	if (!spans)
		return error("not enough memory");
	for (i = 0; i < draft->count; i++)
		spans[i] = draft_span(draft, i);
	qsort(spans, draft->count, sizeof(*spans), compare_spans);
	for (i = 0; i < draft->count && !ret; i++)
		if (!i || compare(&spans[i - 1], &spans[i]))
			ret = draft_add(&sorted, spans[i].text,
					spans[i].length);
	free(spans);
	draft_free(draft);
	*draft = sorted;
	return ret;
}

struct sum draft_sum(const struct draft *draft)
{
	struct sum sum = { .crc = 0 };
	struct span span;
	size_t i;

	for (i = 0; i < draft->count; i++) {
		span = draft_span(draft, i);
		sum_add(&sum, span.text, span.length);
		sum_add(&sum, "\n", 1);
	}
	return sum;
}

int draft_write(const struct draft *draft, const char *path)
{
	char name[4096];
	struct span span;
	FILE *file;
	size_t i;
	int bad;

	if (snprintf(name, sizeof(name), "%s.new", path) >= (int)sizeof(name))
		return error("%s: the name is too long", path);
	file = fopen(name, "w");
	if (!file)
		return error("%s: %s", name, strerror(errno));
	for (i = 0; i < draft->count; i++) {
		span = draft_span(draft, i);
		fwrite(span.text, 1, span.length, file);
		putc('\n', file);
	}
	bad = ferror(file);
	bad |= fclose(file);
	if (!bad && !rename(name, path))
		return 0;
	error("%s: %s", bad ? name : path, strerror(errno));
	unlink(name);
	return -1;
}

void draft_free(struct draft *draft)
{
	free(draft->bytes);
	free(draft->offsets);
	free(draft->lengths);
	memset(draft, 0, sizeof(*draft));
}
