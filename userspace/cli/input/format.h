/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions recognize the format of a file by its first bytes.
 */
#ifndef KCUCKOO_CLI_FORMAT_H
#define KCUCKOO_CLI_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

/* Formats of files. A file of no other format is text. */
enum format {
	FORMAT_TEXT,
	FORMAT_GZIP,
	FORMAT_ZSTD,
	FORMAT_XZ,
	FORMAT_BZIP2,
	FORMAT_LZ4,
	FORMAT_TAR,
	FORMAT_ZIP,
	FORMAT_UTF16LE,
	FORMAT_UTF16BE,
	FORMAT_OTHER,	/* recognized and not supported */
};

/* Number of first bytes that format_of() needs, unless the file is shorter. */
#define FORMAT_MAGIC	512

/*
 * Recognize a file by its first bytes. Set @name to a noun phrase such as "a
 * zip archive", or to NULL for FORMAT_TEXT. Return: the format.
 */
enum format format_of(const unsigned char *bytes, size_t length,
		      const char **name);

/*
 * Return: the name of a packed format whose first bytes differ from @bytes in
 * exactly one byte, or NULL.
 */
const char *format_damaged(const unsigned char *bytes, size_t length);

/* Return: a noun phrase for the file if it is a web page, or NULL. */
const char *format_page(const unsigned char *bytes, size_t length);

/*
 * Return: the short name of a format that is unpacked or converted, for
 * messages.
 */
const char *format_name(enum format format);

/* Size of a buffer for format_names(). */
#define FORMAT_NAMES	64

/*
 * Write the short names of all these formats to @buf: "gzip, tar". @formats has the bits
 * 1 << FORMAT_*. Return: @buf.
 */
const char *format_names(unsigned int formats, char *buf);

#endif /* KCUCKOO_CLI_FORMAT_H */
