/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions read all lists of a command, and pass each key to the caller.
 */
#ifndef KCUCKOO_CLI_INPUT_H
#define KCUCKOO_CLI_INPUT_H

#include "input/line.h"
#include "input/source.h"
#include "progress.h"

/* Maximum length of a line in bytes. A longer line is a bad line. */
#define INPUT_LINE	(256 << 10)

/* The place of a line: its file and its number, from 1. */
struct place {
	const char *file;
	__u64 number;
};

/**
 * struct input_notes - changes that were made to files before their lines were
 *	parsed
 * @returns: number of byte strings from which a carriage return at the end of
 *	the line was removed
 * @formats: formats that were unpacked or converted, bits of 1 << FORMAT_*
 * @files: number of files in archives that were read
 */
struct input_notes {
	__u64 returns;
	unsigned int formats;
	__u64 files;
};

/**
 * struct input_columns - how many lines have columns with a certain meaning
 * @numbers: lines with a number after the key, which was ignored
 * @seconds: lines whose second address is a mask or the end of a range
 * @allowed: lines of ipfilter.dat whose range this list allows. They were
 *	skipped
 * @mapped: lines whose key is written as an IPv4-mapped IPv6 address
 */
struct input_columns {
	__u64 numbers;
	__u64 seconds;
	__u64 allowed;
	__u64 mapped;
};

/**
 * struct input - the lists of a command, and counts of what was read
 * @files: names of the lists
 * @count: number of lists
 * @syntax: how lines are parsed; the caller may set it after input_init()
 * @progress: progress bar, or NULL; the caller may set it after input_init()
 * @silent: count bad lines, but do not print them; set like @progress
 * @keys: number of keys and ranges so far
 * @ranges: number of ranges among @keys
 * @host_bits: number of keys among @keys whose host bits were cleared
 * @bad: number of bad lines
 * @notes: changes that were made to the files
 * @lines: number of lines that are neither blank nor a comment
 * @columns: how many lines have columns with a certain meaning
 * @total: size of all files in bytes, without unpacking; 0 if a size is unknown
 * @done_bytes: size of the files that were read to the end
 */
struct input {
	char *const *files;
	int count;
	struct syntax syntax;
	struct progress *progress;
	bool silent;
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
 * Function that input_run() calls for each key. Return: 0; or -1 after an error
 * message, to end input_run().
 */
typedef int (*input_sink)(void *context, const struct line *line,
			  const struct place *place);

/*
 * Begin with @count lists whose names are in @files. All fields that are not
 * known yet are zero.
 */
void input_init(struct input *input, char *const *files, int count);

/*
 * Read all lists, and call @sink for each key. Count bad lines, and print the
 * first INPUT_REPORTED_MAX of them. Return: 0; or -1 after an error message, if
 * a file cannot be read or @sink returned -1.
 */
int input_run(struct input *input, input_sink sink, void *context);

/*
 * Print @columns, for lists of the filter @name. Print nothing for numbers that
 * are zero.
 */
void input_say_columns(const struct cli *cli, const char *name,
		       const struct input_columns *columns);

/*
 * Print which files were unpacked or converted, and how many carriage returns
 * were removed, for lists of the filter @name.
 */
void input_say_notes(const struct cli *cli, const char *name,
		     const struct input_notes *notes);

/* Maximum number of bad lines that input_run() prints. */
#define INPUT_REPORTED_MAX	20

#endif /* KCUCKOO_CLI_INPUT_H */
