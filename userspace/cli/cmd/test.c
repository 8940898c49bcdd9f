// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb test looks up keys in a filter, and prints which of these keys are in the
 * filter.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "keys/batch.h"
#include "keys/key_op.h"
#include "message.h"

/**
 * struct tester - state of the verb test
 * @cli: state of the command
 * @name: name of the filter
 * @stream: state of the JSON output
 * @syntax: syntax in which operands and files write the keys
 * @batch: addresses and prefixes for the next look-up, in the order of the input
 * @strings: byte strings for the next look-up, in the order of the input
 * @texts: the keys for the next look-up, as the user wrote them, in the same order
 * @tested: number of keys that were looked up
 * @present: number of keys that were looked up and are in the filter
 * @bad: number of invalid keys
 * @notes: notes about the files, such as their formats, for messages
 * @flags: KCUCKOO_TEST_*
 */
struct tester {
	struct cli *cli;
	const char *name;
	struct json_stream stream;
	struct syntax syntax;
	struct batch batch;
	struct byteset strings;
	struct byteset texts;
	__u64 tested;
	__u64 present;
	__u64 bad;
	struct input_notes notes;
	unsigned int flags;
};

/**
 * struct answer - the result for one key
 * @text: the key as the user wrote it
 * @length: length of @text
 * @present: the key is in the filter
 * @member: the longest prefix in the filter that covers the key; NULL for an absent
 *	key, with --exact, and for all filters except exact filters
 * @values: values of the key, or NULL in a filter without values
 * @count: number of values
 */
struct answer {
	const char *text;
	size_t length;
	bool present;
	const char *member;
	const __u32 *values;
	int count;
};

static json_t *json_of_answer(const struct answer *answer)
{
	json_t *object = json_object(), *values;
	int i;

	if (json_set_text(object, "key", answer->text, answer->length)) {
		json_decref(object);
		return NULL;
	}
	json_object_set_new(object, "present", json_boolean(answer->present));
	if (answer->member)
		json_object_set_new(object, "member",
				    json_string(answer->member));
	if (!answer->values)
		return object;
	values = json_array();
	for (i = 0; i < answer->count; i++)
		json_array_append_new(values, json_integer(answer->values[i]));
	json_object_set_new(object, "values", values);
	return object;
}

static void print_answer(const struct answer *answer)
{
	int i;

	putchar(answer->present ? '1' : '0');
	putchar(' ');
	fwrite(answer->text, 1, answer->length, stdout);
	if (answer->member) {
		putchar('\t');
		fputs(answer->member, stdout);
	}
	for (i = 0; i < answer->count; i++)
		printf("%s%u", i ? "," : " value ", answer->values[i]);
	putchar('\n');
}

static int print_all(struct tester *tester)
{
	const char *text = (const char *)tester->texts.bytes;
	const struct batch *batch = &tester->batch;
	struct answer answer = { .count = 0 };
	char text_of_member[KCUCKOO_PREFIX_TEXT];
	struct kcuckoo_prefix member;
	size_t i;

	for (i = 0; i < tester->texts.count; i++) {
		answer.text = text;
		answer.length = tester->texts.lengths[i];
		answer.present = batch->results[i] == KCUCKOO_RESULT_PRESENT;
		answer.member = NULL;
		if (batch->plens && answer.present) {
			member = batch_member(batch, i);
			kcuckoo_prefix_format(&member, text_of_member);
			answer.member = text_of_member;
		}
		if (batch->found) {
			answer.values = batch->found + i * KCUCKOO_VALUES_MAX;
			answer.count = answer.present ? batch->found_counts[i] :
							0;
		}
		text += answer.length;
		if (!tester->cli->json)
			print_answer(&answer);
		else if (json_stream_element(&tester->stream,
					     json_of_answer(&answer)))
			return -1;
	}
	return 0;
}

static int flush(struct tester *tester)
{
	struct kcuckoo_batch *keys = &tester->batch.keys;
	struct kcuckoo_counts sum;
	int ret;

	if (tester->syntax.kind == SYNTAX_INET) {
		keys->prefixes = tester->batch.prefixes;
	} else {
		keys->bytes = tester->strings.bytes;
		keys->lengths = tester->strings.lengths;
	}
	keys->count = tester->texts.count;
	keys->results = tester->batch.results;
	ret = kcuckoo_test(tester->cli->handle, tester->name, tester->flags,
			   keys, &sum);
	if (ret)
		return filter_error(tester->cli, ret, tester->name,
				    "look up keys in");
	if (print_all(tester))
		return -1;
	tester->tested += sum.done;
	tester->present += sum.present;
	byteset_clear(&tester->strings);
	byteset_clear(&tester->texts);
	return 0;
}

static int take_key(struct tester *tester, const struct line *line)
{
	struct byteset *texts = &tester->texts;
	int ret = 0;

	if ((texts->count == BATCH || texts->size > BATCH_BYTES) &&
	    flush(tester))
		return -1;
	if (line->kind == LINE_BYTES)
		ret = byteset_add(&tester->strings, line->bytes, line->size);
	else
		tester->batch.prefixes[texts->count] = line->key;
	if (!ret)
		ret = byteset_add(texts, line->text, line->length);
	return ret ? error("not enough memory") : 0;
}

static int take_line(void *context, const struct line *line,
		     const struct place *place)
{
	(void)place;
	return take_key(context, line);
}

static int test_words(struct tester *tester, char **words, int count)
{
	struct line line;
	char buf[96];
	int i;

	for (i = 0; i < count; i++) {
		syntax_parse_operand(&tester->syntax, words[i], &line);
		if (line.kind != LINE_BAD) {
			if (take_key(tester, &line))
				return -1;
			continue;
		}
		tester->bad++;
		error("key '%s': %s",
		      escape(words[i], strlen(words[i]), buf, sizeof(buf)),
		      line.why);
	}
	return 0;
}

static int test_files(struct tester *tester, char *const *files, int count)
{
	struct input input;
	int ret;

	input_init(&input, files, count);
	input.syntax = tester->syntax;
	ret = input_run(&input, take_line, tester);
	tester->bad += input.bad;
	tester->notes = input.notes;
	return ret;
}

static int test_all(struct tester *tester, const struct args *args)
{
	int ret;

	if (tester->cli->json)
		json_stream_begin(&tester->stream);
	ret = test_words(tester, args->operands + 1, args->operand_count - 1);
	if (!ret)
		ret = test_files(tester, args->files, args->file_count);
	if (!ret)
		ret = flush(tester);
	if (tester->cli->json)
		json_stream_end(&tester->stream);
	if (ret)
		return ret;

	say(tester->cli, "%s: %llu of %llu keys are in the filter",
	    tester->name, tester->present, tester->tested);
	input_say_notes(tester->cli, tester->name, &tester->notes);
	if (tester->bad)
		return error("%s: %llu of the keys %s malformed", tester->name,
			     tester->bad, plural(tester->bad, "is", "are"));
	return tester->present == tester->tested ? EXIT_YES : EXIT_NO;
}

/*
 * A prefix counts as present if a member covers the whole prefix; with --exact, only if the
 * prefix itself is a member. Without --exact, the look-up in an exact filter also returns the
 * length of the member that covers a key.
 */
static int choose_flags(struct tester *tester, const struct args *args,
			const struct kcuckoo_ioc_info *info)
{
	if (info->type == KCUCKOO_TYPE_BYTES)
		return 0;
	if (args->given & ARGS_EXACT) {
		tester->flags = KCUCKOO_TEST_MEMBER;
		return 0;
	}
	tester->flags = KCUCKOO_TEST_COVERED;
	return info->tag_bits ? 0 : batch_want_plens(&tester->batch);
}

int verb_test(struct cli *cli, const struct args *args)
{
	struct tester tester = { .cli = cli, .name = args->operands[0] };
	struct kcuckoo_ioc_info info;
	int ret;

	if (args->operand_count < 2 && !args->file_count)
		return error("no keys: give keys after the name, or a file with -f");
	/* Check that the filter exists before any output. */
	if (cli_open(cli) ||
	    key_op_check(cli, args, KEY_OP_TEST, "look up keys in", &info))
		return -1;
	tester.syntax = key_op_syntax(args, KEY_OP_TEST, &info);
	ret = batch_init(&tester.batch);
	if (!ret)
		ret = choose_flags(&tester, args, &info);
	if (!ret && info.value_bits)
		ret = batch_want_values(&tester.batch);
	if (!ret)
		ret = test_all(&tester, args);
	batch_free(&tester.batch);
	byteset_free(&tester.texts);
	byteset_free(&tester.strings);
	return ret;
}
