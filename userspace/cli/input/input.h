/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: lists, line by line
 */
#ifndef KCUCKOO_CLI_INPUT_H
#define KCUCKOO_CLI_INPUT_H

#include "input/line.h"
#include "input/source.h"
#include "progress.h"

/* Longest line that is read; what is longer is no key. */
#define INPUT_LINE	(256 << 10)

/* Where a line came from. */
struct place {
	const char *file;
	__u64 number;
};

/**
 * struct input_notes - what was not taken as it stands in the files
 * @returns: byte strings without the carriage return that ended their lines
 * @formats: formats that were unpacked or converted, bits of 1 << FORMAT_*
 * @files: files in archives that were read
 */
struct input_notes {
	__u64 returns;
	unsigned int formats;
	__u64 files;
};

/**
 * struct input_columns - lines whose columns were understood in a way that is reported
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
 * struct input - some lists
 * @files: their names
 * @count: how many
 * @syntax: how their lines are to be read; may be set before input_run()
 * @progress: bar, or NULL
 * @silent: bad lines are counted only, not reported
 * @keys: lines with a key or range so far
 * @ranges: of these, ranges
 * @host_bits: of these, keys whose host bits were cleared
 * @bad: bad lines
 * @notes: what was not taken as it stands
 * @lines: lines that are neither blank nor a comment
 * @columns: how the columns of these were understood
 * @total: bytes of all files, as packed, 0 where one does not tell
 * @behind: bytes of the files that are done
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
	__u64 behind;
};

/* Gets every key. Return: 0, or -1 to end the run, told. */
typedef int (*input_sink)(void *context, const struct line *line,
			  const struct place *place);

void input_init(struct input *input, char *const *files, int count);

/*
 * Pass all keys to @sink, once. Bad lines are reported, at most INPUT_REPORTED_MAX of them, and
 * counted. Return: 0, or -1 after an error message, of a file that cannot be read or of @sink.
 */
int input_run(struct input *input, input_sink sink, void *context);

/* Report how lines and columns of the lists for the filter @name were understood. */
void input_say_columns(const struct cli *cli, const char *name,
		       const struct input_columns *columns);

/* Say what was not taken as it stands, for the filter @name. */
void input_say_notes(const struct cli *cli, const char *name,
		     const struct input_notes *notes);

#define INPUT_REPORTED_MAX	20

#endif /* KCUCKOO_CLI_INPUT_H */
