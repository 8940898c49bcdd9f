// SPDX-License-Identifier: GPL-2.0-only
/*
 * utf16_decode() converts UTF-16 to UTF-8, for source.c.
 */
#include "input/utf16.h"

/*
 * First high surrogate, and first and last low surrogate. A character above 0xffff is
 * encoded as a high surrogate followed by a low surrogate.
 */
#define HIGH_FIRST	0xd800u
#define LOW_FIRST	0xdc00u
#define LOW_LAST	0xdfffu
#define BEYOND_FIRST	0x10000u	/* first character that takes two 16-bit units */

static unsigned int unit_at(const unsigned char *in, bool big_endian)
{
	return big_endian ? in[0] << 8 | in[1] : in[1] << 8 | in[0];
}

static size_t put_utf8(char *out, unsigned int c)
{
	if (c < 0x80) {
		out[0] = c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = 0xc0 | c >> 6;
		out[1] = 0x80 | (c & 0x3f);
		return 2;
	}
	if (c < BEYOND_FIRST) {
		out[0] = 0xe0 | c >> 12;
		out[1] = 0x80 | (c >> 6 & 0x3f);
		out[2] = 0x80 | (c & 0x3f);
		return 3;
	}
	out[0] = 0xf0 | c >> 18;
	out[1] = 0x80 | (c >> 12 & 0x3f);
	out[2] = 0x80 | (c >> 6 & 0x3f);
	out[3] = 0x80 | (c & 0x3f);
	return 4;
}

size_t utf16_decode(const unsigned char *in, size_t length, bool big_endian,
		    char *out, size_t *written)
{
	size_t at = 0;

	*written = 0;
	while (length - at >= 2) {
		unsigned int c = unit_at(in + at, big_endian), low;

		if (c >= LOW_FIRST && c <= LOW_LAST)
			break;
		if (c < HIGH_FIRST || c > LOW_LAST) {
			*written += put_utf8(out + *written, c);
			at += 2;
			continue;
		}
		if (length - at < 4)
			break;
		low = unit_at(in + at + 2, big_endian);
		if (low < LOW_FIRST || low > LOW_LAST)
			break;
		c = BEYOND_FIRST + ((c - HIGH_FIRST) << 10) + low - LOW_FIRST;
		*written += put_utf8(out + *written, c);
		at += 4;
	}
	return at;
}
