/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions compute SHA-256 digests, in hexadecimal.
 */
#ifndef KCUCKOO_CLI_DIGEST_H
#define KCUCKOO_CLI_DIGEST_H

#include <nettle/sha2.h>

/* Size of a buffer for a digest in hexadecimal. */
#define DIGEST_TEXT	(2 * SHA256_DIGEST_SIZE + 1)

/**
 * digest_end() - finish a digest
 * @context: state of nettle, to which sha256_update() has added the bytes
 * @text: out: the digest of these bytes in hexadecimal
 */
void digest_end(struct sha256_ctx *context, char text[DIGEST_TEXT]);

/**
 * digest_bytes() - compute the digest of bytes in memory
 * @bytes: the bytes
 * @length: number of bytes
 * @text: out: the digest in hexadecimal
 */
void digest_bytes(const void *bytes, size_t length, char text[DIGEST_TEXT]);

/**
 * digest_file() - compute the digest of a whole file
 * @fd: descriptor of the file, whose position is neither used nor changed
 * @text: out: the digest in hexadecimal
 * @size: out: size of the file in bytes
 *
 * Return: 0 or a negative errno.
 */
int digest_file(int fd, char text[DIGEST_TEXT], unsigned long long *size);

#endif /* KCUCKOO_CLI_DIGEST_H */
