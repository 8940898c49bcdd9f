/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions read all lists of a command, and pass each key to the caller: a file
 * in cmd/, keys/ or fetch/.
 */
#ifndef KCUCKOO_CLI_INPUT_H
#define KCUCKOO_CLI_INPUT_H

#include "input/line.h"
#include "input/lines.h"
#include "progress.h"

/**
 * struct place - the position of a line or entry in a list, for messages
 * @file: name of the file
 * @number: number of the line in the file, counted from 1. In JSON, number of the line
 *	at which the document begins. In a database, number of the network, counted from
 *	1 without the networks that were left out
 * @text: text of the line, entry or network. For a bad entry of JSON, the place of the
 *	entry in the document, and possibly the text of the entry
 * @length: length of @text
 * @entry: in JSON, number of the entry (a value that is an address or should be an
 *	address) in the file, counted from 1; otherwise 0
 */
struct place {
	const char *file;
	__u64 number;
	const char *text;
	size_t length;
	__u64 entry;
};

/* Maximum number of names in struct input_others. */
#define INPUT_OTHERS_NAMED	6

/* Size of a buffer for the text of input_name_others(). */
#define INPUT_OTHERS_TEXT	400

/**
 * struct input_others - count of the addresses in JSON that the reader leaves out,
 *	because their JSON key is not known to have addresses to block (selection.h)
 * @total: number of addresses that the reader leaves out
 * @names: the JSON keys that were found first. If an address is in an attribute of MISP (a
 *	database of threats), the element is the type of the attribute instead
 * @counts: number of addresses for each element of @names; 0 if the element is unused
 */
struct input_others {
	__u64 total;
	char names[INPUT_OTHERS_NAMED][40];
	__u64 counts[INPUT_OTHERS_NAMED];
};

/**
 * struct input_notes - what the reader converted, unpacked or left out, for messages
 * @carriage_returns: number of byte strings from which the reader removed the carriage
 *	return at the end of the line
 * @formats: formats that were recognized (format.h), as bits 1 << FORMAT_*
 * @files: number of files that were read from archives
 * @others: count of the addresses in JSON that were left out
 */
struct input_notes {
	__u64 carriage_returns;
	unsigned int formats;
	__u64 files;
	struct input_others others;
};

/**
 * struct input_columns - counts of lines and keys, for messages
 * @numbers: lines with a number after the key that is not a part of the key
 * @seconds: lines whose second address was used as a mask, a wildcard (an inverted mask),
 *	or the last address of a range or network
 * @allowed: lines that were skipped, because they have a range that ipfilter.dat allows,
 *	see columns_check_level()
 * @mapped: keys that are written as IPv4-mapped IPv6 addresses and became IPv4
 * @skipped: lines and entries that the layout skips, such as a heading (reader_skip())
 * @exceptions: exceptions (addresses that must not be blocked) that the reader passed to
 *	the caller
 * @timeouts: keys whose timeout the reader ignored, because the filter has no timeouts
 * @values: keys whose value the reader ignored, because the filter has no values
 */
struct input_columns {
	__u64 numbers;
	__u64 seconds;
	__u64 allowed;
	__u64 mapped;
	__u64 skipped;
	__u64 exceptions;
	__u64 timeouts;
	__u64 values;
};

struct reader;

/**
 * struct input_watch - functions that observe how lists are read
 * @context: first argument of the functions
 * @text: called for each text, once its layout is known, before its keys are read
 * @left_out: called for each bad line or entry (@bad), and for each line or entry that the
 *	reader skips, such as a heading. @why: text of the reason
 *
 * Neither function can be NULL.
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
 * @silent: bad lines are counted, but not printed
 * @watch: functions that observe how lists are read, or NULL
 * @keys: number of keys and ranges so far, without exceptions
 * @ranges: number of ranges among @keys
 * @host_bits: number of keys among @keys whose host bits were cleared
 * @bad: number of bad lines and entries
 * @notes: what the reader converted, unpacked or left out, for messages
 * @lines: number of lines and entries that were read, without blank lines, comments and
 *	headings
 * @columns: counts of lines and keys, for messages
 * @total: size of all lists in bytes, before unpacking; 0 if a size is unknown
 * @done_bytes: number of bytes that were read from the lists before the current list.
 *	Bytes of databases are not counted
 *
 * The caller can set the fields from @files to @watch after input_init().
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
 * A sink: the function to which input_run() passes each key or range. If @exceptions of
 * the syntax is set, input_run() also passes each exception to the sink, with
 * @line->exception set. Return: 0, or -1 to end input_run(), which prints no error
 * message in this case.
 */
typedef int (*input_sink)(void *context, const struct line *line,
			  const struct place *place);

/*
 * Set @files and @count of @input to the arguments, @total to the size of the lists, and
 * all other fields to zero. @files: names of the lists. @count: number of lists.
 */
void input_init(struct input *input, char *const *files, int count);

/*
 * Read all lists, and call @sink for each key. Count bad lines, and print the first
 * INPUT_REPORTED_MAX bad lines, unless @silent is set. Return: 0; -1 after an error
 * message, for example if a file cannot be read; or -1 if @sink returned -1.
 */
int input_run(struct input *input, input_sink sink, void *context);

/* Print a line for each number in @columns that is not zero. @name: name of the filter. */
void input_say_columns(const struct cli *cli, const char *name,
		       const struct input_columns *columns);

/*
 * Print which formats were unpacked or converted, which addresses in JSON were left out, and how
 * many carriage returns were removed. @name: name of the filter.
 */
void input_say_notes(const struct cli *cli, const char *name,
		     const struct input_notes *notes);

/* Add @count addresses under the JSON key @key to @others. */
void input_count_others(struct input_others *others, const char *key,
			__u64 count);

/* Add the counts of @from to @to. */
void input_sum_others(struct input_others *to, const struct input_others *from);

/*
 * Write @names and @counts of @others to @text, a buffer of INPUT_OTHERS_TEXT bytes, as
 * "KEY (COUNT), KEY (COUNT)". Append "and others" if @total is more than the sum of
 * @counts. Return: @text.
 */
const char *input_name_others(const struct input_others *others, char *text);

/* Print the counts in @others, unless @total is zero. @name: name of the filter. */
void input_say_others(const struct cli *cli, const char *name,
		      const struct input_others *others);

/* Maximum number of bad lines that input_run() prints for one struct input. */
#define INPUT_REPORTED_MAX	20

#endif /* KCUCKOO_CLI_INPUT_H */
