// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions recognize the format of a file by its first bytes.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "input/format.h"

/*
 * Sizes and offsets in a tar header, in bytes. The checksum (TAR_SUM) is the sum of all bytes of
 * the header, with blanks in place of the checksum itself.
 */
#define TAR_HEADER	512
#define TAR_SUM		148
#define TAR_SUM_SIZE	8
#define TAR_MAGIC	257

/*
 * Minimum length of a magic number for format_damaged(). A shorter magic number
 * with a damaged byte could be text.
 */
#define MAGIC_CLEAR	4

/* A magic number: the first bytes of all files of a format. @name: noun phrase for messages. */
struct magic {
	const char *bytes;
	size_t length;
	enum format format;
	const char *name;
};

#define MAGIC(bytes, format, name) \
	{ bytes, sizeof(bytes) - 1, FORMAT_##format, name }

/*
 * The formats that a magic number at the start of a file identifies without further
 * checks. If a magic number is the beginning of another magic number, the longer magic
 * number comes first. The supported packed formats come before the first FORMAT_PACKED,
 * at which format_damaged() stops.
 */
static const struct magic magics[] = {
	MAGIC("\x1f\x8b", GZIP, "gzip data"),
	MAGIC("\x28\xb5\x2f\xfd", ZSTD, "zstd data"),
	MAGIC("\3757zXZ\0", XZ, "xz data"),
	MAGIC("\x04\x22\x4d\x18", LZ4, "lz4 data"),
	MAGIC("\x02\x21\x4c\x18", LZ4, "lz4 data"),
	MAGIC("PK\3\4", ZIP, "a zip archive"),
	MAGIC("PK\5\6", ZIP, "a zip archive"),
	MAGIC("PK\7\x8", PACKED, "a part of a split zip archive"),
	MAGIC("7z\xbc\xaf\x27\x1c", PACKED, "a 7z archive"),
	MAGIC("Rar!\x1a\7", PACKED, "a rar archive"),
	MAGIC("LZIP\1", PACKED, "lzip data"),
	MAGIC("\x5d\0\0", PACKED, "lzma data"),
	MAGIC("\x89LZO\0\r\n\x1a\n", PACKED, "lzop data"),
	MAGIC("\x1f\x9d", PACKED, "compress (.Z) data"),
	MAGIC("\x1f\xa0", PACKED, "compress (.Z) data"),
	MAGIC("\x1f\x1e", PACKED, "pack (.z) data"),
	MAGIC("x\x9c", PACKED, "zlib data"),
	MAGIC("x\xda", PACKED, "zlib data"),
	MAGIC("\xff\6\0\0sNaPpY", PACKED, "snappy data"),
	MAGIC("\xc7\x71", PACKED, "a cpio archive"),
	MAGIC("xar!\0", PACKED, "a xar archive"),
	MAGIC("MSCF\0\0\0\0", PACKED, "a cabinet archive"),
	MAGIC("\xed\xab\xee\xdb", PACKED, "an rpm package"),
	MAGIC("!<arch>\n", PACKED, "an ar archive or a Debian package"),
	MAGIC("\0\5\x16\7", OTHER, "an AppleDouble file"),
	MAGIC("%PDF-", OTHER, "a PDF document"),
	MAGIC("\177ELF", OTHER, "a program (ELF)"),
	MAGIC("\x89PNG\r\n", OTHER, "a picture (PNG)"),
	MAGIC("SQLite format 3\0", OTHER, "an SQLite database"),
	MAGIC("\x89kck\r\n\x1a\n", OTHER, "a snapshot, which 'kcuckoo restore' reads"),
	MAGIC("\xff\xfe\0\0", OTHER, "UTF-32 text"),
	MAGIC("\0\0\xfe\xff", OTHER, "UTF-32 text"),
	MAGIC("\xff\xfe", UTF16LE, "UTF-16 text"),
	MAGIC("\xfe\xff", UTF16BE, "UTF-16 text"),
};

static bool begins(const unsigned char *bytes, size_t length,
		   const char *magic, size_t magic_length)
{
	return length >= magic_length && !memcmp(bytes, magic, magic_length);
}

/*
 * Return: true for bzip2 data. A line of text can begin with "BZh", too. In bzip2 data, a digit
 * for the block size follows, and then the magic number of the first block, or of the end of the
 * data.
 */
static bool is_bzip2(const unsigned char *bytes, size_t length)
{
	return length >= 10 && !memcmp(bytes, "BZh", 3) &&
	       bytes[3] >= '1' && bytes[3] <= '9' &&
	       (!memcmp(bytes + 4, "\x31\x41\x59\x26\x53\x59", 6) ||
		!memcmp(bytes + 4, "\x17\x72\x45\x38\x50\x90", 6));
}

/* Some packers write a skippable frame of zstd before the data. */
static bool is_zstd_skip(const unsigned char *bytes, size_t length)
{
	return length >= 4 && (bytes[0] & 0xf0) == 0x50 &&
	       !memcmp(bytes + 1, "\x2a\x4d\x18", 3);
}

/* Return: the value of the octal digits after optional blanks, or -1 without a digit. */
static long octal(const unsigned char *at, size_t length)
{
	long number = -1;

	while (length && *at == ' ') {
		at++;
		length--;
	}
	for (; length-- && *at >= '0' && *at <= '7'; at++)
		number = (number < 0 ? 0 : number * 8) + *at - '0';
	return number;
}

/*
 * Return: true if the checksum of a tar header is right. Some old programs
 * compute the sum of the bytes as signed numbers, so both sums are accepted.
 */
static bool is_tar_sum(const unsigned char *header)
{
	long sum = TAR_SUM_SIZE * ' ', signed_sum = sum;
	long expected = octal(header + TAR_SUM, TAR_SUM_SIZE);
	size_t i;

	for (i = 0; i < TAR_HEADER; i++) {
		if (i >= TAR_SUM && i < TAR_SUM + TAR_SUM_SIZE)
			continue;
		sum += header[i];
		signed_sum += (signed char)header[i];
	}
	return expected == sum || expected == signed_sum;
}

/*
 * Return: true for a tar archive. A file that ends within its first header, after the magic
 * number, counts, too: unarchive.c rejects such a file as truncated.
 */
static bool is_tar(const unsigned char *bytes, size_t length)
{
	if (length > TAR_MAGIC)
		return (bytes[0] && begins(bytes + TAR_MAGIC, length - TAR_MAGIC,
					   "ustar", 5)) ||
		       (length >= TAR_HEADER && bytes[0] && is_tar_sum(bytes));
	return false;
}

/*
 * Return: true for a cpio archive in one of its text formats: a magic number of six digits, then
 * fields of octal or hexadecimal digits.
 */
static bool is_cpio(const unsigned char *bytes, size_t length)
{
	bool old = begins(bytes, length, "070707", 6);
	const char *digits = old ? "01234567" : "0123456789abcdefABCDEF";
	size_t i, end = old ? 76 : 110;

	if (length < end || (!old && !begins(bytes, length, "070701", 6) &&
			     !begins(bytes, length, "070702", 6)))
		return false;
	for (i = 6; i < end; i++)
		if (!bytes[i] || !strchr(digits, bytes[i]))
			return false;
	return true;
}

/*
 * Return: true for UTF-16 without a byte order mark: among the first 64 bytes, exactly
 * every second byte is zero.
 */
static bool is_unmarked_utf16(const unsigned char *bytes, size_t length)
{
	size_t i, end = length < 64 ? length & ~(size_t)1 : 64;
	int zero = end && bytes[0] ? 1 : 0;

	for (i = 0; i < end; i++)
		if (!bytes[i] != (i % 2 == (size_t)zero))
			return false;
	return end >= 8;
}

/*
 * A file can begin with zero bytes after a crash. A tar archive without files has only zero
 * bytes.
 */
static bool is_zeros(const unsigned char *bytes, size_t length)
{
	return length >= TAR_HEADER && !bytes[0] &&
	       !memcmp(bytes, bytes + 1, TAR_HEADER - 1);
}

enum format format_of(const unsigned char *bytes, size_t length,
		      const char **name)
{
	const struct magic *magic;
	size_t i;

	for (i = 0; i < sizeof(magics) / sizeof(*magics); i++) {
		magic = &magics[i];
		*name = magic->name;
		if (begins(bytes, length, magic->bytes, magic->length))
			return magic->format;
	}
	*name = "zstd data";
	if (is_zstd_skip(bytes, length))
		return FORMAT_ZSTD;
	*name = "bzip2 data";
	if (is_bzip2(bytes, length))
		return FORMAT_BZIP2;
	*name = "a tar archive";
	if (is_tar(bytes, length))
		return FORMAT_TAR;
	*name = "a cpio archive";
	if (is_cpio(bytes, length))
		return FORMAT_PACKED;
	*name = "UTF-16 text without a byte order mark";
	if (is_unmarked_utf16(bytes, length))
		return FORMAT_OTHER;
	*name = "a file of zero bytes or a tar archive without files";
	if (is_zeros(bytes, length))
		return FORMAT_OTHER;
	*name = NULL;
	return FORMAT_TEXT;
}

bool format_is_packed(enum format format)
{
	return format == FORMAT_PACKED ||
	       (format >= FORMAT_GZIP && format <= FORMAT_ZIP);
}

const char *format_damaged(const unsigned char *bytes, size_t length)
{
	const struct magic *magic = magics;
	size_t i, same;

	for (; magic->format != FORMAT_PACKED; magic++) {
		if (magic->length < MAGIC_CLEAR || length < magic->length)
			continue;
		for (i = 0, same = 0; i < magic->length; i++)
			same += bytes[i] == (unsigned char)magic->bytes[i];
		if (same == magic->length - 1)
			return magic->name;
	}
	return NULL;
}

const char *format_page(const unsigned char *bytes, size_t length)
{
	static const char * const tags[] = { "<!doctype html", "<html" };
	const char *at = (const char *)bytes;
	size_t i;

	if (begins(bytes, length, "\xef\xbb\xbf", 3)) {
		at += 3;
		length -= 3;
	}
	while (length && strchr(" \t\r\n", *at) && *at) {
		at++;
		length--;
	}
	for (i = 0; i < sizeof(tags) / sizeof(*tags); i++)
		if (length >= strlen(tags[i]) &&
		    !strncasecmp(at, tags[i], strlen(tags[i])))
			return "a web page (HTML)";
	return NULL;
}

const char *format_name(enum format format)
{
	static const char * const names[] = {
		[FORMAT_GZIP] = "gzip",
		[FORMAT_ZSTD] = "zstd",
		[FORMAT_XZ] = "xz",
		[FORMAT_BZIP2] = "bzip2",
		[FORMAT_LZ4] = "lz4",
		[FORMAT_TAR] = "tar",
		[FORMAT_ZIP] = "zip",
		[FORMAT_UTF16LE] = "UTF-16",
		[FORMAT_UTF16BE] = "UTF-16",
	};

	return names[format];
}

const char *format_names(unsigned int formats, char *buf)
{
	size_t length = 0;
	int format;

	*buf = 0;
	for (format = FORMAT_GZIP; format <= FORMAT_UTF16BE; format++)
		if (formats & 1 << format)
			length += snprintf(buf + length, FORMAT_NAMES - length, "%s%s",
					   length ? ", " : "", format_name(format));
	return buf;
}
