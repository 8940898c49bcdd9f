/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: unpacking gzip and zstd
 */
#ifndef KCUCKOO_CLI_UNPACK_H
#define KCUCKOO_CLI_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

struct unpacker;

/* Bytes of a magic number that unpack_begin() wants to see, if there are any. */
#define UNPACK_MAGIC	10

/*
 * Look at the beginning of an input. Return: 0 with @unpacker set, or NULL for
 * one that is not packed; -1 with @why set for a kind that is not supported.
 */
int unpack_begin(struct unpacker **unpacker, const unsigned char *magic,
		 size_t length, const char **why);
void unpack_end(struct unpacker *unpacker);

/*
 * Unpack from @in, @in_length bytes, to @out, @out_length bytes; both lengths
 * are changed to what was used and written. @last: nothing comes behind @in.
 * Return: 0, or -1 with @why set.
 */
int unpack(struct unpacker *unpacker, const unsigned char *in,
	   size_t *in_length, void *out, size_t *out_length, bool last,
	   const char **why);

#endif /* KCUCKOO_CLI_UNPACK_H */
