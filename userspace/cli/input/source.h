/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: read and unpack a file or standard input
 */
#ifndef KCUCKOO_CLI_SOURCE_H
#define KCUCKOO_CLI_SOURCE_H

#include <sys/types.h>

#include "cli.h"
#include "input/format.h"
#include "input/line.h"

struct extractor;
struct unpacker;

/* Bytes of text that are converted at once. */
#define SOURCE_TEXT	4096

/**
 * struct text - a file of a source, and its conversion to UTF-8
 * @format: FORMAT_TEXT for bytes that are not converted, or a format of UTF-16
 * @in: bytes before conversion
 * @in_at: start of the bytes
 * @in_end: end of the bytes
 * @out: converted UTF-8
 * @out_at: start of the bytes
 * @out_end: end of the bytes
 * @offset: position of the byte at @in_at in the file
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
 * @unpacker: state for gzip or zstd, NULL for other input
 * @extractor: state for an archive, NULL for other input
 * @front: unpacked bytes that were read to recognize the format
 * @front_at: start of the bytes
 * @front_end: end of the bytes
 * @text: the current file
 * @formats: formats that were recognized, bits of 1 << FORMAT_*
 * @files: number of files of the archive so far
 * @member: buffer for @label
 * @raw: bytes that were read
 * @raw_at: start of the bytes that were not used yet
 * @raw_end: end of the bytes
 * @raw_ended: nothing follows
 * @begun: the format has been recognized
 * @why: reason of a failure
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
 * Go to the first or the next file. The previous one must have been read to its
 * end. Return: 1; 0 after the last file; or -1 with @why set.
 */
int source_next(struct source *source);

/*
 * Read the current file. Return: how many bytes were written to @to, 0 at its
 * end, -1 with @why set.
 */
ssize_t source_read(struct source *source, void *to, size_t size);

#endif /* KCUCKOO_CLI_SOURCE_H */
