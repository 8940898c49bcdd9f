/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: UTF-16 to UTF-8
 */
#ifndef KCUCKOO_CLI_UTF16_H
#define KCUCKOO_CLI_UTF16_H

#include <stdbool.h>
#include <stddef.h>

/* UTF-8 bytes that @length bytes of UTF-16 can become. */
#define UTF16_ROOM(length)	((length) / 2 * 3)

/* The longest character, in bytes of UTF-16. */
#define UTF16_CHAR_MAX		4

/*
 * Convert the characters at the beginning of the @length bytes at @in. @out has room for
 * UTF16_ROOM(@length) bytes; @written is set to how many were written. Return: how many
 * bytes of @in were used. What remains begins with a character that is not whole, if fewer
 * than UTF16_CHAR_MAX bytes remain, or with a surrogate that stands alone.
 */
size_t utf16_decode(const unsigned char *in, size_t length, bool big_endian,
		    char *out, size_t *written);

#endif /* KCUCKOO_CLI_UTF16_H */
