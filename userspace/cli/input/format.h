/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: recognize formats of files by their first bytes
 */
#ifndef KCUCKOO_CLI_FORMAT_H
#define KCUCKOO_CLI_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

/* Text comes first: everything else that is not recognized is text. */
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
 * Recognize a file by its first bytes. Return: the format. @name is set to a noun phrase
 * such as "a zip archive", or NULL for FORMAT_TEXT.
 */
enum format format_of(const unsigned char *bytes, size_t length,
		      const char **name);

/*
 * Do the first bytes differ in one byte from those of a packed file? Return:
 * the name of its format, or NULL.
 */
const char *format_damaged(const unsigned char *bytes, size_t length);

/* Return: the name of the format if it is a web page, or NULL. */
const char *format_page(const unsigned char *bytes, size_t length);

/* Return: the short name of a supported format, as messages list it. */
const char *format_name(enum format format);

#endif /* KCUCKOO_CLI_FORMAT_H */
