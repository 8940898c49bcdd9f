/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * logstore: compute the key of a line, its SHA-1
 */
#ifndef LOGSTORE_KEY_H
#define LOGSTORE_KEY_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of a key, and of its text with a final zero. */
#define KEY_SIZE	20
#define KEY_TEXT	(2 * KEY_SIZE + 1)

/* Return: 0, or -1 after an error message. */
int key_init(void);

/*
 * Compute the key of the @length bytes at @line. Return: 0, or -1 after an
 * error message.
 */
int key_of(const void *line, size_t length, uint8_t key[KEY_SIZE]);

/*
 * Parse a key of 40 hexadecimal digits. Return: 0, or -1 after an error
 * message.
 */
int key_parse(const char *text, uint8_t key[KEY_SIZE]);

/* Write a key in hexadecimal. Return: @text. */
const char *key_format(const uint8_t key[KEY_SIZE], char text[KEY_TEXT]);

#endif /* LOGSTORE_KEY_H */
