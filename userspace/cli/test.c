// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: test
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect.h"
#include "json.h"
#include "message.h"

/* Text of the keys of one batch; a key is far shorter than a line. */
#define TEXT_ROOM	(BATCH * 64)

/**
 * struct tester - keys on their way through the kernel
 * @cli: the run
 * @name: the filter
 * @stream: state of the JSON output
 * @keys: keys of the batch
 * @results: what the kernel says of them
 * @text: each as it was given, one behind the other, ended by zeros
 * @text_length: how much of @text is used
 * @count: keys in the batch
 * @tested: keys done
 * @present: of these, in the filter
 * @bad: keys that are none
 */
struct tester {
	struct cli *cli;
	const char *name;
	struct json_stream stream;
	struct kcuckoo_prefix *keys;
	uint8_t *results;
	char *text;
	size_t text_length;
	size_t count;
	__u64 tested;
	__u64 present;
	__u64 bad;
};

static int print_one(struct tester *tester, const char *text, bool present)
{
	if (tester->cli->json)
		return json_stream_element(&tester->stream,
			json_pack("{s:s, s:b}", "key", text,
				  "present", present));
	putchar(present ? '1' : '0');
	putchar(' ');
	puts(text);
	return 0;
}

static int flush(struct tester *tester)
{
	const struct kcuckoo_batch keys = {
		.prefixes = tester->keys,
		.count = tester->count,
		.results = tester->results,
	};
	const char *text = tester->text;
	struct kcuckoo_count sum;
	size_t i;
	int ret;

	ret = kcuckoo_test(tester->cli->handle, tester->name, 0, &keys, &sum);
	if (ret)
		return filter_error(tester->cli, ret, tester->name,
				    "look into");
	for (i = 0; i < tester->count; i++) {
		if (print_one(tester, text,
			      tester->results[i] == KCUCKOO_RESULT_PRESENT))
			return -1;
		text += strlen(text) + 1;
	}
	tester->tested += tester->count;
	tester->present += sum.present;
	tester->count = 0;
	tester->text_length = 0;
	return 0;
}

static int take_key(struct tester *tester, const struct line *line)
{
	size_t length = line->length;

	if (tester->count == BATCH ||
	    tester->text_length + length + 1 > TEXT_ROOM)
		if (flush(tester))
			return -1;
	memcpy(tester->text + tester->text_length, line->text, length);
	tester->text[tester->text_length + length] = 0;
	tester->text_length += length + 1;
	tester->keys[tester->count++] = line->key;
	return 0;
}

static const char no_key[] = "a range is not one key; 'test' takes addresses and prefixes";

static int take_line(void *context, const struct line *line,
		     const struct place *place)
{
	struct tester *tester = context;

	if (line->kind == LINE_RANGE) {
		tester->bad++;
		error("%s:%llu: %s", place->file, place->number, no_key);
		return 0;
	}
	return take_key(tester, line);
}

static int test_words(struct tester *tester, char **words, int count)
{
	struct line line;
	char room[96];
	int i;

	for (i = 0; i < count; i++) {
		line_parse_key(words[i], &line);
		if (line.kind == LINE_KEY) {
			if (take_key(tester, &line))
				return -1;
			continue;
		}
		tester->bad++;
		error("key '%s': %s",
		      escape(words[i], strlen(words[i]), room, sizeof(room)),
		      line.kind == LINE_RANGE ? no_key : line.why);
	}
	return 0;
}

static int test_files(struct tester *tester, char *const *files, int count)
{
	struct input input;
	int ret;

	ret = input_init(&input, files, count, false);
	if (!ret)
		ret = input_run(&input, take_line, tester);
	tester->bad += input.bad;
	input_free(&input);
	return ret;
}

static int test_all(struct tester *tester, const struct args *args)
{
	int ret;

	if (tester->cli->json)
		json_stream_begin(&tester->stream);
	ret = test_words(tester, args->words + 1, args->word_count - 1);
	if (!ret)
		ret = test_files(tester, args->files, args->file_count);
	if (!ret)
		ret = flush(tester);
	if (tester->cli->json)
		json_stream_end(&tester->stream);
	if (ret)
		return ret;

	say(tester->cli, "%s: %llu of %llu keys are in",
	    tester->name, tester->present, tester->tested);
	if (tester->bad)
		return error("%llu of the keys %s none", tester->bad,
			     plural(tester->bad, "is", "are"));
	return tester->present == tester->tested ? EXIT_YES : EXIT_NO;
}

int verb_test(struct cli *cli, const struct args *args)
{
	struct tester tester = { .cli = cli, .name = args->words[0] };
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	int ret;

	if (args->word_count < 2 && !args->file_count)
		return error("no keys: give some behind the name, or a file of them with -f");
	if (cli_open(cli))
		return -1;
	/* Before any output: is there such a filter? */
	ret = kcuckoo_info(cli->handle, tester.name, &info);
	if (ret)
		return filter_error(cli, ret, tester.name, "look into");

	tester.keys = malloc(BATCH * sizeof(*tester.keys));
	tester.results = malloc(BATCH);
	tester.text = malloc(TEXT_ROOM);
	if (tester.keys && tester.results && tester.text)
		ret = test_all(&tester, args);
	else
		ret = error("not enough memory");
	free(tester.text);
	free(tester.results);
	free(tester.keys);
	return ret;
}
