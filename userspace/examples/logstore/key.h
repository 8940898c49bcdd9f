/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions compute, parse and format keys, which are the SHA-1 of lines.
 */
#ifndef LOGSTORE_KEY_H
#define LOGSTORE_KEY_H

#include <stddef.h>
#include <stdint.h>

/* Size of a key in bytes, and size of its text with a final zero. */
#define KEY_SIZE	20
#define KEY_TEXT	(2 * KEY_SIZE + 1)

/* Prepare SHA-1. Return: 0, or -1 after an error message. */
int key_init(void);

/* Compute the key of the @length bytes at @line. Return: 0, or -1 after an error message. */
int key_of(const void *line, size_t length, uint8_t key[KEY_SIZE]);

/* Parse a key of 40 hexadecimal digits. Return: 0, or -1 after an error message. */
int key_parse(const char *text, uint8_t key[KEY_SIZE]);

/* Write a key in hexadecimal. Return: @text. */
const char *key_format(const uint8_t key[KEY_SIZE], char text[KEY_TEXT]);

#endif /* LOGSTORE_KEY_H */
