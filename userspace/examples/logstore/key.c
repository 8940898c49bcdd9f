// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions parse and format keys, which are the SHA-1 of lines.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../message.h"
#include "key.h"

int key_parse(const char *text, uint8_t key[KEY_SIZE])
{
	char digits[3] = "";
	size_t i;

	for (i = 0; isxdigit((unsigned char)text[i]); i++)
		;
	if (text[i] || i != 2 * KEY_SIZE)
		return error("'%s' is not a key of 40 hexadecimal digits; -l accepts lines instead",
			     text);
	for (i = 0; i < KEY_SIZE; i++) {
		memcpy(digits, text + 2 * i, 2);
		key[i] = strtoul(digits, NULL, 16);
	}
	return 0;
}

const char *key_format(const uint8_t key[KEY_SIZE], char text[KEY_TEXT])
{
	size_t i;

	for (i = 0; i < KEY_SIZE; i++)
		sprintf(text + 2 * i, "%02x", key[i]);
	return text;
}
