// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keys for the log store that are no SHA-1: the first four bytes of the line. So
 * lines with one key are easily made.
 */
#include <string.h>

#include "key.h"

int key_init(void)
{
	return 0;
}

int key_of(const void *line, size_t length, uint8_t key[KEY_SIZE])
{
	memset(key, 0, KEY_SIZE);
	memcpy(key, line, length < 4 ? length : 4);
	return 0;
}
