/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions compute SHA-256 digests, in hexadecimal.
 */
#ifndef KCUCKOO_CLI_DIGEST_H
#define KCUCKOO_CLI_DIGEST_H

#include <nettle/sha2.h>

/* Size of a buffer for a digest in hexadecimal. */
#define DIGEST_TEXT	(2 * SHA256_DIGEST_SIZE + 1)

/* Write to @text the digest of all bytes that were added to @context. */
void digest_end(struct sha256_ctx *context, char text[DIGEST_TEXT]);

/* Write the digest of @length bytes to @text. */
void digest_bytes(const void *bytes, size_t length, char text[DIGEST_TEXT]);

/*
 * Write the digest of the whole file to @text, and its size to @size. Return: 0
 * or a negative errno.
 */
int digest_file(int fd, char text[DIGEST_TEXT], unsigned long long *size);

#endif /* KCUCKOO_CLI_DIGEST_H */
