/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: convert UTF-16 to UTF-8
 */
#ifndef KCUCKOO_CLI_UTF16_H
#define KCUCKOO_CLI_UTF16_H

#include <stdbool.h>
#include <stddef.h>

/* Maximum number of UTF-8 bytes for @length bytes of UTF-16. */
#define UTF16_ROOM(length)	((length) / 2 * 3)

/* Bytes of the longest character in UTF-16. */
#define UTF16_CHAR_MAX		4

/*
 * Convert the characters at the beginning of the @length bytes at @in. @out has
 * a size of UTF16_ROOM(@length) bytes; @written is set to the number of bytes
 * that were written. Return: how many bytes of @in were used. The rest begins
 * with an incomplete character, if it is shorter than UTF16_CHAR_MAX bytes, or
 * with an unpaired surrogate.
 */
size_t utf16_decode(const unsigned char *in, size_t length, bool big_endian,
		    char *out, size_t *written);

#endif /* KCUCKOO_CLI_UTF16_H */
