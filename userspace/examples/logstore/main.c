// SPDX-License-Identifier: GPL-2.0-only
/*
 * logstore is a key-value store on a log file. This file parses its command
 * line and runs a command; see ../README.md.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../message.h"
#include "store.h"

/* Exit codes. */
enum {
	EXIT_YES	= 0,
	EXIT_NO		= 1,	/* one of the lines does not exist, or was deleted */
	EXIT_ERROR	= 2,
};

/*
 * With 24 bits, about one in two million look-ups of unknown keys reads the log
 * without need. Each doubling of the filter takes one bit from the
 * fingerprints, and so doubles this rate.
 */
#define DEFAULT_BITS		24

/* Initial capacity of the filter of a new log, in keys. */
#define DEFAULT_CAPACITY	1024

/**
 * struct options - the options before the command
 * @bits: -b: bits of a fingerprint, for a new log
 * @capacity: -c: initial capacity of the filter, for a new log
 * @lines: -l: the operands are lines and not keys
 */
struct options {
	unsigned long bits;
	unsigned long capacity;
	bool lines;
};

static const char * const state_words[] = {
	[STATE_PRESENT]	= "present",
	[STATE_DELETED]	= "deleted",
	[STATE_ABSENT]	= "absent",
};

static int finish(struct store *store, int code)
{
	if (store_close(store))
		return -1;
	return code;
}

static struct store *open_or_create(const struct options *options,
				    const char *path)
{
	if (log_create(path, options->bits, options->capacity))
		return NULL;
	return store_open(path, true);
}

/*
 * Append all lines of a file. Add the number of lines to @count, and the number of lines
 * that repeat an earlier line to @repeats.
 */
static int import_lines(struct store *store, FILE *file, const char *path,
			uint64_t *count, uint64_t *repeats)
{
	const struct record *record;
	uint8_t key[KEY_SIZE];
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	int flags, ret = 0;

	while (!ret && (length = getline(&line, &size, file)) >= 0) {
		flags = RECORD_OPEN;
		if (length && line[length - 1] == '\n') {
			flags = 0;
			length--;
		}
		record = store_put(store, line, length, flags, key);
		if (record) {
			(*count)++;
			*repeats += record->kind == RECORD_REPEAT;
		} else {
			ret = -1;
		}
	}
	if (!ret && !feof(file))
		ret = error("cannot read %s: %s", path, strerror(errno));
	free(line);
	return ret;
}

static int run_import(const struct options *options, char **operands, int count)
{
	bool standard = !strcmp(operands[1], "-");
	uint64_t lines = 0, repeats = 0;
	struct store *store;
	FILE *file = stdin;
	int ret;

	(void)count;
	if (!standard)
		file = fopen(operands[1], "r");
	if (!file)
		return error("%s: %s", operands[1], strerror(errno));
	store = open_or_create(options, operands[0]);
	if (store) {
		ret = import_lines(store, file,
				   standard ? "standard input" : operands[1],
				   &lines, &repeats);
		say("%ju lines imported, %ju of them repeat an earlier line",
		    (uintmax_t)lines, (uintmax_t)repeats);
		ret = finish(store, ret);
	} else {
		ret = -1;
	}
	if (!standard)
		fclose(file);
	return ret;
}

static int export_line(struct store *store, const struct record *record,
		       const struct record *newest, void *data)
{
	const void *line;

	(void)data;
	if (!store_line_exists(store, record, newest))
		return 0;
	line = store_line(store, record);
	if (!line)
		return -1;
	fwrite(line, 1, record->length, stdout);
	if (!(record->flags & RECORD_OPEN))
		putchar('\n');
	/* main() reports an error of standard output. */
	return ferror(stdout) ? -1 : 0;
}

static int run_export(const struct options *options, char **operands, int count)
{
	struct store *store = store_open(operands[0], false);

	(void)options;
	(void)count;
	if (!store)
		return -1;
	return finish(store, store_walk(store, export_line, NULL));
}

static int run_put(const struct options *options, char **operands, int count)
{
	struct store *store = open_or_create(options, operands[0]);
	uint8_t key[KEY_SIZE];
	char text[KEY_TEXT];
	int i, ret = 0;

	if (!store)
		return -1;
	for (i = 1; i < count && !ret; i++) {
		if (store_put(store, operands[i], strlen(operands[i]), 0, key))
			puts(key_format(key, text));
		else
			ret = -1;
	}
	return finish(store, ret);
}

/* Return: enum state of the lines that were found, or -1 after an error message. */
static int find_operand(struct store *store, const struct options *options,
			const char *word, struct matches *matches)
{
	uint8_t key[KEY_SIZE];
	int ret;

	if (options->lines)
		ret = key_of(word, strlen(word), key);
	else
		ret = key_parse(word, key);
	if (ret || store_find(store, key, matches))
		return -1;
	if (options->lines)
		store_narrow(store, matches, word, strlen(word));
	return store_state(matches);
}

static int print_lines(struct store *store, const struct matches *matches)
{
	unsigned int i;

	for (i = 0; i < matches->count; i++) {
		const struct record *record = matches->record[i];
		const void *line;

		if (record->kind == RECORD_TOMBSTONE)
			continue;
		line = store_line(store, record);
		if (!line)
			return -1;
		fwrite(line, 1, record->length, stdout);
		putchar('\n');
	}
	return 0;
}

static int delete_lines(struct store *store, const struct matches *matches)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < matches->count && !ret; i++)
		if (matches->record[i]->kind != RECORD_TOMBSTONE)
			ret = store_delete(store, matches->record[i]);
	return ret;
}

/* Call @work for the lines of each operand that exist. @change: @work changes the store. */
static int for_operands(const struct options *options, char **operands,
			int count, bool change,
			int (*work)(struct store *store,
				    const struct matches *matches))
{
	struct store *store = store_open(operands[0], change);
	int i, state, ret = 0, code = EXIT_YES;
	struct matches matches;

	if (!store)
		return -1;
	for (i = 1; i < count && !ret; i++) {
		state = find_operand(store, options, operands[i], &matches);
		if (state < 0) {
			ret = -1;
		} else if (state == STATE_PRESENT) {
			ret = work(store, &matches);
		} else {
			say("%s: %s", operands[i], state_words[state]);
			code = EXIT_NO;
		}
	}
	return finish(store, ret ? ret : code);
}

static int run_get(const struct options *options, char **operands, int count)
{
	return for_operands(options, operands, count, false, print_lines);
}

static int run_delete(const struct options *options, char **operands, int count)
{
	return for_operands(options, operands, count, true, delete_lines);
}

static int list_line(struct store *store, const struct record *record,
		     const struct record *newest, void *data)
{
	char text[KEY_TEXT];

	(void)store;
	(void)data;
	if (record == newest)
		printf("%s %u %u\n", key_format(record->key, text),
		       record->count, record->length);
	return 0;
}

static int run_list(const struct options *options, char **operands, int count)
{
	struct store *store = store_open(operands[0], false);

	(void)options;
	(void)count;
	if (!store)
		return -1;
	return finish(store, store_walk(store, list_line, NULL));
}

/**
 * struct tally - numbers of records and lines of a log
 * @records: number of records
 * @lines: number of lines that are not deleted; a repeated line counts each time
 * @distinct: number of distinct lines in @lines
 * @deleted: number of distinct lines that were deleted
 */
struct tally {
	uint64_t records;
	uint64_t lines;
	uint64_t distinct;
	uint64_t deleted;
};

static int count_line(struct store *store, const struct record *record,
		      const struct record *newest, void *data)
{
	struct tally *tally = data;

	(void)store;
	tally->records++;
	if (record != newest)
		return 0;
	tally->lines += record->count;
	tally->distinct += record->count > 0;
	tally->deleted += record->count == 0;
	return 0;
}

static int print_stats(struct store *store)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	struct tally tally = { 0 };

	if (store_walk(store, count_line, &tally) ||
	    index_info(&store->index, &info))
		return -1;
	printf("lines      %ju\n"
	       "distinct   %ju\n"
	       "deleted    %ju\n"
	       "records    %ju\n"
	       "log bytes  %ju\n",
	       (uintmax_t)tally.lines, (uintmax_t)tally.distinct,
	       (uintmax_t)tally.deleted, (uintmax_t)tally.records,
	       (uintmax_t)store->log.end.end * LOG_UNIT);
	printf("filter     %s\n"
	       "entries    %ju\n"
	       "doublings  %u\n"
	       "moves      %ju\n"
	       "memory     %ju\n",
	       store->index.name, (uintmax_t)info.members, info.doublings,
	       (uintmax_t)info.moves, (uintmax_t)info.memory_bytes);
	printf("read       %ju\n"
	       "twins      %ju\n",
	       (uintmax_t)store->read, (uintmax_t)store->twins);
	return 0;
}

static int run_stats(const struct options *options, char **operands, int count)
{
	struct store *store = store_open(operands[0], false);

	(void)options;
	(void)count;
	if (!store)
		return -1;
	return finish(store, print_stats(store));
}

static const char usage[] =
"usage: logstore [-b BITS] [-c CAPACITY] import LOG FILE\n"
"       logstore [-b BITS] [-c CAPACITY] put LOG LINE...\n"
"       logstore export LOG\n"
"       logstore [-l] get LOG KEY...\n"
"       logstore [-l] delete LOG KEY...\n"
"       logstore list LOG\n"
"       logstore stats LOG\n"
"\n"
"Lines are appended to the file LOG; a filter in the kernel finds them.\n"
"\n"
"  import   append the lines of FILE ('-': standard input)\n"
"  put      append each LINE, and print its key\n"
"  export   print all lines that were not deleted, in the order of the log\n"
"  get      print the line of each KEY, or that it is 'deleted' or 'absent'\n"
"  delete   delete all lines that have these keys\n"
"  list     print for each distinct line its key, how often it occurs (0: deleted)\n"
"           and its length\n"
"  stats    print figures of the log and of the filter\n"
"\n"
"import and put create LOG if it does not exist.\n"
"\n"
"  -b BITS      bits of a fingerprint in the filter of a new LOG (24)\n"
"  -c CAPACITY  distinct lines for which that filter has room at first (1024)\n"
"  -l           each KEY is the line itself, not its SHA-1\n"
"\n"
"Exit status: 0 success, 1 a line is deleted or absent, 2 error.\n";

/**
 * struct command - a row of the table of commands
 * @name: name of the command
 * @run: function of the command. Return: an exit code, or -1 after an error
 *	message
 * @min_operands: minimum number of operands
 * @max_operands: maximum number of operands
 */
static const struct command {
	const char *name;
	int (*run)(const struct options *options, char **operands, int count);
	int min_operands;
	int max_operands;
} commands[] = {
	{ "import",	run_import,	2, 2 },
	{ "put",	run_put,	2, INT32_MAX },
	{ "export",	run_export,	1, 1 },
	{ "get",	run_get,	2, INT32_MAX },
	{ "delete",	run_delete,	2, INT32_MAX },
	{ "list",	run_list,	1, 1 },
	{ "stats",	run_stats,	1, 1 },
	{ NULL,		NULL,		0, 0 }
};

static int parse_number(const char *what, const char *text, unsigned long min,
			unsigned long max, unsigned long *number)
{
	char *end;

	errno = 0;
	*number = strtoul(text, &end, 10);
	if (errno || *end || end == text || *text == '-' || *number < min ||
	    *number > max)
		return error("%s is a number from %lu to %lu, not '%s'", what,
			     min, max, text);
	return 0;
}

/* Parse the options. Return: 0; 1 for -h; or -1 after an error message. */
static int parse_options(struct options *options, int argc, char **argv)
{
	int option, ret = 0;

	while (!ret && (option = getopt(argc, argv, "+b:c:lh")) != -1) {
		if (option == 'b')
			ret = parse_number("BITS", optarg, 8, 32,
					   &options->bits);
		else if (option == 'c')
			ret = parse_number("CAPACITY", optarg, 1, 1UL << 32,
					   &options->capacity);
		else if (option == 'l')
			options->lines = true;
		else
			ret = option == 'h' ? 1 : -1;
	}
	return ret;
}

static int run(int argc, char **argv)
{
	struct options options = {
		.bits = DEFAULT_BITS,
		.capacity = DEFAULT_CAPACITY,
	};
	const struct command *command;
	int count, ret;

	ret = parse_options(&options, argc, argv);
	if (ret) {
		fputs(usage, ret > 0 ? stdout : stderr);
		return ret > 0 ? EXIT_YES : -1;
	}
	count = argc - optind - 1;
	for (command = commands; command->name && count >= 0; command++)
		if (!strcmp(command->name, argv[optind]))
			break;
	if (count < 0 || !command->name || count < command->min_operands ||
	    count > command->max_operands) {
		fputs(usage, stderr);
		return -1;
	}
	return command->run(&options, argv + optind + 1, count);
}

int main(int argc, char **argv)
{
	int ret = run(argc, argv);

	/* The other exit codes are answers, which need complete output. */
	if (fflush(stdout) || ferror(stdout))
		ret = error("cannot write to standard output");
	return ret < 0 ? EXIT_ERROR : ret;
}
