/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: read lists line by line
 */
#ifndef KCUCKOO_CLI_INPUT_H
#define KCUCKOO_CLI_INPUT_H

#include "input/line.h"
#include "input/source.h"
#include "progress.h"

/* Maximum length of a line. Longer ones are bad. */
#define INPUT_LINE	(256 << 10)

/* The place of a line. */
struct place {
	const char *file;
	__u64 number;
};

/**
 * struct input_notes - how the files differ from what was read
 * @returns: byte strings whose lines ended with a carriage return, which was
 *	removed
 * @formats: formats that were unpacked or converted, bits of 1 << FORMAT_*
 * @files: files in archives that were read
 */
struct input_notes {
	__u64 returns;
	unsigned int formats;
	__u64 files;
};

/**
 * struct input_columns - numbers of lines whose columns were interpreted in
 * some way
 * @numbers: a number after the key was ignored
 * @seconds: a second address was a mask or the end of a range
 * @allowed: the range is allowed, and was left out
 * @mapped: the key was written as an IPv4-mapped IPv6 address
 */
struct input_columns {
	__u64 numbers;
	__u64 seconds;
	__u64 allowed;
	__u64 mapped;
};

/**
 * struct input - lists to read
 * @files: their names
 * @count: how many
 * @syntax: how their lines are to be read; may be set before input_run()
 * @progress: bar, or NULL
 * @silent: bad lines are counted only, not reported
 * @keys: lines with a key or range so far
 * @ranges: of these, ranges
 * @host_bits: of these, keys whose host bits were cleared
 * @bad: bad lines
 * @notes: how the files differ from what was read
 * @lines: lines that are neither blank nor a comment
 * @columns: how their columns were interpreted
 * @total: size of all files as packed, or 0 if one is unknown
 * @done_bytes: size of the files that are done
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

/* Gets each key. Return: 0, or -1 after an error message to end the run. */
typedef int (*input_sink)(void *context, const struct line *line,
			  const struct place *place);

void input_init(struct input *input, char *const *files, int count);

/*
 * Pass all keys to @sink, once. Bad lines are reported, at most INPUT_REPORTED_MAX of them, and
 * counted. Return: 0, or -1 after an error message, of a file that cannot be read or of @sink.
 */
int input_run(struct input *input, input_sink sink, void *context);

/*
 * Report how lines and columns of the lists for the filter @name were
 * interpreted.
 */
void input_say_columns(const struct cli *cli, const char *name,
		       const struct input_columns *columns);

/* Say what was not taken as it stands, for the filter @name. */
void input_say_notes(const struct cli *cli, const char *name,
		     const struct input_notes *notes);

#define INPUT_REPORTED_MAX	20

#endif /* KCUCKOO_CLI_INPUT_H */
