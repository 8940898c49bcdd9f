/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: the bytes of a file or of standard input, unpacked
 */
#ifndef KCUCKOO_CLI_SOURCE_H
#define KCUCKOO_CLI_SOURCE_H

#include <sys/types.h>

#include "cli.h"
#include "input/format.h"
#include "input/line.h"

struct extractor;
struct unpacker;

/* Bytes of text that are converted at a time. */
#define SOURCE_TEXT	4096

/**
 * struct text - a file of a source, on its way to UTF-8
 * @format: FORMAT_TEXT for bytes that are handed on as they are, or the UTF-16 they are in
 * @in: bytes before conversion
 * @in_at: first of these
 * @in_end: after the last
 * @out: UTF-8, converted
 * @out_at: first of these
 * @out_end: after the last
 * @offset: of the byte at @in_at in the file
 * @ended: nothing follows @in
 */
struct text {
	enum format format;
	unsigned char in[SOURCE_TEXT];
	size_t in_at;
	size_t in_end;
	char out[SOURCE_TEXT / 2 * 3];
	size_t out_at;
	size_t out_end;
	__u64 offset;
	bool ended;
};

/**
 * struct source - one input, which is a file or an archive of files
 * @name: what messages call it
 * @label: what messages call the present file: @name, or of an archive "name(member)"
 * @syntax: what its lines are
 * @fd: descriptor
 * @start: where in the file the input begins
 * @total: size in bytes as packed, 0 where that is not known
 * @consumed: bytes read so far, as packed
 * @unpacker: state of a gzip or zstd input, NULL for another one
 * @extractor: state of an archive, NULL without one
 * @front: unpacked bytes that were read to recognize the format
 * @front_at: first of these
 * @front_end: after the last
 * @text: the present file
 * @formats: what was recognized, bits of 1 << FORMAT_*
 * @files: files of an archive so far
 * @member: room for @label
 * @raw: bytes read and not yet handed on
 * @raw_at: first of these
 * @raw_end: behind the last
 * @raw_ended: nothing follows
 * @begun: the magic number has been looked at
 * @why: what went wrong, after a failure
 */
struct source {
	const char *name;
	const char *label;
	const struct syntax *syntax;
	int fd;
	off_t start;
	__u64 total;
	__u64 consumed;
	struct unpacker *unpacker;
	struct extractor *extractor;
	unsigned char front[FORMAT_MAGIC];
	size_t front_at;
	size_t front_end;
	struct text text;
	unsigned int formats;
	__u64 files;
	char member[512];
	unsigned char *raw;
	size_t raw_at;
	size_t raw_end;
	bool raw_ended;
	bool begun;
	char why[768];
};

/*
 * Open a file, or standard input for "-", with lines of @syntax. Return: 0, or -1 with @why set.
 * End with source_close() in any case.
 */
int source_open(struct source *source, const char *path,
		const struct syntax *syntax);
void source_close(struct source *source);

/*
 * Go to the first or the next file; the one before must have been read to its end.
 * Return: 1, 0 after the last one, -1 with @why set.
 */
int source_next(struct source *source);

/*
 * Read the present file. Return: how many bytes were written to @to, 0 at its end, -1 with
 * @why set.
 */
ssize_t source_read(struct source *source, void *to, size_t size);

#endif /* KCUCKOO_CLI_SOURCE_H */
