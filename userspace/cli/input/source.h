/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions read a file or standard input, unpack packed (compressed) data and
 * archives, and convert UTF-16 to UTF-8. In this folder, the file or standard input is
 * called a source. lines.c splits the result into lines for input.c.
 */
#ifndef KCUCKOO_CLI_SOURCE_H
#define KCUCKOO_CLI_SOURCE_H

#include <sys/types.h>

#include "cli.h"
#include "input/format.h"
#include "input/line.h"

struct extractor;
struct unpacker;

/* Maximum number of bytes of UTF-16 that are converted at once. */
#define SOURCE_TEXT	4096

/**
 * struct text - state of reading the current file of a source
 * @format: FORMAT_TEXT for bytes that are not converted, or a format of UTF-16
 * @in: bytes before conversion
 * @in_at: offset in @in of the first byte that was not used yet
 * @in_end: offset in @in of the end of the bytes in the buffer
 * @out: the text after conversion to UTF-8
 * @out_at: offset in @out of the first byte that was not used yet
 * @out_end: offset in @out of the end of the bytes in the buffer
 * @offset: position in the file of the byte at @in_at; only updated for UTF-16
 * @ended: the file ends with the bytes in @in
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
 * @name: name of the input in messages
 * @label: name of the current file in messages: @name, or "name(member)" in an
 *	archive
 * @syntax: how lines are parsed. With SYNTAX_BINARY, nothing is unpacked or
 *	converted
 * @fd: descriptor of the input
 * @start: position in a regular file at which the input begins
 * @total: size of the input in bytes, before unpacking; 0 if the size is unknown
 * @consumed: number of bytes that this process has read from the input so far
 * @unpacker: state for gzip or zstd, NULL for other input
 * @extractor: state for an archive, NULL for other input
 * @front: the first bytes of the input, after gzip or zstd is unpacked, which were read
 *	to recognize the format
 * @front_at: offset in @front of the first byte that was not used yet
 * @front_end: offset in @front of the end of the bytes in the buffer
 * @text: the current file
 * @formats: formats that were recognized, as bits 1 << FORMAT_*
 * @files: number of files of the archive so far, including the current file
 * @member: buffer for @label, if @label is "name(member)"
 * @raw: buffer for bytes that were read from @fd
 * @raw_at: offset in @raw of the first byte that was not used yet
 * @raw_end: offset in @raw of the end of the bytes in the buffer
 * @raw_ended: the end of the input was reached: no bytes follow the bytes in @raw
 * @begun: source_next() has been called at least once
 * @why: reason of a failure, as text for an error message
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
 * Open the file @path, or standard input if @path is "-". If @configured of @syntax is set,
 * reject a file that is neither a regular file nor /dev/null. Return: 0; or -1, and an error
 * text in @why. The caller must call source_close() even after -1.
 */
int source_open(struct source *source, const char *path,
		const struct syntax *syntax);
/*
 * Free the memory to which @source points, end its child process, and close its file,
 * except standard input. Do not free @source itself.
 */
void source_close(struct source *source);

/*
 * Go to the next file. The first call goes to the first file. A source that is not an
 * archive counts as one file. The caller must have read the previous file to its end.
 * Return: 1; 0 after the last file; or -1, and an error text in @why.
 */
int source_next(struct source *source);

/*
 * Read bytes of the current file. Convert UTF-16 to UTF-8. Return: the number of bytes
 * that were written to @to; 0 at the end of the file; or -1, and an error text in @why.
 */
ssize_t source_read(struct source *source, void *to, size_t size);

#endif /* KCUCKOO_CLI_SOURCE_H */
