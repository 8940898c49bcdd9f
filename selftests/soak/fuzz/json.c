// SPDX-License-Identifier: GPL-2.0-only
/*
 * The input is a list in JSON, after some bytes that choose its options and how its keys
 * are parsed. Each key that is taken has to be valid and to stand in the text, and a second
 * run has to find the same keys.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "input/document.h"
#include "input/input.h"
#include "tap.h"

#include "bytes.h"

/* What a run found. */
struct found {
	u64 count;
	u64 sum;
	bool timeouts;
};

static int take(void *context, const struct line *line, const struct place *place)
{
	char text[KCUCKOO_PREFIX_TEXT];
	struct found *found = context;
	int i;

	tap_require(line->kind == LINE_KEY || line->kind == LINE_RANGE, "%d", line->kind);
	tap_require(kcuckoo_prefix_format(&line->key, text) > 0, "an invalid key");
	tap_require(line->kind == LINE_KEY || kcuckoo_prefix_format(&line->last, text) > 0,
		    "an invalid range");
	tap_require(!(line->has & LINE_TIMEOUT) ||
		    (found->timeouts && line->timeout && line->timeout <= KCUCKOO_TIMEOUT_MAX),
		    "timeout %u", line->timeout);
	tap_require(!(line->has & LINE_VALUE), "a value");
	tap_require(place->number && place->entry, "no place");
	found->count++;
	for (i = 0; i < 16; i++)
		found->sum = 31 * found->sum + line->key.addr[i];
	found->sum = 31 * found->sum + line->key.plen;
	return 0;
}

static int run(char *path, const struct syntax *syntax, struct found *found)
{
	struct input input;
	int ret;

	memset(found, 0, sizeof(*found));
	found->timeouts = syntax->timeouts;
	input_init(&input, &path, 1);
	input.syntax = *syntax;
	input.silent = true;
	ret = input_run(&input, take, found);
	tap_require(!ret || ret == -1, "%d", ret);
	tap_require(input.keys == found->count, "%llu keys of %llu", found->count, input.keys);
	tap_require(input.lines >= input.keys + input.bad, "%llu lines", input.lines);
	return ret;
}

/* A file with the text. Return: its descriptor. */
static int put_text(const uint8_t *text, size_t size)
{
	static int file = -1;

	if (file < 0)
		file = memfd_create("list", MFD_CLOEXEC);
	tap_require(!ftruncate(file, 0) && pwrite(file, text, size, 0) == (ssize_t)size, "file");
	return file;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char * const options[] = {
		"", "?where=a:b", "?where=service:EC2", "?set=a", "?key=a,value", "?where=a:1&key=b",
	};
	struct bytes bytes = { .at = data, .end = data + size };
	unsigned int chosen = bytes_next(&bytes);
	unsigned int bits = bytes_next(&bytes);
	struct syntax syntax = {
		.timeouts = bits & 1,
		.needs_value = bits & 2,
		.max_value = bits & 4 ? 255 : 0,
		.json_keys = bits & 8 ? "b,cidr" : NULL,
		.exact = bits & 16,
	};
	struct found first, second;
	char path[128];
	int ret;

	snprintf(path, sizeof(path), "json:/proc/self/fd/%d%s",
		 put_text(bytes.at, bytes.end - bytes.at),
		 options[chosen % (sizeof(options) / sizeof(*options))]);
	document_is_json((const char *)bytes.at, bytes.end - bytes.at);
	ret = run(path, &syntax, &first);
	tap_require(run(path, &syntax, &second) == ret && first.count == second.count &&
		    first.sum == second.sum, "two runs differ");
	return 0;
}
