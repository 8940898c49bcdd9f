/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions read all lists of a command, and pass each key to the caller:
 * a verb, or keys/.
 */
#ifndef KCUCKOO_CLI_INPUT_H
#define KCUCKOO_CLI_INPUT_H

#include "input/line.h"
#include "input/lines.h"
#include "progress.h"

/**
 * struct place - the position of a line or entry in a list, for messages
 * @file: name of the file
 * @number: number of the line or entry in the file, counted from 1
 * @text: text of the line or entry, before the text is parsed
 * @length: length of @text
 * @entry: in a JSON document, number of the address, from 1; @number is then the line
 *	at which the document begins. In a list of lines, 0
 */
struct place {
	const char *file;
	__u64 number;
	const char *text;
	size_t length;
	__u64 entry;
};

/* Maximum number of JSON keys in a message about addresses that were left out. */
#define INPUT_OTHERS_NAMED	6

/* Size of a buffer for the text of input_name_others(). */
#define INPUT_OTHERS_TEXT	400

/**
 * struct input_others - count of the addresses in JSON that the reader leaves out,
 *	because no JSON key around them is known to have addresses to block
 * @total: number of addresses that the reader leaves out
 * @names: the first JSON keys that have addresses that the reader leaves out
 * @counts: number of addresses under each of @names
 */
struct input_others {
	__u64 total;
	char names[INPUT_OTHERS_NAMED][40];
	__u64 counts[INPUT_OTHERS_NAMED];
};

/**
 * struct input_notes - conversions of files and omissions from files, for messages
 * @carriage_returns: number of byte strings without the carriage return at the end of
 *	their line
 * @formats: formats that were unpacked or converted, as bits 1 << FORMAT_*
 * @files: number of files that were read from archives
 * @others: addresses in JSON that were left out
 */
struct input_notes {
	__u64 carriage_returns;
	unsigned int formats;
	__u64 files;
	struct input_others others;
};

/**
 * struct input_columns - counts of lines and keys, for messages
 * @numbers: lines with an ignored number after the key
 * @seconds: lines whose second address is a mask or the end of a range
 * @allowed: lines of ipfilter.dat that were skipped, because ipfilter.dat allows their
 *	range
 * @mapped: keys that are written as IPv4-mapped IPv6 addresses and became IPv4
 * @skipped: lines that have no key in their layout, such as a heading
 * @exceptions: lines with exceptions, which the reader passed to the caller
 * @timeouts: entries with a timeout, which the reader ignores because the filter has no
 *	timeouts
 */
struct input_columns {
	__u64 numbers;
	__u64 seconds;
	__u64 allowed;
	__u64 mapped;
	__u64 skipped;
	__u64 exceptions;
	__u64 timeouts;
};

struct reader;

/**
 * struct input_watch - functions that observe how lists are read
 * @context: first argument of the functions
 * @text: called before the first line of each text, when the layout of the text is
 *	known
 * @left_out: called for each line without a key. @bad: the line is bad; otherwise the
 *	layout skips the line. @why: text of the reason
 */
struct input_watch {
	void *context;
	void (*text)(void *context, const struct reader *reader);
	void (*left_out)(void *context, const struct place *place, bool bad,
			 const char *why);
};

/**
 * struct input - the lists of a command, and counts of what was read
 * @files: names of the lists
 * @count: number of lists
 * @syntax: how lines are parsed
 * @progress: progress bar, or NULL
 * @label: name of the lists in messages instead of their paths, or NULL
 * @silent: count bad lines, but do not print them
 * @watch: functions that observe how lists are read, or NULL
 * @keys: number of keys and ranges so far
 * @ranges: number of ranges among @keys
 * @host_bits: number of keys among @keys whose host bits were cleared
 * @bad: number of bad lines
 * @notes: conversions of files and omissions from files, for messages
 * @lines: number of lines that are neither blank nor a comment
 * @columns: counts of lines and keys, for messages
 * @total: size of all files in bytes, before unpacking; 0 if a size is unknown
 * @done_bytes: size of the files that were read to the end
 *
 * The caller may set @syntax, @progress, @label, @silent and @watch after
 * input_init().
 */
struct input {
	char *const *files;
	int count;
	struct syntax syntax;
	struct progress *progress;
	const char *label;
	bool silent;
	const struct input_watch *watch;
	__u64 keys;
	__u64 ranges;
	__u64 host_bits;
	__u64 bad;
	struct input_notes notes;
	__u64 lines;
	struct input_columns columns;
	__u64 total;
	__u64 done_bytes;
};

/*
 * Function that input_run() calls for each key. If @exceptions of the syntax is
 * set, input_run() also calls it for each exception, with @line->exception set.
 * Return: 0; or -1 after an error message, to end input_run().
 */
typedef int (*input_sink)(void *context, const struct line *line,
			  const struct place *place);

/*
 * Initialize @input for the @count lists whose names are in @files. Set @total to the
 * size of the lists, and all other fields to zero.
 */
void input_init(struct input *input, char *const *files, int count);

/*
 * Read all lists, and call @sink for each key. Count bad lines, and print the
 * first INPUT_REPORTED_MAX of them. Return: 0; or -1, after an error message, if
 * a file cannot be read or @sink returned -1.
 */
int input_run(struct input *input, input_sink sink, void *context);

/*
 * Print a line for each number in @columns that is not zero. @name: name of the filter
 * that the lists are for.
 */
void input_say_columns(const struct cli *cli, const char *name,
		       const struct input_columns *columns);

/*
 * Print which formats were unpacked or converted, which addresses in JSON were left
 * out, and how many carriage returns were removed. @name: name of the filter that the
 * lists are for.
 */
void input_say_notes(const struct cli *cli, const char *name,
		     const struct input_notes *notes);

/* Add @count addresses under the JSON key @key to @others. */
void input_count_others(struct input_others *others, const char *key,
			__u64 count);

/* Add the counts of @from to @to. */
void input_sum_others(struct input_others *to, const struct input_others *from);

/* Write the JSON keys and counts to @text, as "KEY (COUNT), ...". Return: @text. */
const char *input_name_others(const struct input_others *others, char *text);

/*
 * Print the counts in @others, unless @total is zero. @name: name of the filter that
 * the lists are for.
 */
void input_say_others(const struct cli *cli, const char *name,
		      const struct input_others *others);

/* Maximum number of bad lines that input_run() prints. */
#define INPUT_REPORTED_MAX	20

#endif /* KCUCKOO_CLI_INPUT_H */
