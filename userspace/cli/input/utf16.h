/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * utf16_decode() converts UTF-16 to UTF-8, for source.c.
 */
#ifndef KCUCKOO_CLI_UTF16_H
#define KCUCKOO_CLI_UTF16_H

#include <stdbool.h>
#include <stddef.h>

/* Maximum number of UTF-8 bytes for @length bytes of UTF-16. */
#define UTF16_DECODED_MAX(length)	((length) / 2 * 3)

/* Maximum number of bytes of a character in UTF-16. */
#define UTF16_CHAR_MAX		4

/*
 * Convert the @length bytes of UTF-16 at @in to UTF-8 at @out, up to the first invalid
 * or incomplete character. @big_endian: byte order of @in. @out has
 * UTF16_DECODED_MAX(@length) bytes. Set @written to the number of bytes that were
 * written to @out. Return: the number of bytes of @in that were converted. If fewer
 * than UTF16_CHAR_MAX bytes remain, the remaining bytes can be an incomplete character.
 * If UTF16_CHAR_MAX bytes or more remain, the next character is invalid: an unpaired
 * surrogate.
 */
size_t utf16_decode(const unsigned char *in, size_t length, bool big_endian,
		    char *out, size_t *written);

#endif /* KCUCKOO_CLI_UTF16_H */
