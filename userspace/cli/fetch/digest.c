// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions compute SHA-256 digests, in hexadecimal.
 */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "fetch/digest.h"

void digest_end(struct sha256_ctx *context, char text[DIGEST_TEXT])
{
	uint8_t digest[SHA256_DIGEST_SIZE];
	int i;

	sha256_digest(context, sizeof(digest), digest);
	for (i = 0; i < SHA256_DIGEST_SIZE; i++)
		sprintf(text + 2 * i, "%02x", digest[i]);
}

void digest_bytes(const void *bytes, size_t length, char text[DIGEST_TEXT])
{
	struct sha256_ctx context;

	sha256_init(&context);
	sha256_update(&context, length, bytes);
	digest_end(&context, text);
}

int digest_file(int fd, char text[DIGEST_TEXT], unsigned long long *size)
{
	struct sha256_ctx context;
	uint8_t bytes[65536];
	ssize_t done;

	*size = 0;
	sha256_init(&context);
	while ((done = pread(fd, bytes, sizeof(bytes), *size)) > 0) {
		sha256_update(&context, done, bytes);
		*size += done;
	}
	if (done < 0)
		return -errno;
	digest_end(&context, text);
	return 0;
}
