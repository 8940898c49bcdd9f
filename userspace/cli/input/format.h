/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions recognize the format of a file by its first bytes: packed (compressed) data,
 * an archive, UTF-16 or other text.
 */
#ifndef KCUCKOO_CLI_FORMAT_H
#define KCUCKOO_CLI_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

/* Formats of files. FORMAT_TEXT is a file for which no other format is recognized. */
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
	FORMAT_PACKED,	/* packed data or an archive of a format that is not supported */
	FORMAT_OTHER,	/* another format that is recognized but not supported */
};

/*
 * format_of() needs this number of bytes from the start of a file, or the whole file if
 * the file is shorter.
 */
#define FORMAT_MAGIC	512

/*
 * Recognize the format of a file by its first bytes. Set @name to a noun phrase such as
 * "a zip archive", or to NULL for FORMAT_TEXT. Return: the format.
 */
enum format format_of(const unsigned char *bytes, size_t length,
		      const char **name);

/* Return: true for packed data and archives, also of formats that are not supported. */
bool format_is_packed(enum format format);

/*
 * Return: a noun phrase such as "zstd data", if the first bytes of the file differ in
 * exactly one byte from the magic number of zstd, xz, lz4 or zip; otherwise NULL.
 */
const char *format_damaged(const unsigned char *bytes, size_t length);

/* Return: "a web page (HTML)" if the file begins like an HTML page; otherwise NULL. */
const char *format_page(const unsigned char *bytes, size_t length);

/*
 * Return: the short name, such as "gzip", of a format that is unpacked or converted, for
 * messages.
 */
const char *format_name(enum format format);

/* Size in bytes of the buffer @buf of format_names(). */
#define FORMAT_NAMES	64

/*
 * Write the short names of the formats in @formats to @buf, as in "gzip, tar". @formats
 * has the bits 1 << FORMAT_*. Return: @buf.
 */
const char *format_names(unsigned int formats, char *buf);

#endif /* KCUCKOO_CLI_FORMAT_H */
