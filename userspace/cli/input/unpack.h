/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: unpack gzip and zstd
 */
#ifndef KCUCKOO_CLI_UNPACK_H
#define KCUCKOO_CLI_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

#include "input/format.h"

struct unpacker;

/* Start to unpack gzip or zstd. Return: the state, or NULL without memory. */
struct unpacker *unpack_begin(enum format format);
void unpack_end(struct unpacker *unpacker);

/*
 * Unpack from @in, @in_length bytes, to @out, @out_length bytes; both lengths
 * are set to the bytes that were used and written. @last: nothing follows @in.
 * Return: 0, or -1 with @why set.
 */
int unpack(struct unpacker *unpacker, const unsigned char *in,
	   size_t *in_length, void *out, size_t *out_length, bool last,
	   const char **why);

#endif /* KCUCKOO_CLI_UNPACK_H */
